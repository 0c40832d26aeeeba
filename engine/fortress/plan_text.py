"""A plan as text that people draw by hand: rows of letters, then a section each for what the letters mean.

[grid] [rooms] [edges] [equipment] [entries] [sight]; "#" begins a comment, "-" stands for none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from engine.core.files import BadFile, Part, shortened
from engine.fortress.floorplan import KIND, STEP, VERSION, FloorPlan, parse_floorplan


def is_plan_text(raw: bytes) -> bool:
    """Return whether a file's bytes look like the text of a plan rather than JSON."""
    return raw.lstrip()[:1] != b"{" and any(line.strip() == b"[grid]" for line in raw.splitlines()[:500])


def parse_floorplan_text(text: str, name: str = "", path: str = "") -> FloorPlan:
    """Return the plan that a text draws in [grid] [rooms] [edges] [equipment] [entries] [sight].

    "#" begins a comment, in the grid only before its first row; "-" stands for none. What comes first in a
    text without [grid] is the grid.

    Raises BadFile with a line for every fault.
    """
    sections, found = _sections(text)
    if not _is_whole(text):
        found += [
            f"line {number}: holds half of a surrogate pair"
            for number, line in enumerate(text.splitlines(), 1)
            if not _is_whole(line)
        ]
    parts: dict[str, list[dict[str, object]]] = {
        key: [] for key in ("rooms", "edges", "equipment", "entries")
    }
    readers = {"rooms": _room_row, "edges": _edge_row, "equipment": _equipment_row, "entries": _entry_row}
    for key, reader in readers.items():
        for number, row in sections[key]:
            try:
                parts[key].append(reader(row))
            except ValueError:
                found.append(f"line {number}: {row[:60]!r} is not a row of [{key}]")
    pairs = []
    for number, row in sections["sight"]:
        pair = [one.strip() for one in row.split("|")]
        if len(pair) != 2:
            found.append(f"line {number}: {row[:60]!r} is not two room names parted by |")
        else:
            pairs.append(pair)
    if found:
        raise BadFile(shortened(found), path)
    document = {
        "format": KIND,
        "version": VERSION,
        "name": name.encode(errors="replace").decode(),
        "grid": [row for _, row in sections["grid"]],
        **parts,
        "no_sight": pairs,
    }
    try:
        return parse_floorplan(msgspec.json.encode(document), path)
    except BadFile as error:
        lines = text_lines(text)
        raise BadFile([_with_line(fault, lines) for fault in error.problems], path) from error


def _is_whole(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def text_lines(text: str) -> dict[str, int]:
    """Return on which line of a text that draws a plan each part of it stands, by its place ("edges[3]")."""
    sections, _ = _sections(text)
    places = {"sight": "no_sight"}
    return {
        f"{places.get(key, key)}[{at}]": number
        for key, rows in sections.items()
        for at, (number, _) in enumerate(rows)
    }


def _with_line(fault: str, lines: Mapping[str, int]) -> str:
    """Return a fault led by its line instead of its place, where that is a row of the text."""
    if fault == "grid: has no squares":
        return "there is no row of letters under [grid]"
    found = re.match(r"([a-z_]+\[\d+\])(?:\.(\w+))?: ", fault)
    if found is None or found[1] not in lines:
        return fault
    field = f"{found[2]}: " if found[2] else ""
    rest = re.sub(r"\bgrid\[\d+\]", lambda one: f"line {lines[one[0]]}", fault[found.end() :])
    return f"line {lines[found[1]]}: {field}{rest}"


def _sections(text: str) -> tuple[dict[str, list[tuple[int, str]]], list[str]]:
    """Return the rows of each section with the numbers of their lines, and what is no section."""
    sections: dict[str, list[tuple[int, str]]] = {
        key: [] for key in ("grid", "rooms", "edges", "equipment", "entries", "sight")
    }
    found: list[str] = []
    lines = text.splitlines()
    section = "" if any(line.strip() == "[grid]" for line in lines) else "grid"
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if bare.startswith("[") and bare.endswith("]") and bare[1:-1].isalpha():
            section = bare[1:-1]
            if section not in sections:
                found.append(f"line {number}: [{section[:20]}] is not a section of a plan")
                section = ""
            continue
        if section != "grid" or not sections["grid"]:
            bare = "" if bare.startswith("#") else bare
        if section != "grid":
            bare = bare.split(" #")[0].rstrip()
        if bare and section:
            sections[section].append((number, bare))
    return sections, found


def _place(text: str) -> tuple[int, int]:
    x, y = text.split(",")
    return int(x), int(y)


def _room_row(row: str) -> dict[str, object]:
    letter, rest = row.split(maxsplit=1)
    named, level, setup = rest.rsplit(maxsplit=2)
    return {"letter": letter, "name": named, "level": level, "setup": "" if setup == "-" else setup}


def _edge_row(row: str) -> dict[str, object]:
    kind, place, side = row.split()
    x, y = _place(place)
    return {"x": x, "y": y, "side": side, "kind": kind}


def _equipment_row(row: str) -> dict[str, object]:
    kind, place, *rest = row.split()
    x, y = _place(place)
    if len(rest) > 1:
        raise ValueError(row)
    return {"kind": kind, "x": x, "y": y, "side": rest[0] if rest and rest[0] != "-" else None}


def _entry_row(row: str) -> dict[str, object]:
    named, place, enter, leave, side = row.rsplit(maxsplit=4)
    x, y = _place(place)
    return {
        "name": named,
        "x": x,
        "y": y,
        "enter": int(enter),
        "leave": int(leave),
        "side": None if side == "-" else side,
    }


def text_losses(plan: FloorPlan) -> tuple[str, ...]:
    """Return, a line each, what the text of a plan cannot hold: it is left out or written in another way."""
    found = []
    if plan.notes:
        found.append("notes: the text has no place for them")
    for at, room in enumerate(plan.rooms):
        if _one_word(room.level) != room.level:
            found.append(f'rooms[{at}].level: "{room.level}" is written as {_one_word(room.level)}')
        if _in_a_line(room.name) != room.name:
            found.append(f"rooms[{at}].name: is written as {_in_a_line(room.name)}")
    found += [
        f"entries[{at}].name: is written as {_in_a_line(entry.name)}"
        for at, entry in enumerate(plan.entries)
        if _in_a_line(entry.name) != entry.name
    ]
    parts: tuple[tuple[str, tuple[Part, ...]], ...] = (
        ("rooms", plan.rooms),
        ("edges", plan.edges),
        ("equipment", plan.equipment),
        ("entries", plan.entries),
    )
    found += [
        f"{key}[{at}].{name}: has no place"
        for key, some in parts
        for at, one in enumerate(some)
        for name, _ in one.extra
    ]
    return (*found, *(f"{name}: has no place" for name, _ in plan.extra))


def format_floorplan_text(plan: FloorPlan) -> str:
    """Return a plan as the text that `parse_floorplan_text` reads, but for what `text_losses` names.

    Comments say what the rooms on both sides of an edge are called.
    """
    lines = [f"# {_in_a_line(plan.name)}", "", "[grid]", *plan.grid, "", "[rooms]"]
    lines.append("# letter  name  level  who may be set up there (S servants, T technicians, J Jellies)")
    names = [_in_a_line(room.name) for room in plan.rooms]
    wide, high = max(map(len, names), default=0), max((len(r.level) for r in plan.rooms), default=0)
    lines += [
        f"{room.letter}  {name:{wide}}  {_one_word(room.level):{high}}  {room.setup or '-'}"
        for room, name in zip(plan.rooms, names, strict=True)
    ]
    lines += ["", "[edges]", "# kind  x,y  side"]
    for edge in plan.edges:
        dx, dy = STEP[edge.side]
        beside = (plan.room_at(edge.x, edge.y), plan.room_at(edge.x + dx, edge.y + dy))
        words = " - ".join("rock" if room is None else _in_a_line(room.name) for room in beside)
        place = f"{edge.x},{edge.y}"
        lines.append(f"{edge.kind:8} {place:>7} {edge.side}  # {words}")
    lines += ["", "[equipment]", "# kind  x,y  the wall that a computer stands along"]
    for thing in plan.equipment:
        place = f"{thing.x},{thing.y}"
        lines.append(f"{thing.kind:8} {place:>7} {thing.side or '-'}")
    lines += ["", "[entries]", "# name  x,y  in a phase  out a phase  edge"]
    for entry in plan.entries:
        place = f"{entry.x},{entry.y}"
        lines.append(
            f"{_in_a_line(entry.name):20} {place:>7} {entry.enter:2} {entry.leave:2} {entry.side or '-'}"
        )
    if plan.no_sight:
        lines += ["", "[sight]", "# no sight line runs between these rooms (5.9)"]
        lines += [f"{_in_a_line(a)} | {_in_a_line(b)}" for a, b in plan.no_sight]
    return "\n".join(lines) + "\n"


def _one_word(text: str) -> str:
    return "-".join(text.split()) or "-"


def _in_a_line(text: str) -> str:
    """Return a name without what would end it in the text: line ends, the sign of a comment, a bar."""
    return " ".join(text.replace("#", "No.").replace("|", "/").split()) or "-"
