"""The turn and phase track: where the game is, as on the printed map."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import theme
from app.markup import as_text
from app.panels.dressed import Drawn
from app.session import Session
from app.wording import PHASE_SHORT
from engine.raid.figures import SIDE_NAMES
from engine.raid.view import PHASE_NAMES, PHASES, View

STEPS = PHASES[1:8]  # the seven phases of a turn (3.2)


class TurnTrack(Drawn, QWidget):
    """Turns as a row of boxes, the phases of the turn as another; the present ones stand out by form too."""

    def __init__(self, session: Session | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._view: View | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Turn and phase")
        if session is not None:
            session.changed.connect(self.refresh)
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the session's view."""
        self.show_view(self.session.view if self.session is not None else None)

    def show_view(self, view: View | None) -> None:
        """Show a view's turn and phase; None shows none."""
        self._view = view
        said = ""
        if view is not None:
            said = f"Turn {view.turn} of {view.last_turn}, {PHASE_NAMES[view.phase]}"
            if view.points is not None:
                said += f". Points: {_scored(view.points)}"
        self.setAccessibleDescription(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.size("body") * 40, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("small") * 12, self._height())

    def _height(self) -> int:
        return QFontMetrics(theme.font("small")).height() + theme.SPACE * 2

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), as_text(self.accessibleDescription()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        view = self._view
        if view is None:
            return
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font, bold = theme.font("small"), theme.font("small", is_bold=True)
        metrics = QFontMetrics(bold)
        height = metrics.height() + 4
        top = (self.height() - height) / 2
        x = float(theme.SPACE)
        title = theme.font("body", is_title=True)
        painter.setFont(title)
        painter.setPen(colors.ink)
        words = f"Turn {view.turn}/{view.last_turn}" if self._is_narrow(view) else "Turn"
        width = QFontMetrics(title).horizontalAdvance(words)
        painter.drawText(QRectF(x, top, width + 2, height), Qt.AlignmentFlag.AlignVCenter, words)
        x += width + theme.SPACE
        if not self._is_narrow(view):
            for turn in range(1, view.last_turn + 1):
                box = QRectF(x, top, height, height)
                self._paint_box(painter, box, str(turn), turn == view.turn, turn < view.turn)
                x += height + 3
        x += theme.SPACE
        labels = [PHASE_SHORT[step] for step in STEPS]
        widths = [metrics.horizontalAdvance(label) + theme.SPACE * 1.5 for label in labels]
        room = self.width() - x - theme.SPACE
        if view.points is not None:
            # Not beside the phase's own words where there is no room for both: then its figures alone.
            words = f"Points: {_scored(view.points)}"
            left = room - metrics.horizontalAdvance(PHASE_NAMES["terminator-move-2"]) - theme.SPACE * 2
            if metrics.horizontalAdvance(words) > left:
                words = " : ".join(str(number) for number in view.points.values())
            width = metrics.horizontalAdvance(words) + 2
            painter.setFont(bold)
            painter.setPen(colors.ink)
            box = QRectF(self.width() - theme.SPACE - width, top, width, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
            room -= width + theme.SPACE
        if sum(widths) + 3 * len(widths) > room or view.phase not in STEPS:
            painter.setFont(bold)
            painter.setPen(colors.ink)
            painter.drawText(
                QRectF(x, top, room, height), Qt.AlignmentFlag.AlignVCenter, PHASE_NAMES[view.phase]
            )
            return
        now = STEPS.index(view.phase)
        painter.setFont(font)
        for number, (label, width_) in enumerate(zip(labels, widths, strict=True)):
            self._paint_box(painter, QRectF(x, top, width_, height), label, number == now, number < now)
            x += width_ + 3

    def _is_narrow(self, view: View) -> bool:
        """Return whether there is no room for a box for each turn beside the phase's name."""
        metrics = QFontMetrics(theme.font("small", is_bold=True))
        boxes = (metrics.height() + 7) * view.last_turn + metrics.horizontalAdvance("Turn") * 2
        return boxes + metrics.horizontalAdvance("Terminator Move II") + 40 > self.width()

    def _paint_box(self, painter: QPainter, box: QRectF, text: str, is_now: bool, is_past: bool) -> None:
        colors = theme.colors()
        painter.setBrush(colors.ink if is_now else Qt.BrushStyle.NoBrush)
        # What is over has lost its box, so that it is told from what comes without a paler text.
        painter.setPen(Qt.PenStyle.NoPen if is_past else QPen(colors.ink if is_now else colors.faint, 1))
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(theme.font("small", is_bold=is_now))
        painter.setPen(colors.field if is_now else colors.soft)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _scored(points: Mapping[str, int]) -> str:
    """Return what each side has scored so far (6.3)."""
    return ", ".join(f"{SIDE_NAMES[side]} {number}" for side, number in points.items())
