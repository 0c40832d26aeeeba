"""Whole games of two programs at a host that is a third: both guests end with the very record of the host.

`python -m tests.lan.test_whole_games` plays every shipped scenario and a home-made one, and tells of them.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from app.cli import main
from engine.raid.figures import SIDES
from tests.helpers.lan_processes import HOME_MADE, LOOPBACK, SCENARIOS, Host, Program, wait_until

WITHIN: Final = 300.0  # seconds for all games, on a machine that has much else to do


def play(folder: Path, scenarios: Sequence[str], bot: str) -> list[dict[str, Any]]:
    """Let two programs play a game of each scenario at a host of its own; return what each said, by game.

    Checks that no record is another than the host's.
    """
    host = Host(folder / "host", folder / "host/home")
    guests = {side: Program(folder / side, folder / side / "home") for side in SIDES}
    try:
        host.begin(*scenarios)
        for side, guest in guests.items():
            guest.start("tests.helpers.bot_guests", str(host.port), side, bot, *host.codes)
        wait_until(lambda: not any(guest.is_running for guest in guests.values()), WITHIN)
        told = []
        for side, guest in guests.items():
            assert guest.code == 0, guest.errors.read_text("utf-8")
            lines = [json.loads(line) for line in guest.out.read_text("utf-8").splitlines()]
            assert [line["side"] for line in lines] == [side] * len(scenarios)
            for line, record in zip(lines, host.records, strict=True):
                assert line["faults"] == []
                assert Path(line["record"]).read_bytes() == record.read_bytes()
            told += lines
        return told
    finally:
        for program in (host, *guests.values()):
            program.kill()


def receipt_of(record: Path) -> Path:
    """Return what a guest kept of joining the game of a record that was saved for him."""
    number = record.stem.rpartition(" ")[2]
    return record.parents[2] / "lan/tickets" / f"{number}.json"


def test_a_home_made_game_is_played_from_the_command_line_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scenario and map travel to guests who never had them; all records are the same bytes, and proved."""
    host = Host(tmp_path / "host", tmp_path / "host/home")
    guests = [Program(tmp_path / side, tmp_path / side / "home") for side in SIDES]
    try:
        host.begin(HOME_MADE)
        for side, guest in zip(SIDES, guests, strict=True):
            where = f"{LOOPBACK}:{host.port}", host.codes[0]
            guest.start("app", "join", *where, "--seat", side, "--bot", "random", "--json")
        wait_until(lambda: not any(guest.is_running for guest in guests), WITHIN)
        results = []
        for guest in guests:
            assert guest.code == 0, guest.errors.read_text("utf-8")
            results.append(json.loads(guest.out.read_text("utf-8")))
        assert results[0]["scenario"] == "Everything set"
        for result in results:
            assert result["sound"], result["proof"]
            record = Path(result["record"])
            assert record.read_bytes() == host.records[0].read_bytes()
            assert main(["replay", str(record), "--verify", "--receipt", str(receipt_of(record))]) == 0
            assert "choices are legal" in capsys.readouterr().out
        same = ("winner", "turn", "decisions", "points", "seed")
        assert len({json.dumps([result[key] for key in same]) for result in results}) == 1
    finally:
        for program in (host, *guests):
            program.kill()


if __name__ == "__main__":
    chosen = sys.argv[1:] or SCENARIOS
    with tempfile.TemporaryDirectory() as place:
        began = time.monotonic()
        games = play(Path(place), chosen, "rulebook")[: len(chosen)]
        took = time.monotonic() - began
        for scenario, game in zip(chosen, games, strict=True):
            print(f"{Path(scenario).stem}: {game['length']} choices, one record for all three")
        choices = sum(game["length"] for game in games)
        print(f"{len(games)} games, {choices} choices in {took:.0f} seconds")
