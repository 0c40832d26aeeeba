"""5.4, 2.6, R16-R21, R24: tactics counters, how they are played, and what a reply does."""

import pytest

from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import (
    Begin,
    ChooseCounters,
    Discard,
    Done,
    Fight,
    LoseAbility,
    NameTarget,
    PlayCounter,
    Stop,
    Throw,
)
from engine.raid.match import RaidMatch
from engine.raid.scenario import HouseRules
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    asked,
    assert_refused,
    begin_fight,
    c,
    decision,
    fight,
    kind,
    levels,
    lose,
    match,
    offered,
    open_room,
    plan,
    play,
    seen,
    t,
    told,
    where,
)

STRONG = "fist3 kick3 mist3 soul3 heart1"
JELLY = {"fist": "J-5", "kick": "J-1", "mist": "J-8", "soul": "J-6", "weapon": "J-2"}


def duel(
    jelly: str = "J-1", *, levels: str = STRONG, dice: tuple[int, ...] = (), more: str = ""
) -> RaidMatch:
    """Return a Terminator and a Jelly side by side at the beginning of Combat I, both to choose."""
    game = match(
        open_room(7, 3),
        f"Rising Dream  2,1  {levels}\n{jelly}  3,1\n{more}".strip(),
        phase="combat-1",
        dice=dice,
    )
    t(game, Fight(0))
    return game


# Choosing (5.4, R16)


def test_three_counters_for_a_terminator_two_for_a_jelly() -> None:
    """5.4: a Terminator picks at most three counters, a Jelly two."""
    game = duel("J-1")
    assert_refused(game, T, ChooseCounters(DREAM, ("fist",) * 4), "5.4", "may pick 3")
    assert_refused(game, C, ChooseCounters("J-1", ("kick",) * 3), "5.4", "may pick 2")
    t(game, ChooseCounters(DREAM, ("fist", "fist", "mist")))
    c(game, ChooseCounters("J-1", ("kick", "kick")))


def test_within_the_levels_he_has_now() -> None:
    """5.4: no more counters of an ability than levels left, none of an ability lost."""
    game = duel("J-1", levels="kick1 soul2 / fist1 kick2 soul2")
    assert_refused(game, T, ChooseCounters(DREAM, ("kick", "kick")), "5.4", "has 1 level of Lightning Foot")
    assert_refused(game, T, ChooseCounters(DREAM, ("fist",)), "5.4", "has no levels of Iron Fist")
    assert_refused(game, T, ChooseCounters(DREAM, ("weapon",)), "5.4", "has no levels of Weapon")
    assert_refused(game, C, ChooseCounters("J-1", ("fist",)), "5.4", "has no levels of Iron Fist")


def test_no_counter_for_mountain_heart() -> None:
    """5.4: Mountain Heart is no combat ability."""
    assert_refused(duel(), T, ChooseCounters(DREAM, ("heart",)), "5.4", "Mountain Heart")
    assert_refused(duel(), T, ChooseCounters(DREAM, ("gun",)), "5.4", "not one of")


def test_only_own_fighters_of_this_combat_choose() -> None:
    """5.4: only conscious warriors of the combat pick counters, once, each for his own side."""
    game = duel(more="Servant 1  2,0\nJ-3  6,2\nJ-5  3,2  - / fist2 heart1")
    assert_refused(game, T, ChooseCounters("J-1", ("kick",)), "5.4", "not yours")
    assert_refused(game, C, ChooseCounters("Servant 1", ()), "5.4", "chooses no counters")
    assert_refused(game, C, ChooseCounters("J-3", ()), "5.4", "chooses no counters")
    assert_refused(game, C, ChooseCounters("J-5", ()), "5.4", "chooses no counters")
    assert_refused(game, T, Begin(T), "5.4", "time to choose")
    t(game, ChooseCounters(DREAM, ("fist",)))
    assert_refused(game, T, ChooseCounters(DREAM, ("kick",)), "R16", "are chosen")


def test_any_number_from_none() -> None:
    """R16: from none to the limit, by default."""
    hands = {choice.counters for choice in offered(duel(levels="fist1 soul1"), T, ChooseCounters)}  # type: ignore[attr-defined]
    assert hands == {("fist", "soul"), ("fist",), ("soul",), ()}


def test_no_underpicking_where_the_scenario_forbids_it() -> None:
    """R16, `may_underpick` off: as many as he can, up to the limit."""
    game = match(
        open_room(3, 1),
        "Rising Dream  0,0  fist1 soul1 heart3\nJ-1  1,0",
        phase="combat-1",
        rules=HouseRules(may_underpick=False),
    )
    t(game, Fight(0))
    assert_refused(game, T, ChooseCounters(DREAM, ("fist",)), "R16", "must pick 2")
    t(game, ChooseCounters(DREAM, ("fist", "soul")))
    assert_refused(game, C, ChooseCounters("J-1", ()), "R16", "must pick 2")


def test_choosing_is_secret_and_at_the_same_time() -> None:
    """R16, 5.4: neither what nor how many the other side chose is told; only that it is done."""
    game = duel()
    assert game.decision(T) is not None
    assert game.decision(C) is not None
    t(game, ChooseCounters(DREAM, ("fist", "kick")))
    for viewer in (C, "public"):
        view = game.view(viewer)
        assert view.fight is not None
        assert DREAM not in view.fight.hand
        assert DREAM not in view.fight.chosen
        assert told(game, events.CountersChosen, viewer) == []
    assert told(game, events.CountersChosen, T)[0].counters == ("fist", "kick")


def test_an_empty_hand_is_announced() -> None:
    """R16: that a player has no counters left is announced, at the choice and later."""
    game = duel(dice=(6,))
    fight(game, {DREAM: "fist"})
    assert [event.side for event in told(game, events.HandEmpty)] == [C]
    play(game, DREAM, "fist", "J-1")
    assert [event.side for event in told(game, events.HandEmpty)] == [C, T]


# Who begins (5.4)


@pytest.mark.parametrize("first", [T, C])
def test_the_terminator_says_who_begins(first: str) -> None:
    """5.4: the Terminator player chooses who plays first."""
    game = duel()
    begin_fight(game, {DREAM: "fist", "J-1": "kick"})
    assert_refused(game, C, Begin(C), "5.4", "Terminator player's turn")
    assert_refused(game, T, PlayCounter(DREAM, "fist"), "5.4", "who plays the first counter")
    assert_refused(game, T, Begin("nobody"), "5.4", "not one of")
    t(game, Begin(first))
    assert asked(game) == first
    assert told(game, events.FirstPlayer)[0].side == first


def test_alone_with_counters_he_begins() -> None:
    """R16, 5.4: where one side has none the other begins unasked."""
    game = duel()
    begin_fight(game, {"J-1": "kick"})
    assert (kind(game), asked(game)) == ("play-counter", C)


# The table (2.6, R20)

FISTS = {"fist": 3, "kick": 3, "mist": 0, "soul": 1, "weapon": 4}
KICKS = {"fist": 3, "kick": 3, "mist": 1, "soul": 0, "weapon": 4}
WEAPONS = {"fist": 2, "kick": 2, "mist": 1, "soul": 1}


@pytest.mark.parametrize(
    ("attack", "reply", "needs"),
    [("fist", reply, needs) for reply, needs in FISTS.items()]
    + [("kick", reply, needs) for reply, needs in KICKS.items()],
)
def test_attack_on_a_jelly_that_replies(attack: str, reply: str, needs: int) -> None:
    """2.6, R20: the column is the target's own reply; a weapon in reply leaves him in the Inactive column."""
    for die in (needs, needs + 1) if needs else (None,):
        game = duel(JELLY[reply], dice=() if die is None else (die, 6))
        fight(game, {DREAM: attack, JELLY[reply]: reply})
        play(game, DREAM, attack, JELLY[reply])
        c(game, PlayCounter(JELLY[reply], reply))
        settled = told(game, events.AttackResolved)[0]
        assert (settled.needs, settled.die, settled.hit) == (needs, die, die is not None and die <= needs)
        assert settled.column == ("inactive" if reply == "weapon" else reply)


@pytest.mark.parametrize(("reply", "needs"), list(WEAPONS.items()))
def test_weapon_on_a_terminator_that_replies(reply: str, needs: int) -> None:
    """2.6: nunchaku, bo stave and kon-go hit less often; a Terminator's reply is his column."""
    game = duel("J-2", dice=(needs, 6))
    fight(game, {DREAM: reply, "J-2": "weapon"}, first=C)
    play(game, "J-2", "weapon", DREAM)
    t(game, PlayCounter(DREAM, reply))
    settled = told(game, events.AttackResolved)[0]
    assert (settled.column, settled.needs, settled.hit) == (reply, needs, True)


@pytest.mark.parametrize(
    ("attack", "jelly", "needs"), [("fist", "J-5", 4), ("kick", "J-1", 4), ("weapon", "J-2", 3)]
)
def test_attack_on_a_terminator_who_does_not_reply(attack: str, jelly: str, needs: int) -> None:
    """2.6, R20: without a reply of his own a warrior is Inactive."""
    game = duel(jelly, dice=(needs,))
    fight(game, {jelly: attack})
    play(game, jelly, attack, DREAM)
    settled = told(game, events.AttackResolved)[0]
    assert (settled.column, settled.needs, settled.hit) == ("inactive", needs, True)


def test_another_figures_reply_does_not_guard_the_target() -> None:
    """5.4, R20: if the target did not play the reply himself he is Inactive."""
    game = duel("J-1", dice=(4,), more="J-8  2,0")
    fight(game, {DREAM: "fist fist", "J-8": "mist", "J-1": "kick"})
    play(game, DREAM, "fist", "J-1")
    c(game, PlayCounter("J-8", "mist"))
    settled = told(game, events.AttackResolved)[0]
    assert (settled.column, settled.needs, settled.hit) == ("inactive", 4, True)


@pytest.mark.parametrize(
    ("figure", "attack", "column", "needs"),
    [
        ("Servant 1  2,0", "fist", "helpless", 5),
        ("Servant 1  2,0", "kick", "helpless", 5),
        ("Technician 1  2,0", "fist", "inactive", 4),
        ("Armed Technician 1  2,0", "kick", "inactive", 4),
        ("CloneMaster  2,0", "kick", "inactive", 4),
        ("J-5  2,0  - / fist2 heart1", "kick", "helpless", 5),
    ],
)
def test_columns_of_those_without_counters(figure: str, attack: str, column: str, needs: int) -> None:
    """2.6, R20: Helpless are servants and unconscious warriors; technicians and CloneMaster Inactive."""
    name = figure.split("  ")[0]
    game = duel("J-1", dice=(needs,), more=figure)
    fight(game, {DREAM: attack, "J-1": "kick"})
    play(game, DREAM, attack, name)
    c(game, PlayCounter("J-1", "kick"))
    settled = told(game, events.AttackResolved)[0]
    assert (settled.target, settled.column, settled.needs) == (name, column, needs)
    assert where(game, name) == "dead"


def test_unconscious_terminator_is_helpless() -> None:
    """R20: an unconscious Terminator is Helpless, also to a weapon."""
    game = duel("J-2", dice=(4,), more="Shadow Lotus  3,2  - / heart1")
    fight(game, {"J-2": "weapon"})
    play(game, "J-2", "weapon", LOTUS)
    settled = told(game, events.AttackResolved)[0]
    assert (settled.column, settled.needs) == ("helpless", 4)
    assert where(game, LOTUS) == "dead"


def test_no_die_where_nothing_can_hit() -> None:
    """2.6: a defence that stops an attack altogether needs no roll."""
    game = duel("J-8", dice=())
    fight(game, {DREAM: "fist", "J-8": "mist"})
    play(game, DREAM, "fist", "J-8")
    c(game, PlayCounter("J-8", "mist"))
    assert told(game, events.AttackResolved)[0].die is None


# Alternating play (5.4, R17, R18)


def test_play_alternates() -> None:
    """5.4: each player plays one counter in turn; an attack open is answered before it is rolled."""
    game = duel(dice=(6, 6))
    fight(game, {DREAM: "fist kick", "J-1": "kick kick"})
    play(game, DREAM, "fist", "J-1")
    assert asked(game) == C
    assert told(game, events.AttackResolved) == []
    assert_refused(game, T, PlayCounter(DREAM, "kick"), "5.4", "CloneMaster player's turn")
    play(game, "J-1", "kick", DREAM)
    assert asked(game) == T
    assert len(told(game, events.AttackResolved)) == 1


def test_a_defence_played_first_has_no_effect() -> None:
    """5.4: a defensive counter led does nothing and the turn passes."""
    game = duel(dice=(4,))
    fight(game, {DREAM: "soul", "J-1": "kick"})
    t(game, PlayCounter(DREAM, "soul"))
    assert (kind(game), asked(game)) == ("play-counter", C)
    play(game, "J-1", "kick", DREAM)
    # The soul is spent: the kick is rolled in the Inactive column.
    assert told(game, events.AttackResolved)[0].column == "inactive"


def test_the_target_is_named_after_the_attack_replied_to() -> None:
    """R17, 5.4 note: a reply's target is asked only when the attack it answered is settled."""
    game = duel(dice=(1,))
    fight(game, {DREAM: "fist", "J-1": "kick"})
    play(game, DREAM, "fist", "J-1")
    c(game, PlayCounter("J-1", "kick"))
    assert kind(game) == "lose-ability"
    lose(game, "heart")
    assert kind(game) == "name-target"
    view = game.view("public")
    assert view.fight is not None
    assert view.fight.unnamed == ("J-1", "kick")
    assert_refused(game, C, NameTarget("J-1"), "5.4", "own side")
    assert_refused(game, T, NameTarget(DREAM), "5.4", "CloneMaster player's turn")


def test_a_reply_without_a_target_still_guards() -> None:
    """R17: a reply with no legal target sets the column; only its own attack is void."""
    game = match(open_room(5, 1), "Rising Dream  0,0  fist1 heart1\nJ-7  2,0", phase="combat-1", dice=(4,))
    fight(game, {DREAM: "fist", "J-7": "weapon"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    t(game, PlayCounter(DREAM, "fist"))
    settled = told(game, events.AttackResolved)[0]
    assert (settled.column, settled.needs, settled.hit) == ("fist", 3, False)
    void = told(game, events.AttackVoid)[0]
    assert (void.figure, void.rule) == (DREAM, "R17")


def test_a_counter_must_be_played() -> None:
    """R18, 5.4: while both have counters one must be played, useless or not; nobody just stops."""
    game = duel(dice=(6,) * 4)
    fight(game, {DREAM: "soul soul", "J-1": "kick kick"})
    assert_refused(game, T, Stop(), "R18", "must play one")
    assert_refused(game, T, Discard(DREAM, "soul"), "R18", "may still do something")
    assert offered(game, T, PlayCounter) == list(decision(game, T).options)


def test_only_counters_in_hand() -> None:
    """5.4: only counters chosen and not yet played, of own figures."""
    game = duel()
    fight(game, {DREAM: "fist", "J-1": "kick"})
    assert_refused(game, T, PlayCounter(DREAM, "kick"), "5.4", "holds no Lightning Foot")
    assert_refused(game, T, PlayCounter(DREAM, "heart"), "5.4", "holds no Mountain Heart")
    assert_refused(game, T, PlayCounter("J-1", "kick"), "5.4", "not yours")
    assert_refused(game, T, Discard(DREAM, "kick"), "5.4", "holds no Lightning Foot")
    assert_refused(game, T, Done(), "5.4", "turn to play")
    assert_refused(game, T, PlayCounter("Nobody", "kick"), "5.4", "no figure called")


def test_an_attack_with_nobody_to_strike_is_discardable() -> None:
    """R18: an attack counter that could strike no member, door or equipment may be put aside unseen."""
    game = match(open_room(5, 1), "Rising Dream  0,0\nJ-7  2,0", phase="combat-1", dice=(6,))
    fight(game, {DREAM: "fist soul", "J-7": "weapon kick"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    t(game, PlayCounter(DREAM, "soul"))
    # J-7 is two squares away: no hand-to-hand attack is possible on either side.
    c(game, Discard("J-7", "kick"))
    assert [told(game, events.CounterDiscarded, viewer)[0].counter for viewer in (T, C, "public")] == [
        None,
        "kick",
        None,
    ]


def test_a_defence_that_nothing_can_threaten_is_discardable() -> None:
    """R18: a defence may be put aside when no attack on its owner can still come."""
    # Lotus fights J-1; Dream stands two squares off, linked only by a gun that does not care for Mist.
    game = match(
        open_room(6, 1),
        "Rising Dream  0,0\nArmed Technician 1  2,0\nShadow Lotus  3,0\nJ-1  4,0",
        phase="combat-1",
    )
    fight(game, {DREAM: "mist soul", LOTUS: "mist", "J-1": "kick"})
    assert_refused(game, T, Discard(LOTUS, "mist"), "R18", "may still do something")
    assert_refused(game, T, Discard(DREAM, "soul"), "R18", "may still do something")  # the gun
    t(game, Discard(DREAM, "mist"))


def test_mist_is_kept_while_untrained_attackers_are_near() -> None:
    """R18, R22: Body of Mist still guards against untrained attacks when the other hand is empty."""
    game = duel("J-1", more="Servant 1  2,0", dice=(6, 6))
    fight(game, {DREAM: "mist", "J-1": "kick"}, first=C)
    play(game, "J-1", "kick", DREAM)
    assert_refused(game, T, Discard(DREAM, "mist"), "R18", "may still do something")


def test_a_defence_is_kept_for_the_attack_now_open() -> None:
    """R18: the target's own defence is no discard while the attack on it waits, the last one too."""
    game = duel("J-8", dice=())
    fight(game, {DREAM: "fist", "J-8": "mist"})
    play(game, DREAM, "fist", "J-8")
    assert_refused(game, C, Discard("J-8", "mist"), "R18", "may still do something")


def test_mist_alone_is_kept_for_untrained_attackers() -> None:
    """R18, R22: with no warrior near but a servant, Mist may still help and Monkey Soul may not."""
    game = match(
        open_room(5, 1), "Rising Dream  0,0\nServant 1  1,0\nShadow Lotus  2,0\nJ-1  3,0", phase="combat-1"
    )
    fight(game, {DREAM: "mist soul", "J-1": "kick"})
    assert_refused(game, T, Discard(DREAM, "mist"), "R18", "may still do something")
    t(game, Discard(DREAM, "soul"))


def test_spikes_that_will_not_fly_threaten_nobody() -> None:
    """R18, R19: once the CloneMaster player has said no, spikes from afar cannot come any more."""
    game = match(
        open_room(6, 2), "Rising Dream  0,0\nJ-7  2,0\nServant 1  0,1\nTechnician 1  1,1", phase="combat-1"
    )
    fight(game, {DREAM: "soul fist", "J-7": "weapon"}, throw=False)
    t(game, Discard(DREAM, "soul"))


def test_the_last_attack_is_answered() -> None:
    """R18: the last attack of a player whose hand is now empty is answered, if the other has a counter."""
    game = duel(dice=(6, 6))
    fight(game, {DREAM: "fist", "J-1": "kick"})
    play(game, DREAM, "fist", "J-1")
    assert_refused(game, C, Stop(), "R18", "must play")
    play(game, "J-1", "kick", DREAM)
    assert [event.column for event in told(game, events.AttackResolved)] == ["kick", "inactive"]


def test_the_last_attack_is_answered_with_a_useless_counter_too() -> None:
    """R18: the compulsory answer may be a counter of another figure that guards nobody."""
    game = duel("J-1", dice=(4,), more="J-8  2,0")
    fight(game, {DREAM: "fist", "J-8": "mist"})
    play(game, DREAM, "fist", "J-1")
    assert offered(game, C, PlayCounter) == [PlayCounter("J-8", "mist")]
    assert offered(game, C, Stop) == []


def test_alone_with_attacks_one_by_one_or_stop() -> None:
    """R18, 5.4: with the other hand empty the rest may be played one by one, or not."""
    game = duel(dice=(6, 6))
    fight(game, {DREAM: "fist kick soul"})
    assert_refused(game, T, PlayCounter(DREAM, "soul"), "R18", "only attacks")
    play(game, DREAM, "fist", "J-1")
    assert told(game, events.AttackResolved)[0].column == "inactive"
    assert set(decision(game, T).options) == {PlayCounter(DREAM, "kick"), Stop()}
    t(game, Stop())
    assert told(game, events.Stopped)[0].side == T
    assert len(told(game, events.CombatEnded)) == 1


@pytest.mark.parametrize("first", [T, C])
def test_the_clonemaster_plays_out_his_hand_too(first: str) -> None:
    """5.4: when the Terminators' hand is empty the CloneMaster player plays his remaining attacks."""
    game = duel(dice=(6, 6, 6))
    fight(game, {DREAM: "fist", "J-1": "kick kick"}, first=first)
    if first == T:
        play(game, DREAM, "fist", "J-1")
        play(game, "J-1", "kick", DREAM)
    else:
        play(game, "J-1", "kick", DREAM)
        play(game, DREAM, "fist", "J-1")
        assert set(decision(game, C).options) == {PlayCounter("J-1", "kick")}  # an answer, not a choice
        play(game, "J-1", "kick", DREAM)
        assert len(told(game, events.CombatEnded)) == 1
        return
    assert set(decision(game, C).options) == {PlayCounter("J-1", "kick"), Stop()}
    play(game, "J-1", "kick", DREAM)
    assert [event.column for event in told(game, events.AttackResolved)] == ["kick", "inactive", "inactive"]


def test_all_attacks_of_several_figures_against_an_empty_hand() -> None:
    """5.4: the player with counters left plays those of all his figures."""
    game = duel("J-1", dice=(6,) * 4, more="Shadow Lotus  4,1")
    fight(game, {DREAM: "fist", LOTUS: "fist kick"})
    play(game, LOTUS, "kick", "J-1")
    play(game, DREAM, "fist", "J-1")
    play(game, LOTUS, "fist", "J-1")
    assert len(told(game, events.AttackResolved)) == 3


# Spikes (R19)

THROW = "Rising Dream  0,0  fist2 kick1 mist1 soul2 heart1\nJ-7  2,0"


def thrower(figures: str = THROW, dice: tuple[int, ...] = ()) -> RaidMatch:
    """Return a Terminator with a spikes Jelly two squares away, at the beginning of Combat I."""
    return match(open_room(5, 3), figures, phase="combat-1", dice=dice)


def test_spikes_make_the_clonemaster_first() -> None:
    """5.4, R19: after all have chosen he says whether he throws; yes makes him first, with a throw."""
    game = thrower()
    begin_fight(game, {DREAM: "fist soul", "J-7": "weapon kick"})
    assert kind(game) == "throw-spikes"
    assert_refused(game, T, Begin(T), "5.4", "CloneMaster player's turn")
    assert_refused(game, C, PlayCounter("J-7", "weapon"), "R19", "whether throwing spikes")
    c(game, Throw(True))
    assert (kind(game), asked(game)) == ("play-counter", C)
    assert_refused(game, C, PlayCounter("J-7", "kick"), "R19", "throw first")
    assert_refused(game, C, Discard("J-7", "kick"), "R18", "not put aside")
    play(game, "J-7", "weapon", DREAM)


def test_without_a_throw_the_terminator_says_who_begins() -> None:
    """R19: if he does not throw, the Terminator player chooses, and no spikes fly in this combat."""
    game = thrower(dice=(6,) * 4)
    begin_fight(game, {DREAM: "fist soul", "J-7": "weapon"})
    c(game, Throw(False))
    assert kind(game) == "who-begins"
    t(game, Begin(C))
    assert offered(game, C, NameTarget) == []
    c(game, PlayCounter("J-7", "weapon"))
    assert told(game, events.AttackVoid)[0].figure == "J-7"


def test_he_is_asked_even_without_a_spikes_counter() -> None:
    """R19: the question comes whenever a conscious spikes Jelly is in the combat, and tells nothing."""
    game = thrower("Rising Dream  1,0\nJ-7  2,0")
    begin_fight(game, {DREAM: "fist", "J-7": "kick"})
    assert kind(game) == "throw-spikes"
    assert offered(game, C, Throw) == [Throw(False)]
    assert_refused(game, C, Throw(True), "R19", "no spikes counter")


def test_not_asked_without_a_conscious_spikes_jelly() -> None:
    """R19: no such Jelly awake, no question."""
    game = thrower("Rising Dream  1,0\nJ-1  2,0\nJ-12  1,1  - / fist1 kick1 weapon1 heart1")
    begin_fight(game, {DREAM: "fist", "J-1": "kick"})
    assert kind(game) == "who-begins"


@pytest.mark.parametrize("reply", ["fist", "kick", "mist", "soul"])
@pytest.mark.parametrize("die", [3, 4])
def test_spikes_hit_on_one_to_three_whatever_the_reply(reply: str, die: int) -> None:
    """R19, 2.6: the table prints one entry for the whole row."""
    game = thrower(dice=(die,))
    fight(game, {DREAM: reply, "J-7": "weapon"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    t(game, PlayCounter(DREAM, reply))
    settled = told(game, events.AttackResolved)[0]
    assert (settled.needs, settled.hit, settled.rule) == (3, die == 3, "R19")


def test_spikes_against_the_helpless() -> None:
    """R19: on an unconscious Terminator too they hit on 1-3."""
    game = thrower("Rising Dream  0,0  - / heart1\nJ-7  2,0\nShadow Lotus  2,2", dice=(4,))
    fight(game, {"J-7": "weapon"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    settled = told(game, events.AttackResolved)[0]
    assert (settled.column, settled.needs, settled.hit) == ("helpless", 3, False)


def test_several_throwers_in_a_row() -> None:
    """R19: spikes may be thrown while every counter the CloneMaster player has played was one."""
    game = thrower("Rising Dream  0,0  soul3\nJ-7  2,0\nJ-12  0,2\nJ-1  1,1", dice=(6,) * 5)
    fight(game, {DREAM: "soul soul soul", "J-7": "weapon", "J-12": "weapon", "J-1": "kick"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    t(game, PlayCounter(DREAM, "soul"))
    play(game, "J-12", "weapon", DREAM)
    assert len(told(game, events.TargetNamed)) == 2


def test_no_throw_after_another_counter() -> None:
    """R19: after another counter a spikes counter flies no more; as a reply it guards nobody."""
    game = thrower("Rising Dream  0,0  fist1 soul2\nJ-7  2,0\nJ-12  0,1\nJ-1  1,1", dice=(6, 6, 4))
    fight(game, {DREAM: "fist soul soul", "J-7": "weapon", "J-12": "weapon", "J-1": "kick"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    t(game, PlayCounter(DREAM, "soul"))
    play(game, "J-1", "kick", DREAM)
    play(game, DREAM, "fist", "J-12")
    c(game, PlayCounter("J-12", "weapon"))
    settled = told(game, events.AttackResolved)[-1]
    assert (settled.target, settled.column, settled.needs) == ("J-12", "inactive", 4)
    if kind(game) == "lose-ability":
        lose(game, "heart")
    assert told(game, events.AttackVoid)[-1].figure == "J-12"


def test_spikes_in_reply_to_nothing_but_spikes() -> None:
    """R19: a throw in reply sets the Inactive column and still flies, if only spikes were played before."""
    game = thrower("Rising Dream  0,0  fist2 soul1\nJ-7  2,0\nJ-12  0,1", dice=(6, 5, 6))
    fight(game, {DREAM: "fist fist soul", "J-7": "weapon", "J-12": "weapon"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    play(game, DREAM, "fist", "J-12")
    c(game, PlayCounter("J-12", "weapon"))
    assert told(game, events.AttackResolved)[-1].column == "inactive"
    c(game, NameTarget(DREAM))
    assert asked(game) == T


def test_a_spikes_jellys_weapon_is_a_throw_next_to_its_target_too() -> None:
    """R19: also at adjacent squares, with 1-3 to hit."""
    game = thrower("Rising Dream  1,0  soul2\nJ-7  2,0", dice=(3,))
    fight(game, {DREAM: "soul", "J-7": "weapon"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    t(game, PlayCounter(DREAM, "soul"))
    assert told(game, events.AttackResolved)[0].needs == 3


def test_a_throw_does_not_reach_beyond() -> None:
    """R19, 5.1: thrown spikes reach missile distance only."""
    game = thrower("J-7  0,0\nRising Dream  2,0\nShadow Lotus  3,0\nJ-1  2,1", dice=(6,) * 3)
    fight(game, {DREAM: "soul", "J-7": "weapon", LOTUS: "soul"}, throw=True)
    c(game, PlayCounter("J-7", "weapon"))
    assert_refused(game, C, NameTarget(LOTUS), "5.1", "out of reach")


# R21, R24


def test_a_lost_ability_takes_away_no_counter() -> None:
    """R21: a counter chosen may be played although its ability was lost in this combat."""
    game = duel("J-1", levels="kick2", dice=(1, 1))
    fight(game, {DREAM: "kick kick", "J-1": "kick"}, first=C)
    play(game, "J-1", "kick", DREAM)
    t(game, PlayCounter(DREAM, "kick"))
    lose(game, "kick")
    t(game, NameTarget("J-1"))
    lose(game, "heart")
    assert offered(game, T, PlayCounter) == [PlayCounter(DREAM, "kick")]


def test_a_reply_that_falls_with_its_owner() -> None:
    """R21, 5.62: the reply of a figure that falls sets the column, then strikes nobody; the other leads."""
    game = match(
        open_room(7, 3),
        f"Rising Dream  2,1  {STRONG}\nJ-1  3,1  kick1 / kick2 heart1\nJ-3  2,0",
        phase="combat-1",
        dice=(3, 6, 6),
    )
    fight(game, {DREAM: "fist kick", "J-1": "kick", "J-3": "kick"})
    play(game, DREAM, "fist", "J-1")
    c(game, PlayCounter("J-1", "kick"))
    assert told(game, events.AttackResolved)[0].column == "kick"
    lose(game, "kick")
    assert told(game, events.FellUnconscious)[0].figure == "J-1"
    void = told(game, events.AttackVoid)[0]
    assert (void.figure, void.rule) == ("J-1", "5.62")
    assert (kind(game), asked(game)) == ("play-counter", T)
    view = game.view("public")
    assert view.fight is not None
    assert view.fight.open_attack is None


def test_unconsciousness_takes_all_counters() -> None:
    """R21, 5.62: the counters of a figure that falls are lost; an empty hand is announced."""
    game = match(
        open_room(7, 3),
        f"Rising Dream  2,1  {STRONG}\nJ-1  3,1  kick2 / kick2 heart1\nJ-5  6,2",
        phase="combat-1",
        dice=(1, 1, 1),
    )
    fight(game, {DREAM: "fist kick kick", "J-1": "kick kick"})
    play(game, DREAM, "fist", "J-1")
    play(game, "J-1", "kick", DREAM, lost="kick")
    t(game, PlayCounter(DREAM, "kick"))  # the Jelly's kick is settled on it
    lose(game, "heart")
    t(game, NameTarget("J-1"))
    # J-1 has one kick left to reply with; its last level goes and the reply is void.
    c(game, PlayCounter("J-1", "kick"))
    lose(game, "kick")
    assert [event.side for event in told(game, events.HandEmpty)] == [C]
    assert seen(game, "J-1").is_conscious is False


def test_a_counter_in_hand_falls_with_its_owner() -> None:
    """R21, 5.62: what a figure still held when it fell is gone, and the others play on without it."""
    game = match(
        open_room(7, 3),
        "Rising Dream  2,1\nJ-1  3,1  kick1 / kick2 heart1\nJ-3  2,0",
        phase="combat-1",
        dice=(4, 6, 6),
    )
    fight(game, {DREAM: "fist kick", "J-1": "kick", "J-3": "kick mist"})
    play(game, DREAM, "fist", "J-1")
    play(game, "J-3", "kick", DREAM, lost="kick")
    view = game.view(C)
    assert view.fight is not None
    assert view.fight.hand == {"J-1": (), "J-3": ("mist",)}
    play(game, DREAM, "kick", "J-3")
    assert offered(game, C, PlayCounter) == [PlayCounter("J-3", "mist")]


def test_the_owner_chooses_what_is_lost_and_the_other_learns_only_that() -> None:
    """R24, 5.5: the owner picks any ability he has; nobody else is told which."""
    game = duel("J-4", dice=(1,))
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", "J-4")
    assert (kind(game), asked(game)) == ("lose-ability", C)
    assert set(offered(game, C, LoseAbility)) == {
        LoseAbility("J-4", word) for word in ("fist", "soul", "weapon")
    }
    assert_refused(game, C, LoseAbility("J-4", "kick"), "5.5", "has no Lightning Foot")
    assert_refused(game, C, LoseAbility("J-4", "luck"), "5.5", "not one of")
    assert_refused(game, T, LoseAbility("J-4", "fist"), "5.5", "waits for an injury")
    assert_refused(game, C, PlayCounter("J-4", "fist"), "5.5", "waits for an injury")
    c(game, LoseAbility("J-4", "soul"))
    assert levels(game, "J-4") == {"fist": 1, "weapon": 1}
    assert [told(game, events.Injured, viewer)[0].ability for viewer in (T, C, "public")] == [
        None,
        "soul",
        None,
    ]
    other = game.view(T).figure("J-4")
    assert (other.levels, other.lost) == (None, 1)


def test_only_the_figure_hit_takes_the_injury() -> None:
    """5.5: the injury is not passed to another figure."""
    game = duel("J-4", dice=(1,), more="J-1  2,0")
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", "J-4")
    assert_refused(game, C, LoseAbility("J-1", "kick"), "5.5", "it is J-4 who was hit")


@pytest.mark.parametrize("choice", [Stop(), Throw(True), Begin(T), Fight(0)])
def test_play_knows_only_counters(choice: Choice) -> None:
    """5.4: on his turn a player plays a counter."""
    game = duel()
    fight(game, {DREAM: "fist", "J-1": "kick"})
    found = game.why(T, choice)
    assert found is not None
    assert found.rule == ("R18" if choice == Stop() else "5.4")


def test_ends_when_both_hands_are_empty() -> None:
    """5.4: with all counters used and nobody else involved the combat is over."""
    game = duel(dice=(6, 6))
    fight(game, {DREAM: "fist", "J-1": "kick"})
    play(game, DREAM, "fist", "J-1")
    play(game, "J-1", "kick", DREAM)
    assert len(told(game, events.CombatEnded)) == 1
    assert game.view("public").fight is None


def test_equipment_in_reach_keeps_an_attack_from_the_discards() -> None:
    """R18: an attack that could strike equipment is not discardable."""
    game = match(
        plan("AAAA", equipment="computer 0,0 W"), "Rising Dream  0,0\nJ-7  2,0", phase="combat-1", dice=(6,)
    )
    fight(game, {DREAM: "fist", "J-7": "weapon"}, throw=True)
    play(game, "J-7", "weapon", DREAM)
    assert_refused(game, T, Discard(DREAM, "fist"), "R18", "may still do something")
    play(game, DREAM, "fist", "computer 0,0")
