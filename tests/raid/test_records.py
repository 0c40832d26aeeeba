"""Kept games, replayed line by line with both views: a change of the rules shows here first.

Each `tests/records/NAME.json` has a transcript NAME.txt beside it: for every choice what each side was
told and a digest of what it saw. `python -m tests.raid.test_records` from the project's folder writes
the transcripts anew, to be read in the diff.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec
import pytest

from engine.core.record import format_record, load_record
from engine.raid.figures import SIDES
from engine.raid.log import describe
from engine.raid.match import RaidReplay
from engine.raid.scenario import SHIPPED, Scenario, load_scenario, plan_of

RECORDS = Path(__file__).parents[1] / "records"
encode = msgspec.json.Encoder(order="deterministic").encode


def transcript(replay: RaidReplay) -> list[str]:
    """Return a game as lines: each choice, then what each side was told of it, then digests of both views."""
    lines: list[str] = []
    for position in range(replay.length + 1):
        replay.go(position)
        if position:
            row = replay.record.choices[position - 1]
            lines.append(f"{position} {row.side} {encode(row.choice).decode()}")
        for side in SIDES:
            told = replay.events(side, position - 1) if position else replay.events(side)
            lines += [f"  {side[0].upper()} {describe(event)} ({event.rule})" for event in told]  # type: ignore[attr-defined]
        digests = [hashlib.sha256(encode(replay.view(side))).hexdigest()[:12] for side in SIDES]
        lines.append(f"  = {' '.join(digests)}")
    return lines


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_kept_game_replays_line_by_line(path: Path) -> None:
    """Contract 6: a kept game takes the same course with the same views for both sides."""
    record = load_record(path)
    assert format_record(record) == path.read_bytes()
    kept = path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    for number, (kept_line, line) in enumerate(zip(kept, transcript(RaidReplay.of(record)), strict=True), 1):
        assert kept_line == line, f"{path.name} line {number}"


@cache
def played_to_the_end() -> list[Scenario]:
    """Return the scenarios of the kept games that are over."""
    replays = [RaidReplay.of(load_record(path)) for path in RECORDS.glob("*.json")]
    return [replay.scenario for replay in replays if replay.may_open]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_of_every_scenario_is_kept(name: str) -> None:
    """Every scenario that ships has a kept game that was played to its end, as it ships today."""
    scenario = load_scenario(name)
    assert msgspec.structs.replace(scenario, map=plan_of(scenario)) in played_to_the_end()


if __name__ == "__main__":
    for kept_path in sorted(RECORDS.glob("*.json")):
        text = "\n".join(transcript(RaidReplay.of(load_record(kept_path)))) + "\n"
        kept_path.with_suffix(".txt").write_text(text, encoding="utf-8")
