"""The scenario's counters where they start."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app import theme
from app.board import counters
from app.board.picking import UNIT, centre, square_rect
from app.board.stacks import Spot as Place
from editor.canvas.figures import places_of
from editor.canvas.layers.layer import Z_FIGURES, Layer
from editor.canvas.layers.shapes import rect_of
from editor.draft import Draft


class FiguresLayer(Layer):
    """The scenario's counters where they start, as the game lays them."""

    def __init__(self) -> None:
        super().__init__(Z_FIGURES)
        self.places: list[Place] = []
        """The counters on show, the undermost first."""

    def set_draft(self, draft: Draft) -> None:
        """Show the counters of another draft."""
        self.places = sorted(places_of(draft), key=lambda one: one.layer)
        self.cover(rect_of((place.square for place in self.places), 0.3))

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        for place in self.places:
            box = square_rect(place.square).adjusted(-UNIT / 4, -UNIT / 4, UNIT / 4, UNIT / 4)
            if box.intersects(exposed):
                draw_figure(painter, place)


def draw_figure(painter: QPainter, place: Place, opacity: float = 1.0) -> None:
    """Draw a counter, from its kept picture."""
    side = UNIT * place.size
    world, dpr = painter.worldTransform(), painter.device().devicePixelRatio()
    pixels = max(1, round(side * world.m11() * dpr))
    middle = world.map(centre(place.square) + QPointF(*place.offset))
    corner = QPointF(round(middle.x() * dpr - pixels / 2) / dpr, round(middle.y() * dpr - pixels / 2) / dpr)
    painter.save()
    painter.resetTransform()
    painter.setOpacity(opacity)
    painter.drawPixmap(corner, counters.counter_pixmap(place.face, pixels / dpr, dpr))
    painter.restore()
