"""What happened, told to each side as far as it may know."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """One thing that happened, as one viewer may know it; every kind has a `rule`."""


class Telling(NamedTuple):
    """One happening in its versions, a viewer each; None where that viewer learns nothing.

    Most happenings are public: then all three are the same object.
    """

    first: Event | None
    second: Event | None
    public: Event | None

    @property
    def full(self) -> Event:
        """The version that hides nothing, for an open replay."""
        fuller = self.second if self.first is None or self.first is self.public else self.first
        event = fuller if fuller is not None else self.first
        assert event is not None
        return event


def tell_all(event: Event) -> Telling:
    """Return a happening that everybody sees alike."""
    return Telling(event, event, event)


def own_only(side: int, event: Event) -> Telling:
    """Return a happening that one side alone learns of (0 the first, 1 the second)."""
    return Telling(event, None, None) if side == 0 else Telling(None, event, None)


def own_and_others(side: int, own: Event, others: Event) -> Telling:
    """Return a happening that one side sees whole, everybody else as far as they may know."""
    return Telling(own, others, others) if side == 0 else Telling(others, own, others)
