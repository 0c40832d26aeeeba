"""Plans for the tests: drawn in a few characters, or made at random."""

from __future__ import annotations

import random
from pathlib import Path

from engine.fortress import EdgeOverride, Entry, Equipment, FloorPlan, RoomInfo

CITADEL = Path(__file__).parents[2] / "resources" / "maps" / "citadel.json"


def drawn(grid: str, *edges: str, things: str = "", entries: str = "", no_sight: str = "") -> FloorPlan:
    """Return a plan from rows of letters; `edges` as "door 1,2 E", things "tank 1,1; computer 2,2 S"."""
    rows = tuple(grid.split())
    letters = sorted({letter for row in rows for letter in row if letter != "."})
    made = []
    for text in edges:
        kind, place, side = text.split()
        x, y = map(int, place.split(","))
        made.append(EdgeOverride(x=x, y=y, side=side, kind=kind))  # type: ignore[arg-type]
    equipment = []
    for text in filter(None, things.split(";")):
        kind, place, *rest = text.split()
        x, y = map(int, place.split(","))
        equipment.append(Equipment(kind=kind, x=x, y=y, side=rest[0] if rest else None))  # type: ignore[arg-type]
    doors = []
    for text in filter(None, entries.split(";")):
        place, *rest = text.split()
        x, y = map(int, place.split(","))
        doors.append(
            Entry(name=text.strip(), x=x, y=y, enter=1, leave=1, side=rest[0] if rest else None)  # type: ignore[arg-type]
        )
    pairs = tuple((f"Room {pair[0]}", f"Room {pair[1]}") for pair in no_sight.split())
    return FloorPlan(
        name="drawn",
        grid=rows,
        rooms=tuple(RoomInfo(letter=one, name=f"Room {one}", level="lower", setup="STJ") for one in letters),
        edges=tuple(made),
        equipment=tuple(equipment),
        entries=tuple(doors),
        no_sight=pairs,
    )


def random_plan(seed: int, most: int = 9) -> FloorPlan:
    """Return a plan of up to `most` by `most` squares with a bit of everything in it."""
    rng = random.Random(seed)
    width, height = rng.randint(1, most), rng.randint(1, most)
    grid = [["."] * width for _ in range(height)]
    for letter in "ABCDE"[: rng.randint(1, 5)]:
        left, top = rng.randrange(width), rng.randrange(height)
        for y in range(top, min(height, top + rng.randint(1, 6))):
            for x in range(left, min(width, left + rng.randint(1, 6))):
                grid[y][x] = letter
    edges = [
        EdgeOverride(
            x=rng.randrange(width),
            y=rng.randrange(height),
            side=rng.choice("NESW"),  # type: ignore[arg-type]
            kind=rng.choice(["door", "door", "armored", "dropoff", "open", "wall", "wall"]),
        )
        for _ in range(rng.randint(0, width * height // 2))
    ]
    equipment = [
        Equipment(
            kind="tank" if side is None else "computer",
            x=rng.randrange(width),
            y=rng.randrange(height),
            side=side,  # type: ignore[arg-type]
        )
        for side in (rng.choice([None, "N", "E", "S", "W"]) for _ in range(rng.randint(0, 5)))
    ]
    letters = sorted({letter for row in grid for letter in row if letter != "."} | {"A"})
    names = [f"Room {letter}" for letter in letters]
    return FloorPlan(
        name=f"random {seed}",
        notes=rng.choice(["", 'with "quotes"\nand lines', "ünïcode 力"]),
        grid=tuple(map("".join, grid)),
        rooms=tuple(
            RoomInfo(
                letter=letter,
                name=name,
                level=rng.choice(["lower", "upper"]),
                setup=rng.choice(["", "S", "T", "J", "ST", "STJ"]),
            )
            for letter, name in zip(letters, names, strict=True)
        ),
        edges=tuple(edges),
        equipment=tuple(equipment),
        entries=tuple(
            Entry(
                name=f"way {at}",
                x=rng.randrange(width),
                y=rng.randrange(height),
                enter=rng.randint(0, 3),
                leave=rng.randint(0, 3),
                side=rng.choice([None, "N", "E", "S", "W"]),
            )
            for at in range(rng.randint(0, 3))
        ),
        no_sight=((names[0], names[-1]),) if rng.random() < 0.3 else (),
    )


def house() -> FloorPlan:
    """Return two rooms side by side with a door, rock round them, a tank, a computer and an entry."""
    return drawn(
        "....... .AAABB. .AAABB. .AAABB. .......",
        "door 3,2 E",
        things="tank 1,1; computer 5,1 E",
        entries="1,3 W",
    )
