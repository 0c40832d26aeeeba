"""What machines that claim to be hosts say to a window: refused before, or shown as text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from pytestqt.qtbot import QtBot

from app.dialogs.join_game import JoinGameDialog
from app.dialogs.lobby import LobbyPage
from app.lan.guest.calling import refusal_of
from app.lan.guest.finding import Host
from app.lan.guest.received import parse_told
from app.lan.host.table import Options, Table
from app.markup import as_text
from app.settings import SettingsStore
from engine.core.lan_protocol import ChattedAnswer, GreetAnswer, TableAnswer
from engine.core.protocol import CLIENT, ErrorAnswer, Refusal
from tests.helpers.gui import brawl
from tests.helpers.hostile import bent
from tests.helpers.lan import SECRET, C, T, Time, new_table, two_at
from tests.helpers.lan_window import Plain, Room, Seat, sit
from tests.helpers.sent import messages

EVIL = '4.2"></a><h1>X</h1>'
LIES = 60


def lies(random: Random, table: Table, *kinds: str) -> list[Any]:
    """Return messages of some kinds with something wrong in each, those of them that are not refused."""
    sent = messages(table)
    found = []
    for kind in kinds:
        for _ in range(LIES):
            try:
                lie = {**bent(random, sent[kind], list(sent.values())), "tell": kind}
                found.append(parse_told(msgspec.json.encode(lie)))
            except Refusal:
                continue
    return found


def evil_words(table: Table) -> list[Any]:
    """Return the messages with the worst words that come through."""
    sent = messages(table)
    found = []
    for words in (EVIL * 50, "x" * 200_000, "&", "\u202e\n\x00Ann", "%s {0} &&"):
        seats = {side: {"player": words, "name": words, "away": 10_000_000} for side in (C, T)}
        card = {**sent["table"]["card"], "title": words, "host": words, "seats": seats}
        changes: list[tuple[str, dict[str, Any]]] = [
            ("greet", {"host": words, "tables": [card]}),
            ("table", {"card": card, "notice": words, "watchers": ["Ann" + words] * 20}),
            ("chatted", {"name": words, "text": words}),
        ]
        found += [parse_told(msgspec.json.encode({**sent[kind], **fields})) for kind, fields in changes]
    return found


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table whose game has begun, with all that may be told of one."""
    made = new_table(tmp_path / "sent", clock=900.0)
    two_at(made)
    return made


def test_no_greeting_breaks_the_list_of_games(qtbot: QtBot, tmp_path: Path, table: Table) -> None:
    """Whatever a host tells of its tables, the list shows it, and the others beside it."""
    dialog = JoinGameDialog(SettingsStore(tmp_path / "settings.json"))
    qtbot.addWidget(dialog)
    dialog.show()
    sound = parse_told(msgspec.json.encode(messages(table)["greet"]))
    assert isinstance(sound, GreetAnswer)
    others = Host("Sound", "10.0.0.9", 1, sound.tables)
    shown = 0
    for said in lies(Random(8), table, "greet") + evil_words(table):
        if isinstance(said, GreetAnswer):
            dialog.show_hosts([Host(said.host, "10.0.0.1", 1, said.tables), others], "")
            assert dialog.list.count() >= 2
            shown += 1
    assert shown > 10


def test_no_news_of_people_breaks_the_lobby(qtbot: QtBot, table: Table) -> None:
    """Whatever a host tells of a table that waits, the lobby shows it."""
    lobby = LobbyPage()
    qtbot.addWidget(lobby)
    lobby.show()
    shown = 0
    for said in lies(Random(9), table, "table") + evil_words(table):
        if isinstance(said, TableAnswer):
            for side in (T, C, ""):
                lobby.show_table(said, side)
            QApplication.processEvents()
            shown += 1
    assert shown > 10
    assert all("<h1>" not in label.text() or not is_rich(label) for label in lobby.findChildren(QLabel))


def is_rich(label: QLabel) -> bool:
    """Whether a label may take what it shows for HTML."""
    return label.textFormat() != label.textFormat().PlainText


def seated(qtbot: QtBot, tmp_path: Path) -> Seat:
    """Return Ann in a window against Bob, in a fight."""
    options = Options(title="Basic", host="Host", scenario=brawl(1), seats={T: CLIENT, C: CLIENT})
    room = Room(Table.new("AB", SECRET, options, tmp_path / "table", Time()), Time())
    ann = sit(qtbot, tmp_path, room, "Ann", T)
    Plain(room, "Bob", C)
    qtbot.waitUntil(lambda: ann.window.session is not None and ann.session.decision is not None)
    ann.settle()
    return ann


def test_no_news_of_people_breaks_a_game(qtbot: QtBot, tmp_path: Path, table: Table) -> None:
    """Whatever a host tells of people, clocks and chat, the window goes on showing its game."""
    ann = seated(qtbot, tmp_path)
    came: Counter[str] = Counter()
    for said in lies(Random(10), table, "table", "chatted") + evil_words(table):
        if isinstance(said, TableAnswer | ChattedAnswer):
            ann.game._on_told(said)
            QApplication.processEvents()
            came[type(said).__name__] += 1
    assert min(came["TableAnswer"], came["ChattedAnswer"]) > 10
    sound = parse_told(msgspec.json.encode({**messages(table)["table"], "clocks": {}}))
    assert isinstance(sound, TableAnswer)
    ann.game._on_told(sound)
    qtbot.waitUntil(lambda: ann.session.decision is not None)


def test_what_a_host_refuses_with_is_shown_as_text(qtbot: QtBot, tmp_path: Path) -> None:
    """Neither the reason nor the rule of a refusal becomes markup, a link or a tip with a heading."""
    ann = seated(qtbot, tmp_path)
    raw = {"tell": "error", "id": 5, "line": 1, "kind": "illegal-choice", "reason": EVIL, "rule": EVIL}
    said = parse_told(msgspec.json.encode(raw))
    assert isinstance(said, ErrorAnswer)

    def refuse(*_what: Any) -> Any:
        raise refusal_of(said)

    ann.line.ask = refuse
    decision = ann.session.decision
    assert not ann.session.submit(decision.options.sample(Random(1)))
    panel = ann.page.decision_panel
    assert "&lt;h1&gt;X" in panel._why.text()
    assert "<a" not in panel._why.text()
    ann.page.fight_panel._say(f"<b>{EVIL}", said.rule)
    assert "<h1>" not in ann.page.fight_panel._why.text()
    assert QToolTip.text() == as_text(f"<b>{EVIL}")
    assert "<h1>" not in QToolTip.text()
