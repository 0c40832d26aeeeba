"""A game decided on another machine, in the form in which a window plays any game.

What the host sends is checked before anything is done with it; what a seat may choose, and why not, is worked
out here, without the network, from what the host lets its side know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from app.lan.guest.received import EVENTS
from app.lan.guest.verdict import Verdict, judge
from app.recap import Act, Recap
from engine.core.agreement import AskDraw
from engine.core.decision import Choice, Decision, IllegalChoice, StaleChoice
from engine.core.event import Event
from engine.core.files import BadFile
from engine.core.lan_protocol import Missed, Told, UpdateAnswer, WelcomeAnswer
from engine.core.match import OPEN, PUBLIC
from engine.core.protocol import (
    CLIENT,
    Answer,
    ChooseRequest,
    Refusal,
    Request,
    StateAnswer,
    UndoRequest,
)
from engine.core.record import Record
from engine.core.shares import Receipt
from engine.core.takeback import AskTakeback
from engine.fortress.board import Board
from engine.raid.figures import SIDES
from engine.raid.knowledge import KnownGame
from engine.raid.match import RULES
from engine.raid.problems import check_playable
from engine.raid.scenario import Scenario, parse_scenario
from engine.raid.view import View

HUMAN: Final = "human"  # who plays one's own side
GUEST: Final = "guest"  # another person, wherever he sits
GONE_LIMIT: Final = 10_000  # events that were taken back; of more, the last are kept

Ask = Callable[[Request], Answer]


class RemoteMatch:
    """A game as one guest may know it, made from his welcome; nothing to be seen before the first update.

    `ask` puts a request to the host, and returns once what the answer speaks of has been handed to `take`; it
    raises Refusal, or LinkDown. Raises BadFile where the scenario of the welcome cannot be played.
    """

    def __init__(self, welcome: WelcomeAnswer, ask: Ask) -> None:
        if welcome.side not in ("", *SIDES):
            raise BadFile([f"the welcome is to a side that no game has: {welcome.side[:40]!r}"])
        self.side = welcome.side
        self._ask = ask
        self.scenario = read_scenario(bytes(welcome.scenario))
        self._known = KnownGame(self.scenario)
        self._viewers = (welcome.side, PUBLIC) if welcome.side else (PUBLIC,)
        self._state: StateAnswer | None = None
        self._length = 0
        self._is_anew = False  # the connection has been made anew, perhaps to a host that had to go back
        self._views: dict[str, View] = {}
        self._told: dict[str, tuple[Event, ...]] = {}
        self._gone: list[Event] = []
        self._decisions: tuple[Decision, ...] = ()
        self._names: dict[str, str] = {welcome.side: welcome.name} if welcome.side else {}
        self._verdict: Verdict | None = None

    # Taking in what the host tells.

    @property
    def has_begun(self) -> bool:
        """Whether there is a game yet; until all seats are taken there is nothing to be seen."""
        return self._state is not None

    def begin_anew(self) -> None:
        """Let the next update tell of an earlier moment, as after a return to a host that was killed."""
        self._is_anew = True

    def take(self, update: UpdateAnswer) -> None:
        """Go on to what the host tells; raises ValueError for nonsense, and then nothing has changed."""
        state = update.state
        self._check(state)
        viewers = (*self._viewers, OPEN) if state.over else self._viewers
        views = {viewer: self._read_view(update, viewer) for viewer in viewers}
        told = {viewer: self._read_told(update, viewer) for viewer in viewers}
        for viewer in viewers:
            if len(told[viewer]) != state.events.get(viewer):
                raise ValueError(f"told.{viewer}: not as many events as the host counts")
        decisions = self._read_decisions(update, views[PUBLIC])
        for viewer, kept in self._told.items():
            since = update.told[viewer].since if viewer in update.told else len(kept)
            if since < len(kept):
                self._gone += _not_in(kept, told[viewer], since)
        del self._gone[:-GONE_LIMIT]
        self._is_anew = False
        self._state, self._length = state, update.length
        self._views, self._told, self._decisions = views, told, decisions

    def _check(self, state: StateAnswer) -> None:
        if set(state.seats) != set(SIDES):
            raise ValueError("state.seats: not one for each side")
        if any(one.side != self.side for one in state.asked):
            raise ValueError("state.asked: something that another side decides")
        if self.is_over and not state.over:
            raise ValueError("state.over: the game had ended")
        if self._state is not None and state.revision < self._state.revision and not self._is_anew:
            raise ValueError("state.revision: an earlier one than before")

    def _read_view(self, update: UpdateAnswer, viewer: str) -> View:
        if viewer not in update.views:
            raise ValueError(f"views.{viewer}: missing")
        view = self._known.read_view(update.views[viewer])
        if view.viewer != viewer:
            raise ValueError(f"views.{viewer}: that of {view.viewer[:40]!r}")
        return view

    def _read_told(self, update: UpdateAnswer, viewer: str) -> tuple[Event, ...]:
        kept = self._told.get(viewer, ())
        told = update.told.get(viewer, Told(since=len(kept), events=()))
        if not 0 <= told.since <= len(kept):
            raise ValueError(f"told.{viewer}: from event {told.since} on, where {len(kept)} are known")
        if told.since + len(told.events) > EVENTS:
            raise ValueError(f"told.{viewer}: more events than any game has")
        news = tuple(self._known.read_event(event) for event in told.events)
        return kept[: told.since] + news

    def _read_decisions(self, update: UpdateAnswer, public: View) -> tuple[Decision, ...]:
        """Return what this seat is asked, its options worked out here."""
        state = update.state
        if state.over or not self.side:
            self._known.look(public)
            return ()
        return self._known.take(update.known, self.side, state.asked)

    def read_missed(self, missed: Missed) -> Recap | None:
        """Return what a host tells of the time this seat was away, None for nothing; raises ValueError."""
        event, view = self._known.read_event, self._known.read_view
        acts = tuple(Act(tuple(event(one) for one in events), view(after)) for events, after in missed.acts)
        return Recap(self.side, view(missed.before), acts) if acts else None

    def name(self, names: Mapping[str, str]) -> None:
        """Take in what the players are called."""
        self._names = {side: name for side, name in names.items() if side in SIDES and name}

    # What a Session asks of any match.

    @property
    def state(self) -> StateAnswer:
        """How far the game is, as the host told it last; ValueError before the first update."""
        if self._state is None:
            raise ValueError("the game has not begun")
        return self._state

    @property
    def board(self) -> Board:
        """The compiled board; another object once doors or computers were added (7.4)."""
        return self._known.board

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sits on each side: "human" here, "guest" for another person, or a bot's name.

        One's own side stays one's own while a bot plays for it.
        """
        seats = {side: GUEST if player == CLIENT else player for side, player in self.state.seats.items()}
        return {**seats, self.side: HUMAN} if self.side else seats

    @property
    def names(self) -> Mapping[str, str]:
        """What the players are called."""
        return self._names

    @property
    def revision(self) -> int:
        """A number that grows with every choice and every undo."""
        return self.state.revision

    @property
    def length(self) -> int:
        """The number of choices in the record."""
        return self._length

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state is not None and self._state.over

    def decisions(self) -> tuple[Decision, ...]:
        """Return what this seat is asked."""
        return self._decisions

    def waiting(self, side: str) -> str:
        """Return what a side waits for while the other decides, "" where it must decide itself."""
        return self.state.waiting.get(side, "")

    def view(self, viewer: str) -> View:
        """Return what a viewer knows; ValueError for one whose view this seat may not have."""
        if viewer not in self._views:
            raise ValueError(f"{viewer!r} is not one of {' '.join(self._views)}")
        return self._views[viewer]

    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]:
        """Return what a viewer has been told, from its event number `since` on; ValueError as for `view`."""
        return self._kept(viewer)[since:]

    def event_count(self, viewer: str) -> int:
        """Return how many events a viewer has been told."""
        return len(self._kept(viewer))

    def _kept(self, viewer: str) -> tuple[Event, ...]:
        if viewer not in self._told:
            raise ValueError(f"{viewer!r} is not one of {' '.join(self._told)}")
        return self._told[viewer]

    def why(self, side: str, choice: Choice) -> IllegalChoice | None:
        """Return why a side may not choose something now; None where it may."""
        if self.is_over:
            return IllegalChoice("the game is over", "")
        if side != self.side:
            return IllegalChoice("that is for the other player to choose" if self.side else LOOKING_ON, "")
        if not self.has_begun:
            return IllegalChoice("the game has not begun", "")
        return self._known.why(side, choice)

    def can_undo(self, side: str) -> bool:
        """Return whether a side may take its last choice back alone."""
        return side in self.state.undo

    def taken_back_by(self, side: str) -> str:
        """Return in public words the choice before which a side's takeback would go back, "" if none."""
        return self.state.takeback.get(side, "")

    # Choosing.

    def submit(self, side: str, choice: Choice, revision: int | None = None) -> None:
        """Make this seat's choice on the host's machine.

        Raises StaleChoice, and IllegalChoice for what the rules refuse, the host refuses, or cannot be asked
        as the connection is lost.
        """
        refused = self.why(side, choice)
        if refused is not None:
            raise refused
        packed = msgspec.Raw(msgspec.json.encode(RULES.pack_choice(choice)))
        at = revision if revision is not None else self._revision_for(choice)
        self._do(ChooseRequest(side=side, choice=packed, revision=at))

    def _revision_for(self, choice: Choice) -> int:
        """Return the revision that a choice made now answers: the game's where it answers no decision."""
        return self.revision if isinstance(choice, AskTakeback | AskDraw) else self._revision_of_decision

    @property
    def _revision_of_decision(self) -> int:
        """The revision since which this seat's decision has been open, the game's where there is none."""
        return self._decisions[0].revision if self._decisions else self.revision

    def undo(self, side: str) -> None:
        """Take this seat's last choice back on the host's machine; raises IllegalChoice as `submit` does."""
        if not self.can_undo(side):
            raise IllegalChoice(
                "nothing to take back: a roll, a reveal or the other side's turn came after", ""
            )
        self._do(UndoRequest(side=side, revision=self._revision_of_decision))

    def _do(self, request: Request) -> None:
        from app.lan.guest.link import LinkDown

        try:
            self._ask(request)
        except Refusal as refusal:
            rule = refusal.rule if isinstance(refusal.rule, str) else ""
            stale = refusal.kind == "stale-choice"
            raise (StaleChoice(refusal.reason) if stale else IllegalChoice(refusal.reason, rule)) from refusal
        except LinkDown as down:
            raise IllegalChoice(f"the host cannot be asked: {down.reason}", "") from down

    # After the end.

    def take_record(self, packed: Any, receipt: Receipt | None, *, has_heard_all: bool = True) -> Verdict:
        """Take the record that the host opens at the end, and judge it; raises BadFile for none that is one.

        `receipt` is what was kept of joining, None where nothing was; see `judge`.
        """
        self._verdict = judge(
            packed, self.scenario, self._told, self._gone, receipt, has_heard_all=has_heard_all
        )
        return self._verdict

    @property
    def has_record(self) -> bool:
        """Whether the record has been taken."""
        return self._verdict is not None

    @property
    def record(self) -> Record:
        """The record, once the game is over and it has been taken; ValueError before."""
        if self._verdict is None:
            raise ValueError("the host has not opened the record yet")
        return self._verdict.record

    @property
    def verified(self) -> str:
        """What was found out about the record, in one line; "" while there is none."""
        return self._verdict.line if self._verdict is not None else ""

    @property
    def faults(self) -> tuple[str, ...]:
        """What the record does not prove, a line a fault; nothing while there is none."""
        return self._verdict.faults if self._verdict is not None else ()


LOOKING_ON: Final = "you look on, and the players decide"


def read_scenario(raw: bytes) -> Scenario:
    """Return the scenario of a welcome, checked as one of a file is; raises BadFile."""
    scenario = parse_scenario(raw)
    check_playable(scenario)
    return scenario


def _not_in(before: tuple[Event, ...], after: tuple[Event, ...], since: int) -> tuple[Event, ...]:
    """Return the events that the end of a list has lost; the lists are the same before number `since`."""
    pairs = zip(before[since:], after[since:], strict=False)
    same = next(
        (number for number, (old, new) in enumerate(pairs, since) if old != new),
        min(len(before), len(after)),
    )
    return before[same:]
