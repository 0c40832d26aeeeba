"""Pieces of a map: copied, mirrored, turned, stamped somewhere else, moved.

A piece is a small plan of its own with the squares that belong to it. It carries its equipment and
entries, and what stands on the edges between its squares and where its entries lead off the map; with its
ring, all that stands round it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from editor.draft import Edge, Square
from editor.edits.edges import Extra, edges_of, extras_of, gates, is_between, with_edges, with_extras
from editor.edits.squares import free_letter, is_on, letter_at, paint, without_rooms
from editor.edits.transforms import Axis, Transform, mirror, turn
from engine.fortress.floorplan import ROCK, EdgeKind, Entry, Equipment, FloorPlan


class Piece(NamedTuple):
    """Some squares of a map with what stands in and between them; its own corner is (0, 0).

    `plan` is as large as the squares need; what of it does not belong to the piece is rock and not in
    `squares`, so it covers nothing where the piece is put. `edges` holds what stands on every edge of the
    piece, plain ones too, so that a wall is carried over an opening. `extras` holds the fields that are not
    known of those edges whose records have some.
    """

    plan: FloorPlan
    squares: frozenset[Square]
    edges: tuple[tuple[Edge, EdgeKind], ...]
    extras: tuple[tuple[Edge, Extra], ...] = ()


def cut(plan: FloorPlan, squares: Iterable[Square], *, with_ring: bool = False) -> tuple[Piece, Square]:
    """Return a copy of some squares, and where on the map its corner was.

    Raises ValueError when none of the squares is on the map.
    """
    inside = frozenset(square for square in squares if is_on(plan, square))
    if not inside:
        raise ValueError("there is nothing to copy")
    left, top = min(x for x, _ in inside), min(y for _, y in inside)
    right, bottom = max(x for x, _ in inside), max(y for _, y in inside)
    grid = tuple(
        "".join(plan.grid[y][x] if (x, y) in inside else ROCK for x in range(left, right + 1))
        for y in range(top, bottom + 1)
    )
    letters = set().union(*grid)
    around = {edge for square in inside for edge in edges_of(square)}
    between = {edge for edge in around if is_between(edge, inside)}
    edges = sorted(around if with_ring else between | gates(plan, inside))
    small = FloorPlan(
        name=plan.name,
        grid=grid,
        rooms=tuple(room for room in plan.rooms if room.letter in letters),
        equipment=tuple(
            replace(one, x=one.x - left, y=one.y - top) for one in plan.equipment if (one.x, one.y) in inside
        ),
        entries=tuple(
            replace(one, x=one.x - left, y=one.y - top) for one in plan.entries if (one.x, one.y) in inside
        ),
    )
    kinds = tuple(((x - left, y - top, side), plan.edge_kind(x, y, side)) for x, y, side in edges)
    known = extras_of(plan)
    extras = tuple(
        ((x - left, y - top, side), known[x, y, side]) for x, y, side in edges if (x, y, side) in known
    )
    squares_there = frozenset((x - left, y - top) for x, y in inside)
    return Piece(small, squares_there, kinds, extras), (left, top)


# Turning


def mirrored(piece: Piece, axis: Axis = "x") -> Piece:
    """Return the piece mirrored left to right ("x") or top to bottom ("y")."""
    return transformed(piece, mirror(axis, piece.plan.width, piece.plan.height))


def turned(piece: Piece) -> Piece:
    """Return the piece turned clockwise by a quarter."""
    return transformed(piece, turn(piece.plan.width, piece.plan.height))


def transformed(piece: Piece, transform: Transform) -> Piece:
    """Return the piece with every square and side gone elsewhere."""
    plan = piece.plan
    cells = [[ROCK] * transform.width for _ in range(transform.height)]
    for y, row in enumerate(plan.grid):
        for x, letter in enumerate(row):
            new_x, new_y = transform.to(x, y)
            cells[new_y][new_x] = letter

    def carried(thing: Equipment | Entry) -> dict[str, object]:
        x, y = transform.to(thing.x, thing.y)
        return {"x": x, "y": y, "side": transform.side(thing.side)}

    edges = tuple((transform.edge(edge), kind) for edge, kind in piece.edges)
    extras = tuple((transform.edge(edge), extra) for edge, extra in piece.extras)
    made = replace(
        plan,
        grid=tuple("".join(row) for row in cells),
        equipment=tuple(replace(one, **carried(one)) for one in plan.equipment),
        entries=tuple(replace(one, **carried(one)) for one in plan.entries),
    )
    return Piece(made, frozenset(map(transform.square, piece.squares)), edges, extras)


# Putting down


def stamped(plan: FloorPlan, piece: Piece, at: Square) -> FloorPlan:
    """Return the plan with a piece put down, its corner at a square; what falls off the map is left out.

    What stood in its squares is gone. Rooms of the piece that the plan has, with the same letter and
    name, are extended; others become new ones, under a free letter and a name of their own.
    """
    squares = frozenset((x + at[0], y + at[1]) for x, y in piece.squares)
    made = without_things(plan, squares)
    emptied = {letter_at(plan, square) for square in squares if is_on(plan, square)} - {ROCK}
    letters: dict[str, str] = {ROCK: ROCK}
    there = {room.letter: room for room in plan.rooms}
    for room in piece.plan.rooms:
        same = there.get(room.letter)
        if same is not None and same.name == room.name:
            letters[room.letter] = room.letter
            continue
        taken = {one.name for one in made.rooms}
        letter = room.letter if same is None and room.letter not in emptied else free_letter(made)
        if any(one.letter == letter for one in made.rooms):
            letter = free_letter(made)
        letters[room.letter] = letter
        fresh = replace(room, letter=letter, name=free_name(room.name, taken))
        made = replace(made, rooms=(*made.rooms, fresh))
    cells = [list(row) for row in made.grid]
    for x, y in piece.squares:
        if is_on(plan, (x + at[0], y + at[1])):
            letter = piece.plan.grid[y][x]
            cells[y + at[1]][x + at[0]] = letters.get(letter, letter)
    made = replace(made, grid=tuple("".join(row) for row in cells))
    gone = {room.letter for room in made.rooms if not any(room.letter in row for row in made.grid)}
    made = without_rooms(made, gone & (emptied | set(letters.values())))
    kinds: dict[Edge, EdgeKind | None] = dict.fromkeys(gates(plan, squares))
    for (x, y, side), kind in piece.edges:
        edge: Edge = (x + at[0], y + at[1], side)
        kinds[edge] = kind
    made = with_edges(made, kinds)
    if piece.extras or extras_of(made):
        known = dict(piece.extras)
        made = with_extras(
            made,
            {(x + at[0], y + at[1], side): known.get((x, y, side), ()) for (x, y, side), _ in piece.edges},
        )
    names = {entry.name for entry in made.entries}
    entries = list(made.entries)
    for entry in piece.plan.entries:
        moved = replace(entry, x=entry.x + at[0], y=entry.y + at[1], name=free_name(entry.name, names))
        if is_on(plan, (moved.x, moved.y)):
            names.add(moved.name)
            entries.append(moved)
    equipment = [
        replace(one, x=one.x + at[0], y=one.y + at[1])
        for one in piece.plan.equipment
        if is_on(plan, (one.x + at[0], one.y + at[1]))
    ]
    return replace(made, equipment=(*made.equipment, *equipment), entries=tuple(entries))


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return a name; where it is taken, with the next free number behind it ("Loo 2" after "Loo 1")."""
    used = set(taken)
    if name not in used:
        return name
    stem, _, last = name.rpartition(" ")
    number = 2
    if stem and last.isdecimal():
        number = int(last) + 1
    else:
        stem = name
    while f"{stem} {number}" in used:
        number += 1
    return f"{stem} {number}"


def without_things(plan: FloorPlan, squares: frozenset[Square]) -> FloorPlan:
    """Return the plan without equipment and entries in some squares."""
    equipment = tuple(one for one in plan.equipment if (one.x, one.y) not in squares)
    entries = tuple(one for one in plan.entries if (one.x, one.y) not in squares)
    if len(equipment) == len(plan.equipment) and len(entries) == len(plan.entries):
        return plan
    return replace(plan, equipment=equipment, entries=entries)


def cleared(plan: FloorPlan, squares: Iterable[Square]) -> FloorPlan:
    """Return the plan with rock in some squares, nothing in them, between them, or at their entries."""
    gone = frozenset(squares)
    made = paint(without_things(plan, gone), gone, ROCK)
    inner = {edge for square in gone for edge in edges_of(square) if is_between(edge, gone)}
    return with_edges(made, dict.fromkeys(inner | gates(plan, gone)))


def moved(plan: FloorPlan, squares: Iterable[Square], dx: int, dy: int) -> FloorPlan:
    """Return the plan with some squares and all that is in them somewhere else, rock where they were.

    Equipment and entries keep their names and their order, which numbers them.
    """
    inside = frozenset(square for square in squares if is_on(plan, square))
    if not inside or (dx, dy) == (0, 0):
        return plan
    piece, (left, top) = cut(plan, inside)
    bare = piece._replace(plan=replace(piece.plan, equipment=(), entries=()))
    target = frozenset((x + dx, y + dy) for x, y in inside)
    emptied = cleared(plan, inside)
    # The rooms are listed still when their squares come back, so that they keep their places in the list.
    ground = replace(emptied, rooms=plan.rooms, no_sight=plan.no_sight)
    made = stamped(ground, bare, (left + dx, top + dy))

    def carried(things: tuple[Equipment | Entry, ...]) -> list[Equipment | Entry]:
        kept = []
        for one in things:
            if (one.x, one.y) in inside:
                if is_on(plan, (one.x + dx, one.y + dy)):
                    kept.append(replace(one, x=one.x + dx, y=one.y + dy))
            elif (one.x, one.y) not in target:
                kept.append(one)
        return kept

    made = replace(
        made,
        equipment=tuple(one for one in carried(plan.equipment) if isinstance(one, Equipment)),
        entries=tuple(one for one in carried(plan.entries) if isinstance(one, Entry)),
    )
    return without_rooms(made, {room.letter for room in plan.rooms} - set().union(*made.grid))
