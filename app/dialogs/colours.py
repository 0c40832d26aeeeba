"""The screen as other eyes see it: a picture of it with all colours or as a colour-blind player has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QDialog, QVBoxLayout, QWidget

from app import theme
from app.colour_vision import colour_seen, contrast, difference, image_seen
from app.panels.widgets import ActionButton, Label, row

if TYPE_CHECKING:
    from engine.raid.view import View

EYES_NAMES: Final = (
    ("all", "Full colour vision"),
    ("protan", "Red-blind (protanopia)"),
    ("deutan", "Green-blind (deuteranopia)"),
    ("tritan", "Blue-blind (tritanopia)"),
    ("none", "Colour-blind altogether (achromatopsia)"),
)
COMPARED: Final = (
    ("the two sides", "terminator", "clonemaster"),
    ("Terminators and what may be done", "terminator", "accent"),
    ("CloneMaster's side and what may be done", "clonemaster", "accent"),
    ("what may be done and warnings", "accent", "danger"),
)
"""Colours that mean different things: what they are for, and their names in the palette."""
SAMPLE_SIZE: Final = QSize(1240, 640)
NOTICED, CLEAR = 2.3, 10.0  # CIEDE2000
SAMPLED: Final = 24  # counters laid out on the sample board


def picture_of(window: QWidget) -> QImage:
    """Return what a window shows now, or a sample board where it shows none."""
    from app.board.scene import BoardView

    boards = [one for one in window.findChildren(BoardView) if one.isVisible()]
    return window.grab().toImage() if boards else sample_picture()


def sample_picture() -> QImage:
    """Return the citadel with counters of both sides laid out, lit squares and targets."""
    from app.board.scene import BoardView
    from engine.raid.match import RaidMatch
    from engine.raid.scenario import load_scenario

    match = RaidMatch.new(load_scenario("basic"), "1")
    board = BoardView()
    board.resize(SAMPLE_SIZE)
    board.set_board(match.board)
    board.fit()
    view = _laid_out(match.view("clonemaster"))
    board.show_view(view)
    board.set_lit({(x, 13): str(x - 9) for x in range(10, 15)})
    board.set_selected(view.figures[0].name)
    board.set_targets(view.figures[number].name for number in (7, 9))
    picture = board.grab().toImage()
    board.deleteLater()
    return picture


def _laid_out(view: View) -> View:
    """Return a view with some figures of either side face up amid the citadel, two of them hurt."""
    figures = [
        msgspec.structs.replace(
            figure,
            place="map",
            square=(10 + number % 6, 7 + number // 6),
            is_face_up=True,
            is_conscious=number % 11 != 3,
        )
        for number, figure in enumerate(view.figures[:SAMPLED])
    ]
    return msgspec.structs.replace(view, figures=tuple(figures), face_down=((2, 2), (3, 2)))


def verdict(apart: float) -> str:
    """Return a CIEDE2000 difference in words."""
    return "look alike" if apart < NOTICED else "are close" if apart < CLEAR else "differ clearly"


def comparisons(eyes: str) -> list[str]:
    """Return a line for each pair of the palette in force as eyes of a kind see it, with its two colours."""
    colors = theme.colors()
    lines = []
    for purpose, *names in COMPARED:
        one, other = (getattr(colors, name) for name in names)
        apart = difference(one, other, eyes)
        squares = "".join(
            f'<span style="color:{colour_seen(eyes, colour).name()}">■</span>' for colour in (one, other)
        )
        lines.append(f"{squares} {purpose} {verdict(apart)} ({apart:.0f})")
    ratio = min(
        contrast(text, ground, eyes)
        for text in (colors.ink, colors.soft)
        for ground in (colors.paper, colors.panel, colors.field)
    )
    lines.append(f"text is read at {ratio:.1f} to 1 or better")
    return lines


class _Picture(QWidget):
    """A picture as large as there is room for it, in its own proportions."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self.setMinimumSize(320, 180)

    def show_image(self, image: QImage, name: str) -> None:
        """Show another picture."""
        self._image = image
        self.setAccessibleName(name)
        self.update()

    def sizeHint(self) -> QSize:
        return SAMPLE_SIZE

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())
        painter.drawImage(place, self._image)


class ColoursDialog(QDialog):
    """Shows a window as it looks to eyes of the kind chosen; the look is that of the settings."""

    def __init__(self, window: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Check colours")
        self._original = picture_of(window)
        self.eyes = QComboBox()
        self.eyes.setAccessibleName("Whose eyes")
        for value, text in EYES_NAMES:
            self.eyes.addItem(text, value)
        self.eyes.currentIndexChanged.connect(self._show)
        self.picture = _Picture()
        self.close_button = ActionButton("Close", is_main=True)
        self.close_button.clicked.connect(self.accept)
        self.notes = Label(step="small", is_soft=True, is_rich=True)
        line = row(Label("Eyes", wraps=False), self.eyes, self.close_button)
        line.setStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addLayout(line)
        layout.addWidget(self.picture, 1)
        layout.addWidget(self.notes)
        room = self.screen().availableGeometry().size() * 0.92
        self.resize(room.width(), min(room.height(), round(room.width() * 0.6) + theme.size("body") * 9))
        self._show()
        self.eyes.setFocus()

    @property
    def image(self) -> QImage:
        """The picture on show."""
        return self.picture._image

    @Slot()
    def _show(self) -> None:
        kind = str(self.eyes.currentData())
        seen = self._original if kind == "all" else image_seen(kind, self._original)
        self.notes.setText("<br>".join(comparisons(kind)))
        self.picture.show_image(seen, f"The screen as seen with: {self.eyes.currentText()}")
