"""Map files against bare msgspec with the collector paused (D1), with all checks (D2), and saving (D3).

`python -m tests.benchmarks.json_files`
"""

from __future__ import annotations

import gc
import json
from typing import Literal

import msgspec

from engine.core.files import decode
from engine.fortress import FloorPlan, format_floorplan, parse_floorplan
from engine.fortress.floorplan import KIND, VERSION, EdgeOverride
from engine.fortress.problems import problems
from tests.benchmarks.anchor import citadel, halved, machine, race, say


class BareEdge(msgspec.Struct, frozen=True):
    """An edge as plain msgspec reads it."""

    x: int
    y: int
    side: Literal["N", "E", "S", "W"]
    kind: Literal["door", "armored", "dropoff", "open", "wall"]


class BareRoom(msgspec.Struct, frozen=True):
    """A room as plain msgspec reads it."""

    letter: str
    name: str
    level: str
    setup: str


class BareMap(msgspec.Struct, frozen=True):
    """A map as plain msgspec reads it."""

    format: str
    version: int
    name: str
    grid: tuple[str, ...]
    rooms: tuple[BareRoom, ...]
    edges: tuple[BareEdge, ...] = ()


def large_plan(megabytes: float) -> FloorPlan:
    """Return a map whose file has about so many megabytes, nearly all of them edges."""
    plan = halved(200, 200, 20_000)
    edges: list[EdgeOverride] = []
    while len(edges) * 53 < megabytes * 1e6:
        edges.extend(plan.edges)
    return msgspec.structs.replace(plan, edges=tuple(edges[: int(megabytes * 1e6 / 53)]))


def main() -> None:
    """Measure and print."""
    print(f"machine: {machine():.1f} M adds/s")
    bare = msgspec.json.Decoder(BareMap)

    def paused(raw: bytes) -> BareMap:
        gc.disable()
        try:
            return bare.decode(raw)
        finally:
            gc.enable()

    for label, megabytes in (("100 KB", 0.1), ("5 MB", 5)):
        plan = large_plan(megabytes)
        raw = format_floorplan(plan)
        compact = json.dumps(json.loads(raw), separators=(",", ":")).encode()
        assert parse_floorplan(raw) == parse_floorplan(compact) == plan
        for form, data in (("as saved", raw), ("compact", compact)):
            times = race(
                {
                    "bare": lambda data=data: paused(data),  # type: ignore[misc]
                    "ours": lambda data=data: decode(data, FloorPlan, KIND, VERSION),  # type: ignore[misc]
                    "checked": lambda data=data: parse_floorplan(data),  # type: ignore[misc]
                }
            )
            say("D1", f"{label} {form}: decode and structure", len(data) / 1e6 / times["ours"], "MB/s", "-")
            say(
                "D1",
                f"{label} {form}: times msgspec, gc paused",
                times["bare"] / times["ours"],
                "x",
                ">= 0.7",
            )
            say(
                "D2",
                f"{label} {form}: parse_floorplan, all on the grid",
                len(data) / 1e6 / times["checked"],
                "MB/s",
                ">= 30",
            )
        document = json.loads(raw)
        times = race(
            {
                "ours": lambda plan=plan: format_floorplan(plan),  # type: ignore[misc]
                "indent": lambda document=document: json.dumps(document, indent=2),  # type: ignore[misc]
            },
            rounds=3,
        )
        say("D3", f"{label}: save, times json.dumps(indent)", times["indent"] / times["ours"], "x", ">= 1")
    raw = format_floorplan(citadel())
    times = race({"checked": lambda: problems(parse_floorplan(raw))})
    say(
        "D2",
        f"citadel, {len(raw) / 1000:.0f} KB: load with all checks",
        times["checked"] * 1000,
        "ms",
        "<= 5",
    )


if __name__ == "__main__":
    main()
