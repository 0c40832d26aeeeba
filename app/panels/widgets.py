"""The small parts that panels and dialogs are made of; each follows the theme by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.counters import counter_pixmap, counter_symbol_pixmap
from app.markup import as_text
from app.panels.dressed import Drawn, Dressed
from engine.raid.figures import ABILITY_NAMES
from engine.raid.view import FigureView

if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    _Button = object

_NUMBER = r"(?:[1-8]\.\d{1,3}[a-z]?|R\d{1,2})"
_RULE = re.compile(_NUMBER, re.ASCII)
_RULES = re.compile(rf"\(({_NUMBER}(?:, {_NUMBER})*)\)", re.ASCII)


def open_rule(link: str) -> None:
    """Open the help at a rule, from a link "rule:4.43"."""
    from app.help.window import open_rule as show_rule  # not at import: the help is made of these parts too

    show_rule(link.removeprefix("rule:"))


def rule_link(rule: str) -> str:
    """Return a rule's number as a link that opens its place in the help; "" for what is no such number."""
    if not _RULE.fullmatch(rule):
        return ""
    return f'<a href="rule:{rule}">{rule}</a>'


def escaped(text: str) -> str:
    """Return a plain text as HTML, with quotation marks as they are."""
    return escape(text, quote=False)


def refusal_words(reason: str, rule: str) -> str:
    """Return as HTML why something is refused: a sentence, and behind it the link of its rule, if by one."""
    link = rule_link(rule)
    stop = "" if reason.endswith((".", "!", "?")) else "."
    return f"{escaped(reason[:1].upper() + reason[1:])}{stop}" + (f" ({link})" if link else "")


def with_rule_links(text: str) -> str:
    """Return a plain text as HTML in which the rules in parentheses ("(6.1, R30)") open their places."""

    def links(match: re.Match[str]) -> str:
        return f"({', '.join(rule_link(rule) for rule in match[1].split(', '))})"

    return _RULES.sub(links, escaped(text))


class Label(Dressed, QLabel):
    """Text in a step of the type scale, as it stands: a name out of a file is no markup.

    One that `is_rich` takes HTML, in which links to rules open the help, by Tab and Enter too.
    """

    def __init__(
        self,
        text: str = "",
        step: str = "body",
        parent: QWidget | None = None,
        *,
        is_title: bool = False,
        is_bold: bool = False,
        is_soft: bool = False,
        is_rich: bool = False,
        wraps: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText if is_rich else Qt.TextFormat.PlainText)
        super().setText(text)
        self._step, self._is_title, self._is_bold, self._is_soft = step, is_title, is_bold, is_soft
        self._tone: str = ""
        self.setWordWrap(wraps)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self._follow_links()
        self.linkActivated.connect(open_rule)
        self.dress()

    def set_step(self, step: str) -> None:
        """Write in another step of the type scale."""
        self._step = step
        self._dress()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._follow_links()

    def _follow_links(self) -> None:
        """Take the focus only where there is a link to be followed."""
        policy = Qt.FocusPolicy.StrongFocus if self._has_link() else Qt.FocusPolicy.NoFocus
        if policy != self.focusPolicy():
            self.setFocusPolicy(policy)

    def _has_link(self) -> bool:
        return self.textFormat() == Qt.TextFormat.RichText and "<a " in self.text()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # Straight to the link: a text by itself is nothing that a key could act on.
        if self._has_link() and event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        ):
            self.focusNextPrevChild(event.reason() == Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.hasFocus() or not self.hasSelectedText() or not self._has_link():
            return
        # Qt's own frame around a link in focus is a faint dotted one.
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colors().ink, 2))
        painter.drawRoundedRect(self._link_rect(), 3, 3)

    def _link_rect(self) -> QRectF:
        """Return where the selected link stands, found in the text laid out once more."""
        room = self.contentsRect()
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(self.font())
        document.setHtml(self.text())
        document.setTextWidth(room.width() if self.wordWrap() else -1)
        height = document.size().height()  # asked for before any line: it lays the text out
        block = document.findBlock(self.selectionStart())
        layout = block.layout()
        at = self.selectionStart() - block.position()
        line = layout.lineForTextPosition(at)
        if not line.isValid():
            return QRectF()
        ends: list[Any] = [line.cursorToX(place) for place in (at, at + len(self.selectedText()))]
        # Told with the place it was asked for.
        left, right = (float(x) for x, _ in ends)
        top = document.documentLayout().blockBoundingRect(block).top() + line.y()
        top += (room.height() - height) / 2 if self._is_centred() else 0
        place = QRectF(room.left() + left, room.top() + top, right - left, line.height())
        return place.adjusted(-2, 1, 2, 0)

    def _is_centred(self) -> bool:
        return bool(self.alignment() & Qt.AlignmentFlag.AlignVCenter)

    def set_tone(self, tone: str) -> None:
        """Write in another colour of the theme ("danger", "ok", "" for the usual one)."""
        if tone != self._tone:
            self._tone = tone
            self._dress()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_links()

    def _colour_links(self) -> None:
        # A link's colour is read from the palette once, when the text is set; the same text is not set twice.
        if self._has_link():
            text = self.text()
            super().setText("")
            super().setText(text)

    def _dress(self) -> None:
        font = theme.font(self._step, is_title=self._is_title, is_bold=self._is_bold)
        if font != self.font():
            self.setFont(font)
        colors = theme.colors()
        colour = getattr(colors, self._tone) if self._tone else colors.soft if self._is_soft else colors.ink
        palette = self.palette()
        if palette.color(self.foregroundRole()) != colour:
            palette.setColor(self.foregroundRole(), colour)
            self.setPalette(palette)


class Bar(QFrame):
    """A hair line between two parts of a panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.colors().faint)


def icon_size() -> int:
    """Return the side of a counter in a panel, pixels, growing with the text."""
    return max(28, round(theme.size("body") * 2.4))


def figure_pixmap(figure: FigureView | str, widget: QWidget, side: int | None = None) -> QPixmap:
    """Return a figure's counter, or a back, at a widget's resolution."""
    return counter_pixmap(figure, side or icon_size(), widget.devicePixelRatioF())


def ability_pixmap(
    ability: str,
    widget: QWidget,
    side: int | None = None,
    *,
    weapon: str | None = None,
    color: QColor | None = None,
) -> QPixmap:
    """Return an ability's symbol at a widget's resolution; a weapon as that Jelly's own."""
    dpr = widget.devicePixelRatioF()
    return counter_symbol_pixmap(ability, side or icon_size(), dpr, weapon=weapon, color=color)


def key_text(key: str) -> str:
    """Return how a key is called on this machine."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


# Widgets taken out of a page and not deleted yet. Out of the page at once, since what they say may be a
# secret from whoever looks next; kept here, since nobody else holds them, and Python would take them apart in
# the middle of the very event that led here.
_leaving: dict[int, QWidget] = {}


def clear_layout(layout: QLayout) -> None:
    """Take everything out of a layout and let it go."""
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            continue
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            _leaving[id(widget)] = widget
            widget.destroyed.connect(partial(_leaving.pop, id(widget), None))
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


def column(*widgets: QWidget | QLayout, spacing: int = theme.SPACE, margin: int = 0) -> QVBoxLayout:
    """Return a column of widgets and layouts."""
    layout = QVBoxLayout()
    _fill(layout, widgets, spacing, margin)
    return layout


def scrolled(page: QWidget, body: QVBoxLayout, foot: QVBoxLayout) -> None:
    """Fill a page with a body that scrolls and a foot that stays: nothing jumps when the foot changes."""
    inner = QWidget()
    body.addStretch(1)
    inner.setLayout(body)
    scroll = QScrollArea()
    scroll.setWidget(inner)
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    outer = QVBoxLayout(page)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.setSpacing(0)
    outer.addWidget(scroll, 1)
    outer.addWidget(Bar())
    outer.addLayout(foot)


class MoreSign(Drawn, QWidget):
    """Says at the foot of what scrolls that more stands below, over a line that would be cut in two.

    It also brings into sight whatever a key gives the focus, from outside of what scrolls too.
    """

    def __init__(self, scroll: QScrollArea) -> None:
        super().__init__(scroll)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        self._scroll = scroll
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = scroll.verticalScrollBar()
        bar.valueChanged.connect(self._place)
        bar.rangeChanged.connect(self._place)
        scroll.viewport().installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _dress(self) -> None:
        super()._dress()
        self._place()

    @Slot(QWidget, QWidget)
    def _on_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        inner = self._scroll.widget()
        # Under a mouse button nothing moves.
        if now is None or inner is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return
        if inner.isAncestorOf(now):
            self._scroll.ensureWidgetVisible(now, 0, theme.size("small") * 2)

    @Slot()
    def _place(self) -> None:
        bar, room = self._scroll.verticalScrollBar(), self._scroll.viewport().geometry()
        height = round(theme.size("small") * 1.5)
        self.setGeometry(room.left(), room.bottom() + 1 - height, room.width(), height)
        self.setVisible(bar.value() < bar.maximum() - theme.SPACE)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.panel)
        painter.setPen(QPen(colors.soft, 1))
        painter.drawLine(0, 0, self.width(), 0)
        painter.setFont(theme.font("small"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "▾ more below")


class TextView(QPlainTextEdit):
    """A text to be read and copied, line for line as it is."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(name)


class PictureView(QLabel):
    """A picture in the middle of what room there is."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName(name)
        # A picture asks for no room of its own, or the dialog could not be made smaller again.
        self.setMinimumSize(1, 1)


class LinkBrowser(QTextBrowser):
    """A text to read, whose link in focus is as plainly framed as a label's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The frame is wider than the link, which alone is drawn anew by itself.
        self.selectionChanged.connect(self.viewport().update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        link = self.link_rect()
        if link.isValid():
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colors().ink, 2))
            painter.drawRoundedRect(link, 3, 3)

    def link_rect(self) -> QRectF:
        """Return where the link in focus stands in the viewport; an invalid one if none is in focus."""
        cursor = self.textCursor()
        if not self.hasFocus() or not cursor.hasSelection() or not cursor.charFormat().isAnchor():
            return QRectF()
        first, last = QTextCursor(cursor), QTextCursor(cursor)
        first.setPosition(cursor.selectionStart() + 1)
        if not first.charFormat().isAnchor():
            return QRectF()
        first.setPosition(cursor.selectionStart())
        last.setPosition(cursor.selectionEnd())
        start, end = self.cursorRect(first), self.cursorRect(last)
        if start.top() != end.top():
            return QRectF()
        return QRectF(start.left() - 2, start.top() + 1, end.left() - start.left() + 4, start.height() - 1)


def row(*widgets: QWidget | QLayout, spacing: int = theme.SPACE, margin: int = 0) -> QHBoxLayout:
    """Return a row of widgets and layouts."""
    layout = QHBoxLayout()
    _fill(layout, widgets, spacing, margin)
    return layout


def _fill(layout: QBoxLayout, parts: Iterable[QWidget | QLayout], spacing: int, margin: int) -> None:
    layout.setSpacing(spacing)
    layout.setContentsMargins(margin, margin, margin, margin)
    for one in parts:
        if isinstance(one, QWidget):
            layout.addWidget(one)
        else:
            layout.addLayout(one)


def chain_tabs(first: QWidget, rest: Iterable[QWidget]) -> None:
    """Let Tab go on from a widget to others made later, in this order."""
    for one in rest:
        QWidget.setTabOrder(first, one)
        first = one


class Pressable(Drawn, QAbstractButton):
    """A button that draws itself, and that can be barred: then it looks so and a click asks why.

    A barred button stays in the tab order, so that the reason can be had by keyboard too.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._key = ""
        super().__init__(parent)
        self._is_barred = False
        self._is_ringed = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Return as with the space bar, once for each time the key goes down."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            if not event.isAutoRepeat():
                self.click()
        else:
            event.ignore()

    @property
    def is_barred(self) -> bool:
        """Whether a click asks for the reason instead of acting."""
        return self._is_barred

    def bar(self, is_barred: bool) -> None:
        """Bar the button, or let it act again."""
        if is_barred != self._is_barred:
            self._is_barred = is_barred
            self.setCursor(Qt.CursorShape.WhatsThisCursor if is_barred else Qt.CursorShape.PointingHandCursor)
            self.update()

    @property
    def is_ringed(self) -> bool:
        """Whether a lesson points at the button."""
        return self._is_ringed

    def ring(self, is_ringed: bool) -> None:
        """Draw a ring inside the button's rim, or none."""
        if is_ringed != self._is_ringed:
            self._is_ringed = is_ringed
            self.update()

    def set_key(self, key: str) -> None:
        """Give the button a key that presses it wherever the focus is in this window."""
        self._key = key
        self.setShortcut(QKeySequence(key))

    def show_key(self, key: str) -> None:
        """Show a key at the button that whatever it stands on listens for."""
        self._key = key
        self.updateGeometry()
        self.update()

    def setText(self, text: str) -> None:
        super().setText(text)
        if self._key:
            # A text sets the shortcut to its own mnemonic, and to none where it has none.
            self.setShortcut(QKeySequence(self._key))

    def nextCheckState(self) -> None:
        if not self._is_barred:
            super().nextCheckState()

    def _tones(self) -> tuple[QColor, QColor, QColor]:
        """Return the colours of field, border and text for the button's present state."""
        colors = theme.colors()
        if self._is_barred or not self.isEnabled():
            return colors.panel, colors.soft, colors.soft
        if self.isDown() or self.isChecked():
            return colors.ink, colors.ink, colors.field
        return colors.field, colors.ink if self.underMouse() else colors.soft, colors.ink

    def _paint_ring(self, painter: QPainter) -> None:
        if self._is_ringed:
            paint_ring(painter, QRectF(self.rect()))

    def _paint_frame(self, painter: QPainter, field: QColor, border: QColor) -> None:
        colors = theme.colors()
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        is_dashed = self._is_barred or not self.isEnabled()
        painter.setBrush(field)
        painter.setPen(QPen(border, 1, Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors.ink, 2))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.RADIUS, theme.RADIUS)


class PromptKey(_Button):
    """A button whose key acts at once; stands before its Qt class.

    Others act after the tenth of a second in which they are drawn pressed, when they may be gone already.
    """

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Shortcut:
            self.click()
            return True
        return super().event(event)


class ActionButton(Pressable):
    """A choice in words: an optional counter in front, a second line in small, its key at the end.

    `is_main` marks the one that one usually wants, `is_small` one that leaves the room to others.
    """

    def __init__(
        self,
        text: str,
        detail: str = "",
        parent: QWidget | None = None,
        *,
        pixmaps: Sequence[QPixmap] = (),
        is_main: bool = False,
        is_small: bool = False,
    ) -> None:
        super().__init__(parent)
        self._is_small = is_small
        self._detail = detail
        self._pixmaps = tuple(pixmaps)
        self.is_main = is_main
        self.setText(text)
        self.setAccessibleName(text.replace("&", ""))
        self.setAccessibleDescription(detail)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def detail(self) -> str:
        """The second line."""
        return self._detail

    def set_detail(self, detail: str) -> None:
        """Change the second line."""
        if detail != self._detail:
            self._detail = detail
            self.setAccessibleDescription(detail)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._text_font())
        small = QFontMetrics(theme.font("small"))
        widest = max(
            metrics.horizontalAdvance(self.text()),
            small.horizontalAdvance(self._detail) if self._detail else 0,
        )
        limit = theme.size("body") * 17
        width = min(widest, limit) + self._sides() + 4
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        width = min(self._sides() + theme.size("body") * 4, self.sizeHint().width())
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        room = max(width - self._sides(), 40)
        text, detail = self._heights(room)
        tallest = max((round(pixmap.deviceIndependentSize().height()) for pixmap in self._pixmaps), default=0)
        return max(text + detail, tallest) + theme.SPACE * (1 if self._is_small else 2)

    def _heights(self, room: int) -> tuple[int, int]:
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        text = (
            QFontMetrics(self._text_font()).boundingRect(QRect(0, 0, room, 9999), flags, self.text()).height()
        )
        if not self._detail:
            return text, 0
        small = QFontMetrics(theme.font("small"))
        return text, small.boundingRect(QRect(0, 0, room, 9999), flags, self._detail).height() + 2

    def _text_font(self) -> QFont:
        return theme.font("small" if self._is_small else "body", is_bold=self.is_main)

    def _sides(self) -> int:
        """Return the pixels beside the text: margins, counters, key."""
        used = theme.SPACE * (2 if self._is_small else 3)
        used += sum(
            round(pixmap.deviceIndependentSize().width()) + theme.SPACE // 2 for pixmap in self._pixmaps
        )
        if self._key:
            used += self._key_width() + theme.SPACE
        return used

    def _key_width(self) -> int:
        metrics = QFontMetrics(theme.font("small"))
        return max(metrics.height(), metrics.horizontalAdvance(key_text(self._key)) + theme.SPACE)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        field, border, ink = self._tones()
        if self.is_main and not self._is_barred and self.isEnabled() and not self.isDown():
            field, border, ink = colors.accent, colors.accent, colors.accent_text
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter, field, border)
        left = theme.SPACE * (1 if self._is_small else 1.5)
        for pixmap in self._pixmaps:
            size = pixmap.deviceIndependentSize()
            painter.drawPixmap(QPointF(left, (self.height() - size.height()) / 2), pixmap)
            left += size.width() + theme.SPACE // 2
        room = self.width() - self._sides()
        text, detail = self._heights(room)
        top = (self.height() - text - detail) // 2
        flags = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextShowMnemonic
        centred = (
            Qt.AlignmentFlag.AlignLeft if self._pixmaps or self._detail else Qt.AlignmentFlag.AlignHCenter
        )
        painter.setPen(ink)
        painter.setFont(self._text_font())
        painter.drawText(QRect(round(left), top, room, text), flags | centred, self.text())
        if self._detail:
            painter.setFont(theme.font("small"))
            painter.setPen(colors.soft if ink == colors.ink else ink)
            place = QRect(round(left), top + text + 2, room, detail)
            painter.drawText(place, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, self._detail)
        if self._key:
            self._paint_key(painter, ink)
        self._paint_ring(painter)

    def _paint_key(self, painter: QPainter, ink: QColor) -> None:
        painter.setFont(theme.font("small"))
        width = self._key_width()
        height = QFontMetrics(painter.font()).height()
        badge = QRectF(self.width() - width - theme.SPACE, (self.height() - height) / 2, width, height)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, 1))
        painter.drawRoundedRect(badge, 3, 3)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, key_text(self._key))


def keyed_button(text: str, key: str, slot: object, *, is_main: bool = False) -> ActionButton:
    """Return a button of a dialog or page that shows the key which presses it, "" for none."""
    button = ActionButton(text, is_main=is_main)
    button.setAccessibleName(text.rstrip("…"))
    if key:
        button.set_key(key)
    button.clicked.connect(slot)
    button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return button


class CounterButton(Pressable):
    """A tactics counter one can pick, or play: its symbol, or its back; its key in the corner."""

    def __init__(
        self, counter: str | None, name: str, parent: QWidget | None = None, *, side: str = ""
    ) -> None:
        super().__init__(parent)
        self.counter = counter
        self.weapon: str | None = None
        self._side = side
        self.setText(name)
        self.setAccessibleName(name)
        self.setToolTip(as_text(name))

    def sizeHint(self) -> QSize:
        side = icon_size() + theme.SPACE
        return QSize(side, side + self._foot())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _foot(self) -> int:
        return QFontMetrics(theme.font("small")).height() if self._key else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = icon_size()
        box = QRectF((self.width() - side) / 2, theme.SPACE / 2, side, side)
        painter.setOpacity(0.45 if self._is_barred or not self.isEnabled() else 1.0)
        if self.counter is None:
            paint_tactics_back(painter, box, self._side)
        else:
            paint_tactics(painter, box, self.counter, self, is_on=self.isChecked(), weapon=self.weapon)
        painter.setOpacity(1.0)
        if self.hasFocus() or self.underMouse():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors.ink, 2 if self.hasFocus() else 1))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), theme.RADIUS + 2, theme.RADIUS + 2)
        if self._key:
            painter.setPen(colors.soft)
            painter.setFont(theme.font("small"))
            foot = QRectF(0, box.bottom() + 3, self.width(), self._foot())
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, key_text(self._key))
        self._paint_ring(painter)


def paint_ring(painter: QPainter, box: QRectF) -> None:
    """Draw the ring with which a lesson points at a part of the window, just inside its box."""
    colors = theme.colors()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inner = box.adjusted(2, 2, -2, -2)
    # Two rims, so that it is seen on a button filled with the same colour too.
    for colour, width in ((colors.field, 4), (colors.accent, 3)):
        painter.setPen(QPen(colour, width))
        painter.drawRoundedRect(inner, theme.RADIUS, theme.RADIUS)


def paint_tactics(
    painter: QPainter,
    box: QRectF,
    counter: str,
    widget: QWidget,
    *,
    is_on: bool = False,
    weapon: str | None = None,
) -> None:
    """Draw a tactics counter face up; `is_on` marks a picked one by a rim and a tick, not by colour alone."""
    colors = theme.colors()
    painter.save()
    painter.setBrush(colors.field)
    painter.setPen(QPen(colors.accent if is_on else colors.soft, 3 if is_on else 1))
    painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
    inner = box.adjusted(box.width() * 0.14, box.width() * 0.14, -box.width() * 0.14, -box.width() * 0.14)
    pixmap = ability_pixmap(counter, widget, round(inner.width()), weapon=weapon)
    painter.drawPixmap(inner, pixmap, QRectF(pixmap.rect()))
    if is_on:
        tick = box.width() * 0.34
        badge = QRectF(box.right() - tick + 4, box.top() - 4, tick, tick)
        painter.setBrush(colors.accent)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(badge)
        painter.setPen(QPen(colors.accent_text, max(1.5, tick / 9)))
        painter.drawPolyline(
            [
                QPointF(badge.left() + tick * 0.26, badge.top() + tick * 0.53),
                QPointF(badge.left() + tick * 0.43, badge.top() + tick * 0.70),
                QPointF(badge.left() + tick * 0.76, badge.top() + tick * 0.32),
            ]
        )
    painter.restore()


def paint_tactics_back(painter: QPainter, box: QRectF, side: str) -> None:
    """Draw a tactics counter face down, in its side's colour with a plain mark."""
    colors = theme.colors()
    painter.save()
    painter.setBrush(colors.side(side) if side else colors.faint)
    painter.setPen(QPen(colors.chip_edge, 1))
    painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
    painter.setPen(QPen(colors.side_art(side) if side else colors.ink, max(1.0, box.width() / 18)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(box.center(), box.width() * 0.24, box.width() * 0.24)
    painter.drawEllipse(box.center(), box.width() * 0.1, box.width() * 0.1)
    painter.restore()


class FlowLayout(QLayout):
    """Lays widgets out in lines that wrap, as words do."""

    def __init__(self, parent: QWidget | None = None, spacing: int = theme.SPACE) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), is_trial=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, is_trial=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, is_trial: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            hint = item.sizeHint()
            width = min(hint.width(), rect.width())
            if line and x + width > rect.right() + 1:
                x = rect.x()
                y += line + self.spacing()
                line = 0
            height = item.heightForWidth(width) if item.hasHeightForWidth() else hint.height()
            if not is_trial:
                item.setGeometry(QRect(x, y, width, height))
            x += width + self.spacing()
            line = max(line, height)
        return y + line - rect.y()


def boxes_text(levels: int, original: int) -> str:
    """Return how a row of level boxes reads aloud."""
    return f"{levels} of {original}" if levels != original else str(levels)


class LevelBoxes(Drawn, QWidget):
    """A skill's row on a record sheet: its symbol and name, then its boxes, lost ones crossed out.

    `known` False draws question marks for the levels that this viewer may not know.
    """

    def __init__(
        self, ability: str, parent: QWidget | None = None, name: str = "", weapon: str | None = None
    ) -> None:
        super().__init__(parent)
        self.ability = ability
        self._weapon = weapon
        self._name = name or ABILITY_NAMES[ability]
        self._levels = self._original = 0
        self._is_known = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_levels(self, levels: int | None, original: int | None) -> None:
        """Show what is left of what there was; None is not known."""
        self._is_known = levels is not None
        self._levels = levels or 0
        self._original = original if original is not None else 0
        if levels is None:
            said = (
                f"{self._name}: {self._original} printed, what is left is secret" if original else "not known"
            )
        else:
            said = f"{self._name}: {boxes_text(self._levels, self._original)}"
        self.setAccessibleName(said)
        self.setToolTip(as_text(said))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme.font("small"))
        side = self._side()
        width = side + theme.SPACE + metrics.horizontalAdvance(self._name) + theme.SPACE + 3 * (side + 3)
        return QSize(width, max(side, metrics.height()) + 4)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _side(self) -> int:
        return round(theme.size("small") * 1.35)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._side()
        top = (self.height() - side) / 2
        is_gone = self._is_known and not self._levels
        painter.setOpacity(0.55 if is_gone else 1.0)
        painter.drawPixmap(
            QRectF(0, top, side, side).toRect(), ability_pixmap(self.ability, self, side, weapon=self._weapon)
        )
        painter.setOpacity(1.0)
        painter.setFont(theme.font("small"))
        painter.setPen(colors.soft if is_gone else colors.ink)
        count = max(self._original, 1)
        boxes = count * (side + 3)
        text = QRectF(side + theme.SPACE, 0, self.width() - side - theme.SPACE - boxes, self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._name)
        for number in range(count):
            box = QRectF(self.width() - boxes + number * (side + 3) + 1.5, top, side, side)
            self._paint_box(painter, box, number)

    def _paint_box(self, painter: QPainter, box: QRectF, number: int) -> None:
        colors = theme.colors()
        painter.setBrush(colors.field)
        painter.setPen(QPen(colors.soft, 1))
        painter.drawRoundedRect(box, 2, 2)
        if not self._is_known:
            painter.setPen(colors.soft)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "?")
        elif number < self._levels:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.ink)
            inset = box.width() * 0.28
            painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
        elif number < self._original:
            # A lost level stays legible under its cross, as on paper.
            painter.setPen(QPen(colors.danger, max(1.5, box.width() / 9)))
            inset = box.width() * 0.22
            cross = box.adjusted(inset, inset, -inset, -inset)
            painter.drawLine(cross.topLeft(), cross.bottomRight())
            painter.drawLine(cross.topRight(), cross.bottomLeft())
