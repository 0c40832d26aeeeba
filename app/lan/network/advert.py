"""What a host says of itself on the network, as a DNS-SD service, and what may be believed of it.

Anybody on the network can announce anything, so that nothing here is trusted: what is no advert of ours is
none, names are made to show as one line, addresses that lead out of the network are left out. Whether the
host is who it says is proved by its certificate, whose fingerprint the join code is bound to.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.lan.network.addresses import Own, usable

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

SERVICE_TYPE: Final = "_kungfu2100._tcp.local."
NAME_LENGTH: Final = 48  # letters of a host's name; at four bytes each they fit a TXT string of 255
ADDRESSES_AT_MOST: Final = 8  # of one host
TEXT_AT_MOST: Final = 1024  # bytes of a TXT record, which ours never come near
_LABEL_BYTES: Final = 63  # of a DNS label
_NAMELESS: Final = "kungfu2100"


@dataclass(frozen=True)
class Advert:
    """A host: what it calls itself, its port, the version it speaks, its certificate's fingerprint.

    `addresses` are those it gives, as text, those of one link with their scope ("fe80::1%2").
    """

    name: str
    port: int
    version: int
    fingerprint: str
    addresses: tuple[str, ...]


def to_service(advert: Advert) -> ServiceInfo:
    """Return the service that announces a host.

    The TXT record holds the version, the fingerprint and the name, and nothing about games. The name
    there is whole; the service's own ends with what follows from fingerprint and port, so that two hosts of
    one name never take each other's place, not even when they begin at the same moment.
    """
    from zeroconf import ServiceInfo

    name = plain_name(advert.name) or _NAMELESS
    return ServiceInfo(
        SERVICE_TYPE,
        f"{_label(name, advert)}.{SERVICE_TYPE}",
        port=advert.port,
        properties={"version": str(advert.version), "fingerprint": advert.fingerprint, "name": name},
        # Of its own for each port: programs of one player have one certificate, and where the first
        # of them says goodbye, the addresses of the others must stay.
        server=f"kungfu2100-{advert.fingerprint[:12]}-{advert.port}.local.",
        parsed_addresses=[address.partition("%")[0] for address in advert.addresses],
    )


def from_service(service: ServiceInfo, own: Sequence[Own]) -> Advert | None:
    """Return the host that a service announces to a machine with these addresses; None for no such host."""
    from zeroconf import IPVersion

    if len(service.text) > TEXT_AT_MOST or not service.port or not 0 < service.port < 2**16:
        return None
    said = {key: value or b"" for key, value in service.properties.items()}
    version, fingerprint = said.get(b"version", b""), said.get(b"fingerprint", b"")
    name = plain_name(said.get(b"name", b"").decode("utf-8", "replace"))
    if not re.fullmatch(rb"[0-9]{1,6}", version) or not re.fullmatch(rb"[0-9a-f]{64}", fingerprint):
        return None
    addresses = usable(service.parsed_scoped_addresses(IPVersion.All), own)[:ADDRESSES_AT_MOST]
    if not name or not addresses:
        return None
    return Advert(name, service.port, int(version), fingerprint.decode(), addresses)


def plain_name(text: str) -> str:
    """Return a name as one line that shows as itself, of at most NAME_LENGTH letters; "" if nothing is left.

    Control characters and the marks that turn the direction of writing are taken out: with them a
    name could look like another, or spoil the lines around it.
    """
    text = text.encode("utf-8", "replace").decode()  # names of files and machines may hold lone surrogates
    shown = "".join(
        " " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter
        for letter in text
        if unicodedata.bidirectional(letter)
        not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    )
    return " ".join(shown.split())[:NAME_LENGTH].rstrip()


def _label(name: str, advert: Advert) -> str:
    """Return the name of a host's service: a DNS label, without the dots that would end it."""
    end = f" ({hashlib.sha256(f'{advert.fingerprint}:{advert.port}'.encode()).hexdigest()[:8]})"
    room = _LABEL_BYTES - len(end)
    return name.replace(".", "-").encode()[:room].decode(errors="ignore").rstrip() + end
