"""The tools, each with its picture, name and key, and below them the options of the one in hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.board.art import drawing
from app.markup import as_text
from app.panels.dressed import Dressed
from app.panels.widgets import Bar, Label, Pressable, clear_layout, key_text
from editor.bench import Bench
from editor.tools.base import Tool

ICON: Final = 1.6  # times the size of the text
LOOSE: Final = 1.9
TIGHT: Final = 1.5
"""Height of a line of the toolbox, times the size of the text: where there is room, and at least."""
KNOWN: Final = 5
"""Times the size of the text: less of a tool's name than this tells nobody which it is."""
SHORTEST: Final = 3
"""Of an option's words, the least that is shown, times the size of the text."""
SPARE: Final = 2
"""Lines that heading and rims of the options take."""
OPTIONS_SHARE: Final = 0.45
"""Of the height, what is kept for the options where not all tools fit."""
USUAL_OPTIONS: Final = 6
"""How many options have room in any case; where a tool has more, they may scroll."""


class ToolButton(Pressable):
    """A tool or one of its options: picture, name, and at the end its key.

    Where there is no room for the names of all tools, pictures stand without any; options are cut short.
    """

    def __init__(self, text: str, key: str, icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon_key = icon
        self.key_label = key
        self.setText(text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(f"Key {key}" if key else "")
        self._lines = LOOSE
        self._has_name = True
        self.setCheckable(True)
        self.setAutoExclusive(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_key_label(self, key: str) -> None:
        """Show another key."""
        self.key_label = key
        self.setAccessibleDescription(f"Key {key}" if key else "")
        self.update()

    def set_height(self, lines: float) -> None:
        """Be so many times as high as the text."""
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()

    def can_name(self, width: int) -> bool:
        """Return whether enough of the name to be known fits into a width; what does not is cut."""
        left = width - self._start() - self._key_width() - theme.SPACE * 2
        return left >= min(theme.size("body") * KNOWN, self.sizeHint().width())

    def show_name(self, is_on: bool) -> None:
        """Stand with the name beside the picture, or have it as the tool tip."""
        self._has_name = is_on
        is_whole = is_on and self.sizeHint().width() <= self.width()
        self.setToolTip("" if is_whole else as_text(self.text()))
        self.update()

    def _key_width(self) -> int:
        return QFontMetrics(theme.font("small")).horizontalAdvance(self.key_label)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(theme.font("body")).horizontalAdvance(self.text()) + self._key_width()
        return QSize(self._start() + width + theme.SPACE * 3, round(theme.size("body") * self._lines))

    def minimumSizeHint(self) -> QSize:
        words = 0 if self.icon_key else theme.size("body") * SHORTEST
        width = self._start() + words + self._key_width() + theme.SPACE * 2
        return QSize(width, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.icon_key:
            is_cut = self.width() < self.sizeHint().width()
            self.setToolTip(as_text(self.text()) if is_cut else "")

    def _start(self) -> int:
        return theme.SPACE + (round(theme.size("body") * ICON) + theme.SPACE if self.icon_key else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        field, border, ink = self._tones()
        if self.isChecked() or self.underMouse() or self.hasFocus():
            self._paint_frame(painter, field, border)
        if self.icon_key:
            side = min(theme.size("body") * ICON, self.height() - 2)
            box = QRectF(theme.SPACE, (self.height() - side) / 2, side, side)
            drawing(f"tool-{self.icon_key}").draw(painter, box, ink, field)
        painter.setPen(ink)
        painter.setFont(theme.font("body"))
        room = QRectF(self._start(), 0, self.width() - self._start() - theme.SPACE, self.height())
        if self._has_name:
            words = room.adjusted(0, 0, -self._key_width() - theme.SPACE, 0)
            text = painter.fontMetrics().elidedText(
                self.text(), Qt.TextElideMode.ElideRight, round(words.width())
            )
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.setPen(ink if self.isChecked() else theme.colors().soft)
        painter.setFont(theme.font("small"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self.key_label)


def _area(inner: QWidget) -> QScrollArea:
    """Return an area in which a column scrolls where there is too little height for it."""
    area = QScrollArea()
    area.setWidget(inner)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class Toolbox(Dressed, QWidget):
    """The tools of a mode, and the options of the one in hand.

    `toolWanted` carries the tool that was pressed, `done` follows when an option was.
    """

    toolWanted = Signal(object)
    done = Signal()

    def __init__(self, bench: Bench, tools: Sequence[Tool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench
        self.setAccessibleName("Tools")
        self.buttons: dict[str, ToolButton] = {}
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(*(theme.SPACE // 2,) * 4)
        self._column.setSpacing(0)
        for tool in tools:
            button = ToolButton(tool.title, key_text(tool.shortcut), tool.key)
            button.clicked.connect(self._on_clicked)
            self.buttons[tool.key] = button
            self._column.addWidget(button)
        self._column.addStretch(1)
        self._tools = {tool.key: tool for tool in tools}
        self._inner = inner
        self._options_title = Label("", "small", is_soft=True)
        self._options = QWidget()
        self.options = QVBoxLayout(self._options)
        self.options.setContentsMargins(*(theme.SPACE // 2,) * 4)
        self.options.setSpacing(0)
        self._options_area = _area(self._options)
        self._foot = QWidget()
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(0)
        foot.addWidget(Bar())
        foot.addWidget(self._options_title)
        foot.addWidget(self._options_area)
        self._options_title.setMargin(theme.SPACE // 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._tools_area = _area(inner)
        layout.addWidget(self._tools_area)
        layout.addWidget(self._foot)
        layout.addStretch(1)
        for tool in tools:
            tool.optionsChanged.connect(self._show_options)
        bench.toolChanged.connect(self._follow)
        self._follow()
        self.dress()

    def sizeHint(self) -> QSize:
        return QSize(self._inner.sizeHint().width() + theme.SPACE * 2, self._inner.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._inner.minimumSizeHint().width() + theme.SPACE * 2, theme.size("body") * 8)

    def offer(self, tools: Sequence[Tool]) -> None:
        """Offer some of the tools."""
        for key, button in self.buttons.items():
            button.setVisible(self._tools[key] in tools)
        self._fit()

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the tools' keys, by tool."""
        for tool, key in keys.items():
            self.buttons[tool].set_key_label(key)

    @Slot()
    def _on_clicked(self) -> None:
        for key, button in self.buttons.items():
            if button is self.sender():
                self.toolWanted.emit(self._tools[key])
        self._follow()

    @Slot()
    def _follow(self) -> None:
        for key, button in self.buttons.items():
            button.setChecked(self.bench.tool is not None and key == self.bench.tool.key)
        self._show_options()
        QTimer.singleShot(0, self, self._show_tool)

    @Slot()
    def _show_tool(self) -> None:
        """Bring the tool in hand into view, where they have to scroll."""
        tool = self.bench.tool
        if tool is not None and tool.key in self.buttons:
            self._tools_area.ensureWidgetVisible(self.buttons[tool.key], 0, theme.SPACE)

    @Slot()
    def _show_options(self) -> None:
        tool = self.bench.tool
        clear_layout(self.options)
        self._options_title.setText(tool.title if tool is not None else "")
        self._foot.setVisible(tool is not None and bool(tool.options))
        if tool is None:
            return
        for number, (key, words) in enumerate(tool.options, 1):
            button = ToolButton(words, str(number) if number < 10 else "")
            button.setObjectName(key)
            button.setChecked(key in tool.in_force)
            button.clicked.connect(self._on_option)
            self.options.addWidget(button)
        self._fit()

    def _fit(self) -> None:
        """Put tools and options as close as the height asks for; options beyond their share scroll.

        With room for the options of other tools: no tool moves when another is taken in hand.
        """
        buttons = self._options.findChildren(ToolButton)
        offered = [key for key, button in self.buttons.items() if not button.isHidden()]
        count = len(offered) + USUAL_OPTIONS + SPARE
        lines = min(max(self.height() / (count * theme.size("body")), TIGHT), LOOSE)
        for button in (*(self.buttons[key] for key in offered), *buttons):
            button.set_height(lines)
        room = self.width() - theme.SPACE * 2
        has_names = all(self.buttons[key].can_name(room) for key in offered)
        for key in offered:
            self.buttons[key].show_name(has_names)
        line = round(theme.size("body") * lines)
        title = self._options_title.sizeHint().height() + theme.SPACE // 2
        least = min(USUAL_OPTIONS * line + theme.SPACE, round(self.height() * OPTIONS_SHARE))
        self._column.activate()
        tools = max(min(len(offered) * line + theme.SPACE, self.height() - title - least), line)
        self._tools_area.setFixedHeight(tools)
        wanted = sum(one.sizeHint().height() for one in buttons if one.parent() is not None) + theme.SPACE
        self._options_area.setFixedHeight(max(min(wanted, self.height() - title - tools), 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _dress(self) -> None:
        self._fit()

    @Slot()
    def _on_option(self) -> None:
        button, tool = self.sender(), self.bench.tool
        if tool is not None and button is not None:
            tool.choose(button.objectName())
            self._show_options()
            self.done.emit()
