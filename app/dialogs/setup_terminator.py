"""The Terminator player's set-up: the record sheet as printed, to be filled in (2.4, 6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.markup import as_text, refusal_tip
from app.panels.dressed import Drawn, Dressed
from app.panels.widgets import (
    ActionButton,
    Label,
    ability_pixmap,
    clear_layout,
    column,
    escaped,
    figure_pixmap,
    icon_size,
    row,
    rule_link,
    scrolled,
)
from app.suggestions import SKILLS, SUGGESTIONS, Levels
from engine.core.decision import IllegalChoice
from engine.raid.choices import Ready, SetAbilities
from engine.raid.figures import ABILITY_NAMES
from engine.raid.tables import LEVEL_CAP

if TYPE_CHECKING:
    from app.session import Session
    from engine.raid.view import FigureView

KIND: Final = "set-up-terminator"
USUAL_LEVELS: Final = 7  # 6.1; any other number is the optional rule's, or the house's (7.2)


class SkillRow(Drawn, QWidget):
    """One skill of a sheet: three boxes to fill from the left, by mouse or keys (1 2 3, left, right)."""

    changed = Signal()
    focused = Signal()
    stepped = Signal(int)

    def __init__(self, figure: str, skill: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.skill = skill
        self._figure = figure
        self._level = 1
        self._is_locked = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._say()

    @property
    def level(self) -> int:
        """Levels filled in, 0 to 3."""
        return self._level

    def set_level(self, level: int) -> None:
        """Fill in this many boxes, as a player would."""
        level = min(max(level, 0), LEVEL_CAP)
        if level != self._level and not self._is_locked:
            self.show_level(level)
            self.changed.emit()

    def show_level(self, level: int) -> None:
        """Show this many boxes filled, telling nobody."""
        self._level = level
        self._say()
        self.update()

    def lock(self, is_locked: bool) -> None:
        """Keep the boxes as they are."""
        self._is_locked = is_locked
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_locked else Qt.FocusPolicy.StrongFocus)

    def _say(self) -> None:
        self.setAccessibleName(f"{self._figure}, {ABILITY_NAMES[self.skill]}: {self._level} of {LEVEL_CAP}")
        said = f"{ABILITY_NAMES[self.skill]}: {self._level}. Keys 1, 2, 3 or the arrows change it."
        self.setToolTip(as_text(said))

    def _side(self) -> int:
        return round(theme.size("body") * 1.5)

    def _box(self, number: int) -> QRectF:
        side = self._side()
        left = self.width() - (LEVEL_CAP - number) * (side + 5)
        return QRectF(left, (self.height() - side) / 2, side, side)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme.font("body"))
        widest = max(metrics.horizontalAdvance(ABILITY_NAMES[skill]) for skill in SKILLS)
        side = self._side()
        return QSize(side + theme.SPACE * 3 + widest + LEVEL_CAP * (side + 5), side + theme.SPACE // 2)

    def minimumSizeHint(self) -> QSize:
        # Long names are shortened before a sheet grows wider than its panel.
        side = self._side()
        width = side + theme.SPACE * 3 + theme.size("body") * 4 + LEVEL_CAP * (side + 5)
        return QSize(width, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QPen(colors.ink, 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)
        side = self._side()
        pixmap = ability_pixmap(self.skill, self, side)
        painter.drawPixmap(QPointF(theme.SPACE / 2, (self.height() - side) / 2), pixmap)
        painter.setFont(theme.font("body"))
        painter.setPen(colors.ink)
        left = side + theme.SPACE * 1.5
        room = QRectF(left, 0, self._box(0).left() - left - 4, self.height())
        name = QFontMetrics(painter.font()).elidedText(
            ABILITY_NAMES[self.skill], Qt.TextElideMode.ElideRight, round(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)
        for number in range(LEVEL_CAP):
            box = self._box(number).adjusted(1, 1, -1, -1)
            painter.setBrush(colors.field)
            painter.setPen(QPen(colors.soft if self._is_locked else colors.ink, 1))
            painter.drawRoundedRect(box, 3, 3)
            if number < self._level:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors.ink)
                inset = box.width() * 0.24
                painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
            else:
                # As on paper: what he does not have is scratched out (6.1).
                painter.setPen(QPen(colors.faint, 1.5))
                inset = box.width() * 0.25
                painter.drawLine(
                    QPointF(box.left() + inset, box.bottom() - inset),
                    QPointF(box.right() - inset, box.top() + inset),
                )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        for number in range(LEVEL_CAP):
            if self._box(number).adjusted(-2, -4, 3, 4).contains(event.position()):
                # A click on the last filled box empties it.
                self.set_level(number if number + 1 == self._level else number + 1)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if Qt.Key.Key_0 <= key <= Qt.Key.Key_3:
            self.set_level(int(key) - int(Qt.Key.Key_0))
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Plus, Qt.Key.Key_Space):
            self.set_level(self._level + 1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Minus, Qt.Key.Key_Backspace):
            self.set_level(self._level - 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()


class TerminatorSheet(Dressed, QFrame):
    """One Terminator's sheet: five skills of three boxes, and the running count."""

    changed = Signal(str)
    focused = Signal(str)

    def __init__(self, figure: FigureView, total: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = figure.name
        self._figure = figure
        self._total = total
        self._is_current = False
        self._picture = Label(wraps=False)
        self._picture.setFixedWidth(icon_size())
        self._count = Label("", "small")
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = row(self._picture, Label(figure.name, is_bold=True))
        head.setStretch(1, 1)
        head.addWidget(self._count, 1)
        self.rows = [SkillRow(figure.name, skill, self) for skill in SKILLS]
        layout = column(head, *self.rows, spacing=2, margin=theme.SPACE)
        self.setLayout(layout)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for line in self.rows:
            line.changed.connect(self._changed)
            line.focused.connect(self._focused)
            line.stepped.connect(self._stepped)
        self.dress()
        self._show_count()

    @property
    def levels(self) -> Levels:
        """What is filled in."""
        return {line.skill: line.level for line in self.rows}

    @property
    def total(self) -> int:
        """Levels filled in altogether."""
        return sum(line.level for line in self.rows)

    def choice(self) -> SetAbilities:
        """Return the choice that the sheet stands for."""
        return SetAbilities(self.name, **self.levels)

    def show_levels(self, levels: Levels) -> None:
        """Show levels, telling nobody."""
        for line in self.rows:
            line.show_level(levels[line.skill])
        self._show_count()

    def lock(self, is_locked: bool) -> None:
        """Keep the sheet as it is."""
        for line in self.rows:
            line.lock(is_locked)

    def mark(self, is_current: bool) -> None:
        """Mark the sheet that suggestions fill in."""
        if is_current != self._is_current:
            self._is_current = is_current
            self.update()

    def _show_count(self) -> None:
        left = self._total - self.total
        note = "" if not left else f" – {left} to give" if left > 0 else f" – {-left} too many"
        self._count.setText(f"{self.total} of {self._total}{note}")
        self._count.set_tone("danger" if left < 0 else "")

    @Slot()
    def _changed(self) -> None:
        self._show_count()
        self.changed.emit(self.name)

    @Slot()
    def _focused(self) -> None:
        self.focused.emit(self.name)

    @Slot(int)
    def _stepped(self, step: int) -> None:
        line = self.sender()
        at = self.rows.index(line) + step if isinstance(line, SkillRow) else 0
        if 0 <= at < len(self.rows):
            self.rows[at].setFocus(Qt.FocusReason.TabFocusReason)

    def _dress(self) -> None:
        self._picture.setFixedWidth(icon_size())
        self._picture.setPixmap(figure_pixmap(self._figure, self))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.rows[0].setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colors.field)
        painter.setPen(QPen(colors.ink if self._is_current else colors.faint, 2 if self._is_current else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)


class SetUpTerminator(QWidget):
    """Fills in the Terminator Record Sheet; every legal sheet is at once a choice, so it is saved (6.1)."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sheets: dict[str, TerminatorSheet] = {}
        self._current = ""
        self._columns = 0
        self._title = Label("Set-up: the Terminators", "title", is_title=True)
        self._prompt = Label("", is_rich=True)
        self._suggest_head = Label("", "small", is_soft=True, is_rich=True)
        self._suggestions: list[ActionButton] = []
        suggestion_box = QWidget()
        self._suggestion_layout = QVBoxLayout(suggestion_box)
        self._suggestion_layout.setContentsMargins(0, 0, 0, 0)
        self._suggestion_layout.setSpacing(theme.SPACE // 2)
        for number, one in enumerate(SUGGESTIONS, 1):
            button = ActionButton(one.name, one.why)
            button.set_key(f"Alt+{number}")
            button.setProperty("suggestion", number - 1)
            button.clicked.connect(self._suggest)
            self._suggestions.append(button)
            self._suggestion_layout.addWidget(button)
        self._same = ActionButton("Give all the same levels")
        self._same.set_key("Alt+S")
        self._same.clicked.connect(self._copy_to_all)
        self._ready = ActionButton("Ready", "", is_main=True)
        self._ready.set_key("Ctrl+Return")
        self._ready.clicked.connect(self._submit_ready)
        self._why = Label("", "small", is_rich=True)
        self._why.set_tone("danger")
        self._tip = ""  # what was last said beside the pointer
        self._grid_box = QWidget()
        self._grid = QGridLayout(self._grid_box)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.SPACE)
        layout = column(
            self._title,
            self._prompt,
            self._suggest_head,
            suggestion_box,
            self._grid_box,
            self._same,
            margin=theme.SPACE,
        )
        scrolled(self, layout, column(self._why, self._ready, margin=theme.SPACE))
        self.setAccessibleName("Set-up of the Terminators")
        session.changed.connect(self._refresh)
        session.refused.connect(self._refused)
        self._refresh()

    @property
    def is_wanted(self) -> bool:
        """Whether this is what the screen must answer now."""
        decision = self._session.decision
        return decision is not None and decision.kind == KIND

    @property
    def sheets(self) -> dict[str, TerminatorSheet]:
        """The sheets by Terminator."""
        return dict(self._sheets)

    @property
    def ready_button(self) -> ActionButton:
        """The button that completes the set-up."""
        return self._ready

    @property
    def suggestion_buttons(self) -> tuple[ActionButton, ...]:
        """The suggested sets."""
        return tuple(self._suggestions)

    @property
    def reason(self) -> str:
        """Why the last thing asked for is not possible, "" if nothing was refused."""
        return self._why.text()

    # Following the session.

    @Slot()
    def _refresh(self) -> None:
        view = self._session.view
        if view is None or not self.is_wanted:
            self._clear()
            return
        decision = self._session.decision
        assert decision is not None
        rules = ("6.1", "R30") if self._session.scenario.levels == USUAL_LEVELS else ("6.1", "7.2", "R30")
        links = " ".join(rule_link(rule) for rule in rules)
        self._prompt.setText(f"{escaped(decision.prompt)} No talent starts above {LEVEL_CAP}. {links}")
        figures = [figure for figure in view.figures if figure.kind == "terminator"]
        if [figure.name for figure in figures] != list(self._sheets):
            self._build(figures)
        for figure in figures:
            if figure.levels is not None and any(figure.levels.values()):
                sheet = self._sheets[figure.name]
                # What the player is changing stays as he has it; undo and a resumed game come from the view.
                if sheet.total == self._session.scenario.levels or not sheet.property("touched"):
                    sheet.show_levels({skill: figure.levels[skill] for skill in SKILLS})
        self._follow()

    def _clear(self) -> None:
        self._sheets.clear()
        self._current = ""
        clear_layout(self._grid)
        self._columns = 0
        self._hush()

    def _build(self, figures: list[FigureView]) -> None:
        self._clear()
        for figure in figures:
            sheet = TerminatorSheet(figure, self._session.scenario.levels, self._grid_box)
            sheet.changed.connect(self._sheet_changed)
            sheet.focused.connect(self._choose)
            self._sheets[figure.name] = sheet
        self._lay_out()
        self._same.setVisible(len(figures) > 1)
        if figures:
            self._choose(figures[0].name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Put as many sheets side by side as there is room for."""
        if not self._sheets:
            return
        widest = max(sheet.sizeHint().width() for sheet in self._sheets.values()) + theme.SPACE
        columns = min(max(1, (self.width() - theme.SPACE * 3) // widest), len(self._sheets))
        if columns == self._columns:
            return
        self._columns = columns
        for number, sheet in enumerate(self._sheets.values()):
            self._grid.addWidget(sheet, number // columns, number % columns)

    # What the player does.

    @Slot(str)
    def _choose(self, name: str) -> None:
        self._current = name
        for sheet in self._sheets.values():
            sheet.mark(sheet.name == name)
        others = " – click another sheet to choose it" if len(self._sheets) > 1 else ""
        self._suggest_head.setText(f"Suggested for <b>{escaped(name)}</b>{others}:")
        for button, one in zip(self._suggestions, SUGGESTIONS, strict=True):
            levels = one.levels(self._session.scenario.levels)
            more = (skill for skill in SKILLS if levels[skill] > 1)
            text = ", ".join(f"{ABILITY_NAMES[skill].split()[-1]} {levels[skill]}" for skill in more)
            text = text or "one in each"
            button.setText(f"{one.name}: {text}")
            button.setAccessibleName(f"{one.name} for {name}: {text}")
            button.updateGeometry()

    @Slot(str)
    def _sheet_changed(self, name: str) -> None:
        self._choose(name)
        sheet = self._sheets[name]
        sheet.setProperty("touched", True)
        self._hush()
        self._offer(sheet)
        self._follow()

    @Slot()
    def _suggest(self) -> None:
        button = self.sender()
        if not isinstance(button, ActionButton) or self._current not in self._sheets:
            return
        self._hush()
        sheet = self._sheets[self._current]
        sheet.show_levels(SUGGESTIONS[button.property("suggestion")].levels(self._session.scenario.levels))
        self._offer(sheet)
        self._follow()
        rest = [one.name for one in self._sheets.values() if one.total != self._session.scenario.levels]
        if rest:
            self._choose(rest[0])

    @Slot()
    def _copy_to_all(self) -> None:
        if self._current not in self._sheets:
            return
        self._hush()
        # A suggestion goes on to the next sheet, which is still bare; what was meant is the last one filled.
        total = self._session.scenario.levels
        filled = [sheet for sheet in self._sheets.values() if sheet.total == total]
        source = self._sheets[self._current]
        levels = (source if source.total == total or not filled else filled[-1]).levels
        for sheet in list(self._sheets.values()):
            sheet.show_levels(levels)
            self._offer(sheet)
        self._follow()

    def _offer(self, sheet: TerminatorSheet) -> None:
        """Make the sheet a choice as soon as it is legal and new."""
        view = self._session.view
        if view is None:
            return
        known = view.figure(sheet.name).levels or {}
        is_new = any(known.get(skill, 0) != level for skill, level in sheet.levels.items())
        if is_new and self._session.why(sheet.choice()) is None:
            self._session.submit(sheet.choice())

    def _refusal(self) -> IllegalChoice | None:
        """Return what still keeps the set-up from being complete."""
        for sheet in self._sheets.values():
            refusal = self._session.why(sheet.choice())
            if refusal is not None:
                return IllegalChoice(f"{sheet.name}: {refusal.reason}", refusal.rule)
        return self._session.why(Ready())

    def _follow(self) -> None:
        refusal = self._refusal()
        self._ready.bar(refusal is not None)
        self._ready.set_detail("why not?" if refusal is not None else "nothing can be changed afterwards")
        if refusal is None:
            self._hush()

    def _hush(self) -> None:
        """Say no longer why something was not possible, beside the pointer either."""
        self._why.setText("")
        self._why.hide()
        if self._tip and QToolTip.text() == self._tip:
            QToolTip.hideText()
        self._tip = ""

    @Slot()
    def _submit_ready(self) -> None:
        refusal = self._refusal()
        if refusal is not None:
            self._refused(refusal)
            return
        self._session.submit(Ready())

    @Slot(object)
    def _refused(self, refusal: IllegalChoice) -> None:
        if not self.is_wanted:
            return
        reason = escaped(refusal.reason[:1].upper() + refusal.reason[1:])
        self._why.setText(f"{reason}. {rule_link(refusal.rule)}")
        self._why.show()
        if self.isVisible():
            self._tip = refusal_tip(refusal.reason, refusal.rule)
            QToolTip.showText(self.cursor().pos(), self._tip, self)
