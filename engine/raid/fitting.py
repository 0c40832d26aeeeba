"""Whether what another machine tells of a game fits this one: its names, squares and numbers.

A view or an event of the right types may still speak of figures, squares and phases that the game does not
have. Once it has been through here, whoever shows it need not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from engine.core.event import Event
from engine.fortress.board import Board
from engine.fortress.floorplan import STEP
from engine.fortress.thing_names import door_name, equipment_name, parsed_name
from engine.raid.events import AttackVoid
from engine.raid.figures import ABILITIES, COUNTERS, KINDS, SIDES
from engine.raid.redact import PLACES, VIEWERS
from engine.raid.roster import RELEASE_NAMES
from engine.raid.state import STEPS, Game
from engine.raid.tables import COLUMNS
from engine.raid.victory import TOTAL, VICTORY
from engine.raid.view import PHASES, DoorView, EquipmentView, FigureView, View

LARGEST: Final = 9999  # of the numbers told: turns, dice, points, squares to go
TEXT_LIMIT: Final = 400  # letters

Check = Callable[[Any, Game], bool]


def event_faults(event: Event, game: Game) -> Iterator[str]:
    """Find the fields of an event that cannot be told of a game."""
    yield from _faults(event, game)
    if any(getattr(event, field, True) == () for field in ("path", "figures")):
        yield "somebody or something is missing"


def view_faults(view: View, game: Game) -> Iterator[str]:
    """Find what in a view cannot be seen of a game.

    Its doors and equipment only have to be on the map, for some may have been added (7.4).
    """
    yield from _faults(view, game)
    for figure in view.figures:
        yield from _figure_faults(figure, game)
    if len({figure.name for figure in view.figures}) < len(view.figures):
        yield "figures: one is there twice"
    things: tuple[DoorView | EquipmentView, ...] = (*view.doors, *view.equipment)
    for thing in things:
        yield from _thing_faults(thing, game.board)
    for part in (view.movement, view.fight, view.outcome):
        if part is not None:
            yield from _faults(part, game)
    if view.fight is not None:
        for row in (*view.fight.played, view.fight.open_attack):
            if row is not None:
                yield from _faults(row, game)


def _faults(told: msgspec.Struct, game: Game) -> Iterator[str]:
    """Find the fields that hold what they cannot, those aside that are structures of their own."""
    for field, check in _checks(type(told)):
        value = getattr(told, field)
        if value is not None and not check(value, game):
            yield f"{field}: not of this game"


@cache
def _checks(kind: type[msgspec.Struct]) -> tuple[tuple[str, Check], ...]:
    """Return what the fields of a structure can be, by their names; other numbers and texts have bounds."""
    parts = ("doors", "equipment", "movement", "fight", "outcome", "played", "open_attack", "hits")
    names = [name for name in kind.__struct_fields__ if name not in parts]
    if kind is View:
        names.remove("figures")
    # A shot at one who is dead already is void like an attack counter (R23).
    by_name = {**_BY_NAME, "counter": _word(*COUNTERS, "gun")} if kind is AttackVoid else _BY_NAME
    return tuple((name, by_name.get(name, _is_plain)) for name in names)


def _is_figure(name: str, game: Game) -> bool:
    return name in game.roster.index


def _are_figures(names: Iterable[str], game: Game) -> bool:
    return all(name in game.roster.index for name in names)


def _are_groups(groups: Iterable[tuple[str, ...]], game: Game) -> bool:
    """Return whether these are groups of figures, none of them empty."""
    return all(group and _are_figures(group, game) for group in groups)


def _is_target(name: str, game: Game) -> bool:
    """Return whether a name is a figure's, or that of a thing on the map, added or not (7.4)."""
    if name in game.roster.index:
        return True
    parsed = parsed_name(name)
    return parsed is not None and game.square((parsed.x, parsed.y)) >= 0


def _is_square(square: tuple[int, int], game: Game) -> bool:
    return game.square(square) >= 0


def _are_squares(squares: Iterable[tuple[int, int]], game: Game) -> bool:
    return all(game.square(square) >= 0 for square in squares)


def _is_entry(name: str, game: Game) -> bool:
    return any(entry.name == name for entry in game.board.entries)


def _is_unnamed(unnamed: tuple[str, str], game: Game) -> bool:
    """Return whether this is a figure and its counter."""
    return unnamed[0] in game.roster.index and unnamed[1] in COUNTERS


def _is_hand(hand: dict[str, tuple[str, ...]], game: Game) -> bool:
    return _are_figures(hand, game) and all(set(held) <= set(COUNTERS) for held in hand.values())


def _is_plain(value: Any, game: Game) -> bool:
    """Return whether a number or a text is one that can be shown."""
    if isinstance(value, str):
        return len(value) <= TEXT_LIMIT and value.isprintable()
    return isinstance(value, int) and -1 <= value <= LARGEST


def _word(*words: str) -> Check:
    """Return what a text among these passes."""
    return lambda text, game: text in words


def _words(*words: str) -> Check:
    """Return what texts pass that are all among these."""
    return lambda texts, game: all(text in words for text in texts)


def _numbers(*words: str) -> Check:
    """Return what a number for each of these passes."""
    return lambda numbers, game: (
        set(numbers) == set(words) and all(-1 <= number <= LARGEST for number in numbers.values())
    )


_BY_NAME: Final[Mapping[str, Check]] = {
    "ability": _word(*ABILITIES),
    "by": _word("entry", "choice", "nearest"),
    "chosen": _are_figures,
    "column": _word(*COLUMNS),
    "combats": _are_groups,
    "counter": _word(*COUNTERS),
    "counters": _words(*COUNTERS),
    "empty_hands": _words(*SIDES),
    "entry": _is_entry,
    "face_down": _are_squares,
    "figure": _is_figure,
    "figures": _are_figures,
    "gun": _is_figure,
    "hand": _is_hand,
    "level": _word(VICTORY, TOTAL),
    "levels": _numbers(*ABILITIES),
    "links": _are_groups,
    "name": _is_target,
    "original": _numbers(*ABILITIES),
    "path": _are_squares,
    "phase": _word(*PHASES),
    "points": lambda points, game: (
        _is_plain(points, game) if isinstance(points, int) else _numbers(*SIDES)(points, game)
    ),
    "ready": _words(*SIDES),
    "released": _words(*RELEASE_NAMES),
    "shots": _are_groups,
    "side": _word(*SIDES),
    "square": _is_square,
    "step": _word(*STEPS, "injury"),
    "target": _is_target,
    "turn_of": _word(*SIDES),
    "unnamed": _is_unnamed,
    "untrained": _are_groups,
    "viewer": _word(*VIEWERS),
    "winner": _word(*SIDES, "draw"),
}


def _figure_faults(figure: FigureView, game: Game) -> Iterator[str]:
    """Find what cannot be seen of a figure."""
    roster = game.roster
    number = roster.index.get(figure.name)
    if number is None:
        yield f"figures: {figure.name[:40]!r} is not of this game"
        return
    what = figure.kind, figure.side, figure.weapon
    if what != (KINDS[roster.kind[number]], SIDES[roster.side(number)], roster.weapon[number]):
        yield f"figures: {figure.name} is something else in this game"
    if figure.place not in ("map", "station", *PLACES.values()):
        yield f"figures: {figure.name} is nowhere"
    if (figure.place == "map") != (figure.square is not None):
        yield f"figures: {figure.name} is on the map and is not"
    yield from _faults(figure, game)


def _thing_faults(thing: DoorView | EquipmentView, board: Board) -> Iterator[str]:
    """Find what cannot be seen of a door or a piece of equipment."""
    x, y = thing.square
    if board.square(x, y) < 0:
        yield "there is no square for a door or a piece of equipment"
    elif isinstance(thing, DoorView):
        if thing.side not in STEP or thing.name != door_name(x, y, thing.side):
            yield "a door that has the name of another"
    elif thing.kind not in ("tank", "computer") or thing.name != equipment_name(thing.kind, x, y):
        yield "a piece of equipment that has the name of another"
    elif thing.side not in (None, *STEP):
        yield "a piece of equipment that stands nowhere"
