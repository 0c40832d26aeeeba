"""The person at the screen: clicks and keys on the board become choices.

It marks what may act, lights what may be reached, draws the path under the pointer, and asks
"why not?" for whatever is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.session import Session
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.raid import choices as c
from engine.raid import tables
from engine.raid.choices import Square
from engine.raid.figures import CLONEMASTER, SIDES
from engine.raid.view import FigureView, View

# The panel of a set-up has the board to itself.
SET_UPS = frozenset({"place-extras", "set-up-terminator", "set-up-clonemaster"})
MOVES = frozenset({"terminator-move", "clonemaster-move", "free-move"})
FAR = 999  # points enough to walk anywhere: for explaining a way, never for going it


class HumanSeat(QObject):
    """Plays on a BoardView for a Session; `selectionChanged` follows whom the player picks."""

    selectionChanged = Signal()
    explained = Signal(object, object)  # IllegalChoice, square or None

    def __init__(self, session: Session, board_view: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.board_view = board_view
        self.selected: str | None = None
        self._goals: dict[Square, Choice] = {}
        self._targets: dict[str, list[Choice]] = {}
        self._hovered: Square | None = None
        self._clicked: Square | None = None
        session.changed.connect(self.refresh)
        session.refused.connect(self._on_refused)
        board_view.squareHovered.connect(self._on_hovered)
        board_view.squareClicked.connect(self._on_clicked)
        board_view.squareContext.connect(self.explain_square)
        board_view.figureDropped.connect(self._on_dropped)
        board_view.cursorMoved.connect(self._on_hovered)

    # What may be done.

    @property
    def actors(self) -> tuple[str, ...]:
        """The figures that may act in this moment, as the decision names them."""
        decision = self.session.decision
        if decision is None or decision.kind not in MOVES:
            return ()
        return tuple(name for name in decision.options.groups if name)

    @property
    def goals(self) -> dict[Square, Choice]:
        """The lit squares, each with the choice that a click on it makes."""
        return self._goals

    def choices_of_selected(self) -> tuple[Choice, ...]:
        """Return what the selected figure may do besides walking to a square."""
        decision = self.session.decision
        if decision is None or self.selected is None or decision.kind not in MOVES:
            return ()
        return tuple(one for one in decision.options.of(self.selected) if not isinstance(one, c.Move))

    def select(self, name: str | None) -> None:
        """Pick a figure to act with."""
        if name == self.selected:
            return
        self.selected = name
        self._light()
        self.selectionChanged.emit()

    def select_next(self, step: int = 1) -> None:
        """Pick the next figure that may act, round and round."""
        actors = self.actors
        if actors:
            at = actors.index(self.selected) if self.selected in actors else -1 if step > 0 else 0
            self.select(actors[(at + step) % len(actors)])

    @Slot()
    def refresh(self) -> None:
        """Show on the board what the session's decision allows."""
        session = self.session
        actors = self.actors
        view = session.view
        before = self.selected
        if self.selected not in actors:
            self.selected = None
        moving = view.movement if view is not None else None
        # R6: whoever has begun to move goes on until he is done or another begins.
        if moving is not None and moving.figure in actors and (self.selected is None or moving.must_go_on):
            self.selected = moving.figure
        if (
            self.selected is None
            and session.decision is not None
            and session.decision.kind != "clonemaster-move"
        ):
            self.selected = actors[0] if actors else None
        self._light()
        if before != self.selected:
            self.selectionChanged.emit()

    def _light(self) -> None:
        session, board = self.session, self.board_view
        decision = session.decision
        self._goals, self._targets = {}, {}
        if decision is not None and decision.kind in SET_UPS:
            return
        lit: dict[Square, str] = {}
        if decision is not None and session.view is not None:
            if decision.kind in MOVES:
                self._light_moves(decision, lit)
            elif decision.kind == "displace":
                for choice in decision.options:
                    if isinstance(choice, c.Displace):
                        self._goals[choice.square] = choice
                        lit[choice.square] = ""
            else:
                self._find_targets(decision)
        board.set_lit(lit)
        board.set_marked(self.actors)
        board.set_selected(self.selected)
        board.set_targets(tuple(self._targets))
        self._draw_path(self._hovered)

    def _light_moves(self, decision: Decision, lit: dict[Square, str]) -> None:
        if self.selected is None:
            return
        entries = {entry.name: entry for entry in self.session.board.entries}
        for choice in decision.options.of(self.selected):
            square: Square | None = None
            label = ""
            if isinstance(choice, c.Move):
                square = choice.path[-1]
                price = decision.options.price(choice)
                label = "" if price is None else str(price)
            elif isinstance(choice, c.Enter) and choice.entry in entries:
                square = self._xy(entries[choice.entry].square)
                label = "in"
            if square is not None and square not in self._goals:
                self._goals[square] = choice
                lit[square] = label

    def _find_targets(self, decision: Decision) -> None:
        if decision.kind == "fight-order" and self.session.view is not None:
            for choice in decision.options:
                if isinstance(choice, c.Fight) and choice.combat < len(self.session.view.combats):
                    for name in self.session.view.combats[choice.combat]:
                        self._targets.setdefault(name, []).append(choice)
        elif decision.kind in ("name-target", "untrained", "gunfire"):
            for choice in decision.options:
                target = getattr(choice, "target", None)
                if target is not None:
                    self._targets.setdefault(target, []).append(choice)

    def _xy(self, square: int) -> Square:
        return self.session.board.xy(square)

    # What the player does.

    @Slot(object)
    def _on_hovered(self, square: Square | None) -> None:
        self._hovered = square
        self._draw_path(square)

    def _draw_path(self, square: Square | None) -> None:
        choice = self._goals.get(square) if square is not None else None
        path: tuple[Square, ...] = ()
        if isinstance(choice, c.Move):
            start = self._square_of(choice.figure)
            path = (*((start,) if start is not None else ()), *choice.path)
        self.board_view.set_path(path)

    @Slot(object)
    def _on_clicked(self, square: Square) -> None:
        self._clicked = square
        choice = self._goals.get(square)
        if choice is not None:
            self._submit(choice)
            return
        names = self._names_at(square)
        for name in names:
            if name in self.actors:
                self.select(name)
                return
        aimed = [one for name in names for one in self._targets.get(name, ())]
        if aimed:
            # Several attackers may have the same target: the first who has not acted yet takes it.
            self._submit(aimed[0])
            return
        if self.session.decision is not None and self.session.decision.kind in MOVES:
            self.explain_square(square)

    @Slot(object, object)
    def _on_dropped(self, name: str, square: Square) -> None:
        self._clicked = square
        if name in self.actors:
            self.select(name)
            if square in self._goals:
                self._submit(self._goals[square])
            else:
                self.explain_square(square)

    def _submit(self, choice: Choice) -> None:
        self.session.submit(choice)

    @Slot(object)
    def _on_refused(self, refusal: IllegalChoice) -> None:
        self.explained.emit(refusal, self._clicked)
        self._clicked = None

    @Slot(object)
    def explain_square(self, square: Square) -> None:
        """Say why the selected figure cannot go to a square, or why what stands there cannot act."""
        refusal = self._why_square(square)
        if refusal is not None:
            self.explained.emit(refusal, square)

    def _why_square(self, square: Square) -> IllegalChoice | None:
        session = self.session
        decision = session.decision
        if session.view is None:
            return None
        if decision is not None and decision.kind in SET_UPS:
            return None
        if decision is None:
            return session.why_waiting()
        if decision.kind in MOVES:
            others = [name for name in self._names_at(square) if name not in self.actors]
            figure = self._figure(self.selected) if self.selected else None
            if figure is None:
                if others:
                    return session.why(c.Move(others[0], (square,)))
                return IllegalChoice("first pick a figure that may move", "4.3")
            if figure.square is None:
                return self._why_not_in(figure, square)
            return session.why(c.Move(figure.name, self._way(figure, square)))
        if decision.kind == "name-target":
            named = self._names_at(square)
            if named:
                return session.why(c.NameTarget(named[0]))
        if decision.kind == "displace":
            choice = next(iter(decision.options), None)
            if isinstance(choice, c.Displace):
                return session.why(c.Displace(choice.figure, square))
        return IllegalChoice("this cannot be done on the board now; see what is asked", decision.rule)

    def _why_not_in(self, figure: FigureView, square: Square) -> IllegalChoice | None:
        for entry in self.session.board.entries:
            if self._xy(entry.square) == square:
                return self.session.why(c.Enter(figure.name, entry.name))
        return IllegalChoice(f"{figure.name} is outside; he comes in by an entry", "4.1")

    def _way(self, figure: FigureView, square: Square) -> tuple[Square, ...]:
        """Return a way to a square regardless of points, through shut doors if there is no other."""
        board, view = self.session.board, self.session.view
        assert figure.square is not None
        assert view is not None
        start, goal = board.square(*figure.square), board.square(*square)
        climbs = bool(figure.levels and figure.levels.get("soul"))
        walker = tables.walker(SIDES.index(figure.side), climbs)
        destroyed = sum(1 << number for number, door in enumerate(view.doors) if door.is_destroyed)
        every = (1 << len(view.doors)) - 1
        extra = self._extra(figure.side, view)
        for doors in (destroyed, every):
            try:
                way = board.path(board.steps(walker, doors), start, goal, FAR, extra)
            except LookupError:
                continue
            if way:
                return tuple(self._xy(one) for one in way)
        return (square,)

    def _extra(self, side: str, view: View) -> dict[int, int]:
        board = self.session.board
        extra = {}
        for figure in view.figures:
            if figure.square is None or figure.side == side or not figure.is_conscious:
                continue
            if figure.kind in ("terminator", "jelly"):
                extra[board.square(*figure.square)] = tables.HOSTILE_COST
        if side != CLONEMASTER:
            extra.update({board.square(x, y): tables.HOSTILE_COST for x, y in view.face_down})
        return extra

    def _figure(self, name: str) -> FigureView | None:
        view = self.session.view
        return next((one for one in view.figures if one.name == name), None) if view is not None else None

    def _square_of(self, name: str) -> Square | None:
        figure = self._figure(name)
        return figure.square if figure is not None else None

    def _names_at(self, square: Square) -> Sequence[str]:
        """Return the figures, equipment and doors at a square by name."""
        view = self.session.view
        if view is None:
            return ()
        names = list(self.board_view.figure_at(square))
        names += [thing.name for thing in view.equipment if thing.square == square]
        names += [door.name for door in view.doors if square in _beside(door.square, door.side)]
        return names


def _beside(square: Square, side: str) -> tuple[Square, Square]:
    """Return the two squares an edge lies between."""
    steps = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    across, down = steps[side]
    return square, (square[0] + across, square[1] + down)
