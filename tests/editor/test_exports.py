"""Exports: what comes out is the map, whole, in the form that other programs expect."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import shapely
from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.cli import main
from editor.draft import OWN_MAP, Draft
from editor.exports.forms import FORMS, CannotExport, ExportOptions, form_of
from editor.exports.pictures import picture, picture_size, png_bytes, svg_bytes
from editor.exports.save import export, losses, map_path, save
from editor.exports.tabletop import object_lines, portals, wall_lines
from editor.files.reading import read_draft
from engine.core.files import BadFile
from engine.fortress.board import compile_board
from engine.fortress.floorplan import EdgeKind, EdgeOverride, Equipment, FloorPlan, RoomInfo, parse_floorplan
from engine.fortress.masks import bits
from engine.fortress.plan_text import parse_floorplan_text
from engine.raid.scenario import load_scenario, parse_scenario
from tests.helpers.gui import brawl
from tests.helpers.plans import random_plan
from tests.helpers.program import done

ROOT = Path(__file__).parents[2]
Out = pytest.CaptureFixture[str]


@pytest.fixture
def citadel() -> FloorPlan:
    """The shipped citadel."""
    return read_draft("citadel").plan


# Virtual tabletops


def _blocked(plan: FloorPlan, *, with_closed: bool, every: int) -> set[tuple[int, int]]:
    """Return the pairs of squares whose line of sight a tabletop stops, by shapely."""
    lines: list[shapely.Geometry] = [shapely.LineString(line) for line in wall_lines(plan)]
    lines += [shapely.Polygon(line) for line in object_lines(plan)]
    lines += [
        shapely.LineString([(end["x"], end["y"]) for end in door["bounds"]])
        for door in portals(plan)
        if door["closed"] and with_closed
    ]
    walls = shapely.union_all(lines)
    shapely.prepare(walls)
    board = compile_board(plan)
    squares = list(bits(board.floor))
    found: set[tuple[int, int]] = set()
    for at, one in enumerate(squares[:-1]):
        if one % every:
            continue
        x, y = board.xy(one)
        others = squares[at + 1 :]
        ends = [board.xy(other) for other in others]
        sights = shapely.linestrings([((x + 0.5, y + 0.5), (a + 0.5, b + 0.5)) for a, b in ends])
        stopped = shapely.intersects(walls, sights)
        found |= {(one, other) for other, is_stopped in zip(others, stopped, strict=True) if is_stopped}
    return found


@pytest.mark.parametrize(
    ("name", "are_closed"),
    [("citadel", True), ("citadel", False), ("tea-house", True), ("tea-house", False), ("mountain", True)],
)
def test_a_tabletop_sees_what_the_game_sees(name: str, are_closed: bool) -> None:
    """Walls, obstacles and closed doors stop exactly the sight lines that the game's tables stop (R2, R3).

    With armored doors whole and destroyed; pairs of rooms without sight are no walls, and what stands in
    a clone tank's own square is nobody's eye. On the largest map every fifth square looks at those after it.
    """
    every = 5 if name == "mountain" else 1
    shipped = read_draft(name).plan
    plan = msgspec.structs.replace(shipped, no_sight=())
    board = compile_board(plan)
    doors = 0 if are_closed else (1 << len(board.armored)) - 1
    blocked = _blocked(plan, with_closed=are_closed, every=every)
    squares = [square for square in bits(board.floor) if not board.tanks >> square & 1]
    wrong = [
        (board.xy(one), board.xy(other))
        for at, one in enumerate(squares)
        if one % every == 0
        for other in squares[at + 1 :]
        if board.sees(one, other, doors) == ((one, other) in blocked)
    ]
    assert wrong == []


def test_walls_are_long_runs(citadel: FloorPlan) -> None:
    """Walls are joined as far as they go straight, none lies on another, and none has no length."""
    lines = wall_lines(citadel)
    cells = sum(abs(end[0] - start[0]) + abs(end[1] - start[1]) for start, end in lines)
    assert len(lines) < cells / 2
    assert shapely.union_all([shapely.LineString(line) for line in lines]).length == cells
    ends = [(line[0][0] == line[1][0], point) for line in lines for point in line]
    assert len(ends) == len(set(ends))


def test_drop_offs_and_openings_stop_no_sight() -> None:
    """Only walls are walls: a drop-off, an opening and a door leave a gap, each door a portal."""
    rooms = tuple(RoomInfo(letter=letter, name=letter, level="lower", setup="") for letter in ("A", "B"))
    kinds: tuple[EdgeKind, ...] = ("door", "armored", "dropoff", "open")
    plan = FloorPlan(
        name="x",
        grid=("AB",) * 5,
        rooms=rooms,
        edges=tuple(EdgeOverride(x=0, y=y, side="E", kind=kind) for y, kind in enumerate(kinds)),
    )
    middle = [line for line in wall_lines(plan) if line[0][0] == line[1][0] == 1]
    assert middle == [((1.0, 4.0), (1.0, 5.0))]
    found = portals(plan)
    assert [(door["position"]["y"], door["closed"]) for door in found] == [(0.5, False), (1.5, True)]
    assert found[0]["bounds"] == [{"x": 1.0, "y": 0.0}, {"x": 1.0, "y": 1.0}]
    assert found[0]["rotation"] == pytest.approx(1.5708, abs=1e-4)
    assert not found[0]["freestanding"]


def test_equipment_is_an_obstacle_of_its_own() -> None:
    """Tanks and computers are closed outlines apart from the walls."""
    room = RoomInfo(letter="A", name="A", level="lower", setup="")
    plan = FloorPlan(
        name="x",
        grid=("AAA",) * 3,
        rooms=(room,),
        equipment=(Equipment(kind="tank", x=1, y=1), Equipment(kind="computer", x=0, y=2, side="S")),
    )
    tank, computer = object_lines(plan)
    assert tank[0] == tank[-1]
    assert shapely.Polygon(tank).contains(shapely.Point(1.5, 1.5).buffer(0.374))
    assert shapely.Polygon(computer).bounds == (0.125, 2.75, 0.875, 3.0)


@pytest.mark.parametrize("form", ["uvtt", "dd2vtt"])
def test_a_tabletop_file_has_all_its_keys(qapp: object, citadel: FloorPlan, form: Any) -> None:
    """Format 0.3 with its resolution, walls, portals, lights and a picture that fits the grid exactly."""
    made = json.loads(export(Draft(citadel), form, ExportOptions(pixels=20)))
    assert list(made) == [
        "format",
        "resolution",
        "line_of_sight",
        "objects_line_of_sight",
        "portals",
        "environment",
        "lights",
        "image",
    ]
    assert made["format"] == 0.3
    assert made["resolution"] == {
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": 32, "y": 16},
        "pixels_per_grid": 20,
    }
    image = QImage.fromData(base64.b64decode(made["image"]))
    assert image.size() == QSize(32 * 20, 16 * 20)
    # A wall of the plan is dark in the picture where the file says it is.
    for line in made["line_of_sight"]:
        x = (line[0]["x"] + line[1]["x"]) / 2 * 20
        y = (line[0]["y"] + line[1]["y"]) / 2 * 20
        at = image.pixelColor(min(round(x), image.width() - 1), min(round(y), image.height() - 1))
        assert at.lightness() < 128


# Pictures


def test_a_picture_has_the_pixels_asked_for(qapp: object, citadel: FloorPlan) -> None:
    """PNG with so many pixels a square, with and without the rim."""
    draft = Draft(citadel)
    whole = QImage.fromData(png_bytes(draft, ExportOptions(pixels=30)))
    bare = QImage.fromData(png_bytes(draft, ExportOptions(pixels=30, has_rim=False)))
    assert (whole.width(), whole.height()) == (1026, 546)
    assert (bare.width(), bare.height()) == (960, 480)


def test_grid_and_counters_can_be_left_out(qapp: object) -> None:
    """Without the grid a square's middle is bare floor; without counters no figure stands there."""
    scenario = brawl()
    draft = Draft(read_draft("citadel").plan, scenario)
    options = ExportOptions(pixels=40, has_rim=False)
    spot = (12 * 40 + 20, 11 * 40 + 20)  # J-1
    dot = (2 * 40 + 20, 6 * 40 + 20)

    drawn = picture(draft, options)
    assert drawn.pixelColor(*spot) != picture(draft, options._replace(has_figures=False)).pixelColor(*spot)
    bare = picture(draft, options._replace(has_grid=False))
    assert drawn.pixelColor(*dot).lightness() < 150 < bare.pixelColor(*dot).lightness()


def test_face_down_figures_stay_face_down(qapp: object) -> None:
    """A picture of a start position shows the back of what lies face down (R29)."""
    scenario = brawl()
    assert scenario.start is not None
    turned = tuple(
        msgspec.structs.replace(one, is_face_up=False) if one.name in ("J-1", "J-2") else one
        for one in scenario.start.figures
    )
    hidden = msgspec.structs.replace(scenario, start=msgspec.structs.replace(scenario.start, figures=turned))
    plan = read_draft("citadel").plan
    options = ExportOptions(pixels=60, has_rim=False)
    drawn = picture(Draft(plan, hidden), options)
    one, other = (drawn.copy(x * 60 + 4, y * 60 + 4, 52, 52) for x, y in ((12, 11), (11, 12)))
    assert one == other
    assert one != picture(Draft(plan, scenario), options).copy(12 * 60 + 4, 11 * 60 + 4, 52, 52)


def test_svg_opens_and_is_whole(qapp: object, citadel: FloorPlan) -> None:
    """A program that knows SVG draws the same picture as the PNG, nothing cut off."""
    draft, options = Draft(citadel), ExportOptions(pixels=24)
    renderer = QSvgRenderer(QByteArray(svg_bytes(draft, options)))
    assert renderer.isValid()
    size = picture_size(draft, options)
    assert renderer.viewBox().size() == size
    drawn = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(QColor("#00ff00"))
    painter = QPainter(drawn)
    renderer.render(painter)
    painter.end()
    wanted = picture(draft, options)
    differing = sum(
        abs(drawn.pixelColor(x, y).lightness() - wanted.pixelColor(x, y).lightness()) > 60
        for x in range(0, size.width(), 3)
        for y in range(0, size.height(), 3)
    )
    assert differing < 0.02 * size.width() * size.height() / 9
    corners = [(1, 1), (size.width() - 2, 1), (1, size.height() - 2), (size.width() - 2, size.height() - 2)]
    assert all(drawn.pixelColor(*corner) != QColor("#00ff00") for corner in corners)


def test_a_picture_too_large_is_refused(qapp: object) -> None:
    """What no computer could hold is refused before memory runs out."""
    room = RoomInfo(letter="H", name="H", level="lower", setup="")
    plan = FloorPlan(name="x", grid=("H" * 256,) * 256, rooms=(room,))
    with pytest.raises(CannotExport, match="fewer pixels"):
        png_bytes(Draft(plan), ExportOptions(pixels=400))


# Text and JSON


@pytest.mark.parametrize("seed", range(40))
def test_the_text_plan_comes_back(seed: int) -> None:
    """What is exported as text and read again is the same plan, where nothing was said to be lost."""
    plan = random_plan(seed)
    draft = Draft(plan)
    read = parse_floorplan_text(export(draft, "txt", ExportOptions()).decode(), plan.name)
    if not losses(draft, "txt", ExportOptions()):
        assert read == plan
    assert read.grid == plan.grid


def test_json_comes_back(citadel: FloorPlan, tmp_path: Path) -> None:
    """A map is a map again; a scenario has its map within, or alone, or beside it under its name."""
    path = tmp_path / "it.json"
    save(Draft(citadel), "json", ExportOptions(), path)
    assert parse_floorplan(path.read_bytes()) == citadel

    scenario = load_scenario("advanced")
    draft = Draft(citadel, scenario)
    save(draft, "json", ExportOptions(), path)
    whole = parse_scenario(path.read_bytes())
    assert whole.map == citadel
    assert msgspec.structs.replace(whole, map="citadel") == scenario

    save(draft, "json", ExportOptions(json="map"), path)
    assert parse_floorplan(path.read_bytes()) == citadel

    written = save(draft, "json", ExportOptions(json="beside"), path)
    assert written == (path, map_path(path))
    assert json.loads(path.read_bytes())["map"] == "it map.json"
    assert parse_scenario(path.read_bytes(), str(path)) == whole
    again = read_draft(path)
    assert again.plan == citadel
    assert again.scenario is not None
    assert again.scenario.map == OWN_MAP
    with pytest.raises(CannotExport):
        save(Draft(citadel), "json", ExportOptions(json="beside"), path)


def test_a_failed_export_leaves_the_old_file(
    qapp: object, citadel: FloorPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the file that was there is whole, and nothing is left beside it."""

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    for form in FORMS:
        path = tmp_path / f"old.{form}"
        path.write_bytes(b"old")
        with pytest.raises(OSError, match="No space"):
            save(Draft(citadel), form, ExportOptions(pixels=8), path)
        assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == len(FORMS)


def test_the_ending_says_the_form() -> None:
    """A name's ending chooses the form, in any case of letters."""
    assert form_of("Map.PNG") == "png"
    assert form_of("a.b.dd2vtt") == "dd2vtt"
    assert form_of("nothing") is None


# The command line


@pytest.mark.parametrize("command", ["export", "print"])
def test_commands_need_no_display(tmp_path: Path, command: str) -> None:
    """Without a display the file is made and the exit code is 0; a bad file is exit 2 with a message."""
    env = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    env["PYTHONPATH"] = str(ROOT)
    ending = {"export": "svg", "print": "pdf"}[command]

    def run(file: str) -> subprocess.CompletedProcess[bytes]:
        out = tmp_path / f"out.{ending}"
        line = [sys.executable, "-P", "-m", "app", command, file, "-o", str(out)]
        return subprocess.run(line, env=env, cwd=tmp_path, capture_output=True, timeout=60, check=False)

    result = run("citadel")
    assert (result.returncode, result.stderr) == (0, b"")
    assert (tmp_path / f"out.{ending}").stat().st_size > 10_000
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "kungfu2100.map", "version": 1}')
    result = run(str(bad))
    assert result.returncode == 2
    assert b"bad.json: name" in result.stderr
    assert b"Traceback" not in result.stderr


def test_texts_need_no_qt(tmp_path: Path) -> None:
    """JSON and the text plan are made where Qt cannot be loaded; a picture is refused in one line there."""
    for ending in ("json", "txt"):
        code, _, _ = done("export", "citadel", "-o", str(tmp_path / f"x.{ending}"), is_alone=True)
        assert code == 0
        assert (tmp_path / f"x.{ending}").stat().st_size > 1000
    code, _, said = done("export", "citadel", "-o", str(tmp_path / "x.png"), is_alone=True)
    assert code == 2
    assert said.startswith("kungfu2100: drawing needs Qt")
    assert len(said.splitlines()) == 1


def test_several_files_go_into_a_folder(qapp: object, tmp_path: Path, capfd: Out) -> None:
    """A batch makes a file for each, under names that do not clash, and goes on after a bad one."""
    other = tmp_path / "other"
    other.mkdir()
    raw = export(read_draft("tea-house"), "json", ExportOptions())
    for folder in (tmp_path, other):
        (folder / "mine.json").write_bytes(raw)
    (tmp_path / "spoilt.json").write_text("{")
    out = tmp_path / "out"
    files = [str(tmp_path / "mine.json"), str(tmp_path / "spoilt.json"), str(other / "mine.json"), "citadel"]
    assert main(["export", *files, "-o", str(out), "--format", "png", "--pixels", "8"]) == 2
    assert {path.name for path in out.iterdir()} == {"mine.png", "mine 2.png", "citadel.png"}
    assert "spoilt.json" in capfd.readouterr().err


@pytest.mark.parametrize(("command", "ending"), [("export", "svg"), ("print", "pdf")])
def test_a_file_that_cannot_be_written_does_not_end_a_batch(
    qapp: object, tmp_path: Path, capfd: Out, command: str, ending: str
) -> None:
    """What the disk refuses of one of several files is said, and the others are made."""
    (tmp_path / f"citadel.{ending}").mkdir()
    form = ["--format", ending] if command == "export" else ["--parts", "map"]
    assert main([command, "citadel", "tea-house", "-o", str(tmp_path), *form]) == 2
    told = capfd.readouterr()
    assert len(told.err.splitlines()) == 1
    assert told.err.startswith(str(tmp_path / f"citadel.{ending}: cannot be written: "))
    assert (tmp_path / f"tea-house.{ending}").stat().st_size > 1000


def test_a_command_says_what_is_wrong(qapp: object, tmp_path: Path, capfd: Out) -> None:
    """Unknown forms, sizes out of range and places that cannot be written are exit 2 and one line."""
    out = tmp_path / "out.png"
    for line, words in (
        (["export", "citadel", "-o", str(tmp_path / "out.xyz")], "which form"),
        (["export", "citadel", "-o", str(tmp_path / "none" / "out.png")], "cannot be written"),
        (["export", "citadel", "basic", "-o", str(ROOT / "README.md"), "--format", "png"], "need a folder"),
        (["export", "citadel", "-o", str(out), "--pixels", "9999"], "from 4 to 400"),
        (["export", "citadel", "-o", str(out), "--json", "beside", "--format", "json"], "names no other"),
        (["print", "citadel", "-o", str(out), "--square-mm", "nan"], "length"),
        (["print", "citadel", "-o", str(out), "--parts", "map,hats"], "hats"),
        (["print", "nowhere", "-o", str(out)], "no map or scenario called"),
    ):
        assert main(line) == 2
        assert words in capfd.readouterr().err
    assert not out.exists()


def test_the_file_that_is_read_stays(qapp: object, tmp_path: Path, capfd: Out) -> None:
    """Exporting a file onto itself, alone or in a batch, is refused and leaves it as it was."""
    path = tmp_path / "mine.json"
    path.write_bytes(export(read_draft("tea-house"), "json", ExportOptions()))
    raw = path.read_bytes()
    assert main(["export", str(path), "-o", str(path), "--format", "png"]) == 2
    assert (
        main(["export", str(path), "citadel", "-o", str(tmp_path), "--format", "json", "--json", "map"]) == 2
    )
    assert capfd.readouterr().err.count("is the file that is read") == 2
    assert path.read_bytes() == raw
    beside = path.with_name("new map.json")
    beside.write_bytes(raw)
    new = path.with_name("new.json")
    assert main(["export", str(beside), "-o", str(new), "--json", "beside"]) == 2
    assert "is the file that is read" in capfd.readouterr().err
    assert (beside.read_bytes(), new.exists()) == (raw, False)
    assert (tmp_path / "citadel.json").exists()


def test_text_says_what_it_leaves_out(qapp: object, tmp_path: Path, capfd: Out) -> None:
    """A scenario exported as a text plan loses itself, and that is said."""
    assert main(["export", "basic", "-o", str(tmp_path / "x.txt")]) == 0
    assert "left out: the scenario" in capfd.readouterr().err


def test_a_saved_game_is_no_map(tmp_path: Path) -> None:
    """A record is told for what it is."""
    path = tmp_path / "game.json"
    path.write_text('{"format": "kungfu2100.record", "version": 1}')
    with pytest.raises(BadFile, match="saved game"):
        read_draft(path)
