"""New game, settings and help: what they offer, remember and find."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
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
from app.dialogs.ask import NumberQuestion
from app.dialogs.new_game import NewGameDialog
from app.dialogs.settings import SettingsDialog
from app.panels.widgets import ActionButton
from app.settings import SettingsStore
from engine.bots import random as random_bot
from engine.raid import scenario as scenarios
from tests.helpers.gui import screenshot
from tests.helpers.panels import in_every_look, settle


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    """Return settings kept in the test's own folder."""
    return SettingsStore(tmp_path / "settings.json")


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
    dialog.text_scale.setValue(36)
    dialog.speed.setCurrentIndex(0)
    dialog.pace.setValue(12)
    dialog.release.setCurrentIndex(dialog.release.findData("phases"))
    dialog.heart_first.setChecked(True)
    now = SettingsStore(store.path).now
    assert (now.theme, now.text_scale, now.animation_speed, now.pace) == ("contrast", 1.8, 0.0, 1200)
    assert (now.ask_release, now.heart_first) == ("phases", True)
    dialog.defaults_button.click()
    assert store.now.theme == "auto"
    assert dialog.text_scale.value() == 20
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


def test_every_control_has_a_name(qtbot: QtBot, store: SettingsStore) -> None:
    """A screen reader finds a name on whatever can have the focus."""
    for dialog in (NewGameDialog(store), SettingsDialog(store)):
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
    tmp_path: Path,
) -> None:
    """Light, dark and contrast, 80 to 250 %: all dialogs fit 1280x720."""
    game, settings = NewGameDialog(store), SettingsDialog(store)
    for dialog in (game, settings):
        qtbot.addWidget(dialog)
    for widget, name in ((game, "new-game"), (settings, "settings")):
        widget.show()

        def check(look: str, image: QImage, widget: QWidget = widget, name: str = name) -> None:
            screenshot(widget, f"{name}-{look}", tmp_path)
            assert widget.width() <= 1280
            assert widget.height() <= 720

        in_every_look(qapp, widget, check)


@pytest.mark.parametrize("held", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_a_number_is_typed_and_given_by_return(qtbot: QtBot, held: Qt.KeyboardModifier) -> None:
    """What is typed counts at once, with the cursor still in it."""
    dialog = NumberQuestion("Scale", "So many squares:", 10.0, 0.1, 20.0)
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    box = dialog.box.lineEdit()
    box.selectAll()
    QTest.keyClicks(box, dialog.box.locale().toString(4.5))
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog.box, Qt.Key.Key_Return, held)
    assert dialog.number == 4.5
