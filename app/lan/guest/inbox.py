"""What a guest's connection has told and nobody has taken in yet.

It never holds more than the newest of everything, so that it does not grow however long the window or bot
behind it is busy, and whatever the host sends meanwhile: several updates become one, as they would for a
guest whose line is slow.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import TYPE_CHECKING, Any, Final

import msgspec

from app.lan.guest.calling import Refused
from engine.core.lan_protocol import (
    ChattedAnswer,
    TableAnswer,
    Told,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.protocol import Answer

if TYPE_CHECKING:
    from app.lan.guest.link import LinkState

LINES: Final = 500  # of chat; the oldest of more are left out
STATES: Final = 20  # of the connection; the same
TOLD_LIMIT: Final = 4 * 1024 * 1024  # bytes of events in an update that several have become; a game has 0.2


class Inbox:
    """News in the order in which it came, put in by one thread and taken out by another."""

    def __init__(self) -> None:
        self._news: list[Any] = []
        self._arrival = Condition()

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: Answer | LinkState) -> None:
        """Add something; raises Refused where a host tells more events than any game has."""
        with self._arrival:
            match news:
                case UpdateAnswer():
                    earlier = self._pulled(UpdateAnswer)
                    self._news.append(news if earlier is None else _joined(earlier, news))
                case TableAnswer() | WelcomeAnswer():
                    self._pulled(type(news))
                    self._news.append(news)
                case ChattedAnswer():
                    self._add(news, LINES)
                case _:
                    self._add(news, STATES)
            self._arrival.notify_all()

    def take(self, within: float = 0.0) -> Answer | LinkState | None:
        """Return what came first and take it out; None where nothing comes within so many seconds."""
        with self._arrival:
            self._arrival.wait_for(lambda: self._news, within)
            news: Answer | LinkState | None = self._news.pop(0) if self._news else None
            return news

    def wait_for(self, holds: Callable[[Answer | LinkState], bool], within: float) -> None:
        """Wait until something is here of which something holds, but no longer than so many seconds."""
        with self._arrival:
            self._arrival.wait_for(lambda: any(holds(one) for one in self._news), within)

    def _pulled(self, kind: type[Any]) -> Any:
        """Return what is here of a kind, of which there is at most one, and take it out."""
        at = next((at for at, one in enumerate(self._news) if isinstance(one, kind)), None)
        return self._news.pop(at) if at is not None else None

    def _add(self, news: object, most: int) -> None:
        same = [at for at, one in enumerate(self._news) if type(one) is type(news)]
        if len(same) >= most:
            del self._news[same[0]]
        self._news.append(news)


def _joined(earlier: UpdateAnswer, later: UpdateAnswer) -> UpdateAnswer:
    """Return what two updates in a row come to."""
    told = dict(earlier.told)
    for viewer, news in later.told.items():
        told[viewer] = _told(told.get(viewer), news)
    if len(msgspec.json.encode(told)) > TOLD_LIMIT:
        raise Refused("the host tells more than any game has")
    missed = later.missed if later.missed is not None else earlier.missed
    return msgspec.structs.replace(later, told=told, missed=missed)


def _told(earlier: Told | None, later: Told) -> Told:
    if earlier is None or later.since <= earlier.since:
        return later
    kept = earlier.events[: later.since - earlier.since]
    if len(kept) < later.since - earlier.since:
        raise Refused("the host sent what makes no sense: events are left out")
    return Told(since=earlier.since, events=kept + later.events)
