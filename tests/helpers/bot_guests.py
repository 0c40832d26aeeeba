"""One program that sits down at one table after the other, as a side's bot, and says how each game ended.

`python -m tests.helpers.bot_guests PORT SIDE BOT CODE...` prints a line of JSON for each, and imports no Qt.
"""

from __future__ import annotations

import json
import sys
import time

from app.lan.guest.bot import BotGuest
from app.lan.guest.link import Invitation

LOOPBACK = "127.0.0.1"


def say(line: str) -> None:
    """Print how the connection stands where it does not disturb."""
    print(f"{time.monotonic():.2f} {line}", file=sys.stderr, flush=True)


def play(port: int, side: str, bot: str, code: str) -> dict[str, object]:
    """Return how a game at the table of a code ended, played by a bot to its end."""
    seat = Invitation(LOOPBACK, port, code, f"{bot} {side}", side)
    ended = BotGuest(seat, bot, say).play()
    return {
        "code": code,
        "side": ended.match.side,
        "length": ended.match.length,
        "faults": list(ended.verdict.faults),
        "record": str(ended.path),
    }


if __name__ == "__main__":
    for each in sys.argv[4:]:
        print(json.dumps(play(int(sys.argv[1]), sys.argv[2], sys.argv[3], each)), flush=True)
    assert "PySide6" not in sys.modules
