"""R29 in play: what an act must not tell, beyond what a view must not show."""

from __future__ import annotations

import pytest

from engine.raid import events
from engine.raid.choices import ChooseCounters, EndMove, Fight, Move, ReleaseCloneMaster
from engine.raid.log import describe
from tests.helpers.raid import C, T, c, match, open_room, plan, t, told

DREAM = "Rising Dream"


@pytest.mark.parametrize("hand", [("kick",), ()], ids=["some", "none"])
def test_undo_does_not_tell_whether_the_other_hand_is_empty(hand: tuple[str, ...]) -> None:
    """R16, contract 6: who chose counters last has seen how play goes on, so he cannot choose anew."""
    game = match(
        open_room(5, 2), "Rising Dream  1,0  fist2 kick1\nJ-1  2,0\nCloneMaster  4,1", phase="combat-1"
    )
    t(game, Fight(0))
    c(game, ChooseCounters("J-1", hand))
    t(game, ChooseCounters(DREAM, ("fist",)))
    assert not game.can_undo(T)


def test_counters_may_be_chosen_anew_until_all_are_chosen() -> None:
    """Contract 6: while one still chooses for others of his side, he may take a choice back."""
    figures = "Rising Dream  1,0  fist2 kick1\nShadow Lotus  1,1  fist1\nJ-1  2,0\nCloneMaster  4,1"
    game = match(open_room(5, 2), figures, phase="combat-1")
    t(game, Fight(0))
    t(game, ChooseCounters(DREAM, ("fist",)))
    assert game.can_undo(T)
    game.undo(T)
    t(game, ChooseCounters(DREAM, ("fist", "kick")))


@pytest.mark.parametrize("levels", ["kick1 weapon1", "kick1 soul1"])
def test_points_do_not_tell_of_monkey_soul(levels: str) -> None:
    """4.42, R24, R29: over the drop-off the other side sees the way, never what it cost."""
    floor = plan("AABB", edges="dropoff 1,0 E")
    game = match(
        floor,
        f"Rising Dream  0,0\nJ-2  2,0  {levels} / kick1 weapon1 soul1\nCloneMaster  3,0",
        phase="clonemaster-move",
    )
    c(game, Move("J-2", ((1, 0),)))
    for viewer in (T, "public"):
        moved = told(game, events.Moved, viewer)[-1]
        assert (moved.path, moved.cost, moved.left) == (((2, 0), (1, 0)), None, None)
        movement = game.view(viewer).movement
        assert movement is not None
        assert movement.points is None
        assert "point" not in describe(moved)
    assert told(game, events.Moved, C)[-1].cost == (1 if "soul" in levels else 3)


def test_a_path_back_to_its_start_never_hangs_the_game() -> None:
    """R8, contract 7: with no free square on his path a stopped figure goes to the closest one."""
    floor = plan("CC..\n.SAA", edges="armored 1,0 S;door 1,1 E")
    game = match(
        floor, "Rising Dream  1,1\nServant 1  2,1  down\nServant 2  3,1  down\nCloneMaster  1,0  down"
    )
    t(game, Move(DREAM, ((2, 1), (1, 1))))
    c(game, ReleaseCloneMaster(), Move("CloneMaster", ((1, 1),)), EndMove("CloneMaster"))
    assert all(len(decision.options) for decision in game.decisions())


def test_the_end_calls_nobody_face_down_who_was_not() -> None:
    """R29: of the secrets opened at the end only counters still face down have a hiding place."""
    game = match(
        open_room(3, 2),
        "Rising Dream  1,0  - / fist1 heart1\nJ-1  1,0\nCloneMaster  2,1  down",
        phase="combat-1",
        dice=[5],
    )
    for _ in range(60):
        if game.is_over:
            break
        for decision in game.decisions():
            if not decision.optional:
                game.submit(decision.side, decision.options[0])
                break
    assert game.is_over
    hidden = [secret.figure for secret in told(game, events.Secret) if secret.square is not None]
    assert "J-1" not in hidden
