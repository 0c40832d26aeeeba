"""The small parts of panels follow the look in force."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDockWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.widgets import Label, MoreSign, column, rule_link
from tests.helpers.panels import settle


@pytest.mark.parametrize("mode", ["dark", "contrast"])
def test_a_rule_link_is_readable_after_the_look_has_changed(
    qtbot: QtBot, qapp: QApplication, mode: str
) -> None:
    """A link set in the light look is drawn in the ink of the look chosen later."""
    theme.apply(qapp, "light")
    label = Label(rule_link("4.43"), is_rich=True, wraps=False)
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


def test_a_rule_link_in_focus_is_plainly_framed(qtbot: QtBot, qapp: QApplication) -> None:
    """Tab goes from link to link of a text, each in a solid frame of the ink of the theme and no other."""
    theme.apply(qapp)
    window = QWidget()
    qtbot.addWidget(window)
    before = QPushButton("Before", window)
    label = Label(
        f"Some words that go on for more than a line. {rule_link('5.4')} {rule_link('R30')}", is_rich=True
    )
    window.setLayout(column(before, label))
    window.resize(200, 160)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    before.setFocus()
    frames = []
    for rule in ("5.4", "R30"):
        QTest.keyClick(before if rule == "5.4" else label, Qt.Key.Key_Tab)
        assert label.selectedText() == rule
        frames.append(label._link_rect())
        picture = label.grab().toImage()
        left, middle = round(frames[-1].left()), round(frames[-1].center().y())
        near = [picture.pixelColor(left + step, middle).lightness() for step in (-1, 0, 1)]
        assert min(near) < theme.colors().ink.lightness() + 40
    assert frames[0].right() <= frames[1].left() + 4
    assert QRectF(label.rect()).contains(frames[1])


def test_what_is_cut_by_the_edge_says_so(qtbot: QtBot, qapp: QApplication) -> None:
    """A sign covers the lowest line of what scrolls, wherever that is, and goes at the end."""
    theme.apply(qapp)
    scroll = QScrollArea()
    qtbot.addWidget(scroll)
    scroll.setWidgetResizable(True)
    inner = QWidget()
    inner.setMinimumHeight(400)
    scroll.setWidget(inner)
    sign = MoreSign(scroll)
    scroll.resize(200, 150)
    scroll.show()
    settle()
    assert sign.isVisible()
    assert sign.geometry().bottom() == scroll.viewport().geometry().bottom()
    scroll.resize(260, 190)
    settle()
    assert sign.width() == scroll.viewport().width()
    assert sign.geometry().bottom() == scroll.viewport().geometry().bottom()
    bar = scroll.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert not sign.isVisible()
    bar.setValue(0)
    assert sign.isVisible()
    inner.setMinimumHeight(50)
    settle()
    assert not sign.isVisible()


def test_what_a_key_gives_the_focus_is_brought_into_sight(qtbot: QtBot) -> None:
    """Also where the focus comes from a button that does not scroll, to the last line or the first."""
    page = QWidget()
    scroll, outside = QScrollArea(), QPushButton("Host")
    first, last = QPushButton("first"), QPushButton("last")
    inner = QWidget()
    layout = QVBoxLayout(inner)
    layout.addWidget(first)
    layout.addSpacing(600)
    layout.addWidget(last)
    scroll.setWidget(inner)
    MoreSign(scroll)
    page.setLayout(column(scroll, outside))
    page.resize(200, 200)
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    settle()
    outside.setFocus()
    QTest.keyClick(outside, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert last.hasFocus()
    assert last.visibleRegion().boundingRect().height() == last.height()
    outside.setFocus()
    QTest.keyClick(outside, Qt.Key.Key_Tab)
    QTest.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
    assert first.hasFocus()
    assert first.visibleRegion().boundingRect().height() == first.height()
