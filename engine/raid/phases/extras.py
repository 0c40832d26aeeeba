"""7.4, R35: armored doors and computers that the CloneMaster adds in the open, before anything is set up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Telling, tell_all
from engine.fortress.board import Board, compile_board
from engine.fortress.floorplan import STEP, EdgeKind, Equipment, FloorPlan, Side, owner
from engine.fortress.thing_names import door_names, equipment_names
from engine.raid import dealing, events, rooms
from engine.raid.choices import PlaceComputer, PlaceDoor, Ready, RemoveExtra
from engine.raid.figures import CLONEMASTER
from engine.raid.state import Game, State

DOORS, COMPUTERS = "armored door", "computer"


def is_asked(state: State) -> bool:
    """Return whether this game has extras at all (7.4)."""
    scenario = state.game.scenario
    return bool(scenario.extra_doors or scenario.extra_computers)


def doors_left(state: State) -> int:
    """Return how many armored doors the CloneMaster player may still add."""
    return state.game.scenario.extra_doors - len(state.game.extra_doors)


def computers_left(state: State) -> int:
    """Return how many computers the CloneMaster player may still add."""
    return state.game.scenario.extra_computers - len(state.game.extra_computers)


def decisions(state: State) -> list[Decision]:
    """Return the CloneMaster player's decision on what to add, and where."""
    game = state.game
    groups = [
        *([DOORS] if doors_left(state) else []),
        *([COMPUTERS] if computers_left(state) else []),
        "",
    ]

    def make(group: str) -> Sequence[Choice]:
        if group == DOORS:
            return tuple(rooms.common_doors(game.board))
        if group == COMPUTERS:
            return tuple(rooms.free_walls(game.board))
        return (RemoveExtra(group),) if group else (Ready(),)

    parts = [
        f"{left} {word}{'' if left == 1 else 's'}"
        for left, word in ((doors_left(state), DOORS), (computers_left(state), COMPUTERS))
        if left
    ]
    prompt = (
        f"You may still add {' and '.join(parts)} in the open, before anything is set up."
        if parts
        else "All is added: go on to the set-up, or take something away again."
    )
    return [
        Decision(
            CLONEMASTER,
            "place-extras",
            "7.4",
            prompt,
            "The CloneMaster player adds to his fortress.",
            Options(groups, make, (*game.extra_doors, *game.extra_computers)),
        )
    ]


def check(state: State, side: int, choice: Choice) -> None:
    """Refuse an addition that R35 does not allow; raises IllegalChoice."""
    if side != 1:
        raise IllegalChoice("first the CloneMaster player adds to his fortress, in the open", "7.4")
    if isinstance(choice, Ready):
        return
    if isinstance(choice, PlaceDoor):
        if not doors_left(state):
            raise IllegalChoice("no armored door is left to add", "7.4")
        place = _place(state, choice)
        if place not in {
            owner(*door.square, _side(door.side)) for door in rooms.common_doors(state.game.board)
        }:
            raise IllegalChoice("an extra armored door takes the place of a common door", "R35")
    elif isinstance(choice, PlaceComputer):
        if not computers_left(state):
            raise IllegalChoice("no computer is left to add", "7.4")
        _check_computer(state, choice)
    elif isinstance(choice, RemoveExtra):
        if choice.name not in (*state.game.extra_doors, *state.game.extra_computers):
            raise IllegalChoice(f'nothing called "{choice.name}" was added', "7.4")
    else:
        raise IllegalChoice("this is the time to add doors and computers, not to do this", "7.4")


def _check_computer(state: State, choice: PlaceComputer) -> None:
    _place(state, choice)
    board = state.game.board
    square = board.square(*choice.square)
    if square < 0 or board.room_of[square] < 0:
        raise IllegalChoice("there is no square there", "R35")
    if rooms.is_loo(board, board.room_of[square]):
        raise IllegalChoice("nothing is put up in a loo", "R35")
    if any(thing.square == square for thing in board.equipment):
        raise IllegalChoice("there is equipment on that square already", "R35")
    if _plan(state).edge_kind(*choice.square, _side(choice.side)) != "wall":
        raise IllegalChoice("a computer stands along a wall", "R35")


def _plan(state: State) -> FloorPlan:
    return state.game.board.plan


def _side(word: str) -> Side:
    """Return a side of a square; raises IllegalChoice where there is none like it."""
    for side in STEP:
        if side == word:
            return side
    raise IllegalChoice(f'"{word[:20]}" is not one of N E S W', "7.4")


def _place(state: State, choice: PlaceDoor | PlaceComputer) -> tuple[int, int, Side]:
    return owner(*choice.square, _side(choice.side))


def apply(state: State, side: int, choice: Choice, tell: list[Telling]) -> None:
    """Carry out a checked addition: the game goes on with another board."""
    game = state.game
    plan = game.board.plan
    doors, computers = game.extra_doors, game.extra_computers
    if isinstance(choice, PlaceDoor):
        board = _board(game, _with_edge(plan, _place(state, choice), "armored"))
        (name,) = set(door_names(board.plan)) - set(game.door_names)
        state.game = Game(game.scenario, board, game.roster, (*doors, name), computers)
        tell.append(tell_all(events.ExtraPlaced("7.4", name)))
    elif isinstance(choice, PlaceComputer):
        thing = Equipment("computer", *choice.square, _side(choice.side))
        board = _board(game, msgspec.structs.replace(plan, equipment=(*plan.equipment, thing)))
        name = equipment_names(board.plan)[-1]
        state.game = Game(game.scenario, board, game.roster, doors, (*computers, name))
        tell.append(tell_all(events.ExtraPlaced("7.4", name)))
    elif isinstance(choice, RemoveExtra):
        board = _board(game, _without(game, choice.name))
        state.game = Game(
            game.scenario,
            board,
            game.roster,
            tuple(one for one in doors if one != choice.name),
            tuple(one for one in computers if one != choice.name),
        )
        tell.append(tell_all(events.ExtraRemoved("7.4", choice.name)))
    else:
        state.is_built = True
        dealing.begin(state, tell)


def _board(game: Game, plan: FloorPlan) -> Board:
    """Return a changed plan's board; nothing is destroyed yet, so no thing's number is in use."""
    return compile_board(plan, game.scenario.rules.corner_sight)


def _with_edge(plan: FloorPlan, place: tuple[int, int, Side], kind: EdgeKind) -> FloorPlan:
    edges = tuple(
        msgspec.structs.replace(edge, kind=kind) if owner(edge.x, edge.y, edge.side) == place else edge
        for edge in plan.edges
    )
    return msgspec.structs.replace(plan, edges=edges)


def _without(game: Game, name: str) -> FloorPlan:
    """Return the plan with an addition taken away."""
    plan = game.board.plan
    if name in game.extra_doors:
        door = game.board.armored[game.door_names.index(name)]
        return _with_edge(plan, owner(door.x, door.y, door.side), "door")
    number = game.equipment_names.index(name)
    return msgspec.structs.replace(plan, equipment=(*plan.equipment[:number], *plan.equipment[number + 1 :]))
