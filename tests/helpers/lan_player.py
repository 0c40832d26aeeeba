"""A whole window that plays over the network by itself: `python -m tests.helpers.lan_player DIARY PAUSE HOW`.

HOW is `host PORT SCENARIO SIDE`, which hosts for a guest, or `join PORT CODE SIDE`. A window that finds a
game kept from before goes on with it instead, as a person does from the start screen. It says on standard
output, in lines of JSON, where it hosts and how the game ended, and is open until it is killed. Its diary is
that of `lan_bot`; it keeps to loopback.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QTimer

from app import gui
from app.folders import games_folder
from app.game_files import FINISHED
from app.lan.guest.link import Invitation
from app.lan.own_host import LOOPBACK, Network
from app.main_window import MainWindow
from tests.helpers.lan_bot import keep_diary

LOOK_EVERY: Final = 5  # ms


class Player:
    """Sits before a window, and does what it asks for."""

    def __init__(self, window: MainWindow, how: list[str]) -> None:
        self._window = window
        self._has_told = False
        port = int(how[1])
        window.lan.network = Network((LOOPBACK,), (port, 0))
        window.store.set(animation_speed=0.0, pace=0, recap="off", lan_name=how[-1].title())
        self._timer = QTimer(window)
        self._timer.setInterval(LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        self._is_kept = bool(window.lan.kept())
        if self._is_kept:
            return
        if how[0] == "host":
            self._host(*how[2:])
        else:
            window.lan.return_to(Invitation(LOOPBACK, port, how[2], "", how[3]))

    def _host(self, scenario: str, side: str) -> None:
        window = self._window
        window.lan.open_host()
        dialog = window.lan.host_dialog
        assert dialog is not None
        assert dialog.chooser.choose(scenario), scenario
        for each, box in dialog.seat_boxes.items():
            box.setCurrentIndex(box.findData("me" if each == side else "guest"))
        dialog.accept()

    def _look(self) -> None:
        lan, session = self._window.lan, self._window.session
        if self._is_kept:
            page = self._window.start_page
            if page.games.count():
                self._is_kept = False
                page.continue_button.click()
            return
        if lan.host is not None and lan.lobby is not None and lan.lobby.code.text() and not self._has_told:
            self._has_told = True
            tell(
                event="hosting",
                port=lan.host.port,
                code=lan.lobby.code.text(),
                record=str(lan.host.table_folder / "game.json"),
            )
        if lan.game is None or session is None:
            return
        if lan.game.has_record:
            (record,) = (games_folder() / FINISHED).glob("*.json")
            tell(
                event="over",
                sound=not lan.game.is_record_faulty,
                record=str(record),
                proof=lan.game.record_words,
            )
            self._timer.stop()
        elif session.decision is not None and not session.held_up:
            session.submit(session.decision.options.sample(random.Random()))


def tell(**told: Any) -> None:
    """Say something in a line of JSON."""
    print(json.dumps(told), flush=True)


def main(diary: str, pause: str, *how: str) -> int:
    """Show a window and let it play; return the exit code."""
    keep_diary(Path(diary), float(pause))
    players: list[Player] = []

    def begin(window: MainWindow) -> None:
        window.show()
        QTimer.singleShot(0, lambda: players.append(Player(window, list(how))))

    return gui._run(begin)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
