"""Repair mode: what can be opened of a file with faults, and a line for each on what was wrong and done.

A value that the model refuses is left out, so that its default takes its place; where there is none, a
filler does, or else the whole item of the list goes. Nothing is repaired that is not told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from editor.edits.squares import GROUND_LEVEL
from editor.files.reading import decoded
from engine.core.files import BadFile, NewerFile
from engine.fortress.floorplan import MAX_SIDE, ROCK, FloorPlan, faults
from engine.raid.scenario import Scenario

FAULTS_LIMIT: Final = 1000
"""Faults beyond which a file is refused: that many are no slip of the pen."""
PASSES_LIMIT: Final = 60
UNTITLED: Final = "Untitled"

_FILLERS: Final = {
    "name": UNTITLED,
    "level": GROUND_LEVEL,
    "setup": "",
    "rooms": (),
    "enter": 1,
    "leave": 1,
}
"""What stands for a key that must be there, by its name; an item of a list without any other key goes."""
_GONE: Final = "the whole of it is left out"
_TOKEN: Final = re.compile(r'\[(\d+)\]|\.?([\w$-]{1,40}|"(?:[^"\\]|\\.)*")')
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def repaired(raw: bytes, kind: str, path: str = "") -> tuple[FloorPlan | Scenario, tuple[str, ...]]:
    """Return what a file of a kind holds as far as it can be used, and what was wrong, a line each.

    Raises NewerFile, and BadFile where nothing can be made of it.
    """
    first: tuple[str, ...] = ()
    if raw.startswith(_BYTE_ORDER_MARK):
        raw = raw.removeprefix(_BYTE_ORDER_MARK)
        first = ("byte 0: begins with a byte order mark; it is left out",)
    repair: _Repair | None = None
    for _ in range(PASSES_LIMIT):
        try:
            value = decoded(raw, kind, path)
        except NewerFile:
            raise
        except BadFile as error:
            if repair is None:
                repair = _Repair(_loaded(raw, error), kind)
            if not repair.repair_all(error.problems) or len(repair.told) > FAULTS_LIMIT:
                raise
            raw = json.dumps(repair.document).encode()
        else:
            return value, first + (repair.lines if repair is not None else ())
    raise BadFile(("has more faults than can be repaired",), path)


def _loaded(raw: bytes, error: BadFile) -> dict[str, Any]:
    """Return a file's JSON object, of keys given twice the last; raises the error where it is none."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        raise error from None
    if not isinstance(document, dict):
        raise error
    return document


class _Repair:
    """A file's JSON object on its way to one that can be read, and what was told about it by place."""

    def __init__(self, document: dict[str, Any], kind: str) -> None:
        self.document = document
        self.told: dict[str, tuple[str, str]] = {}
        self._kind = kind
        # The numbers that a list's items have in the file, for lists that lost some.
        self._numbers: dict[int, list[int]] = {}

    @property
    def lines(self) -> tuple[str, ...]:
        """What was wrong and what was done, a line each."""
        return tuple(f"{place}: {fault}; {done}" for place, (fault, done) in self.told.items())

    def repair_all(self, problems: Sequence[str]) -> bool:
        """Change the object so that faults are gone; return False where one of them cannot be."""
        found = []
        for line in problems:
            place, _, message = line.removeprefix("the file: ").partition(": ")
            if message:  # else "and 12 more faults": they come back
                steps = [int(at) if at else _key(key) for at, key in _TOKEN.findall(place)]
                found.append((self._original(place, steps), place, steps, message))
        gone: set[tuple[int | str, ...]] = set()
        done: dict[str, str] = {}
        # From the end, so that the numbers of what is still to come stand when an item goes.
        for said, place, steps, message in reversed(found):
            if any(tuple(steps[:length]) in gone for length in range(len(steps))):
                done[said] = _GONE
            else:
                done[said] = self._done(place, steps, message, gone)
            if not done[said]:
                return False
        for said, _, _, message in found:
            before = self.told.get(said)
            self.told[said] = (before[0] if before is not None else message, done[said])
        return True

    def _original(self, place: str, steps: Sequence[int | str]) -> str:
        """Return a place with the numbers that it has in the file."""
        inner: Any = self.document
        said = ""
        for step in steps:
            if isinstance(step, int):
                numbers = self._numbers.get(id(inner))
                known = numbers[step] if numbers is not None and step < len(numbers) else step
                said += f"[{known}]"
            else:
                said += f".{step}" if said else step
            try:
                inner = inner[step]
            except (KeyError, IndexError, TypeError):
                inner = None
        return said or place

    def _done(
        self, place: str, steps: list[int | str], message: str, gone: set[tuple[int | str, ...]]
    ) -> str:
        """Repair a fault; return what was done in words, "" where nothing can be."""
        document = self.document
        if place == "format" and "format" not in document:
            document["format"] = self._kind
            return f"it is read as {self._kind}"
        if place == "version":
            document["version"] = 1
            return "it is read as version 1"
        if message == "the key is given twice":
            return "the last one counts"
        if place == "jellies" and message.partition(" cannot be picked from ")[2]:
            document["jellies"] = len(document.get("jelly_numbers", ()))
            return f"there are {document['jellies']}"
        inner = self._inner(steps)
        last = steps[-1] if steps else None
        if isinstance(inner, dict) and isinstance(last, str):
            if last not in inner:
                return self._filled(steps, inner, message, gone)
            if message == "holds half of a surrogate pair":
                inner[last] = str(inner[last]).encode(errors="replace").decode()
                return "its broken letter is replaced"
            del inner[last]
            return "it is left out"
        if isinstance(inner, list) and isinstance(last, int) and last < len(inner):
            if steps[-2:-1] == ["grid"]:
                inner[last] = ""
                return "the row is rock"
            self._take_out(inner, last)
            gone.add(tuple(steps))
            return "it is left out"
        return ""

    def _inner(self, steps: Sequence[int | str]) -> Any:
        """Return what holds the value at a place; None where there is no such place."""
        inner: Any = self.document
        for step in steps[:-1]:
            try:
                inner = inner[step]
            except (KeyError, IndexError, TypeError):
                return None
        return inner

    def _take_out(self, whole: list[Any], at: int) -> None:
        self._numbers.setdefault(id(whole), list(range(len(whole))))
        del whole[at]
        del self._numbers[id(whole)][at]

    def _filled(
        self, steps: list[int | str], inner: dict[str, Any], message: str, gone: set[tuple[int | str, ...]]
    ) -> str:
        """Put a filler where a key is missing, or take out the item of a list that lacks it."""
        key = str(steps[-1])
        if message == "missing" and key in _FILLERS:
            filler: Any = _FILLERS[key]
            if key == "name" and len(steps) > 2:
                filler = f"{UNTITLED} {inner.get('letter', steps[-2])}"
            inner[key] = filler
            return f"“{filler}” stands for it" if filler else "none is written down"
        if len(steps) > 2 and isinstance(steps[-2], int):
            whole = self._inner(steps[:-1])
            if isinstance(whole, list):
                self._take_out(whole, steps[-2])
                gone.add(tuple(steps[:-1]))
                return _GONE
        # A field that only its neighbours contradict: without them it can stay at its default.
        for other in ("required_jellies", "jelly_numbers"):
            if message != "missing" and other in inner:
                del inner[other]
                return f"{other} is left out"
        outer = self._inner(steps[:-1])
        if len(steps) > 1 and isinstance(outer, dict):
            del outer[steps[-2]]
            gone.add(tuple(steps[:-1]))
            return f"all of {steps[-2]} is left out"
        return ""


def _key(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def filled_out(plan: FloorPlan, within: str = "") -> tuple[FloorPlan, tuple[str, ...]]:
    """Return a plan with one width, and large enough for all that stands on it; and what was wrong before.

    `within` stands before the places. What is too short is filled up with rock, what is larger than a map
    may be is cut.
    """
    broken = faults(plan)
    if not broken:
        return plan, ()
    places = [
        *((edge.x, edge.y) for edge in plan.edges),
        *((thing.x, thing.y) for thing in plan.equipment),
        *((entry.x, entry.y) for entry in plan.entries),
    ]
    width = max([1, *(len(row) for row in plan.grid), *(x + 1 for x, _ in places)])
    height = max([1, len(plan.grid), *(y + 1 for _, y in places)])
    width, height = min(width, MAX_SIDE), min(height, MAX_SIDE)
    rows = [row[:width].ljust(width, ROCK) for row in plan.grid[:height]]
    rows += [ROCK * width] * (height - len(rows))
    return replace(plan, grid=tuple(rows)), tuple(f"{within}{line}; {_how(line, width)}" for line in broken)


def _how(line: str, width: int) -> str:
    """Return what is done about a fault of the grid or of something off it, in words."""
    if line.startswith("grid: ") and "beyond" in line:
        return "what is beyond it is cut off"
    row = re.match(r"grid\[\d+\]: has (\d+) squares", line)
    if row is not None and int(row[1]) > width:
        return "what is beyond the largest map is cut off"
    if row is not None and int(row[1]) == width:
        return "the other rows are filled up with rock"
    return "rock is filled in"
