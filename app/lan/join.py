"""`kungfu2100 join`: take a seat at a table of another machine, or list those that are to be found."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from app.command import command
from app.lan.people import seat_words
from engine.bots import BOTS, bots_of
from engine.core.lan_protocol import ANY, NAME_LENGTH, WATCH
from engine.raid.figures import SIDE_NAMES, SIDES
from engine.raid.seats import BOT_NAMES

if TYPE_CHECKING:
    from app.lan.guest.bot import Ended
    from app.lan.guest.finding import Host
    from app.lan.guest.link import Invitation
    from app.lan.guest.tickets import Ticket

SEARCH: Final = 5.0  # seconds for hosts to be found
_CODE: Final = re.compile("[2-9A-HJ-NP-Z]{8}|[2-9A-HJ-NP-Za-hj-np-z]{4}-[2-9A-HJ-NP-Za-hj-np-z]{4}")
_BY_ADDRESS: Final = "“join ADDRESS CODE” asks the host at an address"
_PHASES: Final = {"waiting": "waits for players", "playing": "under way", "over": "over"}

Say = Callable[[str], None]


class CannotJoin(Exception):
    """Why nothing can be joined, in a line."""


def add_join(commands: Any, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the command to a parser's commands."""
    join = commands.add_parser(
        "join",
        help="play at a table of another machine",
        description=(
            "Joins a game that another machine hosts, in the window, or with a bot and without a window. "
            "Without a code it lists the games of a host, without anything those found on the network. "
            "A code alone finds its game there."
        ),
    )
    join.add_argument(
        "address", metavar="ADDRESS[:PORT]", nargs="?", help="the host's machine, by its name or number"
    )
    join.add_argument("code", metavar="CODE", nargs="?", help="the join code that the host tells")
    join.add_argument("--name", metavar="NAME", type=_name, help="what the others see you as")
    join.add_argument(
        "--seat",
        metavar="SEAT",
        choices=(*SIDES, ANY, WATCH),
        default=ANY,
        help=f"{', '.join((*SIDES, ANY))}, or {WATCH} to look on (default {ANY})",
    )
    join.add_argument(
        "--bot", metavar="BOT", choices=BOTS, help=f"let a bot play, without a window: {', '.join(BOTS)}"
    )
    join.add_argument(
        "--back", action="store_true", help="come back to your seat, at that host or where you played last"
    )
    join.add_argument(
        "--json", action="store_true", help="print one JSON object for the bot's game, or for each game found"
    )
    join.set_defaults(run=run)


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise argparse.ArgumentTypeError(f"a name has 1 to {NAME_LENGTH} letters")
    return name


def way(args: argparse.Namespace) -> Ticket | Invitation | None:
    """Return what leads to the table that the arguments name; None where they name none.

    Raises CannotJoin.
    """
    from app.lan.codes import parse_code
    from app.lan.guest.link import Invitation
    from app.lan.places import parse_place

    code = args.code
    try:
        if code is None and args.address is not None and _CODE.fullmatch(args.address):
            code, place = args.address, None
        else:
            place = parse_place(args.address) if args.address is not None else None
        table = parse_code(code)[0] if code is not None else ""
    except ValueError as error:
        raise CannotJoin(str(error)) from error
    if args.back:
        return _way_back(place, table)
    if code is None:
        if args.bot is not None:
            raise CannotJoin("a bot needs a seat: name the host and its join code, or --back")
        return None
    if place is None:
        place = _place_of(table)
    if args.bot is None:
        return Invitation(*place, code, args.name or "", args.seat)
    name = args.name or BOT_NAMES.get(args.bot, args.bot)[:NAME_LENGTH]
    return Invitation(*place, code, name, _seat_for(args.bot, args.seat))


def _place_of(table: str) -> tuple[str, int]:
    """Return where on the network the table of a code is; raises CannotJoin."""
    hosts = [host for host in _found() if any(card.table == table for card in host.tables)]
    if not hosts:
        raise CannotJoin(f"no game that was found has a code that begins with {table}; {_BY_ADDRESS}")
    if len(hosts) > 1:
        from app.lan.places import place_words

        places = ", ".join(place_words(host.address, host.port) for host in hosts)
        raise CannotJoin(
            f"several hosts have a game whose code begins with {table} ({places}); {_BY_ADDRESS}"
        )
    return hosts[0].address, hosts[0].port


def _seat_for(bot: str, seat: str) -> str:
    """Return the seat to ask for, which the bot can play."""
    if seat == WATCH:
        raise CannotJoin("a bot plays, it does not look on")
    sides = [side for side in SIDES if bot in bots_of(side)]
    if seat in SIDES and seat not in sides:
        raise CannotJoin(f"the {bot} bot does not play the {seat}")
    return sides[0] if seat == ANY and len(sides) == 1 else seat


def _way_back(place: tuple[str, int] | None, table: str) -> Ticket:
    """Return the ticket used last of a game that goes on, else of one whose record is still to be had."""
    from app.lan.guest.tickets import load_all, tickets_folder
    from app.lan.kept import has_record

    tickets = sorted(load_all(tickets_folder()), key=lambda one: one.is_over)
    for ticket in tickets:
        is_there = place is None or (ticket.address, ticket.port) == place
        if is_there and (not table or ticket.table == table) and not has_record(ticket):
            return ticket
    raise CannotJoin("there is no game to come back to")


def _has_seat(invitation: Invitation) -> bool:
    """Return whether this user has a way back to the table he asks for."""
    from app.lan.codes import parse_code

    with suppress(CannotJoin):
        _way_back((invitation.address, invitation.port), parse_code(invitation.code)[0])
        return True
    return False


def play_bot(seat: Ticket | Invitation, bot: str, say: Say) -> Ended:
    """Let a bot play to the end; raises CannotJoin."""
    from app.lan.guest.bot import BotGuest, CannotPlay
    from app.lan.guest.link import Invitation

    try:
        return BotGuest(seat, bot, say).play()
    except CannotPlay as error:
        hint = ""
        if error.kind == "taken" and isinstance(seat, Invitation) and _has_seat(seat):
            hint = f"; “{command('join --back')}” leads to the seat that you had there"
        raise CannotJoin(f"{error}{hint}") from error


def list_games(args: argparse.Namespace, tell: Say) -> None:
    """Print the tables of the host that the arguments name, else of all found; raises CannotJoin."""
    hosts = [_greeted(args.address)] if args.address is not None else _found()
    for host in hosts:
        for line in _json_lines(host) if args.json else _lines(host):
            tell(line)


def _greeted(typed: str) -> Host:
    from app.lan.guest.finding import Host
    from app.lan.guest.link import LinkDown, greet
    from app.lan.places import parse_place

    address, port = parse_place(typed)
    try:
        said = greet(address, port).host
    except LinkDown as down:
        raise CannotJoin(down.reason) from down
    return Host(said.host, address, port, said.tables)


def _found() -> tuple[Host, ...]:
    from app.lan.guest.finding import Finder

    found: tuple[Host, ...] = ()
    words = ""

    def take(hosts: tuple[Host, ...], told: str) -> None:
        nonlocal found, words
        found, words = hosts, told

    finder = Finder(take)
    finder.start()
    try:
        time.sleep(SEARCH)
    finally:
        finder.stop()
    if not found:
        raise CannotJoin(words[:1].lower() + words[1:].rstrip(".") if words else "no game was found")
    return found


def _lines(host: Host) -> Iterator[str]:
    from app.lan.places import place_words

    place, name = place_words(host.address, host.port), _shown(host.name)
    if host.problem:
        yield f"{place}  {name}: {_shown(host.problem)}"
    elif not host.tables:
        yield f"{place}  {name}: no game is open"
    for card in host.tables:
        seats = ", ".join(
            f"{SIDE_NAMES.get(side, side)} {_shown(seat_words(seat))}"
            for side, seat in sorted(card.seats.items())
        )
        title = _shown(card.title).strip() or "A game"
        yield f"{place}  {card.table}  {title} at {name}: {_PHASES.get(card.phase, card.phase)}; {seats}"


def _json_lines(host: Host) -> Iterator[str]:
    where = {"address": host.address, "port": host.port, "host": host.name, "problem": host.problem}
    if not host.tables:
        yield json.dumps(where)
    for card in host.tables:
        seats = {side: seat.name or seat.player for side, seat in card.seats.items()}
        yield json.dumps(
            {**where, "table": card.table, "title": card.title, "phase": card.phase, "seats": seats}
        )


def _shown(text: str) -> str:
    """Return what a stranger may have made up as one line that a terminal only prints."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:80])
