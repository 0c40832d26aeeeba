"""6.1, R31: when the game ends, and its four results."""

import pytest

from engine.raid import events
from engine.raid.choices import EndPhase, Exit, NameTarget, PlayCounter, Shoot
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    begin_fight,
    c,
    fight,
    idle,
    kind,
    lose,
    match,
    plan,
    play,
    t,
    told,
    where,
)

BOARD = plan(
    "AAAAAAA\nAAAAAAA",
    equipment="computer 6,0 E; computer 6,1 E",
    entries="Sewage Outlet 1  0,0  1  1  -",
)
ALL = ["computer 6,0", "computer 6,1"]


def game_of(figures: str, **more: object) -> RaidMatch:
    """Return a position in the last turn of a game."""
    return match(BOARD, figures, **{"turn": 10, **more})  # type: ignore[arg-type]


def idle_on(game: RaidMatch) -> None:
    """Let everybody idle to the end."""
    while not game.is_over:
        idle(game)


def result(game: RaidMatch) -> tuple[str, str | None]:
    """Return who won, and how much."""
    ended = told(game, events.GameEnded)
    assert len(ended) == 1
    outcome = game.view("public").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.level) == (ended[0].winner, ended[0].level)
    return outcome.winner, outcome.level


@pytest.mark.parametrize("equipment", [[], ALL])
def test_clonemaster_total_victory(equipment: list[str]) -> None:
    """6.1, R31: the CloneMaster survives, whatever became of his equipment."""
    game = game_of("Rising Dream  0,1\nCloneMaster  6,1", equipment=equipment)
    idle_on(game)
    assert result(game) == (C, "total victory")


@pytest.mark.parametrize("equipment", [[], ALL[:1]])
def test_clonemaster_victory(equipment: list[str]) -> None:
    """6.1: the CloneMaster is dead but some of his equipment survives; the Terminators are killed."""
    game = game_of("Rising Dream  0,1", equipment=equipment)
    idle_on(game)
    assert result(game) == (C, "victory")


def test_terminator_victory() -> None:
    """6.1: the CloneMaster and all his equipment are destroyed, and no Terminator escapes."""
    game = game_of("Rising Dream  0,1\nJ-1  5,0", equipment=ALL)
    idle_on(game)
    assert result(game) == (T, "victory")
    assert where(game, DREAM) == "dead"


def test_terminator_total_victory() -> None:
    """6.1: as above, and at least one Terminator escapes before the end of the last turn."""
    game = game_of("Rising Dream  0,0\nShadow Lotus  3,1\nJ-1  5,0", equipment=ALL)
    t(game, Exit(DREAM))
    assert not game.is_over
    idle_on(game)
    assert result(game) == (T, "total victory")
    assert (where(game, DREAM), where(game, LOTUS)) == ("escaped", "dead")


def test_escape_in_the_very_last_move() -> None:
    """6.1: also in Terminator Move II of the last turn."""
    game = game_of("Rising Dream  0,0\nJ-1  5,0", equipment=ALL, phase="terminator-move-2")
    t(game, Exit(DREAM))
    assert result(game) == (T, "total victory")


# R31: early ends


def test_ends_at_once_when_all_have_left_or_died() -> None:
    """R31: with no Terminator left who could act the game is over, in whatever turn and phase."""
    game = game_of("Rising Dream  0,0\nShadow Lotus  dead\nJ-1  5,0", equipment=ALL, turn=3)
    t(game, Exit(DREAM))
    assert told(game, events.GameEnded)[0].turn == 3
    assert result(game) == (T, "total victory")


def last_blow(figures: str, *dice: int) -> RaidMatch:
    """Return a game in which a gun has shot at Rising Dream in turn 3."""
    game = game_of(
        f"{figures}\nArmed Technician 1  2,1\nCloneMaster  5,1", turn=3, phase="combat-1", dice=dice
    )
    begin_fight(game, {})
    c(game, Shoot("Armed Technician 1", DREAM))
    return game


def test_killed_to_the_last() -> None:
    """R31: the last Terminator's death ends the game inside the combat."""
    game = last_blow("Rising Dream  0,1  - / fist1 heart1", 1)
    assert result(game) == (C, "total victory")
    assert told(game, events.CombatEnded) == []


def test_unconscious_without_mountain_heart_is_the_end() -> None:
    """R31: one who can neither act nor recover is no reason to go on; he is lost."""
    game = last_blow("Rising Dream  0,1  fist1", 1)
    lose(game, "fist")
    assert result(game) == (C, "total victory")
    assert where(game, DREAM) == "dead"


def test_unconscious_with_mountain_heart_may_recover() -> None:
    """R31: while one could still recover the game goes on."""
    game = last_blow("Rising Dream  0,1  fist1 / fist1 heart1", 1, 6, 6, 1, 6, 6, 6, 6, 6, 6)
    lose(game, "fist")
    assert not game.is_over
    idle_on(game)
    assert told(game, events.GameEnded)[0].turn == 10


def test_conscious_with_mountain_heart_only_goes_on() -> None:
    """R31, R27: who can only move and block can still act."""
    game = game_of("Rising Dream  0,1  heart1 / fist1 heart1\nCloneMaster  6,1", turn=3)
    t(game, EndPhase())
    assert not game.is_over


def test_one_outside_keeps_the_game_going() -> None:
    """R31: a Terminator still outside could come in."""
    game = game_of("Rising Dream  dead\nShadow Lotus  off\nCloneMaster  6,1", turn=3)
    assert kind(game) == "terminator-move"
    idle_on(game)
    assert told(game, events.GameEnded)[0].turn == 10


def test_those_who_never_entered_are_no_bar() -> None:
    """R31: who never entered has neither escaped nor spoils the CloneMaster's victory."""
    game = game_of("Rising Dream  off\nShadow Lotus  0,1\nCloneMaster  6,1")
    idle_on(game)
    assert result(game) == (C, "total victory")
    assert (where(game, DREAM), where(game, LOTUS)) == ("off", "dead")
    game = game_of("Rising Dream  off\nShadow Lotus  0,1\nJ-1  5,0", equipment=ALL)
    idle_on(game)
    assert result(game) == (T, "victory")


def test_those_in_the_building_are_killed() -> None:
    """R31: at the end everybody inside is lost, also the unconscious."""
    game = game_of("Rising Dream  3,0\nShadow Lotus  0,1  - / heart1\nCloneMaster  6,1", dice=(6, 6))
    idle_on(game)
    assert {event.figure for event in told(game, events.Killed)} == {DREAM, LOTUS}


# The last blows that decide


def test_the_last_computer_decides() -> None:
    """6.1: all of the vital equipment must be destroyed, by the end."""
    for counter in (0, 1):
        game = game_of("Rising Dream  6,0\nJ-1  0,0", equipment=ALL[1:], phase="combat-2")
        begin_fight(game, {DREAM: "kick"})
        if counter:
            t(game, PlayCounter(DREAM, "kick"), NameTarget("computer 6,0"))
        idle_on(game)
        assert result(game) == ((T, "victory") if counter else (C, "victory"))


def test_the_clonemasters_death_decides() -> None:
    """6.1: with all equipment destroyed the game turns on the CloneMaster."""
    for die, expected in ((4, (T, "victory")), (5, (C, "total victory"))):
        game = game_of("Rising Dream  3,0\nCloneMaster  4,0", equipment=ALL, phase="combat-2", dice=(die,))
        fight(game, {DREAM: "fist"})
        play(game, DREAM, "fist", "CloneMaster")
        idle_on(game)
        assert result(game) == expected


def test_secrets_are_opened_at_the_end() -> None:
    """R29, R31: when the game is over everybody may see everything; before, nobody may."""
    game = game_of("Rising Dream  0,1  fist2 heart1\nCloneMaster  6,1  down\nServant 1  5,0  down")
    with pytest.raises(ValueError, match="only when the game is over"):
        game.view("open")
    idle_on(game)
    secrets = {event.figure: event for event in told(game, events.Secret)}
    assert {"CloneMaster", "Servant 1", DREAM} <= set(secrets)
    assert secrets["Servant 1"].square == (5, 0)
    assert game.view("open").figure("Servant 1").square == (5, 0)


def test_nobody_decides_after_the_end() -> None:
    """R31: when the game is over nothing is asked and nothing may be done."""
    game = game_of("Rising Dream  0,1\nCloneMaster  6,1")
    idle_on(game)
    assert game.decisions() == ()
    refusal = game.why(T, EndPhase())
    assert refusal is not None
    assert refusal.rule == "R31"
    assert not game.can_undo(T)
