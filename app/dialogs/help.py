"""The help: how to play, the keys, the rules by number and how we read them; searched by word or number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, Qt, QUrl, Slot
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.widgets import THEME_EVENTS, ActionButton, Label
from resources.path import resource

FOLDER: Final = "help"
# "## 4.43 Hostile martial artists", "## R7 Costs", "## First steps"
_HEADING = re.compile(r"^(#{1,3}) +(?:((?:\d+(?:\.\d+)+[a-z]?|\d+\.0|[RS]\d+)) +)?(.+?) *$")
_REFERENCE = re.compile(r"(?<![\w.\[#/:])((?:[2-8]\.\d{1,3}[a-z]?)|(?:R\d{1,2}))(?![\w\]])(?!\.\d)")


class Topic(NamedTuple):
    """One heading's part of the help: `rule` is its number or tag, "" where it has none."""

    file: str
    depth: int
    rule: str
    title: str
    body: str

    @property
    def heading(self) -> str:
        """The title with its number."""
        return f"{self.rule} {self.title}" if self.rule else self.title


def parse_topics(file: str, text: str) -> list[Topic]:
    """Return the parts of a help file, one for each heading."""
    found: list[Topic] = []
    lines: list[str] = []
    head: tuple[int, str, str] | None = None
    is_code = False
    for line in [*text.splitlines(), "# end"]:
        if line.startswith("```"):
            is_code = not is_code
        match = None if is_code else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        if head is not None:
            found.append(Topic(file, *head, "\n".join(lines).strip()))
        lines = []
        head = (len(match[1]), match[2] or "", match[3])
    return found


@lru_cache(maxsize=1)
def topics() -> tuple[Topic, ...]:
    """Return every part of the shipped help, in reading order."""
    files = sorted(
        (one for one in resource(FOLDER).iterdir() if one.name.endswith(".md")), key=lambda one: one.name
    )
    return tuple(topic for one in files for topic in parse_topics(one.name, one.read_text(encoding="utf-8")))


def find_rule(rule: str) -> Topic | None:
    """Return where a rule is explained: its own part, else the paragraph above it ("6.1a" in 6.1).

    None for "-" and for what the help does not know.
    """
    by_rule = {topic.rule: topic for topic in topics() if topic.rule}
    wanted = rule.strip()
    while wanted:
        if wanted in by_rule:
            return by_rule[wanted]
        if wanted.startswith(("R", "S")):
            return None
        wanted = wanted[:-1].rstrip(".")
        if "." not in wanted:
            return by_rule.get(f"{wanted}.0") if wanted.isdigit() else None
    return None


def search(text: str) -> list[Topic]:
    """Return the parts that a search finds: a rule by its number first, then titles, then texts."""
    words = text.lower().split()
    if not words:
        return list(topics())
    number = text.strip()

    def rank(topic: Topic) -> int | None:
        rule = topic.rule.lower()
        if rule and rule == number.lower():
            return 0
        if rule and rule.startswith(number.lower()):
            return 1
        heading, body = topic.heading.lower(), topic.body.lower()
        if all(word in heading for word in words):
            return 2
        if all(word in heading or word in body for word in words):
            return 3
        return None

    ranked = [(place, at) for at, topic in enumerate(topics()) if (place := rank(topic)) is not None]
    return [topics()[at] for _, at in sorted(ranked)]


def linked(text: str) -> str:
    """Return Markdown in which every rule that the help knows is a link to its place."""

    def link(match: re.Match[str]) -> str:
        return f"[{match[1]}](rule:{match[1]})" if find_rule(match[1]) is not None else match[1]

    return _REFERENCE.sub(link, text)


class HelpWindow(QWidget):
    """The help in a window of its own, so that one can read and play."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Help – Kung Fu 2100")
        self._found: Sequence[Topic] = ()
        self._trail: list[Topic] = []
        self._topic: Topic | None = None
        self.search_box = QLineEdit()
        self.search_box.setPlaceholderText("Search a word, or a rule (4.43)")
        self.search_box.setAccessibleName("Search the help")
        self.search_box.setClearButtonEnabled(True)
        self.search_box.textChanged.connect(self._search)
        self.search_box.returnPressed.connect(self._to_first)
        self.list = QListWidget()
        self.list.setAccessibleName("Topics")
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._chosen)
        self._nothing = Label("", "small", is_soft=True)
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        self.browser.setAccessibleName("Help text")
        self.browser.anchorClicked.connect(self._follow)
        self.back_button = ActionButton("Back")
        self.back_button.set_key("Alt+Left")
        self.back_button.clicked.connect(self._back)
        self.close_button = ActionButton("Close")
        self.close_button.set_key("Esc")
        self.close_button.clicked.connect(self.close)
        left = QWidget()
        left_layout = QVBoxLayout(left)
        left_layout.setContentsMargins(0, 0, 0, 0)
        left_layout.addWidget(self.search_box)
        left_layout.addWidget(self._nothing)
        left_layout.addWidget(self.list, 1)
        right = QWidget()
        right_layout = QVBoxLayout(right)
        right_layout.setContentsMargins(0, 0, 0, 0)
        right_layout.addWidget(self.browser, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.back_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        right_layout.addLayout(buttons)
        self._splitter = QSplitter()
        self._splitter.addWidget(left)
        self._splitter.addWidget(right)
        self._splitter.setStretchFactor(0, 2)
        self._splitter.setStretchFactor(1, 5)
        self._splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addWidget(self._splitter)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self._to_search)
        unit = theme.size("body")
        self.resize(min(unit * 72, 1240), min(unit * 46, 680))
        self._splitter.setSizes([unit * 24, unit * 46])
        self._search("")
        self._follow_back()

    @property
    def topic(self) -> Topic | None:
        """The part shown."""
        return self._topic

    def show_rule(self, rule: str) -> bool:
        """Show where a rule is explained; return whether the help knows it."""
        topic = find_rule(rule)
        if topic is None:
            self.search_box.setText(rule)
            return False
        self.show_topic(topic)
        return True

    def show_topic(self, topic: Topic, *, is_way_back: bool = False) -> None:
        """Show one part, with the shorter ones that belong to it below."""
        if self._topic is not None and not is_way_back and topic != self._topic:
            self._trail.append(self._topic)
        self._topic = topic
        if topic not in self._found:
            self.search_box.clear()
        at = next((at for at, one in enumerate(self._found) if one == topic), -1)
        self.list.blockSignals(True)
        self.list.setCurrentRow(at)
        self.list.blockSignals(False)
        self._render()
        self._follow_back()

    def _render(self) -> None:
        if self._topic is None:
            return
        document = self.browser.document()
        document.setDefaultFont(theme.font("body"))
        document.setDocumentMargin(theme.SPACE * 2)
        self.browser.setMarkdown(self._text(self._topic))
        self._dress_document()
        self.browser.moveCursor(QTextCursor.MoveOperation.Start)
        self._mark()

    def _dress_document(self) -> None:
        """Give what came from Markdown the theme's faces and spacing, and underline its links."""
        document = self.browser.document()
        document.setDefaultFont(theme.font("body"))
        link = QTextCharFormat()
        link.setFontUnderline(True)
        link.setForeground(theme.colors().ink)
        block = document.begin()
        while block.isValid():
            cursor = QTextCursor(block)
            shape = block.blockFormat()
            level = shape.headingLevel()
            in_table = cursor.currentTable() is not None
            shape.setLineHeight(122, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            shape.setTopMargin(theme.SPACE * 2 if level and block.position() else 0)
            shape.setBottomMargin(
                0 if in_table else theme.SPACE // 2 if block.textList() is not None else theme.SPACE
            )
            cursor.setBlockFormat(shape)
            if level:
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                face = QTextCharFormat()
                face.setFont(theme.font("title", is_title=True))
                cursor.mergeCharFormat(face)
            places = []
            fragments = block.begin()
            while not fragments.atEnd():
                piece = fragments.fragment()
                if piece.charFormat().isAnchor():
                    places.append((piece.position(), piece.length()))
                fragments += 1
            for start, length in places:
                cursor.setPosition(start)
                cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(link)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                border = frame.format()
                border.setBorder(1)
                border.setBorderBrush(theme.colors().faint)
                border.setBorderCollapse(True)
                border.setWidth(QTextLength(QTextLength.Type.PercentageLength, 97))
                border.setCellPadding(theme.SPACE // 2)
                border.setBottomMargin(theme.SPACE * 2)
                frame.setFormat(border)

    @staticmethod
    def _text(topic: Topic) -> str:
        """Return a part's Markdown, and that of the deeper headings after it."""
        whole = topics()
        at = whole.index(topic)
        parts = [f"## {topic.heading}\n\n{linked(topic.body)}"]
        for deeper in whole[at + 1 :]:
            if deeper.file != topic.file or deeper.depth <= topic.depth:
                break
            parts.append(f"### {deeper.heading}\n\n{linked(deeper.body)}")
        return "\n\n".join(parts)

    def _mark(self) -> None:
        """Go to the first place of the words searched for."""
        words = self.search_box.text().split()
        if words and find_rule(self.search_box.text().strip()) is None:
            self.browser.find(words[0], QTextDocument.FindFlag(0))

    @Slot(str)
    def _search(self, text: str) -> None:
        self._found = search(text)
        self.list.blockSignals(True)
        self.list.clear()
        for topic in self._found:
            item = QListWidgetItem(
                "    " * max(0, topic.depth - 1) + topic.heading if not text else topic.heading
            )
            font = theme.font("body", is_bold=topic.depth == 1)
            item.setFont(font)
            item.setToolTip(topic.heading)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self._nothing.setVisible(not self._found)
        self._nothing.setText(f"Nothing about “{text}”. Try one word, or a rule's number such as 5.4 or R18.")
        if self._found:
            shown = self._topic if self._topic is not None and not text else self._found[0]
            self.list.setCurrentRow(list(self._found).index(shown))
            if self._topic is None or text:
                self._chosen(self.list.currentRow())

    @Slot(int)
    def _chosen(self, at: int) -> None:
        if 0 <= at < len(self._found) and self._found[at] != self._topic:
            if self._topic is not None and not self.search_box.text():
                self._trail.append(self._topic)
            self._topic = self._found[at]
            self._render()
            self._follow_back()

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        if link.scheme() == "rule":
            self.show_rule(link.toString().removeprefix("rule:"))

    @Slot()
    def _back(self) -> None:
        if self._trail:
            self.show_topic(self._trail.pop(), is_way_back=True)

    def _follow_back(self) -> None:
        self.back_button.setEnabled(bool(self._trail))

    @Slot()
    def _to_search(self) -> None:
        self.search_box.setFocus()
        self.search_box.selectAll()

    @Slot()
    def _to_first(self) -> None:
        self.list.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Slash and not self.search_box.hasFocus():
            self._to_search()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in THEME_EVENTS and hasattr(self, "browser"):
            for at, topic in enumerate(self._found):
                item = self.list.item(at)
                if item is not None:
                    item.setFont(theme.font("body", is_bold=topic.depth == 1))
            self._render()


class _Shown:
    """The one help window of the program; kept here, as nobody else owns it."""

    window: HelpWindow | None = None


def window() -> HelpWindow:
    """Return the help window, made when first asked for."""
    if _Shown.window is None:
        made = HelpWindow()
        made.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        _Shown.window = made
        app = QApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(close)
    return _Shown.window


def open_help(title: str = "") -> HelpWindow:
    """Open the help, at the part with this title if one is given."""
    shown = window()
    topic = next((one for one in topics() if one.title.lower() == title.lower()), None) if title else None
    if topic is not None:
        shown.show_topic(topic)
    shown.show()
    shown.raise_()
    shown.activateWindow()
    return shown


def open_rule(rule: str) -> bool:
    """Open the help where a rule is explained ("4.43", "R7"), or where it was for "".

    Return whether the help knows the rule.
    """
    shown = open_help()
    return not rule or shown.show_rule(rule)


def close() -> None:
    """Close the help and let its window go."""
    if _Shown.window is not None:
        _Shown.window.close()
        _Shown.window.deleteLater()
        _Shown.window = None
