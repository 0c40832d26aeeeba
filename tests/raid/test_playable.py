"""Scenarios that are accepted reach their end; those that could not are refused, a line for each fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import make_bot
from engine.core.files import BadFile
from engine.core.match import play
from engine.core.record import Record
from engine.fortress.board import compile_board
from engine.fortress.floorplan import Entry, FloorPlan, format_floorplan
from engine.fortress.masks import bits
from engine.fortress.thing_names import door_names
from engine.raid.choices import Station
from engine.raid.figures import ABILITIES, TERMINATOR_NAMES
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.problems import check_playable, problems
from engine.raid.rules import game_of
from engine.raid.scenario import (
    Phase,
    Scenario,
    StartFigure,
    StartPosition,
    format_scenario,
    load_scenario,
    parse_scenario,
)
from tests.helpers.raid import (
    DREAM,
    LOTUS,
    ONE_OF_EACH,
    T,
    assert_refused,
    offered,
    open_room,
    plan,
    position,
    where,
)

HALL = plan("AAAA AAAA", entries="Way in  0,0  1  1  -; Gate  3,1  2  2  E", edges="armored 3,1 E")
BARE = msgspec.structs.replace(open_room(4, 2), entries=())
CLONE = StartFigure(name="CloneMaster", place="dead")
MAN = StartFigure(name=DREAM, square=(1, 0), levels=ONE_OF_EACH)


def scenario(*figures: StartFigure, board: FloorPlan | str = HALL, **changes: Any) -> Scenario:
    """Return a scenario of one Terminator that starts with these figures."""
    start = StartPosition(
        figures=figures, **{k: changes.pop(k) for k in ("doors", "equipment") if k in changes}
    )
    parts: dict[str, Any] = {"terminators": 1, "jellies": 2, "turns": 1}
    return Scenario(name="Drawn", map=board, start=start, **(parts | changes))


def said(of: Scenario) -> list[str]:
    """Return why a scenario is refused, the same by each way in; nothing if it is not."""
    try:
        check_playable(of)
    except BadFile as error:
        lines = list(error.problems)
        assert {f"{p.place}: {p.message}" for p in problems(of) if p.severity == "error"} == set(lines)
        with pytest.raises(BadFile) as refused:
            RaidMatch.new(of, "1")
        assert list(refused.value.problems) == lines
        return lines
    assert not [problem for problem in problems(of) if problem.severity == "error"]
    assert parse_scenario(format_scenario(of)) == of
    return []


# The map and the set-up


def test_a_map_without_entries() -> None:
    """4.1: nobody could come in."""
    assert "map.entries: the map has no entry (4.1)" in said(
        Scenario(name="Bare", map=BARE, start=None, servants=0)
    )
    assert said(scenario(MAN, CLONE, board=BARE)) == ["map.entries: the map has no entry (4.1)"]


def test_a_set_up_without_enough_squares() -> None:
    """6.1: a set-up that cannot be completed would never end."""
    crowded = Scenario(name="Full", map=HALL, technicians=0, armed_technicians=0, jellies=0, servants=7)
    assert said(crowded) == ["map.rooms: 7 squares for 8 counters to be set up (6.1)"]
    assert said(msgspec.structs.replace(crowded, servants=6)) == []


def test_a_scenario_in_a_file(tmp_path: Path) -> None:
    """What cannot be played is refused at load, behind the file's name."""
    path = tmp_path / "bare.json"
    path.write_bytes(format_scenario(scenario(MAN, CLONE, board=BARE)))
    with pytest.raises(BadFile) as refused:
        load_scenario(path)
    assert str(refused.value) == f"{path}: map.entries: the map has no entry (4.1)"


def test_a_record_of_what_cannot_be_played() -> None:
    """A record is refused as its scenario is."""
    packed = json.loads(format_scenario(scenario(MAN, CLONE, board=BARE)))
    record = Record(seed="1", scenario=packed)
    for read in (RaidReplay.of, RaidMatch.from_record):
        with pytest.raises(BadFile, match=r"map\.entries: the map has no entry"):
            read(record)


def test_shipped_scenarios_start_without_graph_tools() -> None:
    """The check of what is shipped needs neither networkx nor shapely, also from a record."""
    program = (
        "import sys; from engine.raid.match import RaidMatch; from engine.raid.scenario import load_scenario;"
        "game = RaidMatch.new(load_scenario('basic'), '1'); RaidMatch.from_record(game.record);"
        "print(*({'networkx', 'shapely'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


# Start positions


@pytest.mark.parametrize(
    ("figures", "line"),
    [
        ((CLONE,), f"start.figures: {DREAM} is not there"),
        ((MAN,), "start.figures: CloneMaster is not there"),
        ((MAN, CLONE, MAN), f'start.figures[2].name: "{DREAM}" is there twice'),
    ],
)
def test_who_must_be_there(figures: tuple[StartFigure, ...], line: str) -> None:
    """3.1: every Terminator and the CloneMaster have a place at the start, once."""
    assert line in said(scenario(*figures))


@pytest.mark.parametrize(
    ("figure", "line"),
    [
        ({"square": (1, 0)}, f"original: {DREAM} has no level at all (6.1)"),
        ({"place": "off"}, f"original: {DREAM} has no level at all (6.1)"),
        ({"square": (1, 0), "levels": {"fist": 0}}, f"original: {DREAM} has no level at all (6.1)"),
        ({"place": "off", "levels": {}, "original": {"heart": 1}}, f"levels: {DREAM} is unconscious, which"),
        ({"square": (1, 0), "levels": {"fist": 2}, "original": {"fist": 1}}, "levels.fist: 2 is above the"),
        (
            {"square": (1, 0), "levels": {"fist": 1, "weapon": 1}},
            "original.weapon: a Terminator has no weapon",
        ),
        ({"square": (1, 0), "levels": {"fist": 1, "luck": 1}}, 'levels: "luck" is not one of fist'),
        ({"square": (1, 0), "levels": {"fist": 1}, "is_face_up": False}, "is_face_up: a Terminator is never"),
        ({"square": (1, 0), "levels": {"fist": 1}, "entry": "Gate"}, 'entry: only a figure at "station"'),
        (
            {"place": "station", "levels": {"fist": 1}, "entry": "Way in"},
            'entry: no entry called "Way in" has',
        ),
        ({"square": (9, 9), "levels": {"fist": 1}}, "square: 9,9 is no square of the map"),
        ({"levels": {"fist": 1}}, "square: a figure on the map has a square"),
    ],
    ids=str,
)
def test_terminators_that_cannot_be(figure: dict[str, Any], line: str) -> None:
    """2.4, 5.5, 6.1, R10: a Terminator begins face up with levels, in a place where he can be."""
    found = said(scenario(StartFigure(name=DREAM, **figure), CLONE))
    assert any(one.startswith(f"start.figures[0].{line}") for one in found), found


@pytest.mark.parametrize(
    ("figure", "line"),
    [
        ({"name": "J-1", "place": "station"}, 'place: only a Terminator can be at "station"'),
        ({"name": "J-1", "place": "off"}, 'place: only a Terminator can be at "off"'),
        ({"name": "Servant 1", "place": "off"}, 'place: only a Terminator can be at "off"'),
        ({"name": "Technician 1", "place": "escaped"}, 'place: only a Terminator can be at "escaped"'),
        ({"name": "J-1", "square": (2, 0), "levels": {}, "is_face_up": False}, "is_face_up: an unconscious"),
        ({"name": "J-1", "place": "dead", "is_face_up": False}, "is_face_up: only a counter on the map"),
        ({"name": "J-1", "square": (2, 0), "original": {"kick": 3}}, "original: these are not the levels"),
        ({"name": "J-1", "square": (2, 0), "original": {}}, "original: these are not the levels"),
        ({"name": "J-1", "square": (2, 0), "levels": {"kick": 3}}, "levels.kick: 3 is above the original 2"),
        ({"name": "J-2", "square": (2, 0), "levels": {}}, "levels: J-2 has no Mountain Heart"),
        ({"name": "Servant 1", "square": (2, 0), "levels": {}}, "levels: only Terminators and Jellies have"),
        ({"name": "Servant 1", "square": (1, 0)}, f"square: {DREAM} is there too (4.6)"),
        ({"name": "J-1", "square": (1, 0)}, f"square: {DREAM} is there too (4.6)"),
        ({"name": "J-99", "square": (1, 0), "levels": {}}, 'name: "J-99" is no figure of this scenario'),
    ],
    ids=str,
)
def test_counters_that_cannot_be(figure: dict[str, Any], line: str) -> None:
    """2.4, 3.1, 4.6, R9, R28: the CloneMaster's counters are on the map or dead, with printed levels."""
    found = said(scenario(MAN, CLONE, StartFigure(**figure)))
    assert any(one.startswith(f"start.figures[2].{line}") for one in found), found


@pytest.mark.parametrize("place", ["escaped", "off", "station"])
def test_a_clonemaster_elsewhere(place: Any) -> None:
    """4.21: the CloneMaster is on the map or dead."""
    found = said(scenario(MAN, StartFigure(name="CloneMaster", place=place)))
    assert found == [f'start.figures[1].place: only a Terminator can be at "{place}"']


def test_station_with_no_door() -> None:
    """R10: without an entry behind an armored door nobody stands at one."""
    man = StartFigure(name=DREAM, place="station", levels=ONE_OF_EACH)
    assert said(scenario(man, CLONE, board=open_room(3, 1))) == [
        "start.figures[0].place: no entry has an armored door to stand outside of (R10)"
    ]


def test_station_with_one_door() -> None:
    """R10: the one door is meant, whichever entry it is."""
    of = position(HALL, f"{DREAM}  station")
    assert said(of) == []
    game = RaidMatch.new(of, "1")
    assert where(game, DREAM) == "station"
    assert offered(game, T, Station) == []
    assert_refused(game, T, Station(DREAM, "Gate"), "R10", "stands there already")


def test_station_with_several_doors() -> None:
    """R10: where several entries have a door, each figure says outside which it stands."""
    west = Entry(name="West", x=0, y=1, enter=1, leave=1, side="W")
    door = msgspec.structs.replace(HALL.edges[0], x=0, side="W")
    board = msgspec.structs.replace(HALL, entries=(*HALL.entries, west), edges=(*HALL.edges, door))
    one, two = (StartFigure(name=name, place="station", levels=ONE_OF_EACH) for name in (DREAM, LOTUS))
    line = "start.figures[0].entry: missing; several entries have an armored door (R10)"
    assert line in said(scenario(one, two, CLONE, board=board, terminators=2))
    named = (msgspec.structs.replace(one, entry="West"), msgspec.structs.replace(two, entry="Gate"))
    of = scenario(*named, CLONE, board=board, terminators=2)
    assert said(of) == []
    assert offered(RaidMatch.new(of, "1"), T, Station) == [Station(DREAM, "Gate"), Station(LOTUS, "West")]


def test_names_of_doors_and_equipment() -> None:
    """4.41, 2.2: a start position names doors as the game does, by their edge's owner, once each."""
    edges = "armored 2,0 W; armored 1,0 E; armored 0,1 W; armored 2,1 N; door 3,1 N"
    board = plan(
        "AABB AACC", edges=edges, equipment="tank 3,0", entries="In  0,0  1  1  -; Gate  0,1  1  1  W"
    )
    man = StartFigure(name=DREAM, place="off", levels=ONE_OF_EACH)
    game = game_of(scenario(man, CLONE, board=board))
    assert game.door_names == ("door 1,0 E", "door 0,1 W", "door 2,0 S")
    assert game.door_names == door_names(board)
    destroyed = scenario(man, CLONE, board=board, doors=game.door_names, equipment=game.equipment_names)
    assert said(destroyed) == []
    view = RaidMatch.new(destroyed, "1").view("public")
    assert all(door.is_destroyed for door in view.doors)
    for name in ("door 2,0 W", "door 2,1 N", "door 3,0 S", "door -1,1 E", "tank 3,0"):
        (line,) = said(scenario(MAN, CLONE, board=board, doors=(name,)))
        assert line.startswith(f'start.doors[0]: "{name}" is not on the map')
    (line,) = said(scenario(MAN, CLONE, board=board, doors=("door 20 S",)))
    assert line.endswith('; is "door 2,0 S" meant?')


# Maps in files of their own


def test_a_map_beside_the_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario's map is looked for beside the scenario's file, wherever the program was started."""
    folder, elsewhere = tmp_path / "mine", tmp_path / "elsewhere"
    (folder / "maps").mkdir(parents=True)
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (folder / "maps" / "hall.json").write_bytes(format_floorplan(HALL))
    (folder / "hall-scenario.json").write_bytes(format_scenario(scenario(MAN, CLONE, board="maps/hall.json")))
    loaded = load_scenario(folder / "hall-scenario.json")
    assert loaded == load_scenario("../mine/hall-scenario.json")
    assert loaded.map == HALL
    game = RaidMatch.new(loaded, "1")
    assert game.board.plan == HALL
    assert game.record.scenario["map"]["grid"] == list(HALL.grid)
    # What is changed on disk later changes neither the board nor the record.
    (folder / "maps" / "hall.json").unlink()
    assert RaidMatch.new(loaded, "2").record.scenario == game.record.scenario


def test_a_map_that_is_not_beside_the_scenario(tmp_path: Path) -> None:
    """A missing or damaged map is told with its name and the scenario's file."""
    path = tmp_path / "scenario.json"
    path.write_bytes(format_scenario(scenario(MAN, CLONE, board="none.json")))
    with pytest.raises(BadFile) as refused:
        load_scenario(path)
    assert str(refused.value) == f'{path}: map: "none.json": cannot be read: No such file or directory'


def test_only_files_open_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario from anywhere but a file, as a record's is, may name shipped maps only."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hall.json").write_bytes(format_floorplan(HALL))
    line = 'map: "hall.json" is no shipped map; those are citadel, tea-house, mountain'
    inline = scenario(MAN, CLONE, board="hall.json")
    with pytest.raises(BadFile) as refused:
        parse_scenario(format_scenario(inline))
    assert refused.value.problems == (line,)
    with pytest.raises(BadFile) as refused:
        RaidMatch.new(inline, "1")
    assert refused.value.problems == (line,)
    with pytest.raises(BadFile) as refused:
        RaidReplay.of(Record(seed="1", scenario=json.loads(format_scenario(inline))))
    assert refused.value.problems == (f"scenario.{line}",)


def test_shipped_maps_stay_names() -> None:
    """The shipped scenario names its map, so that it is opened only once somebody plays."""
    assert load_scenario("basic").map == "citadel"


# Whatever is accepted can be played


TANKS = ((2, 1),)
PLANS = (
    HALL,
    open_room(3, 2),
    plan("AAB AAB CCB", edges="door 1,0 E; armored 1,2 E; dropoff 0,1 S", equipment="tank 2,1"),
    plan("ABBB ABBB", edges="armored 0,0 E; armored 0,1 W", entries="Gate  0,1  2  1  W; In  2,0  1  1  -"),
)
LEVELS = st.dictionaries(st.sampled_from(ABILITIES), st.integers(0, 2), max_size=4)
SOME = st.dictionaries(st.sampled_from(list(ONE_OF_EACH)), st.integers(0, 1), max_size=4)
NAMES = (
    *(*TERMINATOR_NAMES[:2], "CloneMaster", "J-1", "J-2", "J-7"),
    *("Servant 1", "Technician 1", "Armed Technician 1"),
)


@st.composite
def start_figures(draw: st.DrawFn, name: str, square: tuple[int, int]) -> StartFigure:
    """Return a figure that mostly may begin a game."""
    is_terminator = name in TERMINATOR_NAMES
    places = ("map", "map", "map", "off", "dead") if is_terminator else ("map", "map", "map", "dead")
    place: Any = draw(st.sampled_from(places))
    figure = StartFigure(name=name, place=place, square=square if place == "map" else None)
    if is_terminator:
        figure = msgspec.structs.replace(figure, original=ONE_OF_EACH)
        if place == "map":
            figure = msgspec.structs.replace(figure, levels=draw(SOME))
    elif place == "map":
        figure = msgspec.structs.replace(figure, is_face_up=draw(st.booleans()))
        if name == "J-1" and figure.is_face_up and draw(st.booleans()):
            figure = msgspec.structs.replace(figure, levels={})
    if draw(st.integers(0, 29)) == 29:
        odd: dict[str, Any] = {
            "levels": draw(LEVELS),
            "original": draw(LEVELS),
            "place": draw(st.sampled_from(["off", "station", "escaped", "dead"])),
            "is_face_up": False,
            "square": None,
        }
        field = draw(st.sampled_from(list(odd)))
        figure = msgspec.structs.replace(figure, **{field: odd[field]})
    return figure


@st.composite
def positions(draw: st.DrawFn) -> Scenario:
    """Return a small position on a drawn map."""
    names = (*NAMES[:3], *draw(st.lists(st.sampled_from(NAMES[3:]), max_size=4, unique=True)))
    board = draw(st.sampled_from(PLANS))
    compiled = compile_board(board)
    floor = [board.xy(square) for square in bits(compiled.floor & ~compiled.tanks)]
    squares = draw(st.permutations(floor))
    if draw(st.integers(0, 9)) == 9:  # two of them in one place, or on no square at all
        squares[0] = draw(st.sampled_from([squares[1], (200, 0), *TANKS]))
    figures = [
        draw(start_figures(name, square)) for name, square in zip(names, squares * len(names), strict=False)
    ]
    doors = door_names(board)
    return Scenario(
        name="Drawn",
        map=board,
        turns=draw(st.integers(1, 2)),
        terminators=2,
        jellies=3,
        start=StartPosition(
            turn=1,
            phase=draw(st.sampled_from(get_args(Phase))),
            figures=tuple(figures),
            doors=tuple(draw(st.lists(st.sampled_from(doors), unique=True))) if doors else (),
        ),
    )


@st.composite
def set_ups(draw: st.DrawFn) -> Scenario:
    """Return a small set-up on a drawn map whose rooms take some kinds only."""
    board = draw(st.sampled_from((open_room(3, 3), plan("AAAAA AABBB", edges="open 1,1 E"), *PLANS)))
    rooms = tuple(
        msgspec.structs.replace(room, setup=draw(st.sampled_from(["STJ", "STJ", "ST", "TJ"])))
        for room in board.rooms
    )
    few = st.integers(0, 2)
    return Scenario(
        name="Drawn",
        map=msgspec.structs.replace(board, rooms=rooms),
        turns=draw(st.integers(1, 2)),
        terminators=draw(st.integers(1, 3)),
        levels=draw(st.integers(5, 15)),
        jellies=draw(few),
        armed_technicians=draw(few),
        technicians=draw(few),
        servants=draw(few),
    )


def play_out(of: Scenario, seed: str, bot: str = "random") -> None:
    """Play a scenario with two bots and check that it ends, and that its record can be read again."""
    game = RaidMatch.new(of, seed)
    play(game, {side: make_bot(bot, seed) for side in game.sides}, 20_000)
    assert game.is_over
    assert RaidMatch.from_record(game.record).is_over


@settings(max_examples=120, deadline=None)
@given(of=positions(), seed=st.integers(0, 99), bot=st.sampled_from(["random", "rulebook"]))
def test_accepted_positions_end(of: Scenario, seed: int, bot: str) -> None:
    """Contract: a start position is either refused with its faults or played to the end."""
    if not said(of):
        play_out(of, str(seed), bot)


@settings(max_examples=80, deadline=None)
@given(of=set_ups(), seed=st.integers(0, 99))
def test_accepted_set_ups_end(of: Scenario, seed: int) -> None:
    """Contract: a set-up is either refused for want of room or completed and played to the end."""
    if not said(of):
        play_out(of, str(seed))


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in items for place in ((*way, key), *_places(inner, (*way, key)))]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=200, deadline=None)
@given(of=positions(), data=st.data())
def test_only_bad_file_comes_out(of: Scenario, data: st.DataObject) -> None:
    """Contract: a scenario mutated at random is refused with BadFile alone, or can be begun."""
    document = json.loads(format_scenario(of))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(_places(document)))
        inner = document
        for key in way:
            inner = inner[key]
        if data.draw(st.booleans()):
            inner[last] = data.draw(JSON)
        elif isinstance(inner, dict):
            del inner[last]
        else:
            inner.insert(last, inner[last])
    lines = ["whole"]
    try:
        RaidMatch.new(parse_scenario(json.dumps(document).encode()), "1")
    except BadFile as error:
        lines = list(error.problems)
    assert lines
    assert not any("\n" in line for line in lines)
