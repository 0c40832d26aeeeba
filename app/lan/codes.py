"""The join code of a table, and the proof that one has it which does not give it away.

A code is short enough to be told over the room, so it must not be possible to try all codes on what was
heard on the network. Guest and host agree on a key by SPAKE2, for which both use the code: each sends one
point of a curve, blinded by the code. To whoever only listens every code fits both points equally well,
and without one of the two secret exponents no code leads from them to the key, so that a guess cannot even
be checked; the proofs, being made with that key, tell him nothing either. Who takes part instead of
listening has put one guess, and no more, into the point he sends, and learns by a whole attempt whether it
was right: the host counts such attempts (`limits.Lockout`), a guest gives up after one.

The proofs name the fingerprint of the certificate that the speaker has before him. Somebody in the middle
must show the guest a certificate of his own, so the guest's proof does not fit the host's, nor the host's
the guest's, although both have the code.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Collection
from typing import Final, Literal

ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I, O, 0, 1, which are read for one another
TABLE_LENGTH: Final = 2
SECRET_LENGTH: Final = 6  # 30 bits; Lockout leaves a guesser some hundred of the 1 073 741 824 a day
LENGTH: Final = TABLE_LENGTH + SECRET_LENGTH
EXAMPLE: Final = "AB7K-2QXM"

_PURPOSE: Final = "kungfu2100 join 1"
_GUEST_NAME: Final = b"kungfu2100 guest"
_HOST_NAME: Final = b"kungfu2100 host"
# Spaces and dashes of every kind, also those that a text processor puts in, and a full stop after the code.
_GAPS: Final = re.compile(r"[\s\-_.\u00ad\u2010-\u2015\u200b\u2212\ufeff]+")
_PAKE: Final = re.compile(r"[0-9a-f]{66}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")

Speaker = Literal["guest", "host"]


# The code as people read it


def make_name(taken: Collection[str]) -> str:
    """Return a table's name that none of those taken is; raises ValueError when there is none left."""
    if len(taken) >= len(ALPHABET) ** TABLE_LENGTH:
        free = [a + b for a in ALPHABET for b in ALPHABET if a + b not in taken]
        if not free:
            raise ValueError("there is no name left for another table")
        return secrets.choice(free)
    while True:
        name = _letters(TABLE_LENGTH)
        if name not in taken:
            return name


def make_secret() -> str:
    """Return the secret letters of a new code."""
    return _letters(SECRET_LENGTH)


def make_code(table: str) -> str:
    """Return a new join code for a table: "AB7K-2QXM"."""
    return format_code(table, make_secret())


def format_code(table: str, secret: str) -> str:
    """Return a join code as it is read out."""
    letters = table + secret
    return f"{letters[: LENGTH // 2]}-{letters[LENGTH // 2 :]}"


def parse_code(text: str) -> tuple[str, str]:
    """Return the table and the secret of a code, however it was typed.

    Raises ValueError with a reason for whoever typed it.
    """
    letters = _GAPS.sub("", text)
    if not letters:
        raise ValueError(f"the join code is missing; it looks like {EXAMPLE}")
    wrong = next((letter for letter in letters if not letter.isascii() or not letter.isalnum()), None)
    if wrong is not None:
        shown = f"“{wrong}”" if wrong.isprintable() else "a sign that cannot be seen"
        raise ValueError(f"a join code has letters and digits only, like {EXAMPLE}, not {shown}")
    letters = letters.upper()
    if any(letter not in ALPHABET for letter in letters):
        raise ValueError("no join code has an I, O, 0 or 1 in it: please read it again")
    if len(letters) != LENGTH:
        raise ValueError(f"a join code has {LENGTH} letters and digits, like {EXAMPLE}, not {len(letters)}")
    return letters[:TABLE_LENGTH], letters[TABLE_LENGTH:]


def _letters(count: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(count))


# The proof


class GuestSide:
    """A guest's half of one attempt to join; `fingerprint` is that of the certificate he was shown."""

    def __init__(self, secret: str, fingerprint: str) -> None:
        from spake2 import SPAKE2_A

        self._fingerprint = _checked(fingerprint, _HASH, "fingerprint")
        self._agreement = SPAKE2_A(secret.encode(), idA=_GUEST_NAME, idB=_HOST_NAME)
        self._key: bytes | None = None
        self._commitment = ""
        self.message: Final[str] = self._agreement.start().hex()

    def prove(self, reply: str, commitment: str) -> str:
        """Return the proof for a host's reply and his commitment to the dice.

        Raises ValueError for a reply that is none, and for a second one: an attempt is good for one guess.
        """
        self._commitment = _checked(commitment, _HASH, "commitment")
        self._key = _finish(self._agreement.finish, reply)
        return _proof(self._key, "guest", self._fingerprint, self._commitment)

    def accepts(self, proof: str) -> bool:
        """Whether the host's proof shows that he has the code and the certificate that was shown."""
        return self._key is not None and _is_same(
            proof, _proof(self._key, "host", self._fingerprint, self._commitment)
        )


class HostSide:
    """A host's half of one guest's attempt to join; `fingerprint` is that of his own certificate."""

    def __init__(self, secret: str, fingerprint: str) -> None:
        from spake2 import SPAKE2_B

        self._fingerprint = _checked(fingerprint, _HASH, "fingerprint")
        self._agreement = SPAKE2_B(secret.encode(), idA=_GUEST_NAME, idB=_HOST_NAME)
        self._key: bytes | None = None
        self._accepted = ""

    def reply(self, message: str) -> str:
        """Return the answer to a guest's message, some 10 ms of work.

        Raises ValueError for a message that is none, and for a second one: an attempt is good for one guess.
        """
        if self._key is not None:
            raise ValueError("this attempt to join has had its message already")
        reply: bytes = self._agreement.start()
        self._key = _finish(self._agreement.finish, message)
        return reply.hex()

    def accepts(self, proof: str, commitment: str) -> bool:
        """Whether the guest's proof shows that he has the code and was shown this host's certificate.

        `commitment` is the one he was sent. A proof that does not fit ends the attempt. Raises ValueError
        before `reply`.
        """
        if self._key is None:
            raise ValueError("a proof needs an agreed key")
        if not _is_same(proof, _proof(self._key, "guest", self._fingerprint, commitment)):
            self._key, self._accepted = secrets.token_bytes(32), ""
            return False
        self._accepted = commitment
        return True

    def proof(self) -> str:
        """Return the host's own proof, for a guest whose proof was accepted; raises ValueError otherwise.

        Before that it would be a free look at whether a guess was right.
        """
        if self._key is None or not self._accepted:
            raise ValueError("the guest has not proved that he has the code")
        return _proof(self._key, "host", self._fingerprint, self._accepted)


def _proof(key: bytes, speaker: Speaker, fingerprint: str, commitment: str) -> str:
    text = "\n".join((_PURPOSE, speaker, fingerprint, _checked(commitment, _HASH, "commitment")))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _is_same(given: str, expected: str) -> bool:
    # compare_digest takes no text beyond ASCII.
    return hmac.compare_digest(given.encode(), expected.encode())


def _checked(text: str, pattern: re.Pattern[str], what: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(f"this is no {what}")
    return text


def _finish(finish: Callable[[bytes], bytes], message: str) -> bytes:
    """Return the key that follows from the other side's message; raises ValueError."""
    raw = bytes.fromhex(_checked(message, _PAKE, "message of SPAKE2"))
    try:
        return finish(raw)
    except Exception as error:
        raise ValueError("this is no message of SPAKE2 for this side, or not the first") from error
