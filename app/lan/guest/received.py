"""What a host sends, checked and bounded before anything else of the program sees it.

Whoever answers at an address may be anybody. Words come out on one line of sensible length, as they stand and
without signs that cannot be seen; what has a meaning (sides, numbers, join codes) is as a sound host sends
it, or the whole message is refused. What only a match can judge, its views and events, `remote` does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from app.lan.codes import parse_code
from app.lan.network.advert import NAME_LENGTH as HOST_LENGTH
from engine.core.lan_protocol import (
    CHAT_LENGTH,
    LAN_VERSION,
    NAME_LENGTH,
    ChattedAnswer,
    ClockCard,
    GreetAnswer,
    LanAnswer,
    SealsAnswer,
    SeatCard,
    TableAnswer,
    TableCard,
    UpdateAnswer,
    WelcomeAnswer,
    parse_lan_answer,
)
from engine.core.match import OPEN, PUBLIC
from engine.core.protocol import ErrorAnswer, OpenDecision, Refusal, StateAnswer, WhyAnswer
from engine.core.shares import HOST
from engine.raid.figures import SIDES

GREETING_LIMIT: Final = 1024 * 1024  # bytes of what is read of a host that is only greeted
TABLES: Final = 1024  # of one host; there are no more names of two letters
WATCHERS: Final = 64  # names
ASKED: Final = 8  # decisions of one seat; a sound host asks for two at most
EVENTS: Final = 20_000  # told to one viewer; a long game has a thousand
ACTS: Final = 5_000  # choices that somebody missed; a long game has some hundred
PROBLEMS: Final = 20  # lines about a file
WORD_LENGTH: Final = 40  # letters of a word of the game or the program
TITLE_LENGTH: Final = 100  # letters of the title of a game
REASON_LENGTH: Final = 400  # letters of a sentence
MOST: Final = 2**53  # of any count, as the protocol has it
YEAR: Final = 366 * 24 * 3600  # seconds, which no seat waits and no clock has

_RULE: Final = re.compile(r"(?:[1-8]\.[0-9]{1,3}[a-z]?|R[0-9]{1,2})?")
_VIEWERS: Final = (*SIDES, PUBLIC, OPEN)


def parse_told(message: bytes) -> LanAnswer:
    """Return what a host's message tells, sound; raises Refusal."""
    answer = parse_lan_answer(message)
    try:
        return sound(answer)
    except ValueError as error:
        raise Refusal("bad-value", str(error)) from error


def sound(answer: LanAnswer) -> LanAnswer:
    """Return an answer of a host as it may be shown and used; raises ValueError with one line."""
    match answer:
        case GreetAnswer():
            return _greeting(answer)
        case WelcomeAnswer():
            _check_side("side", answer.side)
            _check_count("chat", answer.chat)
            return msgspec.structs.replace(answer, name=_name("name", answer.name))
        case TableAnswer():
            return _table(answer)
        case SealsAnswer():
            _check_all("seals", answer.seals, (HOST, *SIDES))
            return answer
        case ChattedAnswer():
            _check_count("number", answer.number)
            _check_side("side", answer.side)
            name, text = line(answer.name, NAME_LENGTH), line(answer.text, CHAT_LENGTH)
            return msgspec.structs.replace(answer, name=name, text=text)
        case UpdateAnswer():
            return _update(answer)
        case StateAnswer():
            return _state("", answer)
        case ErrorAnswer():
            return _error(answer)
        case WhyAnswer():
            reason, rule = line(answer.reason, REASON_LENGTH), rule_of(answer.rule)
            return msgspec.structs.replace(answer, reason=reason, rule=rule)
        case _:
            return answer  # of one form only, or looked into by whoever asked for it


def line(text: str, length: int) -> str:
    """Return a text on one line of at most so many letters, without signs that cannot be seen."""
    if len(text) <= length and text.isprintable() and "  " not in text and text == text.strip():
        return text
    # Cut first, so that megabytes are not gone through; what is cut off is told by three dots.
    shown = "".join(one if one.isprintable() else " " for one in text[: 4 * length])
    plain = " ".join(shown.split())
    return plain if len(plain) <= length else f"{plain[: length - 1].rstrip()}…"


def rule_of(text: str) -> str:
    """Return the number of a rule, "" where a text is none."""
    return text if _RULE.fullmatch(text) else ""


# The parts


def _greeting(answer: GreetAnswer) -> GreetAnswer:
    _check_count("version", answer.version)
    host, program = line(answer.host, HOST_LENGTH), line(answer.program, WORD_LENGTH)
    answer = msgspec.structs.replace(answer, host=host, program=program)
    if answer.version != LAN_VERSION:
        return msgspec.structs.replace(answer, tables=())  # what another version means by them is not known
    if len(answer.tables) > TABLES:
        raise ValueError(f"tables: {len(answer.tables)}, more than any host has")
    tables = tuple(_card(f"tables[{at}]", card) for at, card in enumerate(answer.tables))
    if len({card.table for card in tables}) < len(tables):
        raise ValueError("tables: two of one name")
    return msgspec.structs.replace(answer, tables=tables)


def _card(place: str, card: TableCard) -> TableCard:
    if not re.fullmatch("[0-9A-Z]{2}", card.table):
        raise ValueError(f"{place}.table: not a name of two letters")
    if set(card.seats) != set(SIDES):
        raise ValueError(f"{place}.seats: not one for each side")
    _check_count(f"{place}.watchers", card.watchers)
    _check_count(f"{place}.clock", card.clock, YEAR)
    _check_count(f"{place}.changes", card.changes)
    return msgspec.structs.replace(
        card,
        title=line(card.title, TITLE_LENGTH) or "A game",
        host=line(card.host, HOST_LENGTH),
        seats={side: _seat(f"{place}.seats.{side}", card.seats[side]) for side in SIDES},
    )


def _seat(place: str, card: SeatCard) -> SeatCard:
    _check_count(f"{place}.away", card.away, YEAR)
    if card.delay is not None:
        _check_count(f"{place}.delay", card.delay, YEAR)
    return msgspec.structs.replace(
        card, player=line(card.player, WORD_LENGTH), name=line(card.name, NAME_LENGTH)
    )


def _table(answer: TableAnswer) -> TableAnswer:
    _check_all("asks", answer.asks, SIDES)
    _check_all("clocks", answer.clocks, SIDES)
    for side, clock in answer.clocks.items():
        _check_count(f"clocks.{side}.left", clock.left, YEAR * 1000)
    if len(answer.watchers) > WATCHERS:
        raise ValueError(f"watchers: {len(answer.watchers)}, more than any table has")
    return msgspec.structs.replace(
        answer,
        card=_card("card", answer.card),
        watchers=tuple(_name("watchers", name) for name in answer.watchers),
        clocks=_in_order(answer.clocks),
        code=_code(answer.code),
        notice=line(answer.notice, REASON_LENGTH),
    )


def _in_order(clocks: Mapping[str, ClockCard]) -> dict[str, ClockCard]:
    return {side: clocks[side] for side in SIDES if side in clocks}


def _code(text: str) -> str:
    if not text:
        return ""
    try:
        return "".join(parse_code(text[:REASON_LENGTH]))
    except ValueError as error:
        raise ValueError("code: not a join code") from error


def _update(answer: UpdateAnswer) -> UpdateAnswer:
    _check_count("length", answer.length)
    _check_all("views", answer.views, _VIEWERS)
    _check_all("told", answer.told, _VIEWERS)
    for viewer, told in answer.told.items():
        _check_count(f"told.{viewer}.since", told.since, EVENTS)
        _check_count(f"told.{viewer}.events", len(told.events), EVENTS)
    if answer.missed is not None:
        _check_count("missed.acts", len(answer.missed.acts), ACTS)
        _check_count("missed.acts", sum(len(events) for events, _ in answer.missed.acts), EVENTS)
    return msgspec.structs.replace(answer, state=_state("state.", answer.state))


def _state(place: str, state: StateAnswer) -> StateAnswer:
    _check_count(f"{place}revision", state.revision)
    _check_count(f"{place}turn", state.turn)
    if set(state.seats) != set(SIDES):
        raise ValueError(f"{place}seats: not one for each side")
    if len(state.asked) > ASKED:
        raise ValueError(f"{place}asked: more than any seat is asked")
    for name, sides in (
        ("waiting", state.waiting),
        ("takeback", state.takeback),
        ("undo", state.undo),
        ("draw", state.draw),
    ):
        _check_all(place + name, sides, SIDES)
    _check_all(f"{place}events", state.events, _VIEWERS)
    for viewer, count in state.events.items():
        _check_count(f"{place}events.{viewer}", count)
    return msgspec.structs.replace(
        state,
        phase=line(state.phase, WORD_LENGTH),
        seats={side: line(state.seats[side], WORD_LENGTH) for side in SIDES},
        asked=tuple(_decision(f"{place}asked", decision) for decision in state.asked),
        waiting=_lines(state.waiting),
        takeback=_lines(state.takeback),
        seed=line(state.seed, REASON_LENGTH) if state.seed is not None else None,
    )


def _decision(place: str, decision: OpenDecision) -> OpenDecision:
    if decision.side not in SIDES:
        raise ValueError(f"{place}: a side that no game has")
    _check_count(f"{place}.revision", decision.revision)
    return msgspec.structs.replace(
        decision,
        kind=line(decision.kind, WORD_LENGTH),
        rule=rule_of(decision.rule),
        prompt=line(decision.prompt, REASON_LENGTH),
    )


def _error(answer: ErrorAnswer) -> ErrorAnswer:
    rule: str | UnsetType = rule_of(answer.rule) if isinstance(answer.rule, str) else UNSET
    problems: tuple[str, ...] | UnsetType = UNSET
    if isinstance(answer.problems, tuple):
        problems = tuple(line(one, REASON_LENGTH) for one in answer.problems[:PROBLEMS])
    field = line(answer.field, WORD_LENGTH) if isinstance(answer.field, str) else UNSET
    return msgspec.structs.replace(
        answer,
        line=0,  # a guest's messages have no lines
        kind=line(answer.kind, WORD_LENGTH),
        reason=line(answer.reason, REASON_LENGTH) or "no reason is given",
        rule=rule,
        problems=problems,
        field=field,
    )


def _lines(texts: Mapping[str, str]) -> dict[str, str]:
    return {side: line(text, REASON_LENGTH) for side, text in texts.items()}


def _name(place: str, name: str) -> str:
    name = line(name, NAME_LENGTH)
    if not name:
        raise ValueError(f"{place}: a name of which nothing can be read")
    return name


def _check_side(place: str, side: str) -> None:
    if side not in ("", *SIDES):
        raise ValueError(f"{place}: a side that no game has")


def _check_all(place: str, found: Iterable[str], known: Collection[str]) -> None:
    """Raise ValueError where something is found that is not known, or more often than once."""
    names = list(found)
    if len(names) > len(known) or len(set(names)) < len(names) or not set(names) <= set(known):
        raise ValueError(f"{place}: not of {' '.join(known)}, each at most once")


def _check_count(place: str, count: int, most: int = MOST) -> None:
    if not 0 <= count <= most:
        raise ValueError(f"{place}: not from 0 to {most}")
