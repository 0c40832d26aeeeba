"""Maps ready to be drawn, kept for the next look at them with other choices."""

from __future__ import annotations

from functools import lru_cache

from app import theme
from app.board.plan import PlanArt
from editor.printing.inks import BLACK_AND_WHITE, MODE, inks
from engine.fortress.floorplan import FloorPlan, format_floorplan, parse_floorplan


def art_of(plan: FloorPlan, look: str) -> PlanArt:
    """Return a map in a palette: one of the window's by its mode, or one of `inks`.

    What is returned may be shared, and is not to be changed.
    """
    return _kept(format_floorplan(plan), look)


@lru_cache(maxsize=4)
def _kept(raw: bytes, look: str) -> PlanArt:
    colors = inks(look == BLACK_AND_WHITE) if look in (MODE, BLACK_AND_WHITE) else theme.palette_of(look)
    return PlanArt(parse_floorplan(raw), colors)
