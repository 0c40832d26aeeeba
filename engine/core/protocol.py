"""The messages between the authority of a game and whoever plays it elsewhere: JSON, an object a line.

Every request gets exactly one answer, `error` if nothing else. A request names itself in "ask", an answer
in "tell"; an `id` given with a request comes back with its answer. What belongs to one game only (a
scenario, a choice, a view, an event) travels as JSON that this module does not look into.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType

from engine.core.decision import Decision, IllegalChoice, Options, StaleChoice
from engine.core.files import SIZE_LIMIT
from engine.core.tags import tag_of

VERSION = 1
CLIENT = "client"  # the player of a seat that whoever sends the requests decides for
LINE_LIMIT = SIZE_LIMIT  # bytes; a request may hold a whole record
PAGE = 200  # options or events in an answer, unless asked otherwise

T = TypeVar("T")
Id = int | str
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Limit = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Wait = Annotated[int, msgspec.Meta(ge=1, le=86_400)]


def _tag(name: str) -> str:
    return tag_of(name.removesuffix("Request").removesuffix("Answer"))


# Requests


class Request(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", tag=_tag, forbid_unknown_fields=True
):
    """One line to the authority; `id` comes back with the answer."""

    id: Id | UnsetType = UNSET


class HelloRequest(Request, frozen=True, kw_only=True):
    """Agree on the version of the protocol; comes first."""

    version: Count


class NewRequest(Request, frozen=True, kw_only=True):
    """Begin a game.

    `scenario` is the short name of a shipped one, a file's path, or the scenario itself; `seed` is drawn
    if none is given; `dice` are scripted rolls. `seats` says who plays each side: "client" (also a side
    left out) or a bot's name. With `record` the game saves itself in that new file.
    """

    scenario: Raw
    seed: int | str | None = None
    dice: tuple[Annotated[int, msgspec.Meta(ge=1, le=6)], ...] | None = None
    seats: dict[str, str] = {}
    names: dict[str, str] = {}
    record: str | None = None


class ResumeRequest(Request, frozen=True, kw_only=True):
    """Go on with a game from its record: a file's path (it goes on saving there) or the record itself.

    A side that `seats` leaves out is played by who the record says, by the client where that is no bot.
    """

    record: Raw
    seats: dict[str, str] = {}


class StateRequest(Request, frozen=True, kw_only=True):
    """Ask how far the game is and what is open; most other requests are answered with this too."""


class ScenarioRequest(Request, frozen=True, kw_only=True):
    """Ask for the scenario with its map."""


class ViewRequest(Request, frozen=True, kw_only=True):
    """Ask what a viewer knows: a side of one's own, "public", or "open" once the game is over."""

    viewer: str


class DecisionsRequest(Request, frozen=True, kw_only=True):
    """Ask what one's sides must decide, with the number of options in each group."""


class OptionsRequest(Request, frozen=True, kw_only=True):
    """Ask for the options of a side's decision, all or one group's, `limit` of them from number `start`."""

    side: str
    group: str | None = None
    start: Count = 0
    limit: Limit = PAGE


class ChooseRequest(Request, frozen=True, kw_only=True):
    """Make a side's choice; `revision` is that of the decision it answers.

    "ask-takeback" and "ask-draw" answer none: their revision is the game's.
    """

    side: str
    choice: Raw
    revision: Count


class WhyRequest(Request, frozen=True, kw_only=True):
    """Ask whether a side could choose something now, and why not."""

    side: str
    choice: Raw


class EventsRequest(Request, frozen=True, kw_only=True):
    """Ask what a viewer has been told, `limit` events from number `since`."""

    viewer: str
    since: Count = 0
    limit: Limit = PAGE


class GoRequest(Request, frozen=True, kw_only=True):
    """Let the bots make up to so many choices while nothing must be decided by the client."""

    choices: Limit = 1


class UndoRequest(Request, frozen=True, kw_only=True):
    """Take a side's last choice back.

    With the `revision` of the side's open decision it is refused once that has passed, so that a request
    sent again takes nothing else back.
    """

    side: str
    revision: Count | None = None


class SeatRequest(Request, frozen=True, kw_only=True):
    """Put another player on a side: a bot by its name, or "client" where the client began the game."""

    side: str
    player: str


class RecordRequest(Request, frozen=True, kw_only=True):
    """Ask for the record; it tells all secrets, so before the end only a client of both sides has it."""


class QuitRequest(Request, frozen=True, kw_only=True):
    """End the conversation; the end of the input does so too."""


GameRequest = (
    StateRequest
    | ScenarioRequest
    | ViewRequest
    | DecisionsRequest
    | OptionsRequest
    | ChooseRequest
    | WhyRequest
    | EventsRequest
    | UndoRequest
    | SeatRequest
    | RecordRequest
    | QuitRequest
)
"""What is asked of a game under way, here and over a network."""

AnyRequest = HelloRequest | NewRequest | ResumeRequest | GoRequest | GameRequest


# Answers


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="tell", tag=_tag):
    """One line from the authority; `id` is that of the request, if it had one."""

    id: Id | UnsetType = UNSET


class HelloAnswer(Answer, frozen=True, kw_only=True):
    """The version spoken, and what can be played by whom."""

    program: str
    version: int
    games: tuple[str, ...]
    sides: tuple[str, ...]
    scenarios: dict[str, str]
    bots: tuple[str, ...]


class OpenDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that one of the client's sides may or must make now, without its options."""

    side: str
    kind: str
    rule: str
    prompt: str
    revision: int
    optional: bool


class StateAnswer(Answer, frozen=True, kw_only=True):
    """How far the game is.

    `asked` has the client's open decisions, `waiting` what each side waits for, `events` the number of
    events told to each viewer that the client may ask for. Of the client's sides `undo` has those that may
    take their last choice back alone, `takeback` those that may ask the other side for it, each with what
    it would go back to before, `draw` those that may offer a draw. `seed` is told with the secrets only:
    dice follow from it.
    """

    revision: int
    turn: int
    phase: str
    seats: dict[str, str]
    asked: tuple[OpenDecision, ...]
    waiting: dict[str, str]
    events: dict[str, int]
    undo: tuple[str, ...]
    takeback: dict[str, str]
    draw: tuple[str, ...]
    over: bool
    outcome: Any
    seed: str | None


class ScenarioAnswer(Answer, frozen=True, kw_only=True):
    """The scenario with its map, as in its file."""

    scenario: Any


class ViewAnswer(Answer, frozen=True, kw_only=True):
    """What a viewer knows."""

    revision: int
    view: Any


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The options that belong together, mostly a figure's; `leads_on` is false if they only rearrange."""

    name: str
    options: int
    leads_on: bool


class GroupedDecision(OpenDecision, frozen=True, kw_only=True):
    """A decision with its groups of options."""

    groups: tuple[Group, ...]


class DecisionsAnswer(Answer, frozen=True, kw_only=True):
    """The client's open decisions, and what each side waits for."""

    decisions: tuple[GroupedDecision, ...]
    waiting: dict[str, str]


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A legal choice; `price` is what it costs in movement points, null where nothing is paid."""

    choice: Any
    price: int | None


class OptionsAnswer(Answer, frozen=True, kw_only=True):
    """A page of options, of `total` in all; `next` is where the next page starts, null after the last."""

    side: str
    revision: int
    total: int
    next: int | None
    options: tuple[Option, ...]


class WhyAnswer(Answer, frozen=True, kw_only=True):
    """Whether the choice is legal; if not, the reason and the rule."""

    legal: bool
    reason: str
    rule: str


class EventsAnswer(Answer, frozen=True, kw_only=True):
    """A page of events; `next` is the number of the first one after it."""

    viewer: str
    next: int
    total: int
    events: tuple[Any, ...]


class RecordAnswer(Answer, frozen=True, kw_only=True):
    """The record, as in its file."""

    record: Any


class QuitAnswer(Answer, frozen=True, kw_only=True):
    """The last line."""


class ErrorAnswer(Answer, frozen=True, kw_only=True):
    """Nothing was done, unless the reason says otherwise, and why.

    `line` counts the lines received, from 1. `kind` is one of ERRORS; `rule` is set for refused choices,
    `problems` for files, a line a fault, `field` where one of the request's is at fault, `wait` where the
    same may be asked again in so many seconds.
    """

    line: int
    kind: str
    reason: str
    rule: str | UnsetType = UNSET
    problems: tuple[str, ...] | UnsetType = UNSET
    field: str | UnsetType = UNSET
    wait: Wait | UnsetType = UNSET


GameAnswer = (
    StateAnswer
    | ScenarioAnswer
    | ViewAnswer
    | DecisionsAnswer
    | OptionsAnswer
    | WhyAnswer
    | EventsAnswer
    | RecordAnswer
    | QuitAnswer
    | ErrorAnswer
)
"""What is told of a game under way, here and over a network."""

AnyAnswer = HelloAnswer | GameAnswer

ERRORS = {
    "bad-line": "the line is no request: not UTF-8, not JSON, too long, unknown, or a field missing or wrong",
    "version": "the version of the protocol is not spoken here, or hello has not been said",
    "no-game": "there is no game yet",
    "not-yours": "the side is not the client's, or its secrets are not",
    "bad-value": "a field holds what it cannot hold here",
    "bad-file": "a scenario or record cannot be used",
    "illegal-choice": "the rules refuse the choice",
    "stale-choice": "the revision is not that of the side's open decision",
    "internal": "a fault of the program; the game stays as it was",
}


class Refusal(Exception):
    """A request that cannot be met; becomes an ErrorAnswer."""

    def __init__(
        self,
        kind: str,
        reason: str,
        rule: str | UnsetType = UNSET,
        problems: tuple[str, ...] = (),
        *,
        field: str = "",
        wait: float = 0,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.rule = rule
        self.problems = problems
        self.field = field
        self.wait = math.ceil(wait)

    @classmethod
    def at(cls, field: str, why: str, kind: str = "bad-value") -> Refusal:
        """Return the refusal of a field's value."""
        return cls(kind, f"{field}: {why}", field=field)

    @classmethod
    def of(cls, refused: IllegalChoice) -> Refusal:
        """Return the refusal of a choice."""
        kind = "stale-choice" if isinstance(refused, StaleChoice) else "illegal-choice"
        return cls(kind, refused.reason, refused.rule)

    def answer(self, line: int, id: Id | UnsetType = UNSET) -> ErrorAnswer:  # noqa: A002 - the message's word
        """Return the answer to the request on a line."""
        return ErrorAnswer(
            id=id,
            line=line,
            kind=self.kind,
            reason=self.reason,
            rule=self.rule,
            problems=self.problems or UNSET,
            field=self.field or UNSET,
            wait=self.wait or UNSET,
        )


# Lines

_requests = msgspec.json.Decoder(AnyRequest)
_answers = msgspec.json.Decoder(AnyAnswer)
_encoder = msgspec.json.Encoder()


class _Named(msgspec.Struct):
    """Whatever has an id."""

    id: Id | UnsetType = UNSET


_named = msgspec.json.Decoder(_Named)


def parse_request(line: bytes) -> AnyRequest:
    """Return the request of a line; raises Refusal."""
    return parse_line(line, _requests.decode, LINE_LIMIT)


def parse_answer(line: bytes) -> AnyAnswer:
    """Return the answer of a line, for a client; raises Refusal."""
    return parse_line(line, _answers.decode, LINE_LIMIT)


def parse_id(line: bytes) -> Id | UnsetType:
    """Return the id of a line that is no request otherwise, so that its error finds the asker."""
    try:
        return _named.decode(line).id
    except (ValueError, RecursionError):
        return UNSET


def parse_line(line: bytes, decode: Callable[[bytes], T], limit: int) -> T:
    """Return what `decode` makes of a line of at most `limit` bytes; raises Refusal."""
    if len(line) > limit:
        raise Refusal("bad-line", f"longer than {format_size(limit)}")
    try:
        line.decode()
        return decode(line)
    except UnicodeDecodeError as error:
        raise Refusal("bad-line", f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise Refusal("bad-line", "nested too deep") from error
    except msgspec.ValidationError as error:
        place, why = _parted(str(error))
        raise (Refusal.at(place, why, "bad-line") if place else Refusal("bad-line", why)) from error
    except (msgspec.DecodeError, ValueError) as error:
        raise Refusal("bad-line", f"not JSON: {_parted(str(error))[1]}") from error


def format_message(message: Request | Answer) -> bytes:
    """Return a message's line, with its end."""
    return _encoder.encode(message) + b"\n"


def format_size(limit: int) -> str:
    """Return a number of bytes in words: "64 kB", "16 MB"."""
    return f"{limit // 1024} kB" if limit < 1024 * 1024 else f"{limit // (1024 * 1024)} MB"


def _parted(text: str) -> tuple[str, str]:
    """Return which place a decoder's message names, "" for none, and what is wrong."""
    found = re.search(r" - at `\$\.?(.*)`$", text, re.DOTALL)
    if found and found[1]:
        return found[1], text[: found.start()]
    return "", text.removeprefix("JSON is malformed: ")


# Values of a game


def open_decision(decision: Decision) -> OpenDecision:
    """Return a decision without its options."""
    return OpenDecision(
        side=decision.side,
        kind=decision.kind,
        rule=decision.rule,
        prompt=decision.prompt,
        revision=decision.revision,
        optional=decision.optional,
    )


def grouped_decision(decision: Decision) -> GroupedDecision:
    """Return a decision with its groups of options."""
    options = decision.options
    groups = [
        Group(name=name, options=len(options.of(name)), leads_on=leads_on)
        for names, leads_on in ((options.groups, True), (options.side_groups, False))
        for name in names
    ]
    return GroupedDecision(
        side=decision.side,
        kind=decision.kind,
        rule=decision.rule,
        prompt=decision.prompt,
        revision=decision.revision,
        optional=decision.optional,
        groups=tuple(groups),
    )


def options_page(
    options: Options, group: str | None, start: int, limit: int
) -> tuple[int, tuple[Option, ...]]:
    """Return how many options a group has (all groups for None), and a page of them.

    Groups before and behind the page are counted, not listed.
    """
    names = (*options.groups, *options.side_groups) if group is None else (group,)
    total = 0
    page: list[Option] = []
    for name in names:
        choices = options.of(name)
        first = max(0, start - total)
        page += [
            Option(choice=choice, price=options.price(choice))
            for choice in choices[first : first + limit - len(page)]
        ]
        total += len(choices)
    return total, tuple(page)
