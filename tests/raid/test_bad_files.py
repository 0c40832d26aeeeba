"""Damaged scenarios and records: a clear line per fault with its place, exit 2, nothing changed on disk."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.cli import main
from engine.core.files import BadFile
from engine.core.record import Record, format_record, load_record, parse_record
from engine.raid.match import RULES, RaidMatch, RaidReplay
from engine.raid.scenario import (
    HouseRules,
    Scenario,
    StartFigure,
    StartPosition,
    format_scenario,
    load_scenario,
    parse_scenario,
)

Document = dict[str, Any]
RECORDS = Path(__file__).parents[1] / "records"
CASES = 150  # for each kind of file and of damage by chance

# Where a fault is: a key, an item, a square, a line, a byte, or the file as a whole.
PLACE = re.compile(
    r"(?:the file|map \d+,\d+|byte \d+|line \d+(?: column \d+)?|[\w.$\[\]\"-]+)(?:[.\[][^:]*)?: \S"
    r"|is a folder, not a file"
    r"|cannot be read: \S|larger than |nested deeper than |not JSON: \S|holds .* where an object "
)
# Values of every kind that JSON has, odd ones among them.
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 100, 256, 10**6, 2**63, 10**30, -(10**30), 0.5, 1e300, "", "x", "basic",
    "J-1", "CloneMaster", "terminator", "x" * 5000, "a\nb", "\u0000", "é", "\u202e", [], [[]], {}, {"a": 1},
    [1, 2, 3],
    [0, 0], [-1, -1], [None], ["a", "b"], {"do": "pass"}, {"do": 3}, {"format": "kungfu2100.map"},
)  # fmt: skip


@cache
def scenario_text() -> str:
    """Return a scenario that says everything a scenario can say, its map inside."""
    basic = load_scenario("basic")
    whole = msgspec.structs.replace(
        basic,
        map=RULES.unpack_scenario(RULES.pack_scenario(basic), "").map,
        rules=HouseRules(corner_sight="graze", may_underpick=False),
        start=StartPosition(
            turn=3,
            phase="clonemaster-move",
            figures=(
                StartFigure(name="Rising Dream", square=(6, 8), levels={"fist": 1}, original={"fist": 2}),
                StartFigure(name="Shadow Lotus", place="off", levels={"kick": 1}),
                StartFigure(name="Golden Song", place="dead"),
                StartFigure(name="J-3", square=(0, 0), is_face_up=False),
                StartFigure(name="CloneMaster", square=(12, 4)),
            ),
            equipment=("tank 21,0",),
        ),
    )
    return format_scenario(whole).decode()


@cache
def record_text() -> str:
    """Return the first part of a kept game, choices of each kind in it."""
    record = load_record(RECORDS / "random.json")
    return format_record(record.cut(120)).decode()


def read_scenario(raw: bytes) -> None:
    """Read a scenario and begin a game of it, as `play` does."""
    RaidMatch.new(parse_scenario(raw), "1")


def read_record(raw: bytes) -> None:
    """Read a record and go through it, as `replay` and `play --record` do."""
    record = parse_record(raw)
    RaidReplay.of(record)
    RaidMatch.from_record(record)


KINDS: dict[str, tuple[Callable[[], str], Callable[[bytes], None]]] = {
    "scenario": (scenario_text, read_scenario),
    "record": (record_text, read_record),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the way to every value inside a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from spots(inner, (*path, key))


def holder(document: Any, path: tuple[Any, ...]) -> Any:
    """Return what holds the value at the end of a way."""
    for key in path[:-1]:
        document = document[key]
    return document


def check_lines(error: BadFile) -> None:
    """Check that each fault is one line, short enough to read, with its place in front."""
    assert error.problems
    for line in error.problems:
        assert "\n" not in line, line
        assert len(line) < 600, line
        assert PLACE.match(line), line


def tried(kind: str, raw: bytes) -> bool:
    """Read bytes as a file of that kind; return whether they were refused, which must be in good order."""
    try:
        KINDS[kind][1](raw)
    except BadFile as error:
        check_lines(error)
        return True
    return False


@each_kind
def test_undamaged(kind: str) -> None:
    """What the other tests damage is good."""
    assert not tried(kind, KINDS[kind][0]().encode())


@each_kind
def test_cut_short(kind: str) -> None:
    """A file cut after any byte is refused, with the line and column where it breaks off."""
    raw = KINDS[kind][0]().rstrip().encode()
    for length in sorted({*range(60), *random.Random(1).sample(range(len(raw)), CASES)}):
        assert tried(kind, raw[:length]), length


@each_kind
def test_any_value_of_another_kind(kind: str) -> None:
    """A value replaced by an odd one is refused with its place, or the file is still a good one."""
    chance = random.Random(2)
    good = json.loads(KINDS[kind][0]())
    ways = list(spots(good))
    refused = 0
    for _ in range(CASES * 2):
        damaged = copy.deepcopy(good)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            path = chance.choice(ways)
            try:
                holder(damaged, path)[path[-1]] = copy.deepcopy(chance.choice(ODD))
            except (TypeError, LookupError):  # a way into what has been replaced already
                continue
        refused += tried(kind, json.dumps(damaged).encode())
    assert refused > CASES


@each_kind
def test_any_key_gone_or_moved(kind: str) -> None:
    """A value left out, repeated or put elsewhere is refused with its place, or the file is still good."""
    chance = random.Random(3)
    good = json.loads(KINDS[kind][0]())
    ways = list(spots(good))
    refused = 0
    for _ in range(CASES):
        damaged = copy.deepcopy(good)
        path, other = chance.choice(ways), chance.choice(ways)
        where = holder(damaged, path)
        taken = copy.deepcopy(where[path[-1]])
        how = chance.randrange(3)
        if how == 0:
            del where[path[-1]]
        elif how == 1 and isinstance(where, list):
            where.insert(chance.randrange(len(where)), taken)
        else:
            holder(damaged, other)[other[-1]] = taken
        refused += tried(kind, json.dumps(damaged).encode())
    assert refused > 20


@each_kind
def test_any_bytes_changed(kind: str) -> None:
    """Bytes changed, put in or taken out are refused with their place, or the file is still good."""
    chance = random.Random(4)
    good = KINDS[kind][0]().encode()
    refused = 0
    for _ in range(CASES):
        damaged = bytearray(good)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(damaged))
            how = chance.randrange(3)
            if how == 0:
                damaged[at] = chance.randrange(256)
            elif how == 1:
                damaged[at:at] = bytes([chance.choice(b'{}[]",:0\\\x00\xff')])
            else:
                del damaged[at : at + chance.randrange(1, 30)]
        refused += tried(kind, bytes(damaged))
    assert refused > CASES // 2


@each_kind
def test_keys_given_twice(kind: str) -> None:
    """Any key given twice is refused, and named."""
    text = KINDS[kind][0]()
    keys = [found for found in re.finditer(r'"(\w+)": ', text) if found[1] not in ("format", "version")]
    for found in random.Random(5).sample(keys, 60):
        doubled = f'{text[: found.start()]}"{found[1]}": 0, {text[found.start() :]}'
        with pytest.raises(BadFile) as caught:
            KINDS[kind][1](doubled.encode())
        check_lines(caught.value)
        assert any(f"{found[1]}: the key is given twice" in line for line in caught.value.problems)


@each_kind
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1"])
def test_other_encodings(kind: str, encoding: str) -> None:
    """A file that is no plain UTF-8 is refused with the first wrong byte."""
    document = json.loads(KINDS[kind][0]())
    document["title" if kind == "record" else "name"] = "Ünsinn"
    assert tried(kind, json.dumps(document, ensure_ascii=False).encode(encoding))


@each_kind
def test_deep_nesting(kind: str) -> None:
    """A hundred thousand brackets inside one another are refused, wherever they are, and break nothing."""
    document = json.loads(KINDS[kind][0]())
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        for depth in (70, 2000, 100_000):
            deep = f"{opening * depth}1{closing * depth}"
            assert tried(kind, deep.encode())
            for key in document:
                damaged = json.dumps({**document, key: "HERE"}).replace('"HERE"', deep)
                assert tried(kind, damaged.encode()), (key, depth)


@each_kind
def test_huge_numbers_and_texts(kind: str) -> None:
    """Numbers of many digits and texts of a megabyte are refused shortly, or do no harm."""
    document = json.loads(KINDS[kind][0]())
    for huge in ("9" * 5000, "-" + "9" * 400, "1e999", "NaN", "Infinity", json.dumps("x" * 2**20)):
        for key in document:
            tried(kind, json.dumps({**document, key: "HERE"}).replace('"HERE"', huge).encode())


@each_kind
def test_faults_are_all_told(kind: str) -> None:
    """Several faults are told at once, each with its own place."""
    document = json.loads(KINDS[kind][0]())
    if kind == "record":
        document |= {"seed": 5, "title": [], "choices": [3]}
        places = ["title", "seed", "choices[0]"]
    else:
        document |= {"turns": 0, "jellies": "x", "rules": {"corner_sight": "odd"}}
        places = ["turns", "jellies", "rules.corner_sight"]
    with pytest.raises(BadFile) as caught:
        KINDS[kind][1](json.dumps(document).encode())
    assert [line.partition(":")[0] for line in caught.value.problems] == places


def test_odd_words_inside_a_map() -> None:
    """A long word or one of two lines, deep inside a scenario's map, is still told on one short line."""
    for word in ("x" * 5000, "a\nb"):
        document = json.loads(scenario_text())
        document["map"]["edges"][3]["kind"] = word
        with pytest.raises(BadFile, match=r"^map\.edges\[3\]\.kind: ") as caught:
            parse_scenario(json.dumps(document).encode())
        check_lines(caught.value)


def first_choices(**changed: Any) -> Record:
    """Return a record of one choice of which some fields are others."""
    base = parse_record(record_text().encode()).cut(1)
    row = msgspec.structs.replace(base.choices[0], **changed)
    return msgspec.structs.replace(base, choices=(row,))


@pytest.mark.parametrize(
    "changed",
    [
        {"side": "public"},
        {"side": ""},
        {"side": "clonemaster"},
        {"choice": {}},
        {"choice": {"do": "nothing"}},
        {"choice": {"do": "ready"}},
        {"choice": {"do": "set-abilities", "figure": "Rising Dream"}},
        {"choice": {"do": "set-abilities", "figure": "Nobody", **dict.fromkeys(("fist", "kick"), 2)}},
        {"choice": {"do": "place", "figure": "J-1", "square": [99999, -5]}},
        {"choice": {"do": "move", "figure": "J-1", "path": [[10**30, 0]]}},
    ],
    ids=str,
)
def test_choice_that_cannot_be(changed: dict[str, Any]) -> None:
    """A choice of nobody, of no kind or against the rules is refused by its number."""
    for read in (RaidReplay.of, RaidMatch.from_record):
        with pytest.raises(BadFile, match=r"^choices\[0\]: ") as caught:
            read(first_choices(**changed))
        check_lines(caught.value)


def test_choices_after_the_end() -> None:
    """A choice after the end of the game is refused by its number."""
    record = load_record(RECORDS / "random.json")
    longer = msgspec.structs.replace(record, choices=(*record.choices, record.choices[-1]))
    for read in (RaidReplay.of, RaidMatch.from_record):
        with pytest.raises(BadFile, match=rf"^choices\[{len(record.choices)}\]: "):
            read(longer)


def test_too_few_scripted_rolls() -> None:
    """A record whose dice are used up is refused by saying so, even before the first choice."""
    start = StartPosition(
        phase="recovery",
        figures=(
            StartFigure(name="Rising Dream", square=(6, 8), original={"heart": 1}, levels={}),
            StartFigure(name="CloneMaster", place="dead"),
        ),
    )
    packed = RULES.pack_scenario(Scenario(name="Dice", terminators=1, start=start))
    for read in (RaidReplay.of, RaidMatch.from_record):
        with pytest.raises(BadFile, match=r"^dice: the scripted rolls are used up$"):
            read(Record(seed="1", dice=(), scenario=packed))
    record = load_record(RECORDS / "random.json")
    for read in (RaidReplay.of, RaidMatch.from_record):
        with pytest.raises(BadFile, match=r"^choices\[\d+\]: the scripted rolls are used up$"):
            read(msgspec.structs.replace(record, dice=()))


# The command line


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Return a folder of damaged files of both kinds."""
    chance = random.Random(6)
    for kind, (text, _) in KINDS.items():
        raw = text().encode()
        for number in range(8):
            (tmp_path / f"{kind}-{number}.json").write_bytes(raw[: chance.randrange(1, len(raw) - 3)])
        (tmp_path / f"{kind}-deep.json").write_text("[" * 100_000)
        (tmp_path / f"{kind}-binary.json").write_bytes(b"\xff\xfe\x00\x01" * 100)
        (tmp_path / f"{kind}-empty.json").write_bytes(b"")
        (tmp_path / f"{kind}-other.json").write_text('{"format": "kungfu2100.other", "version": 1}')
        (tmp_path / f"{kind}-newer.json").write_text(json.dumps({**json.loads(raw), "version": 99}))
        (tmp_path / f"{kind}-folder.json").mkdir()
    return tmp_path


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return what is in a folder, byte for byte."""
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def test_commands_refuse_damaged_files(damaged: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every command says what is wrong behind the file's name, exits with 2 and changes nothing."""
    before = contents(damaged)
    for name in before:
        path = str(damaged / name)
        commands = [["check", path], ["replay", path], ["replay", "--verify", path]]
        commands += [["play", path], ["play", "basic", "--record", path]]
        for command in commands:
            assert main(command) == 2, command
            out, err = capfd.readouterr()
            found = (out + err).splitlines()
            assert found, command
            for line in found:
                assert line.startswith(f"{path}: "), line
                assert PLACE.match(line.removeprefix(f"{path}: ")), line
    assert contents(damaged) == before


def test_missing_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is told by its name."""
    path = str(tmp_path / "none.json")
    for command in (["check", path], ["replay", path], ["play", path]):
        assert main(command) == 2
        out, err = capfd.readouterr()
        assert (out + err).splitlines() == [f"{path}: cannot be read: No such file or directory"]
