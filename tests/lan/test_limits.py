"""Limits on strangers: allowances, and wrong codes with waiting times that double."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lan import limits
from app.lan.codes import ALPHABET, SECRET_LENGTH
from app.lan.limits import (
    ADDRESSES_KEPT,
    OF_ADDRESS,
    OF_TABLE,
    Allowance,
    Arrivals,
    Lockout,
    connections_of,
    plain_address,
)

DAY = 86_400.0
STRANGER = "192.168.1.66"
PLAYER = "192.168.1.20"


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    """A clock."""
    return Time()


# Allowances


def test_a_burst_is_allowed_and_then_so_many_a_second(time: Time) -> None:
    """A quiet guest may send some messages at once, and goes on at his rate."""
    allowance = Allowance(2.0, 5, time)
    assert [allowance.take() for _ in range(5)] == [0.0] * 5
    assert allowance.take() == pytest.approx(0.5)
    time.now += 0.5
    assert allowance.take() == 0.0
    assert allowance.take() == pytest.approx(0.5)


def test_what_is_refused_costs_nothing(time: Time) -> None:
    """Asking again and again does not put off the time when it is allowed."""
    allowance = Allowance(1.0, 1, time)
    allowance.take()
    for _ in range(100):
        allowance.take()
    time.now += 1.0
    assert allowance.take() == 0.0
    assert allowance.take(2) == math.inf


def test_a_debt_is_waited_for(time: Time) -> None:
    """What has been done already is paid by waiting, the longer the more it was."""
    allowance = Allowance(0.5, 2.0, time)
    assert allowance.spend(1.5) == 0.0
    assert allowance.spend(1.5) == pytest.approx(2.0)
    time.now += 1.0
    assert allowance.spend(0.0) == pytest.approx(1.0)
    time.now += 1.0
    assert allowance.spend(0.0) == 0.0
    time.now += 100.0
    assert allowance.spend(2.0) == 0.0


@given(st.lists(st.floats(0, 10), min_size=1, max_size=100), st.floats(0.5, 50), st.integers(1, 50))
def test_never_more_than_burst_and_rate(steps: list[float], rate: float, burst: int) -> None:
    """However it is asked, no more is granted than the burst and the rate times the time."""
    time = Time()
    allowance = Allowance(rate, burst, time)
    granted = 0
    for step in steps:
        time.now += step
        while not allowance.take():
            granted += 1
    assert granted <= burst + rate * (time.now - 1000.0) + 1e-6


# Addresses


def test_an_address_has_one_form() -> None:
    """The same machine is not two by writing its address in two ways."""
    assert plain_address("::ffff:192.168.1.66") == "192.168.1.66"
    assert plain_address("fe80::1%eth0") == "fe80::1"
    assert plain_address("FE80:0:0::1") == "fe80::1"
    assert plain_address("") == ""


def test_the_own_machine_may_have_more_connections() -> None:
    """A hundred games of bots come from the host's own machine; no stranger leaves no room for others."""
    assert connections_of("127.0.0.1") == connections_of("::1") == limits.CONNECTIONS_OF_OWN_MACHINE
    assert connections_of("::ffff:127.0.0.1") == limits.CONNECTIONS_OF_OWN_MACHINE
    assert connections_of(STRANGER) == connections_of("nonsense") == limits.CONNECTIONS_PER_ADDRESS
    assert limits.CONNECTIONS_PER_ADDRESS < limits.CONNECTIONS_OF_OWN_MACHINE < limits.CONNECTIONS


def test_an_address_may_connect_so_often_and_no_more(time: Time) -> None:
    """A flood of connections is kept out before it costs the host its arithmetic; others still come in."""
    arrivals = Arrivals(time)
    come = sum(not arrivals.take(STRANGER) for _ in range(1000))
    assert come == limits.ARRIVAL_BURST
    assert arrivals.take("::ffff:192.168.1.66") > 0.0
    assert arrivals.take(PLAYER) == 0.0
    assert sum(not arrivals.take("127.0.0.1") for _ in range(1000)) == 1000
    time.now += 1.0
    assert sum(not arrivals.take(STRANGER) for _ in range(100)) == limits.ARRIVALS


def test_ever_new_addresses_that_connect_fill_no_memory(time: Time) -> None:
    """As many are remembered as a home has machines, and not as many as somebody can make up."""
    arrivals = Arrivals(time)
    for number in range(3 * ADDRESSES_KEPT):
        arrivals.take(f"fe80::{number:x}")
    assert len(arrivals) == ADDRESSES_KEPT


# Wrong codes


def _guess(lockout: Lockout, time: Time, address: str, table: str, until: float) -> int:
    """Try codes as soon as each is allowed; return how many until then."""
    tried = 0
    while True:
        time.now += lockout.wait(address, table)
        if time.now > until:
            return tried
        lockout.failed(address, table)
        tried += 1
        time.now += 0.001


def test_some_mistypings_are_free_and_then_the_wait_doubles(time: Time) -> None:
    """A player who mistypes is not kept waiting; a guesser soon is, and then locked out."""
    lockout = Lockout(time)
    waits = []
    for _ in range(OF_ADDRESS.last):
        lockout.failed(STRANGER, "AB")
        waits.append(lockout.wait(STRANGER, "AB"))
    assert waits == [0.0] * OF_ADDRESS.free + [1.0, 2.0, 4.0, 8.0, 16.0, OF_ADDRESS.locked]
    assert lockout.wait(PLAYER, "AB") == 0.0


def test_what_is_tried_during_the_wait_does_not_lengthen_it(time: Time) -> None:
    """Nobody can keep another locked by going on: what is not answered is not counted."""
    lockout = Lockout(time)
    for _ in range(OF_ADDRESS.free + 1):
        lockout.failed(STRANGER, "AB")
    for _ in range(100):
        assert lockout.wait(STRANGER, "AB") == pytest.approx(1.0)
    time.now += 1.0
    assert lockout.wait(STRANGER, "AB") == 0.0


def test_many_codes_cannot_be_tried_at_once(time: Time) -> None:
    """Attempts that are not proved yet count, so a hundred at once are no way round the wait."""
    lockout = Lockout(time)
    begun = 0
    for _ in range(100):
        if not lockout.wait(STRANGER, "AB"):
            lockout.failed(STRANGER, "AB")
            begun += 1
    assert begun == OF_ADDRESS.free + 1


def test_a_right_code_takes_its_own_count_back_and_no_more(time: Time) -> None:
    """Players who join leave no trace, and cannot wipe out a guesser's."""
    lockout = Lockout(time)
    for _ in range(50):
        assert lockout.wait(PLAYER, "AB") == 0.0
        lockout.failed(PLAYER, "AB")
        lockout.succeeded(PLAYER, "AB")
    assert len(lockout) == 0
    for _ in range(OF_ADDRESS.free):
        lockout.failed(STRANGER, "AB")
    lockout.failed(STRANGER, "CD")
    lockout.succeeded(STRANGER, "CD")
    assert lockout.wait(STRANGER, "AB") == 0.0
    lockout.failed(STRANGER, "AB")
    assert lockout.wait(STRANGER, "AB") == 1.0


def test_a_right_code_in_time_never_makes_anybody_wait(time: Time) -> None:
    """The count that a right code takes back took its wait with it."""
    lockout = Lockout(time)
    for _ in range(OF_ADDRESS.free):
        lockout.failed(PLAYER, "AB")
    lockout.failed(PLAYER, "AB")
    lockout.succeeded(PLAYER, "AB")
    assert lockout.wait(PLAYER, "AB") == 0.0


def test_a_day_of_guessing_from_one_address_leaves_no_chance(time: Time) -> None:
    """One guesser has less than one chance in a million a day."""
    tried = _guess(Lockout(time), time, STRANGER, "AB", time.now + DAY)
    assert OF_ADDRESS.free < tried < 400
    assert tried / len(ALPHABET) ** SECRET_LENGTH < 1e-6


def test_a_day_of_guessing_from_ever_new_addresses_leaves_no_chance(time: Time) -> None:
    """Who has a new address for each guess is stopped at the table."""
    lockout, end, tried = Lockout(time), time.now + DAY, 0
    while time.now < end:
        address = f"10.{tried >> 16 & 255}.{tried >> 8 & 255}.{tried & 255}"
        wait = lockout.wait(address, "AB")
        time.now += wait
        lockout.failed(address, "AB")
        tried += 1
    assert OF_TABLE.free < tried < 400


def test_one_guesser_alone_does_not_lock_the_table_for_others(time: Time) -> None:
    """A player with the code gets in while a stranger tries all day."""
    lockout, end = Lockout(time), time.now + DAY
    while time.now < end:
        _guess(lockout, time, STRANGER, "AB", time.now + 300.0)
        assert lockout.wait(PLAYER, "AB") == 0.0


def test_a_locked_table_leaves_the_others_open(time: Time) -> None:
    """Guessing at one table keeps nobody from another."""
    lockout = Lockout(time)
    for number in range(OF_TABLE.last):
        lockout.failed(f"10.0.0.{number}", "AB")
    assert lockout.wait(PLAYER, "AB") == OF_TABLE.locked
    assert lockout.wait(PLAYER, "CD") == 0.0


def test_wrong_codes_are_forgiven_with_time(time: Time) -> None:
    """After some quiet time everything is as at the beginning, also in memory."""
    lockout = Lockout(time)
    for _ in range(OF_ADDRESS.last):
        lockout.failed(STRANGER, "AB")
    time.now += OF_ADDRESS.forgiven * OF_ADDRESS.last
    for _ in range(OF_ADDRESS.free):
        lockout.failed(STRANGER, "AB")
    assert lockout.wait(STRANGER, "AB") == 0.0


def test_ever_new_addresses_cannot_fill_the_memory_nor_free_a_locked_one(
    time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts are bounded, and the first to go are those that hardly count."""
    monkeypatch.setattr(limits, "ADDRESSES_KEPT", 200)
    lockout = Lockout(time)
    for _ in range(OF_ADDRESS.last):
        lockout.failed(STRANGER, "AB")
    for number in range(3 * 200):
        time.now += 0.01
        lockout.failed(f"10.0.{number >> 8}.{number & 255}", "CD")
    assert 100 < len(lockout) <= 200 + 2
    assert lockout.wait(STRANGER, "EF") > 500.0


def test_the_own_machine_is_counted_at_the_tables(time: Time) -> None:
    """The host's own bots may join a hundred tables at once, yet no table can be guessed at from there."""
    lockout = Lockout(time)
    for number in range(100):
        assert lockout.wait("127.0.0.1", f"{number:02}") == 0.0
        lockout.failed("127.0.0.1", f"{number:02}")
    assert _guess(lockout, time, "127.0.0.1", "AB", time.now + DAY) < 400
