"""A game taken out of the program: its log, position and choices as text, its board as a picture.

What may leave is decided once, by whoever makes the `Export`: while a game goes on it is what its player
knows, at a shared screen what everybody knows, and its choices stay inside. After the end it is everything.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from app import game_files
from app.games import players_words
from engine.core.event import Event
from engine.core.files import write_atomic
from engine.core.match import OPEN, PUBLIC
from engine.core.record import Record, format_record
from engine.fortress.floorplan import FloorPlan
from engine.raid.events import PhaseBegan
from engine.raid.log import describe
from engine.raid.notation import format_game, format_position
from engine.raid.view import View

if TYPE_CHECKING:
    from app.session import Session
    from engine.raid.match import RaidReplay

Form = Literal["file", "log", "position", "notation", "png", "svg"]
TEXTS: Final = ("log", "position", "notation")
PICTURES: Final = ("png", "svg")
PIXELS: Final = 48  # of a square in a picture
SUFFIXES: Final[dict[Form, str]] = {
    "file": ".json",
    "log": ".txt",
    "position": ".txt",
    "notation": ".txt",
    "png": ".png",
    "svg": ".svg",
}
WHOSE: Final = {
    PUBLIC: "as both sides know it",
    OPEN: "everything open",
    "terminator": "as the Terminator player knows it",
    "clonemaster": "as the CloneMaster player knows it",
}


class Export(NamedTuple):
    """All that may leave of a game at a moment.

    `record` is None while the game goes on; `file` is the game's own file, where that may leave
    though it does. A game over the network is among the saved games only when it has ended.
    """

    title: str
    players: str
    view: View
    events: tuple[Event, ...]
    plan: FloorPlan
    record: Record | None = None
    file: Path | None = None
    is_over_network: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether only what both sides know may leave, since the game goes on."""
        return self.view.viewer == PUBLIC and self.record is None

    def why_not(self, form: Form) -> str:
        """Return why this may not leave in a form, "" where it may."""
        if form == "notation" and self.record is None:
            return "The choices tell what is secret: they can be exported when the game is over."
        if form == "file" and self.file is None and self.record is None:
            secret = "The game's file tells what is secret: it can be exported"
            if self.is_over_network:
                return f"{secret} when the game is over and the host has sent its record."
            return f"{secret} from the saved games."
        return ""

    def text(self, form: Form) -> str:
        """Return a text form; raises ValueError for what may not leave, or is no text."""
        if form == "log":
            return log_text(self)
        if form == "position":
            return format_position(self.view, self.plan)
        if form == "notation" and self.record is not None:
            return format_game(self.record)
        raise ValueError(self.why_not(form) or f"{form} is no text")

    def save(self, form: Form, path: Path) -> None:
        """Write it into a file, which is whole or not there; raises OSError, BadFile, ValueError.

        FileExistsError rather than write over a saved game.
        """
        game_files.keep_games(path)
        if form == "svg":
            _save_svg(path, self.view, self.plan)
        elif form == "png":
            write_atomic(path, _png(self.view, self.plan))
        elif form == "file" and self.file is not None:
            game_files.export(self.file, path)
        elif form == "file" and self.record is not None:
            write_atomic(path, format_record(self.record))
        else:
            write_atomic(path, self.text(form).encode())


def of_session(session: Session) -> Export:
    """Return what may leave of the game on show."""
    view, events = session.shared()
    players = " against ".join(session.player(side) for side in ("terminator", "clonemaster"))
    record = session.record if session.has_record else None
    title = (record.title if record is not None else "") or session.scenario.name
    return Export(
        title, players, view, events, session.board.plan, record, is_over_network=session.is_over_network
    )


def of_replay(replay: RaidReplay, viewer: str, file: Path | None = None) -> Export:
    """Return what may leave of a replay at its position, with a viewer's eyes."""
    record = replay.record
    return Export(
        record.title or replay.scenario.name,
        players_words(record),
        replay.view(viewer),
        replay.events(viewer),
        replay.board.plan,
        record if replay.may_open else None,
        file,
    )


def of_end(replay: RaidReplay, file: Path | None = None) -> Export:
    """Return what may leave of a whole game, as it stands at its end; the replay stays where it is."""
    position = replay.position
    replay.go(replay.length)
    export = of_replay(replay, OPEN if replay.may_open else PUBLIC, file)
    replay.go(position)
    return export


def log_text(export: Export) -> str:
    """Return what happened, a line each behind its rule, under the headings of the phases."""
    lines = [f"{export.title}: {export.players}", f"The log, {WHOSE[export.view.viewer]}.", ""]
    lines += _log_lines(export.events)
    return "\n".join(lines) + "\n"


def _log_lines(events: Sequence[Event]) -> list[str]:
    lines: list[str] = []
    for event in events:
        rule = getattr(event, "rule", "")
        if isinstance(event, PhaseBegan):
            lines += ["", describe(event)]
        else:
            lines.append(f"{'' if rule == '-' else rule:>6}  {describe(event)}".rstrip())
    return lines


def _png(view: View, plan: FloorPlan) -> bytes:
    from PySide6.QtCore import QBuffer, QByteArray

    from app.board.picture import board_image

    made = QByteArray()
    buffer = QBuffer(made)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image = board_image(plan, view, PIXELS)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise OSError("the picture cannot be made")
    return bytes(made.data())


def _save_svg(path: Path, view: View, plan: FloorPlan) -> None:
    from PySide6.QtCore import QPoint, QRect
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgGenerator

    from app.board.picture import draw_board, picture_size

    # The generator writes where it is told, so that the whole file is there before it takes its place.
    handle, name = tempfile.mkstemp(suffix=".svg")
    os.close(handle)
    draft = Path(name)
    try:
        # 1.1, not the default Tiny, which cannot keep what is drawn inside of what it belongs to.
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setFileName(name)
        size = picture_size(plan, PIXELS)
        generator.setSize(size)
        generator.setResolution(96)  # what a pixel is in such a file
        generator.setViewBox(QRect(QPoint(0, 0), size))
        generator.setTitle(f"{view.scenario}, turn {view.turn}")
        painter = QPainter(generator)
        draw_board(painter, plan, view, PIXELS)
        painter.end()
        write_atomic(path, draft.read_bytes())
    finally:
        draft.unlink(missing_ok=True)
