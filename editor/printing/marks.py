"""What printers' sheets carry: lines of text, crop marks, registration marks, the ruler to measure."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app import theme
from editor.printing.paper import MM

FINE: Final = 0.1 * MM
"""The width of a cut line."""
RULER: Final = 50.0 * MM
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
MIDDLE: Final = Qt.AlignmentFlag.AlignCenter
_SMALLEST: Final = 0.45  # of the size asked for; then a text is cut short


def print_font(high: float, *, is_bold: bool = False) -> QFont:
    """Return the text face so many millimetres high, for use in units."""
    theme.register_fonts()
    font = QFont(theme.TEXT_FAMILY)
    font.setPixelSize(max(1, round(high * MM)))
    font.setBold(is_bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def write_line(
    painter: QPainter,
    box: QRectF,
    text: str,
    high: float,
    ink: QColor,
    where: Qt.AlignmentFlag = LEFT,
    *,
    is_bold: bool = False,
) -> float:
    """Write a line of text `high` mm high into a box, smaller where it is too long; return its width."""
    text = " ".join(text.split())
    font = print_font(high, is_bold=is_bold)
    wide = QFontMetricsF(font).horizontalAdvance(text)
    if wide > box.width():
        font = print_font(high * max(_SMALLEST, box.width() / wide * 0.99), is_bold=is_bold)
        metrics = QFontMetricsF(font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        wide = metrics.horizontalAdvance(text)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(box, where | Qt.TextFlag.TextSingleLine, text)
    return wide


def text_width(text: str, high: float, *, is_bold: bool = False) -> float:
    """Return how long a line of text is, units."""
    return QFontMetricsF(print_font(high, is_bold=is_bold)).horizontalAdvance(text)


def fine_pen(ink: QColor, width: float = FINE, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return a pen that ends where its line ends."""
    return QPen(ink, width, style, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin)


def crop_marks(painter: QPainter, box: QRectF, ink: QColor) -> None:
    """Draw, outside of a box's corners, the lines to cut along."""
    painter.setPen(fine_pen(ink))
    gap, long = 1.2 * MM, 4.5 * MM
    for x, out in ((box.left(), -1), (box.right(), 1)):
        for y in (box.top(), box.bottom()):
            painter.drawLine(QLineF(x + out * gap, y, x + out * (gap + long), y))
    for y, out in ((box.top(), -1), (box.bottom(), 1)):
        for x in (box.left(), box.right()):
            painter.drawLine(QLineF(x, y + out * gap, x, y + out * (gap + long)))


def registration(painter: QPainter, at: QPointF, ink: QColor, ground: QColor) -> None:
    """Draw a cross in a circle that must lie on the same one of the next sheet."""
    radius = 1.4 * MM
    painter.setPen(fine_pen(ground, 0.45 * MM))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (fine_pen(ground, 0.45 * MM), fine_pen(ink, 0.13 * MM)):
        painter.setPen(pen)
        painter.drawEllipse(at, radius, radius)
        painter.drawLine(QLineF(at.x() - 1.7 * radius, at.y(), at.x() + 1.7 * radius, at.y()))
        painter.drawLine(QLineF(at.x(), at.y() - 1.7 * radius, at.x(), at.y() + 1.7 * radius))


def ruler(painter: QPainter, left: float, base: float, ink: QColor) -> None:
    """Draw a line of 50 mm with a tick each 10 mm, to be measured after printing, and say so behind it."""
    painter.setPen(fine_pen(ink, 0.2 * MM))
    painter.drawLine(QLineF(left, base, left + RULER, base))
    for at in range(6):
        high = (2.2 if at in (0, 5) else 1.2) * MM
        x = left + at * RULER / 5
        painter.drawLine(QLineF(x, base, x, base - high))
    write_line(
        painter,
        QRectF(left + RULER + 1.5 * MM, base - 2.6 * MM, 34 * MM, 3 * MM),
        "this line is 50 mm",
        2.3,
        ink,
    )


def foot(painter: QPainter, area: QRectF, name: str, about: str, colors: theme.Colors) -> None:
    """Write at the foot of a page what it is called and what it belongs to, with the ruler behind."""
    line = QRectF(area.left() + 7 * MM, area.bottom() + 3.6 * MM, area.width() - 14 * MM, 4 * MM)
    rule = RULER + 32 * MM
    wide = write_line(painter, line.adjusted(0, 0, -rule, 0), name, 3.4, colors.ink, is_bold=True)
    rest = line.adjusted(wide + 3 * MM, 0, -rule - 3 * MM, 0)
    if rest.width() > 8 * MM:
        write_line(painter, rest, about, 2.5, colors.soft)
    ruler(painter, line.right() - rule + 2 * MM, line.bottom() - 0.6 * MM, colors.soft)
