"""What differs between two drafts, in words: rooms, squares, edges, equipment, entries, and every field."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from editor.draft import OWN_MAP, Draft, Square
from editor.edits.edges import KIND_WORDS
from editor.edits.squares import squares_of
from editor.words import counted
from engine.core.files import Part
from engine.fortress.floorplan import ROCK, EdgeKind, Entry, Equipment, FloorPlan, RoomInfo, Side, owner
from engine.raid.scenario import Placement, Scenario, StartFigure
from engine.raid.switches import BY_PATH, value_words

EDGES_TOLD: Final = 40
"""Edges told one by one; more are counted by kind."""
PLACES_SHOWN: Final = 6

T = TypeVar("T")
Extra = tuple[tuple[str, Any], ...]


class Difference(NamedTuple):
    """A difference in a line, and the squares it is about."""

    text: str
    squares: frozenset[Square] = frozenset()


def differences(before: Draft, after: Draft) -> tuple[Difference, ...]:
    """Return what differs from one draft to another; nothing if and only if their files would be the same."""
    found: list[Difference] = []
    if before.kind != after.kind:
        found.append(Difference(f"It was a {before.kind} and is a {after.kind}"))
    elif before.scenario is not None and after.scenario is not None:
        found += _scenario(before.scenario, after.scenario)
    return (*found, *plan_differences(before.plan, after.plan))


def plan_differences(before: FloorPlan, after: FloorPlan) -> tuple[Difference, ...]:
    """Return what differs between two maps."""
    if before == after:
        return ()
    return (
        *_texts(before, after),
        *_rooms(before, after),
        *_squares(before, after),
        *_edges(before, after),
        *_equipment(before, after),
        *_entries(before, after),
        *_pairs(before, after),
        *_unknown(before.extra, after.extra, "The map's"),
    )


def _was(what: str, old: object, new: object) -> Difference:
    return Difference(f"{what}: {_said(old)} → {_said(new)}")


def _said(value: object) -> str:
    """Return a value short and on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, str):
        text = " ".join(value.split())
        return f"“{text if len(text) <= 40 else f'{text[:38]}…'}”"
    if isinstance(value, int | float):
        return str(value)
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:58]}…"


def _texts(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    if before.name != after.name:
        yield _was("Name of the map", before.name, after.name)
    if before.notes != after.notes:
        yield _was("Notes of the map", before.notes, after.notes)
    if (before.width, before.height) != (after.width, after.height):
        yield Difference(f"Size: {before.width} × {before.height} → {after.width} × {after.height} squares")


def _rooms(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    old, new = _by_letter(before.rooms), _by_letter(after.rooms)
    for key in [*old, *(key for key in new if key not in old)]:
        letter = key[0]
        was, now = old.get(key), new.get(key)
        squares = frozenset(squares_of(after if now is not None else before, letter))
        if was is None:
            assert now is not None
            yield Difference(f"Room {letter} “{now.name}” is new", squares)
        elif now is None:
            yield Difference(f"Room {letter} “{was.name}” is gone", squares)
        else:
            for line in _room(was, now):
                yield Difference(f"Room {letter} “{now.name}”: {line}", squares)
    if old.keys() == new.keys() and list(old) != list(new):
        yield Difference("The rooms are listed in another order")


def _by_letter(rooms: tuple[RoomInfo, ...]) -> dict[tuple[str, int], RoomInfo]:
    """Return rooms by letter; one whose letter others had before it counts on."""
    seen: Counter[str] = Counter()
    found = {}
    for room in rooms:
        found[room.letter, seen[room.letter]] = room
        seen[room.letter] += 1
    return found


def _room(was: RoomInfo, now: RoomInfo) -> Iterator[str]:
    if was.name != now.name:
        yield f"was called “{was.name}”"
    if was.level != now.level:
        yield f"level “{was.level}” → “{now.level}”"
    if was.setup != now.setup:
        letters = (" ".join(one.setup) or "none" for one in (was, now))
        yield f"set-up letters {' → '.join(letters)}"
    yield from (one.text for one in _unknown(was.extra, now.extra, "its"))


def _squares(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    moved: dict[tuple[str, str], list[Square]] = {}
    for y in range(max(before.height, after.height)):
        was = before.grid[y] if y < before.height else ""
        now = after.grid[y] if y < after.height else ""
        if was == now:
            continue
        for x in range(max(len(was), len(now))):
            one = was[x] if x < len(was) else ROCK
            other = now[x] if x < len(now) else ROCK
            if one != other:
                moved.setdefault((one, other), []).append((x, y))
    for (one, other), squares in moved.items():
        what = f"{counted(len(squares), 'square')} of {_room_named(before, one)}"
        text = f"{what} became {_room_named(after, other)}: {_extent(squares)}"
        yield Difference(text, frozenset(squares))


def _room_named(plan: FloorPlan, letter: str) -> str:
    if letter == ROCK:
        return "rock"
    name = next((room.name for room in plan.rooms if room.letter == letter), "")
    return f"“{name}”" if name else f"the letter {letter}"


def _extent(squares: list[Square]) -> str:
    """Return where squares are: each of a few, else the corners of the box they lie in."""
    if len(squares) <= PLACES_SHOWN:
        return ", ".join(f"{x},{y}" for x, y in squares)
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    return f"within {min(xs)},{min(ys)} to {max(xs)},{max(ys)}"


def _edges(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    if before.edges == after.edges:
        return
    old, new = _overrides(before), _overrides(after)
    changed = []
    same = 0
    for place in sorted(old.keys() | new.keys(), key=lambda one: (one[1], one[0], one[2])):
        was, now = old.get(place), new.get(place)
        if was == now:
            continue
        if before.edge_kind(*place) == after.edge_kind(*place):
            same += 1
        else:
            changed.append((place, _kind(was), _kind(now)))
    if len(changed) > EDGES_TOLD:
        kinds: dict[tuple[str, str], list[Square]] = {}
        for (x, y, _), one, other in changed:
            kinds.setdefault((one, other), []).append((x, y))
        for (one, other), squares in kinds.items():
            text = f"{counted(len(squares), 'edge')}: {one} → {other}, {_extent(squares)}"
            yield Difference(text, frozenset(squares))
    else:
        for (x, y, side), one, other in changed:
            yield Difference(f"Edge {x},{y} {side}: {one} → {other}", frozenset([(x, y)]))
    if same or not changed:
        what = counted(same, "edge") if same else "The edges"
        yield Difference(f"{what} written in another way, to the same effect")


def _overrides(plan: FloorPlan) -> dict[tuple[int, int, Side], EdgeKind]:
    return {owner(edge.x, edge.y, edge.side): edge.kind for edge in plan.edges}


def _kind(kind: EdgeKind | None) -> str:
    return "as the rooms make it" if kind is None else KIND_WORDS[kind]


def _equipment(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    if before.equipment == after.equipment:
        return
    gone, new = _lost_and_new(before.equipment, after.equipment)
    for one in list(gone):
        same = next((other for other in new if other.kind == one.kind), None)
        if same is not None:
            gone.remove(one)
            new.remove(same)
            text = f"The {one.kind} at {_spot(one)} is at {_spot(same)}"
            if _spot(one) == _spot(same):
                text = f"The {one.kind} at {_spot(one)} has other fields that this program does not know"
            yield Difference(text, frozenset([(one.x, one.y), (same.x, same.y)]))
    yield from (
        Difference(f"The {one.kind} at {_spot(one)} is gone", frozenset([(one.x, one.y)])) for one in gone
    )
    yield from (
        Difference(f"A {one.kind} at {_spot(one)} is new", frozenset([(one.x, one.y)])) for one in new
    )
    if Counter(map(repr, before.equipment)) == Counter(map(repr, after.equipment)):
        yield Difference("The equipment is listed in another order")


def _lost_and_new(before: Iterable[T], after: Iterable[T]) -> tuple[list[T], list[T]]:
    """Return what is only in the first and what only in the second."""
    new = list(after)
    gone = []
    for one in before:
        if one in new:
            new.remove(one)
        else:
            gone.append(one)
    return gone, new


def _spot(one: Equipment) -> str:
    return f"{one.x},{one.y}" + (f" {one.side}" if one.side else "")


def _entries(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    if before.entries == after.entries:
        return
    old = {entry.name: entry for entry in reversed(before.entries)}
    new = {entry.name: entry for entry in reversed(after.entries)}
    told = False
    for name in [*dict.fromkeys(one.name for one in (*before.entries, *after.entries))]:
        was, now = old.get(name), new.get(name)
        if was is None and now is not None:
            told = True
            yield Difference(f"Entry “{name}” at {now.x},{now.y} is new", frozenset([(now.x, now.y)]))
        elif now is None and was is not None:
            told = True
            yield Difference(f"Entry “{name}” at {was.x},{was.y} is gone", frozenset([(was.x, was.y)]))
        elif was is not None and now is not None and was != now:
            told = True
            squares = frozenset([(was.x, was.y), (now.x, now.y)])
            yield from (Difference(f"Entry “{name}”: {line}", squares) for line in _entry(was, now))
    if not told:
        yield Difference("The entries are listed in another order")


def _entry(was: Entry, now: Entry) -> Iterator[str]:
    if (was.x, was.y, was.side) != (now.x, now.y, now.side):
        yield (
            f"at {was.x},{was.y} {was.side or ''}".rstrip() + f" → {now.x},{now.y} {now.side or ''}".rstrip()
        )
    if was.enter != now.enter:
        yield f"{was.enter} → {now.enter} may come in a phase"
    if was.leave != now.leave:
        yield f"{was.leave} → {now.leave} may leave in a phase"
    yield from (one.text for one in _unknown(was.extra, now.extra, "its"))


def _pairs(before: FloorPlan, after: FloorPlan) -> Iterator[Difference]:
    if before.no_sight == after.no_sight:
        return
    old, new = Counter(before.no_sight), Counter(after.no_sight)
    for one, other in (old - new).elements():
        yield Difference(f"“{one}” and “{other}” are no longer a pair without sight")
    for one, other in (new - old).elements():
        yield Difference(f"“{one}” and “{other}” are a pair without sight now")
    if old == new:
        yield Difference("The pairs without sight are listed in another order")


def _unknown(old: Extra, new: Extra, whose: str) -> Iterator[Difference]:
    """Tell of keys that nobody here knows."""
    if old == new:
        return
    before, after = dict(old), dict(new)
    keys = [key for key in {**before, **after} if before.get(key, ...) != after.get(key, ...)]
    for key in keys:
        yield Difference(f"{whose} field “{key}”, which this program does not know, is another")
    if not keys:
        yield Difference(f"{whose} fields that this program does not know are in another order")


# The scenario


def _scenario(before: Scenario, after: Scenario) -> Iterator[Difference]:
    if before == after:
        return
    for field in msgspec.structs.fields(Scenario):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old == new:
            continue
        if field.name == "map":
            yield Difference(f"Map: {_map_named(before)} → {_map_named(after)}")
        elif field.name == "placements":
            yield from _placements(before.placements, after.placements)
        elif field.name == "extra":
            yield from _unknown(old, new, "The scenario's")
        else:
            yield from _value(field.name, old, new)


def _map_named(scenario: Scenario) -> str:
    if not isinstance(scenario.map, str) or scenario.map == OWN_MAP:
        return "in the scenario's own file"
    return f"“{scenario.map}”"


def _placements(before: tuple[Placement, ...], after: tuple[Placement, ...]) -> Iterator[Difference]:
    gone, new = _lost_and_new(before, after)
    yield from (
        Difference(f"Fixed placement: {_placed(one)} is gone", frozenset([one.square])) for one in gone
    )
    yield from (Difference(f"Fixed placement: {_placed(one)} is new", frozenset([one.square])) for one in new)
    if not gone and not new:
        yield Difference("The fixed placements are listed in another order")


def _placed(one: Placement) -> str:
    return f"the {one.kind.replace('_', ' ')} at {one.square[0]},{one.square[1]}"


def _value(path: str, old: Any, new: Any) -> Iterator[Difference]:
    """Tell of a field of the scenario, part by part where it has parts."""
    switch = BY_PATH.get(path)
    if isinstance(old, Part) and isinstance(new, Part) and type(old) is type(new):
        for field in msgspec.structs.fields(type(old)):
            one, other = getattr(old, field.name), getattr(new, field.name)
            if one != other and field.name == "extra":
                yield from _unknown(one, other, f"{_titled(path)}:")
            elif one != other:
                yield from _value(f"{path}.{field.name}", one, other)
    elif path == "start.figures":
        yield from _figures(old, new)
    elif switch is not None and not isinstance(new, Part) and not isinstance(old, Part):
        one, other = value_words(switch, old), value_words(switch, new)
        if one == other:
            one, other = _said(old), _said(new)
        yield Difference(f"{switch.title}: {one} → {other}")
    else:
        has = ("there" if one is not None else "not there" for one in (old, new))
        is_presence = old is None or new is None
        text = f"{_titled(path)}: {' → '.join(has)}" if is_presence else _was(_titled(path), old, new).text
        yield Difference(text)


def _titled(path: str) -> str:
    switch = BY_PATH.get(path)
    if switch is not None:
        return switch.title
    return path.replace("_", " ").replace(".", ", ").capitalize()


def _figures(before: tuple[StartFigure, ...], after: tuple[StartFigure, ...]) -> Iterator[Difference]:
    old = {one.name: one for one in reversed(before)}
    new = {one.name: one for one in reversed(after)}
    told = False
    for name in {**old, **new}:
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        told = True
        squares = frozenset(one.square for one in (was, now) if one is not None and one.square is not None)
        if was is None or now is None:
            yield Difference(f"Start position: {name} is {'new' if was is None else 'gone'}", squares)
            continue
        for field in msgspec.structs.fields(StartFigure):
            one, other = getattr(was, field.name), getattr(now, field.name)
            if one != other:
                what = f"Start position: {name}, {field.name.replace('_', ' ')}"
                yield Difference(_was(what, one, other).text, squares)
    if not told:
        yield Difference("The figures of the start position are listed in another order")
