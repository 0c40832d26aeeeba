r"""The shares that a seed follows from, so that a doubter can check the dice of a game between machines.

The host makes a share and gives away its commitment, a hash, before anybody else gives a share. From all
shares together follows the seed, from the seed follows every roll (`dice.py`). Everything is plain text
under SHA-256, so that it can be checked with a few lines of one's own:

    commitment = SHA-256("kungfu2100 dice commitment 1\n" + host's share + "\n")
    seed       = SHA-256("kungfu2100 dice seed 1\n"
                         "commitment " + commitment + "\n"
                         "host " + host's share + "\n"
                         side + " " + its share + "\n" ...)      sides in the order of the alphabet

Shares, commitments and seeds are 64 small hexadecimal digits. Whoever gives his share while he knows all
the others can choose it until the dice suit him. Therefore the share of a player who sits at the host's own
machine must not be among those of the guests.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from engine.core.files import BadFile, Part

if TYPE_CHECKING:
    from engine.core.record import Record

COMMITMENT_DOMAIN: Final = "kungfu2100 dice commitment 1"
SEED_DOMAIN: Final = "kungfu2100 dice seed 1"
SHARE_BYTES: Final = 32

# A pattern's end lets a line break by, a length does not.
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]  # 32 bytes


class Shares(Part, frozen=True, kw_only=True):
    """What a seed follows from: the host's share with its commitment, and the guests' by their sides."""

    commitment: Digest
    host: Digest
    guests: dict[str, Digest] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, host_share: str, guest_shares: Mapping[str, str]) -> Shares:
        """Return the shares of a game about to begin."""
        return cls(commitment=commitment_to(host_share), host=host_share, guests=dict(guest_shares))

    @property
    def seed(self) -> str:
        """The seed that follows from the shares."""
        return seed_from(self.host, self.guests)


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What a guest kept of his joining: the host's commitment, his own share and side ("" for a watcher).

    The share of one who `is_host`, at the host's own machine, goes into no seed.
    """

    commitment: Digest
    share: Digest
    side: str
    is_host: bool = False

    @property
    def giver(self) -> str:
        """The side for which the share must be in the record, "" where it goes into no seed."""
        return "" if self.is_host else self.side


def make_share() -> str:
    """Return a new share, which nobody can guess."""
    return secrets.token_hex(SHARE_BYTES)


def commitment_to(share: str) -> str:
    """Return what a host gives away of its share beforehand."""
    return _hash(COMMITMENT_DOMAIN, share)


def seed_from(host_share: str, guest_shares: Mapping[str, str]) -> str:
    """Return the seed that follows from the host's share and the guests', which go by their sides."""
    guests = (f"{side} {share}" for side, share in sorted(guest_shares.items()))
    return _hash(SEED_DOMAIN, f"commitment {commitment_to(host_share)}", f"host {host_share}", *guests)


def _hash(*lines: str) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def faults(record: Record) -> list[str]:
    """Return in words what of a record's dice does not follow from its shares, nothing if it has none."""
    shares = record.shares
    if shares is None:
        return []
    found = []
    if commitment_to(shares.host) != shares.commitment:
        found.append("shares.commitment: not that of the host's share")
    # In the text that is hashed a name with a line break could stand for several shares.
    strange = [side for side in shares.guests if not (side.isascii() and side.isalpha())]
    found += [f"shares.guests: {side[:40]!r} is no side" for side in strange]
    if shares.seed != record.seed:
        found.append("seed: does not follow from the shares")
    if record.dice is not None:
        found.append("dice: the rolls are scripted and follow from no seed")
    found += [
        f"reseeds[{number}]: from choice {reseed.at + 1} on the dice are others, which no share went into"
        for number, reseed in enumerate(record.reseeds)
    ]
    return found


def parse_receipt(raw: bytes, path: str = "") -> Receipt:
    """Return what a guest kept, from the bytes of his JSON file, whatever else is in it; raises BadFile."""
    try:
        return msgspec.json.decode(raw, type=Receipt)
    except (ValueError, RecursionError) as error:
        raise BadFile([f"no receipt of a guest: {str(error)[:120]}"], path) from error


def receipt_faults(record: Record, receipt: Receipt) -> list[str]:
    """Return in words what in a record is not as a guest was told, or told, when he joined."""
    shares = record.shares
    if shares is None:
        return ["shares: missing, but the receipt is of a game that has them"]
    found = []
    if shares.commitment != receipt.commitment:
        found.append("shares.commitment: not the one that the guest was given when he joined")
    if receipt.giver and shares.guests.get(receipt.giver) != receipt.share:
        found.append(f"shares.guests.{receipt.giver}: not the share that the guest gave")
    return found
