"""4.3-4.6, R6-R9: what movement costs, what stops it, and who may stop where."""

import pytest

from engine.raid import events
from engine.raid.choices import EndMove, EndPhase, Move, ReleaseCloneMaster
from engine.raid.match import RaidMatch
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    C,
    T,
    assert_refused,
    c,
    destinations,
    go_to,
    kind,
    match,
    open_room,
    plan,
    steps,
    t,
    told,
    walk,
    where,
)


def points(game: RaidMatch) -> int:
    """Return the points that the figure now moving has left."""
    for side in game.sides:
        movement = game.view(side).movement
        assert movement is not None
        if movement.points is not None:
            return movement.points
    raise AssertionError("nobody knows the mover's points")


# 4.3


@pytest.mark.parametrize(
    ("name", "allowance"),
    [
        ("J-1", 5),
        ("CloneMaster", 4),
        ("Technician 1", 4),
        ("Armed Technician 1", 4),
        ("Servant 1", 3),
    ],
)
def test_allowances_of_the_clonemasters_figures(name: str, allowance: int) -> None:
    """2.552-2.556: Jellies move 5 squares, the CloneMaster and technicians 4, servants 3."""
    game = match(open_room(9, 2), f"Rising Dream  0,1\n{name}  8,0", phase="clonemaster-move")
    assert_refused(game, C, steps(game, name, "W" * (allowance + 1)), "4.3", f"has {allowance} left")
    walk(game, name, "W" * allowance)
    assert where(game, name) == (8 - allowance, 0)
    assert name not in game.decision(C).options.groups  # type: ignore[union-attr]


def test_allowance_of_a_terminator() -> None:
    """2.551: a Terminator moves 5 squares in a movement phase."""
    game = match(open_room(9, 1), "Rising Dream  0,0")
    assert destinations(game, DREAM) == {(x, 0) for x in range(1, 6)}
    assert_refused(game, T, steps(game, DREAM, "EEEEEE"), "4.3", "costs 6 and Rising Dream has 5 left")


def test_a_move_may_be_made_in_parts_and_retraced() -> None:
    """4.3: fewer squares, in parts, or back the same way."""
    game = match(open_room(9, 1), "Rising Dream  0,0")
    walk(game, DREAM, "EE")
    walk(game, DREAM, "W")
    assert points(game) == 2
    assert_refused(game, T, steps(game, DREAM, "EEE"), "4.3", "has 2 left")
    walk(game, DREAM, "EW")
    assert where(game, DREAM) == (1, 0)


def test_never_diagonally() -> None:
    """4.3: north, south, east or west only."""
    game = match(open_room(4, 4), "Rising Dream  1,1")
    assert_refused(game, T, Move(DREAM, ((2, 2),)), "4.3", "never diagonally")
    assert_refused(game, T, Move(DREAM, ((3, 1),)), "4.3", "next square")
    assert_refused(game, T, Move(DREAM, ()), "4.3", "at least one square")
    assert_refused(game, T, Move("Nobody", ((1, 2),)), "4.3", "no figure called")
    assert_refused(game, T, Move("CloneMaster", ((1, 2),)), "4.3", "not yours")


def test_unconscious_figures_do_not_move() -> None:
    """5.5: an unconscious figure does nothing."""
    game = match(open_room(6, 1), "Rising Dream  0,0  - / heart1\nJ-1  5,0  - / kick2 heart1")
    assert_refused(game, T, steps(game, DREAM, "E"), "5.5", "unconscious")
    go_to(game, "clonemaster-move")
    assert_refused(game, C, steps(game, "J-1", "W"), "5.5", "unconscious")


# 4.41 and 4.5: walls, doors, tanks

BARRIERS = plan(
    """
    AAABBB
    AAABBB
    """,
    edges="armored 2,0 E",
    equipment="tank 1,0; computer 0,1 W",
)
ARMORED = "door 2,0 E"


def test_walls_cannot_be_crossed() -> None:
    """2.1, 4.5: nobody crosses a wall or the edge of the map."""
    game = match(BARRIERS, "Rising Dream  2,1")
    assert_refused(game, T, steps(game, DREAM, "E"), "4.5", "wall")
    assert_refused(game, T, steps(game, DREAM, "S"), "4.5", "no square")


def test_common_doors_are_free() -> None:
    """2.1: units move through common doors at no extra cost."""
    game = match(plan("AB", edges="door 0,0 E"), "Rising Dream  0,0")
    walk(game, DREAM, "E")
    assert points(game) == 4


def test_nobody_enters_a_tank() -> None:
    """4.5: a clone tank's square is entered by nobody, destroyed or not; a computer's is."""
    for equipment in ([], ["tank 1,0"]):
        game = match(BARRIERS, "Rising Dream  0,0\nServant 1  2,0", equipment=equipment)
        assert_refused(game, T, steps(game, DREAM, "E"), "4.5", "tank")
        walk(game, DREAM, "S")
        assert where(game, DREAM) == (0, 1)
        go_to(game, "clonemaster-move")
        assert_refused(game, C, steps(game, "Servant 1", "W"), "4.5", "tank")


def test_a_terminator_waits_before_an_armored_door() -> None:
    """4.41: a Terminator passes an armored door only once it is destroyed, at no extra cost then."""
    assert_refused(match(BARRIERS, "Rising Dream  2,0"), T, Move(DREAM, ((3, 0),)), "4.41", "armored door")
    game = match(BARRIERS, "Rising Dream  2,0", doors=[ARMORED])
    walk(game, DREAM, "E")
    assert points(game) == 4


def test_an_armored_door_costs_the_clonemasters_units_one_more() -> None:
    """4.41: one extra point while it is whole, none after."""
    for doors, left in (([], 1), ([ARMORED], 2)):
        game = match(BARRIERS, "Rising Dream  0,0\nServant 1  2,0", doors=doors, phase="clonemaster-move")
        walk(game, "Servant 1", "E")
        assert points(game) == left


# 4.42

SPLIT = plan("AAAAABBBBB\nAAAAABBBBB", edges="dropoff 4,0 E; dropoff 4,1 E")


@pytest.mark.parametrize(("levels", "left"), [("fist1 soul1", 4), ("fist1", 2), ("fist1 / fist1 soul1", 2)])
def test_the_drop_off_for_a_terminator(levels: str, left: int) -> None:
    """4.42, R7: two extra points either way, nothing with an undisabled Monkey Soul."""
    for start, way in (("4,0", "E"), ("5,0", "W")):
        game = match(SPLIT, f"Rising Dream  {start}  {levels}")
        walk(game, DREAM, way)
        assert points(game) == left


@pytest.mark.parametrize(
    ("figure", "left"),
    [
        ("J-2  4,0", 4),
        ("J-2  4,0  kick1 / kick1 soul1 weapon1", 2),
        ("J-1  4,0", 2),
        ("Servant 1  4,0", 0),
        ("Technician 1  4,0", 1),
        ("CloneMaster  4,0", 1),
    ],
)
def test_the_drop_off_for_the_clonemasters_units(figure: str, left: int) -> None:
    """4.42: only a Jelly with Monkey Soul crosses at no extra cost."""
    game = match(SPLIT, f"Rising Dream  9,1\n{figure}", phase="clonemaster-move")
    walk(game, figure.split("  ")[0], "E")
    assert points(game) == left


# 4.43


def test_a_hostile_martial_artist_costs_two_more() -> None:
    """4.43: into an enemy Jelly's square 3 points, into any other figure's 1."""
    game = match(open_room(9, 1), "Rising Dream  0,0\nJ-1  1,0\nServant 1  2,0")
    walk(game, DREAM, "EEE")
    assert points(game) == 0
    assert told(game, events.Moved, T)[0].cost == 5
    for figures in ("Technician 1  1,0", "CloneMaster  1,0", "Armed Technician 1  1,0", "Shadow Lotus  1,0"):
        game = match(open_room(9, 1), f"Rising Dream  0,0\n{figures}")
        walk(game, DREAM, "EE")
        assert points(game) == 3


def test_terminators_hinder_the_clonemasters_units() -> None:
    """4.43: the same holds for his units and enemy Terminators; their own Jellies cost nothing."""
    game = match(open_room(9, 1), "Rising Dream  1,0\nJ-1  0,0\nJ-3  2,0", phase="clonemaster-move")
    walk(game, "J-1", "EEE")
    assert points(game) == 0
    assert_refused(game, C, Move("J-3", ((1, 0), (0, 0), (1, 0))), "4.43", "costs 7")


def test_unconscious_enemies_cost_nothing() -> None:
    """4.43: entering the square of an unconscious enemy costs nothing extra, and one may stop there."""
    game = match(open_room(9, 1), "Rising Dream  0,0\nJ-1  1,0  - / kick2 heart1")
    walk(game, DREAM, "E")
    assert points(game) == 4
    t(game, EndPhase())


def test_an_unconscious_terminator_hinders_nobody() -> None:
    """4.43: likewise for the CloneMaster's units and an unconscious Terminator."""
    game = match(
        open_room(9, 1),
        "Rising Dream  1,0  - / heart1\nShadow Lotus  8,0\nServant 1  0,0",
        phase="clonemaster-move",
    )
    walk(game, "Servant 1", "EE")
    assert points(game) == 1


def test_too_far_past_an_enemy_names_the_rule() -> None:
    """4.43: the refusal of a way past an enemy names the rule that makes it dear."""
    game = match(open_room(9, 1), "Rising Dream  0,0\nJ-1  1,0\nJ-3  2,0")
    assert_refused(game, T, steps(game, DREAM, "EEE"), "4.43", "costs 7")


def test_no_zones_of_control() -> None:
    """4.8: passing next to enemies costs nothing."""
    game = match(open_room(6, 3), "Rising Dream  0,1\nJ-1  1,0\nJ-3  2,2\nJ-2  3,0")
    walk(game, DREAM, "EEEEE")
    assert where(game, DREAM) == (5, 1)


# 4.6, R8


def test_through_but_not_onto() -> None:
    """4.6, R8: through other figures, friend or foe, but no stop on a conscious one."""
    game = match(open_room(6, 1), "Rising Dream  0,0\nShadow Lotus  1,0\nServant 1  2,0")
    assert_refused(game, T, steps(game, DREAM, "E"), "4.6", "not stop on it")
    assert_refused(game, T, steps(game, DREAM, "EE"), "4.6", "not stop on it")
    walk(game, DREAM, "EEE")
    assert where(game, DREAM) == (3, 0)


def test_clonemasters_units_stop_on_nobody_either() -> None:
    """4.6: the same for his units; a room full of servants cannot be entered."""
    game = match(
        open_room(6, 1), "Rising Dream  0,0\nServant 1  4,0\nServant 2  5,0", phase="clonemaster-move"
    )
    assert_refused(game, C, steps(game, "Servant 2", "W"), "4.6", "not stop on it")
    walk(game, "Servant 2", "WW")


def test_unconscious_figures_stack() -> None:
    """4.6: any number of unconscious figures and one conscious may share a square."""
    game = match(
        open_room(6, 1),
        "Rising Dream  0,0\nShadow Lotus  2,0  - / heart1\nJ-1  2,0  - / kick2 heart1\nJ-3  5,0",
    )
    walk(game, DREAM, "EE")
    t(game, EndPhase())
    go_to(game, "clonemaster-move")
    assert_refused(game, C, steps(game, "J-3", "WWW"), "4.6", "not stop on it")


# R8: pauses

PEEK = plan(".C.\nAAB", edges="door 1,0 S; door 1,1 E")


def test_he_goes_on_from_where_a_reveal_stops_him() -> None:
    """R8: stopped on a figure he must go on before the phase ends or another moves."""
    game = match(
        plan("AAB\nAAB", edges="door 1,0 E"), "Rising Dream  0,0\nShadow Lotus  0,1\nServant 1  2,0  down"
    )
    walk(game, DREAM, "EES")
    assert where(game, DREAM) == (2, 0)
    assert game.view("public").movement.must_go_on  # type: ignore[union-attr]
    assert_refused(game, T, EndPhase(), "4.6", "cannot stop on another figure")
    assert_refused(game, T, steps(game, LOTUS, "E"), "R6", "move him on first")
    assert game.decision(T).options.groups == (DREAM,)  # type: ignore[union-attr]
    walk(game, DREAM, "S")
    walk(game, LOTUS, "E")


def test_put_back_on_the_last_free_square() -> None:
    """R8: with no free square in reach he goes back to the last free one of his path, and is done."""
    game = match(
        plan("..C\nAAB", edges="door 2,0 S; door 1,1 E"),
        "Rising Dream  0,1\nServant 1  2,1  down\nCloneMaster  2,0  down\nJ-1  1,1",
    )
    # 1 + 2 past the Jelly leave too little for the face-down counter behind.
    assert (2, 1) not in destinations(game, DREAM)
    game = match(PEEK, "Rising Dream  0,1\nJ-1  2,1  down\nCloneMaster  1,0  down")
    walk(game, DREAM, "EEW")
    assert (where(game, DREAM), points(game)) == ((2, 1), 1)
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "S")
    c(game, EndMove("CloneMaster"))
    # The CloneMaster took the square behind him, so the last free one of the path is where he set out.
    assert where(game, DREAM) == (0, 1)
    put_back = told(game, events.PutBack)[0]
    assert (put_back.figure, put_back.square, put_back.rule) == (DREAM, (0, 1), "R8")
    assert_refused(game, T, steps(game, DREAM, "S"), "R6", "ended his movement")


def test_put_back_along_a_path_walked_in_parts() -> None:
    """R8: his path is all that he has walked in this phase, whatever its parts."""
    game = match(PEEK, "Rising Dream  0,1\nJ-1  2,1  down\nCloneMaster  1,0  down")
    walk(game, DREAM, "E")
    walk(game, DREAM, "EW")
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "S")
    c(game, EndMove("CloneMaster"))
    assert where(game, DREAM) == (0, 1)


def test_not_put_back_while_a_free_square_is_in_reach() -> None:
    """R8: with the way ahead taken but the square behind him free he must go on himself."""
    game = match(
        plan(".C.\nABB", edges="door 1,0 S; door 0,1 E"),
        "Rising Dream  0,1\nJ-1  1,1  down\nCloneMaster  1,0  down",
    )
    walk(game, DREAM, "EE")
    assert points(game) == 2
    c(game, ReleaseCloneMaster())
    walk(game, "CloneMaster", "SE")
    assert where(game, DREAM) == (1, 1)  # 0,1 is still in reach, so he is not put back
    walk(game, DREAM, "W")
    assert not told(game, events.PutBack)


# R9


@pytest.mark.parametrize("name", ["Servant 1", "J-1", "CloneMaster"])
def test_a_face_down_counter_is_priced_as_a_jelly(name: str) -> None:
    """R9: what is offered past a face-down counter does not depend on what it is."""
    game = match(plan("AAABBB", edges="dropoff 2,0 E"), f"Rising Dream  2,0  soul1\n{name}  3,0  down")
    assert destinations(game, DREAM) == {(1, 0), (0, 0), (4, 0), (5, 0)}
    options = game.decision(T).options  # type: ignore[union-attr]
    assert options.price(steps(game, DREAM, "EE")) == 4
    short = match(plan("AAABBB", edges="dropoff 2,0 E"), f"Rising Dream  0,0  soul1\n{name}  3,0  down")
    assert_refused(short, T, steps(short, DREAM, "EEEE"), "4.43", "costs 6")


@pytest.mark.parametrize(("name", "left"), [("Servant 1", 4), ("J-1", 2)])
def test_he_pays_for_what_is_turned_up(name: str, left: int) -> None:
    """R9: the step onto it costs what the counter proves to be."""
    game = match(plan("AAABBB", edges="door 2,0 E"), f"Rising Dream  2,0\n{name}  3,0  down")
    walk(game, DREAM, "EE")
    assert (where(game, DREAM), points(game)) == ((3, 0), left)
    assert kind(game) == "terminator-move"


def test_costs_add_up() -> None:
    """R7: a square, a conscious enemy and a drop-off without Monkey Soul together are five."""
    game = match(SPLIT, "Rising Dream  4,0  fist1\nJ-1  5,0")
    assert_refused(game, T, steps(game, DREAM, "EE"), "4.43", "costs 6")
    game = match(SPLIT, "Rising Dream  4,0  fist1\nServant 1  5,0")
    walk(game, DREAM, "EE")
    assert points(game) == 1


def test_loss_of_monkey_soul_counts_at_once() -> None:
    """4.42: what counts is the ability he has now; an offer follows it."""
    far = match(SPLIT, "Rising Dream  4,0  fist1 / fist1 soul2")
    near = match(SPLIT, "Rising Dream  4,0  fist1 soul1 / fist1 soul2")
    assert (9, 0) not in destinations(far, DREAM)
    assert (9, 0) in destinations(near, DREAM)
