"""How long the board takes to draw, against one item that paints 600 plain squares; run it by hand.

    QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.repaint

Prints processor milliseconds (median) and the ratio to the anchor of the same run: a full repaint is to
stay at or below 1.3, one changed square or counter at or below 0.2 ms.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsView,
    QStyleOptionGraphicsItem,
    QWidget,
)

from app import theme
from app.board.items import FigureItem
from app.board.scene import BoardView
from engine.fortress.floorplan import FloorPlan, RoomInfo, load_floorplan
from engine.raid.figures import ABILITIES, JELLIES
from engine.raid.tables import HitNumbers
from engine.raid.view import FigureView, View
from tests.benchmarks.anchor import median_ms

SIZE = (1280, 800)


class _Anchor(QGraphicsItem):
    """The plainest board: 600 rectangles in four colours, painted by one item."""

    def __init__(self) -> None:
        super().__init__()
        self._rects = [
            (QBrush(QColor(name)), [QRectF(i % 32 * 24, i // 32 * 24, 24, 24) for i in range(at, 600, 4)])
            for at, name in enumerate(("#c8beaa", "#96a096", "#78788c", "#b49678"))
        ]
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, 32 * 24, 19 * 24)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setPen(QPen(Qt.GlobalColor.black, 0))
        for brush, rects in self._rects:
            painter.setBrush(brush)
            painter.drawRects(rects)


def _plan(width: int, height: int) -> FloorPlan:
    """Return a map of rooms of four by four squares."""
    names = [chr(0x4E00 + at) for at in range((width // 4) * (height // 4))]
    grid = tuple(
        "".join(names[(y // 4) * (width // 4) + x // 4] for x in range(width)) for y in range(height)
    )
    rooms = tuple(
        RoomInfo(letter=name, name=f"Room {at}", level="lower", setup="") for at, name in enumerate(names)
    )
    return FloorPlan(name="Bench", grid=grid, rooms=rooms)


class _Board:
    def __init__(self, plan: FloorPlan) -> None:
        self.plan = plan


def _view(shift: int = 0) -> View:
    levels = dict(zip(ABILITIES, JELLIES[12].levels, strict=True))
    figures = tuple(
        FigureView(
            f"J-{at + 1}",
            "jelly",
            "clonemaster",
            "map",
            (at + (shift if at == 0 else 0), 5 + at % 2),
            True,
            True,
            levels,
            levels,
            0,
            None,
            False,
            False,
            5,
            None,
        )
        for at in range(12)
    )
    hidden = tuple((x, y) for x in (1, 4, 7) for y in (1, 3, 8, 11, 12, 2, 4))
    return View(
        "terminator",
        "",
        1,
        10,
        "",
        figures,
        hidden,
        (),
        (),
        None,
        (),
        False,
        (),
        None,
        (),
        None,
        HitNumbers(),
        None,
    )


def _show(view: QGraphicsView) -> None:
    view.resize(*SIZE)
    view.show()
    QApplication.processEvents()


def main() -> None:
    """Measure and print."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app)
    scene = QGraphicsScene(0, 0, 32 * 24, 19 * 24)
    scene.addItem(_Anchor())
    plain = QGraphicsView(scene)
    _show(plain)
    plain.fitInView(scene.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)
    QApplication.processEvents()
    citadel = load_floorplan(Path(__file__).resolve().parents[2] / "resources/maps/citadel.json")
    boards: list[tuple[str, BoardView]] = []
    for name, plan in (
        ("citadel", citadel),
        ("600 squares", _plan(32, 20)),
        ("40,000 squares", _plan(200, 200)),
    ):
        board = BoardView()
        start = time.process_time()
        board.set_board(_Board(plan))
        print(f"{name}: filled in {(time.process_time() - start) * 1000:.1f} ms")
        _show(board)
        board.show_view(_view())
        QApplication.processEvents()
        boards.append((name, board))
    anchor = median_ms(plain.viewport().repaint)
    print(f"one item paints 600 squares: {anchor:.2f} ms")
    for name, board in boards:
        full = median_ms(board.viewport().repaint)
        print(f"{name}: full repaint with 33 counters {full:.2f} ms, r {full / anchor:.2f} (limit 1.3)")
        flips = [{(3, 3): "1"}, {(3, 3): "2"}]
        turns = 0

        def light(board: BoardView = board, flips: list[dict[tuple[int, int], str]] = flips) -> None:
            nonlocal turns
            turns += 1
            board.set_lit(flips[turns % 2])
            QApplication.processEvents()

        print(f"{name}: one lit square changes {median_ms(light):.3f} ms (limit 0.2)")
        views = [_view(), _view(1)]

        def move(board: BoardView = board, views: list[View] = views) -> None:
            nonlocal turns
            turns += 1
            board.show_view(views[turns % 2])
            QApplication.processEvents()

        print(f"{name}: one of 33 counters moves {median_ms(move):.3f} ms")
        item = board.item_of("J-3")
        assert item is not None

        def flash(item: FigureItem = item) -> None:
            nonlocal turns
            turns += 1
            item.set_flash(turns % 2)
            QApplication.processEvents()

        print(f"{name}: one counter changes {median_ms(flash):.3f} ms (limit 0.2)")


if __name__ == "__main__":
    main()
