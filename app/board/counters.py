"""Counters as vector art: faces, backs and the symbols of abilities (2.5)."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app import theme
from engine.raid.figures import ALLOWANCE, KINDS
from engine.raid.view import FigureView

Face: TypeAlias = FigureView | str
"""A figure face up, or "back" for one face down."""


def draw_counter(painter: QPainter, rect: QRectF, face: Face, colors: theme.Colors | None = None) -> None:
    """Draw a counter into a square rectangle, face up or its back."""
    chosen = colors or theme.colors()
    side = "clonemaster" if isinstance(face, str) else face.side
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(chosen.chip_edge, rect.width() / 28))
    painter.setBrush(chosen.side(side))
    painter.drawRoundedRect(rect, rect.width() / 12, rect.width() / 12)
    if not isinstance(face, str):
        painter.setPen(QColor(chosen.side_art(side)))
        font = theme.font("small", is_bold=True)
        font.setPixelSize(max(1, int(rect.width() * 0.3)))
        painter.setFont(font)
        label = "".join(word[0] for word in face.name.split())
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, f"{label}\n{ALLOWANCE[KINDS.index(face.kind)]}")
    painter.restore()


def counter_pixmap(face: Face, size: int, dpr: float = 1.0) -> QPixmap:
    """Return a counter, or "back", as a picture of `size` by `size` logical pixels."""
    made = QPixmap(round(size * dpr), round(size * dpr))
    made.setDevicePixelRatio(dpr)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    draw_counter(painter, QRectF(1, 1, size - 2, size - 2), face)
    painter.end()
    return made


def counter_symbol_pixmap(
    ability: str, size: int, dpr: float = 1.0, *, weapon: str | None = None, color: QColor | None = None
) -> QPixmap:
    """Return the symbol of an ability or tactics counter ("fist", "kick", "weapon", "mist", "soul", "heart").

    `weapon` draws that Jelly's own weapon; `color` is the ink of the palette unless given.
    """
    made = QPixmap(round(size * dpr), round(size * dpr))
    made.setDevicePixelRatio(dpr)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setPen(color or theme.colors().ink)
    painter.drawText(QRectF(0, 0, size, size), Qt.AlignmentFlag.AlignCenter, ability[0].upper())
    painter.end()
    return made
