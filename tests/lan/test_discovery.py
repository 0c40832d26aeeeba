"""Hosts are announced by name and found on the network, whatever else is said there."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import os
import pkgutil
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import DNSIncoming, DNSOutgoing, ServiceInfo  # type: ignore[attr-defined]

from app.lan.certificate import Identity, load_identity
from app.lan.network import addresses, advert, discovery
from app.lan.network.addresses import Own, Reach, own_addresses, reach, reachable, usable
from app.lan.network.advert import NAME_LENGTH, SERVICE_TYPE, Advert, from_service, plain_name, to_service
from app.lan.network.discovery import HOSTS_AT_MOST, Announcer, Browser, Found
from tests.helpers.lan_host import LanHost
from tests.helpers.program import ROOT

LOOPBACK = ("127.0.0.1",)
LOOK_AROUND = "app.lan.network.discovery._Worker._look_around"
FINGERPRINT = "0123456789abcdef" * 4
PATIENCE = 20.0  # seconds for what takes two or three on a machine with nothing else to do


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    """Make a certificate."""
    return load_identity(tmp_path_factory.mktemp("identity"))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a service of this test only, as all programs of a machine hear each other, and do it quickly."""
    name = f"_kf{random.getrandbits(40):010x}._tcp.local."
    monkeypatch.setattr(discovery, "SERVICE_TYPE", name)
    monkeypatch.setattr(advert, "SERVICE_TYPE", name)
    for pause in ("_CHECK_TIME", "_REGISTER_TIME", "_UNREGISTER_TIME"):  # milliseconds
        monkeypatch.setattr(f"zeroconf._core.{pause}", 20, raising=False)


@contextlib.contextmanager
def searching() -> Iterator[Browser]:
    """Look for hosts on loopback."""
    browser = Browser(lambda found: None, LOOPBACK)
    browser.start()
    try:
        yield browser
    finally:
        browser.stop()
        assert not browser._thread.is_alive()


@contextlib.contextmanager
def announced(name: str, port: int, fingerprint: str) -> Iterator[Announcer]:
    """Announce a host on loopback."""
    announcer = Announcer(name, port, fingerprint, 1, LOOPBACK)
    announcer.start()
    try:
        yield announcer
    finally:
        announcer.stop(within=PATIENCE)
        assert not announcer._thread.is_alive()


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something, but not for ever."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def names(browser: Browser) -> list[str]:
    """Return the names of the hosts that are found."""
    return [found.name for found in browser.found]


def own(*nets: str) -> tuple[Own, ...]:
    """Return the addresses of a machine from "192.168.1.5/24"."""
    return tuple(
        Own(each.ip, each.network, number) for number, each in enumerate(map(ipaddress.ip_interface, nets), 1)
    )


@pytest.mark.usefixtures("alone")
def test_a_host_is_found_by_any_name_and_goes_with_its_goodbye(identity: Identity) -> None:
    """A name of any letters arrives whole; the host is gone from the list once it is stopped."""
    name = "Dr. Änna’s 武 🐉 _tcp.local. \\"
    with LanHost(identity) as host, searching() as browser:
        with announced(name, host.port, identity.fingerprint) as announcer:
            wait_until(lambda: bool(browser.found))
            assert browser.found == (Found(name, "127.0.0.1", host.port, 1, identity.fingerprint),)
            assert browser.told == ""
            wait_until(lambda: announcer.is_announced)
        assert not announcer.is_announced
        wait_until(lambda: not browser.found)


@pytest.mark.usefixtures("alone")
def test_two_hosts_of_one_name_are_two(identity: Identity, tmp_path: Path) -> None:
    """Hosts that take the same name at the same moment are both listed, also two of one player's."""
    other = load_identity(tmp_path)
    with (
        LanHost(identity) as first,
        LanHost(other) as second,
        LanHost(identity) as third,
        searching() as browser,
        announced("Anna", first.port, identity.fingerprint),
        announced("Anna", second.port, other.fingerprint),
    ):
        wait_until(lambda: len(browser.found) == 2)
        with announced("Anna", third.port, identity.fingerprint):
            wait_until(lambda: len(browser.found) == 3)
        assert {found.port for found in browser.found} >= {first.port, second.port}
        assert names(browser)[:2] == ["Anna", "Anna"]


@pytest.mark.usefixtures("alone")
def test_a_renamed_host_is_never_away(identity: Identity) -> None:
    """A host that takes another name is listed under the old or the new one at any time, never twice."""
    seen: list[list[str]] = []
    browser = Browser(lambda found: seen.append([one.name for one in found]), LOOPBACK)
    with LanHost(identity) as host, announced("Anna.1", host.port, identity.fingerprint) as announcer:
        browser.start()
        wait_until(lambda: names(browser) == ["Anna.1"])
        announcer.update("Anna-1")  # the same as a DNS label
        wait_until(lambda: names(browser) == ["Anna-1"])
        announcer.update("Ben")
        wait_until(lambda: names(browser) == ["Ben"])
        browser.stop()
    assert [each for each in seen if each] == [["Anna.1"], ["Anna-1"], ["Ben"]]
    assert [] not in seen[1:]


@pytest.mark.usefixtures("alone")
def test_a_host_that_went_without_goodbye_disappears_and_returns(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An announcement outlives its host by minutes: who does not answer any more is not listed."""
    monkeypatch.setattr(discovery, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(discovery, "RETRY_SECONDS", 0.2)
    with searching() as browser, contextlib.ExitStack() as stack:
        with LanHost(identity) as host:
            stack.enter_context(announced("Anna", host.port, identity.fingerprint))
            wait_until(lambda: names(browser) == ["Anna"])
        wait_until(lambda: not browser.found)
        assert browser.told == "“Anna” is announced but does not answer; a firewall may stand between."
        again = LanHost(identity)
        again.port = host.port
        with again:
            wait_until(lambda: names(browser) == ["Anna"])


@pytest.mark.usefixtures("alone")
def test_only_the_host_itself_is_listed(identity: Identity, tmp_path: Path) -> None:
    """Who announces another host's fingerprint is not listed, for he cannot show its certificate."""
    stranger = load_identity(tmp_path)
    with (
        LanHost(stranger) as false,
        LanHost(identity) as true,
        searching() as browser,
        announced("Anna, really", false.port, identity.fingerprint),
        announced("Anna", true.port, identity.fingerprint),
    ):
        wait_until(lambda: names(browser) == ["Anna"])
        wait_until(lambda: bool(browser._silent))
        assert names(browser) == ["Anna"]


@pytest.mark.usefixtures("alone")
def test_that_nothing_is_found_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that finds nothing says so after a few seconds, and what else can be done."""
    monkeypatch.setattr(discovery, "SEEK_SECONDS", 0.3)
    with searching() as browser:
        assert browser.told == "Looking for games on this network."
        wait_until(lambda: browser.told.startswith("No game was found on this network so far"))
        assert "type the address that its host’s lobby shows" in browser.told


@pytest.mark.usefixtures("alone")
def test_a_network_that_cannot_be_used_is_said_and_tried_again(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ends say why they cannot work, and begin when the network is there."""
    opened = discovery._opened

    def refused(interfaces: Any) -> Any:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(discovery, "NETWORK_SECONDS", 0.2)
    monkeypatch.setattr(discovery, "_opened", refused)
    with (
        LanHost(identity) as host,
        searching() as browser,
        announced("Anna", host.port, identity.fingerprint) as announcer,
    ):
        wait_until(lambda: "look for games: Network is unreachable" in browser.told)
        wait_until(lambda: "announce the game: Network is unreachable" in announcer.trouble)
        monkeypatch.setattr(discovery, "_opened", opened)
        wait_until(lambda: names(browser) == ["Anna"])
        assert browser.told == ""
        wait_until(lambda: announcer.is_announced)
        assert announcer.trouble == ""


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    "step", ["app.lan.network.discovery.own_addresses", LOOK_AROUND, "asyncio.SelectorEventLoop"]
)
def test_no_single_failure_of_the_network_is_the_last(
    identity: Identity, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whichever step of a round fails, at first or once all is well, it is said, and the next mends it."""
    monkeypatch.setattr(discovery, "NETWORK_SECONDS", 0.1)
    is_broken = threading.Event()
    sound = pkgutil.resolve_name(step)

    def brittle(*args: Any) -> Any:
        if is_broken.is_set():
            raise OSError(24, "Too many open files")
        return sound(*args)

    monkeypatch.setattr(step, brittle)
    if step == "asyncio.SelectorEventLoop":
        is_broken.set()  # made once, at the beginning
    with (
        LanHost(identity) as host,
        searching() as browser,
        announced("Anna", host.port, identity.fingerprint) as announcer,
    ):
        if not is_broken.is_set():
            wait_until(lambda: names(browser) == ["Anna"] and announcer.is_announced)
            is_broken.set()
        wait_until(lambda: "look for games: Too many open files" in browser.told)
        wait_until(lambda: "announce the game: Too many open files" in announcer.trouble)
        assert not announcer.is_announced
        is_broken.clear()
        wait_until(lambda: names(browser) == ["Anna"] and announcer.is_announced)
        assert (browser.told, announcer.trouble) == ("", "")


@pytest.mark.usefixtures("alone")
def test_an_adapter_that_always_refuses_keeps_no_host_off_the_network(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the sockets cannot be brought up to date and the networks are the same, announcing goes on."""

    async def refuse(line: Any, places: Any) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf.async_update_interfaces", refuse)
    with (
        LanHost(identity) as host,
        searching() as browser,
        announced("Anna", host.port, identity.fingerprint) as announcer,
    ):
        wait_until(lambda: names(browser) == ["Anna"] and announcer.is_announced)
        assert announcer.trouble == ""


@pytest.mark.usefixtures("alone")
def test_a_slow_network_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that starts or stops the search goes on while the network is still being opened."""
    is_let, is_begun = threading.Event(), threading.Event()

    def slow(interfaces: Any) -> Any:
        is_begun.set()
        is_let.wait()
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(discovery, "_opened", slow)
    browser = Browser(lambda found: None, LOOPBACK)
    browser.start()  # would never return
    is_begun.wait()
    browser.stop(within=0.05)
    assert browser._thread.is_alive()
    is_let.set()
    browser._thread.join(PATIENCE)
    assert not browser._thread.is_alive()


@pytest.mark.usefixtures("alone")
def test_a_host_is_found_at_the_addresses_its_machine_has_by_now(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the host's machine gets another address, that one is announced and used."""
    monkeypatch.setattr(discovery, "NETWORK_SECONDS", 0.2)
    here = own("127.0.0.1/8")
    monkeypatch.setattr(discovery, "own_addresses", lambda interfaces: here)
    with (
        LanHost(identity, "127.0.0.2") as host,
        searching() as browser,
        announced("Anna", host.port, identity.fingerprint),
    ):
        wait_until(lambda: bool(browser._silent))
        here = own("127.0.0.1/8", "127.0.0.2/8")
        wait_until(lambda: bool(browser.found))
        assert browser.found[0].address == "127.0.0.2"


@pytest.mark.usefixtures("alone")
def test_nothing_that_is_said_on_the_network_stops_the_search(
    identity: Identity, caplog: pytest.LogCaptureFixture
) -> None:
    """Noise, broken services and hundreds of names without hosts: the real host is found all the same."""
    chance = random.Random(7)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line, searching() as browser:
        line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        line.bind(("127.0.0.1", 0))

        def say(packet: bytes) -> None:
            line.sendto(packet, ("224.0.0.251", 5353))

        wait_until(lambda: browser._loop is not None)
        for number in range(300):
            say(chance.randbytes(chance.randrange(1400)))
            for packet in _hostile_service(chance, number):
                say(packet)
                broken = bytearray(packet)
                for _ in range(4):
                    broken[chance.randrange(len(broken))] = chance.randrange(256)
                say(bytes(broken))
        wait_until(lambda: len(browser._followers) > HOSTS_AT_MOST // 2)
        with LanHost(identity) as host, announced("Anna", host.port, identity.fingerprint):
            wait_until(lambda: names(browser) == ["Anna"])
            assert len(browser._followers) <= HOSTS_AT_MOST
    assert not [record for record in caplog.records if record.name == "asyncio"]


def _hostile_service(chance: random.Random, number: int) -> list[bytes]:
    """Return the packets that announce a service with nonsense in it."""
    text = chance.choice(
        [
            b"",
            chance.randbytes(200),
            b"\x09version=1\x05name=",
            b"\xffname=" + bytes(300),
            b"\x0cfingerprint=\x09version=\x00\x00\x00",
            bytes((76, *f"fingerprint={FINGERPRINT}".encode(), 11, *b"version=1e9", 6, *b"name=\xff")),
        ]
    )
    service = ServiceInfo(
        advert.SERVICE_TYPE,
        f"{number}-{'x' * chance.randrange(50)}.{advert.SERVICE_TYPE}",
        port=chance.choice([0, 1, 22, 65535]),
        properties=text,
        server=f"{number}.local.",
        addresses=[chance.randbytes(chance.choice([4, 16])) for _ in range(chance.randrange(40))],
    )
    out = DNSOutgoing(0x8400)
    records = [service.dns_pointer(), service.dns_service(), service.dns_text(), *service.dns_addresses()]
    for record in records[: chance.randrange(1, len(records) + 1)]:
        out.add_answer_at_time(record, 0)
    return out.packets()


@given(
    text=st.binary(max_size=1500),
    port=st.none() | st.integers(0, 2**16),
    hosts=st.lists(st.binary(min_size=4, max_size=4) | st.binary(min_size=16, max_size=16), max_size=20),
)
def test_any_text_of_a_service_is_a_host_or_none(text: bytes, port: int | None, hosts: list[bytes]) -> None:
    """Whatever a service holds, it is read as a sound host, or as none."""
    service = ServiceInfo(SERVICE_TYPE, f"x.{SERVICE_TYPE}", port, properties=text, addresses=hosts)
    host = from_service(service, own("10.0.0.1/8"))
    assert host is None or (0 < host.port < 2**16 and 0 < len(host.addresses) <= advert.ADDRESSES_AT_MOST)


@given(name=st.text())
def test_any_name_can_be_announced(name: str) -> None:
    """A host of any name makes a valid service, whose text holds the version, fingerprint and name only."""
    service = to_service(Advert(name, 4711, 1, FINGERPRINT, ("10.0.0.2", "fe80::1")))
    out = DNSOutgoing(0x8400)
    for record in (service.dns_pointer(), service.dns_service(), service.dns_text()):
        out.add_answer_at_time(record, 0)
    (packet,) = out.packets()
    assert [record.key for record in DNSIncoming(packet).answers()][1:] == [service.key] * 2
    assert set(service.properties) == {b"version", b"fingerprint", b"name"}
    host = from_service(service, own("10.0.0.1/8"))
    assert host is not None
    assert host == Advert(plain_name(name) or "kungfu2100", 4711, 1, FINGERPRINT, ("10.0.0.2",))


@given(name=st.text(st.characters(), max_size=200))
def test_a_name_is_one_line_that_shows_as_itself(name: str) -> None:
    """Names hold no line break, no control character, nothing that turns the writing round."""
    shown = plain_name(name)
    assert len(shown) <= NAME_LENGTH
    assert shown == plain_name(shown) == " ".join(shown.split())
    assert not any(letter < " " or letter in "\x7f\x85\u2028\u2029\u202e\u2066" for letter in shown)
    shown.encode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ({"version": "1", "fingerprint": FINGERPRINT, "name": " \n"}, "no name"),
        ({"version": "-1", "fingerprint": FINGERPRINT, "name": "A"}, "no version"),
        ({"version": "1", "fingerprint": FINGERPRINT + "0", "name": "A"}, "no fingerprint"),
        ({"version": "1", "fingerprint": FINGERPRINT.upper(), "name": "A"}, "no fingerprint"),
        ({"version": "1", "fingerprint": FINGERPRINT + "\n", "name": "A"}, "no fingerprint"),
        ({"version": "1", "fingerprint": FINGERPRINT}, "no name"),
        (
            {"version": "1", "fingerprint": FINGERPRINT, "name": "A"} | {str(n): "x" * 250 for n in range(4)},
            "big",
        ),
    ],
)
def test_what_is_no_advert_of_ours_is_no_host(text: dict[str, str], reason: str) -> None:
    """A service with something missing, wrong or far too much of it is left out."""
    assert _host(text) is None, reason
    assert _host({"version": "1", "fingerprint": FINGERPRINT, "name": "A", "more": "x"}) is not None


def _host(text: dict[str, str]) -> Advert | None:
    service = ServiceInfo(
        SERVICE_TYPE, f"x.{SERVICE_TYPE}", 4711, properties=dict(text), parsed_addresses=["10.0.0.2"]
    )
    return from_service(service, own("10.0.0.1/8"))


def test_of_a_hosts_addresses_those_count_that_can_lead_to_it() -> None:
    """What is ours too, has no scope, or is elsewhere is left out; networks of ours and IPv4 come first."""
    here = own("192.168.1.6/24", "172.17.0.1/16", "fe80::6/64", "2001:db8::6/64")
    given = (
        "10.8.0.1",
        "fe80::5",
        "fe80::5%3",
        "2001:db8::5",
        "172.17.0.1",
        "224.0.0.5",
        "0.0.0.0",
        "255.255.255.255",
        "127.0.0.1",
        "::1",
        "::ffff:192.168.1.5",
        "8.8.8.8",
        "2001:4860::8",
        "192.168.1.5",
        "nonsense",
    )
    assert usable(given, here) == ("192.168.1.5", "2001:db8::5", "fe80::5%3", "10.8.0.1")
    assert usable(("192.168.1.6", "172.17.0.1"), here) == ("172.17.0.1", "192.168.1.6")  # on this machine
    assert usable(("127.0.0.1",), own("127.0.0.1/8")) == ("127.0.0.1",)


def test_own_addresses_leave_loopback_out_where_there_is_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine is told to others by the addresses at which they can reach it."""
    import ifaddr

    def adapters(*given: tuple[str, Any]) -> list[ifaddr.Adapter]:
        return [
            ifaddr.Adapter(name, name, [ifaddr.IP(ip, 24, name)], index=number)
            for number, (name, ip) in enumerate(given, 1)
        ]

    monkeypatch.setattr(
        ifaddr,
        "get_adapters",
        lambda: adapters(("lo", "127.0.0.1"), ("eth0", "10.0.0.5"), ("wifi", ("fe80::5", 0, 3))),
    )
    assert [str(each.ip) for each in own_addresses()] == ["10.0.0.5", "fe80::5"]
    for loopback in ("127.0.0.1", "localhost"):
        assert [str(each.ip) for each in own_addresses((loopback,))] == ["127.0.0.1"]
    for whole in ("0.0.0.0", "::"):
        assert [str(each.ip) for each in own_addresses((whole,))] == ["10.0.0.5", "fe80::5"]
    assert own_addresses(("no such.machine",)) == ()
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters(("lo", "127.0.0.1")))
    assert [str(each.ip) for each in own_addresses()] == ["127.0.0.1"]


def test_the_best_address_that_is_the_host_is_taken(
    identity: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several addresses the first that proves to be the host counts, also where others never answer."""
    monkeypatch.setattr(addresses, "CONNECT_SECONDS", 0.5)
    with (
        LanHost(identity) as host,
        LanHost(load_identity(tmp_path)) as stranger,
        socket.create_server(("127.0.0.1", 0)) as silent,
        socket.socket() as nobody,
    ):
        nobody.bind(("127.0.0.1", 0))

        def reached(port: int) -> Reach:
            return asyncio.run(reach("127.0.0.1", port, identity.fingerprint))

        assert reached(host.port) is Reach.PROVED
        assert reached(stranger.port) is Reach.STRANGER
        assert reached(silent.getsockname()[1]) is Reach.BUSY
        assert reached(nobody.getsockname()[1]) is Reach.NOBODY

        def best(*tried: str) -> str | None:
            return asyncio.run(reachable(tried, host.port, identity.fingerprint))

        assert best("127.0.0.2", "127.0.0.1", "127.0.0.3") == "127.0.0.1"
        assert best("127.0.0.2", "127.0.0.3") is None
        assert best() is None


def test_a_better_address_is_waited_for_only_shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first in order wins if it answers soon after another; one that hangs is not waited for."""
    delays = {"good": 0.0, "soon": 0.05, "late": 30.0, "wrong": 0.0}

    async def tried(address: str, port: int, fingerprint: str) -> Reach:
        await asyncio.sleep(delays[address])
        return Reach.NOBODY if address == "wrong" else Reach.PROVED

    monkeypatch.setattr(addresses, "reach", tried)
    assert asyncio.run(reachable(("soon", "good"), 1, FINGERPRINT)) == "soon"
    assert asyncio.run(reachable(("late", "good"), 1, FINGERPRINT)) == "good"
    assert asyncio.run(reachable(("wrong", "good", "late"), 1, FINGERPRINT)) == "good"
    assert asyncio.run(reachable(("wrong",), 1, FINGERPRINT)) is None


def test_the_network_is_loaded_only_when_it_is_used() -> None:
    """A window that starts loads neither multicast DNS nor TLS' tools, and discovery no Qt."""
    names = "('zeroconf', 'ifaddr', 'cryptography', 'PySide6')"
    tried = f"import sys, app.lan.network.discovery; print([name for name in {names} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", tried], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    assert done.stdout.strip() == b"[]"


# Two machines


class Machine:
    """A machine made up of a network namespace."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, *args: str) -> tuple[subprocess.Popen[bytes], Path]:
        """Start a program of `lan_host` on the machine; returns it and the file of its output."""
        path = self._folder / f"{self.name}-{len(self._started)}.txt"
        with path.open("wb") as out:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, sys.executable, "-m", "tests.helpers.lan_host", *args],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=out,
            )
        self._started.append(process)
        return process, path

    def ip(self, command: str) -> None:
        """Change the machine's network."""
        _ip(f"-n {self.name} {command}")

    def stop(self) -> None:
        """Kill what runs there."""
        for process in self._started:
            process.kill()
            process.wait()
            assert process.stdin is not None
            process.stdin.close()


def _ip(command: str) -> None:
    done = subprocess.run(["ip", *command.split()], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"ip {command}: {done.stderr.strip()}")


@pytest.fixture
def machines(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Machine, Machine]]:
    """Make two machines with a cable between them, with addresses as asked for."""
    if shutil.which("ip") is None:
        pytest.skip("there is no `ip` (iproute2) to make network namespaces with; loopback must do")
    names = [f"kf{os.getpid()}{end}" for end in "ab"]
    made = []
    try:
        try:
            for name in names:
                _ip(f"netns add {name}")
                made.append(name)
            _ip(f"link add cable{os.getpid()} type veth peer name elbac{os.getpid()}")
            for name, end, nets in zip(names, ("cable", "elbac"), request.param, strict=True):
                _ip(f"link set {end}{os.getpid()} netns {name}")
                machine = Machine(name, tmp_path)
                machine.ip(f"link set {end}{os.getpid()} name cable")
                machine.ip("link add bridge type bridge")  # as programs for virtual machines make them
                machine.ip("address add 172.17.0.1/16 dev bridge")
                for link in ("lo", "bridge", "cable"):
                    machine.ip(f"link set {link} up")
                for net in nets:
                    machine.ip(f"address add {net} dev cable nodad")
        except OSError as error:
            pytest.skip(f"network namespaces are not allowed here ({error}); loopback must do")
        first, second = (Machine(name, tmp_path) for name in names)
        try:
            yield first, second
        finally:
            first.stop()
            second.stop()
    finally:
        for name in made:
            _ip(f"netns delete {name}")


def _last(path: Path) -> dict[str, Any]:
    """Return the last line a browser has printed."""
    lines = path.read_text().splitlines()
    value = json.loads(lines[-1]) if lines else {"found": [], "told": ""}
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize(
    "machines", [(("10.77.0.1/24", "fd77::1/64"), ("10.77.0.2/24", "fd77::2/64"))], indirect=True, ids=[""]
)
def test_two_machines_find_each_other(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """A host on another machine is found where it can be reached, and gone when it was killed there."""
    there, here = machines
    _, seen = here.start("browse")
    _, told = there.start("announce", str(tmp_path / "a"), "Änna 🐉")
    killed, killed_told = there.start("announce", str(tmp_path / "b"), "Änna 🐉")
    wait_until(lambda: len(_last(seen)["found"]) == 2)
    expected = {tuple(path.read_text().split()) for path in (told, killed_told)}
    found = _last(seen)["found"]
    assert {(fingerprint, str(port)) for _, _, port, _, fingerprint in found} == expected
    assert {name for name, *_ in found} == {"Änna 🐉"}
    assert {at for _, at, *_ in found} == {"10.77.0.1"}
    killed.kill()  # says no goodbye
    wait_until(lambda: len(_last(seen)["found"]) == 1)
    there.start("announce", str(tmp_path / "b"), "Änna 🐉")
    wait_until(lambda: len(_last(seen)["found"]) == 2)


@pytest.mark.parametrize("machines", [((), ())], indirect=True, ids=[""])
def test_machines_that_come_into_a_network_find_each_other(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    """A cable plugged in while both programs run is enough, and so is an address that comes later."""
    there, here = machines
    for machine in machines:
        machine.ip("link set cable down")
    _, seen = here.start("browse")
    _, told = there.start("announce", str(tmp_path / "a"), "Anna")
    wait_until(lambda: told.read_text() != "")
    for machine in machines:
        machine.ip("link set cable up")
    wait_until(lambda: bool(_last(seen)["found"]))
    assert _last(seen)["found"][0][1].startswith("fe80:")
    for number, machine in enumerate(machines, 1):
        machine.ip(f"address add 10.77.0.{number}/24 dev cable")
    wait_until(lambda: [at for _, at, *_ in _last(seen)["found"]] == ["10.77.0.1"])
