"""The commands: what they print, what they exit with, and what they leave on disk."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from app import __version__
from app.cli import main
from editor.files.opening import open_file
from editor.problems.check import check
from engine.core.record import format_record, load_record, parse_record
from engine.raid.match import RaidMatch
from engine.raid.notation import format_game
from engine.raid.scenario import format_scenario, load_scenario
from resources.path import resource
from tests.helpers.program import done, start

RECORDS = Path(__file__).parents[1] / "records"
QUICK = ["--terminator", "random", "--clonemaster", "random"]
KEYS = ["scenario", "seed", "winner", "level", "turn", "decisions", "points"]
posix_only = pytest.mark.skipif(os.name != "posix", reason="uses signals")
Out = pytest.CaptureFixture[str]


def played(capfd: Out, *args: str) -> str:
    """Return what `play` prints."""
    assert main(["play", *args]) == 0
    return capfd.readouterr().out


# play


def test_json_is_one_object_a_game(capfd: Out) -> None:
    """`--json` prints exactly the promised keys, and nothing else on standard output."""
    result = json.loads(played(capfd, "basic", "--seed", "5", "--json"))
    assert list(result) == KEYS
    assert (result["scenario"], result["seed"], result["points"]) == ("basic", 5, None)
    assert result["winner"] in ("terminator", "clonemaster", "draw")
    assert result["level"] in ("victory", "total victory", None)
    assert 1 <= result["turn"] <= 10
    assert result["decisions"] > 100


def test_same_seed_same_game(capfd: Out) -> None:
    """The same seed gives the same line, and not every seed does."""
    lines = [played(capfd, "basic", *QUICK, "--seed", str(seed), "--json") for seed in (3, 3, 4)]
    assert lines[0] == lines[1] != lines[2].replace('"seed": 4', '"seed": 3')


def test_games_count_seeds_upwards(capfd: Out) -> None:
    """`--games` plays the seeds from the given one on, each as it is played alone."""
    several = played(capfd, "basic", *QUICK, "--seed", "8", "--games", "3", "--json").splitlines()
    alone = [played(capfd, "basic", *QUICK, "--seed", str(seed), "--json") for seed in (8, 9, 10)]
    assert [f"{line}\n" for line in several] == alone


def test_drawn_seed_is_told(capfd: Out) -> None:
    """Without `--seed` one is drawn, and the game can be played again with what is printed."""
    first = played(capfd, "basic", *QUICK, "--json")
    assert played(capfd, "basic", *QUICK, "--json", "--seed", str(json.loads(first)["seed"])) == first


def test_in_words(capfd: Out) -> None:
    """Without `--json` each game is a sentence, and several games are counted up."""
    lines = played(capfd, "basic", *QUICK, "--seed", "1", "--games", "2").splitlines()
    assert lines[0].startswith("seed 1: the ")
    assert lines[1].startswith("seed 2: the ")
    assert lines[2].endswith(" of 2, 100%") or lines[3].endswith(" of 2, 50%")


def test_progress_is_on_standard_error(capfd: Out) -> None:
    """Progress is drawn on standard error."""
    assert main(["play", "basic", *QUICK, "--seed", "1"]) == 0
    out, err = capfd.readouterr()
    assert "100%" in err
    assert len(out.splitlines()) == 1


def test_scenario_from_a_file(tmp_path: Path, capfd: Out) -> None:
    """A scenario of one's own is played, under the name it gives itself."""
    path = tmp_path / "mine.json"
    path.write_text('{"format": "kungfu2100.scenario", "version": 1, "name": "Short", "turns": 1}')
    result = json.loads(played(capfd, str(path), *QUICK, "--seed", "1", "--json"))
    assert (result["scenario"], result["turn"]) == ("Short", 1)


@pytest.mark.parametrize(
    "args",
    [
        ["basic", "--terminator", "nobody"],
        ["basic", "--seed", "-1"],
        ["basic", "--seed", "1.5"],
        ["basic", "--games", "0"],
        ["basic", "--games", "2", "--record", "x.json"],
        ["basic", "--record", "no/such/folder/x.json"],
        ["nosuch"],
        [],
    ],
    ids=" ".join,
)
def test_unusable_arguments(
    args: list[str], tmp_path: Path, capfd: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arguments that cannot be used are refused on standard error with exit 2; nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert main(["play", *args]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_commands_need_neither_window_nor_network(tmp_path: Path) -> None:
    """Whole games are played, recorded, replayed and checked with Qt and sockets out of bounds."""
    args = ["play", "basic", "--seed", "2", "--json", "--record", "a.json"]
    code, out, err = done(*args, folder=tmp_path, is_alone=True)
    assert (code, len(out.splitlines())) == (0, 1), err
    for command in (["replay", "a.json", "--verify", "--text"], ["check", "a.json"]):
        code, out, err = done(*command, folder=tmp_path, is_alone=True)
        assert (code, err) == (0, "")


# play --record


def test_record_is_the_game(tmp_path: Path, capfd: Out) -> None:
    """The recorded game is the one that is played without a record, and `replay` tells the same end."""
    path = tmp_path / "game.json"
    plain = played(capfd, "basic", "--seed", "6", "--json")
    assert played(capfd, "basic", "--seed", "6", "--json", "--record", str(path)) == plain
    record = load_record(path)
    assert record.seats == {"terminator": "rulebook", "clonemaster": "rulebook"}
    assert len(record.choices) == json.loads(plain)["decisions"]


@pytest.mark.parametrize("seat", ["random", "rulebook"])
def test_unfinished_record_is_resumed(seat: str, tmp_path: Path, capfd: Out) -> None:
    """A record cut anywhere goes on to the same file and the same line as the game that never stopped."""
    whole = tmp_path / "whole.json"
    seats = ["--terminator", seat, "--clonemaster", seat]
    line = played(capfd, "basic", *seats, "--seed", "4", "--json", "--record", str(whole))
    record = load_record(whole)
    chance = random.Random(1)
    for length in [0, 1, len(record.choices) - 1, *chance.sample(range(len(record.choices)), 3)]:
        path = tmp_path / f"{length}.json"
        path.write_bytes(format_record(record.cut(length)))
        assert played(capfd, "basic", "--json", "--record", str(path)) == line
        assert path.read_bytes() == whole.read_bytes()


def test_finished_record_is_told_again(tmp_path: Path, capfd: Out) -> None:
    """A finished record is not written again; its result is printed."""
    path = tmp_path / "game.json"
    args = ("basic", *QUICK, "--seed", "4", "--json", "--record", str(path))
    line = played(capfd, *args)
    before = path.stat().st_mtime_ns
    assert played(capfd, *args) == line
    assert path.stat().st_mtime_ns == before


def test_record_of_another_game_is_kept(tmp_path: Path, capfd: Out) -> None:
    """A record of another scenario, seed or player is refused and stays as it is."""
    path = tmp_path / "game.json"
    RaidMatch.new(load_scenario("basic"), "4", seats={"terminator": "random"}, path=path)
    before = path.read_bytes()
    other = tmp_path / "other.json"
    other.write_text('{"format": "kungfu2100.scenario", "version": 1, "name": "Other", "turns": 2}')
    for args in (["basic", "--seed", "5"], ["basic", "--terminator", "rulebook"], [str(other)]):
        assert main(["play", *args, "--record", str(path)]) == 2
        assert capfd.readouterr().err.startswith(f"kungfu2100: {path}: a game ")
    assert path.read_bytes() == before


def test_bots_finish_a_game_from_the_screen(tmp_path: Path, capfd: Out) -> None:
    """A game that people began is finished by the bots asked for, with a seed that is no number too."""
    path = tmp_path / "game.json"
    RaidMatch.new(load_scenario("basic"), "f00", seats={"terminator": "human"}, path=path)
    result = json.loads(played(capfd, "basic", *QUICK, "--json", "--record", str(path)))
    assert result["seed"] == "f00"


@posix_only
def test_a_finished_record_is_said_to_be_over(tmp_path: Path, capfd: Out) -> None:
    """Playing on with a game that is over says so and tells its end again; names may be in any case."""
    path = tmp_path / "game.json"
    assert main(["play", "BASIC", "--seed", "4", "--record", str(path)]) == 0
    first = capfd.readouterr()
    assert "over already" not in first.err
    before = path.read_bytes()
    assert main(["play", "basic", "--record", str(path)]) == 0
    again = capfd.readouterr()
    assert again.out == first.out
    assert f"{path}: the game is over already" in again.err
    assert path.read_bytes() == before


def test_killed_and_resumed(tmp_path: Path) -> None:
    """A recorded game killed at any moment is whole on disk, and resumed ends as if never killed."""
    whole, path = tmp_path / "whole.json", tmp_path / "killed" / "game.json"
    path.parent.mkdir()
    args = ["play", "basic", "--seed", "11", "--json", "--record"]
    code, line, _ = done(*args, str(whole))
    assert code == 0
    size = whole.stat().st_size
    chance = random.Random(7)
    kills = 0
    for _ in range(40):
        had = path.stat().st_size if path.exists() else 0
        until = had + chance.randrange(1, size // 5)
        with start(*args, str(path)) as process:
            while process.poll() is None:
                if path.exists() and path.stat().st_size >= min(until, size - 50):
                    time.sleep(chance.random() * 0.002)
                    process.send_signal(signal.SIGKILL)
                    break
                time.sleep(0.0005)
            out, _ = process.communicate(timeout=60)
        if process.returncode == 0:
            assert out.decode() == line
            break
        assert process.returncode == -signal.SIGKILL
        kills += 1
        record = parse_record(path.read_bytes())
        assert record == load_record(whole).cut(len(record.choices))
        if kills == 6:
            code, out_line, _ = done(*args, str(path))
            assert (code, out_line) == (0, line)
            break
    assert kills >= 2
    assert path.read_bytes() == whole.read_bytes()
    assert [entry.name for entry in path.parent.iterdir()] == ["game.json"]


@posix_only
def test_interrupted(tmp_path: Path) -> None:
    """Ctrl+C ends many games with exit 130 and a line that says so, and keeps what is printed."""
    with start("play", "basic", "--games", "100000", "--json", folder=tmp_path) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert list(first) == KEYS
    assert process.returncode == 130
    assert err.decode().splitlines()[-1] == "Interrupted."
    assert "Traceback" not in err.decode()


@posix_only
def test_interrupted_record_is_kept(tmp_path: Path) -> None:
    """Ctrl+C during a recorded game names the file, and the same command goes on with it."""
    path = tmp_path / "game.json"
    long = '{"format": "kungfu2100.scenario", "version": 1, "name": "Long", "turns": 40}'
    (tmp_path / "long.json").write_text(long)
    args = ("play", "long.json", *QUICK, "--seed", "3", "--record", "game.json")
    with start(*args, folder=tmp_path) as process:
        while not (path.exists() and path.stat().st_size > 15_000):
            assert process.poll() is None
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "game.json is kept" in err.decode().splitlines()[-1]
    assert done(*args, folder=tmp_path)[0] == 0
    assert {entry.name for entry in tmp_path.iterdir()} == {"game.json", "long.json"}


@posix_only
@pytest.mark.parametrize(
    "args",
    [
        ["play", "basic", "--games", "100000", "--json", *QUICK],
        ["replay", "--text", str(RECORDS / "random.json")],
    ],
    ids=lambda args: args[0],
)
def test_nobody_reads(args: list[str]) -> None:
    """Output into a pipe that is closed, as by `head`, ends the command without complaint."""
    with start(*args) as process:
        assert process.stdout is not None
        if args[0] == "play":
            process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=60)
    assert process.returncode in (0, 141)  # 0: all was written before the pipe was closed
    assert "Traceback" not in err.decode()
    assert "Broken" not in err.decode()


def test_disk_full(tmp_path: Path, capfd: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that cannot be written any more ends the game in one line; what was written stays."""
    path = tmp_path / "game.json"
    RaidMatch.new(
        load_scenario("basic"), "4", seats=dict.fromkeys(("terminator", "clonemaster"), "random"), path=path
    )
    before = path.read_bytes()

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.core.match.write_atomic", full)
    assert main(["play", "basic", "--record", str(path)]) == 2
    last = capfd.readouterr().err.splitlines()[-1]
    assert last == f"kungfu2100: {path}: cannot be written: No space left on device"
    assert path.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("args", [["play", "basic", "--json", *QUICK], ["engine"]], ids=lambda args: args[0])
def test_output_on_a_full_disk(args: list[str]) -> None:
    """Output that cannot be written ends the command in one line with exit 2."""
    with open("/dev/full", "wb") as full, start(*args, out=full) as process:  # noqa: PTH123 - a device
        _, err = process.communicate(b'{"ask": "state"}\n', timeout=60)
    assert process.returncode == 2
    assert err.decode().splitlines()[-1] == "kungfu2100: No space left on device"
    assert "Traceback" not in err.decode()


# replay


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_replay(path: Path, capfd: Out) -> None:
    """A finished record is told with its result, and verified."""
    assert main(["replay", str(path)]) == 0
    plain = capfd.readouterr().out
    assert f"{load_record(path).title}, seed " in plain
    assert any(word in plain for word in ("the terminator wins", "the clonemaster wins", "a draw"))
    assert main(["replay", "--verify", str(path)]) == 0
    verified = capfd.readouterr().out
    assert verified.startswith(plain)
    assert f"all {len(load_record(path).choices)} choices are legal" in verified


def test_replay_in_words(capfd: Out) -> None:
    """`--text` prints the whole log, secrets opened, each line behind its rule."""
    assert main(["replay", "--text", str(RECORDS / "random.json")]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) > 100
    assert all(line[:6].strip() and line[6:8] == "  " for line in lines)
    assert any(" is placed at " in line for line in lines)


def test_replay_as_notation(tmp_path: Path, capfd: Out) -> None:
    """`--notation` prints a finished game as text that `replay` reads; an unfinished one is refused."""
    path = RECORDS / "random.json"
    assert main(["replay", "--notation", str(path)]) == 0
    copied = tmp_path / "copied.txt"
    copied.write_bytes(capfd.readouterr().out.encode())
    assert main(["replay", "--notation", str(copied)]) == 0
    assert capfd.readouterr().out.encode() == copied.read_bytes()
    cut = tmp_path / "cut.txt"
    cut.write_bytes(b"\n".join(copied.read_bytes().splitlines()[:40]))
    assert main(["replay", "--notation", str(cut)]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert "would tell its secrets" in said.err
    copied.write_bytes(copied.read_bytes().replace(b"ready", b"raedy", 1))
    assert main(["replay", str(copied)]) == 2
    assert ": line " in capfd.readouterr().err


def test_replay_keeps_secrets_of_an_unfinished_game(tmp_path: Path, capfd: Out) -> None:
    """The log of an unfinished game tells what both players may know."""
    path = tmp_path / "game.json"
    path.write_bytes(format_record(load_record(RECORDS / "random.json").cut(60)))
    assert main(["replay", "--text", str(path)]) == 0
    assert " is placed at " not in capfd.readouterr().out
    assert main(["replay", str(path)]) == 0
    assert "unfinished: turn " in capfd.readouterr().out


def _other_side(text: str) -> str:
    return text.replace('{"side": "clonemaster", "choice": {"do": "end-phase"}}', '{"side": "terminator", "choice": {"do": "end-phase"}}', 1)  # fmt: skip  # noqa: E501


def _other_level(text: str) -> str:
    return text.replace('"fist": 1', '"fist": 3', 1)


def _left_out(text: str) -> str:
    lines = text.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if '"do": "ready"' in line)
    return "".join(lines[:at] + lines[at + 1 :])


@pytest.mark.parametrize("change", [_other_side, _other_level, _left_out])
def test_verify_finds_what_was_changed(change: Callable[[str], str], tmp_path: Path, capfd: Out) -> None:
    """A record changed by hand against the rules is found, at the choice that is not legal."""
    path = tmp_path / "game.json"
    before = (RECORDS / "random.json").read_text(encoding="utf-8")
    path.write_text(change(before), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != before
    assert main(["replay", "--verify", str(path)]) == 1
    assert capfd.readouterr().out.startswith(f"{path}: choices[")
    assert main(["check", str(path)]) == 1
    assert capfd.readouterr().out.startswith(f"{path}: choices[")
    assert main(["replay", str(path)]) == 2
    assert capfd.readouterr().err.startswith(f"{path}: choices[")


# check


def test_check_what_is_shipped(tmp_path: Path, capfd: Out) -> None:
    """Shipped maps and scenarios, and good records, have no problem."""
    files = []
    for name in ("maps/citadel.json", "scenarios/basic.json"):
        files.append(tmp_path / Path(name).name)
        files[-1].write_bytes(resource(name).read_bytes())
    assert main(["check", *map(str, files), *map(str, RECORDS.glob("*.json"))]) == 0
    assert capfd.readouterr().out == ""


def test_check_tells_problems_of_maps(tmp_path: Path, capfd: Out) -> None:
    """A map that can be read and not well played gives a line a problem, also inside a scenario."""
    document = json.loads(resource("maps/citadel.json").read_bytes())
    document["entries"] = []
    whole = tmp_path / "map.json"
    whole.write_text(json.dumps(document))
    scenario = json.loads(format_scenario(load_scenario("basic")))
    scenario["map"] = {key: value for key, value in document.items() if key not in ("format", "version")}
    inside = tmp_path / "scenario.json"
    inside.write_text(json.dumps(scenario))
    assert main(["check", str(whole), str(inside)]) == 1
    lines = capfd.readouterr().out.splitlines()
    own = [line.removeprefix(f"{whole}: ") for line in lines if line.startswith(f"{whole}: ")]
    assert own
    inner = [line.removeprefix(f"{inside}: ") for line in lines if line.startswith(f"{inside}: ")]
    assert inner == [f"map.{line}" if line[0].isalpha() else f"map {line}" for line in own]
    assert len(own) + len(inner) == len(lines)


def test_check_tells_all_that_is_wrong_beside_a_faulty_start_position(tmp_path: Path, capfd: Out) -> None:
    """What the editor lists of a file is listed here: errors and warnings of map and scenario."""
    scenario = json.loads(format_scenario(load_scenario("basic")))
    plan = json.loads(resource("maps/citadel.json").read_bytes())
    scenario["map"] = {key: value for key, value in plan.items() if key not in ("format", "version")}
    scenario["map"]["entries"] = []
    scenario["map"]["rooms"][0]["setup"] = ""
    scenario["start"] = {"figures": [{"name": "Nobody", "square": [0, 8]}]}
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(scenario))
    assert main(["check", str(path)]) == 1
    told = [line.removeprefix(f"{path}: ") for line in capfd.readouterr().out.splitlines()]
    assert told == [f"{one.place}: {one.severity}: {one.message}" for one in check(open_file(path).draft)]
    assert "map.entries: error: the map has no entry (4.1)" in told
    assert any(line.startswith("start.figures[0].name: error:") for line in told)
    assert any(line.startswith("map.rooms[0]: warning:") for line in told)
    assert main(["play", str(path)]) == 2
    refused = capfd.readouterr().err
    for line in told:
        place, severity, message = line.split(": ", 2)
        assert (f"{place}: {message}" in refused) is (severity == "error"), line


def test_check_warns_of_fields_that_nobody_knows(tmp_path: Path, capfd: Out) -> None:
    """A mistyped name is told with its place and what may be meant, in maps, scenarios and records."""
    scenario = json.loads(format_scenario(load_scenario("advanced")))
    scenario["turnz"] = 3
    scenario["reinforcements"][0]["bogus"] = 1
    plan = json.loads(resource("maps/citadel.json").read_bytes())
    plan["rooms"][2]["colour"] = "red"
    record = json.loads((RECORDS / "random.json").read_bytes())
    record["choices"][1]["why"] = "so"
    lines = []
    for name, document in (("scenario", scenario), ("map", plan), ("record", record)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(document))
        assert main(["check", str(path)]) == 1, "as for other warnings"
        lines += [line.removeprefix(f"{path}: ") for line in capfd.readouterr().out.splitlines()]
    assert lines == [
        "turnz: warning: an unknown field; is turns meant?",
        "reinforcements[0].bogus: warning: an unknown field",
        "rooms[2].colour: warning: an unknown field",
        "choices[1].why: warning: an unknown field",
    ]


def test_check_reads_a_game_in_the_notation(tmp_path: Path, capfd: Out) -> None:
    """What `replay` reads `check` reads too, and tells its faults by their lines."""
    text = format_game(load_record(RECORDS / "random.json"))
    path = tmp_path / "game.txt"
    path.write_text(text)
    assert main(["check", str(path)]) == 0
    assert capfd.readouterr().out == ""
    path.write_text(f"{text}\nnonsense\n")
    assert main(["check", str(path)]) == 2
    out = capfd.readouterr().out
    assert "JSON" not in out
    assert f"line {len(text.splitlines()) + 2}" in out


def test_check_asks_the_doctor(tmp_path: Path, capfd: Out) -> None:
    """What the numbers say against a scenario is told on request, and counts as a problem."""
    short, fine = tmp_path / "short.json", tmp_path / "fine.json"
    basic = load_scenario("basic")
    short.write_bytes(format_scenario(replace(basic, turns=3)))
    fine.write_bytes(format_scenario(basic))
    assert main(["check", str(short), str(fine)]) == 0
    assert main(["check", "--doctor", str(fine)]) == 0
    assert main(["check", "--doctor", str(short)]) == 1
    told = capfd.readouterr().out
    assert f"{short}: map.rooms[29]: warning: Loo 5: a Terminator is there in turn 4 at the earliest" in told


def test_check_exit_code_is_the_worst(tmp_path: Path, capfd: Out) -> None:
    """Among several files an unreadable one decides the exit code, and all are reported."""
    bad, good = tmp_path / "bad.json", RECORDS / "random.json"
    bad.write_text("{}")
    assert main(["check", str(bad), str(good), str(tmp_path / "none.json")]) == 2
    lines = capfd.readouterr().out.splitlines()
    assert lines == [
        f"{bad}: format: missing; it is one of kungfu2100.map kungfu2100.scenario kungfu2100.record",
        f"{tmp_path / 'none.json'}: cannot be read: No such file or directory",
    ]


# The rest


def test_no_command_opens_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a command the window opens, and its exit code is the program's."""
    asked: list[object] = []

    def window(paths: object) -> int:
        asked.append(paths)
        return 7

    monkeypatch.setattr("app.gui.run", window)
    assert main([]) == 7
    assert asked == [[]]


@pytest.mark.parametrize("args", [["--help"], ["play", "--help"], ["engine", "-h"]], ids=" ".join)
def test_help(args: list[str], capfd: Out) -> None:
    """Help is shown with exit 0."""
    assert main(args) == 0
    assert "usage: kungfu2100" in capfd.readouterr().out


def test_unknown_command(capfd: Out) -> None:
    """An unknown command is refused with exit 2."""
    assert main(["pley"]) == 2
    assert "invalid choice: 'pley'" in capfd.readouterr().err


def test_output_that_cannot_spell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that the terminal's encoding lacks are written with escapes instead of failing."""
    record = load_record(RECORDS / "random.json").cut(0)
    path = tmp_path / "game.json"
    path.write_bytes(format_record(record).replace(b'"Basic"', '"Bäsic 武"'.encode(), 1))
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    code, out, err = done("replay", str(path))
    assert (code, err) == (0, "")
    assert out.startswith("B\\xe4sic \\u6b66, seed")


def test_solitaire_is_played_by_the_printed_lines(capfd: Out) -> None:
    """6.3c: where counters are dealt the CloneMaster's seat follows the lines unless told otherwise."""
    assert main(["play", "solitaire", "--seed", "3", "--json"]) == 0
    (line,) = capfd.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["scenario"] == "solitaire"
    assert set(found["points"]) == {"terminator", "clonemaster"}
    assert main(["play", "solitaire", "--seed", "3", "--json", "--clonemaster", "solitaire"]) == 0
    assert json.loads(capfd.readouterr().out) == found


def test_a_bot_is_offered_only_the_side_it_can_play(capfd: Out) -> None:
    """6.3c: there are no printed lines for the Terminators."""
    assert main(["play", "basic", "--terminator", "solitaire"]) == 2
    assert "'solitaire'" in capfd.readouterr().err


def test_version(capfd: Out) -> None:
    """`--version` names the program and its version on standard output."""
    assert main(["--version"]) == 0
    assert capfd.readouterr().out == f"kungfu2100 {__version__}\n"
