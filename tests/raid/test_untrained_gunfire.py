"""5.4, R22, R23: untrained attacks and gunfire, the last parts of a combat."""

import pytest

from engine.core.decision import Choice
from engine.raid import events
from engine.raid.choices import (
    ChooseCounters,
    Done,
    PlayCounter,
    PlayMist,
    PlaySoul,
    Shoot,
    Stop,
    UntrainedAttack,
)
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    asked,
    assert_refused,
    begin_fight,
    c,
    fight,
    go_to,
    go_until,
    idle,
    kind,
    lose,
    match,
    offered,
    open_room,
    play,
    seen,
    t,
    told,
    where,
)

S1, S2, S3, TECH = "Servant 1", "Servant 2", "Servant 3", "Technician 1"
GUN1, GUN2 = "Armed Technician 1", "Armed Technician 2"


def combat(figures: str, dice: tuple[int, ...] = (), phase: str = "combat-1") -> RaidMatch:
    """Return a position in an open room at the beginning of a combat phase."""
    return match(open_room(7, 5), figures, phase=phase, dice=dice)


def done(game: RaidMatch) -> None:
    """Say that nothing more is declared or shown at this step, where it is still asked."""
    game.submit(asked(game), Done())


def hold(game: RaidMatch, hands: dict[str, str]) -> None:
    """Begin a combat in which the Terminators keep their counters, alone in having any (R18)."""
    fight(game, hands)
    t(game, Stop())


# Untrained attacks

MOB = f"Rising Dream  2,2\n{S1}  1,2\n{S2}  3,2\n{TECH}  2,1\nCloneMaster  6,4"


def test_they_come_after_all_attack_counters() -> None:
    """5.4: untrained attacks are made when the counters have been played."""
    game = combat(f"{MOB}\nJ-1  2,3", dice=(6,) * 4)
    fight(game, {DREAM: "fist", "J-1": "kick"})
    assert_refused(game, C, UntrainedAttack(S1, DREAM), "5.4", "Terminator player's turn")
    play(game, DREAM, "fist", "J-1")
    play(game, "J-1", "kick", DREAM)
    assert kind(game) == "untrained"
    assert_refused(game, T, PlayCounter(DREAM, "kick"), "5.4", "other player's part")
    assert_refused(game, C, Shoot("CloneMaster", DREAM), "5.4", "Declare untrained attacks")


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("extra", [0, 1])
def test_one_die_hits_on_the_number_of_attackers(number: int, extra: int) -> None:
    """5.4, R22: one die per Terminator, a hit on the number of attackers or less."""
    game = combat(MOB, dice=(number + extra,))
    begin_fight(game, {})
    for name in (S1, S2, TECH)[:number]:
        c(game, UntrainedAttack(name, DREAM))
    if kind(game) == "untrained":
        done(game)
    rolled = told(game, events.UntrainedRolled)
    assert len(rolled) == 1
    assert (rolled[0].needs, rolled[0].die, rolled[0].hit) == (number, number + extra, not extra)
    assert (kind(game) == "lose-ability") == (not extra)


def test_each_attacks_one_terminator_and_each_terminator_gets_his_own_die() -> None:
    """R22: at most one Terminator each; the dice go by Terminator."""
    figures = f"Rising Dream  1,2\nShadow Lotus  3,2\n{S1}  2,2\n{S2}  2,1\n{S3}  2,3"
    game = combat(figures, dice=(2, 2))
    begin_fight(game, {})
    c(game, UntrainedAttack(S1, DREAM))
    assert_refused(game, C, UntrainedAttack(S1, LOTUS), "R22", "or has attacked")
    c(game, UntrainedAttack(S2, LOTUS), UntrainedAttack(S3, LOTUS))
    rolled = told(game, events.UntrainedRolled)
    assert [(roll.target, roll.needs, roll.hit) for roll in rolled[:1]] == [(DREAM, 1, False)]
    go_until(game, "terminator-move")
    rolled = told(game, events.UntrainedRolled)
    assert [(roll.target, set(roll.figures), roll.needs, roll.hit) for roll in rolled] == [
        (DREAM, {S1}, 1, False),
        (LOTUS, {S2, S3}, 2, True),
    ]


@pytest.mark.parametrize(
    ("choice", "rule", "words"),
    [
        (UntrainedAttack(S3, DREAM), "R22", "nobody to attack"),  # two squares off
        (UntrainedAttack(GUN1, DREAM), "R22", "nobody to attack"),  # armed
        (UntrainedAttack("CloneMaster", DREAM), "R22", "nobody to attack"),
        (UntrainedAttack("J-1", DREAM), "R22", "nobody to attack"),
        (UntrainedAttack(S1, LOTUS), "R1", "out of reach"),
        (UntrainedAttack(S1, "J-1"), "R22", "not yours"),
    ],
)
def test_who_makes_untrained_attacks(choice: Choice, rule: str, words: str) -> None:
    """5.4, R22, R1: unarmed technicians and servants adjacent to a Terminator; nobody else."""
    game = combat(
        f"Rising Dream  2,2\nShadow Lotus  5,2\n{S1}  1,1\n{S3}  4,4\n{GUN1}  2,1\nJ-1  3,2\nCloneMaster  4,3"
    )
    begin_fight(game, {})
    assert kind(game) == "untrained"
    assert_refused(game, C, choice, rule, words)


def test_body_of_mist_turns_all_of_them_aside() -> None:
    """5.4, R22: a Body of Mist counter still in hand cancels all untrained attacks on its owner, no die."""
    game = combat(f"{MOB}\nJ-1  2,3", dice=())
    hold(game, {DREAM: "mist"})
    assert kind(game) == "untrained"
    for name in (S1, S2, TECH):
        c(game, UntrainedAttack(name, DREAM))
    assert kind(game) == "show-mist"
    assert_refused(game, C, Done(), "5.4", "other player's part")
    t(game, PlayMist(DREAM))
    assert told(game, events.UntrainedRolled) == []
    assert seen(game, DREAM).lost == 0
    assert told(game, events.HandEmpty)[-1].side == T


def test_mist_guards_its_owner_only() -> None:
    """R22: another Terminator's Mist does not help; nor does any other counter."""
    figures = f"Rising Dream  1,2\nShadow Lotus  3,2\n{S1}  2,2\n{S2}  4,2\nJ-1  2,1"
    game = combat(figures, dice=(6, 6))
    hold(game, {DREAM: "mist", LOTUS: "soul"})
    c(game, UntrainedAttack(S1, DREAM), UntrainedAttack(S2, LOTUS))
    assert_refused(game, T, PlayMist(LOTUS), "R22", "none in hand")
    assert_refused(game, T, PlaySoul(LOTUS), "5.4", "Body of Mist")
    t(game, PlayMist(DREAM))
    if kind(game) == "show-mist":
        done(game)
    assert [roll.target for roll in told(game, events.UntrainedRolled)] == [LOTUS]


def test_a_mist_already_played_does_not_help() -> None:
    """5.4: only a counter not yet played counts; the ability alone does not."""
    game = combat(f"{MOB}\nJ-1  2,3", dice=(4, 6))
    fight(game, {DREAM: "mist", "J-1": "kick"}, first=C)
    play(game, "J-1", "kick", DREAM)
    t(game, PlayCounter(DREAM, "mist"))
    c(game, UntrainedAttack(S1, DREAM))
    done(game)
    assert kind(game) != "show-mist"
    assert len(told(game, events.UntrainedRolled)) == 1


def test_mist_not_shown() -> None:
    """R22: the Terminator may hold it back."""
    game = combat(f"{MOB}\nJ-1  2,3", dice=(6,))
    hold(game, {DREAM: "mist"})
    c(game, UntrainedAttack(S1, DREAM))
    done(game)
    done(game)
    assert len(told(game, events.UntrainedRolled)) == 1


def test_an_unconscious_terminator_may_be_attacked() -> None:
    """R22, 5.5: conscious or not; a hit then kills."""
    game = combat(f"Rising Dream  2,2  - / heart2\nShadow Lotus  6,4\n{S1}  1,2", dice=(1,))
    begin_fight(game, {})
    c(game, UntrainedAttack(S1, DREAM))
    assert where(game, DREAM) == "dead"


def test_a_dead_servant_attacks_nobody() -> None:
    """5.4: who was removed before makes no untrained attack."""
    game = combat(f"Rising Dream  2,2\n{S1}  1,2", dice=(5,))
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", S1)
    assert where(game, S1) == "dead"
    assert told(game, events.UntrainedDeclared) == []
    assert len(told(game, events.CombatEnded)) == 1


# Gunfire

DUEL = f"Rising Dream  2,2  fist1 mist1 soul3 heart2\n{GUN1}  4,2\n{GUN2}  2,4\nCloneMaster  0,2"


@pytest.mark.parametrize(("die", "hit"), [(3, True), (4, False)])
def test_a_shot_hits_on_one_to_three(die: int, hit: bool) -> None:
    """5.4, R20: each shot hits on 1-3 whoever the target is."""
    for figure in ("Rising Dream  2,2", "Rising Dream  2,2  - / heart1\nShadow Lotus  6,4"):
        game = combat(f"{figure}\n{GUN1}  4,2", dice=(die,))
        begin_fight(game, {})
        c(game, Shoot(GUN1, DREAM))
        shot = told(game, events.ShotRolled)[0]
        assert (shot.needs, shot.hit) == (3, hit)


def test_gunfire_is_last() -> None:
    """5.4: gunfire comes after the untrained attacks and ends the combat."""
    game = combat(f"Rising Dream  2,2\n{S1}  1,2\n{GUN1}  4,2", dice=(6, 6))
    begin_fight(game, {})
    assert_refused(game, C, Shoot(GUN1, DREAM), "5.4", "Declare untrained")
    c(game, UntrainedAttack(S1, DREAM))
    assert kind(game) == "gunfire"
    assert_refused(game, C, UntrainedAttack(S1, DREAM), "5.4", "Declare shots")
    c(game, Shoot(GUN1, DREAM))
    assert len(told(game, events.CombatEnded)) == 1


def test_every_gun_may_fire_once() -> None:
    """5.4: CloneMaster and armed technicians fire one shot each."""
    game = combat(DUEL, dice=(6, 6, 6))
    begin_fight(game, {})
    c(game, Shoot(GUN1, DREAM))
    assert_refused(game, C, Shoot(GUN1, DREAM), "R23", "has fired")
    c(game, Shoot(GUN2, DREAM), Shoot("CloneMaster", DREAM))
    assert len(told(game, events.ShotRolled)) == 3


def test_all_shots_are_declared_before_any_is_dodged_or_rolled() -> None:
    """R23: declare, then Monkey Soul, then dice."""
    game = combat(f"{DUEL}\nJ-1  3,2", dice=(6, 6))
    hold(game, {DREAM: "soul"})
    c(game, Shoot(GUN1, DREAM), Shoot(GUN2, DREAM))
    assert told(game, events.ShotRolled) == []
    assert_refused(game, T, PlaySoul(DREAM), "5.4", "other player's part")
    c(game, Shoot("CloneMaster", DREAM))
    assert kind(game) == "show-soul"
    t(game, PlaySoul(DREAM))
    assert len(told(game, events.ShotRolled)) == 2


@pytest.mark.parametrize("souls", [1, 2, 3])
def test_each_monkey_soul_dodges_one_bullet(souls: int) -> None:
    """5.4, R23: each counter played cancels one shot at its owner; the others are rolled."""
    game = combat(f"{DUEL}\nJ-1  3,2", dice=(6,) * (3 - souls))
    hold(game, {DREAM: "soul " * souls})
    c(game, Shoot(GUN1, DREAM), Shoot(GUN2, DREAM), Shoot("CloneMaster", DREAM))
    for _ in range(souls):
        t(game, PlaySoul(DREAM))
    assert len(told(game, events.ShotRolled)) == 3 - souls
    assert len(told(game, events.CombatEnded)) == 1


def test_monkey_soul_may_be_held_back_and_helps_only_its_owner() -> None:
    """R23: nobody has to play it, and nobody plays it for another or against no shot."""
    game = combat(f"Rising Dream  2,2\nShadow Lotus  3,2\n{GUN1}  4,2\n{GUN2}  2,4\nJ-1  3,3", dice=(6,))
    hold(game, {DREAM: "fist mist", LOTUS: "soul"})
    c(game, Shoot(GUN2, DREAM))
    if kind(game) == "gunfire":
        done(game)
    assert_refused(game, T, PlaySoul(LOTUS), "R23", "no shot to dodge")
    assert_refused(game, T, PlaySoul(DREAM), "R23", "no Monkey Soul in hand")
    assert_refused(game, T, PlayMist(DREAM), "5.4", "Monkey Soul")
    done(game)
    assert len(told(game, events.ShotRolled)) == 1


def test_more_souls_than_shots() -> None:
    """R23: with every shot dodged no more is asked, and no die falls."""
    game = combat(f"Rising Dream  2,2  soul3\n{GUN1}  4,2\nJ-1  3,2", dice=())
    hold(game, {DREAM: "soul soul"})
    c(game, Shoot(GUN1, DREAM))
    t(game, PlaySoul(DREAM))
    if kind(game) == "show-soul":
        assert offered(game, T, PlaySoul) == []
        done(game)
    assert told(game, events.ShotRolled) == []


def test_once_a_turn_across_both_combat_phases() -> None:
    """R23, 2.552: a gun that fired in Combat I is silent in Combat II and fires again next turn."""
    game = combat(f"Rising Dream  2,2\n{GUN1}  3,2\n{GUN2}  1,2", dice=(6, 6, 6, 6))
    begin_fight(game, {})
    c(game, Shoot(GUN1, DREAM))
    done(game)
    assert seen(game, GUN1).has_fired
    go_to(game, "combat-2")
    begin_fight(game, {})
    assert kind(game) == "gunfire"
    assert_refused(game, C, Shoot(GUN1, DREAM), "R23", "has fired this turn")
    assert offered(game, C, Shoot) == [Shoot(GUN2, DREAM)]
    done(game)
    go_to(game, "combat-1", turn=2)
    begin_fight(game, {})
    assert len(offered(game, C, Shoot)) == 2


def test_a_gun_fires_once_not_once_a_combat() -> None:
    """R23: in range of two combats' Terminators, it is one combat and one shot."""
    game = combat(f"Rising Dream  0,2\n{GUN1}  2,2\nShadow Lotus  4,2", dice=(6,))
    assert len(game.view("public").combats) == 1
    begin_fight(game, {})
    c(game, Shoot(GUN1, LOTUS))
    assert kind(game) != "gunfire"


@pytest.mark.parametrize(
    ("choice", "rule", "words"),
    [
        (Shoot(S1, DREAM), "R23", "no gun"),
        (Shoot("J-7", DREAM), "R23", "no gun"),
        (Shoot(GUN1, LOTUS), "5.1", "out of range"),
        (Shoot(GUN2, DREAM), "R23", "no gun in this combat"),
        (Shoot(GUN1, S1), "R23", "not yours"),
        (ChooseCounters("J-7", ()), "5.4", "Declare shots"),
    ],
)
def test_who_may_be_shot_at_by_whom(choice: Choice, rule: str, words: str) -> None:
    """5.4, 5.1: guns of this combat at Terminators in range and sight."""
    game = combat(f"Rising Dream  1,2\nJ-7  2,3\nShadow Lotus  4,3\n{GUN1}  1,0\n{GUN2}  6,0\n{S1}  3,1")
    begin_fight(game, {})
    go_until(game, "gunfire")
    assert_refused(game, C, choice, rule, words)


def test_a_killed_gun_does_not_fire() -> None:
    """2.555: the gun of a figure killed is lost."""
    game = combat(f"Rising Dream  2,2\n{GUN1}  3,2", dice=(4,))
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", GUN1)
    assert where(game, GUN1) == "dead"
    assert told(game, events.ShotDeclared) == []
    assert len(told(game, events.CombatEnded)) == 1


def test_two_shots_knock_out_and_kill() -> None:
    """5.5: the first hit takes the last ability, the next kills; a third finds nobody."""
    game = combat(
        "Rising Dream  2,2  heart1 / fist1 heart1\nShadow Lotus  6,4\n"
        f"{GUN1}  4,2\n{GUN2}  2,4\nCloneMaster  0,2",
        dice=(1, 1),
    )
    begin_fight(game, {})
    c(game, Shoot(GUN1, DREAM), Shoot(GUN2, DREAM), Shoot("CloneMaster", DREAM))
    lose(game, "heart")
    assert where(game, DREAM) == "dead"
    assert told(game, events.AttackVoid)[0].reason == f"{DREAM} is dead already"


def test_no_shot_need_be_fired() -> None:
    """5.1: gunfire is voluntary, and a gun kept back fires in Combat II."""
    game = combat(f"Rising Dream  2,2\n{GUN1}  4,2", dice=(6,))
    begin_fight(game, {})
    done(game)
    go_to(game, "combat-2")
    begin_fight(game, {})
    c(game, Shoot(GUN1, DREAM))
    assert len(told(game, events.ShotRolled)) == 1
    while game.view("public").turn == 1:
        idle(game)


def test_asked_to_show_counters_whatever_is_in_hand() -> None:
    """R16: the question about Monkey Soul comes with any counter in hand, so that it tells nothing."""
    game = combat(f"Rising Dream  2,2\n{GUN1}  4,2\nJ-1  3,2", dice=(6,))
    hold(game, {DREAM: "mist"})
    c(game, Shoot(GUN1, DREAM))
    assert kind(game) == "show-soul"
    assert offered(game, T, PlaySoul) == []
