"""One page of the help: a topic's text with its pictures, in the theme's faces, to a readable width."""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QRegularExpression, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QKeyEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from app import theme
from app.help.search import stem
from app.help.topics import Topic, linked, parts_of, place_of, topics, way_to
from app.panels.dressed import Dressed

MEASURE: Final = 42  # the most text in a line, in ems
UNIT: Final = 2.7  # a square of a picture, in ems
SYMBOL: Final = 1.4  # a symbol in the text, in ems
COUNTER: Final = 2.6  # a counter in the text, in ems
_PICTURE = re.compile(r"^!\[([^\]]+)\]\((board:[a-z-]+)\) *$", re.MULTILINE)
_ANY_CASE: Final = QRegularExpression.PatternOption.CaseInsensitiveOption
_EMPTY_CELL = re.compile(r"\| +(?=\|)")


def _is_code(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence.value)


def markdown_of(topic: Topic) -> str:
    """Return a part's Markdown and that of the deeper ones after it, with the way to it and from it."""
    above = way_to(topic)
    lines = []
    if above:
        lines.append(" › ".join(f"[{one.heading}](topic:{place_of(one)})" for one in above))
    for one in parts_of(topic):
        level = min(4, 2 + one.depth - topic.depth)
        body = _PICTURE.sub(r"![\1](\2)\n\n\1", linked(one.body))
        # Qt lets a cell without a text be covered by the one before it.
        body = _EMPTY_CELL.sub("| \N{NO-BREAK SPACE} ", body)
        lines.append(f"{'#' * level} {one.heading}\n\n{body}")
    at = place_of(parts_of(topic)[-1]) + 1
    if at < len(topics()):
        lines.append(f"Next: [{topics()[at].heading}](topic:{at})")
    return "\n\n".join(lines)


class HelpPage(Dressed, QTextBrowser):
    """A topic as a page: `followed` tells its links, `entered` the focus; pictures come after the text."""

    followed = Signal(str)
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName("Help text")
        self.anchorClicked.connect(self._on_link)
        self._topic: Topic | None = None
        self._images: dict[tuple[str, str, int, float], QImage] = {}
        self._awaited: list[str] = []
        self._drawing = QTimer(self)
        self._drawing.setInterval(0)
        self._drawing.timeout.connect(self._draw_next)
        self.dress()

    def show_topic(self, topic: Topic) -> None:
        """Show a topic from its beginning."""
        self._topic = topic
        self._render()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def mark(self, words: list[str]) -> None:
        """Select the first place of the first of these words that the page has, and bring it into sight.

        A place is where a word begins so, or where its stem does: the page may have "Jelly" for "jellies".
        """
        self.moveCursor(QTextCursor.MoveOperation.Start)
        for word in words:
            for written in (word, stem(word)):
                wanted = QRegularExpression(rf"\b{QRegularExpression.escape(written)}", _ANY_CASE)
                if self.find(wanted, QTextDocument.FindFlag(0)):
                    return

    # The text.

    def _render(self) -> None:
        if self._topic is None:
            return
        self._drawing.stop()
        self._awaited = []
        document = self.document()
        document.setDefaultFont(theme.font("body"))
        self.setMarkdown(markdown_of(self._topic))
        self._style()
        self._set_measure()
        if self._awaited:
            self._drawing.start()

    def _style(self) -> None:
        """Give what came from Markdown the theme's faces and spacing, and its pictures their sizes."""
        document = self.document()
        document.setDefaultFont(theme.font("body"))
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        above = self._topic is not None and bool(way_to(self._topic))
        is_caption = False
        block = document.begin()
        while block.isValid():
            is_first = block == document.begin()
            self._space(block, is_caption=is_caption)
            has_picture = self._style_pieces(block)
            if is_caption or (is_first and above):
                self._soften(block)
            if has_picture:
                # A taller line would leave its room between the picture and its words.
                shape = block.blockFormat()
                shape.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
                shape.setBottomMargin(theme.SPACE // 2)
                QTextCursor(block).setBlockFormat(shape)
            is_caption = has_picture
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._style_table(frame)
        cursor.endEditBlock()

    def _space(self, block: QTextBlock, *, is_caption: bool) -> None:
        cursor = QTextCursor(block)
        shape = block.blockFormat()
        level = shape.headingLevel()
        in_table = cursor.currentTable() is not None
        shape.setLineHeight(122, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        shape.setTopMargin(theme.SPACE * 2 if level and block.position() else 0)
        below = 0 if in_table else theme.SPACE // 2 if block.textList() is not None else theme.SPACE
        shape.setBottomMargin(theme.SPACE * 2 if is_caption else below)
        if _is_code(block):
            # One block a line: they stand together, apart from what follows.
            shape.setBottomMargin(0 if _is_code(block.next()) else theme.SPACE * 2)
            shape.setLeftMargin(theme.SPACE * 2)
        cursor.setBlockFormat(shape)
        if level:
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            face = QTextCharFormat()
            face.setFont(theme.font("title" if level < 4 else "body", is_title=True))
            cursor.mergeCharFormat(face)

    def _style_pieces(self, block: QTextBlock) -> bool:
        """Underline a block's links and size its pictures; return whether it is a board's picture."""
        link = QTextCharFormat()
        link.setFontUnderline(True)
        link.setForeground(theme.colors().ink)
        pieces: list[tuple[int, int, QTextCharFormat]] = []
        fragments = block.begin()
        while not fragments.atEnd():
            piece = fragments.fragment()
            pieces.append((piece.position(), piece.length(), piece.charFormat()))
            fragments += 1
        has_picture = False
        for start, length, form in pieces:
            cursor = QTextCursor(block)
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            if form.isImageFormat():
                image = form.toImageFormat()
                has_picture = has_picture or image.name().startswith("board:")
                wide, high = self._picture_size(image.name())
                sized = QTextImageFormat(image)
                sized.setWidth(wide)
                sized.setHeight(high)
                sized.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
                cursor.setCharFormat(sized)
            elif form.isAnchor():
                cursor.mergeCharFormat(link)
        return has_picture

    @staticmethod
    def _soften(block: QTextBlock) -> None:
        cursor = QTextCursor(block)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        face = QTextCharFormat()
        face.setFont(theme.font("small"))
        face.setForeground(theme.colors().soft)
        cursor.mergeCharFormat(face)

    @staticmethod
    def _style_table(table: QTextTable) -> None:
        border = table.format()
        border.setBorder(1)
        border.setBorderBrush(theme.colors().soft)
        border.setBorderCollapse(True)
        border.setWidth(QTextLength(QTextLength.Type.PercentageLength, 97))
        border.setCellPadding(theme.SPACE // 2)
        border.setBottomMargin(theme.SPACE * 2)
        table.setFormat(border)

    def _set_measure(self) -> None:
        """Keep lines to a readable length, however wide the window is."""
        edge = theme.SPACE * 2
        frame = self.document().rootFrame()
        form = frame.frameFormat()
        room = self.viewport().width() - MEASURE * theme.size("body")
        form.setMargin(0)
        form.setLeftMargin(edge)
        form.setTopMargin(edge)
        form.setBottomMargin(edge)
        form.setRightMargin(max(edge, room - edge))
        if form != frame.frameFormat():
            frame.setFrameFormat(form)

    # Pictures.

    def _picture_size(self, name: str) -> tuple[float, float]:
        kind, _, what = name.partition(":")
        em = theme.size("body")
        if kind == "board":
            from app.help import pictures  # the engine with it, which a page without pictures can do without

            wide, high = pictures.board_size(what, em * UNIT)
            share = min(1.0, self._widest() / wide)
            return round(wide * share), round(high * share)
        side = round(em * (COUNTER if kind == "counter" else SYMBOL))
        return side, side

    def _widest(self) -> float:
        return max(200, min(self.viewport().width() - theme.SPACE * 5, MEASURE * theme.size("body")))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture; a board's is blank until it has been drawn."""
        address = name.toString() if isinstance(name, QUrl) else name
        scheme, _, what = address.partition(":")
        if scheme not in ("board", "counter", "symbol"):
            return super().loadResource(kind, name)
        wide, high = self._picture_size(address)
        dpr = self.devicePixelRatioF()
        key = (address, theme.colors().mode, round(wide), dpr)
        made = self._images.get(key)
        if made is not None:
            return made
        from app.help import pictures

        if scheme == "counter":
            self._images[key] = made = pictures.counter_picture(what, wide, dpr)
        elif scheme == "symbol":
            self._images[key] = made = pictures.symbol_picture(what, wide, dpr)
        else:
            if address not in self._awaited:
                self._awaited.append(address)
                self._drawing.start()
            made = QImage(round(wide * dpr), round(high * dpr), QImage.Format.Format_ARGB32_Premultiplied)
            made.fill(Qt.GlobalColor.transparent)
            made.setDevicePixelRatio(dpr)
        return made

    @Slot()
    def _draw_next(self) -> None:
        if not self._awaited:
            self._drawing.stop()
            return
        from app.help import pictures

        address = self._awaited.pop(0)
        wide, _ = self._picture_size(address)
        dpr = self.devicePixelRatioF()
        what = address.removeprefix("board:")
        unit = wide / pictures.board_size(what, 1)[0]
        made = pictures.board_picture(what, unit, dpr)
        self._images[address, theme.colors().mode, round(wide), dpr] = made
        self.document().addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(address), made)
        self.document().markContentsDirty(0, self.document().characterCount())
        self.viewport().update()

    # Events.

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        self.followed.emit(link.toString())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_measure()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()

    def _dress(self) -> None:
        if self._topic is not None:
            place = self.verticalScrollBar().value()
            self._render()
            self.verticalScrollBar().setValue(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The keys of going back and forward are the window's; the browser would take them for its own.
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()
            return
        super().keyPressEvent(event)
