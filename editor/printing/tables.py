"""The tables of a scenario as pages in columns: forces, victory, house rules, movement, combat, set-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QAbstractTextDocumentLayout, QPainter, QPalette, QTextDocument

from app import theme
from editor.printing import marks
from editor.printing.inks import inks
from editor.printing.options import Part, PrintOptions
from editor.printing.paper import MM, Page, area_of
from engine.fortress.floorplan import FloorPlan
from engine.raid.figures import ABILITY_NAMES, KIND_NAMES
from engine.raid.scenario import Scenario, StartFigure, StartPosition, plan_of
from engine.raid.switches import (
    HIT_HEADINGS,
    difference_words,
    differences,
    forces,
    numbers_words,
    row_words,
)
from engine.raid.tables import (
    ARMORED_DOOR_COST,
    COLUMNS,
    DROP_OFF_COST,
    FREE_MOVE,
    HOSTILE_COST,
    JELLY_COUNTERS,
    LEVEL_CAP,
    TERMINATOR_COUNTERS,
)
from engine.raid.view import PHASE_NAMES

NONE: Final = "–"
TEXT: Final = 3.1  # mm
COLUMN: Final = 91.0 * MM
"""About how wide a column is."""
BETWEEN: Final = 8.0 * MM
GAP: Final = round(1.0 * MM)  # between paragraphs
ABOVE: Final = round(2.2 * MM)  # above a heading, on top
ROWS: Final = 24
"""A table with more rows is parted, each part with its head."""
WHO: Final = {"S": "servants", "T": "technicians, armed or not", "J": "Jellies"}


class Block(NamedTuple):
    """A heading, a paragraph or a table; a heading stays with what follows it."""

    html: str
    is_heading: bool = False


class Placed(NamedTuple):
    """A piece of a block: its document, the stretch of it that is shown, and where; units."""

    document: QTextDocument
    start: float
    height: float
    left: float
    top: float
    width: float


def table_pages(scenario: Scenario, options: PrintOptions) -> Iterator[Page]:
    """Yield the pages of tables."""
    yield from _pages("Tables", "tables", tuple(table_blocks(scenario)), scenario.name, options)


def _pages(
    title: str, part: Part, blocks: Sequence[Block], about: str, options: PrintOptions
) -> Iterator[Page]:
    """Yield pages of blocks in columns, lying the way that takes fewer."""
    colors = inks(options.is_black_and_white)
    laid = [
        (is_landscape, _flow(blocks, area_of(options, is_landscape)))
        for is_landscape in options.lies_across()
    ]
    is_landscape, sheets = min(laid, key=lambda one: len(one[1]))
    for number, placed in enumerate(sheets, 1):
        name = title if len(sheets) == 1 else f"{title} {number}"
        area = area_of(options, is_landscape)
        yield Page(name, part, is_landscape, partial(_paint, area, placed, name, about, colors))


def _flow(blocks: Sequence[Block], area: QRectF) -> list[list[Placed]]:
    """Return what stands on each page, in columns from left to right."""
    columns = max(1, round((area.width() + BETWEEN) / (COLUMN + BETWEEN)))
    width = (area.width() - (columns - 1) * BETWEEN) / columns
    sheets: list[list[Placed]] = [[]]
    column, top = 0, 0.0
    waiting: list[Placed] = []  # headings, until it is known where what follows them goes

    def go_on() -> None:
        nonlocal column, top
        column, top = column + 1, 0.0
        if column == columns:
            column = 0
            sheets.append([])

    for block in blocks:
        document = _document(block.html, width)
        height = document.size().height()
        above = sum(one.height + GAP for one in waiting) + ABOVE * bool(waiting)
        if top and above + min(height, area.height() - above) > area.height() - top:
            go_on()
        if block.is_heading:
            waiting.append(Placed(document, 0, height, 0, 0, width))
            continue
        if waiting and top:
            top += ABOVE
        for heading in waiting:
            sheets[-1].append(heading._replace(left=column * (width + BETWEEN), top=top))
            top += heading.height + GAP
        waiting.clear()
        if height <= area.height() - top:
            sheets[-1].append(Placed(document, 0, height, column * (width + BETWEEN), top, width))
            top += height + (GAP if "<table" not in block.html else 2 * GAP)
            continue
        # A very long text runs through as many columns as it needs.
        if top:
            go_on()
        document.setPageSize(QSizeF(width, area.height()))
        for at in range(document.pageCount()):
            if at:
                go_on()
            left = column * (width + BETWEEN)
            sheets[-1].append(Placed(document, at * area.height(), area.height(), left, 0, width))
        top = area.height()
    return sheets


def _document(text: str, width: float) -> QTextDocument:
    document = QTextDocument()
    document.setDefaultFont(marks.print_font(TEXT))
    document.setDocumentMargin(0)
    document.setDefaultStyleSheet(_style())
    document.setHtml(text)
    document.setTextWidth(width)
    return document


def _style() -> str:
    sizes = {"h1": 6.0, "h2": 4.0, "p": TEXT, "td": TEXT, "th": TEXT}
    return "".join(
        f"{tag} {{ font-size: {round(size * MM)}px; margin: 0px; }}" for tag, size in sizes.items()
    )


def _paint(
    area: QRectF,
    placed: Sequence[Placed],
    name: str,
    about: str,
    colors: theme.Colors,
    painter: QPainter,
) -> None:
    context = QAbstractTextDocumentLayout.PaintContext()
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Text, colors.ink)
    context.palette = palette
    for one in placed:
        shown = QRectF(0, one.start, one.width, one.height)
        context.clip = shown
        painter.save()
        painter.translate(area.left() + one.left, area.top() + one.top - one.start)
        painter.setClipRect(shown.adjusted(-MM, 0, MM, 0))
        one.document.documentLayout().draw(painter, context)
        painter.restore()
    marks.foot(painter, area, name, about, colors)


# The text


def table_blocks(scenario: Scenario) -> Iterator[Block]:
    """Yield everything that a scenario's players look up, as headings, sentences and tables."""
    plan = plan_of(scenario)
    yield Block(f"<h1>{escape(scenario.name)}</h1>", is_heading=True)
    yield from _lines(scenario.notes.splitlines())
    yield _line(f"{forces(scenario)} On the map “{plan.name}”.")
    yield from _lines(plan.notes.splitlines())
    yield from _victory(scenario, len(plan.equipment) + scenario.extra_computers)
    yield from _house_rules(scenario)
    yield from _movement(scenario)
    yield from _combat(scenario)
    yield from _set_up(scenario, plan)
    yield from _entries(plan)


def _heading(text: str) -> Block:
    return Block(f"<h2>{escape(text)}</h2>", is_heading=True)


def _line(text: str) -> Block:
    return Block(f"<p>{escape(text)}</p>")


def _lines(texts: Iterable[str]) -> Iterator[Block]:
    yield from (_line(text) for text in texts if text.strip())


def _points(texts: Iterable[str]) -> Iterator[Block]:
    yield from (_line(f"•\N{NO-BREAK SPACE}{text}") for text in texts)


def _tables(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Block]:
    """Yield a table, in parts where it is long."""
    every = list(rows)
    for at in range(0, len(every), ROWS):
        yield Block(_table(head, every[at : at + ROWS]))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the first cell of a row stands left, the others in the middle."""

    def line(cells: Sequence[str], tag: str) -> str:
        made = "".join(
            f"<{tag} align='{'center' if at else 'left'}'>{escape(cell)}</{tag}>"
            for at, cell in enumerate(cells)
        )
        return f"<tr>{made}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return (
        f"<table border='{round(0.12 * MM)}' cellspacing='0' cellpadding='{round(0.6 * MM)}' width='100%' "
        f"style='border-collapse: collapse'><thead>{line(head, 'th')}</thead>{body}</table>"
    )


def _victory(scenario: Scenario, equipment: int) -> Iterator[Block]:
    yield _heading("Victory and escape")
    pieces = "the one piece" if equipment == 1 else f"all {equipment} pieces"
    if scenario.points is None:
        yield from _points(
            (
                f"Terminators, total victory: the CloneMaster is dead, {pieces} of vital equipment "
                "destroyed, and a Terminator got away (6.1).",
                "Terminators, victory: the same, but nobody got away (6.1).",
                "CloneMaster, victory: he is dead, but equipment is left (6.1).",
                "CloneMaster, total victory: he lives when the last turn is over or no Terminator is left "
                "(6.1, R31).",
            )
        )
    else:
        points = scenario.points
        rows = (
            ("Terminators", "to start with", points.start),
            ("Terminators", "the CloneMaster dead", points.clonemaster),
            ("Terminators", "each piece of equipment destroyed", points.equipment),
            ("Terminators", "on top, for him and all equipment", points.everything),
            ("Terminators", "each Jelly killed", points.jelly),
            ("CloneMaster", "each Terminator killed", points.killed),
            ("CloneMaster", "each Terminator inside at the end", points.captured),
        )
        yield from _tables(
            ("To the", "For", "Points"), [(side, what, str(score)) for side, what, score in rows if score]
        )
        yield _line(
            f"The side with more points wins, in total by more than {points.total_margin}; "
            "equal points are a draw (6.3, R31)."
        )
    chance = scenario.escape
    ways = ["the CloneMaster is dead and all vital equipment destroyed"]
    ways += [f"he has at most {chance.levels_left} levels left"] if chance.levels_left else []
    ways += [f"turn {chance.from_turn} has begun"] if chance.from_turn else []
    yield _line(f"A Terminator may leave when {', or '.join(ways)} (6.1, 6.3, R11).")
    yield _line("The game has 1 turn." if scenario.turns == 1 else f"The game has {scenario.turns} turns.")
    yield from _points(f"{row_words(row)} (6.2)." for row in scenario.reinforcements)


def _set_up(scenario: Scenario, plan: FloorPlan) -> Iterator[Block]:
    yield _heading("Set-up")
    if scenario.start is not None:
        yield from _start(scenario.start)
    elif scenario.set_up == "player":
        yield _line(
            "The CloneMaster player places his counters face down, one a square, in rooms with "
            "their letter (6.1):"
        )
        yield from _points(f"{letter}: {who}." for letter, who in WHO.items())
        yield _line("The CloneMaster goes anywhere. Nobody is set up next to a door (6.1, R5).")
    else:
        yield _line(
            "Shuffle the CloneMaster's counters and deal them face down by chance; nobody looks at them "
            "(6.3, R34):"
        )
        yield from _points(
            (
                "one to each room and hall where none of them starts face up, none in a loo;",
                "one more to each room with vital equipment;",
                "the rest anywhere but in loos, none next to a door (R5).",
            )
        )
    if scenario.start is None:
        levels = f"Each Terminator has {scenario.levels} levels, at least one of each of the five skills"
        yield _line(f"{levels} and none above {LEVEL_CAP} (6.1, R30).")
        if scenario.room_limit:
            yield _line(f"At most {scenario.room_limit} counters lie in a room at the start (6.3).")
        if scenario.jellies:
            must = numbers_words(scenario.required_jellies)
            yield _line(
                f"{scenario.jellies} Jellies out of {numbers_words(scenario.jelly_numbers)}"
                f"{f', with {must}' if must else ''} (7.3)."
            )
        yield from _points(
            f"{KIND_NAMES[one.kind]}: starts face up at {one.square[0]},{one.square[1]}."
            for one in scenario.placements
        )
    counts = Counter("".join(plan.grid))
    yield from _tables(
        ("Room", "Level", "May hold", "Squares"),
        [
            (room.name, room.level, " ".join(room.setup) or NONE, str(counts[room.letter]))
            for room in plan.rooms
        ],
    )


def _start(start: StartPosition) -> Iterator[Block]:
    """Yield a start position as both players may know it: of what lies face down, only where (R29)."""
    yield _line(f"The game begins in turn {start.turn} with {PHASE_NAMES[start.phase]}, in this position:")
    seen = [one for one in start.figures if not _is_hidden(one)]
    yield from _tables(("Figure", "Where"), [(one.name, _where(one)) for one in seen])
    hidden = sorted(one.square for one in start.figures if _is_hidden(one) and one.square is not None)
    if hidden:
        yield _line(
            f"Face down, on squares {'; '.join(f'{x},{y}' for x, y in hidden)}: "
            "the CloneMaster player's own sheet says who (R29)."
        )
    gone = (*start.doors, *start.equipment)
    if gone:
        yield _line(f"Destroyed: {', '.join(gone)}.")


def _is_hidden(figure: StartFigure) -> bool:
    return figure.place == "map" and not figure.is_face_up


def _where(figure: StartFigure) -> str:
    if figure.square is not None:
        return f"{figure.square[0]},{figure.square[1]}"
    if figure.place == "station":
        return f"outside the {figure.entry}" if figure.entry else "outside the armored door"
    return {"off": "off the map", "dead": "killed", "escaped": "got away"}.get(figure.place, figure.place)


def hidden_pages(scenario: Scenario, options: PrintOptions) -> Iterator[Page]:
    """Yield the list of who lies where face down at the start, a sheet of its own for one player (R29)."""
    start = scenario.start
    hidden = [one for one in start.figures if _is_hidden(one)] if start is not None else []
    if hidden:
        blocks = (
            Block("<h1>Counters face down</h1>", is_heading=True),
            _line(f"{scenario.name}: for the CloneMaster player only (R29)."),
            *_tables(("Figure", "Where"), [(one.name, _where(one)) for one in hidden]),
        )
        yield from _pages("Counters face down", "records", blocks, scenario.name, options)


def _entries(plan: FloorPlan) -> Iterator[Block]:
    if plan.entries:
        yield _heading("Entries")
        yield from _tables(
            ("Entry", "Square", "In a phase", "Out a phase"),
            [
                (
                    one.name,
                    f"{one.x},{one.y}",
                    "all outside" if plan.is_barred(one) else str(one.enter or NONE),
                    str(one.leave or NONE),
                )
                for one in plan.entries
            ],
        )
    if any(plan.is_barred(one) for one in plan.entries):
        yield _line(
            "Where an armored door shuts an entry, Terminators break it from outside; then all who stand "
            "there may come in (4.11, R10)."
        )
    yield _line("Squares are named by column and row, both counted from 0 as at the map's rim.")
    if plan.no_sight:
        pairs = "; ".join(f"{one} and {other}" for one, other in plan.no_sight)
        yield _line(f"No sight line runs between {pairs} (5.9, R4).")


def _movement(scenario: Scenario) -> Iterator[Block]:
    kinds = ("terminator", "clonemaster", "jelly", "armed_technician", "technician", "servant", "lc")
    yield _heading("Movement")
    yield from _tables(
        ("Figure", "Squares in a phase"),
        [(KIND_NAMES[kind], str(getattr(scenario.allowances, kind))) for kind in kinds],
    )
    yield from _tables(
        ("A step", "Costs"),
        (
            ("into a square", "1"),
            ("into a square with a conscious enemy Jelly or Terminator (4.43)", f"+{HOSTILE_COST}"),
            ("across a drop-off, without Monkey Soul (4.42)", f"+{DROP_OFF_COST}"),
            (
                "through an armored door that is whole, the CloneMaster's side only (4.41)",
                f"+{ARMORED_DOOR_COST}",
            ),
            ("out of the fortress, from the square of an entry (4.7)", "1"),
            ("the CloneMaster's free move when he is released (4.21)", f"{FREE_MOVE} in all"),
        ),
    )


def _combat(scenario: Scenario) -> Iterator[Block]:
    hits = scenario.hits

    def cell(number: int) -> str:
        return {0: NONE, 1: "1", 6: "always"}.get(number, f"1–{number}")

    yield _heading("Combat")
    yield _line(
        f"Counters for a combat: {TERMINATOR_COUNTERS} for a Terminator, {JELLY_COUNTERS} for a Jelly, "
        "within their levels (5.4)."
    )
    attacks = ("fist", "kick", "weapon")
    yield from _tables(
        ("Hits on", *(ABILITY_NAMES[name] for name in attacks), "Spikes"),
        [
            (HIT_HEADINGS[word], *(cell(getattr(hits, name)[at]) for name in attacks), cell(hits.spikes))
            for at, word in enumerate(COLUMNS)
        ],
    )
    yield from _points(
        (
            "Helpless: a servant, and a Jelly or Terminator who is unconscious (2.6, R20).",
            "Inactive: a Jelly or Terminator who did not reply himself, a Jelly who replied with a weapon, "
            "the CloneMaster, a technician, LC (2.6, R20).",
            "Spikes hit on the same numbers whatever the reply (R19).",
        )
    )
    yield from _tables(
        ("Attack", "Reaches"),
        (
            ("by hand, trained or not (5.1, R1)", "the 8 squares around"),
            ("Spikes; a gun (5.1, R1)", "these, and 2 squares away in a straight line"),
            ("the gun of an LC (5.1, 6.2)", "any distance"),
            ("on a clone tank; on a computer (5.8)", "the 8 squares around; its own square"),
        ),
    )
    yield _line(
        "The line between the squares' centres must be clear of walls, armored doors that are whole and "
        "equipment, not of figures (5.2, R2). Nobody strikes by hand over a drop-off (5.9, R4)."
    )
    yield from _tables(
        ("Other rolls", "Succeed on"),
        (
            ("Gun (5.4, R20)", cell(hits.gun)),
            ("Against an armored door (5.7)", cell(hits.door)),
            ("Untrained attack (5.4, R22)", "1–number of attackers"),
            ("A level of Mountain Heart comes back (5.6)", cell(hits.recovery)),
        ),
    )


def _house_rules(scenario: Scenario) -> Iterator[Block]:
    changed = differences(Scenario(name=""), scenario)
    if changed:
        yield _heading("What differs from the Basic scenario")
        yield from _points(
            f"{difference_words(switch, scenario)} ({', '.join(switch.rules)})." for switch in changed
        )
