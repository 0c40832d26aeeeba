"""The map on the canvas: as the game draws it, and after any edits as if drawn anew."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app import theme
from app.board.picture import board_image
from app.board.plan import MARGIN
from editor.canvas.drawing import draw_ground
from editor.canvas.ground import Ground
from editor.canvas.sprites import Sprites
from editor.canvas.tiles import TILE, side_of
from editor.canvas.view import MapCanvas
from editor.draft import Draft, Edge, change_between
from editor.edits.edges import with_edges
from editor.edits.rooms import with_room
from editor.edits.squares import paint, with_new_room
from editor.edits.whole import resized
from engine.fortress.floorplan import (
    COMPASS,
    ROCK,
    EdgeKind,
    Entry,
    Equipment,
    FloorPlan,
    load_floorplan,
)
from tests.helpers.bench import Desk
from tests.helpers.plans import CITADEL, drawn, random_plan

pytestmark = pytest.mark.usefixtures("qapp")
PIXELS = 40
ROUNDING = 3  # of 255: a slanting line that is clipped is not rounded alike
KINDS: tuple[EdgeKind | None, ...] = ("door", "armored", "dropoff", "open", "wall", None)


def picture(ground: Ground) -> QImage:
    """Return the whole of a ground at one go."""
    rim = 2
    size = (ground.width + 2 * rim) * PIXELS, (ground.height + 2 * rim) * PIXELS
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.translate(rim * PIXELS, rim * PIXELS)
    sprites = Sprites(PIXELS, theme.colors(), is_clear=False, has_grid=True)
    draw_ground(painter, ground, (-rim, -rim, ground.width + rim, ground.height + rim), sprites)
    painter.end()
    return image


def largest_difference(one: QImage, other: QImage) -> int:
    """Return by how much two pictures of one size differ at most, in any pixel and channel."""
    assert one.size() == other.size()
    pairs = zip(bytes(one.constBits()), bytes(other.constBits()), strict=True)
    return 0 if one == other else max(abs(here - there) for here, there in pairs)


def settled(plan: FloorPlan) -> Ground:
    """Return the ground of a plan with all its tints and names."""
    ground = Ground(plan)
    while not ground.is_settled:
        ground.settle()
    return ground


def edited(draft: Draft, dice: random.Random) -> Draft:
    """Return a draft after one edit of any kind."""
    plan = draft.plan
    x, y = dice.randrange(plan.width), dice.randrange(plan.height)
    squares = [(x + at % 3, y + at // 3) for at in range(dice.choice((1, 1, 4, 9)))]
    letters = [room.letter for room in plan.rooms] + [ROCK]
    what = dice.randrange(9)
    if what == 0:
        return draft.with_plan(with_new_room(plan, squares)[0])
    if what <= 2:
        return draft.with_plan(paint(plan, squares, dice.choice(letters)))
    if what <= 4:
        edges: list[Edge] = [(x, y, "E"), (x, y, "S"), (x, y + 1, "E")]
        return draft.with_plan(
            with_edges(plan, dict.fromkeys(edges[: dice.randint(1, 3)], dice.choice(KINDS)))
        )
    if what == 5:
        side = dice.choice((None, *COMPASS))
        thing = Equipment(kind="tank" if side is None else "computer", x=x, y=y, side=side)
        return draft.with_plan(replace(plan, equipment=(*plan.equipment[-2:], thing)))
    if what == 6:
        entry = Entry(name=f"Way {x}", x=x, y=y, enter=2, leave=1, side=dice.choice((None, *COMPASS)))
        return draft.with_plan(replace(plan, entries=(*plan.entries[-1:], entry)))
    if what == 7 and len(plan.rooms) > 1:
        room = dice.choice(plan.rooms)
        level = dice.choice(("lower", "upper", "level 3", "cellar", "east wing"))
        return draft.with_plan(with_room(plan, room.letter, level=level, setup=dice.choice(("", "S", "STJ"))))
    if what == 8 and len(plan.rooms) > 1:
        pair = (plan.rooms[0].name, plan.rooms[-1].name)
        return draft.with_plan(replace(plan, no_sight=() if plan.no_sight else (pair,)))
    return resized(draft, right=1) if plan.width < 9 else resized(draft, left=-1)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_after_random_edits_the_canvas_looks_as_if_it_were_new(seed: int) -> None:
    """Whatever is edited, painted in between or not, no trace of what was there before stays."""
    dice = random.Random(seed)
    desk = Desk(drawn("AAABBB AAABBB AAACCC ....CC", "door 2,1 E"))
    canvas = MapCanvas(desk.bench)
    canvas.resize(420, 300)
    canvas.finish()
    for _ in range(14):
        desk.document.apply("Edit", edited(desk.document.draft, dice))
        if dice.random() < 0.6:
            canvas.grab()
        if dice.random() < 0.2:
            canvas.finish()
        if dice.random() < 0.2:
            desk.document.undo()
    canvas.finish()
    fresh = MapCanvas(Desk(desk.document.draft).bench)
    fresh.resize(420, 300)
    fresh.restore(canvas.view_state())
    fresh.finish()
    assert largest_difference(canvas.grab().toImage(), fresh.grab().toImage()) <= ROUNDING


@pytest.mark.parametrize("seed", range(8))
def test_an_edit_tells_every_square_that_looks_different(seed: int) -> None:
    """A square outside of what an edit says to draw anew is pixel for pixel what it was."""
    dice = random.Random(seed)
    draft = Draft(random_plan(seed, most=8))
    ground = settled(draft.plan)
    for _ in range(12):
        after = edited(draft, dice)
        change = change_between(draft, after)
        if change.squares is None:
            draft, ground = after, settled(after.plan)
            continue
        before = picture(ground)
        areas = ground.follow(after.plan, change)
        now = picture(ground)
        assert areas is not None
        allowed = {(x, y) for a, b, c, d in areas for x in range(a, c) for y in range(b, d)}
        for y in range(-2, ground.height + 2):
            for x in range(-2, ground.width + 2):
                if (x, y) not in allowed:
                    box = QRect((x + 2) * PIXELS, (y + 2) * PIXELS, PIXELS, PIXELS)
                    assert before.copy(box) == now.copy(box), (x, y, change)
        draft = after


@pytest.mark.parametrize("mode", theme.MODES)
def test_the_canvas_draws_what_the_game_draws(qapp: QApplication, mode: str) -> None:
    """Inside of the walls the editor's citadel is the game's, but for a hair in a few pixels."""
    theme.apply(qapp, mode)
    plan = load_floorplan(CITADEL)
    game = board_image(plan, None, PIXELS)
    ours = picture(settled(plan))
    shift = round(MARGIN * PIXELS)
    unlike = squares = 0
    for y, row in enumerate(plan.grid):
        for x, letter in enumerate(row):
            if letter == ROCK:
                continue
            squares += 1
            for down in range(0, PIXELS, 2):
                for across in range(0, PIXELS, 2):
                    here = game.pixelColor(shift + x * PIXELS + across, shift + y * PIXELS + down)
                    there = ours.pixelColor((x + 2) * PIXELS + across, (y + 2) * PIXELS + down)
                    far = max(
                        abs(here.red() - there.red()),
                        abs(here.green() - there.green()),
                        abs(here.blue() - there.blue()),
                    )
                    unlike += far > 24
    theme.apply(qapp, "light")
    assert squares > 300
    assert unlike < 0.004 * squares * (PIXELS // 2) ** 2


def test_a_door_that_parts_nothing_is_drawn_hatched() -> None:
    """An override is never deleted by painting: where it parts nothing any more, it stays and shows it."""
    plan = drawn("AABB", "door 1,0 E")
    whole = paint(plan, [(2, 0), (3, 0)], "A")
    assert whole.edges == plan.edges
    assert settled(plan).separates((1, 0, "E"), "door")
    assert not settled(whole).separates((1, 0, "E"), "door")
    lone = drawn("AAAA AAAA", "door 1,0 E")
    assert not settled(lone).separates((1, 0, "E"), "door")
    walled = drawn("AAAA AAAA", "door 1,0 E", "wall 1,1 E")
    assert settled(walled).separates((1, 0, "E"), "door")
    rock = drawn(".... .A..", "door 2,0 E")
    assert not settled(rock).separates((2, 0, "E"), "door")
    drops = drawn("AAA AAA", "dropoff 1,0 E", "dropoff 1,1 E", "dropoff 0,0 S", "dropoff 2,0 E")
    ground = settled(drops)
    assert ground.separates((1, 0, "E"), "dropoff")
    assert not ground.separates((0, 0, "S"), "dropoff")
    assert not ground.separates((2, 0, "E"), "dropoff")
    box = QRect(3 * PIXELS, 2 * PIXELS, 2 * PIXELS, PIXELS)
    danger = theme.colors().danger
    hatched = picture(settled(lone)).copy(box)
    plain = picture(settled(walled)).copy(box)

    def reds(image: QImage) -> int:
        return sum(
            image.pixelColor(x, y) == danger for x in range(image.width()) for y in range(image.height())
        )

    assert reds(hatched) > 10
    assert reds(plain) == 0


@pytest.mark.parametrize("pixels", [1, 2, 3, 7, 8, 40, 160, 192, 321, 384, 576])
def test_a_tile_is_neither_empty_nor_large_at_any_zoom(pixels: int) -> None:
    """Also where a square is larger than a tile is meant to be, as far in as it goes on a fine screen."""
    side = side_of(pixels)
    assert side >= 2
    assert side * pixels <= max(TILE, 2 * pixels)


def test_a_name_goes_at_once_when_its_squares_are_painted_over() -> None:
    """A room's name never stands in another room, though names are placed anew only in a pause."""
    plan = drawn("AAAABB AAAABB AAAABB")
    ground = settled(plan)
    assert ground.name_box("A") is not None
    after = paint(plan, [(x, y) for x in range(4) for y in range(2)], "B")
    ground.follow(after, change_between(Draft(plan), Draft(after)))
    assert "A" not in ground.names
    assert not ground.is_settled


def test_more_rooms_than_tints_are_looked_ahead_for_still_differ_from_their_neighbours() -> None:
    """On a map of 400 rooms no two that touch have the same tint."""
    names = [chr(0x4E00 + at) for at in range(400)]
    grid = tuple("".join(names[(y // 2) * 20 + x // 2] for x in range(40)) for y in range(40))
    plan = replace(
        drawn("A"),
        grid=grid,
        rooms=tuple(replace(drawn("A").rooms[0], letter=one, name=one) for one in names),
    )
    ground = settled(plan)
    for y, row in enumerate(grid):
        for x, letter in enumerate(row):
            for other in (row[x + 1 : x + 2], grid[y + 1][x] if y + 1 < len(grid) else ""):
                if other and other != letter:
                    assert ground.tint_of(letter) != ground.tint_of(other)


@pytest.mark.parametrize(
    ("levels", "down"),
    [
        (("cellar", "ground"), "W"),
        (("level 3", "upper"), "E"),
        (("level 2", "level 1"), "E"),
        (("lower", "upper"), "W"),
        (("upper", "east wing"), None),
    ],
)
def test_a_drop_off_leads_down_from_the_higher_level(levels: tuple[str, str], down: str | None) -> None:
    """4.42: whatever levels are called; where their names do not tell, no side is drawn as the high one."""
    plan = drawn("AB", "dropoff 0,0 E")
    rooms = tuple(replace(room, level=level) for room, level in zip(plan.rooms, levels, strict=True))
    assert Ground(replace(plan, rooms=rooms)).down((0, 0, "E")) == down
