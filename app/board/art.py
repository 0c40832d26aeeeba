"""Our own drawings as painter's paths, from the SVG files in resources/art."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QTransform

from resources.path import resource

_TOKEN = re.compile(r"[MLHVCQTZ]|-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Drawing:
    """Filled shapes in order, each with whether it cuts through to what lies behind."""

    side: float
    shapes: tuple[tuple[QPainterPath, bool], ...]

    def draw(self, painter: QPainter, rect: QRectF, ink: QColor, behind: QColor) -> None:
        """Draw into a square rectangle."""
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.translate(rect.topLeft())
        painter.scale(rect.width() / self.side, rect.height() / self.side)
        for path, is_cut in self.shapes:
            painter.setBrush(behind if is_cut else ink)
            painter.drawPath(path)
        painter.restore()


@lru_cache(maxsize=64)
def drawing(name: str) -> Drawing:
    """Return a drawing by its file's name without ".svg".

    Raises FileNotFoundError for an unknown name, ValueError for SVG beyond what our art uses.
    """
    root = ET.fromstring(resource(f"art/{name}.svg").read_bytes())
    side = float(root.attrib["viewBox"].split()[2])
    return Drawing(side, tuple(_shapes(root)))


def _shapes(root: ET.Element) -> Iterator[tuple[QPainterPath, bool]]:
    for element in root:
        path = _outline(element)
        turn = element.get("transform")
        if turn is not None:
            angle, x, y = (float(one) for one in turn.removeprefix("rotate(").rstrip(")").split())
            path = QTransform().translate(x, y).rotate(angle).translate(-x, -y).map(path)
        fill, stroke = element.get("fill"), element.get("stroke")
        if fill is not None:
            path.setFillRule(Qt.FillRule.WindingFill)
            yield path, fill == "white"
        elif stroke is not None:
            stroker = QPainterPathStroker()
            stroker.setWidth(float(element.attrib["stroke-width"]))
            stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
            stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            outline = stroker.createStroke(path)
            outline.setFillRule(Qt.FillRule.WindingFill)
            yield outline, stroke == "white"


def _outline(element: ET.Element) -> QPainterPath:
    path = QPainterPath()
    kind = element.tag.rpartition("}")[2]
    if kind == "circle":
        x, y, r = (float(element.attrib[key]) for key in ("cx", "cy", "r"))
        path.addEllipse(QPointF(x, y), r, r)
    elif kind == "ellipse":
        x, y, rx, ry = (float(element.attrib[key]) for key in ("cx", "cy", "rx", "ry"))
        path.addEllipse(QPointF(x, y), rx, ry)
    elif kind == "path":
        _trace(path, element.attrib["d"])
    else:
        raise ValueError(f"our art has no <{kind}>")
    return path


def _trace(path: QPainterPath, data: str) -> None:
    """Follow path data of absolute commands."""
    tokens = _TOKEN.findall(data)
    at = 0
    command = "M"
    bend = QPointF()

    def number() -> float:
        nonlocal at
        at += 1
        return float(tokens[at - 1])

    def point() -> QPointF:
        x = number()
        return QPointF(x, number())

    while at < len(tokens):
        if tokens[at].isalpha():
            command = tokens[at]
            at += 1
        here = path.currentPosition()
        if command == "M":
            path.moveTo(point())
            command = "L"
        elif command == "L":
            path.lineTo(point())
        elif command == "H":
            path.lineTo(number(), here.y())
        elif command == "V":
            path.lineTo(here.x(), number())
        elif command == "C":
            path.cubicTo(point(), point(), point())
        elif command == "Q":
            bend = point()
            path.quadTo(bend, point())
        elif command == "T":
            bend = here * 2 - bend
            path.quadTo(bend, point())
        else:
            path.closeSubpath()
