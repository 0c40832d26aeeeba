"""Record sheets with a box for every level, and the turn track (2.4, 2.51)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from app import theme
from app.board.art import drawing
from app.board.counters import WEAPONS, draw_counter
from editor.printing import marks
from editor.printing.inks import inks
from editor.printing.options import PrintOptions
from editor.printing.paper import MM, Page, area_of
from editor.printing.pieces import warriors
from editor.words import counted
from engine.raid.figures import ABILITIES, KIND_NAMES, TRAINED, counter_name
from engine.raid.scenario import Scenario, start_levels, turns_of
from engine.raid.tables import LEVEL_CAP
from engine.raid.view import PHASE_NAMES, PHASES, FigureView

CARD_WIDTH: Final = 58.0 * MM
LINE: Final = 5.6 * MM
HEAD: Final = 13.0 * MM
BETWEEN: Final = 3.0 * MM
TITLE: Final = 9.0 * MM
CELL: Final = 24.0 * MM
"""The least side of a turn's box, unless there are very many turns."""


class Row(NamedTuple):
    """A skill on a record sheet: its boxes, and how many are marked as held at the start (-1: not known)."""

    ability: str
    boxes: int
    held: int


class Card(NamedTuple):
    """A fighter's part of a record sheet."""

    figure: FigureView
    about: str
    rows: tuple[Row, ...]

    @property
    def height(self) -> float:
        """How high it is, units."""
        return HEAD + len(self.rows) * LINE + 2 * MM


def cards(scenario: Scenario) -> tuple[Card, ...]:
    """Return what the record sheets hold: three boxes a Terminator's skill, Jellies as printed (2.4, R30)."""
    starts = {one.name: one for one in scenario.start.figures} if scenario.start is not None else {}
    found = []
    for figure in warriors(scenario):
        is_terminator = figure.kind == "terminator"
        start = starts.get(figure.name)
        if start is not None:
            original, levels = start_levels(start)
            rows = tuple(
                Row(word, most, now)
                for word, most, now in zip(ABILITIES, original, levels, strict=True)
                if most
            )
        elif is_terminator:
            rows = tuple(Row(ABILITIES[ability], LEVEL_CAP, -1) for ability in TRAINED)
        else:
            rows = tuple(Row(word, most, -1) for word, most in (figure.original or {}).items() if most)
        count = sum(row.boxes for row in rows) if start is not None or not is_terminator else scenario.levels
        found.append(Card(figure, f"{counted(count, 'level')} in all", rows))
    return tuple(found)


def record_pages(scenario: Scenario, options: PrintOptions) -> Iterator[Page]:
    """Yield the record sheets, one side to a sheet of its own, since the other must not see it (R29)."""
    colors = inks(options.is_black_and_white)
    for side, title in (("terminator", "Terminator record"), ("clonemaster", "Jelly record")):
        ours = [card for card in cards(scenario) if card.figure.side == side]
        sheets = min(
            (_flow(ours, options, is_landscape) for is_landscape in options.lies_across()),
            key=lambda one: len(one[1]),
        )
        for number, lines in enumerate(sheets[1], 1):
            name = title if len(sheets[1]) == 1 else f"{title} {number}"
            area = area_of(options, sheets[0])
            yield Page(
                name, "records", sheets[0], partial(_paint_records, area, lines, name, scenario, colors)
            )


def _flow(
    ours: Sequence[Card], options: PrintOptions, is_landscape: bool
) -> tuple[bool, list[list[list[Card]]]]:
    """Return the cards in pages of lines, for sheets that lie in a way."""
    area = area_of(options, is_landscape)
    columns = max(1, int((area.width() + BETWEEN) // (CARD_WIDTH + BETWEEN)))
    sheets: list[list[list[Card]]] = []
    room = 0.0
    for at in range(0, len(ours), columns):
        line = list(ours[at : at + columns])
        high = max(card.height for card in line) + BETWEEN
        if high > room or not sheets:
            sheets.append([])
            room = area.height() - TITLE - 6 * MM
        sheets[-1].append(line)
        room -= high
    return is_landscape, sheets


def _paint_records(
    area: QRectF,
    lines: Sequence[Sequence[Card]],
    name: str,
    scenario: Scenario,
    colors: theme.Colors,
    painter: QPainter,
) -> None:
    marks.write_line(
        painter,
        QRectF(area.left(), area.top(), area.width(), TITLE - MM),
        f"{name}: {scenario.name}",
        5.0,
        colors.ink,
        is_bold=True,
    )
    hint = "Cross out a box for a level that is lost; only Mountain Heart may come back (5.5, 5.6)."
    if lines and lines[0][0].figure.kind == "terminator" and scenario.start is None:
        hint = (
            "Write a dot into a box for each level chosen, in secret (2.4, R29); cross out what is lost. "
            "Only Mountain Heart may come back (5.6)."
        )
    marks.write_line(
        painter,
        QRectF(area.left(), area.top() + TITLE - MM, area.width(), 4 * MM),
        hint,
        2.8,
        colors.soft,
    )
    columns = max(1, int((area.width() + BETWEEN) // (CARD_WIDTH + BETWEEN)))
    wide = (area.width() - (columns - 1) * BETWEEN) / columns
    top = area.top() + TITLE + 5 * MM
    for line in lines:
        high = max(card.height for card in line)
        for column, card in enumerate(line):
            _paint_card(
                painter, QRectF(area.left() + column * (wide + BETWEEN), top, wide, high), card, colors
            )
        top += high + BETWEEN
    marks.foot(painter, area, name, scenario.name, colors)


def _paint_card(painter: QPainter, box: QRectF, card: Card, colors: theme.Colors) -> None:
    painter.setPen(marks.fine_pen(colors.soft, 0.2 * MM))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 1.5 * MM, 1.5 * MM)
    left, top = box.left() + 2 * MM, box.top() + 2 * MM
    draw_counter(painter, QRectF(left, top, 10 * MM, 10 * MM), card.figure, colors)
    text = QRectF(left + 12 * MM, top, box.right() - left - 14 * MM, 5 * MM)
    marks.write_line(painter, text, card.figure.name, 3.8, colors.ink, is_bold=True)
    marks.write_line(painter, text.translated(0, 5 * MM), card.about, 2.6, colors.soft)
    y = box.top() + HEAD
    size = 4.2 * MM
    for row in card.rows:
        weapon = card.figure.weapon
        art = WEAPONS.get(weapon or "", "weapon") if row.ability == "weapon" else row.ability
        drawing(art).draw(painter, QRectF(left, y + (LINE - size) / 2, size, size), colors.ink, colors.paper)
        boxes = row.boxes * (size + MM)
        name = QRectF(left + size + 2 * MM, y, box.right() - left - size - boxes - 5 * MM, LINE)
        marks.write_line(painter, name, counter_name(row.ability, weapon), 3.0, colors.ink)
        for number in range(row.boxes):
            x = box.right() - 2 * MM - boxes + number * (size + MM) + MM
            one = QRectF(x, y + (LINE - size) / 2, size, size)
            painter.setPen(marks.fine_pen(colors.ink, 0.25 * MM))
            painter.setBrush(colors.field)
            painter.drawRect(one)
            if number < row.held:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors.ink)
                painter.drawEllipse(one.center(), size * 0.18, size * 0.18)
            elif row.held >= 0:
                painter.setPen(marks.fine_pen(colors.ink, 0.3 * MM))
                painter.drawLine(one.topLeft(), one.bottomRight())
                painter.drawLine(one.bottomLeft(), one.topRight())
        y += LINE


# The turn track


def turn_notes(scenario: Scenario, turn: int) -> tuple[str, ...]:
    """Return what happens in a turn: who comes in, who may leave, the start and the end (6.2, 6.3)."""
    found = []
    if scenario.start is not None and scenario.start.turn == turn:
        found.append(f"Begin here: {PHASE_NAMES[scenario.start.phase]}")
    found += [
        f"{row.number} {'LC' if row.kind == 'lc' else KIND_NAMES[row.kind]} by {row.entry}"
        for row in scenario.reinforcements
        if turn in turns_of(row, scenario.turns)
    ]
    if scenario.escape.from_turn == turn:
        found.append("Terminators may escape from now on")
    if turn == scenario.turns:
        found.append("Last turn")
    return tuple(found)


def track_pages(scenario: Scenario, options: PrintOptions) -> Iterator[Page]:
    """Yield the turn track, with the phases of a turn below it."""
    colors = inks(options.is_black_and_white)
    is_landscape = options.lies_across()[-1]
    area = area_of(options, is_landscape)
    yield Page("Turn track", "track", is_landscape, partial(_paint_track, area, scenario, colors))


def _paint_track(area: QRectF, scenario: Scenario, colors: theme.Colors, painter: QPainter) -> None:
    marks.write_line(
        painter,
        QRectF(area.left(), area.top(), area.width(), TITLE - MM),
        f"Turn track: {scenario.name}",
        5.0,
        colors.ink,
        is_bold=True,
    )
    phases = PHASES[1:-1]
    # As many phases to a line as their names need.
    across = max(1, min(len(phases), int(area.width() // (36 * MM))))
    below = -(-len(phases) // across)
    strip = 17 * MM
    room = QRectF(
        area.left(),
        area.top() + TITLE + MM,
        area.width(),
        area.height() - TITLE - below * strip - 12 * MM,
    )
    columns = _columns(room, scenario.turns)
    rows = -(-scenario.turns // columns)
    wide, high = room.width() / columns, min(room.height() / rows, 40 * MM)
    for turn in range(1, scenario.turns + 1):
        row, column = divmod(turn - 1, columns)
        box = QRectF(room.left() + column * wide, room.top() + row * high, wide, high)
        _paint_turn(painter, box, turn, turn_notes(scenario, turn), colors)
    top = room.top() + rows * high + 4 * MM
    marks.write_line(
        painter, QRectF(area.left(), top, area.width(), 5 * MM), "Phases", 3.6, colors.ink, is_bold=True
    )
    top += 6 * MM
    wide = area.width() / across
    for number, phase in enumerate(phases):
        row, column = divmod(number, across)
        box = QRectF(area.left() + column * wide, top + row * strip, wide, strip)
        painter.setPen(marks.fine_pen(colors.ink, 0.2 * MM))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        text = box.adjusted(1.5 * MM, MM, -1.5 * MM, -box.height() + 6 * MM)
        marks.write_line(painter, text, f"{number + 1}  {PHASE_NAMES[phase]}", 3.0, colors.ink)
    marks.foot(painter, area, "Turn track", scenario.name, colors)


def _columns(room: QRectF, turns: int) -> int:
    """Return into how many columns the turns go, so that their boxes are about square."""
    return min(
        range(1, turns + 1),
        key=lambda columns: (
            room.height() / -(-turns // columns) < CELL,
            room.width() / columns < CELL,
            abs(room.width() / columns - 38 * MM),
        ),
    )


def _paint_turn(
    painter: QPainter, box: QRectF, turn: int, notes: Sequence[str], colors: theme.Colors
) -> None:
    painter.setPen(marks.fine_pen(colors.ink, 0.3 * MM))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box)
    high = min(7.0, box.height() / MM * 0.3)
    head = QRectF(box.left() + 1.5 * MM, box.top() + MM, box.width() - 3 * MM, high * 1.3 * MM)
    marks.write_line(painter, head, str(turn), high, colors.ink, is_bold=True)
    if not notes:
        return
    text = box.adjusted(1.5 * MM, (1.3 * high + 1.5) * MM, -1.5 * MM, -MM)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
    size = 2.8
    while size > 1.4:
        painter.setFont(marks.print_font(size))
        needed = painter.boundingRect(QRectF(0, 0, text.width(), 100000), flags, "\n".join(notes))
        if needed.height() <= text.height() and needed.width() <= text.width() + 1:
            break
        size *= 0.92
    painter.setPen(colors.ink)
    painter.drawText(text, flags, "\n".join(notes))
