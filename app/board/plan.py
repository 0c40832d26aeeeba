"""The plan's ink: floor, walls, doors, names, drawn once a zoom and then only copied."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.board.picking import UNIT
from engine.fortress.floorplan import FloorPlan

MARGIN: Final = 1.1
"""The rim round a plan for arrows and the frame, squares."""


class PlanArt:
    """A plan ready to be drawn in one palette."""

    def __init__(self, plan: FloorPlan, colors: theme.Colors) -> None:
        self.plan = plan
        self.colors = colors
        self.bounds = QRectF(
            -MARGIN * UNIT,
            -MARGIN * UNIT,
            (plan.width + 2 * MARGIN) * UNIT,
            (plan.height + 2 * MARGIN) * UNIT,
        )

    def draw(self, painter: QPainter, exposed: QRectF) -> None:
        """Draw what lies in the exposed rectangle of the scene."""
        plan, colors = self.plan, self.colors
        painter.fillRect(exposed, colors.paper)
        letters = [room.letter for room in plan.rooms]
        for y in range(plan.height):
            for x in range(plan.width):
                room = plan.room_at(x, y)
                if room is None:
                    continue
                rect = QRectF(x * UNIT, y * UNIT, UNIT, UNIT)
                painter.fillRect(rect, colors.rooms[letters.index(room.letter) % len(colors.rooms)])
                painter.setPen(QPen(colors.faint, UNIT / 10, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawPoint(rect.center())
                painter.setPen(QPen(colors.wall, UNIT / 10))
                ends: tuple[tuple[str, QPointF, QPointF], ...] = (
                    ("E", rect.topRight(), rect.bottomRight()),
                    ("S", rect.bottomLeft(), rect.bottomRight()),
                    ("N", rect.topLeft(), rect.topRight()),
                    ("W", rect.topLeft(), rect.bottomLeft()),
                )
                for side, start, end in ends:
                    if plan.edge_kind(x, y, side) in ("wall", "armored"):  # type: ignore[arg-type]
                        painter.drawLine(start, end)
