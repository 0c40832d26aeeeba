"""The command line: `kungfu2100 COMMAND`, or the window without one."""

from __future__ import annotations

import argparse
import glob
import json
import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app import __version__
from app.command import command
from app.lan.join import CannotJoin, add_join, list_games, play_bot, way
from app.lan.serve import CannotServe, add_serve, run_serve
from editor.command_line import Failed, Say, add_export, add_print, run_export, run_print
from editor.exports.forms import CannotExport
from editor.printing.options import CannotPrint
from engine.bots import bots_of, make_bot, usual_bot
from engine.core.dice import OutOfDice
from engine.core.files import BadFile, read_bytes
from engine.core.match import OPEN, PUBLIC, Table
from engine.raid.figures import CLONEMASTER, SIDES
from engine.raid.match import RULES, RaidMatch
from engine.raid.scenario import SHIPPED, load_scenario

if TYPE_CHECKING:
    from engine.core.record import Record
    from engine.fortress.problems import Problem
    from engine.raid.doctor import Finding
    from engine.raid.scenario import Scenario
    from engine.raid.view import View

OK, PROBLEMS, UNUSABLE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
DEFAULT_SEAT, SOLITAIRE_SEAT = "rulebook", "solitaire"
CHOICES_LIMIT = 1_000_000  # in one game; a thousand times more than any game has
REDRAW = 0.1  # seconds between two looks at how far a game is

Advance = Callable[[float], None]


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for and return the exit code.

    0 is done, 1 problems found, 2 unusable arguments or files, 130 interrupted, 141 nobody reads the output.
    """
    if getattr(sys, "frozen", False):  # a process beside the editor begins in a bundle's own program
        import multiprocessing

        multiprocessing.freeze_support()
    with suppress(AttributeError, ValueError):  # a stream that is no text file, or none at all
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        args = _parser().parse_args(argv)
        code: int = args.run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SystemExit as end:  # argparse has said what is wrong, or shown the help
        return end.code if isinstance(end.code, int) else UNUSABLE
    except BadFile as error:
        for line in _fault_lines(error):
            _say(line)
        return UNUSABLE
    except Unusable as error:
        _say(f"kungfu2100: {error}")
        return UNUSABLE
    except KeyboardInterrupt as error:
        _say(f"Interrupted{error.args[0] if error.args else ''}.")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:  # a disk that is full, for one
        _drop_output()
        _say(f"kungfu2100: {error.strerror or error}")
        return UNUSABLE


def _drop_output() -> None:
    """Let what is still to be written to standard output go; the interpreter would complain at its end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Unusable(Exception):
    """Arguments that do not go together, or a place that cannot be written, in one line."""


def _say(text: str) -> None:
    """Print a line on standard error, which leaves standard output to results."""
    print(text, file=sys.stderr, flush=True)


def _fault_lines(error: BadFile) -> list[str]:
    """Return a bad file's faults, each on one line behind the file's name."""
    name = f"{error.path}: " if error.path else ""
    return [" ".join(f"{name}{problem}".split()) for problem in error.problems]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=command(),
        description="Kung Fu 2100 (1980) by its rulebook. Without a command the window opens.",
        epilog="exit codes: 0 done, 1 problems found, 2 unusable arguments or files, 130 interrupted",
    )
    parser.set_defaults(run=_window)
    parser.add_argument("--version", action="version", version=f"kungfu2100 {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    edit = commands.add_parser(
        "edit",
        help="the editor of maps and scenarios",
        description="Opens the editor, with a file or with a map or scenario shipped under a name.",
    )
    edit.add_argument(
        "file", metavar="FILE", nargs="?", help="a map, a scenario, a text floor plan, or a name"
    )
    edit.set_defaults(run=_edit)

    play = commands.add_parser(
        "play", help="games without a window", description="Plays games without a window."
    )
    play.add_argument("scenario", metavar="SCENARIO", help=f"a file, or one of: {', '.join(SHIPPED)}")
    for side in SIDES:
        play.add_argument(
            f"--{side}",
            metavar="SEAT",
            choices=bots_of(side),
            help=f"who plays the {side}: {', '.join(bots_of(side))} (default {_default_words(side)})",
        )
    play.add_argument("--seed", metavar="N", type=_whole, help="whole number from 0; drawn if not given")
    play.add_argument(
        "--games", metavar="N", type=_positive, default=1, help="play N games, with seeds counting upwards"
    )
    play.add_argument(
        "--record", metavar="FILE", type=Path, help="save the game there, or go on with an unfinished one"
    )
    play.add_argument("--json", action="store_true", help="print one JSON object a game")
    play.set_defaults(run=_play)

    replay = commands.add_parser(
        "replay", help="a recorded game", description="Shows how a recorded game went."
    )
    replay.add_argument("record", metavar="RECORD", help="a game's file, or its notation")
    replay.add_argument(
        "--verify",
        action="store_true",
        help="check every choice by the rules, and the dice; exit 0 sound, 1 not",
    )
    replay.add_argument(
        "--receipt", metavar="FILE", help="also check the dice against what a guest kept when he joined"
    )
    replay.add_argument(
        "--dice", action="store_true", help="print which numbers of the seed's stream fell at which choice"
    )
    replay.add_argument(
        "--text", action="store_true", help="print what happened, a line each, with the rules"
    )
    replay.add_argument(
        "--notation", action="store_true", help="print a finished game in the notation, a line each choice"
    )
    replay.set_defaults(run=_replay)

    check = commands.add_parser(
        "check",
        help="maps, scenarios, records",
        description="Prints a line for every problem of a map, scenario or record.",
        epilog="exit codes: 0 no problem, 1 problems, 2 a file that cannot be read",
    )
    check.add_argument("files", metavar="FILE", nargs="+")
    check.add_argument(
        "--doctor",
        action="store_true",
        help="also what is reached too late, cannot be destroyed or won; a map as the Basic scenario (6.1)",
    )
    check.set_defaults(run=_check)

    add_print(commands, _print)
    add_export(commands, _export)

    add_serve(commands, _serve, _whole, _positive)
    add_join(commands, _join)

    engine = commands.add_parser(
        "engine",
        help="the text protocol on standard input and output",
        description="Plays with a program: one JSON object a line, see protocol.md in the help.",
    )
    engine.set_defaults(run=_engine)
    return parser


def _whole(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 of at most 18 digits")
    return value


def _positive(text: str) -> int:
    value = _whole(text)
    if value == 0:
        raise argparse.ArgumentTypeError("at least 1")
    return value


# The window


def _window(args: argparse.Namespace) -> int:
    from app.gui import run

    code: int = run([])
    return code


def _edit(args: argparse.Namespace) -> int:
    from editor.files.opening import open_file
    from editor.files.reading import is_shipped

    name: str | None = args.file
    if name is not None and not is_shipped(name):
        open_file(Path(name))  # what cannot be opened is told here, without a window
    from app.gui import edit

    code: int = edit(name)
    return code


# Games


class Result(NamedTuple):
    """How a game ended, in the form that `--json` prints."""

    scenario: str
    seed: int | str
    winner: str
    level: str | None
    turn: int
    decisions: int
    points: dict[str, int] | None


def _result(scenario: str, seed: str, view: View, decisions: int) -> Result:
    outcome = view.outcome
    assert outcome is not None
    number = int(seed) if seed.isascii() and seed.isdigit() and str(int(seed)) == seed else None
    return Result(
        scenario,
        seed if number is None else number,
        outcome.winner,
        outcome.level,
        view.turn,
        decisions,
        outcome.points,
    )


def _play(args: argparse.Namespace) -> int:
    if args.record is not None and args.games > 1:
        raise Unusable("--record holds one game, --games asks for several")
    name = args.scenario.lower() if args.scenario.lower() in SHIPPED else args.scenario
    scenario = load_scenario(name)
    # What is shipped goes by the name that `play` takes, any other by the name its file gives it.
    title = name if name in SHIPPED else scenario.name
    first = secrets.randbelow(2**31) if args.seed is None else args.seed
    count: int = args.games
    tally: Counter[str] = Counter()
    match = _begun(args, scenario, str(first))
    with _progress(f"Playing {scenario.name}", count) as advance:
        for number in range(count):
            if number:
                match = _begun(args, scenario, str(first + number))
            try:
                _play_out(match, _players(args, match), number, advance)
            except OSError as error:
                raise Unusable(f"{args.record}: cannot be written: {error.strerror}") from error
            except KeyboardInterrupt:
                kept = f"; {args.record} is kept, the same command goes on with it" if args.record else ""
                raise KeyboardInterrupt(kept) from None
            result = _result(title, match.record.seed, match.view(PUBLIC), match.length)
            tally[result.winner] += 1
            print(json.dumps(result._asdict()) if args.json else _sentence(result), flush=True)
    if count > 1 and not args.json:
        for winner, won in tally.most_common():
            print(f"{winner}: {won} of {count}, {won / count:.0%}")
    return OK


def _sentence(result: Result) -> str:
    ending = "a draw" if result.winner == "draw" else f"the {result.winner} wins"
    level = f", {result.level}" if result.level else ""
    points = ", ".join(f"{side} {points}" for side, points in (result.points or {}).items())
    scored = f" ({points} points)" if points else ""
    return f"seed {result.seed}: {ending}{level}{scored}, turn {result.turn}, {result.decisions} decisions"


def _default_words(side: str) -> str:
    return (
        f"{DEFAULT_SEAT}; {SOLITAIRE_SEAT} where counters are dealt" if side == CLONEMASTER else DEFAULT_SEAT
    )


def _begun(args: argparse.Namespace, scenario: Scenario, seed: str) -> RaidMatch:
    """Return a new game, or the one of the record file where it stopped."""
    path: Path | None = args.record
    if path is not None and os.path.lexists(path):
        _sweep(path)
        match = RaidMatch.resume(path)
        _check_same(args, scenario, match)
        if match.is_over:
            _say(f"{path}: the game is over already; this is how it ended")
        return match
    seats = {side: getattr(args, side) or usual_bot(side, scenario) for side in SIDES}
    try:
        return RaidMatch.new(scenario, seed, seats=seats, path=path)
    except OSError as error:
        raise Unusable(f"{path}: cannot be written: {error.strerror}") from error


def _sweep(path: Path) -> None:
    """Remove the half-written copies that a killed program left beside a record."""
    with suppress(OSError):
        for draft in path.parent.glob(f".{glob.escape(path.name)}.????????.tmp"):
            draft.unlink()


def _check_same(args: argparse.Namespace, scenario: Scenario, match: RaidMatch) -> None:
    """Refuse to go on with a record of another game than the arguments ask for."""
    record = match.record
    if record.scenario != RULES.pack_scenario(scenario):
        raise Unusable(f'{args.record}: a game of another scenario, "{record.title}"')
    if args.seed is not None and record.seed != str(args.seed):
        raise Unusable(f"{args.record}: a game with another seed, {record.seed}")
    for side in SIDES:
        seat, wanted = record.seats.get(side), getattr(args, side)
        if seat in bots_of(side) and wanted not in (None, seat):
            raise Unusable(f"{args.record}: a game in which {seat} plays the {side}")


def _players(args: argparse.Namespace, match: RaidMatch) -> Table:
    """Return the game with bots in its seats."""
    players = {}
    for side in SIDES:
        seat = match.seats.get(side, "")
        if seat not in bots_of(side):  # a game that somebody began at the screen
            seat = getattr(args, side) or usual_bot(side, match.scenario)
        # As the window seeds them, so that a seed means the same game everywhere.
        players[side] = make_bot(seat, f"{match.record.last_seed} {side}")
    return Table(match, players)


def _play_out(match: RaidMatch, table: Table, before: int, advance: Advance) -> None:
    """Play a game to its end, telling how far it is, in games since the first."""
    turns = match.scenario.turns
    due = time.monotonic() + REDRAW
    for _ in range(CHOICES_LIMIT):
        if match.is_over:
            break
        try:
            table.step()
        except OutOfDice as error:
            raise Unusable(f"the game cannot go on: {error}") from error
        if time.monotonic() >= due:
            advance(before + min(match.view(PUBLIC).turn - 1, turns) / turns)
            due = time.monotonic() + REDRAW
    else:
        raise Unusable(f"the game did not end within {CHOICES_LIMIT} choices")
    advance(before + 1)


@contextmanager
def _progress(title: str, total: int) -> Iterator[Advance]:
    """Show a bar on standard error; what it is given is how much of `total` is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(title, total=total)

        def advance(done: float) -> None:
            progress.update(task, completed=done)

        yield advance


# Records


def _replay(args: argparse.Namespace) -> int:
    from app.dice_proof import prove, throw_lines
    from engine.core.shares import parse_receipt
    from engine.raid.match import RaidReplay
    from engine.raid.notation import read_game

    is_verifying = args.verify or args.receipt is not None
    receipt = parse_receipt(read_bytes(args.receipt), args.receipt) if args.receipt is not None else None
    record = read_game(read_bytes(args.record), args.record)
    try:
        replay = RaidReplay.of(record, args.record)
    except BadFile as error:
        if not is_verifying or not _is_about_choices(error):
            raise
        for line in _fault_lines(error):
            print(line)
        return PROBLEMS
    replay.go(replay.length)
    if args.notation:
        if not replay.may_open:
            raise Unusable(f"{args.record}: the game is not over, and its notation would tell its secrets")
        from engine.raid.notation import format_game

        print(format_game(record), end="")
        if not args.text and not args.dice and not is_verifying:
            return OK
    if args.text:
        from engine.raid.log import describe

        for event in replay.events(OPEN if replay.may_open else PUBLIC):
            print(f"{getattr(event, 'rule', ''):>6}  {describe(event)}")
        if not args.dice and not is_verifying:
            return OK
    if args.dice:
        for line in throw_lines(record):
            print(line)
        if not is_verifying:
            return OK
    _print_summary(record, replay.view(PUBLIC))
    if not is_verifying:
        return OK
    print(f"verified: all {replay.length} choices are legal and lead to this")
    proof = prove(record, receipt)
    for line in proof.lines:
        print(line)
    return OK if proof.is_sound else PROBLEMS


def _print_summary(record: Record, view: View) -> None:
    print(f"{record.title or view.scenario}, seed {record.seed}")
    for side in SIDES:
        player = " ".join(filter(None, (record.names.get(side), f"({record.seats.get(side, 'unknown')})")))
        print(f"{side}: {player}")
    if view.outcome is None:
        print(
            f"unfinished: turn {view.turn} of {view.last_turn}, {view.phase}, {len(record.choices)} decisions"
        )
        return
    result = _result(view.scenario, record.seed, view, len(record.choices))
    print(_sentence(result).partition(": ")[2])
    print(view.outcome.reason)


def _is_about_choices(error: BadFile) -> bool:
    return all(problem.startswith("choices[") for problem in error.problems)


# Checks


def _check(args: argparse.Namespace) -> int:
    code = OK
    for name in args.files:
        try:
            found = _problems(name, has_doctor=args.doctor)
        except BadFile as error:
            found, code = _fault_lines(error), UNUSABLE
        else:
            found = [" ".join(f"{name}: {line}".split()) for line in found]
            code = max(code, PROBLEMS if found else OK)
        for line in found:
            print(line)
    return code


def _problems(name: str, *, has_doctor: bool) -> Sequence[str]:
    """Return every problem of a file that can be read, a line each; raises BadFile for any other."""
    from editor.files.reading import kind_of, parsed, read_file
    from engine.core import record as records
    from engine.fortress.floorplan import FloorPlan
    from engine.raid.problems import map_problems, problems, unknown_problems
    from engine.raid.scenario import KIND, Scenario, read_scenario

    raw = read_file(Path(name), is_patient=True)
    kind = kind_of(raw, name)
    if kind == records.KIND:
        return _record_problems(raw, name)
    # A faulty start position is one problem among others here, as it is in the editor.
    value = read_scenario(raw, name) if kind == KIND else parsed(raw, kind, name)
    if isinstance(value, FloorPlan):
        found = _told([*map_problems(value), *unknown_problems(value)])
        return [*found, *(_findings(Scenario(name="", map=value)) if has_doctor else ())]
    found = _told(sorted(problems(value), key=lambda problem: problem.severity))
    return [*found, *(_findings(value) if has_doctor else ())]


def _findings(scenario: Scenario) -> list[str]:
    """Return what the numbers of a scenario, or of a map played as the Basic one, say against it (6.1).

    What cannot be played has none: its problems come first.
    """
    from engine.raid import doctor
    from engine.raid.problems import problems

    if any(problem.severity == "error" for problem in problems(scenario)):
        return []
    return _told([finding for finding in doctor.diagnose(scenario) if finding.severity == "warning"])


def _told(found: Sequence[Problem | Finding]) -> list[str]:
    return [f"{problem.place}: {problem.severity}: {problem.message}" for problem in found]


def _record_problems(raw: bytes, name: str) -> Sequence[str]:
    from engine.raid.match import RaidReplay, parse_choice
    from engine.raid.notation import read_game
    from engine.raid.problems import unknown_problems

    record = read_game(raw, name)
    faults = []
    for number, row in enumerate(record.choices):
        try:
            parse_choice(row.choice)
        except ValueError as error:
            faults.append(f"choices[{number}].{error}")
    if faults:
        raise BadFile(faults, name)
    try:
        RaidReplay.of(record, name)
    except BadFile as error:
        if not _is_about_choices(error):
            raise
        return error.problems
    return _told(unknown_problems(record))


# Maps and scenarios for paper and for other programs


def _print(args: argparse.Namespace) -> int:
    return _sent(run_print, args)


def _export(args: argparse.Namespace) -> int:
    return _sent(run_export, args)


def _sent(run: Callable[[argparse.Namespace, Say, Say], None], args: argparse.Namespace) -> int:
    try:
        run(args, print, _say)
    except Failed:
        return UNUSABLE
    except (CannotPrint, CannotExport) as error:
        raise Unusable(str(error)) from error
    except OSError as error:
        raise Unusable(f"{args.output}: cannot be written: {error.strerror or error}") from error
    return OK


# Games between several machines


def _serve(args: argparse.Namespace) -> int:
    def tell(line: str) -> None:
        print(line, flush=True)

    try:
        run_serve(args, tell, _say)
    except CannotServe as error:
        raise Unusable(str(error)) from error
    return OK


def _join(args: argparse.Namespace) -> int:
    try:
        seat = way(args)
        if seat is None:
            list_games(args, print)
            return OK
        if args.bot is None:
            from app.gui import join

            code: int = join(seat)
            return code
        match, verdict, path = play_bot(seat, args.bot, _say)
    except CannotJoin as error:
        raise Unusable(str(error)) from error
    except KeyboardInterrupt:
        kept = f"; the seat is kept, “{command('join --back')}” leads to it"
        raise KeyboardInterrupt(kept if args.bot is not None else "") from None
    record = verdict.record
    result = _result(match.scenario.name, record.seed, match.view(PUBLIC), match.length)
    proof = {"side": match.side, "record": str(path), "sound": not verdict.faults, "proof": verdict.line}
    print(json.dumps({**result._asdict(), **proof}) if args.json else _sentence(result), flush=True)
    _say(f"{verdict.line} It is saved at {path}.")
    return PROBLEMS if verdict.faults else OK


# The text protocol


def _engine(args: argparse.Namespace) -> int:
    from app.text_engine import serve

    if sys.stdout is None:
        raise Unusable("engine: there is no standard output to answer on")
    if sys.stdin is not None:  # closed is as good as ended
        serve(sys.stdin.buffer, sys.stdout.buffer)
    return OK
