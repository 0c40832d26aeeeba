"""What the panel is made of: rows that explain a field and hold its control, in sections that fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QTextDocument
from PySide6.QtWidgets import QLayout, QSizePolicy, QWidget

from app import theme
from app.dialogs.switch_controls import SwitchControl
from app.panels.widgets import FlowLayout, Label, Pressable, column, rule_link
from editor.scenario.fields import Field
from engine.raid.switches import Switch


class Row(QWidget):
    """One or more controls with their words. `touched` says that the user turned to one of them.

    `controls` are by path; `searched` are the words by which the row is found.
    """

    changed = Signal(str)
    touched = Signal(str)

    def __init__(
        self, title: str, rules: Sequence[str], words: str, controls: Mapping[str, SwitchControl]
    ) -> None:
        super().__init__()
        self.title = title
        self.is_apt = True  # whether the row says anything in the scenario as it is
        self.controls = dict(controls)
        self.searched = " ".join((title, *rules, words, *controls)).lower()
        self.reason = Label("", "small", is_bold=True)
        self.reason.set_tone("danger")
        self.reason.hide()
        for path, control in self.controls.items():
            control.changed.connect(lambda path=path: self.changed.emit(path))

    @property
    def path(self) -> str:
        """The path of the first control."""
        return next(iter(self.controls))

    def refuse(self, reason: str) -> None:
        """Say why a value was not taken; "" says nothing."""
        if reason != self.reason.text():
            self.reason.setText(reason)
        self.reason.setVisible(bool(reason))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.touched.emit(self.path)
        super().mousePressEvent(event)


class BesideLayout(FlowLayout):
    """Lays a control at the right beside its name where there is room for both, else below it."""

    def _arrange(self, rect: QRect, *, is_trial: bool) -> int:
        name, control = (self.itemAt(at) for at in range(2))
        assert name is not None
        assert control is not None
        named, turned = name.sizeHint(), control.sizeHint()
        width = min(turned.width(), rect.width())
        high = control.heightForWidth(width) if control.hasHeightForWidth() else turned.height()
        if named.width() + theme.SPACE + width <= rect.width():
            line = max(named.height(), high)
            if not is_trial:
                room = rect.width() - width - theme.SPACE
                top = rect.y() + (line - named.height()) // 2
                name.setGeometry(QRect(rect.x(), top, room, named.height()))
                top = rect.y() + (line - high) // 2
                control.setGeometry(QRect(rect.x() + rect.width() - width, top, width, high))
            return line
        tall = name.heightForWidth(rect.width()) if name.hasHeightForWidth() else named.height()
        if not is_trial:
            name.setGeometry(QRect(rect.x(), rect.y(), rect.width(), tall))
            top = rect.y() + tall + theme.SPACE // 2
            control.setGeometry(QRect(rect.x(), top, width, high))
        return tall + theme.SPACE // 2 + high


class Head(Label):
    """The name and the rules of a row; its size is that of one line, which it takes where there is room."""

    def sizeHint(self) -> QSize:
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(self.font())
        document.setHtml(self.text())
        return QSize(ceil(document.idealWidth()) + 1, ceil(document.size().height()))


class FieldRow(Row):
    """A field: its name and rules, what it means, its control beside the name where there is room."""

    def __init__(
        self,
        field: Field | Switch,
        control: SwitchControl,
        *,
        is_wide: bool = False,
        is_short: bool = False,
    ) -> None:
        super().__init__(field.title, field.rules, field.sentence, {field.path: control})
        self.control = control
        links = " ".join(rule_link(rule) for rule in field.rules)
        self.head = Head(f"<b>{escape(field.title)}</b> &nbsp;{links}", is_rich=True)
        self.sentence = Label(field.sentence, "small", is_soft=True)
        if is_short:
            self.sentence.hide()
            self.head.setToolTip(field.sentence)
        control.setToolTip(field.sentence)
        parts: list[QWidget | QLayout] = [self.head, self.sentence, control, self.reason]
        if not is_wide:
            line = BesideLayout()
            line.addWidget(self.head)
            line.addWidget(control)
            parts = [line, self.sentence, self.reason]
        # What takes lines of its own comes after the words that explain it.
        layout = column(*parts, spacing=theme.SPACE // 2)
        layout.setContentsMargins(0, theme.SPACE // 2, 0, theme.SPACE // 2)
        self.setLayout(layout)


class SentenceRow(Row):
    """Several controls in one sentence."""

    def __init__(
        self, title: str, rules: Sequence[str], pieces: Sequence[str], controls: Mapping[str, SwitchControl]
    ) -> None:
        super().__init__(title, rules, " ".join(pieces), controls)
        links = " ".join(rule_link(rule) for rule in rules)
        self.head = Head(f"<b>{escape(title)}</b> &nbsp;{links}", is_rich=True)
        words = QWidget()
        flow = FlowLayout(words, spacing=theme.SPACE // 2)
        for at, piece in enumerate(pieces):
            if at % 2:
                flow.addWidget(controls[piece])
                continue
            # A word each, so that the line breaks where it would in a text.
            for word in piece.split():
                label = Label(word, wraps=False)
                label.setFixedHeight(next(iter(controls.values())).sizeHint().height())
                flow.addWidget(label)
        layout = column(self.head, words, self.reason, spacing=theme.SPACE // 2)
        layout.setContentsMargins(0, theme.SPACE // 2, 0, theme.SPACE // 2)
        self.setLayout(layout)


class NoteRow(Row):
    """Words without a control, below the rows that they are about."""

    def __init__(self, *parts: QWidget, words: str = "") -> None:
        super().__init__("", (), words, {})
        layout = column(*parts, spacing=theme.SPACE // 2)
        layout.setContentsMargins(0, theme.SPACE // 2, 0, theme.SPACE // 2)
        self.setLayout(layout)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()


class SectionHead(Pressable):
    """The head of a section: folds and unfolds it, and says in short what is in it."""

    def __init__(self, title: str, side: str = "") -> None:
        super().__init__()
        self._side = side
        self._summary = ""
        self._is_open = False
        self.setText(title)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._say()

    def show_open(self, is_open: bool) -> None:
        """Show whether the rows below are to be seen."""
        self._is_open = is_open
        self._say()
        self.update()

    def set_summary(self, summary: str) -> None:
        """Say something else in short."""
        if summary != self._summary:
            self._summary = summary
            self._say()
            self.update()

    def _say(self) -> None:
        state = "open" if self._is_open else "folded"
        self.setAccessibleName(f"{self.text()}, {state}" + (f": {self._summary}" if self._summary else ""))

    def sizeHint(self) -> QSize:
        title = QFontMetrics(theme.font("body", is_title=True))
        return QSize(title.horizontalAdvance(self.text()) + theme.SPACE * 8, title.height() + theme.SPACE * 2)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(0, 0, self.width(), 1, colors.faint)
        room = self.rect().adjusted(theme.SPACE, 1, -theme.SPACE, 0)
        if self._side:
            painter.fillRect(
                QRect(0, theme.SPACE // 2, 4, self.height() - theme.SPACE), colors.side(self._side)
            )
        painter.setPen(colors.ink)
        painter.setFont(theme.font("body"))
        sign = "▾" if self._is_open else "▸"
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, sign)
        left = QFontMetrics(painter.font()).horizontalAdvance("▾") + theme.SPACE
        painter.setFont(theme.font("body", is_title=True))
        room.setLeft(room.left() + left)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        used = QFontMetrics(painter.font()).horizontalAdvance(self.text()) + theme.SPACE * 2
        painter.setFont(theme.font("small"))
        painter.setPen(colors.soft)
        room.setLeft(room.left() + used)
        said = QFontMetrics(painter.font()).elidedText(
            self._summary, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, said)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(colors.ink if self.hasFocus() else colors.soft, 2 if self.hasFocus() else 1))
            painter.drawRoundedRect(self.rect().adjusted(1, 2, -2, -2), theme.RADIUS, theme.RADIUS)


class SectionBox(QWidget):
    """A section: its head, and below it its rows unless it is folded."""

    def __init__(self, title: str, side: str = "") -> None:
        super().__init__()
        self.title = title
        self.head = SectionHead(title, side)
        self.rows: list[Row] = []
        self.body = QWidget()
        self._column = column(spacing=theme.SPACE // 2)
        self._column.setContentsMargins(theme.SPACE * 2, 0, theme.SPACE, theme.SPACE)
        self.body.setLayout(self._column)
        self.body.hide()
        layout = column(self.head, self.body, spacing=0)
        self.setLayout(layout)
        self.head.toggled.connect(self._fold)
        self._is_searched = False

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows below."""
        for one in rows:
            self.rows.append(one)
            self._column.addWidget(one)

    @property
    def is_open(self) -> bool:
        """Whether the user has unfolded it."""
        return self.head.isChecked()

    def unfold(self, is_open: bool = True) -> None:
        """Show the rows, or fold them away."""
        self.head.setChecked(is_open)

    @Slot()
    def _fold(self) -> None:
        self._is_searched = False
        self._show_body()

    def _show_body(self) -> None:
        is_open = self.head.isChecked() or self._is_searched
        self.body.setVisible(is_open)
        self.head.show_open(is_open)

    def narrow(self, words: Sequence[str]) -> bool:
        """Show only the rows in which all words stand, none: all rows; return whether any is left."""
        is_found = False
        for row in self.rows:
            text = f"{self.title} {row.searched}".lower()
            fits = row.is_apt and all(_stands_in(word, text) for word in words)
            row.setVisible(fits)
            is_found = is_found or fits
        self._is_searched = bool(words) and is_found
        self.setVisible(is_found or not words)
        self._show_body()
        return is_found


def _stands_in(word: str, text: str) -> bool:
    """Return whether a word stands in a text, in the singular or in the plural."""
    forms = [word]
    if word.endswith("ies"):
        forms.append(f"{word[:-3]}y")
    elif word.endswith("y"):
        forms.append(f"{word[:-1]}ies")
    elif word.endswith("s"):
        forms.append(word[:-1])
    return any(form in text for form in forms)
