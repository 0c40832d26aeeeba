"""The small parts of panels follow the look in force."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
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
