"""The figures' tool: puts fixed placements, or the figures of a start position, on the map (6.3)."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.draft import Square
from editor.edits.figures import (
    FIGURE_KINDS,
    FigureKind,
    figure_words,
    figures_at,
    kind_of,
    moved_figure,
    next_figure,
    shown_figures,
    taken_away,
    why_not_placed,
    why_not_there,
    with_figure,
)
from editor.selection import NOTHING, Selection
from editor.tools.base import NO_GHOST, Ghost, Keys, Mode, Spot
from editor.tools.gestures import GestureTool
from editor.words import at_square
from engine.raid.figures import KIND_NAMES

OFF: Square = (-1, -1)


class PlaceTool(GestureTool):
    """Puts a figure of the chosen kind on a free square, drags one elsewhere, takes one away.

    Where the scenario has a start position it deals with that one's figures, else with the fixed
    placements. Symmetry does not apply: every figure is one of its own.
    """

    key: ClassVar[str] = "place"
    title: ClassVar[str] = "Figures"
    shortcut: ClassVar[str] = "G"
    mode: ClassVar[Mode] = "scenario"
    topic: ClassVar[str] = "editor-place"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._kind: FigureKind = "terminator"
        self._carried = 0  # the figure that the gesture moves, by number

    # What is shown.

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return tuple((kind, KIND_NAMES[kind]) for kind in FIGURE_KINDS)

    @property
    def option(self) -> str:
        return self._kind

    def choose(self, option: str) -> None:
        for kind in FIGURE_KINDS:
            if kind == option and kind != self._kind:
                self._kind = kind
                self.optionsChanged.emit()
                self.changed.emit()

    @property
    def hint(self) -> str:
        scenario = self.draft.scenario
        if scenario is None:
            return "A bare map has no figures: make a scenario of it in the Scenario panel"
        if self.gesture is not None:
            return "Let go: the figure stays here · Right, Esc: back where it was"
        what = "Fixed placements" if scenario.start is None else "Start position"
        return (
            f"{what} · Left: {KIND_NAMES[self._kind]} · Drag: move · Ctrl+left: bring the selected one here"
            " · Right, Del: take away · 1–6: kind"
        )

    @property
    def ghost(self) -> Ghost:
        spot, draft, gesture = self.spot, self.draft, self.gesture
        if spot is None or (spot.square is None and gesture is None):
            return NO_GHOST
        square = spot.square or OFF
        ring = frozenset((square,)) if spot.square is not None else frozenset()
        if gesture is not None:
            return Ghost(ring=ring, reason=why_not_there(gesture.before, square, self._carried))
        if draft.scenario is None:
            return Ghost(ring=ring, reason=why_not_there(draft, square))
        if self.keys.ctrl:
            return Ghost(ring=ring, reason=self._why_not_brought(square))
        if figures_at(draft, square):
            return Ghost(ring=ring)
        figure = next_figure(draft.scenario, self._kind, square)
        return Ghost(
            figures=() if figure is None else (figure,),
            ring=ring,
            reason=why_not_placed(draft, self._kind, square),
        )

    # What is selected.

    @property
    def _selected(self) -> tuple[int, ...]:
        """The selected figures, by number."""
        selection = self.bench.selection
        return tuple(sorted(selection.placements if self._is_placing else selection.figures))

    @property
    def _is_placing(self) -> bool:
        """Whether the figures are fixed placements, not those of a start position."""
        scenario = self.draft.scenario
        return scenario is None or scenario.start is None

    def _select(self, number: int) -> None:
        chosen = frozenset((number,))
        self.bench.select(Selection(placements=chosen) if self._is_placing else Selection(figures=chosen))

    # What the pointer does.

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        draft, square = self.draft, spot.square or OFF
        if draft.scenario is None or spot.square is None:
            self.refuse(why_not_there(draft, square))
            return
        there = figures_at(draft, square)
        if button == Qt.MouseButton.RightButton:
            if there:
                self._take_away(there[-1:])
            else:
                self.refuse("no figure is there")
        elif keys.ctrl:
            self._bring(square)
        elif there:
            chosen = self._selected
            number = chosen[0] if len(chosen) == 1 and chosen[0] in there else there[-1]
            self._select(number)
            self._carried = number
            self.begin(f"Move {figure_words(shown_figures(draft)[number])}")
        else:
            self._put(square)

    def go_on(self, spot: Spot, keys: Keys) -> None:
        gesture, square = self.gesture, spot.square or OFF
        if gesture is None:
            return
        before = gesture.before
        is_legal = not why_not_there(before, square, self._carried)
        gesture.show(moved_figure(before, self._carried, square) if is_legal else before)

    def finish(self, spot: Spot, keys: Keys) -> None:
        self.go_on(spot, keys)
        gesture = self.gesture
        if gesture is not None:
            self.refuse(why_not_there(gesture.before, spot.square or OFF, self._carried))

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            chosen = self._selected
            if chosen:
                self._take_away(chosen)
            return bool(chosen)
        return super().key_press(key, keys)

    # Steps.

    def _put(self, square: Square) -> None:
        draft = self.draft
        reason = why_not_placed(draft, self._kind, square)
        if reason:
            self.refuse(reason)
            return
        made = with_figure(draft, self._kind, square)
        number = figures_at(made, square)[-1]
        self.document.apply(f"{figure_words(shown_figures(made)[number])} at {at_square(square)}", made)
        self._select(number)

    def _why_not_brought(self, square: Square) -> str:
        chosen = self._selected
        if len(chosen) != 1:
            return "select one figure first; it comes here"
        return why_not_there(self.draft, square, chosen[0])

    def _bring(self, square: Square) -> None:
        reason = self._why_not_brought(square)
        if reason:
            self.refuse(reason)
            return
        (number,) = self._selected
        draft = self.draft
        self.document.apply(
            f"Move {figure_words(shown_figures(draft)[number])}", moved_figure(draft, number, square)
        )

    def _take_away(self, numbers: tuple[int, ...]) -> None:
        draft = self.draft
        figures = shown_figures(draft)
        made = taken_away(draft, numbers)
        if made == draft:
            is_master = any(kind_of(figures[number]) == "clonemaster" for number in numbers)
            self.refuse(
                "the CloneMaster is in every game; drag him elsewhere" if is_master else "he is off the map"
            )
            return
        names = ", ".join(figure_words(figures[number]) for number in numbers)
        self.document.apply(f"Take away {names}", made)
        self.bench.select(NOTHING)
