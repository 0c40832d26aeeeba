"""The settings: sections that can be read and worked by keyboard alone, a file that survives anything."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QSlider, QWidget
from pytestqt.qtbot import QtBot

from app import sounds, theme
from app.colour_vision import EYES, image_seen
from app.dialogs.colours import COMPARED, EYES_NAMES, ColoursDialog, comparisons, sample_picture, verdict
from app.dialogs.settings import TRIED, SettingsDialog
from app.settings import Settings, SettingsStore
from app.sounds import SOUNDS, loudness
from tests.helpers.gui import all_texts, hot_seat_match, leaks, open_window, screenshot


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    """Settings in a file of their own."""
    return SettingsStore(tmp_path / "settings.json")


class Listener:
    """A player that keeps what it was asked to play."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, float, float]] = []

    def play(self, name: str, volume: float, after: float = 0.0) -> None:
        self.heard.append((name, volume, after))

    def close(self) -> None:
        pass


def test_sound_and_recap_take_effect_and_are_kept(qtbot: QtBot, store: SettingsStore) -> None:
    """Each control changes its setting at once; another start finds them; the defaults come back."""
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    dialog.volume.setValue(35)
    dialog.recap.setCurrentIndex(dialog.recap.findData("text"))
    dialog.sound.setChecked(False)
    now = SettingsStore(store.path).now
    assert (now.sound, now.volume, now.recap) == (False, 35, "text")
    assert not dialog.volume.isEnabled()
    assert not dialog.try_button.isEnabled()
    dialog.defaults_button.click()
    fresh = Settings()
    assert (store.now.sound, store.now.volume, store.now.recap) == (fresh.sound, fresh.volume, fresh.recap)
    assert dialog.volume.isEnabled()


@pytest.mark.parametrize(
    "touched", ["theme", "text_scale", "sound", "volume", "speed", "pace", "recap", "release", "coach"]
)
def test_a_control_changes_its_own_setting_alone(qtbot: QtBot, store: SettingsStore, touched: str) -> None:
    """Values between the steps of the other controls, from a file or a key, are not rounded by the way."""
    before = Settings(text_scale=1.21, pace=650, animation_speed=1.3, volume=37)
    store.set(**asdict(before))
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    control = getattr(dialog, touched)
    if isinstance(control, QCheckBox):
        control.toggle()
    elif isinstance(control, QComboBox):
        control.setCurrentIndex((control.currentIndex() + 1) % control.count())
    else:
        control.setValue(control.value() + 3)
    changed = {name for name, value in asdict(store.now).items() if value != getattr(before, name)}
    assert changed == {{"speed": "animation_speed", "release": "ask_release"}.get(touched, touched)}


def test_a_text_size_between_tens_is_told_as_it_is(qtbot: QtBot, store: SettingsStore) -> None:
    """A factor of 1.55 is 155 %, and the slider stands there and not at the next ten."""
    store.set(text_scale=1.55)
    dialog = SettingsDialog(store)
    qtbot.addWidget(dialog)
    assert any(label.text() == "155 %" for label in dialog.findChildren(QLabel))
    dialog.text_scale.setValue(dialog.text_scale.value() + 1)
    assert store.now.text_scale == 1.6
    dialog.text_scale.setValue(dialog.text_scale.value() - 1)
    assert store.now.text_scale == 1.55


def test_trying_plays_at_the_volume_set(qtbot: QtBot, store: SettingsStore) -> None:
    """The button lets a few sounds be heard as loud as in the game."""
    listener = Listener()
    sounds.use(listener)
    try:
        dialog = SettingsDialog(store)
        qtbot.addWidget(dialog)
        dialog.volume.setValue(80)
        dialog.try_button.click()
        assert listener.heard == [(name, loudness(80), after) for name, after in TRIED]
        assert {name for name, _ in TRIED} <= set(SOUNDS)
    finally:
        sounds.use(None)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"volume": "loud", "recap": "maybe", "sound": 1},
        {"volume": None, "recap": ["text"], "sound": "yes"},
        {"volume": float("nan"), "text_scale": float("inf"), "pace": True},
    ],
)
def test_wrong_values_are_ignored_one_by_one(store: SettingsStore, spoilt: dict[str, Any]) -> None:
    """What cannot be read is left at its default; what can is taken."""
    store.path.write_text(json.dumps(spoilt | {"theme": "dark"}))
    now = SettingsStore(store.path).now
    assert now == Settings(theme="dark")


@pytest.mark.parametrize("text", ["[]", '"theme"', "3", "null", ""])
def test_a_file_that_holds_something_else_means_the_defaults(store: SettingsStore, text: str) -> None:
    """Any JSON may be in the file."""
    store.path.write_text(text)
    assert SettingsStore(store.path).now == Settings()


def test_out_of_range_volumes_are_brought_back(store: SettingsStore) -> None:
    """The volume is a whole number from 0 to 100, whatever the file says."""
    for found, wanted in ((900, 100), (-3, 0), (33.4, 33)):
        store.path.write_text(json.dumps({"volume": found}))
        assert SettingsStore(store.path).now.volume == wanted


def test_settings_of_another_version_are_kept(store: SettingsStore) -> None:
    """A key that this version does not know is still there after a change."""
    store.path.write_text(json.dumps({"theme": "dark", "of_the_future": [1, 2]}))
    again = SettingsStore(store.path)
    again.set(volume=10)
    written = json.loads(store.path.read_text())
    assert written["of_the_future"] == [1, 2]
    assert written["volume"] == 10


def _reached(dialog: SettingsDialog) -> list[QWidget]:
    """Return what the tab key reaches, each checked to be in sight when it has the focus."""
    found: list[QWidget] = []
    for _ in range(40):
        widget = dialog.focusWidget()
        if widget in found:
            break
        found.append(widget)
        corner = widget.mapTo(dialog, widget.rect().bottomRight())
        assert dialog.rect().contains(corner), widget.accessibleName()
        if not isinstance(widget, QCheckBox):
            assert widget.visibleRegion().boundingRect() == widget.rect(), widget.accessibleName()
        QTest.keyClick(dialog, Qt.Key.Key_Tab)
        QApplication.processEvents()
    return found


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 2.0), ("contrast", 2.0)])
def test_everything_is_reached_and_seen_by_keyboard(
    qtbot: QtBot, tmp_path: Path, mode: str, scale: float
) -> None:
    """Tab goes through every control, and each is in sight when it is reached, also at 200 %."""
    window = open_window(qtbot, tmp_path, theme=mode, text_scale=scale)
    window.show_settings()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.width() <= 1280
    assert dialog.height() <= 720
    QApplication.processEvents()
    screenshot(dialog, f"settings-{mode}-{scale}", tmp_path)
    dialog.theme.setFocus()
    QApplication.processEvents()
    reached = _reached(dialog)
    wanted: list[QWidget]
    wanted = [one for one in dialog.findChildren(QWidget) if isinstance(one, QComboBox | QSlider | QCheckBox)]
    wanted += [dialog.try_button, dialog.colours_button, dialog.defaults_button, dialog.close_button]
    missing = [one.accessibleName() for one in wanted if one not in reached]
    assert missing == []
    dialog.heart_first.setFocus()
    QApplication.processEvents()
    screenshot(dialog, f"settings-{mode}-{scale}-end", tmp_path)


def test_checking_colours_shows_a_sample_where_there_is_no_board(qtbot: QtBot, tmp_path: Path) -> None:
    """From the start screen a sample board is shown, with every kind of eyes by keyboard."""
    window = open_window(qtbot, tmp_path)
    window.show_settings()
    settings = window.findChild(SettingsDialog)
    assert settings is not None
    settings.colours_button.click()
    dialog = settings.findChild(ColoursDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    assert [value for value, _ in EYES_NAMES] == list(EYES)
    plain = dialog.image
    for number, (kind, _) in enumerate(EYES_NAMES):
        assert dialog.eyes.currentIndex() == number
        assert dialog.image == image_seen(kind, plain) or kind == "all"
        screenshot(dialog, f"colours-{kind}", tmp_path)
        QTest.keyClick(dialog.eyes, Qt.Key.Key_Down)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize("mode", theme.MODES)
def test_checking_colours_measures_what_must_be_told_apart(qapp: QApplication, mode: str) -> None:
    """Each pair is named with its difference, and in our looks no dichromat finds two of them alike."""
    theme.apply(qapp, mode)
    try:
        for eyes in ("all", "protan", "deutan", "tritan"):
            lines = comparisons(eyes)
            assert len(lines) == len(COMPARED) + 1
            assert "the two sides differ clearly" in lines[0]
            assert all("differ clearly" in line for line in lines[:-1])
        assert "the two sides differ clearly" in comparisons("none")[0]
    finally:
        theme.apply(qapp)
    assert [verdict(apart) for apart in (1.0, 5.0, 50.0)] == ["look alike", "are close", "differ clearly"]


def test_checking_colours_shows_the_game_on_the_screen(qtbot: QtBot, tmp_path: Path) -> None:
    """While a game is shown its own window is the picture."""
    window = open_window(qtbot, tmp_path)
    window.play_now()
    QApplication.processEvents()
    dialog = ColoursDialog(window)
    qtbot.addWidget(dialog)
    assert dialog.image.size() == window.grab().toImage().size()


def test_checking_colours_under_the_curtain_tells_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: behind the curtain the picture is the sample, whatever lies on the board of the game."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match())
    assert window.session is not None
    assert window.session.curtain_for is not None
    dialog = ColoursDialog(window)
    qtbot.addWidget(dialog)
    assert dialog.image == sample_picture()
    assert leaks(["Rising Dream", "Turn 1"], all_texts([dialog])) == []


@pytest.mark.parametrize("mode", theme.MODES)
def test_the_sample_shows_both_sides(qtbot: QtBot, qapp: QApplication, tmp_path: Path, mode: str) -> None:
    """Both spot colours and the accent are somewhere on the sample board in every look."""
    theme.apply(qapp, mode)
    try:
        image = sample_picture().convertToFormat(QImage.Format.Format_RGB32)
        chosen = theme.palette_of(mode)
        pixels = {image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
        for colour in (chosen.terminator, chosen.clonemaster, chosen.wall):
            assert colour.rgb() in pixels, colour.name()
    finally:
        theme.apply(qapp)
