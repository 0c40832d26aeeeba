"""The text protocol on two streams: a game for programs, one JSON object a line.

The client decides for the seats it asked for, bots sit on the others. What it is told is what those
sides may know: whoever asked for one side never hears the other's secrets before the game is over.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import UNSET, Raw, UnsetType

from app.desk import HUMAN, Desk, Game, checked_player
from engine.bots import BOTS, bots_of
from engine.core.decision import IllegalChoice
from engine.core.dice import OutOfDice
from engine.core.files import BadFile
from engine.core.protocol import (
    CLIENT,
    LINE_LIMIT,
    VERSION,
    Answer,
    AnyRequest,
    ChooseRequest,
    GoRequest,
    HelloAnswer,
    HelloRequest,
    Id,
    NewRequest,
    QuitAnswer,
    QuitRequest,
    Refusal,
    ResumeRequest,
    SeatRequest,
    StateAnswer,
    format_message,
    format_size,
    parse_id,
    parse_request,
)
from engine.core.record import parse_record
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch
from engine.raid.scenario import Scenario, load_scenario, parse_scenario, shipped

PROGRAM = "kungfu2100"


class TextEngine:
    """Answers requests, a line each; nothing that a line holds ends the conversation but `quit`."""

    def __init__(self) -> None:
        self.is_finished = False
        self._line = 0
        self._has_greeted = False
        self._desk: Desk | None = None
        self._own: dict[Path, frozenset[str]] = {}

    def answer(self, line: bytes, *, is_too_long: bool = False) -> bytes | None:
        """Return the answer to a line, None to a blank one."""
        self._line += 1
        if not is_too_long and not line.strip():
            return None
        id: Id | UnsetType = UNSET  # noqa: A001 - the message's word
        try:
            if is_too_long:
                raise Refusal("bad-line", f"longer than {format_size(LINE_LIMIT)}")
            try:
                request = parse_request(line)
            except Refusal:
                id = parse_id(line)  # noqa: A001
                raise
            id = request.id  # noqa: A001
            answer = self._answer(request)
        except Refusal as refusal:
            answer = refusal.answer(self._line, id)
        except BadFile as error:
            answer = Refusal("bad-file", error.problems[0], problems=error.problems).answer(self._line, id)
        except IllegalChoice as refused:
            answer = Refusal.of(refused).answer(self._line, id)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the client's game
            reason = f"{type(error).__name__}: {error}"
            answer = Refusal("internal", reason).answer(self._line, id)
        return format_message(answer)

    def _answer(self, request: AnyRequest) -> Answer:
        if isinstance(request, HelloRequest):
            return self._hello(request)
        if isinstance(request, QuitRequest):
            self.is_finished = True
            return QuitAnswer(id=request.id)
        if not self._has_greeted:
            raise Refusal("version", f'the first request is {{"ask": "hello", "version": {VERSION}}}')
        if isinstance(request, NewRequest):
            return self._new(request)
        if isinstance(request, ResumeRequest):
            return self._resume(request)
        if self._desk is None:
            raise Refusal("no-game", 'there is no game; ask "new" or "resume" first')
        return self._in_game(request, self._desk)

    def _hello(self, request: HelloRequest) -> HelloAnswer:
        if request.version != VERSION:
            raise Refusal("version", f"version {request.version} is not spoken here, only {VERSION}")
        self._has_greeted = True
        return HelloAnswer(
            id=request.id,
            program=PROGRAM,
            version=VERSION,
            games=("raid",),
            sides=SIDES,
            scenarios=dict(shipped()),
            bots=BOTS,
        )

    def _new(self, request: NewRequest) -> StateAnswer:
        seats = {**dict.fromkeys(SIDES, CLIENT), **_checked_seats(request.seats)}
        _check_sides("names", request.names)
        scenario = _scenario(request.scenario)
        path = None if request.record is None else _new_file(request.record)
        seed = secrets.token_hex(8) if request.seed is None else str(request.seed)
        kept = {side: HUMAN if player == CLIENT else player for side, player in seats.items()}
        try:
            match = RaidMatch.new(
                scenario, seed, seats=kept, names=request.names, path=path, dice=request.dice
            )
        except OutOfDice as error:
            raise _out_of_dice() from error
        except OSError as error:
            raise Refusal.at("record", f"cannot be written: {error.strerror}") from error
        return self._begin(match, seats, request.id)

    def _resume(self, request: ResumeRequest) -> StateAnswer:
        given = _checked_seats(request.seats)
        name = _text(request.record)
        if name is not None:
            match = RaidMatch.resume(_path("record", name))
        else:
            match = RaidMatch.from_record(parse_record(bytes(request.record)))
        seats = {side: given.get(side) or _seat_of(match, side) for side in SIDES}
        return self._begin(match, seats, request.id)

    def _begin(self, match: RaidMatch, seats: Mapping[str, str], id: Id | UnsetType) -> StateAnswer:  # noqa: A002
        desk = Desk(Game(match, seats), frozenset(side for side in SIDES if seats[side] == CLIENT))
        if match.path is not None:
            # Going on with a file as the other side would open what was kept from the client before.
            own = self._own.setdefault(match.path.resolve(), desk.own)
            if not desk.own <= own and not match.is_over:
                raise Refusal("not-yours", "seats: that game was begun without this side")
        _go_on(desk)
        self._desk = desk
        return desk.state(id)

    def _in_game(self, request: AnyRequest, desk: Desk) -> Answer:
        """Answer what is asked of the game, or change it; bots reply at once."""
        try:
            if isinstance(request, GoRequest):
                desk.game.go(request.choices)
                return desk.state(request.id)
            if isinstance(request, ChooseRequest | SeatRequest):
                desk.change(request)
                _go_on(desk)
                return desk.state(request.id)
            return desk.answer(request)
        except OutOfDice as error:
            raise _out_of_dice() from error
        except OSError as error:
            reason = f"the game went on, but its record could not be written: {error.strerror}"
            raise Refusal("bad-file", reason) from error


def _go_on(desk: Desk) -> None:
    """Let the bots play until the client is asked or offered something, if it has a seat at all."""
    if CLIENT in desk.game.seats.values():
        while not desk.match.is_over and not desk.asked():
            desk.game.go(1)


def _out_of_dice() -> Refusal:
    return Refusal.at("dice", "the scripted rolls are used up")


def _check_sides(field: str, given: Iterable[str]) -> None:
    for side in given:
        if side not in SIDES:
            raise Refusal.at(field, f'"{side[:40]}" is not one of {" ".join(SIDES)}')


def _checked_seats(given: Mapping[str, str]) -> dict[str, str]:
    _check_sides("seats", given)
    return {side: checked_player(f"seats.{side}", player, side) for side, player in given.items()}


def _seat_of(match: RaidMatch, side: str) -> str:
    seat = match.seats.get(side, HUMAN)
    return seat if seat in bots_of(side) else CLIENT


def _text(raw: Raw) -> str | None:
    """Return the text that a piece of JSON is, None if it is something else."""
    value = bytes(raw).lstrip()
    if not value.startswith(b'"'):
        return None
    try:
        return msgspec.json.decode(value, type=str)
    except ValueError as error:
        raise Refusal("bad-value", f"{value[:40].decode(errors='replace')}: no text") from error


def _scenario(raw: Raw) -> Scenario:
    name = _text(raw)
    if name is None:
        return parse_scenario(bytes(raw))
    return load_scenario(_path("scenario", name))


def _path(field: str, name: str) -> str:
    """Return a file's name that the system can look up, or refuse."""
    try:
        Path(name).exists()
    except (OSError, ValueError) as error:
        raise Refusal.at(field, "no name of a file") from error
    return name


def _new_file(name: str) -> Path:
    path = Path(_path("record", name))
    if path.exists():
        raise Refusal.at("record", 'that file is there already; "resume" goes on with it')
    return path


def lines(source: BinaryIO, limit: int = LINE_LIMIT) -> Iterator[tuple[bytes, bool]]:
    """Return the lines of a stream; of one longer than `limit` bytes nothing is kept, and the flag is set."""
    while line := source.readline(limit + 1):
        if len(line) <= limit or line.endswith(b"\n"):
            yield line, False
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(limit)
        yield b"", True


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer requests until `quit` or the end of the input.

    Raises BrokenPipeError when nobody reads the answers any more.
    """
    engine = TextEngine()
    for line, is_too_long in lines(source):
        answer = engine.answer(line, is_too_long=is_too_long)
        if answer is not None:
            sink.write(answer)
            sink.flush()
        if engine.is_finished:
            break
