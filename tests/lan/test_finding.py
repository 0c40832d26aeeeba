"""The games that can be joined: hosts found or typed, greeted for their tables, and what becomes of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from app.lan.guest.finding import Finder, Host
from app.lan.guest.link import Greeting, LinkDown
from app.lan.network import discovery
from app.lan.network.discovery import Found
from engine.core.lan_protocol import LAN_VERSION, GreetAnswer, TableCard

WITHIN = 5.0  # seconds
CARD = TableCard(table="AB", title="Basic", host="Ann", phase="waiting", seats={}, watchers=0)


class Network:
    """A search that finds what it is told to, and hosts that answer or do not; keeps what is told of them."""

    def __init__(self) -> None:
        self.hosts: dict[tuple[str, int], str] = {}
        self.greeted: list[tuple[str, int]] = []
        self.heard: list[tuple[tuple[Host, ...], str]] = []
        self.told = "Looking."
        self.is_told = threading.Condition()
        self.find: Callable[[tuple[Found, ...]], None] = lambda found: None

    def browser(self, on_change: Any, interfaces: Any) -> Any:
        """Stand in for the search on the network."""
        self.find = on_change
        return self

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def greet(self, address: str, port: int) -> Greeting:
        """Answer as the host at an address."""
        self.greeted.append((address, port))
        if (address, port) not in self.hosts:
            raise LinkDown(f"nobody hosts a game at {address}:{port}")
        name = self.hosts[address, port]
        said = GreetAnswer(version=LAN_VERSION, program="", host=name, tables=(CARD,))
        return Greeting(said, "")

    def hear(self, hosts: tuple[Host, ...], told: str) -> None:
        """Take in what the finder tells."""
        with self.is_told:
            self.heard.append((hosts, told))
            self.is_told.notify_all()

    def wait(self, wanted: Callable[[tuple[Host, ...]], bool]) -> tuple[Host, ...]:
        """Return what was told last once it is as wanted."""
        with self.is_told:
            assert self.is_told.wait_for(lambda: self.heard and wanted(self.heard[-1][0]), WITHIN), self.heard
            return self.heard[-1][0]


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    """Return a network of the test's own in the place of the real one."""
    made = Network()
    monkeypatch.setattr(discovery, "Browser", made.browser)
    return made


def found(name: str, port: int, version: int = LAN_VERSION) -> Found:
    """Return a host as the search finds it."""
    return Found(name, "10.0.0.1", port, version, "f" * 64)


def finder_of(network: Network) -> Finder:
    """Return a search that has begun."""
    finder = Finder(network.hear, greeter=network.greet)
    finder.start()
    return finder


def test_hosts_found_are_asked_for_their_tables(network: Network) -> None:
    """A host is listed with its tables; one that does not answer, with the reason."""
    network.hosts["10.0.0.1", 1] = "Ann"
    finder = finder_of(network)
    network.wait(lambda hosts: not hosts)
    network.find((found("Ann", 1), found("Bob", 2)))
    hosts = network.wait(lambda hosts: len(hosts) == 2)
    assert hosts[0] == Host("Ann", "10.0.0.1", 1, (CARD,))
    assert hosts[1].problem == "nobody hosts a game at 10.0.0.1:2"
    finder.stop()


def test_other_versions_are_not_greeted(network: Network) -> None:
    """A host of another version is listed with a line that says which is the older, and left alone."""
    finder = finder_of(network)
    network.wait(lambda hosts: not hosts)
    network.find((found("Old", 1, LAN_VERSION - 1), found("New", 2, LAN_VERSION + 1)))
    old, new = network.wait(lambda hosts: len(hosts) == 2)
    assert old.problem.startswith("plays with an older version")
    assert new.problem.startswith("plays with a newer version")
    assert network.greeted == []
    finder.stop()


def test_typed_address_is_listed_too_but_once(network: Network) -> None:
    """What was typed is greeted; where it is a host found anyway, there is one line for both."""
    network.hosts["10.0.0.1", 1] = "Ann"
    finder = finder_of(network)
    finder.look_at(("10.0.0.1", 1))
    (host,) = network.wait(lambda hosts: len(hosts) == 1)
    assert (host.name, host.tables) == ("Ann", (CARD,))
    network.find((found("Ann", 1), found("Bob", 2)))
    hosts = network.wait(lambda hosts: len(hosts) == 2)
    assert [one.port for one in hosts] == [1, 2]
    network.find(())
    finder.look_at(None)
    network.wait(lambda hosts: not hosts)
    finder.stop()


def test_nothing_is_told_after_the_end(network: Network) -> None:
    """Once a search has been stopped its window may be gone."""
    finder = finder_of(network)
    network.wait(lambda hosts: not hosts)
    finder.stop()
    count = len(network.heard)
    network.find((found("Old", 1, LAN_VERSION + 1),))
    finder._thread.join(WITHIN)
    assert not finder._thread.is_alive()
    assert len(network.heard) == count
