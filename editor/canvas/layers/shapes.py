"""Rectangles and lines round squares and edges, in the scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF

from app.board.picking import UNIT
from app.board.plan import edge_ends
from editor.draft import Edge, Square
from engine.fortress.floorplan import STEP


def rect_of(squares: Iterable[Square], grown: float = 0.0) -> QRectF:
    """Return the scene's rectangle round some squares, grown by so many squares."""
    some = list(squares)
    if not some:
        return QRectF()
    left, right = min(some)[0], max(some)[0] + 1
    top, bottom = min(y for _, y in some), max(y for _, y in some) + 1
    box = QRectF(left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT)
    return box.adjusted(-grown * UNIT, -grown * UNIT, grown * UNIT, grown * UNIT)


def united(boxes: Iterable[QRectF]) -> QRectF:
    """Return the rectangle round some rectangles."""
    whole = QRectF()
    for box in boxes:
        whole = box if whole.isEmpty() else whole if box.isEmpty() else whole.united(box)
    return whole


def outline(squares: frozenset[Square]) -> list[QLineF]:
    """Return the lines round an area of squares."""
    lines = []
    for x, y in squares:
        for side, (dx, dy) in STEP.items():
            if (x + dx, y + dy) not in squares:
                lines.append(edge_ends(x, y, side))
    return lines


def shown(squares: Collection[Square], exposed: QRectF) -> list[Square]:
    """Return those of some squares that are exposed."""
    left, right = int((exposed.left() - 1) // UNIT), int((exposed.right() + 1) // UNIT)
    top, bottom = int((exposed.top() - 1) // UNIT), int((exposed.bottom() + 1) // UNIT)
    if len(squares) <= (right - left + 1) * (bottom - top + 1):
        return [(x, y) for x, y in squares if left <= x <= right and top <= y <= bottom]
    return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1) if (x, y) in squares]


def bar_on(edge: Edge, deep: float = 0.2) -> QRectF:
    """Return a bar that lies on an edge, `deep` squares across."""
    line = edge_ends(*edge)
    half = deep / 2 * UNIT
    return QRectF(line.p1(), line.p2()).normalized().adjusted(-half, -half, half, half)


def stripes(box: QRectF, step: float) -> list[QLineF]:
    """Return slanting lines that fill a rectangle, `step` units apart."""
    lines = []
    first = int((box.left() + box.top()) // step)
    last = int((box.right() + box.bottom()) // step) + 1
    for at in range(first, last + 1):
        # x + y = at * step, cut at the box.
        total = at * step
        left, right = max(box.left(), total - box.bottom()), min(box.right(), total - box.top())
        if left < right:
            lines.append(QLineF(left, total - left, right, total - right))
    return lines


def between(one: QRectF, other: QRectF) -> QLineF:
    """Return the line from one box to another, which begins and ends at their rims."""
    whole = QLineF(one.center(), other.center())
    return QLineF(_leaving(one, whole), _leaving(other, QLineF(whole.p2(), whole.p1())))


def _leaving(box: QRectF, line: QLineF) -> QPointF:
    """Return the point where a line from a box's middle leaves it, and a little further."""
    shares = [1.0]
    if line.dx():
        shares.append((box.width() / 2 + UNIT * 0.15) / abs(line.dx()))
    if line.dy():
        shares.append((box.height() / 2 + UNIT * 0.15) / abs(line.dy()))
    return line.pointAt(min(shares) if box.width() else 0.0)
