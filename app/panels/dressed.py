"""Widgets that follow the theme: what has to be done anew when colours or the size of text change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from app import theme

if TYPE_CHECKING:
    _Base = QWidget
else:
    _Base = object

THEME_EVENTS = (QEvent.Type.StyleChange, QEvent.Type.PaletteChange, QEvent.Type.ApplicationFontChange)


class Dressed(_Base):
    """A widget that takes on the theme in force, and every later one; stands before its Qt class.

    Its constructor ends with `dress`; `_dress` does what has to be done, the first time and ever after.
    """

    # Of the class: Qt tells of changes while a constructor is under way, and while a widget is taken apart.
    _is_dressed = False

    def dress(self) -> None:
        """Take on the theme in force, and follow it from now on."""
        self._dress()
        self._is_dressed = True

    def _dress(self) -> None:
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        # While a theme is put in force each of its parts tells every widget; only the last time counts.
        if self._is_dressed and event.type() in THEME_EVENTS and not theme.is_changing():
            self._dress()
        return done


class Drawn(Dressed):
    """A widget that draws itself from the theme: it is measured and drawn anew."""

    _is_dressed = True

    def _dress(self) -> None:
        self.updateGeometry()
        self.update()
