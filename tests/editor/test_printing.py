"""Print and play: nothing is cut off, everything is there, and a millimetre is a millimetre."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPageSize, QPainter

from app import theme
from editor.draft import OWN_MAP, Draft
from editor.edits.whole import resized
from editor.files.reading import read_draft
from editor.printing import marks, pieces
from editor.printing.booklet import booklet, page_image, pdf_bytes, print_pdf
from editor.printing.chips import _cell, _grid, counter_side, table_side
from editor.printing.cropping import cropped
from editor.printing.inks import MODE, inks
from editor.printing.maps import map_sheets
from editor.printing.options import PAPERS, PARTS, CannotPrint, PrintOptions
from editor.printing.paper import MARGIN, MM, PAGE_SIZES, area_of
from editor.printing.records import cards, turn_notes
from editor.printing.symbols import symbols
from editor.printing.tables import table_blocks
from editor.printing.tiling import cuts, letters, tiles
from engine.core.files import BadFile
from engine.fortress.floorplan import FloorPlan, RoomInfo
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.scenario import (
    Placement,
    Reinforcement,
    Scenario,
    StartFigure,
    StartPosition,
    load_scenario,
    plan_of,
)
from tests.helpers import pdf
from tests.helpers.gui import brawl
from tests.helpers.plans import random_plan

RIM = 1.1
READER = shutil.which("pdftoppm") or shutil.which("gs")


@pytest.fixture
def basic() -> Scenario:
    """The Basic scenario on the citadel."""
    return load_scenario("basic")


def hall(width: int, height: int, name: str = "Hall") -> FloorPlan:
    """Return a map of one empty room."""
    room = RoomInfo(letter="H", name=name, level="lower", setup="STJ")
    return FloorPlan(name=name, grid=("H" * width,) * height, rooms=(room,))


# True scale


@pytest.mark.parametrize(("paper", "square"), [*zip(PAPERS, (12.5, 20.0, 25.4, 20.0), strict=True)])
def test_squares_are_as_large_as_asked(qapp: object, paper: str, square: float) -> None:
    """In the PDF the lines between squares lie so many millimetres apart, on every sheet of the map."""
    options = PrintOptions(paper=paper, square=square)  # type: ignore[arg-type]
    plan = hall(36, 24)
    made = booklet(plan, options)
    read = pdf.pages(pdf_bytes(made, options, "Hall"))
    sheets = [page for page, one in zip(read, made, strict=True) if one.name.startswith("Map ")]
    cut = map_sheets(plan, options).tiles
    assert len(sheets) == len(cut) > 1
    for sheet, tile in zip(sheets, cut, strict=True):
        upright = {
            line.x1
            for line in sheet.lines
            if abs(line.x1 - line.x2) < 0.001 and abs(abs(line.y2 - line.y1) - square) < 0.1
        }
        columns = [column for column in range(1, plan.width) if tile.left < column < tile.right]
        assert len(columns) > 1
        for column in columns:
            asked = 10 + (column - tile.left) * square
            # A line is an outline: its two sides lie half its width off.
            near = [place for place in upright if abs(place - asked) < 0.05 * square]
            assert (min(near) + max(near)) / 2 == pytest.approx(asked, abs=0.1)


def test_the_line_to_measure_is_50_mm(qapp: object, basic: Scenario) -> None:
    """Every page has a line of exactly 50 mm at its foot."""
    options = PrintOptions()
    for page in pdf.pages(pdf_bytes(booklet(basic, options), options, "Basic")):
        low = [line for line in page.lines if line.y1 == line.y2 and line.y1 > page.height - 15]
        assert any(abs(abs(line.x2 - line.x1) - 50) < 0.02 for line in low)


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_papers_size(qapp: object, paper: str, basic: Scenario) -> None:
    """The page is the paper chosen, and the area printed on is reckoned from the very same size."""
    options = PrintOptions(paper=paper, parts=("track", "records"))  # type: ignore[arg-type]
    pages = booklet(basic, options)
    for page, read in zip(pages, pdf.pages(pdf_bytes(pages, options, "x")), strict=True):
        wide, high = options.size(page.is_landscape)
        assert (read.width, read.height) == pytest.approx((wide, high), abs=0.3)
    points = QPageSize(PAGE_SIZES[options.paper]).size(QPageSize.Unit.Millimeter)
    assert (points.width(), points.height()) == pytest.approx(options.size(False), abs=0.3)


def test_pixels_agree_with_millimetres(qapp: object) -> None:
    """Painted as pixels, the preview's way, the walls of a hall are its squares apart."""
    options = PrintOptions(square=10, parts=("map",))
    (page,) = booklet(hall(8, 6), options)
    image = page_image(page, options, 254)  # ten pixels a millimetre
    row = image.height() // 2
    dark = [x for x in range(image.width()) if image.pixelColor(x, row).lightness() < 70]
    # The hall's two outer walls, about their middles.
    middles = [sum(part) / len(part) for part in (_first_run(dark), _first_run(dark[::-1]))]
    assert abs(middles[1] - middles[0]) == pytest.approx(8 * 10 * 10, abs=1)


def _first_run(places: list[int]) -> list[int]:
    run = [places[0]]
    for place in places[1:]:
        if abs(place - run[-1]) != 1:
            break
        run.append(place)
    return run


@pytest.mark.skipif(READER is None, reason="no program here draws PDFs")
def test_other_programs_read_the_pdf(qapp: object, tmp_path: Path, basic: Scenario) -> None:
    """A reader of PDFs draws every page, none of them empty."""
    path = tmp_path / "basic.pdf"
    count = print_pdf(basic, PrintOptions(), path)
    _render(path, tmp_path, 20)
    drawn = sorted(tmp_path.glob("page*.png"))
    assert len(drawn) == count
    assert all(_is_drawn_on(QImage(str(one))) for one in drawn)


@pytest.mark.skipif(READER is None, reason="no program here draws PDFs")
def test_other_programs_measure_the_same(qapp: object, tmp_path: Path) -> None:
    """Drawn by a reader of PDFs at 254 dots an inch, a hall of 8 squares of 10 mm is 800 dots wide."""
    path = tmp_path / "hall.pdf"
    assert print_pdf(hall(8, 6), PrintOptions(square=10), path) == 1
    _render(path, tmp_path, 254)
    image = QImage(str(next(tmp_path.glob("page*.png"))))
    row = image.height() // 2
    dark = [x for x in range(image.width()) if image.pixelColor(x, row).lightness() < 70]
    middles = [sum(part) / len(part) for part in (_first_run(dark), _first_run(dark[::-1]))]
    assert abs(middles[1] - middles[0]) == pytest.approx(800, abs=1)


def _render(path: Path, folder: Path, dpi: int) -> None:
    """Draw the pages of a PDF into a folder."""
    assert READER is not None
    options = ["-r", str(dpi), "-png", str(path), str(folder / "page")]
    if Path(READER).stem == "gs":
        options = ["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=png16m", f"-r{dpi}"]
        options += [f"-sOutputFile={folder}/page%02d.png", str(path)]
    subprocess.run([READER, *options], check=True)


def _is_drawn_on(image: QImage) -> bool:
    colours = {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    return len(colours) > 2


# Sheets of the map


@given(
    st.integers(1, 256), st.floats(3.4, 60).map(lambda room: round(room, 2)), st.sampled_from([0.0, 0.3, 1.0])
)
def test_sheets_cover_the_map_and_fit(squares: int, room: float, overlap: float) -> None:
    """Sheets begin where the last one is cut, at whole squares, and none is longer than the paper."""
    found = cuts(squares, RIM, room, overlap)
    assert found[0] == -RIM
    assert found[-1] == squares + RIM
    assert all(one < other for one, other in pairwise(found))
    assert all(cut == int(cut) for cut in found[1:-1])
    for at, (one, other) in enumerate(pairwise(found)):
        is_last = at == len(found) - 2
        assert other - one + (0 if is_last else overlap) <= room + 1e-6


@given(st.integers(1, 120), st.floats(4, 40), st.sampled_from([0.0, 0.3]))
def test_there_are_no_more_sheets_than_needed(squares: int, room: float, overlap: float) -> None:
    """One sheet fewer could not hold the map, cut at whole squares."""
    sheets = len(cuts(squares, RIM, room, overlap)) - 1
    if sheets > 1:
        step = int(room - overlap + 1e-9)
        most = int(room - overlap - RIM + 1e-9) + (sheets - 3) * step + int(room - RIM + 1e-9)
        assert sheets == 2 or squares > most


def test_a_square_too_large_for_the_paper_is_refused(qapp: object) -> None:
    """Where a sheet cannot hold a single square with its rim, that is said, not drawn cut off."""
    assert cuts(5, RIM, 1.5, 0.3) == []
    with pytest.raises(CannotPrint, match="8 to 60 mm"):
        booklet(hall(3, 3), PrintOptions(square=200))
    with pytest.raises(CannotPrint, match="8 to 60 mm"):
        booklet(hall(3, 3), PrintOptions(square=float("nan")))
    with pytest.raises(CannotPrint, match="no room"):
        booklet(msgspec.structs.replace(hall(3, 3), grid=("...",) * 3), PrintOptions())


def test_tiles_overlap_only_inside_the_map() -> None:
    """The last sheets of a row and a column run on under nothing."""
    made = tiles(32, 16, RIM, 9.5, 12.45, 0.3)
    assert {tile.name for tile in made} == {f"{row}{column}" for row in "AB" for column in range(1, 5)}
    for tile in made:
        assert tile.right == tile.cut_right + (0.3 if tile.column < 3 else 0)
        assert tile.bottom == tile.cut_bottom + (0.3 if tile.row < 1 else 0)
    assert [letters(number) for number in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


def test_the_way_that_takes_fewer_sheets_is_taken(qapp: object) -> None:
    """Automatic orientation is never worse than either of the two."""
    for width, height in ((32, 16), (12, 25), (9, 9)):
        plan = hall(width, height)
        counts = {
            way: len(map_sheets(plan, PrintOptions(orientation=way)).tiles)
            for way in ("auto", "portrait", "landscape")
        }
        assert counts["auto"] == min(counts["portrait"], counts["landscape"])


def test_empty_rock_is_left_out(qapp: object) -> None:
    """A small house on a large sheet of rock takes as few sheets as the house alone, unless it is kept."""
    grid = [("." * 7 + "H" * 10 + "." * 7) if 4 <= y < 13 else "." * 24 for y in range(16)]
    plan = msgspec.structs.replace(hall(10, 9), grid=tuple(grid))
    alone, kept = PrintOptions(), PrintOptions(is_cropped=False)
    assert len(booklet(plan, alone)) == len(booklet(hall(10, 9), alone)) < len(booklet(plan, kept))


def test_what_stands_on_a_cropped_map_goes_along(qapp: object, basic: Scenario) -> None:
    """Entries, placements and doors keep their places on the floor; a map without rock stays as it is."""
    placed = (Placement(kind="servant", square=(12, 8)),)
    scenario = msgspec.structs.replace(basic, map=OWN_MAP, placements=placed)
    draft = Draft(plan_of(basic), scenario)
    assert cropped(resized(draft, 3, 2, 4, 5)) == draft
    assert cropped(draft) is draft


def test_tactics_and_markers_are_read_however_small_the_squares(qapp: object, basic: Scenario) -> None:
    """On one sheet only the counters that stand on squares become small."""
    square = map_sheets(plan_of(basic), PrintOptions(is_one_sheet=True)).square
    assert counter_side(square) < 10
    assert table_side(square) == counter_side(20) == 18
    assert table_side(30) == counter_side(30)
    small, usual = (
        [
            page.name
            for page in booklet(basic, PrintOptions(is_one_sheet=is_one, parts=("tactics", "markers")))
        ]
        for is_one in (True, False)
    )
    assert small == usual


def test_one_sheet_holds_the_whole_map(qapp: object, basic: Scenario) -> None:
    """Made to fit, the map is one sheet, as large as the sheet lets it be."""
    sheets = map_sheets(plan_of(basic), PrintOptions(is_one_sheet=True))
    assert len(sheets.tiles) == 1
    assert sheets.is_landscape
    assert sheets.square == pytest.approx(277 / 34.2, abs=0.01)


@pytest.mark.parametrize("name", ["basic", "solitaire"])
def test_nothing_is_drawn_in_the_white_rim(qapp: object, name: str) -> None:
    """No page has ink in the outer 4 mm, which printers do not reach: nothing is cut off."""
    options = PrintOptions()
    for page in booklet(load_scenario(name), options):
        image = page_image(page, options, 50)
        rim = round(4 / 25.4 * 50)
        white = QColor("#ffffff").rgb()
        for x in range(image.width()):
            for y in range(image.height()):
                if rim <= x < image.width() - rim and rim <= y < image.height() - rim:
                    continue
                assert image.pixel(x, y) == white, page.name


def test_large_maps_stay_small_files(qapp: object) -> None:
    """A sheet holds its own lines only: twice as many sheets are about twice the bytes, not four times."""
    options = PrintOptions()
    sizes = [len(pdf_bytes(booklet(hall(40, high), options), options, "Hall")) for high in (22, 44)]
    assert sizes[1] < 3 * sizes[0]


# Pieces


def test_every_figure_has_its_counter(basic: Scenario) -> None:
    """All figures of the force are there, and reinforcements as many as come until the end (6.1, 6.2)."""
    kinds = Counter(piece.front.kind for piece in pieces.pieces(load_scenario("advanced")))
    assert kinds == {
        "terminator": 3,
        "clonemaster": 1,
        "armed_technician": 4,
        "technician": 8,
        "servant": 12,
        "jelly": 10,
        "lc": 21,
    }
    names = [piece.front.name for piece in pieces.pieces(basic)]
    assert len(names) == len(set(names))


def test_reinforcements_are_numbered_on(basic: Scenario) -> None:
    """Reinforcements of a kind that is set up too have names of their own, by every row."""
    rows = (
        Reinforcement(from_turn=2, to_turn=3, kind="servant", number=2, entry="Front Door"),
        Reinforcement(from_turn=9, kind="servant", number=1, entry="Front Door"),
    )
    scenario = msgspec.structs.replace(basic, reinforcements=rows)
    servants = [one.front.name for one in pieces.pieces(scenario) if one.front.kind == "servant"]
    assert servants == [f"Servant {number}" for number in range(1, 12 + 4 + 2 + 1)]


def test_backs_are_what_the_rules_turn_up(basic: Scenario) -> None:
    """The CloneMaster's counters lie face down, Terminators unconscious, never face down (3.1, 5.5)."""
    for piece in pieces.pieces(basic):
        if piece.front.kind == "terminator":
            assert not isinstance(piece.back, str)
            assert not piece.back.is_conscious
        else:
            assert piece.back == "back"


def test_tactics_counters_are_enough_for_all(basic: Scenario) -> None:
    """No combat can need more counters of a kind than are printed (5.4, R12)."""
    printed = {(one.side, one.counter): one.number for one in pieces.tactics(basic)}
    assert printed["terminator", "fist"] == 3 * 3
    assert ("terminator", "weapon") not in printed
    # J-1 kicks twice, and five others once each.
    assert printed["clonemaster", "kick"] == 2 + 5


def test_a_start_position_prints_its_own_figures(qapp: object) -> None:
    """Only figures that are in the game get counters, and sheets show the levels they begin with (R9)."""
    scenario = brawl()
    names = {piece.front.name for piece in pieces.pieces(scenario)}
    assert scenario.start is not None
    assert names == {figure.name for figure in scenario.start.figures}
    card = next(card for card in cards(scenario) if card.figure.name == "Rising Dream")
    assert {row.ability: (row.boxes, row.held) for row in card.rows} == {
        "fist": (2, 2),
        "kick": (2, 2),
        "mist": (1, 1),
        "soul": (1, 1),
        "heart": (1, 1),
    }
    assert {square for _, square in pieces.placed(scenario)} == {
        figure.square for figure in scenario.start.figures
    }


def test_markers_for_all_that_can_be_destroyed(basic: Scenario) -> None:
    """There is a marker for each armored door and each piece of equipment, extra ones too (2.53, 7.4)."""
    scenario = msgspec.structs.replace(basic, extra_doors=2, extra_computers=1)
    found = {marker.kind: marker.number for marker in pieces.markers(scenario)}
    plan = plan_of(basic)
    assert found["door-destroyed"] == sum(edge.kind == "armored" for edge in plan.edges) + 2
    assert found["tank-destroyed"] == sum(thing.kind == "tank" for thing in plan.equipment)
    assert found["computer-destroyed"] == sum(thing.kind == "computer" for thing in plan.equipment) + 1
    assert (found["extra-door"], found["extra-computer"]) == (2, 1)


@pytest.mark.parametrize("backs", ["fold", "duplex"])
def test_backs_lie_behind_their_fronts(backs: str) -> None:
    """Folded down, or turned over the long edge, each back comes to lie on its own front."""
    options = PrintOptions(backs=backs)  # type: ignore[arg-type]
    area = area_of(options, False)
    grid = _grid(options, False, 18 * MM, backs == "fold")
    wide = options.size(False)[0] * MM
    for number in range(grid.room):
        front, back = (_cell(area, grid, number, is_back=is_back) for is_back in (False, True))
        assert area.adjusted(-1, -1, 1, 1).contains(front.united(back))
        if backs == "fold":
            assert (back.left(), back.top()) == (front.left(), front.bottom())
        else:
            mirrored = QRectF(wide - front.right(), front.top(), front.width(), front.height())
            assert back.center().x() == pytest.approx(mirrored.center().x())
            assert back.center().y() == mirrored.center().y()


def test_counters_fit_their_squares(basic: Scenario) -> None:
    """A counter is a little smaller than a square of the printed map, but never too small to read."""
    assert counter_side(20) == 18
    assert counter_side(8.1) == 8


# Pages


def test_all_parts_of_all_scenarios_are_drawn(qapp: object) -> None:
    """Every part of every shipped scenario has a page, and none of them is empty."""
    from engine.raid.scenario import SHIPPED

    for name in SHIPPED:
        pages = booklet(load_scenario(name), PrintOptions())
        assert {page.part for page in pages} == set(PARTS)
        names = [page.name for page in pages]
        assert len(names) == len(set(names))
        for page in pages:
            assert _is_drawn_on(page_image(page, PrintOptions(), 20)), page.name


def symbol(name: str) -> QImage:
    """Return a symbol of the chart as a picture, ten pixels a millimetre."""
    draw = next(one.draw for one in symbols(MODE) if one.name == name)
    assert draw is not None
    image = QImage(230, 115, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.scale(10 / MM, 10 / MM)
    draw(painter, QRectF(0, 0, 23 * MM, 11.5 * MM), inks(False))
    painter.end()
    return image


def test_the_symbol_chart_draws_every_symbol(qapp: object, basic: Scenario) -> None:
    """2.2: beside each name on the chart something of its own is drawn, and nothing of the map is missing."""
    assert len(booklet(basic, PrintOptions(parts=("symbols",)))) == 1
    names = [one.name for one in symbols(MODE) if one.draw is not None]
    wanted = {"Wall", "Door", "Armored door", "Drop-off", "Entry", "Entry through a pipe", "Clone tank"}
    assert wanted | {"Computer", "Set-up letters"} <= set(names)
    blank = symbol("Wall")
    blank.fill(QColor("#ffffff"))
    drawn: list[QImage] = [blank]
    for name in names:
        picture = symbol(name)
        assert picture not in drawn, name
        drawn.append(picture)


def test_parts_can_be_chosen(qapp: object, basic: Scenario) -> None:
    """Only what is asked for is printed; a bare map prints the map, and more when that is asked for."""
    assert {page.part for page in booklet(basic, PrintOptions(parts=("track",)))} == {"track"}
    plan = plan_of(basic)
    assert {page.part for page in booklet(plan, PrintOptions())} == {"map"}
    assert {page.part for page in booklet(plan, PrintOptions(parts=("map", "tables")))} == {"map", "tables"}


def test_black_and_white_has_no_colour(qapp: object, basic: Scenario) -> None:
    """In black and white every pixel of every page is a grey."""
    options = PrintOptions(is_black_and_white=True)
    for page in booklet(basic, options):
        image = page_image(page, options, 20)
        for x in range(0, image.width(), 2):
            for y in range(0, image.height(), 2):
                assert image.pixelColor(x, y).hsvSaturation() == 0, page.name


def test_the_window_s_look_does_not_reach_the_paper(qapp: object, basic: Scenario) -> None:
    """A print made from a dark window is the same as one made from a light window."""
    from PySide6.QtWidgets import QApplication

    options = PrintOptions()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    drawn = []
    try:
        for mode in ("light", "dark"):
            theme.apply(app, mode, 2.0 if mode == "dark" else 1.0)
            drawn.append([page_image(page, options, 30) for page in booklet(basic, options)])
    finally:
        theme.apply(app, "light", 1.0)
    assert drawn[0] == drawn[1]
    assert inks(False).paper == QColor("#ffffff")


def test_turns_tell_who_comes_and_who_may_leave() -> None:
    """The turn track notes reinforcements, escape and the end of the scenario (6.2, 6.3)."""
    scenario = load_scenario("solitaire")
    assert turn_notes(scenario, 5) == ()
    assert turn_notes(scenario, 6) == ("3 LC by Front Door",)
    assert turn_notes(scenario, 11) == ("3 LC by Front Door", "Terminators may escape from now on")
    assert turn_notes(scenario, 12) == ("3 LC by Front Door", "Last turn")


def test_tables_hold_the_scenario_s_own_numbers(basic: Scenario) -> None:
    """Hit numbers, allowances, house rules and notes are the scenario's, not the printed ones."""
    scenario = msgspec.structs.replace(
        basic,
        name="Mine <b>",
        notes="Beware & run.",
        hits=msgspec.structs.replace(basic.hits, gun=4),
        allowances=msgspec.structs.replace(basic.allowances, servant=9),
    )
    text = "".join(block.html for block in table_blocks(scenario))
    assert "Mine &lt;b&gt;" in text
    assert "Beware &amp; run." in text
    assert "<td align='left'>Gun (5.4, R20)</td><td align='center'>1–4</td>" in text
    assert "<td align='left'>Servant</td><td align='center'>9</td>" in text
    assert "A gun hits up to: 4" in text


def tables(scenario: Scenario) -> str:
    """Return what a scenario's tables say, without the marks of the tables."""
    text = re.sub(r"<[^>]*>+", " ", "".join(block.html for block in table_blocks(scenario)))
    return " ".join(unescape(text).split())


def test_an_armored_door_at_an_entry_has_no_rate(basic: Scenario) -> None:
    """4.11, R10: all who stand outside may come in there; the other entries keep their rates (R11)."""
    rows = re.findall(r"<tr>(.*?)</tr>", "".join(block.html for block in table_blocks(basic)))
    found = {
        re.findall(r">([^<]*)</td>", row)[0]: re.findall(r">([^<]*)</td>", row)[1:]
        for row in rows
        if "td" in row
    }
    assert found["Front Door"] == ["0,8", "all outside", "–"]
    assert found["Garbage Disposal"] == ["10,0", "2", "2"]
    assert "(4.11, R10)" in tables(basic)


def test_tables_say_who_is_helpless_and_how_far_attacks_reach(basic: Scenario) -> None:
    """2.6, 4.7, 5.1, R19, R20, R30: what one looks up in play needs no rulebook beside it."""
    text = tables(basic)
    for fact in (
        "Helpless:",
        "Inactive:",
        "(2.6, R20)",
        "R19",
        "any distance",
        "(4.7)",
        "none above 3 (6.1, R30)",
    ):
        assert fact in text, fact
    assert "A level of Mountain Heart comes back (5.6)" in text


def test_a_random_set_up_says_how_chance_deals() -> None:
    """6.3, R34: one to each room and hall, more for equipment, none in loos, none next to a door."""
    text = tables(load_scenario("solitaire"))
    for fact in (
        "one to each room and hall",
        "one more to each room with vital equipment",
        "loo",
        "At most 2 counters",
    ):
        assert fact in text, fact


def test_who_lies_face_down_is_no_secret_of_both_players(qapp: object) -> None:
    """R29: the tables tell only where counters lie face down; who they are is on one player's own sheet."""
    scenario = brawl()
    assert scenario.start is not None
    hidden = [one for one in scenario.start.figures if not one.is_face_up]
    assert hidden
    (shown,) = (block.html for block in table_blocks(scenario) if ">Where<" in block.html)
    told = re.findall(r"<tr><td align='left'>([^<]*)</td>", shown)
    assert told == [one.name for one in scenario.start.figures if one.is_face_up]
    assert "Face down, on squares 2,2; 30,12:" in tables(scenario)
    options = PrintOptions(parts=("records",))
    (own,) = (page for page in booklet(scenario, options) if page.name == "Counters face down")
    assert own.part == "records"
    assert "Counters face down" not in {page.name for page in booklet(load_scenario("basic"), options)}


def test_a_start_position_is_printed_in_words() -> None:
    """R10, 5.62: off the map, outside a door, killed and got away, not the words of the file."""
    men = (
        StartFigure(name="Rising Dream", place="off", levels={"fist": 1}),
        StartFigure(name="Shadow Lotus", place="station", entry="Front Door", levels={"fist": 1}),
        StartFigure(name="Golden Song", place="dead"),
        StartFigure(name="Leaping Dragon", place="escaped"),
        StartFigure(name="CloneMaster", place="dead"),
    )
    text = tables(Scenario(name="x", terminators=4, start=StartPosition(figures=men)))
    for fact in (
        "Rising Dream off the map",
        "Shadow Lotus outside the Front Door",
        "Golden Song killed",
    ):
        assert fact in text, fact
    assert "Leaping Dragon got away" in text
    assert "station" not in text


def test_only_mountain_heart_comes_back(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """5.6: no record sheet says that other levels than Mountain Heart's are recovered."""
    said: list[str] = []
    real = marks.write_line

    def noted(*args: Any, **named: Any) -> float:
        said.append(args[2])
        return real(*args, **named)

    monkeypatch.setattr(marks, "write_line", noted)
    options = PrintOptions(parts=("records",))
    for scenario in (load_scenario("basic"), brawl()):
        said.clear()
        for page in booklet(scenario, options):
            page_image(page, options, 20)
        hints = [text for text in said if "come back" in text]
        assert len(hints) == 2
        assert all("Only Mountain Heart may come back" in text.replace("only", "Only") for text in hints)


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=4000), st.integers(1, 99), st.integers(0, 99))
def test_any_scenario_can_be_printed(notes: str, turns: int, servants: int) -> None:
    """Notes of any length, many turns and many figures run on over pages and never break."""
    scenario = Scenario(name=notes[:50] or "x", notes=notes * 3, turns=turns, servants=servants)
    options = PrintOptions(parts=("counters", "track", "tables", "records"))
    pages = booklet(scenario, options)
    assert len(pages) >= 4
    page_image(pages[-1], options, 15)


def test_very_long_notes_run_over_pages(qapp: object, basic: Scenario) -> None:
    """A single paragraph that fills more than a page goes on in the next columns."""
    short = booklet(basic, PrintOptions(parts=("tables",)))
    scenario = msgspec.structs.replace(basic, notes="word " * 6000)
    pages = booklet(scenario, PrintOptions(parts=("tables",)))
    assert len(pages) > len(short) + 1


def test_a_failed_print_leaves_the_old_file(
    qapp: object, tmp_path: Path, basic: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PDF takes its place only when it is whole; stopped, or on a full disk, the old one stays."""
    path = tmp_path / "out.pdf"
    path.write_bytes(b"old")
    assert print_pdf(basic, PrintOptions(), path, lambda done, _all: done < 3) == 0
    assert path.read_bytes() == b"old"

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        print_pdf(basic, PrintOptions(parts=("track",)), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_fonts_are_in_the_file(qapp: object, tmp_path: Path, basic: Scenario) -> None:
    """The text face is embedded, so that any computer prints the same."""
    path = tmp_path / "x.pdf"
    print_pdf(basic, PrintOptions(parts=("tables",)), path)
    raw = path.read_bytes()
    assert b"/FontFile" in raw
    assert b"DejaVuSans" in raw


def test_an_unknown_figure_of_a_start_is_left_out(basic: Scenario) -> None:
    """A start position with a name that nobody has does not keep the rest from being printed."""
    scenario = brawl()
    assert scenario.start is not None
    figures = (*scenario.start.figures, StartFigure(name="Nobody", square=(1, 1)))
    start = msgspec.structs.replace(scenario.start, figures=figures)
    scenario = msgspec.structs.replace(scenario, start=start)
    assert "Nobody" not in {figure.name for figure, _ in pieces.placed(scenario)}
    fighters = [one for one in figures if one.name in TERMINATOR_NAMES or one.name.startswith("J-")]
    assert len(cards(scenario)) == len(fighters)


def test_reading_says_what_a_file_is(tmp_path: Path) -> None:
    """Shipped names, maps, scenarios and text plans are read; anything else is refused in words."""
    assert read_draft("citadel").scenario is None
    assert read_draft("basic").scenario is not None
    path = tmp_path / "plan.txt"
    path.write_text("[grid]\nHH\n[rooms]\nH Hall lower -\n")
    assert read_draft(path).plan.grid == ("HH",)
    with pytest.raises(BadFile, match="no map or scenario called"):
        read_draft("nowhere")
    assert MARGIN == 10 * MM


@pytest.mark.parametrize("seed", range(25))
def test_any_map_can_be_printed(qapp: object, seed: int) -> None:
    """Maps with things in odd places, one square wide or without a name, are drawn all the same."""
    plan = random_plan(seed)
    if all(letter == "." for row in plan.grid for letter in row):
        return
    options = PrintOptions(parts=PARTS)
    for page in booklet(plan, options):
        page_image(page, options, 15)
