"""Names that look like markup: a map from a stranger shows what it says, and brings no pictures along."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.markup import as_text
from app.panels.widgets import Label, with_rule_links
from editor.dialogs.choose import Answer, ChoiceDialog, Question
from editor.dialogs.export import ExportDialog
from editor.dialogs.notice import tell
from editor.dialogs.playtest import PlaytestDialog, usual_wishes
from editor.dialogs.print import PrintDialog
from editor.dialogs.unsaved import unsaved_question
from editor.draft import Draft
from editor.edits.rooms import with_room
from editor.selection import Selection
from editor.templates import small_house
from engine.raid.scenario import load_scenario
from tests.helpers.editor import open_editor

NAME = '<img src="secret.png"> <b>Vault</b> & Co'


@pytest.fixture
def strange() -> Draft:
    """Return a house whose name and whose every room's name are markup."""
    plan = small_house()
    for number, room in enumerate(plan.rooms):
        plan = with_room(plan, room.letter, name=f"{NAME} {number}")
    plan = msgspec.structs.replace(plan, name=NAME)
    return Draft(plan, msgspec.structs.replace(load_scenario("basic"), name=NAME))


def labels(*roots: QWidget) -> list[QLabel]:
    """Return every label in widgets."""
    return [label for root in roots for label in root.findChildren(QLabel)]


def shown(label: QLabel) -> str:
    """Return what a reader sees of a label."""
    if label.textFormat() != Qt.TextFormat.RichText:
        return label.text()
    document = QTextDocument()
    document.setHtml(label.text())
    return document.toPlainText()


def test_no_label_of_the_editor_guesses_what_is_markup(qtbot: QtBot, tmp_path: Path, strange: Draft) -> None:
    """Panels, status line and dialogs show a room called like a picture by its name, letter by letter."""
    window = open_editor(qtbot, tmp_path, strange)
    for key in window.docks:
        window.show_panel(key)
    plan = strange.plan
    letter = plan.rooms[0].letter
    squares = ((x, y) for y, line in enumerate(plan.grid) for x, one in enumerate(line) if one == letter)
    window.bench.select(Selection(squares=frozenset(squares)))
    window.bench.say(NAME)
    window.checker.check_now()
    window.problems.next_problem()
    dialogs: list[QDialog] = [
        ExportDialog(strange, window),
        PrintDialog(strange, window),
        PlaytestDialog(strange, usual_wishes(strange.whole), window),
        ChoiceDialog(unsaved_question(NAME, 1), window),
        ChoiceDialog(Question(NAME, NAME, (Answer("a", NAME, NAME),), (NAME,)), window),
        tell(NAME, NAME, (NAME,), window),
    ]
    QApplication.processEvents()
    for label in labels(window, *dialogs):
        assert label.textFormat() != Qt.TextFormat.AutoText or "<" not in label.text(), label.text()
        assert label.textFormat() != Qt.TextFormat.RichText or "<img" not in label.text(), label.text()
    named = [label for label in labels(*dialogs) if NAME in shown(label)]
    assert len(named) >= 6
    for dialog in dialogs:
        dialog.close()


def test_a_name_in_a_message_with_links_stays_a_name() -> None:
    """What is said of a room is text, while the rule beside it is a link."""
    label = Label(with_rule_links(f"{NAME} has no door (2.51)"), is_rich=True)
    assert shown(label) == f"{NAME} has no door (2.51)"
    assert 'href="rule:2.51"' in label.text()
    assert label.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_a_text_that_is_no_markup_has_no_link(qtbot: QtBot) -> None:
    """A name that is a link is no stop of the Tab key, and opens nothing."""
    label = Label('<a href="rule:2.51">here</a>')
    qtbot.addWidget(label)
    assert label.focusPolicy() == Qt.FocusPolicy.NoFocus
    label.setText('<a href="rule:6.1">there</a>')
    assert label.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_tool_tips_show_names_as_they_stand() -> None:
    """Qt takes a tip with a tag for HTML; what is meant as text is made safe, plain text left alone."""
    document = QTextDocument()
    document.setHtml(as_text(NAME))
    assert document.toPlainText() == NAME
    assert as_text("Vault & Co") == "Vault & Co"
