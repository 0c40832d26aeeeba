"""The window of the help: contents and search to the left, the page to the right, beside the game."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.access import announce
from app.help.page import HelpPage
from app.help.results import SNIPPET_ROLE, ResultList
from app.help.search import Hit, search, words_of
from app.help.topics import Topic, find_rule, find_title, place_of, topics
from app.panels.dressed import Dressed
from app.panels.widgets import ActionButton, Label

AT = Qt.ItemDataRole.UserRole


class Place(NamedTuple):
    """Where a reader was: a topic, and how far down its page."""

    topic: Topic
    scrolled: int


class HelpWindow(Dressed, QWidget):
    """The help in a window of its own, so that one can read and play."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Help – Kung Fu 2100")
        self._hits: list[Hit] = []
        self._before: list[Place] = []
        self._after: list[Place] = []
        self._topic: Topic | None = None
        self._origin: Place | None = None  # where the reader was before he looked through what a search finds
        self.search_box = QLineEdit()
        self.search_box.setPlaceholderText("Search a word, or a rule (4.43, R7)")
        self.search_box.setAccessibleName("Search the help")
        self.search_box.setClearButtonEnabled(True)
        self.search_box.textChanged.connect(self._search)
        self.search_box.returnPressed.connect(self._to_left)
        self.contents = QTreeWidget()
        self.contents.setAccessibleName("Contents")
        self.contents.setHeaderHidden(True)
        self.contents.setIndentation(theme.SPACE * 2)
        self.contents.setUniformRowHeights(True)
        self.contents.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.contents.currentItemChanged.connect(self._on_contents)
        self.contents.itemActivated.connect(self._to_page)
        self.results = ResultList()
        self.results.currentRowChanged.connect(self._on_result)
        self.results.itemActivated.connect(self._to_page)
        self.results.itemClicked.connect(self._stay)
        self._nothing = Label("", "small", is_soft=True)
        self._nothing.hide()
        self._left = QStackedWidget()
        self._left.addWidget(self.contents)
        self._left.addWidget(self.results)
        self.page = HelpPage()
        self.page.entered.connect(self._stay)
        self.page.followed.connect(self._follow)
        self.back_button = self._button("Back", "Alt+Left", self.back)
        self.forward_button = self._button("Forward", "Alt+Right", self.forward)
        self.close_button = self._button("Close", "Esc", self.close)
        self._items: dict[int, QTreeWidgetItem] = {}
        self._fill_contents()
        self._lay_out()
        for key, slot in (
            (QKeySequence(QKeySequence.StandardKey.Find), self._to_search),
            (QKeySequence("Alt+Up"), self._to_previous),
            (QKeySequence("Alt+Down"), self._to_next),
        ):
            QShortcut(key, self).activated.connect(slot)
        down = QShortcut(QKeySequence("Down"), self.search_box)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(self._to_left)
        self._follow_trail()
        self.contents.setFocus()
        self.dress()

    def _button(self, text: str, key: str, slot: object) -> ActionButton:
        made = ActionButton(text)
        made.set_key(key)
        made.clicked.connect(slot)
        return made

    def _lay_out(self) -> None:
        left = QWidget()
        left_layout = QVBoxLayout(left)
        left_layout.setContentsMargins(0, 0, 0, 0)
        left_layout.addWidget(self.search_box)
        left_layout.addWidget(self._nothing)
        left_layout.addWidget(self._left, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.back_button)
        buttons.addWidget(self.forward_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(0, 2)
        splitter.setStretchFactor(1, 5)
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.addWidget(splitter, 1)
        layout.addLayout(buttons)
        unit = theme.size("body")
        self.resize(min(unit * 72, 1240), min(unit * 46, 680))
        splitter.setSizes([unit * 24, unit * 46])

    def _fill_contents(self) -> None:
        above: list[QTreeWidgetItem] = []
        for at, topic in enumerate(topics()):
            item = QTreeWidgetItem([topic.heading])
            item.setData(0, AT, at)
            item.setToolTip(0, topic.heading)
            item.setFont(0, theme.font("body", is_bold=topic.depth == 1))
            del above[topic.depth - 1 :]
            if above:
                above[-1].addChild(item)
            else:
                self.contents.addTopLevelItem(item)
            above.append(item)
            self._items[at] = item

    # What is shown.

    @property
    def topic(self) -> Topic | None:
        """The part shown."""
        return self._topic

    def show_rule(self, rule: str) -> bool:
        """Show where a rule is explained; return whether the help knows it, else search for it."""
        topic = find_rule(rule)
        if topic is None:
            self.search_box.setText(rule)
            return False
        self.show_topic(topic)
        return True

    def show_title(self, title: str) -> bool:
        """Show the part with a title; return whether there is one."""
        topic = find_title(title)
        if topic is not None:
            self.show_topic(topic)
        return topic is not None

    def show_topic(self, topic: Topic) -> None:
        """Show a part, with the deeper ones that belong to it below; what was shown is where back leads."""
        self._stay()
        if topic == self._topic:
            return
        if self._topic is not None:
            self._before.append(self._place(self._topic))
            self._after.clear()
        self._turn_to(topic)

    def clear_search(self) -> None:
        """Show the contents again, beside the page that is shown."""
        self._stay()
        self.search_box.clear()

    def _place(self, topic: Topic) -> Place:
        return Place(topic, self.page.verticalScrollBar().value())

    def _turn_to(self, topic: Topic) -> None:
        self._topic = topic
        self.page.show_topic(topic)
        item = self._items[place_of(topic)]
        self.contents.blockSignals(True)
        self.contents.setCurrentItem(item)
        self.contents.blockSignals(False)
        self.contents.scrollToItem(item)
        if not self.contents.hasFocus():
            self._close_others(item)
        item.setExpanded(True)
        if topic not in [hit.topic for hit in self._hits]:
            self.results.blockSignals(True)
            self.results.setCurrentRow(-1)
            self.results.blockSignals(False)
        announce(self.page, topic.heading)
        self._follow_trail()

    def _close_others(self, item: QTreeWidgetItem) -> None:
        """Close the chapters that a part is not in, so that its neighbours are seen."""
        while (above := item.parent()) is not None:
            item = above
        for at in range(self.contents.topLevelItemCount()):
            chapter = self.contents.topLevelItem(at)
            if chapter is not None and chapter is not item:
                chapter.setExpanded(False)

    def _follow_trail(self) -> None:
        self.back_button.setEnabled(bool(self._before) or self._is_away)
        self.forward_button.setEnabled(bool(self._after))

    # Looking through what a search finds: no place that anybody goes back to, until the reader stays there.

    @property
    def _is_away(self) -> bool:
        """Whether a search shows another part than the one that the reader was at."""
        return self._origin is not None and self._origin.topic != self._topic

    def _glance(self, topic: Topic) -> None:
        """Show a part that a search finds."""
        if self._origin is None and self._topic is not None:
            self._origin = self._place(self._topic)
        if topic != self._topic:
            self._turn_to(topic)

    @Slot()
    def _stay(self) -> None:
        """Take the part that a search shows for the reader's place."""
        if self._is_away and self._origin is not None:
            self._before.append(self._origin)
            self._after.clear()
        self._origin = None
        self._follow_trail()

    def _return(self) -> None:
        """Show what was shown before the search, as far down as it was."""
        if self._origin is None:
            return
        place, self._origin = self._origin, None
        self._turn_to(place.topic)
        self.page.verticalScrollBar().setValue(place.scrolled)

    # Going about.

    @Slot()
    def back(self) -> None:
        """Show what was shown before, as far down as it was."""
        self._stay()
        self._go(self._before, self._after)

    @Slot()
    def forward(self) -> None:
        """Show again what one came back from."""
        self._return()
        self._go(self._after, self._before)

    def _go(self, source: list[Place], other: list[Place]) -> None:
        if not source or self._topic is None:
            return
        other.append(self._place(self._topic))
        place = source.pop()
        self._turn_to(place.topic)
        self.page.verticalScrollBar().setValue(place.scrolled)

    @Slot()
    def _to_next(self) -> None:
        self._step(1)

    @Slot()
    def _to_previous(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._topic is None:
            return
        at = place_of(self._topic) + by
        if 0 <= at < len(topics()):
            self.show_topic(topics()[at])

    @Slot(str)
    def _follow(self, link: str) -> None:
        scheme, _, what = link.partition(":")
        if scheme == "rule":
            self.show_rule(what)
        elif scheme == "topic":
            self.show_topic(topics()[int(what)])

    @Slot()
    def _to_search(self) -> None:
        self.search_box.setFocus()
        self.search_box.selectAll()

    @Slot()
    def _to_left(self) -> None:
        """Go from the search to what it found, or to the contents if nothing is searched for."""
        if self._hits or not self._is_asked:
            (self.results if self._hits else self.contents).setFocus()
        if self._hits and self.results.currentRow() < 0:
            self.results.setCurrentRow(0)

    @Slot()
    def _to_page(self) -> None:
        self.page.setFocus()

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_contents(self, item: QTreeWidgetItem | None, before: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.show_topic(topics()[item.data(0, AT)])

    # The search.

    @Slot(str)
    def _search(self, text: str) -> None:
        self._hits = search(text)
        self._left.setCurrentIndex(1 if self._is_asked else 0)
        self.results.blockSignals(True)
        self.results.clear()
        for hit in self._hits:
            item = QListWidgetItem(hit.topic.heading)
            item.setData(SNIPPET_ROLE, hit.snippet)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{hit.topic.heading}. {hit.snippet}")
            self.results.addItem(item)
        self.results.blockSignals(False)
        has_none = self._is_asked and not self._hits
        self._nothing.setVisible(has_none)
        if has_none:
            said = f"Nothing about “{text.strip()}”. Try one word, or a rule's number such as 5.4 or R18."
            self._nothing.setText(said)
            announce(self._nothing, said)
        if self._hits:
            self.results.setCurrentRow(0)
        else:
            self._return()

    @property
    def _is_asked(self) -> bool:
        return bool(self.search_box.text().strip())

    @Slot(int)
    def _on_result(self, at: int) -> None:
        if not 0 <= at < len(self._hits):
            return
        topic = self._hits[at].topic
        self._glance(topic)
        if find_rule(self.search_box.text().strip()) != topic:
            self.page.mark([word for word in words_of(self.search_box.text()) if len(word) > 1])

    # Events.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Slash and not self.search_box.hasFocus():
            self._to_search()
            return
        super().keyPressEvent(event)

    def _dress(self) -> None:
        for at, item in self._items.items():
            item.setFont(0, theme.font("body", is_bold=topics()[at].depth == 1))
        self.results.scheduleDelayedItemsLayout()


class _Shown:
    """The one help window of the program; kept here, as nobody else owns it."""

    window: HelpWindow | None = None


def window() -> HelpWindow:
    """Return the help window, made when first asked for; closed, it keeps its place."""
    if _Shown.window is None:
        made = HelpWindow()
        made.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        _Shown.window = made
        app = QApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(close)
    return _Shown.window


def open_help(title: str = "") -> HelpWindow:
    """Open the help with its contents beside it, at the part with this title if one is given."""
    shown = window()
    shown.clear_search()
    if title:
        shown.show_title(title)
    elif shown.topic is None:
        shown.show_topic(topics()[0])
    shown.show()
    shown.raise_()
    shown.activateWindow()
    return shown


def open_rule(rule: str) -> bool:
    """Open the help where a rule is explained ("4.43", "R7"), or where it was for "".

    Return whether the help knows the rule.
    """
    topic = find_rule(rule)
    if topic is not None:
        window().show_topic(topic)
    shown = open_help()
    return topic is not None or not rule or shown.show_rule(rule)


def close() -> None:
    """Close the help and let its window go."""
    if _Shown.window is not None:
        _Shown.window.close()
        _Shown.window.deleteLater()
        _Shown.window = None
