"""Games saved by earlier versions open for ever.

Each folder `tests/records/version-N` holds files as the program of that version wrote them. They are never
written anew: where one no longer opens, or ends otherwise, the program is wrong and not the file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.core.record import load_record
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.view import OutcomeView

OLD = Path(__file__).parents[1] / "records"
# File, its bytes' digest, number of choices, last turn played, and how it ended.
KEPT = [
    (
        "version-1/clonemaster-total-victory.json",
        "a886d9982430c592",
        742,
        10,
        OutcomeView(
            winner="clonemaster",
            level="total victory",
            reason="The CloneMaster lives and every Terminator inside is lost.",
            points=None,
        ),
    ),
    (
        "version-1/random.json",
        "67c96ce0793b7f5f",
        337,
        10,
        OutcomeView(
            winner="clonemaster",
            level="total victory",
            reason="The CloneMaster lives and every Terminator inside is lost.",
            points=None,
        ),
    ),
]


@pytest.mark.parametrize(
    ("name", "digest", "length", "turn", "outcome"), KEPT, ids=lambda part: str(part)[:40]
)
def test_a_game_of_an_earlier_version_ends_as_it_did(
    name: str, digest: str, length: int, turn: int, outcome: OutcomeView
) -> None:
    """A file of an earlier version still opens, and the game ends as it did."""
    path = OLD / name
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:16] == digest, "a golden file must never change"
    replay = RaidReplay.of(load_record(path))
    assert replay.length == length
    replay.go(length)
    view = replay.view("public")
    assert (view.turn, view.outcome) == (turn, outcome)
    assert RaidMatch.resume(path).is_over
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:16] == digest


def test_every_old_file_is_checked() -> None:
    """No golden file lies about unchecked."""
    assert sorted(name for name, *_ in KEPT) == sorted(
        str(path.relative_to(OLD).as_posix()) for path in OLD.glob("version-*/*")
    )
