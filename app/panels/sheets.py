"""The record sheets: one's own in full, the other side's as far as it is known (2.4, R29)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.panels import odds
from app.panels.dressed import Dressed
from app.panels.widgets import (
    Bar,
    Label,
    LevelBoxes,
    clear_layout,
    column,
    figure_pixmap,
    icon_size,
    row,
    rule_link,
)
from engine.raid.figures import ABILITIES, SIDE_NAMES, SIDES, TRAINED
from engine.raid.view import FigureView, View

if TYPE_CHECKING:
    from app.session import Session

PLACES: Final = {
    "off": "not inside yet",
    "station": "outside the front door",
    "box": "not placed",
    "escaped": "escaped",
    "dead": "out of the game",
}


def state_text(figure: FigureView) -> str:
    """Return how a fighter stands, in a word or two."""
    if figure.place in ("dead", "escaped"):
        return PLACES[figure.place]
    if not figure.is_conscious:
        return "unconscious"
    return PLACES.get(figure.place, "face down" if not figure.is_face_up else "")


def injury_text(figure: FigureView, total: int | None) -> str:
    """Return what everybody may count: levels lost and not recovered (R24, R29)."""
    of = f" of {total}" if total else ""
    if not figure.lost:
        return f"{total} levels, none lost" if total else "none lost"
    return f"{figure.lost}{of} lost"


class Sheet(QWidget):
    """One fighter's part of a record sheet."""

    def __init__(self, figure: FigureView, total: int | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        picture = Label(wraps=False)
        picture.setPixmap(figure_pixmap(figure, self))
        picture.setFixedWidth(icon_size())
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        name = Label(figure.name, is_bold=True)
        state = state_text(figure)
        is_secret = figure.levels is None
        count = injury_text(figure, total)
        if is_secret:
            count = f"{count} – which is secret"
        said = Label(" · ".join(part for part in (state, count) if part), "small", is_soft=True)
        self.rows: list[LevelBoxes] = []
        lines: list[QWidget] = [name, said]
        for word in self._words():
            boxes = LevelBoxes(word, name=odds.counter_name(word, figure), weapon=figure.weapon)
            original = figure.original[word] if figure.original is not None else None
            levels = figure.levels[word] if figure.levels is not None else None
            boxes.show_levels(levels, original)
            self.rows.append(boxes)
            lines.append(boxes)
        right = column(*lines, spacing=2)
        layout = row(picture, right)
        layout.setStretch(1, 1)
        layout.setAlignment(picture, Qt.AlignmentFlag.AlignTop)
        self.setLayout(layout)
        self.setAccessibleName(
            ", ".join(part for part in (figure.name, state, count) if part)
            + ": "
            + "; ".join(boxes.accessibleName() for boxes in self.rows)
        )

    def _words(self) -> tuple[str, ...]:
        """Return the skills to show: a Terminator's five, a Jelly's printed ones (2.4)."""
        if self.figure.kind == "terminator":
            return tuple(ABILITIES[ability] for ability in TRAINED)
        original = self.figure.original or {}
        return tuple(word for word in ABILITIES if original.get(word, 0))


class SheetsPanel(Dressed, QWidget):
    """Both record sheets, the viewer's own first."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: Any = None
        self._sheets: dict[str, Sheet] = {}
        inner = QWidget()
        self._layout = QVBoxLayout(inner)
        self._layout.setContentsMargins(*(theme.SPACE,) * 4)
        self._layout.setSpacing(theme.SPACE)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._scroll)
        self.setAccessibleName("Record sheets")
        session.changed.connect(self._refresh)
        self.dress()

    @property
    def sheets(self) -> dict[str, Sheet]:
        """The sheets shown, by figure."""
        return dict(self._sheets)

    def _dress(self) -> None:
        # Pictures are made for one palette and one size of text.
        self._key = None
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        view = self._session.view
        if view is None:
            self._key = None
            self._sheets.clear()
            clear_layout(self._layout)
            return
        fighters = [figure for figure in view.figures if odds.is_fighter(figure) and figure.place != "box"]
        # Only what is shown counts: a walk across the board leaves the sheets alone.
        shown = tuple(
            (one.name, one.place, one.is_conscious, one.is_face_up, one.original, one.levels, one.lost)
            for one in fighters
        )
        key = (view.viewer, shown, view.phase == "set-up")
        if key == self._key:
            return
        self._key = key
        bar = self._scroll.verticalScrollBar()
        was_at = bar.value()
        self._sheets.clear()
        clear_layout(self._layout)
        sides = SIDES if view.viewer != "clonemaster" else tuple(reversed(SIDES))
        for side in sides:
            self._add_side(side, view, [figure for figure in fighters if figure.side == side])
        self._layout.addStretch(1)
        self._layout.activate()
        bar.setValue(was_at)

    def _add_side(self, side: str, view: View, figures: list[FigureView]) -> None:
        if self._layout.count():
            self._layout.addWidget(Bar())
        title = "Terminators" if side == "terminator" else "Jellies"
        if view.viewer == side:
            title = f"Your {title}"
        self._layout.addWidget(Label(title, "title", is_title=True))
        if view.viewer not in (side, "open"):
            text = (
                "Levels are secret; injuries are counted."
                if side == "terminator"
                else "Printed levels are known once a Jelly is face up; injuries are counted."
            )
            self._layout.addWidget(Label(f"{text} {rule_link('R29')}", "small", is_soft=True, is_rich=True))
        if not figures:
            text = f"No Jelly of the {SIDE_NAMES[side]}'s is face up yet." if side == "clonemaster" else ""
            if view.viewer == side:
                text = "No Jelly is on the map yet: place them in a room with a J."
            self._layout.addWidget(Label(text, is_soft=True))
        for figure in figures:
            sheet = Sheet(figure, self._total(figure), self)
            self._sheets[figure.name] = sheet
            self._layout.addWidget(sheet)

    def _total(self, figure: FigureView) -> int | None:
        """Return a fighter's levels at the start, which are public even where their kinds are not (6.1)."""
        if figure.original is not None:
            return sum(figure.original.values()) or None
        return self._session.scenario.levels if figure.kind == "terminator" else None
