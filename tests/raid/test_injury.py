"""5.5, 5.62, R21, R24, R28: what a hit does, unconsciousness, and who leaves play."""

import pytest

from engine.raid import events
from engine.raid.choices import Fight, LoseAbility, PlayCounter, Shoot
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    asked,
    c,
    destinations,
    fight,
    go_to,
    kind,
    levels,
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

BOARD = open_room(7, 3)


def combat(figures: str, *dice: int) -> RaidMatch:
    """Return a position at the beginning of Combat I."""
    return match(BOARD, figures, phase="combat-1", dice=dice)


def strike(game: RaidMatch, target: str) -> None:
    """Let Rising Dream strike a target with the one counter of the combat."""
    fight(game, {DREAM: "fist"})
    play(game, DREAM, "fist", target)


def test_a_warrior_loses_one_level() -> None:
    """5.5: each injury costs a Terminator or Jelly one level, no more."""
    game = combat("Rising Dream  2,1\nJ-5  3,1", 1)
    strike(game, "J-5")
    lose(game, "fist")
    assert levels(game, "J-5") == {"fist": 1, "heart": 1}
    assert seen(game, "J-5").lost == 1
    assert seen(game, "J-5").is_conscious


@pytest.mark.parametrize("name", ["Servant 1", "Technician 1", "Armed Technician 1", "CloneMaster"])
def test_others_die_of_one_injury(name: str) -> None:
    """5.5: every other figure is removed by a single injury."""
    game = combat(f"Rising Dream  2,1\n{name}  3,1", 1)
    strike(game, name)
    assert where(game, name) == "dead"
    assert told(game, events.Killed)[0].figure == name


def test_the_owner_of_a_terminator_chooses() -> None:
    """R24: a Terminator's owner marks where the injury goes; the other side learns only that."""
    game = combat("Rising Dream  2,1  fist2 heart1\nArmed Technician 1  4,1\nJ-1  5,1", 1)
    game.submit(T, Fight(0))
    while kind(game) == "choose-counters":
        game.submit(asked(game), game.decision(asked(game)).options[-1])  # type: ignore[union-attr]
    c(game, Shoot("Armed Technician 1", DREAM))
    assert set(offered(game, T, LoseAbility)) == {LoseAbility(DREAM, "fist"), LoseAbility(DREAM, "heart")}
    lose(game, "fist")
    assert levels(game, DREAM) == {"fist": 1, "heart": 1}
    assert told(game, events.Injured, C)[0].ability is None
    assert game.view(C).figure(DREAM).levels is None
    assert game.view(C).figure(DREAM).lost == 1


def test_the_last_level_lost_makes_unconscious() -> None:
    """5.5: with all abilities lost the figure falls unconscious where it stands."""
    game = combat("Rising Dream  2,1\nJ-1  3,1  kick1 / kick2 heart1", 1)
    strike(game, "J-1")
    assert kind(game) == "lose-ability"  # asked though only one is left, so that it tells nothing
    lose(game, "kick")
    assert told(game, events.FellUnconscious)[0].figure == "J-1"
    assert not seen(game, "J-1").is_conscious
    assert where(game, "J-1") == (3, 1)


def test_one_more_injury_kills() -> None:
    """5.5: one further injury to an unconscious Jelly or Terminator kills it."""
    game = combat("Rising Dream  2,1\nJ-1  3,1  - / kick2 heart1", 1)
    strike(game, "J-1")
    assert where(game, "J-1") == "dead"
    game = combat("Rising Dream  2,1  - / fist1 heart1\nShadow Lotus  6,2\nJ-1  3,1", 1)
    fight(game, {"J-1": "kick"})
    play(game, "J-1", "kick", DREAM)
    assert where(game, DREAM) == "dead"


def test_several_blows_in_one_combat() -> None:
    """5.5, 5.62: knocked out and then killed in the same combat."""
    game = combat("Rising Dream  2,1  fist3\nJ-1  3,1  kick1 / kick2 heart1", 1, 5)
    fight(game, {DREAM: "fist fist fist"})
    play(game, DREAM, "fist", "J-1", lost="kick")
    play(game, DREAM, "fist", "J-1")
    assert told(game, events.AttackResolved)[1].column == "helpless"
    assert where(game, "J-1") == "dead"


def test_attack_not_yet_rolled_does_not_occur() -> None:
    """5.62: a figure that falls has its attack in the making cancelled; earlier attacks stand."""
    game = combat("Rising Dream  2,1  fist1 / fist1 heart1\nJ-1  3,1\nJ-5  2,2\nShadow Lotus  6,2", 4, 3)
    fight(game, {DREAM: "fist", "J-1": "kick kick", "J-5": "fist"}, first=C)
    play(game, "J-1", "kick", DREAM)
    t(game, PlayCounter(DREAM, "fist"))  # the kick needs 3 against a fist: 4 misses
    t(game, game.decision(T).options[0])  # type: ignore[union-attr]
    c(game, PlayCounter("J-5", "fist"))
    assert told(game, events.AttackResolved)[1].figure == DREAM


def test_a_jelly_without_mountain_heart_leaves_play() -> None:
    """5.62, R28: a Jelly whose original Mountain Heart is 0 leaves play when it falls."""
    game = combat("Rising Dream  2,1\nJ-7  3,1  fist1 / fist1 kick1 weapon1", 1)
    strike(game, "J-7")
    lose(game, "fist")
    assert where(game, "J-7") == "dead"
    killed = told(game, events.Killed)[0]
    assert (killed.figure, killed.rule) == ("J-7", "R28")


def test_a_jelly_that_had_mountain_heart_stays() -> None:
    """R28: what counts is the original level, also when it is lost by now."""
    game = combat("Rising Dream  2,1\nJ-1  3,1  kick1 / kick2 heart1", 1)
    strike(game, "J-1")
    lose(game, "kick")
    assert where(game, "J-1") == (3, 1)
    assert not told(game, events.Killed)


def test_a_jelly_that_leaves_takes_its_counters_along() -> None:
    """R28, R21: its counters are gone and its reply is void; the combat goes on."""
    game = combat("Rising Dream  2,1  fist1 kick1\nJ-7  3,1  kick1 / fist1 kick1 weapon1\nJ-1  2,0", 3, 6, 6)
    fight(game, {DREAM: "fist kick", "J-7": "kick", "J-1": "kick"})
    play(game, DREAM, "fist", "J-7")
    c(game, PlayCounter("J-7", "kick"))
    lose(game, "kick")
    assert where(game, "J-7") == "dead"
    assert asked(game) == T
    play(game, DREAM, "kick", "J-1")
    play(game, "J-1", "kick", DREAM)
    assert len(told(game, events.CombatEnded)) == 1


def test_a_dead_jellys_square_is_free() -> None:
    """R28, 4.6: the square of one that left play is free."""
    game = combat("Rising Dream  2,1\nJ-7  3,1  fist1 / fist1 kick1 weapon1\nServant 1  5,1", 1)
    strike(game, "J-7")
    lose(game, "fist")
    go_to(game, "terminator-move-2")
    assert (3, 1) in destinations(game, DREAM)


def test_unconscious_figures_choose_no_counters() -> None:
    """5.5: an unconscious figure has no part in the play of counters."""
    game = combat("Rising Dream  2,1  - / fist1 heart1\nShadow Lotus  2,0\nJ-1  3,1")
    game.submit(T, Fight(0))
    assert game.decision(T).options.groups == (LOTUS,)  # type: ignore[union-attr]
