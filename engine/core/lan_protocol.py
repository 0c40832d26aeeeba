"""The messages between a host and the guests of its tables: `protocol.py` and what a network adds to it.

A connection begins with a greeting, then a guest joins a table by its code, or returns to his seat by the
secret token he joined with. From then on he may ask whatever `protocol.py` has for a game
under way, as far as his seat may know it, and the messages here. The host answers every request once,
and sends by itself, without an `id`: `table` when the people or the clocks of the table change, `seals` when
all seats are taken, `update` when the game goes on, `chatted` for a line of chat. Ids grow along a
connection, so that a message sent twice is known for what it is.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Raw

from engine.core.protocol import (
    Answer,
    Count,
    GameAnswer,
    GameRequest,
    Request,
    StateAnswer,
    format_message,
    parse_line,
)

LAN_VERSION: Final = 1
DEFAULT_PORT: Final = 21100  # where a host listens, if it is free there
PATH: Final = "/"  # what the address of a host ends with
GUEST_LIMIT: Final = 64 * 1024  # bytes of one message of a guest
HOST_LIMIT: Final = 16 * 1024 * 1024  # bytes of one message of a host; a scenario with its map is in one
STEP: Final = 256  # bytes; both limits are so many times that
NAME_LENGTH: Final = 24  # letters of a player's name
CHAT_LENGTH: Final = 200  # letters of a line of chat
WATCH: Final = "watch"  # the seat of who only looks on
ANY: Final = "any"  # whichever side is free

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LENGTH)]
# Lengths as well: a pattern's end lets a line break by.
TableName = Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Z]{2}$", max_length=2)]
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_LENGTH)]
Key = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]  # 32 bytes
# Not Key | Literal[""], of which the decoder would ask the pattern all the same.
NoOrKey = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?$", max_length=64)]
Pake = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{66}$", max_length=66)]  # a message of SPAKE2


# Coming in


class GreetRequest(Request, frozen=True, kw_only=True):
    """Say which version one speaks, and which program one is; comes first."""

    version: Count
    program: str


class JoinRequest(Request, frozen=True, kw_only=True):
    """Ask for a table whose join code one has; `pake` is the guest's half of the agreement on a key."""

    table: TableName
    pake: Pake


class ProveRequest(Request, frozen=True, kw_only=True):
    """Prove that one has the code, which only this connection's proof fits, and take a seat.

    `seat` is a side, "any" or "watch". `seals` holds, for each side that he may be given, the seal of what
    he adds to the dice as this side (see `shares.py`); nothing of one who looks on. `token` is the secret
    that leads back to the seat; the guest makes it and keeps it before he sends it, so that he may come back
    also where the welcome is lost. Who joins again with the same token has his seat again, as it was sealed.
    """

    proof: Key
    name: Name
    seat: str
    seals: Annotated[dict[str, Key], msgspec.Meta(max_length=2)]
    token: Key


class ReturnRequest(Request, frozen=True, kw_only=True):
    """Come back to one's seat with the token one joined with.

    Whose program `is_new` is told as missed all that has happened since his own last move.
    """

    table: TableName
    token: Key
    is_new: bool = False


# At the table


class OpenRequest(Request, frozen=True, kw_only=True):
    """Open one's share of the dice, once everybody has been told all `seals`; the same again does no harm."""

    share: Key


class ChatRequest(Request, frozen=True, kw_only=True):
    """Say a line to everybody at the table."""

    text: Line


class OfferRequest(Request, frozen=True, kw_only=True):
    """Ask the other player for a pause; "go-on" ends one, or takes the question back, without consent."""

    what: Literal["pause", "go-on"]


class AgreeRequest(Request, frozen=True, kw_only=True):
    """Agree to the pause that the other player asks for, or do not."""

    agrees: bool


LanRequest = (
    GreetRequest
    | JoinRequest
    | ProveRequest
    | ReturnRequest
    | OpenRequest
    | ChatRequest
    | OfferRequest
    | AgreeRequest
    | GameRequest
)


# What the host tells


class SeatCard(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits on a side, as everybody may know it.

    `player` is "" for a free seat, "client" for a person, a bot's name otherwise; `name` is the person's,
    also while a bot sits there for him. `is_here` tells whether the person is connected, `away` for how
    many seconds he has not been, `delay` how long his line takes (milliseconds, there and back).
    """

    player: str
    name: str = ""
    is_here: bool = False
    away: int = 0
    delay: int | None = None


class ClockCard(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a side's time, in milliseconds; it `runs` while the side must decide."""

    left: int
    runs: bool


class TableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A table as anybody may know it, also who has not joined.

    `phase` is "waiting" until all seats are taken and all shares opened, then "playing", "over" at the end.
    `clock` is how many seconds each side began with, 0 without clocks; `changes` counts what is unlike the
    Basic scenario.
    """

    table: str
    title: str
    host: str
    phase: Literal["waiting", "playing", "over"]
    seats: dict[str, SeatCard]
    watchers: int
    clock: int = 0
    changes: int = 0


class GreetAnswer(Answer, frozen=True, kw_only=True):
    """The version and program of the host, what it calls itself, and its tables.

    Their cards say who plays and what is free, but not who is there, for how long not, or looks on.
    """

    version: int
    program: str
    host: str
    tables: tuple[TableCard, ...]


class JoinAnswer(Answer, frozen=True, kw_only=True):
    """The host's half of the agreement on a key, and its commitment: the seal of its share of the dice."""

    pake: Pake
    commitment: Key


class WelcomeAnswer(Answer, frozen=True, kw_only=True):
    """A seat: the side, "" for one who looks on.

    `proof` is the host's that it has the code ("" to one who returns, who knows its certificate), `side`
    and `name` what was given, `commitment` the seal of its share of the dice, `scenario` the scenario with
    its map, as in its file. One who `is_host` is the player at the host's own machine. Lines of chat with a
    smaller number than `chat` were said before.
    """

    proof: NoOrKey
    side: str
    name: str
    commitment: Key
    is_host: bool
    scenario: Raw
    chat: Count = 0


class TableAnswer(Answer, frozen=True, kw_only=True):
    """The people and the clocks of one's table.

    `watchers` are the names of those who look on, `asks` the sides that ask for a pause, `clocks` empty
    where none run, `code` the join code (the host's player alone is told), `notice` a line for everybody
    about what the host's machine cannot do, such as save the game.
    """

    card: TableCard
    watchers: tuple[str, ...]
    is_paused: bool
    asks: tuple[str, ...]
    clocks: dict[str, ClockCard]
    code: str
    notice: str


class SealsAnswer(Answer, frozen=True, kw_only=True):
    """What the host and every player have sealed: "host" and the sides, each with its seal.

    It comes once all seats are taken, which nobody leaves for good any more, and again after every return.
    It never changes: who has been told other seals before opens nothing and goes away. When all players have
    opened their shares the game begins; the host's is opened by the record.
    """

    seals: dict[str, Key]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The events from number `since` on: what a guest had from there on before is taken back."""

    since: int
    events: tuple[Any, ...]


class Missed(msgspec.Struct, frozen=True, kw_only=True):
    """What happened while a player was away: his view before, and each choice's events and view since."""

    before: Any
    acts: tuple[tuple[tuple[Any, ...], Any], ...]


class UpdateAnswer(Answer, frozen=True, kw_only=True):
    """How the game stands, as its receiver may know it.

    `views` and `told` hold the receiver's side, if he has one, and "public", after the end "open" too.
    `known` is what his decision is made from, so that its options need not be sent; null for one who
    looks on. `missed` comes with the first update after a return.
    """

    state: StateAnswer
    length: int
    views: dict[str, Any]
    told: dict[str, Told]
    known: Any
    missed: Missed | None = None


class ChattedAnswer(Answer, frozen=True, kw_only=True):
    """A line of chat; `number` grows from each to the next, `side` is "" for one who looks on.

    The table's own word has no `name`, and the `side` of the player of whom it tells, if it tells of one.
    """

    number: int
    side: str
    name: str
    text: str


class DoneAnswer(Answer, frozen=True, kw_only=True):
    """It was done, and there is nothing to tell of it."""


LanAnswer = (
    GreetAnswer
    | JoinAnswer
    | WelcomeAnswer
    | TableAnswer
    | SealsAnswer
    | UpdateAnswer
    | ChattedAnswer
    | DoneAnswer
    | GameAnswer
)

LAN_ERRORS: Final = {
    "repeated": "the id is missing, or not larger than those before it on this connection",
    "no-table": "there is no table of that name here, or none has been joined",
    "wrong-code": "the join code is not that of the table",
    "too-often": "too many wrong codes or too many messages; the reason says how long to wait",
    "taken": "the seat is taken, or the table is full",
    "full": "the host takes no more connections",
    "paused": "the game is paused, or waits for somebody",
    "ended": "somebody else has come back to this seat, or no table was joined in time",
    "closing": "the host is closing, or has closed the table; it may come again",
}
"""What an error's kind means, besides `protocol.ERRORS`."""

_requests = msgspec.json.Decoder(LanRequest)
_answers = msgspec.json.Decoder(LanAnswer)


def format_lan_message(message: Request | Answer) -> bytes:
    """Return a message as it is sent: its line, with spaces before its end up to a whole number of steps.

    Encryption hides what is in a message, but not how long it is: how many counters a secret choice names
    could be counted by whoever listens.
    """
    line = format_message(message)
    return line[:-1] + b" " * (-len(line) % STEP) + line[-1:]


def parse_lan_request(line: bytes) -> LanRequest:
    """Return the request of a guest's message; raises Refusal."""
    return parse_line(line, _requests.decode, GUEST_LIMIT)


def parse_lan_answer(line: bytes) -> LanAnswer:
    """Return what a host's message tells; raises Refusal."""
    return parse_line(line, _answers.decode, HOST_LIMIT)
