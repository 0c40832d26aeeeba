"""The ghost: what a click would do, drawn over the map; green where it may, red and hatched where not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app import theme
from app.board.picking import UNIT, square_rect
from app.board.plan import GAP, HAIR, INNER, JAMB, draw_dropoff, edge_ends, faded
from app.board.stacks import ALONE
from app.board.stacks import Spot as Place
from app.board.things import Thing, draw_thing
from editor.canvas.figures import placed_figure, start_figure
from editor.canvas.ground import Ground
from editor.canvas.layers.entries import draw_entry, entry_box
from editor.canvas.layers.figures import draw_figure
from editor.canvas.layers.layer import Z_GHOST, Layer, pixel
from editor.canvas.layers.shapes import bar_on, outline, rect_of, shown, stripes, united
from editor.draft import Draft, Edge, Square
from editor.edits.pieces import Piece
from editor.tools.base import NO_GHOST, Ghost
from engine.fortress.floorplan import ROCK, EdgeKind, FloorPlan, Side
from engine.raid.scenario import Placement


class GhostLayer(Layer):
    """The ghost of the tool in hand."""

    def __init__(self, ground: Ground) -> None:
        super().__init__(Z_GHOST)
        self.ghost = NO_GHOST
        self._ground = ground
        self._draft: Draft | None = None
        self._outlines: tuple[list[QLineF], list[QLineF]] = ([], [])

    def set_ghost(self, ghost: Ghost, draft: Draft) -> None:
        """Show another ghost over a draft."""
        self._draft = draft
        if ghost == self.ghost and self.isVisible():
            return
        self.ghost = ghost
        self._outlines = outline(ghost.squares), outline(ghost.ring)
        self.cover(extent(ghost, draft.plan) if ghost != NO_GHOST else QRectF())

    def draw(self, painter: QPainter, exposed: QRectF, colors: theme.Colors) -> None:
        if self._draft is None:
            return
        ghost, plan = self.ghost, self._draft.plan
        unit = pixel(painter)
        colour = colors.accent if ghost.is_legal else colors.danger
        if ghost.letter is not None:
            self._draw_floor(painter, shown(ghost.squares, exposed), ghost.letter, colors)
        if ghost.piece is not None:
            piece, (left, top) = ghost.piece
            self._draw_piece(painter, piece, (left, top), colors)
            placed = frozenset((x + left, y + top) for x, y in piece.squares)
            bare = () if ghost.is_legal else shown(placed, exposed)
            _draw_area(painter, bare, outline(placed), colour, is_legal=ghost.is_legal)
        squares, ring = self._outlines
        _draw_area(painter, shown(ghost.squares, exposed), squares, colour, is_legal=ghost.is_legal)
        _draw_ring(painter, ring, colour)
        for edge, kind in ghost.edges:
            _draw_edge(painter, edge, kind, colors, self._ground.down(edge) if kind == "dropoff" else None)
            _draw_bar(painter, edge, colour, is_legal=ghost.is_legal)
        for one in ghost.equipment:
            draw_thing(painter, Thing("", one.kind, one.x, one.y, one.side, False), colors)
        for entry in ghost.entries:
            draw_entry(painter, plan, entry, colors)
        self._draw_figures(painter)
        boxes = [square_rect((thing.x, thing.y)) for thing in ghost.equipment]
        boxes += [square_rect((entry.x, entry.y)) for entry in ghost.entries]
        boxes += [square_rect(square) for square in _standing(ghost)]
        for box in boxes:
            _draw_box(painter, box, colour, unit, is_legal=ghost.is_legal)

    def _draw_floor(
        self, painter: QPainter, squares: list[Square], letter: str, colors: theme.Colors
    ) -> None:
        """Tint squares as the room that they would go to."""
        tint = colors.paper if letter == ROCK else colors.rooms[self._ground.tints.get(letter, 1)]
        wash = faded(tint, 0.85)
        for square in squares:
            painter.fillRect(square_rect(square), wash)

    def _draw_piece(self, painter: QPainter, piece: Piece, at: Square, colors: theme.Colors) -> None:
        """Draw a piece, see-through, where it would be put down."""
        plan = piece.plan
        painter.save()
        painter.translate(at[0] * UNIT, at[1] * UNIT)
        names = {room.letter: at for at, room in enumerate(plan.rooms)}
        for x, y in piece.squares:
            letter = plan.grid[y][x]
            tint = self._ground.tints.get(letter, 2 * names.get(letter, 0) % len(colors.rooms))
            colour = colors.paper if letter == ROCK else colors.rooms[tint]
            painter.fillRect(square_rect((x, y)), faded(colour, 0.8))
        for edge, kind in piece.edges:
            _draw_edge(painter, edge, kind, colors, None)
        for one in plan.equipment:
            draw_thing(painter, Thing("", one.kind, one.x, one.y, one.side, False), colors)
        for entry in plan.entries:
            draw_entry(painter, plan, entry, colors)
        painter.restore()

    def _draw_figures(self, painter: QPainter) -> None:
        if self._draft is None:
            return
        scenario = self._draft.scenario
        numbers: Counter[str] = Counter(
            one.kind for one in (scenario.placements if scenario is not None else ())
        )
        for one in self.ghost.figures:
            if isinstance(one, Placement):
                numbers[one.kind] += 1
                face = placed_figure(one, numbers[one.kind], scenario)
            else:
                face = start_figure(one, scenario)
            if one.square is not None:
                x, y = one.square
                draw_figure(painter, Place("", face, (x, y), (0.0, 0.0), ALONE, 0, ""), 0.75)


def _draw_area(
    painter: QPainter, squares: Iterable[Square], lines: list[QLineF], colour: QColor, *, is_legal: bool
) -> None:
    """Tint and outline squares, and hatch those where it cannot be done."""
    unit = pixel(painter)
    wash = faded(colour, 0.2)
    for square in squares:
        painter.fillRect(square_rect(square), wash)
    if not is_legal:
        painter.setPen(QPen(colour, max(unit, 1.2)))
        for square in squares:
            painter.drawLines(stripes(square_rect(square), UNIT / 4))
    painter.setPen(QPen(colour, 2.5 * unit, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
    painter.drawLines(lines)


def _draw_ring(painter: QPainter, lines: list[QLineF], colour: QColor) -> None:
    pen = QPen(colour, 2 * pixel(painter))
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawLines(lines)


def _standing(ghost: Ghost) -> list[Square]:
    return [(one.square[0], one.square[1]) for one in ghost.figures if one.square is not None]


def extent(ghost: Ghost, plan: FloorPlan) -> QRectF:
    """Return the scene's rectangle that a ghost covers."""
    squares = {*ghost.squares, *ghost.ring, *_standing(ghost)}
    squares |= {(one.x, one.y) for one in ghost.equipment}
    if ghost.piece is not None:
        piece, (x, y) = ghost.piece
        squares |= {(x, y), (x + piece.plan.width - 1, y + piece.plan.height - 1)}
    boxes = [rect_of(squares, 0.2)]
    boxes += [bar_on(edge, 0.8) for edge, _ in ghost.edges]
    boxes += [entry_box(plan, entry) for entry in ghost.entries]
    if ghost.piece is not None and ghost.piece[0].plan.entries:
        boxes.append(rect_of(squares, 2))
    return united(boxes)


def _draw_edge(
    painter: QPainter, edge: Edge, kind: EdgeKind, colors: theme.Colors, down: Side | None
) -> None:
    """Draw what would stand on an edge."""
    x, y, side = edge
    line = edge_ends(x, y, side)
    if kind == "dropoff":
        draw_dropoff(painter, line, down, colors)
        return
    if kind == "open":
        painter.setPen(QPen(colors.faint, 2 * HAIR * UNIT))
        painter.drawLine(line)
        return
    pen = QPen(colors.wall, INNER * UNIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    if kind == "wall":
        painter.drawLine(line)
        return
    low, high = (1 - GAP) / 2, (1 + GAP) / 2
    painter.drawLines([QLineF(line.p1(), line.pointAt(low)), QLineF(line.pointAt(high), line.p2())])
    pen.setWidthF(JAMB[0] * UNIT)
    painter.setPen(pen)
    aside = QPointF(line.dy(), line.dx()) * (JAMB[1] / 2)
    for share in (low, high):
        painter.drawLine(QLineF(line.pointAt(share) - aside, line.pointAt(share) + aside))
    if kind == "armored":
        draw_thing(painter, Thing("", "armored", x, y, side, False), colors)


def _draw_bar(painter: QPainter, edge: Edge, colour: QColor, *, is_legal: bool) -> None:
    """Light an edge that a click would change; one where it cannot is hatched."""
    unit = pixel(painter)
    bar = bar_on(edge, 0.3)
    painter.setPen(QPen(colour, 2 * unit))
    painter.setBrush(faded(colour, 0.25))
    painter.drawRoundedRect(bar, 4, 4)
    if not is_legal:
        painter.setPen(QPen(colour, max(unit, 1.2)))
        painter.drawLines(stripes(bar, UNIT / 7))


def _draw_box(painter: QPainter, box: QRectF, colour: QColor, unit: float, *, is_legal: bool) -> None:
    painter.setPen(QPen(colour, 2 * unit))
    painter.setBrush(faded(colour, 0.14))
    painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), 5, 5)
    if not is_legal:
        painter.setPen(QPen(colour, max(unit, 1.2)))
        painter.drawLines(stripes(box.adjusted(3, 3, -3, -3), UNIT / 4))
