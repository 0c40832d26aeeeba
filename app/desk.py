"""What one client may ask of a game, and the answers: for the text protocol and for a network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from engine.bots import bots_of, make_bot
from engine.core.agreement import DRAW, AnswerDraw, AskDraw
from engine.core.decision import Choice, Decision
from engine.core.event import Event
from engine.core.match import OPEN, PUBLIC, Table
from engine.core.player import Player
from engine.core.protocol import (
    CLIENT,
    Answer,
    ChooseRequest,
    DecisionsAnswer,
    DecisionsRequest,
    EventsAnswer,
    EventsRequest,
    Id,
    OptionsAnswer,
    OptionsRequest,
    RecordAnswer,
    RecordRequest,
    Refusal,
    Request,
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
    grouped_decision,
    open_decision,
    options_page,
)
from engine.core.record import format_record
from engine.core.takeback import TAKEBACK, AnswerTakeback, AskTakeback
from engine.raid.figures import SIDES
from engine.raid.match import RULES, RaidMatch, parse_choice
from engine.raid.scenario import Scenario
from engine.raid.sealed_start import sealed_start

HUMAN = "human"  # what a record calls a seat that no bot has


class Absent(Player):
    """Sits where a client decides: asked only for standing offers, which it lets lapse."""

    wants_view = False

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        """Decide nothing."""
        return None


class StandIn(Player):
    """A bot on a person's seat: it plays on for him, and agrees to nothing in his name."""

    def __init__(self, bot: Player) -> None:
        self._bot = bot
        self.wants_view = bot.wants_view
        self.wants_events = bot.wants_events

    def begin(self, side: str, scenario: Any, board: Any) -> None:
        """Take the seat."""
        self._bot.begin(side, scenario, board)

    def see(self, events: Sequence[Event]) -> None:
        """Learn what happened since."""
        self._bot.see(events)

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        """Decide as the bot does, but decline what both players must agree on."""
        if decision.kind == TAKEBACK:
            return AnswerTakeback(False)
        if decision.kind == DRAW:
            return AnswerDraw(False)
        return self._bot.decide(view, decision)


class Game:
    """A match with clients and bots in its seats; `stand_ins` are the bots on seats of persons."""

    def __init__(self, match: RaidMatch, seats: Mapping[str, str], stand_ins: Iterable[str] = ()) -> None:
        self.match = match
        self.seed = match.record.last_seed
        self.seats = dict(seats)
        self._stand_ins = set(stand_ins)
        self._table = self._seated()

    def _seated(self) -> Table:
        return Table(self.match, {side: self._player(side) for side in SIDES})

    def _player(self, side: str) -> Player:
        seat = self.seats[side]
        if seat == CLIENT:
            return Absent()
        # As the window seeds them, so that a seed means the same game everywhere.
        bot = make_bot(seat, f"{self.seed} {side}")
        return StandIn(bot) if side in self._stand_ins else bot

    def seat(self, side: str, player: str, *, stands_in: bool = False) -> None:
        """Put another player on a side, for its person where it `stands_in`."""
        self.seats[side] = player
        if stands_in:
            self._stand_ins.add(side)
        self._table = self._seated()

    def waits_for(self) -> frozenset[str]:
        """Return the sides whose client must decide before the game goes on."""
        return frozenset(
            one.side for one in self.match.decisions() if not one.optional and self.seats[one.side] == CLIENT
        )

    def go(self, choices: int) -> int:
        """Let the bots make up to so many choices, and return how many they made.

        The clients' standing offers lapse meanwhile.
        """
        for made in range(choices):
            if self.match.is_over or self.waits_for():
                return made
            self._table.step()
        return choices


class Desk:
    """What one client may ask of a game; `own` are the sides that it may look into.

    Requests that cannot be met raise Refusal, IllegalChoice or BadFile.
    """

    def __init__(self, game: Game, own: frozenset[str]) -> None:
        self.game = game
        self.own = own

    @property
    def match(self) -> RaidMatch:
        """The game's match."""
        return self.game.match

    @property
    def has_all_secrets(self) -> bool:
        """Whether nothing has to be kept from the client."""
        return self.match.is_over or len(self.own) == len(SIDES)

    @property
    def viewers(self) -> tuple[str, ...]:
        """Whose views and events the client may ask for."""
        own = tuple(side for side in SIDES if side in self.own)
        return (*own, PUBLIC, OPEN) if self.match.is_over else (*own, PUBLIC)

    def _scenario(self) -> Scenario:
        """Return the scenario as the client may know it; a position to start from holds secrets (R29)."""
        if self.has_all_secrets:
            return self.match.scenario
        return sealed_start(self.match.scenario, next(iter(self.own), PUBLIC))

    def asked(self) -> list[Decision]:
        """Return the open decisions of the sides that the client decides for now."""
        return [one for one in self.match.decisions() if self._decides_for(one.side)]

    def _decides_for(self, side: str) -> bool:
        return side in self.own and self.game.seats[side] == CLIENT

    def check_side(self, side: str) -> None:
        """Refuse a side whose secrets are not the client's."""
        if side not in SIDES:
            raise Refusal.at("side", f'"{side[:40]}" is not one of {" ".join(SIDES)}')
        if side not in self.own:
            raise Refusal("not-yours", f"the {side} is not yours")

    def check_seat(self, side: str) -> None:
        """Refuse a side that the client does not decide for now."""
        self.check_side(side)
        if not self._decides_for(side):
            raise Refusal("not-yours", f"{self.game.seats[side]} sits there now")

    def check_viewer(self, viewer: str) -> None:
        """Refuse a viewer whose secrets are not the client's."""
        if viewer == OPEN and not self.match.is_over:
            raise Refusal("not-yours", "secrets are open only when the game is over")
        if viewer not in (PUBLIC, OPEN):
            self.check_side(viewer)

    def waiting(self) -> dict[str, str]:
        """Return what each side waits for, as everybody may read it."""
        return {side: text for side in SIDES if (text := self.match.waiting(side))}

    def state(self, id: Id | UnsetType = UNSET) -> StateAnswer:  # noqa: A002 - the message's word
        """Return how far the game is."""
        match = self.match
        view = match.view(PUBLIC)
        mine = [side for side in SIDES if self._decides_for(side)]
        return StateAnswer(
            id=id,
            revision=match.revision,
            turn=view.turn,
            phase=view.phase,
            seats=dict(self.game.seats),
            asked=tuple(open_decision(decision) for decision in self.asked()),
            waiting=self.waiting(),
            events={viewer: match.event_count(viewer) for viewer in self.viewers},
            undo=tuple(side for side in mine if match.can_undo(side)),
            takeback={
                side: match.taken_back_by(side) for side in mine if match.why(side, AskTakeback()) is None
            },
            draw=tuple(side for side in mine if match.why(side, AskDraw()) is None),
            over=match.is_over,
            outcome=view.outcome,
            seed=self.game.seed if self.has_all_secrets else None,
        )

    def answer(self, request: Request) -> Answer:
        """Return the answer to a question, or do what changes the game and return how it stands."""
        match = self.match
        id = request.id  # noqa: A001 - the message's word
        if isinstance(request, StateRequest):
            return self.state(id)
        if isinstance(request, ScenarioRequest):
            return ScenarioAnswer(id=id, scenario=RULES.pack_scenario(self._scenario()))
        if isinstance(request, ViewRequest):
            self.check_viewer(request.viewer)
            return ViewAnswer(id=id, revision=match.revision, view=match.view(request.viewer))
        if isinstance(request, DecisionsRequest):
            decisions = tuple(grouped_decision(decision) for decision in self.asked())
            return DecisionsAnswer(id=id, decisions=decisions, waiting=self.waiting())
        if isinstance(request, OptionsRequest):
            return self._options(request)
        if isinstance(request, WhyRequest):
            self.check_side(request.side)
            refused = match.why(request.side, read_choice(request.choice))
            if refused is None:
                return WhyAnswer(id=id, legal=True, reason="", rule="")
            return WhyAnswer(id=id, legal=False, reason=refused.reason, rule=refused.rule)
        if isinstance(request, EventsRequest):
            return self._events(request)
        if isinstance(request, RecordRequest):
            if not self.has_all_secrets:
                raise Refusal("not-yours", "the record tells the other side's secrets until the game is over")
            return RecordAnswer(id=id, record=msgspec.json.decode(format_record(match.record)))
        if isinstance(request, ChooseRequest | UndoRequest | SeatRequest):
            self.change(request)
            return self.state(id)
        raise Refusal("bad-value", "this cannot be asked here")

    def change(self, request: ChooseRequest | UndoRequest | SeatRequest) -> None:
        """Do what changes the game.

        Raises OSError where the record cannot be written: then it was done all the same.
        """
        if isinstance(request, ChooseRequest):
            self.check_seat(request.side)
            self.match.submit(request.side, read_choice(request.choice), request.revision)
        elif isinstance(request, UndoRequest):
            self.check_seat(request.side)
            self.match.undo(request.side, request.revision)
        else:
            player = checked_player("player", request.player, request.side)
            if player == CLIENT:
                self.check_side(request.side)
            self.game.seat(request.side, player)

    def _decision(self, side: str) -> Decision:
        decision = self.match.decision(side)
        if decision is None:
            waiting = self.match.waiting(side)
            raise Refusal(
                "bad-value", f"nothing is asked of the {side}" + (f": {waiting}" if waiting else "")
            )
        return decision

    def _options(self, request: OptionsRequest) -> OptionsAnswer:
        self.check_seat(request.side)
        decision = self._decision(request.side)
        options = decision.options
        groups = (*options.groups, *options.side_groups)
        if request.group is not None and request.group not in groups:
            raise Refusal.at("group", f'there is no group "{request.group[:40]}" in this decision')
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

    def _events(self, request: EventsRequest) -> EventsAnswer:
        self.check_viewer(request.viewer)
        total = self.match.event_count(request.viewer)
        events = self.match.events(request.viewer, request.since)[: request.limit]
        return EventsAnswer(
            id=request.id,
            viewer=request.viewer,
            next=min(request.since, total) + len(events),
            total=total,
            events=events,
        )


def checked_player(field: str, player: str, side: str) -> str:
    """Return who is to sit on a side, "client" or a bot that can; raises Refusal."""
    if side not in SIDES:
        raise Refusal.at("side", f'"{side[:40]}" is not one of {" ".join(SIDES)}')
    seats = (CLIENT, *bots_of(side))
    if player not in seats:
        raise Refusal.at(field, f'"{player[:40]}" is not one of {" ".join(seats)}')
    return player


def read_choice(raw: Raw) -> Choice:
    """Return the choice that a message holds; raises Refusal."""
    try:
        return parse_choice(msgspec.json.decode(bytes(raw)))
    except RecursionError as error:
        raise Refusal.at("choice", "nested too deep") from error
    except ValueError as error:
        raise Refusal("bad-value", str(error), field="choice") from error
