"""All pages of a print in order, and the PDF that holds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from app import theme
from editor.draft import OWN_MAP, Draft
from editor.printing.chips import counter_pages, marker_pages, tactics_pages
from editor.printing.cropping import cropped
from editor.printing.maps import map_pages, map_sheets
from editor.printing.options import CannotPrint, PrintOptions, check
from editor.printing.paper import MM, PAGE_SIZES, Page, size_of
from editor.printing.records import record_pages, track_pages
from editor.printing.symbols import symbol_pages
from editor.printing.tables import hidden_pages, table_pages
from engine.core.files import write_atomic
from engine.fortress.floorplan import FloorPlan
from engine.raid.scenario import Scenario, plan_of

DPI: Final = 1200
_INCH: Final = 25.4 * MM


def booklet(subject: Scenario | FloorPlan, options: PrintOptions) -> tuple[Page, ...]:
    """Return the pages of a scenario with its map, or of a map; what else a map needs is the Basic one's.

    Raises CannotPrint, and BadFile where the scenario names a map that is not shipped.
    """
    check(options)
    theme.register_fonts()
    is_map = isinstance(subject, FloorPlan)
    scenario = Scenario(name=subject.name, map=subject) if isinstance(subject, FloorPlan) else subject
    plan = plan_of(scenario)
    if options.is_cropped:
        draft = Draft(plan, replace(scenario, map=OWN_MAP))
        if (made := cropped(draft)) is not draft:
            plan, scenario = made.plan, made.whole
    if not any(letter != "." for row in plan.grid for letter in row):
        raise CannotPrint("the map has no room yet")
    square = map_sheets(plan, options).square
    makers: dict[str, Callable[[], Iterator[Page]]] = {
        "map": lambda: map_pages(plan, options),
        "counters": lambda: counter_pages(scenario, square, options),
        "tactics": lambda: tactics_pages(scenario, square, options),
        "markers": lambda: marker_pages(scenario, square, options),
        "records": lambda: chain(record_pages(scenario, options), hidden_pages(scenario, options)),
        "track": lambda: track_pages(scenario, options),
        "tables": lambda: table_pages(scenario, options),
        "symbols": lambda: symbol_pages(scenario, options),
    }
    return tuple(page for part in options.parts_of(is_map) for page in makers[part]())


def print_pdf(
    subject: Scenario | FloorPlan,
    options: PrintOptions,
    path: str | os.PathLike[str],
    progress: Callable[[int, int], bool] | None = None,
) -> int:
    """Write a print as a PDF, which takes its place only when it is whole; return the number of pages.

    `progress` is told how many pages of how many are done, and returns whether to go on; where it does
    not, nothing is written and 0 returned.

    Raises CannotPrint, BadFile, OSError.
    """
    pages = booklet(subject, options)
    raw = pdf_bytes(pages, options, subject.name, progress)
    if raw:
        write_atomic(path, raw)
    return len(pages) if raw else 0


def pdf_bytes(
    pages: Sequence[Page],
    options: PrintOptions,
    title: str,
    progress: Callable[[int, int], bool] | None = None,
) -> bytes:
    """Return pages as a PDF; empty where `progress` says so."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("kungfu2100")
    writer.setResolution(DPI)
    painter = QPainter()
    is_whole = True
    for number, page in enumerate(pages):
        writer.setPageLayout(_layout(options, page.is_landscape))
        if number == 0:
            painter.begin(writer)
        else:
            writer.newPage()
        paint_page(painter, page, DPI)
        if progress is not None and not progress(number + 1, len(pages)):
            is_whole = False
            break
    painter.end()
    return bytes(buffer.data().data()) if is_whole else b""


def _layout(options: PrintOptions, is_landscape: bool) -> QPageLayout:
    way = QPageLayout.Orientation.Landscape if is_landscape else QPageLayout.Orientation.Portrait
    layout = QPageLayout(QPageSize(PAGE_SIZES[options.paper]), way, QMarginsF(0, 0, 0, 0))
    layout.setMode(QPageLayout.Mode.FullPageMode)
    return layout


def paint_page(painter: QPainter, page: Page, dpi: float) -> None:
    """Paint a page on a device of so many dots an inch."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.scale(dpi / _INCH, dpi / _INCH)
    page.paint(painter)
    painter.restore()


def page_image(page: Page, options: PrintOptions, dpi: float) -> QImage:
    """Return a page as a picture."""
    size = size_of(options, page.is_landscape) * (dpi / _INCH)
    image = QImage(round(size.width()), round(size.height()), QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    paint_page(painter, page, dpi)
    painter.end()
    return image
