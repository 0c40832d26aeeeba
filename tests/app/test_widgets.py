"""The small parts of panels follow the look in force."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDockWidget, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.widgets import Label, rule_link
from tests.helpers.panels import settle


@pytest.mark.parametrize("mode", ["dark", "contrast"])
def test_a_rule_link_is_readable_after_the_look_has_changed(
    qtbot: QtBot, qapp: QApplication, mode: str
) -> None:
    """A link set in the light look is drawn in the ink of the look chosen later."""
    theme.apply(qapp, "light")
    label = Label(rule_link("4.43"), wraps=False)
    qtbot.addWidget(label)
    label.show()
    settle()
    try:
        theme.apply(qapp, mode)
        settle()
        image = label.grab().toImage()
        seen = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        brightest = max((QColor(pixel) for pixel in seen), key=QColor.lightness)
        assert abs(brightest.lightness() - theme.colors().ink.lightness()) < 25
        assert label.text() == rule_link("4.43")
    finally:
        theme.apply(qapp)


def test_a_list_of_choices_opens_whole(qtbot: QtBot, qapp: QApplication) -> None:
    """An opened combo box of four rows shows all four, at the largest text too."""
    try:
        for scale in (1.0, 2.0):
            theme.apply(qapp, "light", scale)
            page = QWidget()
            page.resize(500, 400)
            combo = QComboBox(page)
            combo.addItems(["As the system has it", "Light", "Dark", "High contrast"])
            qtbot.addWidget(page)
            page.show()
            settle()
            combo.showPopup()
            settle()
            view = combo.view()
            rows = sum(view.sizeHintForRow(at) for at in range(combo.count()))
            assert view.viewport().height() >= rows > 0
            assert view.verticalScrollBar().maximum() == 0
            combo.hidePopup()
    finally:
        theme.apply(qapp)


@pytest.mark.parametrize("mode", theme.MODES)
def test_a_docks_close_button_is_seen_in_every_look(qtbot: QtBot, qapp: QApplication, mode: str) -> None:
    """The button lies on a light ground of its own, as its cross is dark."""
    try:
        theme.apply(qapp, mode)
        dock = QDockWidget("Log")
        qtbot.addWidget(dock)
        dock.resize(300, 200)
        dock.show()
        settle()
        button = dock.findChild(QAbstractButton, "qt_dockwidget_closebutton")
        assert isinstance(button, QAbstractButton)
        image = button.grab().toImage()
        width, height = image.width(), image.height()
        tones = [image.pixelColor(x, height // 2).lightness() for x in range(2, width - 2)]
        assert max(tones) > 200
        assert min(tones) < 120
    finally:
        theme.apply(qapp)
