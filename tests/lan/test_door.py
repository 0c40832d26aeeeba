"""Who is let in, before anything of his is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from app.lan import limits
from app.lan.host.door import Caller, Door, Listener, most_connections
from tests.helpers.hostile import is_ended, knock

STRANGER = "192.168.1.66"


class People:
    """A door, and the connections that it let in."""

    def __init__(self) -> None:
        self.door = Door()
        self.dropped: list[Caller] = []
        self._port = 0

    def come(self, address: str) -> Caller | None:
        """Connect from an address; None where the door stays shut."""
        self._port += 1
        caller = Caller(address, self._port)
        return caller if self.door.enter(caller, lambda: self.dropped.append(caller)) else None


@pytest.fixture
def people() -> People:
    """Nobody yet."""
    return People()


def test_one_address_keeps_so_many_waiting_and_no_more(people: People) -> None:
    """A stranger's idle connections leave room for everybody else's."""
    came = [people.come(STRANGER) for _ in range(20)]
    assert sum(one is not None for one in came) == limits.WAITING_PER_ADDRESS
    assert people.come("192.168.1.20") is not None
    assert people.dropped == []


def test_one_address_has_so_many_seats_and_no_more(people: People) -> None:
    """Who joins waits no longer, but his connections still count."""
    came = 0
    for _ in range(limits.CONNECTIONS_PER_ADDRESS + 5):
        caller = people.come(STRANGER)
        if caller is not None:
            people.door.join(caller)
            came += 1
    assert came == limits.CONNECTIONS_PER_ADDRESS
    assert people.door.waiting == 0


def test_who_leaves_makes_room_in_every_form_of_his_address(people: People) -> None:
    """The same machine by IPv4 and by IPv4 inside IPv6 is counted once, and given back once."""
    came = [people.come(STRANGER if number % 2 else f"::ffff:{STRANGER}") for number in range(20)]
    inside = [one for one in came if one is not None]
    assert len(inside) == limits.WAITING_PER_ADDRESS
    for caller in inside:
        people.door.leave(caller)
    assert people.door.count == people.door.waiting == 0
    assert people.come(STRANGER) is not None


def test_the_longest_waiting_makes_room_where_many_addresses_wait(people: People) -> None:
    """Idle connections from everywhere keep nobody out."""
    first = people.come("10.0.0.0")
    for number in range(1, limits.WAITING):
        assert people.come(f"10.0.{number // 250}.{number % 250}") is not None
    assert people.dropped == []
    assert people.come(STRANGER) is not None
    assert people.dropped == [first]


def test_who_has_a_seat_is_never_dropped_for_a_newcomer(people: People) -> None:
    """A flood of connections ends no game."""
    player = people.come("10.9.9.9")
    assert player is not None
    people.door.join(player)
    for number in range(limits.WAITING * 2):
        people.come(f"10.0.{number // 250}.{number % 250}")
    assert len(people.dropped) == limits.WAITING
    assert player not in people.dropped


def test_there_are_never_more_connections_than_file_handles(people: People) -> None:
    """All addresses together have so many connections and no more."""
    came = 0
    for number in range(limits.CONNECTIONS + 50):
        caller = people.come(f"10.1.{number // 250}.{number % 250}")
        if caller is not None:
            people.door.join(caller)
            came += 1
    assert came == people.door.count == most_connections() <= limits.CONNECTIONS


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A host's socket on loopback."""
    made = Listener.at("127.0.0.1", 0, Door())
    yield made
    made.close()


def test_whom_the_door_refuses_is_closed_at_once(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's connections beyond the limit are closed before TLS begins."""
    monkeypatch.setattr(limits, "is_own_machine", lambda address: False)
    with ExitStack() as open_:
        lines = [open_.enter_context(knock(listener.port)) for _ in range(limits.WAITING_PER_ADDRESS + 3)]
        taken = [open_.enter_context(listener.accept()[0]) for _ in range(limits.WAITING_PER_ADDRESS)]
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert all(is_ended(line, 5.0) for line in lines[-3:])
        assert listener.door.count == len(taken)
    assert listener.door.count == 0
