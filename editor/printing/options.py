"""What may be chosen about a print; without Qt."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

Paper = Literal["a4", "a3", "letter", "tabloid"]
Orientation = Literal["auto", "portrait", "landscape"]
Backs = Literal["fold", "duplex", "none"]
Part = Literal["map", "counters", "tactics", "markers", "records", "track", "tables", "symbols"]

PAPERS: Final[tuple[Paper, ...]] = get_args(Paper)
ORIENTATIONS: Final[tuple[Orientation, ...]] = get_args(Orientation)
BACKS: Final[tuple[Backs, ...]] = get_args(Backs)
PARTS: Final[tuple[Part, ...]] = get_args(Part)
MAP_PARTS: Final[tuple[Part, ...]] = ("map",)
"""What is printed of a bare map unless more is asked for."""

PAPER_NAMES: Final[dict[Paper, str]] = {"a4": "A4", "a3": "A3", "letter": "Letter", "tabloid": "Tabloid"}
PART_NAMES: Final[dict[Part, str]] = {
    "map": "Map",
    "counters": "Counters",
    "tactics": "Tactics counters",
    "markers": "Markers",
    "records": "Record sheets",
    "track": "Turn track",
    "tables": "Tables",
    "symbols": "Symbol chart",
}
_SIZES: Final[dict[Paper, tuple[float, float]]] = {
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "letter": (215.9, 279.4),
    "tabloid": (279.4, 431.8),
}

SQUARE_SIZES: Final = (8.0, 60.0)  # mm
OVERLAPS: Final = (0.0, 30.0)  # mm
SMALLEST_COUNTER: Final = 8.0
"""A counter is never smaller than this, mm; its symbols could not be read."""
USUAL_SQUARE: Final = 20.0
"""The side of a square unless another is asked for, mm."""


class PrintOptions(NamedTuple):
    """What may be chosen about a print; lengths in mm.

    `square` is the side of a square of the map. With `is_one_sheet` the map is made to fit one sheet,
    and its squares are what they come to. `overlap` is how far a sheet of the map runs on under the next
    one. `backs` says how counters get theirs: on the other half of a strip to be folded, on a sheet of
    their own for printing on both sides (turned over the long edge), or not at all. Without `parts`
    everything is printed, of a bare map only the map. Where it `is_cropped` the map is printed without the
    empty rock round it.
    """

    paper: Paper = "a4"
    orientation: Orientation = "auto"
    square: float = USUAL_SQUARE
    is_one_sheet: bool = False
    overlap: float = 6.0
    backs: Backs = "fold"
    is_black_and_white: bool = False
    parts: tuple[Part, ...] = ()
    is_cropped: bool = True

    def parts_of(self, is_map: bool) -> tuple[Part, ...]:
        """Return what to print, in the order of printing."""
        return tuple(part for part in PARTS if part in self.parts) or (MAP_PARTS if is_map else PARTS)

    def size(self, is_landscape: bool) -> tuple[float, float]:
        """Return the width and height of a sheet, mm."""
        wide, high = _SIZES[self.paper]
        return (high, wide) if is_landscape else (wide, high)

    def lies_across(self) -> tuple[bool, ...]:
        """Return the ways a sheet may lie, False upright, the first the better where both do as well."""
        return {"auto": (False, True), "portrait": (False,), "landscape": (True,)}[self.orientation]


class CannotPrint(ValueError):
    """A choice that no sheet can follow, said in a sentence."""


def check(options: PrintOptions) -> None:
    """Refuse sizes that make no sense; raises CannotPrint."""
    for name, value, (least, most) in (
        ("a square", options.square, SQUARE_SIZES),
        ("the overlap", options.overlap, OVERLAPS),
    ):
        if not least <= value <= most:
            raise CannotPrint(f"{name} can be {least:g} to {most:g} mm, not {value:g}")
