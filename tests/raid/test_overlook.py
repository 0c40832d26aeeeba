"""5.9, 4.42, R4: the Overlook and Central, a drop-off between them, and rooms that do not see each other."""

import pytest

from engine.raid import events
from engine.raid.choices import NameTarget, PlayCounter, Throw
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    assert_refused,
    begin_fight,
    c,
    kind,
    match,
    offered,
    plan,
    t,
    told,
)

EDGES = "; ".join(f"dropoff 1,{y} E" for y in range(3))
BOARD = plan("CCOO\nCCOO\nCCOO", edges=EDGES)


def combats(figures: str) -> tuple[tuple[str, ...], ...]:
    """Return the combats of a position beside the drop-off."""
    return told(match(BOARD, figures, phase="combat-1"), events.CombatsFound)[0].combats


@pytest.mark.parametrize("square", ["2,0", "2,1", "2,2"])
@pytest.mark.parametrize("name", ["J-1", "Servant 1", "Technician 1"])
def test_no_hand_to_hand_across_the_drop_off(square: str, name: str) -> None:
    """5.9, R4: neither hand-to-hand nor untrained attacks cross it, straight or diagonally, either way."""
    assert combats(f"Rising Dream  1,1\n{name}  {square}") == ()
    assert combats(f"{name}  1,1\nRising Dream  {square}") == ()


@pytest.mark.parametrize("square", ["2,0", "2,1", "2,2", "3,1"])
@pytest.mark.parametrize("name", ["Armed Technician 1", "CloneMaster", "J-7"])
def test_missiles_cross_it(square: str, name: str) -> None:
    """5.9, R4: guns and spikes cross it both ways."""
    assert combats(f"Rising Dream  1,1\n{name}  {square}") == ((DREAM, name),)
    assert combats(f"{name}  1,1\nRising Dream  {square}") == ((DREAM, name),)


def test_hand_to_hand_on_one_side() -> None:
    """5.9: on one side of the drop-off everything is as usual."""
    assert combats("Rising Dream  1,1\nJ-1  1,0") == ((DREAM, "J-1"),)


def test_an_answer_does_not_cross_either() -> None:
    """R4, R17: struck by spikes from the Overlook, a Terminator in Central strikes nobody back."""
    game = match(
        BOARD, "Rising Dream  1,1\nJ-7  2,1\nShadow Lotus  3,1\nJ-1  3,2", phase="combat-1", dice=(6,) * 4
    )
    begin_fight(game, {DREAM: "fist", "J-7": "weapon fist"})
    c(game, Throw(True), PlayCounter("J-7", "weapon"), NameTarget(DREAM))
    t(game, PlayCounter(DREAM, "fist"))
    assert told(game, events.AttackVoid)[0].figure == DREAM
    if kind(game) == "play-counter":
        c(game, PlayCounter("J-7", "fist"))
        assert {choice.target for choice in offered(game, C, NameTarget)} == {LOTUS}  # type: ignore[attr-defined]
        assert_refused(game, C, NameTarget(DREAM), "5.1", "out of reach")


def test_the_citadels_drop_off() -> None:
    """2.1, 5.9: on the citadel Central and the Overlook Corridor are parted so."""
    game = match("citadel", "Rising Dream  15,10\nJ-1  16,10", phase="combat-1")
    assert told(game, events.CombatsFound)[0].combats == ()
    game = match("citadel", "Rising Dream  15,10\nArmed Technician 1  17,10", phase="combat-1")
    assert told(game, events.CombatsFound)[0].combats == ((DREAM, "Armed Technician 1"),)


def test_pairs_of_rooms_without_a_sight_line() -> None:
    """5.9, R4: a map's pairs of rooms see nothing of each other, whatever doors are open."""
    figures = "Rising Dream  0,0\nArmed Technician 1  2,0"
    seen = plan("AAB", edges="door 1,0 E")
    game = match(seen, figures, phase="combat-1")
    assert told(game, events.CombatsFound)[0].combats == ((DREAM, "Armed Technician 1"),)
    unseen = plan("AAB", edges="door 1,0 E", sight="Room A | Room B")
    game = match(unseen, figures, phase="combat-1")
    assert told(game, events.CombatsFound)[0].combats == ()


def test_central_and_the_upper_main_corridor() -> None:
    """5.9, R4: the citadel names Central and the Upper Main Corridor as such a pair, either way."""
    board = match("citadel", "Rising Dream  off").board
    door = 1 << next(number for number, door in enumerate(board.armored) if (door.x, door.y) == (17, 9))
    central, corridor = board.plan.square(15, 9), board.plan.square(18, 9)
    overlook = board.plan.square(17, 9)
    assert board.sees(overlook, corridor, door)
    assert board.sees(central, overlook, door)
    assert not board.sees(central, corridor, door)
    assert not board.sees(corridor, central, door)
