r"""The shares that a seed follows from, so that a doubter can check the dice of a game between machines.

The host and every player make a share each, and give away its seal, a hash, before anybody opens a share.
From all shares together follows the seed, from the seed follows every roll (`dice.py`). Everything is plain
text under SHA-256, so that it can be checked with a few lines of one's own:

    seal = SHA-256("kungfu2100 dice seal 1\n" + who + "\n" + share + "\n")
    seed = SHA-256("kungfu2100 dice seed 1\n" + who + " " + share + "\n" ...)   for all in alphabetical order

`who` is "host" or a side. Shares, seals and seeds are 64 small hexadecimal digits. Nobody who opens his share
late can choose it, as it was sealed while all the others were secret: one share made by chance is enough.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from engine.core.files import BadFile

if TYPE_CHECKING:
    from engine.core.record import Record

HOST: Final = "host"  # who gives a share, besides the sides
SEAL_DOMAIN: Final = "kungfu2100 dice seal 1"
SEED_DOMAIN: Final = "kungfu2100 dice seed 1"
SHARE_BYTES: Final = 32

# A pattern's end lets a line break by, a length does not.
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$", max_length=64)]  # 32 bytes
Shares = dict[str, Digest]
"""Who gave which share: the host and every side that a person plays."""
Seals = dict[str, Digest]
"""Who sealed his share with what."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What a guest kept of the dice: his side ("" where he looks on), his share, and what all had sealed."""

    side: str
    share: Digest
    seals: Seals


def make_share() -> str:
    """Return a new share, which nobody can guess."""
    return secrets.token_hex(SHARE_BYTES)


def seal_of(who: str, share: str) -> str:
    """Return the seal of somebody's share, which binds him and tells nothing of it."""
    return _hash(SEAL_DOMAIN, who, share)


def seed_from(shares: Mapping[str, str]) -> str:
    """Return the seed that follows from all shares."""
    return _hash(SEED_DOMAIN, *(f"{who} {share}" for who, share in sorted(shares.items())))


def _hash(*lines: str) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def faults(record: Record, sides: Collection[str], receipt: Receipt | None = None) -> list[str]:
    """Return in words what of a record's dice does not follow from what was sealed.

    Without a receipt only what contradicts itself is found, and nothing in a record that has no shares.
    """
    shares = record.shares
    if shares is None:
        return [] if receipt is None else ["shares: missing, but the receipt is of a game that has them"]
    # In the text that is hashed a name with a line break could stand for several shares.
    found = [f"shares: {who[:40]!r} is no side" for who in shares if who not in (HOST, *sides)]
    if HOST not in shares:
        found.append("shares.host: missing")
    if seed_from(shares) != record.seed:
        found.append("seed: does not follow from the shares")
    if record.dice is not None:
        found.append("dice: the rolls are scripted and follow from no seed")
    found += [
        f"reseeds[{number}]: from choice {reseed.at + 1} on the dice are others, which no share went into"
        for number, reseed in enumerate(record.reseeds)
    ]
    if receipt is not None:
        found += _broken(shares, receipt)
    return found


def _broken(shares: Shares, receipt: Receipt) -> Iterator[str]:
    """Yield which shares are not those of a receipt's seals."""
    if not receipt.seals:
        yield "receipt: nothing was sealed before the game began"
        return
    if receipt.side and receipt.seals.get(receipt.side) != seal_of(receipt.side, receipt.share):
        yield "receipt: its own share is not among those sealed"
    for who in sorted(shares.keys() | receipt.seals.keys()):
        if who not in receipt.seals:
            yield f"shares.{who[:40]}: one that nobody had sealed"
        elif who not in shares:
            yield f"shares.{who[:40]}: missing, though it had been sealed"
        elif seal_of(who, shares[who]) != receipt.seals[who]:
            yield f"shares.{who[:40]}: not the one that had been sealed"


def parse_receipt(raw: bytes, path: str = "") -> Receipt:
    """Return what a guest kept, from the bytes of his JSON file, whatever else is in it; raises BadFile."""
    try:
        return msgspec.json.decode(raw, type=Receipt)
    except (ValueError, RecursionError) as error:
        raise BadFile([f"no receipt of a guest: {str(error)[:120]}"], path) from error
