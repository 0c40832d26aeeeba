"""The end of a game: which victory and why, what is left of each side, and both sides' secrets opened."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.panels.dressed import Drawn
from app.panels.widgets import Bar, Label, row, rule_link
from app.session import Session
from app.wording import ending_rule, reason_words, victory_words
from engine.raid.figures import ABILITY_NAMES, KIND_NAMES, SIDE_NAMES
from engine.raid.view import FigureView, View

if TYPE_CHECKING:
    from app.lan_game import LanGame

PLACE_WORDS = {
    "map": "in the fortress",
    "off": "never entered",
    "station": "outside the front door",
    "waiting": "waiting outside",
    "box": "not used",
    "escaped": "escaped",
    "dead": "killed",
}


def is_captured(figure: FigureView, view: View) -> bool:
    """Return whether a Terminator was still inside when a game that scores ended (6.3, R31)."""
    return (
        view.points is not None
        and view.outcome is not None
        and not view.outcome.is_agreed
        and figure.side == "terminator"
        and figure.place == "map"
    )


def left_words(view: View) -> list[str]:
    """Return what each side had left, a line each."""
    terminators = [one for one in view.figures if one.side == "terminator"]
    alive = [one for one in terminators if one.place not in ("dead",)]
    escaped = sum(1 for one in terminators if one.place == "escaped")
    captured = sum(is_captured(one, view) for one in terminators)
    fates = f"{escaped} escaped, {captured} captured" if captured else f"{escaped} escaped"
    lines = [f"Terminators: {len(alive)} of {len(terminators)} alive, {fates}."]
    counts: list[str] = []
    for kind, name in KIND_NAMES.items():
        figures = [
            one
            for one in view.figures
            if one.kind == kind and one.side == "clonemaster" and one.place != "box"
        ]
        if figures:
            left = sum(1 for one in figures if one.place != "dead")
            counts.append(f"{name} {left}/{len(figures)}")
    lines.append(f"CloneMaster's side: {', '.join(counts)}.")
    intact = sum(1 for thing in view.equipment if not thing.is_destroyed)
    lines.append(f"Vital equipment intact: {intact} of {len(view.equipment)}.")
    return lines


def levels_words(figure: FigureView) -> str:
    """Return a figure's levels, with what it began with where that is more."""
    if figure.original is None:
        return ""
    levels = figure.levels or {}
    parts = []
    for word, began in figure.original.items():
        if began:
            now = levels.get(word, 0)
            name = figure.weapon.capitalize() if word == "weapon" and figure.weapon else ABILITY_NAMES[word]
            parts.append(f"{name} {now}" if now == began else f"{name} {now} of {began}")
    return ", ".join(parts)


def secrets_html(view: View) -> str:
    """Return both sides' secrets as a table: who had which levels, and what lay face down where."""
    rows = []
    for figure in view.figures:
        is_warrior = figure.original is not None
        if not is_warrior and figure.is_face_up:
            continue
        if figure.place == "box":
            continue
        where = "captured" if is_captured(figure, view) else PLACE_WORDS[figure.place]
        if not figure.is_face_up and figure.square is not None:
            where = f"face down at {figure.square[0]},{figure.square[1]}"
        cells = (figure.name, where, levels_words(figure))
        rows.append(
            "<tr>"
            + "".join(f'<td style="padding:2px 12px 2px 0">{escape(cell)}</td>' for cell in cells)
            + "</tr>"
        )
    return f"<table>{''.join(rows)}</table>"


class PointsTile(Drawn, QWidget):
    """What one side scored, on its colour; the winner's has a rim."""

    def __init__(self, side: str, points: int, is_winner: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side, self.points, self.is_winner = side, points, is_winner
        word = "point" if points == 1 else "points"
        self.setAccessibleName(f"{SIDE_NAMES[side]}: {points} {word}{', winner' if is_winner else ''}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        small, large = (QFontMetrics(font).height() for font in self._fonts())
        return QSize(theme.size("body") * 16, small + large + theme.SPACE * 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.size("body") * 9, self.sizeHint().height())

    def _fonts(self) -> tuple[QFont, QFont]:
        return theme.font("body", is_bold=True), theme.font("display", is_title=True)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme.colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.setPen(QPen(colors.ink, 3) if self.is_winner else QPen(colors.chip_edge, 1))
        painter.setBrush(colors.side(self.side))
        painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
        painter.setPen(colors.side_art(self.side))
        inner = box.adjusted(theme.SPACE, theme.SPACE / 2, -theme.SPACE, -theme.SPACE / 2)
        small, large = self._fonts()
        painter.setFont(small)
        title = SIDE_NAMES[self.side] + (" – winner" if self.is_winner else "")
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter, title)
        painter.setFont(large)
        painter.drawText(
            inner, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignHCenter, str(self.points)
        )


class EndDialog(QDialog):
    """Shown once when the game is over; the board behind is open then.

    `new_words` and `start_words` name its last two ways on, where those lead elsewhere than usual.
    """

    afterWanted = Signal()
    replayWanted = Signal()
    newWanted = Signal()
    startWanted = Signal()

    def __init__(
        self,
        session: Session,
        parent: QWidget | None = None,
        *,
        new_words: str = "&New game…",
        start_words: str = "Start &screen",
        lan_game: LanGame | None = None,
    ) -> None:
        super().__init__(parent)
        view = session.view
        assert view is not None
        self.setWindowTitle("Game over")
        self.setAccessibleName("Game over")
        headline = Label(victory_words(view), "display", is_title=True)
        rule = rule_link(ending_rule(session.events()))
        why = Label(f"{escape(reason_words(view))} {rule}", "title", is_rich=True)
        turn = Label(f"{view.scenario}, turn {view.turn} of {view.last_turn}", "body", is_soft=True)
        self._lan_game = lan_game
        self.record_words = Label("", "small", is_soft=True)
        self.record_words.setAccessibleName("What the record proves")
        self.record_words.setVisible(lan_game is not None)
        if lan_game is not None:
            lan_game.recordCame.connect(self._on_record)
            self._on_record()
        body = QWidget()
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 0, theme.SPACE, 0)
        inside.setSpacing(theme.SPACE)
        if view.outcome is not None and view.outcome.points:
            self.tiles = [
                PointsTile(side, count, side == view.outcome.winner)
                for side, count in view.outcome.points.items()
            ]
            inside.addLayout(row(*self.tiles, spacing=theme.SPACE * 2))
        for line in left_words(view):
            inside.addWidget(Label(line))
        inside.addWidget(Bar())
        inside.addWidget(Label("What was secret", "title", is_title=True))
        inside.addWidget(Label(secrets_html(view), "small", is_rich=True))
        inside.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setAccessibleName("What was left, and what was secret")
        self.after_button = QPushButton("&What happened")
        self.after_button.setDefault(True)
        self.after_button.clicked.connect(self._on_after)
        self.replay_button = QPushButton("&Replay")
        self.replay_button.clicked.connect(self._on_replay)
        self.new_button = QPushButton(new_words)
        self.new_button.clicked.connect(self._on_new)
        self.start_button = QPushButton(start_words)
        self.start_button.clicked.connect(self._on_start)
        self.board_button = QPushButton("&Board")
        self.board_button.clicked.connect(self.accept)
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole.ActionRole
        for button in (
            self.after_button,
            self.replay_button,
            self.board_button,
            self.new_button,
            self.start_button,
        ):
            button.setAccessibleName(button.text().replace("&", "").rstrip("…"))
            buttons.addButton(button, role)
        layout = QVBoxLayout(self)
        margin = theme.SPACE * 3
        layout.setContentsMargins(margin, margin, margin, margin)
        layout.setSpacing(theme.SPACE)
        for widget in (headline, why, turn, self.record_words, Bar()):
            layout.addWidget(widget)
        layout.addWidget(scroll, 1)
        layout.addWidget(buttons)
        screen = self.screen().availableGeometry()
        self.resize(
            min(theme.size("body") * 56, round(screen.width() * 0.9)),
            min(theme.size("body") * 42, round(screen.height() * 0.85)),
        )
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.after_button.setFocus()

    @Slot()
    def _on_record(self) -> None:
        if self._lan_game is not None:
            self.record_words.setText(self._lan_game.record_words)
            self.record_words.set_tone("danger" if self._lan_game.is_record_faulty else "")

    @Slot()
    def _on_after(self) -> None:
        self.accept()
        self.afterWanted.emit()

    @Slot()
    def _on_replay(self) -> None:
        self.accept()
        self.replayWanted.emit()

    @Slot()
    def _on_new(self) -> None:
        self.accept()
        self.newWanted.emit()

    @Slot()
    def _on_start(self) -> None:
        self.accept()
        self.startWanted.emit()
