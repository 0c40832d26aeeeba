"""Windows killed in the middle of a game over the network, the host's and its guest's, and opened again."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.raid.figures import CLONEMASTER, TERMINATOR
from tests.helpers.lan_bot import TAKEN
from tests.helpers.lan_processes import Window, check_game, wait_until

pytestmark = pytest.mark.gui  # the windows are processes of their own
PAUSE = 0.005  # seconds a player thinks at most, so that a choice is not made before it can be seen


def test_killed_windows_go_on_with_their_game(tmp_path: Path) -> None:
    """After `kill -9` both start screens lead back; no choice is lost or made twice, both have one record."""
    host, guest = Window(tmp_path / "host", TERMINATOR), Window(tmp_path / "guest", CLONEMASTER)
    try:
        host.play(PAUSE, "host", "0", "tea-house", host.side)
        told = host.told("hosting")
        port = str(told["port"])
        guest.play(PAUSE, "join", port, told["code"], guest.side)
        wait_for_choices(guest, 3)
        guest.kill()
        guest.play(PAUSE, "join", port, told["code"], guest.side)
        wait_for_choices(guest, 3)
        assert not guest.out.read_text("utf-8")
        host.kill()
        host.play(PAUSE, "host", port, "tea-house", host.side)
        check_game(Path(told["record"]), (host, guest))
    finally:
        host.kill()
        guest.kill()


def wait_for_choices(player: Window, more: int) -> None:
    """Wait until a player has made so many more choices."""

    def count() -> int:
        is_there = player.diary_path.exists()
        return sum(what == TAKEN for _, what in player.attempts) if is_there else 0

    before = count()
    wait_until(lambda: count() >= before + more)
