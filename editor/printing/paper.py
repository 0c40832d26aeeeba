"""A sheet of paper in units, and a page on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPageSize, QPainter

from editor.printing.options import Paper, Part, PrintOptions

PAGE_SIZES: Final[dict[Paper, QPageSize.PageSizeId]] = {
    "a4": QPageSize.PageSizeId.A4,
    "a3": QPageSize.PageSizeId.A3,
    "letter": QPageSize.PageSizeId.Letter,
    "tabloid": QPageSize.PageSizeId.Tabloid,
}

MM: Final = 100.0
"""Units of a page in a millimetre."""
MARGIN: Final = 10.0 * MM
"""The rim of a sheet that many printers leave white, with room for crop marks."""
FOOT: Final = 8.0 * MM
"""The line at the foot of a page that says which it is."""


def size_of(options: PrintOptions, is_landscape: bool) -> QSizeF:
    """Return the size of a sheet, units."""
    wide, high = options.size(is_landscape)
    return QSizeF(wide * MM, high * MM)


def area_of(options: PrintOptions, is_landscape: bool) -> QRectF:
    """Return the part of a sheet that is printed on, its foot apart, units."""
    size = size_of(options, is_landscape)
    return QRectF(MARGIN, MARGIN, size.width() - 2 * MARGIN, size.height() - 2 * MARGIN - FOOT)


class Page(NamedTuple):
    """One side of a sheet: what it is called, of which part, which way it lies, and what is on it.

    `paint` draws in units from the sheet's upper left corner.
    """

    name: str
    part: Part
    is_landscape: bool
    paint: Callable[[QPainter], None]
