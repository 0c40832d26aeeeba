"""What a side's choices follow from: the game as a guest's machine works it out by itself.

`RaidMatch.known` packs on the host's machine what `KnownGame` takes on the guest's: the State that the side
may know (see `known_state`), and what the players ask one another.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, Union, cast

import msgspec

from engine.core import agreement, takeback
from engine.core.agreement import AnswerDraw, AskDraw, DrawAnswered, DrawAsked
from engine.core.course import Course
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.event import Event
from engine.core.protocol import OpenDecision
from engine.core.takeback import AnswerTakeback, AskTakeback, TakebackAnswered, TakebackAsked
from engine.fortress.board import Board
from engine.raid import redact, rules
from engine.raid.choices import EndPhase
from engine.raid.events import RaidEvent
from engine.raid.figures import OTHER_SIDE, SIDES
from engine.raid.fitting import event_faults, view_faults
from engine.raid.known_state import (
    REASON_LIMIT,
    Extra,
    Packed,
    Reason,
    built,
    converted,
    packed_state,
    unpack,
)
from engine.raid.scenario import Scenario
from engine.raid.state import State
from engine.raid.view import View


class Question(Packed, frozen=True, kw_only=True, omit_defaults=True):
    """What a side is asked to agree to; `what` says in public words what a takeback is about."""

    kind: Literal["takeback", "draw"]
    side: str
    what: Reason = ""


class Known(Packed, frozen=True, kw_only=True, omit_defaults=True):
    """What a side's choices are made from: the state, and what the players ask one another.

    `refusals` say why the choices about that are not open, by their names; `unanswered` why none of
    the game is, "" where they are.
    """

    state: Any
    question: Question | None = None
    refusals: dict[Reason, Reason] = msgspec.field(default_factory=dict)
    unanswered: Reason = ""


ASKING: Final[tuple[Choice, ...]] = (AskTakeback(), AnswerTakeback(True), AskDraw(), AnswerDraw(True))
"""A choice of each kind about what the players ask one another."""


def pack_known(state: State, side: int, course: Course[Any, Any]) -> dict[str, Any]:
    """Return what a side's choices are made from, as plain JSON values for `KnownGame.take`."""
    name, asked = SIDES[side], course.asked
    question = None
    if asked is not None:
        question = Question(kind="takeback", side=OTHER_SIDE[asked.side], what=asked.what)
    elif course.draw_asked:
        question = Question(kind="draw", side=OTHER_SIDE[course.draw_asked])
    refusals = {}
    for choice in ASKING:
        refused = course.why(name, choice)
        if refused is not None:
            refusals[_name(choice)] = refused.reason
    unanswered = course.why(name, EndPhase()) if question is not None else None
    known = Known(
        state=packed_state(redact.known(state, side), side),
        question=question,
        refusals=refusals,
        unanswered=unanswered.reason if unanswered is not None else "",
    )
    packed: dict[str, Any] = msgspec.to_builtins(known)
    return packed


class KnownGame:
    """A game as one side knows it: its decisions and refusals worked out without the whole truth.

    Raises BadFile for a scenario that cannot be played.
    """

    def __init__(self, scenario: Scenario) -> None:
        self._game = rules.game_of(scenario)
        self._state: State | None = None
        self._side = 0
        self._known = Known(state=None)

    @property
    def board(self) -> Board:
        """The compiled board; another object once doors or computers were added (7.4)."""
        return self._game.board

    def take(self, packed: Any, side: str, asked: Iterable[OpenDecision] = ()) -> tuple[Decision, ...]:
        """Go on from what `RaidMatch.known` returned; return the decisions that the host asks for.

        Raises ValueError where that is nonsense, or not what the side is asked; then nothing has changed.
        """
        known = converted(packed, Known)
        if known.question is not None and known.question.side not in SIDES:
            raise ValueError("known: question: for nobody")
        number = SIDES.index(side)
        state = unpack(known.state, self._game, number)
        found = _decisions(known, state, number)
        decisions = tuple(_asked(found, header) for header in asked)
        self._known, self._state, self._side, self._game = known, state, number, state.game
        return decisions

    def look(self, view: View) -> None:
        """Go on from a view alone, for one who looks on: he has the board, and nothing to decide."""
        base = rules.game_of(self._game.scenario)
        doors = tuple([(*door.square, door.side) for door in view.doors if door.name not in base.door_names])
        computers = tuple(
            [(*one.square, one.side) for one in view.equipment if one.name not in base.equipment_names]
        )
        self._game = built(
            self._game, converted(doors, tuple[Extra, ...]), converted(computers, tuple[Extra, ...])
        )

    def decisions(self) -> tuple[Decision, ...]:
        """Return what the side is asked now, at most one; of revision 0, which its host tells."""
        return () if self._state is None else _decisions(self._known, self._state, self._side)

    def why(self, side: str, choice: Choice) -> IllegalChoice | None:
        """Return why the side may not choose something now; None where it may."""
        if self._state is None or side != SIDES[self._side]:
            raise ValueError(f"nothing is known here of what the {side} side may do")
        if isinstance(choice, tuple(map(type, ASKING))):
            reason = self._known.refusals.get(_name(choice), "")
        elif self._known.unanswered:
            reason = self._known.unanswered
        else:
            return rules.refusal(self._state, self._side, choice)
        return IllegalChoice(reason, "") if reason else None

    def read_view(self, packed: Any) -> View:
        """Return the view of a message; raises ValueError with one line for what is none of this game."""
        view = parse_view(packed)
        for fault in view_faults(view, self._game):
            raise ValueError(f"view: {fault}")
        return view

    def read_event(self, packed: Any) -> Event:
        """Return the event of a message; raises ValueError with one line for what is none of this game."""
        event = parse_event(packed)
        for fault in event_faults(event, self._game):
            raise ValueError(f"event: {fault}")
        return event


def _decisions(known: Known, state: State, side: int) -> tuple[Decision, ...]:
    """Return what a side is asked, at most one."""
    question = known.question
    if question is None:
        decision = rules.asked(state, side)
        return () if decision is None else (decision,)
    if question.side != SIDES[side]:
        return ()
    if question.kind == agreement.DRAW:
        return (agreement.question(question.side),)
    return (takeback.question(question.side, question.what),)


def _asked(decisions: Iterable[Decision], header: OpenDecision) -> Decision:
    """Return the decision that a host asks for by its header; raises ValueError where there is none."""
    for decision in decisions:
        if (decision.side, decision.kind, decision.optional) == (header.side, header.kind, header.optional):
            return msgspec.structs.replace(decision, revision=header.revision)
    raise ValueError(f"the host asks for what is not to be decided: {header.kind[:REASON_LIMIT]!r}")


def _name(choice: Choice) -> str:
    """Return a choice's name in JSON."""
    name: str = msgspec.to_builtins(choice)["do"]
    return name


# Views and events from elsewhere

AnyEvent: Any = Union[(*RaidEvent.__subclasses__(), TakebackAsked, TakebackAnswered, DrawAsked, DrawAnswered)]
"""Every kind of event of a raid."""


class _Told(msgspec.Struct, frozen=True):
    """An event in a structure, whose type is worked out once."""

    event: AnyEvent


def parse_view(packed: Any) -> View:
    """Return the view of JSON, or of what its decoder made; raises ValueError with one line."""
    return converted(packed, View)


def parse_event(packed: Any) -> Event:
    """Return the event of JSON, or of what its decoder made; raises ValueError with one line."""
    if isinstance(packed, (bytes, msgspec.Raw)):
        packed = converted(packed, dict[str, Any])
    return cast(Event, converted({"event": packed}, _Told).event)
