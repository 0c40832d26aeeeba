"""New game, settings and help: what they offer, remember and find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QListWidget,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app import theme
from app.dialogs import help as help_window
from app.dialogs.new_game import NewGameDialog
from app.dialogs.settings import SettingsDialog
from app.panels.widgets import ActionButton, Label, rule_link
from app.settings import SettingsStore
from engine.bots import random as random_bot
from engine.raid import scenario as scenarios
from tests.helpers.gui import open_window, screenshot
from tests.helpers.panels import in_every_look, settle


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    """Return settings kept in the test's own folder."""
    return SettingsStore(tmp_path / "settings.json")


@pytest.fixture
def helper(qtbot: QtBot) -> Iterator[help_window.HelpWindow]:
    """Return the program's help window, closed again after the test."""
    window = help_window.window()
    yield window
    help_window.close()


# Help


def test_every_rule_the_program_names_has_its_place() -> None:
    """Each rule number and ruling in the code that players can read leads to a text of the help."""
    root = Path(__file__).parents[2]
    named: dict[str, str] = {}
    for folder in ("engine/raid", "app"):
        for file in (root / folder).rglob("*.py"):
            for rule in re.findall(r'"((?:[2-6]\.\d+[a-z]?)|(?:R\d+))"', file.read_text(encoding="utf-8")):
                named[rule] = file.name
    assert len(named) > 30
    missing = {rule: file for rule, file in named.items() if help_window.find_rule(rule) is None}
    assert missing == {}


def test_every_rule_of_the_scope_is_explained() -> None:
    """Paragraphs 2 to 5, 6.1 and every ruling of the game have a heading of their own."""
    wanted = [f"2.{n}" for n in range(1, 7)] + ["3.1", "3.2", *(f"4.{n}" for n in range(1, 9))]
    wanted += ["4.11", "4.12", "4.13", "4.21", "4.22", "4.41", "4.42", "4.43"]
    wanted += [f"5.{n}" for n in range(1, 10)] + ["5.61", "5.62", "6.1"] + [f"R{n}" for n in range(1, 37)]
    headings = {topic.rule for topic in help_window.topics()}
    assert [rule for rule in wanted if rule not in headings] == []


def test_no_reference_in_the_help_leads_nowhere() -> None:
    """Every rule that a help text mentions is a link to a text."""
    for topic in help_window.topics():
        for rule in help_window._REFERENCE.findall(topic.body):
            assert help_window.find_rule(rule) is not None, (topic.heading, rule)


def test_the_keys_are_those_of_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    """Every key in the window's menus stands on the help's page of keys."""
    window = open_window(qtbot, tmp_path)
    page = "\n".join(topic.body for topic in help_window.topics() if topic.title.startswith("Keys"))
    keys = {action.shortcut().toString() for action in window.findChildren(QAction)} - {""}
    assert len(keys) > 8
    assert sorted(key for key in keys if key not in page) == []


def test_a_comment_in_an_example_is_no_heading() -> None:
    """A line with # between code fences stays part of its text."""
    found = help_window.parse_topics("x.md", "# One\n\n```\n# not a heading\n```\n\n## 4.1 Two\n\nText")
    assert [(topic.depth, topic.rule, topic.title) for topic in found] == [(1, "", "One"), (2, "4.1", "Two")]


def test_a_finer_number_opens_the_paragraph_above() -> None:
    """A letter or a digit more is explained with its paragraph; nonsense leads nowhere."""
    assert help_window.find_rule("6.1a") is help_window.find_rule("6.1")
    finer = help_window.find_rule("2.551")
    assert finer is not None
    assert finer.rule == "2.55"
    for nonsense in ("-", "", "R99", "x", "9.9"):
        assert help_window.find_rule(nonsense) is None


def test_a_search_finds_numbers_first_then_titles_then_texts() -> None:
    """Typing a number goes to its rule; a word to titles that have it, then to texts."""
    assert help_window.search("4.43")[0].rule == "4.43"
    assert help_window.search("r15")[0].rule == "R15"
    found = help_window.search("mountain heart")
    assert found[0].title == "Mountain Heart"
    assert len(found) > 3
    assert help_window.search("xyzzy") == []
    assert help_window.search("") == list(help_window.topics())


def test_a_click_on_a_rule_opens_it_anywhere(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A rule's number in any label of the program opens the help at its place."""
    label = Label(f"Too dear. {rule_link('4.43')}")
    qtbot.addWidget(label)
    label.linkActivated.emit("rule:4.43")
    settle()
    assert helper.isVisible()
    assert helper.topic is not None
    assert helper.topic.rule == "4.43"
    assert "Hostile martial artists" in helper.browser.toPlainText()


def test_links_inside_the_help_lead_on_and_back(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A link in a text opens that rule; Back returns to where it was clicked."""
    assert help_window.open_rule("5.4")
    assert 'href="rule:R18"' in helper.browser.toHtml()
    helper.browser.anchorClicked.emit(QUrl("rule:R18"))
    assert helper.topic is not None
    assert helper.topic.rule == "R18"
    helper.back_button.click()
    assert helper.topic.rule == "5.4"


def test_the_help_is_searched_by_keys(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Slash goes to the search, Enter to what was found, a number shows its rule at once."""
    help_window.open_help()
    helper.activateWindow()
    qtbot.waitUntil(helper.isActiveWindow)
    helper.list.setFocus()
    QTest.keyClick(helper, Qt.Key.Key_Slash)
    assert helper.search_box.hasFocus()
    QTest.keyClicks(helper.search_box, "5.61")
    assert helper.topic is not None
    assert helper.topic.rule == "5.61"
    QTest.keyClick(helper.search_box, Qt.Key.Key_Return)
    assert helper.list.hasFocus()
    helper.search_box.setText("no such thing")
    assert helper.list.count() == 0
    assert helper._nothing.isVisible()


def test_an_unknown_rule_is_searched_for(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A rule that the help does not know is said to be unknown, not shown as something else."""
    assert not help_window.open_rule("R77")
    assert helper.search_box.text() == "R77"


# New game


def test_every_shipped_scenario_is_offered(qtbot: QtBot, store: SettingsStore) -> None:
    """The list holds each shipped scenario, and says its forces."""
    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    listed = [dialog.chooser.list.item(at).text() for at in range(dialog.chooser.list.count())]
    assert listed == list(scenarios.shipped().values())
    assert dialog.scenario.name == "Basic"
    assert "8 Jellies" in dialog.chooser._forces.text()


def test_who_sits_where(qtbot: QtBot, store: SettingsStore) -> None:
    """A person against the rulebook bot to begin with; changing sides takes the name along."""
    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    assert dialog.seats == {"terminator": "human", "clonemaster": "rulebook"}
    QTest.keyClicks(dialog.name_boxes["terminator"], " Ann ")
    assert dialog.names == {"terminator": "Ann"}
    assert not dialog.name_boxes["clonemaster"].isEnabled()
    dialog.swap_button.click()
    assert dialog.seats == {"terminator": "rulebook", "clonemaster": "human"}
    assert dialog.names == {"clonemaster": "Ann"}
    assert dialog.seed is None
    QTest.keyClicks(dialog.seed_box, "rematch")
    assert dialog.seed == "rematch"


def test_every_seat_offered_can_be_taken(qtbot: QtBot, store: SettingsStore) -> None:
    """Each seat of the list is a person or a bot that exists."""
    from app.games import make_bots

    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    box = dialog.seat_boxes["terminator"]
    offered = [box.itemData(at) for at in range(box.count())]
    assert offered[0] == "human"
    for seat in offered[1:]:
        made = make_bots({"terminator": seat, "clonemaster": "human"}, "1")
        assert set(made) == {"terminator"}
    assert isinstance(make_bots({"terminator": "random"}, "1")["terminator"], random_bot.RandomPlayer)


def test_the_game_starts_by_key(qtbot: QtBot, store: SettingsStore) -> None:
    """Ctrl+Enter starts, Esc gives up."""
    dialog = NewGameDialog(store)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    with qtbot.waitSignal(dialog.accepted, timeout=2000):
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog.show()
    with qtbot.waitSignal(dialog.rejected, timeout=2000):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


# Settings


def test_settings_take_effect_and_are_kept(qtbot: QtBot, store: SettingsStore) -> None:
    """Each control changes its setting at once; another start finds them."""
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    dialog.theme.setCurrentIndex(dialog.theme.findData("contrast"))
    dialog.text_scale.setValue(18)
    dialog.speed.setCurrentIndex(0)
    dialog.pace.setValue(12)
    dialog.release.setCurrentIndex(dialog.release.findData("phases"))
    dialog.heart_first.setChecked(True)
    now = SettingsStore(store.path).now
    assert (now.theme, now.text_scale, now.animation_speed, now.pace) == ("contrast", 1.8, 0.0, 1200)
    assert (now.ask_release, now.heart_first) == ("phases", True)
    dialog.defaults_button.click()
    assert store.now.theme == "auto"
    assert dialog.text_scale.value() == 10
    assert not dialog.heart_first.isChecked()


def test_opening_the_settings_changes_nothing(qtbot: QtBot, store: SettingsStore) -> None:
    """A speed between the offered ones stays until another is chosen."""
    store.set(animation_speed=1.3, pace=250)
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    assert store.now.animation_speed == 1.3
    dialog.heart_first.setChecked(True)
    assert store.now.animation_speed == 1.3


def test_settings_keep_the_text_size_in_sight(qtbot: QtBot, qapp: QApplication, store: SettingsStore) -> None:
    """At the largest text the open dialog grows within the screen, and its slider stays to be seen."""
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    dialog.show()
    settle()
    before = dialog.size()
    try:
        theme.apply(qapp, "light", 2.0)
        settle()
        assert dialog.width() > before.width()
        assert dialog.screen().availableGeometry().contains(dialog.frameGeometry())
        assert not dialog.text_scale.visibleRegion().isEmpty()
        assert dialog.text_scale.visibleRegion().boundingRect() == dialog.text_scale.rect()
    finally:
        theme.apply(qapp)
    settle()
    assert dialog.size() == before


# All


def test_every_control_has_a_name(qtbot: QtBot, store: SettingsStore, helper: help_window.HelpWindow) -> None:
    """A screen reader finds a name on whatever can have the focus."""
    for dialog in (NewGameDialog(store), SettingsDialog(store), helper):
        if dialog is not helper:
            qtbot.addWidget(dialog)
        for widget in dialog.findChildren(QWidget):
            if not isinstance(widget, QComboBox | QLineEdit | QAbstractButton | QSlider | QListWidget):
                continue
            if widget.objectName().startswith("qt_") or isinstance(widget.parent(), QLineEdit | QComboBox):
                continue  # Qt's own parts inside a control
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            assert widget.accessibleName() or text, widget


def test_a_button_keeps_its_key_when_its_text_changes(qtbot: QtBot) -> None:
    """Qt takes the shortcut away with every new text; ours stays."""
    button = ActionButton("One")
    qtbot.addWidget(button)
    button.set_key("Alt+1")
    button.setText("Another")
    assert button.shortcut().toString() == "Alt+1"


def test_a_barred_button_is_reached_and_answers(qtbot: QtBot) -> None:
    """Barred is not disabled: it takes the focus and a press, so that it can say why not."""
    button = ActionButton("Ready")
    qtbot.addWidget(button)
    button.bar(True)
    assert button.isEnabled()
    with qtbot.waitSignal(button.clicked, timeout=500):
        QTest.keyClick(button, Qt.Key.Key_Space)


def test_it_draws_in_every_look(
    qtbot: QtBot,
    qapp: QApplication,
    store: SettingsStore,
    helper: help_window.HelpWindow,
    tmp_path: Path,
) -> None:
    """Light, dark and contrast, 80 to 250 %: all dialogs fit 1280x720."""
    game, settings = NewGameDialog(store), SettingsDialog(store)
    for dialog in (game, settings):
        qtbot.addWidget(dialog)
    help_window.open_rule("2.6")
    for widget, name in ((game, "new-game"), (settings, "settings"), (helper, "help")):
        widget.show()

        def check(look: str, image: QImage, widget: QWidget = widget, name: str = name) -> None:
            screenshot(widget, f"{name}-{look}", tmp_path)
            assert widget.width() <= 1280
            assert widget.height() <= 720

        in_every_look(qapp, widget, check)
