"""The addresses of this machine, which of a host's addresses can lead to it from here, and which one does."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from app.lan.certificate import fingerprint_of, guest_context

CONNECT_SECONDS: Final = 2.5  # Windows takes two to tell that nobody listens
PATIENCE: Final = 0.25  # seconds for a better address to answer too, once one has

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Own:
    """An address of this machine, the network it is in, and the number of its interface."""

    ip: Address
    network: ipaddress.IPv4Network | ipaddress.IPv6Network
    interface: int


class Reach(Enum):
    """What came of a try to reach a host at an address."""

    PROVED = "it is the host: it has its certificate"
    BUSY = "somebody answers, but shows no certificate"
    STRANGER = "another host answers"
    NOBODY = "nobody answers"


def own_addresses(interfaces: Sequence[str] | None = None) -> tuple[Own, ...]:
    """Return this machine's addresses in order, those given only, by number or name, if any are.

    Loopback counts where there is nothing else: then at least the programs of one machine meet.
    """
    import ifaddr

    found = []
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            with contextlib.suppress(ValueError):  # what a system gives beside addresses
                ip = ipaddress.ip_address(text.partition("%")[0])
                network = ipaddress.ip_network((ip, each.network_prefix), strict=False)
                found.append(Own(ip, network, adapter.index or 0))
    wanted = {ip for text in interfaces or () for ip in _numbers(text)}
    if interfaces is not None and not any(ip.is_unspecified for ip in wanted):
        found = [own for own in found if own.ip in wanted]
    elif any(not own.ip.is_loopback for own in found):
        found = [own for own in found if not own.ip.is_loopback]
    return tuple(sorted(set(found), key=lambda own: (own.ip.version, int(own.ip), own.interface)))


def usable(given: Sequence[str], own: Sequence[Own]) -> tuple[str, ...]:
    """Return those of a host's addresses that can lead to it from a machine with `own`, the likeliest first.

    An address that is ours too, such as that of a bridge to virtual machines, leads to ourselves; it
    counts only where all are ours, since the host then runs on this machine.
    """
    near = [(text, ip) for text in given if (ip := _parse(text)) is not None and _is_near(ip, own)]
    ours = {each.ip for each in own}
    others = [(text, ip) for text, ip in near if _bare(ip) not in ours]
    ranked = sorted(dict(others or near).items(), key=lambda pair: (_rank(pair[1], own), pair[0]))
    return tuple(text for text, _ in ranked)


async def reach(address: str, port: int, fingerprint: str) -> Reach:
    """Try an address, up to the certificate of who answers there."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(address, port)
    except (OSError, TimeoutError):
        return Reach.NOBODY
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await writer.start_tls(guest_context())
        certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    except (OSError, TimeoutError):
        return Reach.BUSY
    finally:
        writer.transport.abort()  # the host must not wait for a goodbye of somebody who only looked
    return Reach.PROVED if certificate and fingerprint_of(certificate) == fingerprint else Reach.STRANGER


async def reachable(addresses: Sequence[str], port: int, fingerprint: str) -> str | None:
    """Return the first of a host's addresses, in their order, at which it proves to be; None if at none.

    All are tried at once, and a better one than the first that answers is waited for but shortly: on a
    machine with several networks most lead nowhere, and take seconds to tell.
    """
    tries = {asyncio.create_task(reach(address, port, fingerprint)): address for address in addresses}
    proved: set[str] = set()
    waiting = set(tries)
    try:
        while waiting:
            done, waiting = await asyncio.wait(
                waiting, timeout=PATIENCE if proved else None, return_when=asyncio.FIRST_COMPLETED
            )
            proved |= {tries[task] for task in done if task.result() is Reach.PROVED}
            best = next((address for address in addresses if address in proved), None)
            better = [
                task
                for task in waiting
                if best is None or addresses.index(tries[task]) < addresses.index(best)
            ]
            if best is not None and (not done or not better):
                return best
        return None
    finally:
        for task in tries:
            task.cancel()
        await asyncio.gather(*tries, return_exceptions=True)


def _numbers(text: str) -> set[Address]:
    """Return the addresses that a number or name stands for."""
    with contextlib.suppress(OSError, ValueError):
        found = socket.getaddrinfo(text, None, type=socket.SOCK_DGRAM)
        return {ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found}
    return set()


def _parse(text: str) -> Address | None:
    """Return an address to which one can connect, with its scope; None for what is none."""
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    if (
        ip.is_multicast
        or ip.is_unspecified
        or (ip.version == 4 and ip == ipaddress.ip_address("255.255.255.255"))
    ):
        return None
    if isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or (ip.is_link_local and not ip.scope_id)):
        return None
    return ip


def _is_near(ip: Address, own: Sequence[Own]) -> bool:
    """Whether an address is of a network of ours or a private one: no announcement sends us elsewhere."""
    bare = _bare(ip)
    if bare.is_loopback:
        return any(each.ip.is_loopback for each in own)
    return bare.is_private or bare.is_link_local or any(bare in each.network for each in own)


def _bare(ip: Address) -> Address:
    """Return an address without its scope."""
    return ipaddress.ip_address(int(ip)) if ip.version == 4 else ipaddress.IPv6Address(int(ip))


def _rank(ip: Address, own: Sequence[Own]) -> tuple[bool, int, bool]:
    """Return where an address stands among a host's: of our networks first, IPv4 first, link-local last."""
    bare = _bare(ip)
    return not any(bare in each.network for each in own), ip.version, bare.is_link_local
