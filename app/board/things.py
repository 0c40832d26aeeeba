"""Equipment and armored doors as line art, whole and destroyed (2.1, 2.53)."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app import theme
from app.board.picking import UNIT
from app.board.plan import GAP, OUTER, computer_box, edge_ends
from engine.fortress.floorplan import FloorPlan, written
from engine.fortress.thing_names import armored_edges, door_name, equipment_name
from engine.raid.view import View

STROKE = 0.055
TANK_RADIUS = 0.375  # R2


class Thing(NamedTuple):
    """A piece of equipment or an armored door, by its target name."""

    name: str
    kind: str
    x: int
    y: int
    side: str | None
    is_destroyed: bool

    @property
    def box(self) -> QRectF:
        """The scene's rectangle that it fills."""
        if self.kind == "armored":
            line = edge_ends(self.x, self.y, self.side or "E")
            return QRectF(line.p1(), line.p2()).normalized().adjusted(-8, -8, 8, 8)
        if self.kind == "computer":
            left, top, right, bottom = computer_box(self.x, self.y, self.side)
            return QRectF(left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT)
        side = 2 * TANK_RADIUS * UNIT
        return QRectF((self.x + 0.5) * UNIT - side / 2, (self.y + 0.5) * UNIT - side / 2, side, side)

    @property
    def reach(self) -> QRectF:
        """What must be drawn anew when it changes."""
        return self.box.adjusted(-UNIT * 0.25, -UNIT * 0.25, UNIT * 0.25, UNIT * 0.25)

    @property
    def target_box(self) -> QRectF:
        """Where the corners of a target's sight go: never so flat that they touch."""
        box = self.box
        across, down = (max(0.0, UNIT * 0.62 - size) / 2 for size in (box.width(), box.height()))
        return box.adjusted(-across, -down, across, down)


def things_of(plan: FloorPlan, view: View | None) -> tuple[Thing, ...]:
    """Return the equipment and armored doors of a plan, or of what a viewer knows."""
    if view is not None:
        return (
            *(Thing(one.name, one.kind, *one.square, one.side, one.is_destroyed) for one in view.equipment),
            *(Thing(one.name, "armored", *one.square, one.side, one.is_destroyed) for one in view.doors),
        )
    return (
        *(
            Thing(equipment_name(one.kind, one.x, one.y), one.kind, one.x, one.y, one.side, False)
            for one in plan.equipment
        ),
        *(Thing(door_name(*edge), "armored", *written(*edge), False) for edge in armored_edges(plan)),
    )


def draw_thing(painter: QPainter, thing: Thing, colors: theme.Colors) -> None:
    """Draw one thing in its state."""
    if thing.kind == "armored":
        _draw_door(painter, thing, colors)
    elif thing.kind == "computer":
        _draw_computer(painter, thing, colors)
    else:
        _draw_tank(painter, thing, colors)


def _pen(colour: QColor, width: float = STROKE) -> QPen:
    return QPen(
        colour, width * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )


def _asterisk(painter: QPainter, middle: QPointF, radius: float) -> None:
    for at in range(3):
        angle = math.radians(30 + 60 * at)
        arm = QPointF(math.cos(angle) * radius, math.sin(angle) * radius)
        painter.drawLine(QLineF(middle - arm, middle + arm))


def _cross(painter: QPainter, middle: QPointF, half: QPointF, colors: theme.Colors) -> None:
    """Cross a thing out."""
    for colour, width in ((colors.paper, 0.19), (colors.danger, 0.1)):
        painter.setPen(_pen(colour, width))
        painter.drawLine(QLineF(middle - half, middle + half))
        painter.drawLine(QLineF(middle + QPointF(-half.x(), half.y()), middle + QPointF(half.x(), -half.y())))


def _draw_tank(painter: QPainter, thing: Thing, colors: theme.Colors) -> None:
    box = thing.box
    middle = box.center()
    radius = box.width() / 2
    painter.setPen(_pen(colors.wall))
    if not thing.is_destroyed:
        painter.setBrush(colors.field)
        inset = STROKE * UNIT / 2
        painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
        _asterisk(painter, middle, radius * 0.56)
        return
    # The glass has burst: three arcs thrown apart, splinters between them.
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for start, shift in ((20, 0.06), (150, 0.04), (265, 0.08)):
        angle = math.radians(start + 37)
        moved = box.translated(math.cos(angle) * shift * UNIT, -math.sin(angle) * shift * UNIT).adjusted(
            3, 3, -3, -3
        )
        painter.drawArc(moved, start * 16, 74 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.wall)
    for angle, far, size in (
        (5, 1.02, 0.1),
        (118, 1.0, 0.12),
        (240, 1.04, 0.1),
        (200, 0.6, 0.08),
        (330, 0.66, 0.09),
    ):
        turn = math.radians(angle)
        at = middle + QPointF(math.cos(turn), -math.sin(turn)) * (radius * far)
        _splinter(painter, at, size * UNIT, angle)
    _cross(painter, middle, QPointF(radius * 0.5, radius * 0.5), colors)


def _splinter(painter: QPainter, at: QPointF, size: float, angle: float) -> None:
    path = QPainterPath()
    for corner, far in ((angle, 1.0), (angle + 130, 0.6), (angle + 215, 0.8)):
        turn = math.radians(corner)
        point = at + QPointF(math.cos(turn), -math.sin(turn)) * (size * far)
        if path.elementCount() == 0:
            path.moveTo(point)
        else:
            path.lineTo(point)
    path.closeSubpath()
    painter.drawPath(path)


def _draw_computer(painter: QPainter, thing: Thing, colors: theme.Colors) -> None:
    box = thing.box
    inset = STROKE * UNIT / 2
    # Stand off the wall by its own stroke, so that the wall keeps its thickness.
    off = {"N": (0, 1), "S": (0, -1), "W": (1, 0), "E": (-1, 0)}.get(thing.side or "S", (0, -1))
    body = box.adjusted(inset, inset, -inset, -inset).translated(off[0] * UNIT * 0.05, off[1] * UNIT * 0.05)
    middle = body.center()
    painter.setPen(_pen(colors.wall))
    if not thing.is_destroyed:
        painter.setBrush(colors.field)
        painter.drawRoundedRect(body, UNIT * 0.03, UNIT * 0.03)
        _asterisk(painter, middle, min(body.width(), body.height()) * 0.36)
        return
    # Torn across: two halves, a little out of line.
    is_level = body.width() > body.height()
    long = body.width() if is_level else body.height()
    high = body.height() if is_level else body.width()
    painter.save()
    painter.translate(middle)
    if not is_level:
        painter.rotate(90)
    painter.setBrush(colors.field)
    for sign in (-1, 1):
        half = QPainterPath(QPointF(sign * long / 2, -high / 2))
        for x, y in ((0.1, -0.5), (0.04, -0.2), (0.13, 0.1), (0.05, 0.5)):
            half.lineTo(sign * long * x, high * y)
        half.lineTo(sign * long / 2, high / 2)
        half.closeSubpath()
        painter.save()
        painter.rotate(sign * 6)
        painter.drawPath(half)
        painter.restore()
    painter.restore()
    reach = min(long, high) * 0.9
    _cross(painter, middle, QPointF(reach * 0.62, reach * 0.62), colors)


def _draw_door(painter: QPainter, thing: Thing, colors: theme.Colors) -> None:
    line = edge_ends(thing.x, thing.y, thing.side or "E")
    along = QPointF(line.dx(), line.dy()) / UNIT
    aside = QPointF(-along.y(), along.x())
    middle = line.pointAt(0.5)
    half = (GAP / 2 - 0.035) * UNIT
    apart = OUTER * 0.5 * UNIT
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if not thing.is_destroyed:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.field)
        corners = [
            middle - along * half - aside * apart,
            middle + along * half - aside * apart,
            middle + along * half + aside * apart,
            middle - along * half + aside * apart,
        ]
        painter.drawPolygon(corners)
        painter.setPen(QPen(colors.wall, 0.065 * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        for sign in (-1, 1):
            shift = aside * (sign * apart)
            painter.drawLine(QLineF(middle - along * half + shift, middle + along * half + shift))
        return
    # Burst open: each of the two lines has a hole, and its ends are bent inwards or outwards.
    painter.setPen(QPen(colors.wall, 0.06 * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    for sign in (-1, 1):
        for end in (-1, 1):
            hinge = middle + along * (end * half) + aside * (sign * apart)
            tip = (
                middle + along * (end * half * 0.42) + aside * (sign * apart * (2.9 if end == sign else 1.5))
            )
            painter.drawLine(QLineF(hinge, tip))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.wall)
    for share, off, size, angle in ((-0.14, 0.1, 0.07, 40), (0.1, -0.16, 0.08, 160), (0.02, 0.22, 0.06, 280)):
        _splinter(painter, middle + along * (share * UNIT) + aside * (off * UNIT), size * UNIT, angle)
