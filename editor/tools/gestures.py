"""What tools that draw have in common: a gesture from press to release, options by digit, refusals."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.document import Gesture
from editor.draft import Draft
from editor.tools.base import NO_GHOST, Keys, Spot, Tool
from editor.words import sentence
from engine.fortress.floorplan import FloorPlan


class GestureTool(Tool):
    """A tool that draws from press to release; pressing the other button meanwhile takes it back.

    Subclasses say in `start` what a press begins, in `go_on` what a move adds.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._gesture: Gesture | None = None
        self._last_ghost = NO_GHOST
        self._reason = ""

    @property
    def gesture(self) -> Gesture | None:
        """The gesture on its way, if any; an undo may have ended it."""
        if self._gesture is not None and not self._gesture.is_open:
            self._gesture = None
        return self._gesture

    def begin(self, text: str) -> Gesture:
        """Begin a gesture; `text` names its step."""
        self._gesture = self.document.begin(text)
        return self._gesture

    def start(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        """Begin what a press begins."""

    def go_on(self, spot: Spot, keys: Keys) -> None:
        """Follow the pointer with the button down."""

    def finish(self, spot: Spot, keys: Keys) -> None:
        """Do what is left to do before the gesture is committed."""

    def done(self) -> None:
        """Do what follows a gesture that has become a step."""

    def hover(self, spot: Spot | None, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        before, self._last_ghost = self._last_ghost, self.ghost
        if self._last_ghost != before:
            self.changed.emit()
        reason = self._last_ghost.reason if spot is not None else ""
        if reason != self._reason:
            self._reason = reason
            self.bench.say(sentence(reason))

    def press(self, spot: Spot, button: Qt.MouseButton, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        if not self.take_back():
            self.start(spot, button, keys)
        self.changed.emit()

    def move(self, spot: Spot, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        if self.gesture is not None:
            self.go_on(spot, keys)
        self.changed.emit()

    def release(self, spot: Spot, keys: Keys) -> None:
        self.spot, self.keys = spot, keys
        if self.gesture is not None:
            self.finish(spot, keys)
        gesture, self._gesture = self.gesture, None
        if gesture is not None and gesture.commit():
            self.done()
        self.changed.emit()

    def cancel(self) -> bool:
        return self.take_back()

    def take_back(self) -> bool:
        """Cancel the gesture on its way; return whether there was one."""
        gesture = self.gesture
        if gesture is None:
            return False
        gesture.cancel()
        self._gesture = None
        self.changed.emit()
        return True

    def refuse(self, reason: str) -> None:
        """Say in the status bar why nothing was done."""
        self.bench.say(sentence(reason))

    def show(self, plan: FloorPlan) -> None:
        """Show the gesture's map, as made from the one before it."""
        if self.gesture is not None:
            self.gesture.show(self.gesture.before.with_plan(plan))

    def apply(self, text: str, plan: FloorPlan) -> bool:
        """Make a step of its own to another map; return whether it differs."""
        return self.document.apply(text, self.draft.with_plan(plan))

    @property
    def draft(self) -> Draft:
        """The draft as it is shown."""
        return self.document.draft
