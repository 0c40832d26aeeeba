"""Universal VTT 0.3: a map with its picture, the walls that stop sight, and its doors as portals.

Points are in squares from the map's upper left corner. Common doors are portals that stand open, armored
ones are closed, as the game sees them (R2); drop-offs and openings stop no sight. Clone tanks and
computers are obstacles of their own, which an importer may leave out.
"""

from __future__ import annotations

import base64
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from editor.draft import Draft
from editor.exports.forms import ExportOptions
from engine.fortress.floorplan import COMPASS, STEP, FloorPlan, Side, owner
from engine.fortress.stencils import TANK_RADIUS, computer_box

FORMAT: Final = 0.3
CORNERS: Final = 64
"""Of the polygon that stands for a clone tank; round enough that no line from centre to centre differs."""

Point = tuple[float, float]
Line = tuple[Point, ...]


def wall_lines(plan: FloorPlan) -> tuple[Line, ...]:
    """Return all walls, the rim's too, joined to runs as long as may be, upright ones first."""
    runs: dict[tuple[bool, int], set[int]] = defaultdict(set)
    for (x, y, side), kind in _edges(plan):
        if kind == "wall":
            is_upright = side == "E"
            runs[is_upright, (x + 1 if is_upright else y + 1)].add(y if is_upright else x)
    found = []
    for (is_upright, line), places in sorted(runs.items(), key=lambda one: (not one[0][0], one[0][1])):
        start = None
        for at in range(min(places), max(places) + 2):
            if at in places and start is None:
                start = at
            elif at not in places and start is not None:
                ends = ((line, start), (line, at)) if is_upright else ((start, line), (at, line))
                found.append(tuple((float(one), float(other)) for one, other in ends))
                start = None
    return tuple(found)


def object_lines(plan: FloorPlan) -> tuple[Line, ...]:
    """Return closed outlines of the clone tanks and computers, as they stop sight (R2)."""
    return tuple(_outline(plan, at) for at in range(len(plan.equipment)))


def _outline(plan: FloorPlan, at: int) -> Line:
    thing = plan.equipment[at]
    if thing.kind == "computer":
        left, top, right, bottom = computer_box(thing.x, thing.y, thing.side or "S")
        return ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    # As far outside of the circle at the corners as inside of it between them.
    radius = 2 * TANK_RADIUS / (1 + math.cos(math.pi / CORNERS))
    turns = [2 * math.pi * (corner + 0.5) / CORNERS for corner in range(CORNERS)]
    points = [
        (
            round(thing.x + 0.5 + radius * math.cos(turn), 4),
            round(thing.y + 0.5 + radius * math.sin(turn), 4),
        )
        for turn in turns
    ]
    return (*points, points[0])


def portals(plan: FloorPlan) -> list[dict[str, Any]]:
    """Return the doors; an armored one is closed."""
    found = []
    for (x, y, side), kind in _edges(plan):
        if kind not in ("door", "armored"):
            continue
        ends = ((x + 1, y), (x + 1, y + 1)) if side == "E" else ((x, y + 1), (x + 1, y + 1))
        middle = ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2)
        found.append(
            {
                "position": _point(middle),
                "bounds": [_point(end) for end in ends],
                "rotation": round(math.pi / 2, 6) if side == "E" else 0.0,
                "closed": kind == "armored",
                "freestanding": False,
            }
        )
    return found


def _edges(plan: FloorPlan) -> Iterator[tuple[tuple[int, int, Side], str]]:
    """Yield every edge of a room's square that is not open, once, by its owner."""
    seen = set()
    for y in range(plan.height):
        for x in range(plan.width):
            for side in COMPASS:
                dx, dy = STEP[side]
                if plan.room_at(x, y) is None and plan.room_at(x + dx, y + dy) is None:
                    continue
                edge = owner(x, y, side)
                if edge not in seen:
                    seen.add(edge)
                    kind = plan.edge_kind(x, y, side)
                    if kind not in ("open", "dropoff"):
                        yield edge, kind


def _point(point: Point) -> dict[str, float]:
    return {"x": float(point[0]), "y": float(point[1])}


def tabletop_bytes(draft: Draft, options: ExportOptions) -> bytes:
    """Return a map as a Universal VTT file; raises CannotExport where its picture would be too large."""
    from editor.exports.pictures import png_bytes

    plan = draft.plan
    # The picture is the squares and nothing else, or the tabletop's grid would not lie on them.
    image = png_bytes(draft, options._replace(has_rim=False, has_figures=False))
    document = {
        "format": FORMAT,
        "resolution": {
            "map_origin": _point((0, 0)),
            "map_size": _point((plan.width, plan.height)),
            "pixels_per_grid": options.pixels,
        },
        "line_of_sight": [[_point(point) for point in line] for line in wall_lines(plan)],
        "objects_line_of_sight": [[_point(point) for point in line] for line in object_lines(plan)],
        "portals": portals(plan),
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": base64.b64encode(image).decode(),
    }
    return msgspec.json.encode(document) + b"\n"
