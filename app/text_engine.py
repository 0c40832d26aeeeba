"""The text protocol on two streams: a game for programs, one JSON object a line.

The client decides for the seats it asked for, bots sit on the others. What it is told is what those
sides may know: whoever asked for one side never hears the other's secrets before the game is over.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, Raw, UnsetType

from engine.bots import BOTS, bots_of, make_bot
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import OutOfDice
from engine.core.files import BadFile
from engine.core.match import OPEN, PUBLIC, Table
from engine.core.player import Player
from engine.core.protocol import (
    CLIENT,
    LINE_LIMIT,
    VERSION,
    Answer,
    AnyRequest,
    ChooseRequest,
    DecisionsAnswer,
    DecisionsRequest,
    EventsAnswer,
    EventsRequest,
    GoRequest,
    HelloAnswer,
    HelloRequest,
    Id,
    NewRequest,
    OptionsAnswer,
    OptionsRequest,
    QuitAnswer,
    QuitRequest,
    RecordAnswer,
    RecordRequest,
    Refusal,
    ResumeRequest,
    ScenarioAnswer,
    ScenarioRequest,
    SeatRequest,
    StateAnswer,
    StateRequest,
    UndoRequest,
    ViewAnswer,
    ViewRequest,
    WhyAnswer,
    WhyRequest,
    format_message,
    grouped_decision,
    open_decision,
    options_page,
    parse_id,
    parse_request,
)
from engine.core.record import format_record, parse_record
from engine.core.takeback import AskTakeback
from engine.raid.figures import SIDES
from engine.raid.match import RULES, RaidMatch, parse_choice
from engine.raid.scenario import Scenario, load_scenario, parse_scenario, shipped

PROGRAM = "kungfu2100"
HUMAN = "human"  # what a record calls a seat that no bot has


class Absent(Player):
    """Sits where the client decides: asked only for standing offers, which it lets lapse."""

    wants_view = False

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        """Decide nothing."""
        return None


class Game:
    """A match with the client and bots in its seats; `own` are the sides the client may look into."""

    def __init__(self, match: RaidMatch, seats: Mapping[str, str]) -> None:
        self.match = match
        self.seed = match.record.last_seed
        self.seats = dict(seats)
        self.own = frozenset(side for side in SIDES if seats[side] == CLIENT)
        self._table = self._seated()

    def _seated(self) -> Table:
        return Table(self.match, {side: self._player(side) for side in SIDES})

    def _player(self, side: str) -> Player:
        seat = self.seats[side]
        if seat == CLIENT:
            return Absent()
        # As the window seeds them, so that a seed means the same game everywhere.
        return make_bot(seat, f"{self.seed} {side}")

    def seat(self, side: str, player: str) -> None:
        """Put another player on a side."""
        self.seats[side] = player
        self._table = self._seated()

    @property
    def has_all_secrets(self) -> bool:
        """Whether nothing has to be kept from the client."""
        return self.match.is_over or len(self.own) == len(SIDES)

    def asked(self) -> list[Decision]:
        """Return the open decisions of the sides that the client decides for now."""
        return [one for one in self.match.decisions() if self.seats[one.side] == CLIENT]

    def must_decide(self) -> bool:
        """Return whether the game waits for the client."""
        return any(not decision.optional for decision in self.asked())

    def go(self, choices: int) -> None:
        """Let the bots make up to so many choices; the client's standing offers lapse meanwhile."""
        for _ in range(choices):
            if self.match.is_over or self.must_decide():
                break
            self._table.step()

    def go_on(self) -> None:
        """Let the bots play until the client is asked or offered something, if it has a seat at all."""
        if CLIENT in self.seats.values():
            while not self.match.is_over and not self.asked():
                self._table.step()

    def check_side(self, side: str) -> None:
        """Refuse a side whose secrets are not the client's."""
        if side not in SIDES:
            raise Refusal("bad-value", f'side: "{side[:40]}" is not one of {" ".join(SIDES)}')
        if side not in self.own:
            raise Refusal("not-yours", f"the {side} is not yours")

    def check_seat(self, side: str) -> None:
        """Refuse a side that the client does not decide for now."""
        self.check_side(side)
        if self.seats[side] != CLIENT:
            raise Refusal("not-yours", f"{self.seats[side]} sits there now")

    def check_viewer(self, viewer: str) -> None:
        """Refuse a viewer whose secrets are not the client's."""
        if viewer == OPEN and not self.match.is_over:
            raise Refusal("not-yours", "secrets are open only when the game is over")
        if viewer not in (PUBLIC, OPEN):
            self.check_side(viewer)

    def decision(self, side: str) -> Decision:
        """Return a side's open decision, or refuse."""
        decision = self.match.decision(side)
        if decision is None:
            waiting = self.match.waiting(side)
            raise Refusal(
                "bad-value", f"nothing is asked of the {side}" + (f": {waiting}" if waiting else "")
            )
        return decision

    def waiting(self) -> dict[str, str]:
        """Return what each side waits for, as everybody may read it."""
        return {side: text for side in SIDES if (text := self.match.waiting(side))}

    def state(self, id: Id | UnsetType) -> StateAnswer:  # noqa: A002 - the message's word
        """Return how far the game is."""
        match = self.match
        view = match.view(PUBLIC)
        viewers = [side for side in SIDES if side in self.own] + [PUBLIC] + ([OPEN] if match.is_over else [])
        return StateAnswer(
            id=id,
            revision=match.revision,
            turn=view.turn,
            phase=view.phase,
            seats=self.seats,
            asked=tuple(open_decision(decision) for decision in self.asked()),
            waiting=self.waiting(),
            events={viewer: match.event_count(viewer) for viewer in viewers},
            undo=tuple(side for side in SIDES if self.seats[side] == CLIENT and match.can_undo(side)),
            takeback={
                side: match.taken_back_by(side)
                for side in SIDES
                if self.seats[side] == CLIENT and match.why(side, AskTakeback()) is None
            },
            over=match.is_over,
            outcome=view.outcome,
            seed=self.seed if self.has_all_secrets else None,
        )


class TextEngine:
    """Answers requests, a line each; nothing that a line holds ends the conversation but `quit`."""

    def __init__(self) -> None:
        self.is_finished = False
        self._line = 0
        self._has_greeted = False
        self._game: Game | None = None
        self._own: dict[Path, frozenset[str]] = {}

    def answer(self, line: bytes, *, is_too_long: bool = False) -> bytes | None:
        """Return the answer to a line, None to a blank one."""
        self._line += 1
        if not is_too_long and not line.strip():
            return None
        id: Id | UnsetType = UNSET  # noqa: A001 - the message's word
        try:
            if is_too_long:
                raise Refusal("bad-line", f"longer than {LINE_LIMIT // (1024 * 1024)} MB")
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
        if self._game is None:
            raise Refusal("no-game", 'there is no game; ask "new" or "resume" first')
        return self._in_game(request, self._game)

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
            raise Refusal("bad-value", f"record: cannot be written: {error.strerror}") from error
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
        game = Game(match, seats)
        if match.path is not None:
            # Going on with a file as the other side would open what was kept from the client before.
            own = self._own.setdefault(match.path.resolve(), game.own)
            if not game.own <= own and not match.is_over:
                raise Refusal("not-yours", "seats: that game was begun without this side")
        game.go_on()
        self._game = game
        return game.state(id)

    def _in_game(self, request: AnyRequest, game: Game) -> Answer:
        match = game.match
        id = request.id  # noqa: A001
        if isinstance(request, StateRequest):
            return game.state(id)
        if isinstance(request, ScenarioRequest):
            return ScenarioAnswer(id=id, scenario=RULES.pack_scenario(match.scenario))
        if isinstance(request, ViewRequest):
            game.check_viewer(request.viewer)
            return ViewAnswer(id=id, revision=match.revision, view=match.view(request.viewer))
        if isinstance(request, DecisionsRequest):
            decisions = tuple(grouped_decision(decision) for decision in game.asked())
            return DecisionsAnswer(id=id, decisions=decisions, waiting=game.waiting())
        if isinstance(request, OptionsRequest):
            return _options(request, game)
        if isinstance(request, WhyRequest):
            game.check_side(request.side)
            refused = match.why(request.side, _choice(request.choice))
            if refused is None:
                return WhyAnswer(id=id, legal=True, reason="", rule="")
            return WhyAnswer(id=id, legal=False, reason=refused.reason, rule=refused.rule)
        if isinstance(request, EventsRequest):
            game.check_viewer(request.viewer)
            events = match.events(request.viewer, request.since)[: request.limit]
            start = min(request.since, match.event_count(request.viewer))
            total = match.event_count(request.viewer)
            return EventsAnswer(
                id=id, viewer=request.viewer, next=start + len(events), total=total, events=events
            )
        if isinstance(request, RecordRequest):
            if not game.has_all_secrets:
                raise Refusal("not-yours", "the record tells the other side's secrets until the game is over")
            return RecordAnswer(id=id, record=msgspec.json.decode(format_record(match.record)))
        self._change(request, game)
        return game.state(id)

    def _change(self, request: AnyRequest, game: Game) -> None:
        """Do what changes the game; bots reply at once."""
        try:
            if isinstance(request, ChooseRequest):
                game.check_seat(request.side)
                game.match.submit(request.side, _choice(request.choice), request.revision)
                game.go_on()
            elif isinstance(request, GoRequest):
                game.go(request.choices)
            elif isinstance(request, UndoRequest):
                game.check_seat(request.side)
                game.match.undo(request.side)
            elif isinstance(request, SeatRequest):
                player = _checked_player("player", request.player, request.side)
                _check_sides("side", (request.side,))
                if player == CLIENT:
                    game.check_side(request.side)
                game.seat(request.side, player)
                game.go_on()
        except OutOfDice as error:
            raise _out_of_dice() from error
        except OSError as error:
            reason = f"the game went on, but its record could not be written: {error.strerror}"
            raise Refusal("bad-file", reason) from error


def _options(request: OptionsRequest, game: Game) -> OptionsAnswer:
    game.check_seat(request.side)
    decision = game.decision(request.side)
    options = decision.options
    groups = (*options.groups, *options.side_groups)
    if request.group is not None and request.group not in groups:
        raise Refusal("bad-value", f'group: there is no group "{request.group[:40]}" in this decision')
    total, page = options_page(options, request.group, request.start, request.limit)
    after = request.start + len(page)
    return OptionsAnswer(
        id=request.id,
        side=request.side,
        revision=decision.revision,
        total=total,
        next=after if page and after < total else None,
        options=page,
    )


def _out_of_dice() -> Refusal:
    return Refusal("bad-value", "dice: the scripted rolls are used up")


def _check_sides(field: str, given: Iterable[str]) -> None:
    for side in given:
        if side not in SIDES:
            raise Refusal("bad-value", f'{field}: "{side[:40]}" is not one of {" ".join(SIDES)}')


def _checked_player(field: str, player: str, side: str) -> str:
    seats = (CLIENT, *bots_of(side))
    if player not in seats:
        raise Refusal("bad-value", f'{field}: "{player[:40]}" is not one of {" ".join(seats)}')
    return player


def _checked_seats(given: Mapping[str, str]) -> dict[str, str]:
    _check_sides("seats", given)
    return {side: _checked_player(f"seats.{side}", player, side) for side, player in given.items()}


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


def _choice(raw: Raw) -> Choice:
    try:
        return parse_choice(msgspec.json.decode(bytes(raw)))
    except ValueError as error:
        raise Refusal("bad-value", str(error)) from error


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
        raise Refusal("bad-value", f"{field}: no name of a file") from error
    return name


def _new_file(name: str) -> Path:
    path = Path(_path("record", name))
    if path.exists():
        raise Refusal("bad-value", 'record: that file is there already; "resume" goes on with it')
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
