"""`kungfu2100 serve`: a host without a window, whose referee runs on whatever machine both sides trust."""

from __future__ import annotations

import argparse
import gc
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.command import command
from app.lan.people import seat_words
from engine.bots import bots_of
from engine.core.files import BadFile
from engine.raid.figures import SIDE_NAMES, SIDES
from engine.raid.scenario import SHIPPED, load_scenario

if TYPE_CHECKING:
    import asyncio

    from app.lan.host.folder import HostFolder
    from app.lan.host.server import Happening, Server
    from app.lan.host.table import Options, Table
    from engine.raid.scenario import Scenario

GUEST: Final = "guest"
PACE: Final = 0.6  # seconds a bot takes over a choice, so that people can follow
NEWS_KEPT: Final = 10_000  # lines that wait for a slow reader of the output; further ones are left out
CLOCK: Final = (1.0, 1440.0)  # minutes
NAME_LENGTH: Final = 2  # letters of a code that name its table

Say = Callable[[str], None]


class CannotServe(Exception):
    """Why nothing can be served, in a line."""


def add_serve(
    commands: Any,
    run: Callable[[argparse.Namespace], int],
    whole: Callable[[str], int],
    positive: Callable[[str], int],
) -> None:
    """Add the command to a parser's commands."""
    serve = commands.add_parser(
        "serve",
        help="host games for other machines, without a window",
        description=(
            "Hosts games for the machines of this network, and goes on with the unfinished ones of its "
            "folder. Whoever is to play joins with the code that is printed for his game."
        ),
        epilog=(
            "It runs until it is interrupted (Ctrl+C), which ends it with exit code 130. Games that nobody "
            "has joined end with it, the others are kept."
        ),
    )
    serve.add_argument(
        "scenarios",
        metavar="SCENARIO",
        nargs="*",
        help=f"a file, or one of: {', '.join(SHIPPED)}; without one only unfinished games go on",
    )
    for side in SIDES:
        serve.add_argument(
            f"--{side}",
            metavar="SEAT",
            choices=(GUEST, *bots_of(side)),
            default=GUEST,
            help=f"who plays the {side}: {', '.join((GUEST, *bots_of(side)))} (default {GUEST})",
        )
    serve.add_argument(
        "--games", metavar="N", type=positive, help="begin N games of each scenario (default 1)"
    )
    serve.add_argument(
        "--forget",
        metavar="TABLE",
        action="append",
        default=[],
        help="throw away for good the kept game whose code begins so, and host nothing",
    )
    serve.add_argument(
        "--folder", metavar="FOLDER", type=Path, help="where games, codes and the certificate are kept"
    )
    serve.add_argument(
        "--port", metavar="N", type=_port(whole), help="listen there; the usual one if not given, 0 for any"
    )
    serve.add_argument(
        "--bind", metavar="ADDRESS", default="", help="listen at this address of the machine only"
    )
    serve.add_argument("--name", metavar="NAME", help="what guests see the host as (default: the machine's)")
    serve.add_argument(
        "--clock", metavar="MINUTES", type=_minutes, help="time of each side for the whole game"
    )
    serve.add_argument(
        "--pace",
        metavar="SECONDS",
        type=_seconds,
        default=PACE,
        help=f"what a bot takes over a choice (default {PACE})",
    )
    serve.add_argument(
        "--no-announce",
        action="store_true",
        help="do not show up in the list of games; guests type the address",
    )
    serve.add_argument(
        "--json", action="store_true", help="print one JSON object for each thing that happens"
    )
    serve.set_defaults(run=run)


def _port(whole: Callable[[str], int]) -> Callable[[str], int]:
    def read(text: str) -> int:
        if whole(text) > 65535:
            raise argparse.ArgumentTypeError("at most 65535")
        return int(text)

    return read


def _number(text: str, least: float, most: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is not a number of {what} from {least:g} to {most:g}"
        )
    return number


def _minutes(text: str) -> float:
    return _number(text, *CLOCK, "minutes")


def _seconds(text: str) -> float:
    return _number(text, 0.0, 60.0, "seconds")


def run_serve(args: argparse.Namespace, tell: Say, complain: Say) -> None:
    """Host until interrupted.

    Raises BadFile for a scenario that cannot be played, CannotServe, OSError, KeyboardInterrupt.
    """
    from app.folders import data_folder
    from app.lan.host.folder import HostFolder
    from app.lan.host.folder_lock import FolderInUse

    scenarios = [load_scenario(name.lower() if name.lower() in SHIPPED else name) for name in args.scenarios]
    _check_purpose(args)
    path: Path = args.folder or data_folder() / "lan" / "serve"
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(message)s", level=logging.WARNING)
    try:
        folder = HostFolder(path)
    except FolderInUse:
        raise
    except OSError as error:
        raise CannotServe(f"no games can be kept in {path}: {error.strerror or error}") from error
    try:
        tables = _resumed(folder, complain)
        if args.forget:
            _forget(folder, tables, args.forget, tell)
            return
        new = [_options(args, scenario) for scenario in scenarios for _ in range(args.games or 1)]
        if not tables and not new:
            raise CannotServe(f"there is no unfinished game in {path}: name a scenario to begin one")
        _host(args, folder, tables, new, tell)
    except KeyboardInterrupt:
        if not folder.drop_unjoined():
            raise KeyboardInterrupt("; nobody had joined, so that there is no game to keep") from None
        again = command(f"serve --folder {args.folder}" if args.folder else "serve")
        raise KeyboardInterrupt(f"; the games are kept, and “{again}” goes on with them") from None
    finally:
        folder.close()


def _check_purpose(args: argparse.Namespace) -> None:
    """Raise CannotServe for what only new games have where none is to begin."""
    if args.scenarios:
        if args.forget:
            raise CannotServe("--forget begins no game: leave the scenario out")
        return
    seats = [f"--{side}" for side in SIDES if getattr(args, side) != GUEST]
    numbers = [f"--{name}" for name in ("games", "clock") if getattr(args, name) is not None]
    for name in (*numbers, *seats):
        raise CannotServe(f"{name} is for new games: name a scenario")


def _forget(folder: HostFolder, tables: Sequence[Table], names: Sequence[str], tell: Say) -> None:
    """Throw games away by their tables' names or codes; raises CannotServe where there is none of one."""
    wanted = {name: name.upper()[:NAME_LENGTH] for name in names}
    there = {table.name: table for table in tables}
    for name, table in wanted.items():
        if table not in there:
            raise CannotServe(f"there is no game here whose code begins with {name[:40]}")
    for name in dict.fromkeys(wanted.values()):
        folder.drop(there[name])
        tell(f"{name}  {_shown(there[name].title)} is thrown away")


def _resumed(folder: HostFolder, complain: Say) -> list[Table]:
    tables = []
    for found in folder.resume():
        if isinstance(found, BadFile):
            complain(f"kungfu2100: {found.path}: {found.problems[0]}; this game is left out")
        else:
            tables.append(found)
    return tables


def _options(args: argparse.Namespace, scenario: Scenario) -> Options:
    from app.lan.host.table import Options
    from engine.core.protocol import CLIENT

    seats = {side: getattr(args, side) for side in SIDES}
    return Options(
        title=scenario.name,
        host=host_name(args.name),
        scenario=scenario,
        seats={side: CLIENT if seat == GUEST else seat for side, seat in seats.items()},
        pace=args.pace,
        clock=None if args.clock is None else 60.0 * args.clock,
    )


def host_name(given: str | None) -> str:
    """Return what a host calls itself: as given, else as the machine is called."""
    from app.lan.network.advert import plain_name

    return plain_name(given or "") or plain_name(socket.gethostname().partition(".")[0]) or "kungfu2100"


def _host(
    args: argparse.Namespace,
    folder: HostFolder,
    tables: Sequence[Table],
    new: Sequence[Options],
    tell: Say,
) -> None:
    import asyncio

    from app.lan.host.server import Server, new_runner

    news: asyncio.Queue[Happening] = asyncio.Queue(NEWS_KEPT)

    def hear(happening: Happening) -> None:
        with suppress(asyncio.QueueFull):
            news.put_nowait(happening)

    server = Server(
        tables,
        folder.identity,
        host_name(args.name),
        bind=args.bind,
        port=folder.ports if args.port is None else args.port,
        tell=hear,
    )
    # Another program may ask for the end: that is as planned, unlike an interruption.
    with new_runner() as runner, _collecting_less(), suppress(asyncio.CancelledError):
        runner.run(_serve(args, folder, server, new, news, tell))


@contextmanager
def _collecting_less() -> Iterator[None]:
    """Let the search for cycles pass over what is there, and come less often: it stops all games at once."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _serve(
    args: argparse.Namespace,
    folder: HostFolder,
    server: Server,
    new: Sequence[Options],
    news: asyncio.Queue[Happening],
    tell: Say,
) -> None:
    import asyncio

    async def say(lines: Sequence[str]) -> None:
        # Whoever reads the output may be slow; nobody's game waits for him.
        await asyncio.to_thread(tell, "\n".join(lines))

    words = Words(is_json=args.json)
    try:
        port = await server.start()
    except OSError as error:
        where = args.bind or "this machine"
        asked = "" if args.port is None else f" at port {args.port}"
        raise CannotServe(f"cannot listen on {where}{asked}: {error.strerror or error}") from error
    folder.keep_port(port)
    with suppress(NotImplementedError, RuntimeError):  # another system, or not the main thread
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with _announced(args, server):
        try:
            for options in new:  # only now, as a host that cannot listen has begun nothing
                server.add(folder.new_table(options))
            await say(words.of_beginning(server, _addresses(args.bind)))
            while True:
                await say([words.of(await news.get())])
        finally:
            await server.stop()


def _addresses(bind: str) -> list[str]:
    """Return where guests may find this machine."""
    if bind:
        return [bind]
    from app.lan.network.addresses import own_addresses

    try:
        found = own_addresses()
    except OSError:  # games go on where the system does not say what it is called
        return []
    return list(dict.fromkeys(str(own.ip) for own in found if not own.ip.is_link_local))


@contextmanager
def _announced(args: argparse.Namespace, server: Server) -> Iterator[None]:
    """Let the host show up in the list of games meanwhile."""
    if args.no_announce:
        yield
        return
    from app.lan.network.discovery import Announcer
    from engine.core.lan_protocol import LAN_VERSION

    announcer = Announcer(
        server.host_name,
        server.port,
        server.identity.fingerprint,
        LAN_VERSION,
        [args.bind] if args.bind else None,
    )
    announcer.start()
    try:
        yield
    finally:
        announcer.stop()


class Words:
    """Puts what happens into sentences, or into JSON objects, a line each."""

    def __init__(self, *, is_json: bool) -> None:
        self._is_json = is_json

    def of_beginning(self, server: Server, addresses: Sequence[str]) -> list[str]:
        """Return where the host is, and its tables with their codes."""
        from app.lan.codes import format_code

        tables = [(table, format_code(table.name, table.secret)) for table in server.tables]
        if self._is_json:
            line = _json(
                "serving",
                host=server.host_name,
                port=server.port,
                addresses=list(addresses),
                tables=[
                    {
                        "table": table.name,
                        "code": code,
                        "title": table.title,
                        "phase": table.card().phase,
                        "seats": {side: card.player for side, card in table.card().seats.items()},
                        "record": str(table.record_path),
                    }
                    for table, code in tables
                ],
            )
            return [line]
        at = f" of {', '.join(addresses)}" if addresses else ""
        return [
            f"{_shown(server.host_name)} hosts on port {server.port}{at}",
            *(
                f"{code}  {_shown(table.title).strip() or 'A game'}: {_seats_words(table)}"
                for table, code in tables
            ),
            f"To join: the game's list of the network, or {command('join ADDRESS CODE')}",
        ]

    def of(self, happening: Happening) -> str:
        """Return what has happened."""
        table = happening.table
        if self._is_json:
            told: dict[str, Any] = {"table": table.name}
            if happening.what == "over":
                outcome = table.match.view("public").outcome if table.match is not None else None
                told |= {
                    "winner": outcome.winner if outcome else None,
                    "reason": outcome.reason if outcome else "",
                    "record": str(table.record_path),
                }
            else:
                told |= {"name": happening.name, "side": happening.side}
            return _json(happening.what, **told)
        who = _shown(happening.name) + (
            f" ({SIDE_NAMES[happening.side]})" if happening.side else " (looks on)"
        )
        sentences = {
            "joined": f"{who} has joined",
            "returned": f"{who} is back",
            # At the end everybody goes, each in his way.
            "lost": f"{who} has left" if table.is_over else f"{who} has lost the connection",
            "left": f"{who} has left",
            "over": self._ending(table),
        }
        return f"{table.name}  {sentences[happening.what]}"

    @staticmethod
    def _ending(table: Table) -> str:
        outcome = table.match.view("public").outcome if table.match is not None else None
        reason = f": {outcome.reason}" if outcome is not None else ""
        return f"the game is over{reason.rstrip('.')}; record: {table.record_path}"


def _json(event: str, **told: Any) -> str:
    return json.dumps({"event": event, **told})


def _seats_words(table: Table) -> str:
    card = table.card()
    if card.phase == "over":
        return "the game is over"
    words = []
    for side, seat in card.seats.items():
        words.append(f"{SIDE_NAMES[side]} {_shown(seat_words(seat))}")
    going = "goes on" if card.phase == "playing" else ""
    return ", ".join(filter(None, (*words, going)))


def _shown(text: str) -> str:
    """Return what a stranger may have made up as one line that a terminal only prints."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
