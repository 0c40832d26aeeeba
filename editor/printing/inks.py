"""The colours on paper: the light palette whatever the window wears, with white for the ground."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from PySide6.QtGui import QColor

from app import theme

MODE: Final = "print"
BLACK_AND_WHITE: Final = "print, black and white"
_WHITE: Final = "#ffffff"
_BLACK: Final = "#000000"
_LOW, _HIGH = "#e4e4e4", _WHITE


@cache
def inks(is_black_and_white: bool) -> theme.Colors:
    """Return the palette of a print, in colours or in black, white and a few greys."""
    white, clear = QColor(_WHITE), QColor(0, 0, 0, 0)
    light = theme.palette_of("light")
    ground = replace(light, mode=MODE, paper=white, panel=white, field=white, chip_shadow=clear)
    if not is_black_and_white:
        return ground
    black, low, high = QColor(_BLACK), QColor(_LOW), QColor(_HIGH)
    return replace(
        ground,
        ink=black,
        soft=QColor("#404040"),
        faint=QColor("#a8a8a8"),
        wall=black,
        rooms=(low, high) * (len(light.rooms) // 2),
        room_name=QColor("#303030"),
        terminator=black,
        terminator_art=white,
        clonemaster=white,
        clonemaster_art=black,
        chip_edge=black,
        accent=black,
        accent_text=white,
        danger=black,
        ok=black,
    )
