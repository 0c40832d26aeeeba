"""Timing turn about: every rival of a race runs in every round, so that a slow spell hits all."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from engine.fortress import EdgeOverride, FloorPlan, RoomInfo, parse_floorplan
from resources.path import resource


def race(rivals: dict[str, Callable[[], object]], rounds: int = 7, budget: float = 0.05) -> dict[str, float]:
    """Return the median CPU seconds of one call of each rival."""
    calls = {}
    for name, call in rivals.items():
        call()
        start = time.process_time()
        call()
        once = max(time.process_time() - start, 1e-7)
        calls[name] = max(1, int(budget / once))
    got: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, call in rivals.items():
            start = time.process_time()
            for _ in range(calls[name]):
                call()
            got[name].append((time.process_time() - start) / calls[name])
    return {name: statistics.median(times) for name, times in got.items()}


def median_ms(work: Callable[[], object], times: int = 60) -> float:
    """Return the median CPU milliseconds of a call, after one that warms up."""
    work()
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append((time.process_time() - start) * 1000)
    return statistics.median(found)


def machine() -> float:
    """Return millions of additions a second in a plain loop: 25 where the targets in ms were set."""
    start = time.process_time()
    total = 0
    for number in range(2_000_000):
        total += number
    return 2 / (time.process_time() - start)


def say(target: str, what: str, value: float, unit: str, wanted: str) -> None:
    """Print one row."""
    print(f"{target:3} {what:58} {value:10.3g} {unit:6} (target {wanted})", flush=True)


def citadel() -> FloorPlan:
    """Return the shipped citadel."""
    return parse_floorplan(resource("maps/citadel.json").read_bytes())


def halved(width: int, height: int, walls: int, seed: int = 7) -> FloorPlan:
    """Return a map of one hall cut in two again and again, with a gap in each dividing wall."""
    rng = random.Random(seed)
    edges: list[EdgeOverride] = []
    rooms = [(0, 0, width, height)]
    while walls > 0 and rooms:
        rooms.sort(key=lambda room: room[2] * room[3])
        x, y, w, h = rooms.pop()
        if max(w, h) < 2:
            break
        upright = w >= h
        long, across = (w, h) if upright else (h, w)
        cut = rng.randrange(max(1, long // 3), max(2, long - long // 3))
        gap = rng.randrange(across)
        for at in range(across):
            if at != gap and walls > 0:
                walls -= 1
                column, row = (x + cut - 1, y + at) if upright else (x + at, y + cut - 1)
                edges.append(EdgeOverride(x=column, y=row, side="E" if upright else "S", kind="wall"))
        if upright:
            rooms += [(x, y, cut, h), (x + cut, y, w - cut, h)]
        else:
            rooms += [(x, y, w, cut), (x, y + cut, w, h - cut)]
    return FloorPlan(
        name=f"halved {width}x{height}",
        grid=tuple("A" * width for _ in range(height)),
        rooms=(RoomInfo(letter="A", name="Hall", level="lower", setup="STJ"),),
        edges=tuple(edges),
    )
