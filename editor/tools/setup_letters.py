"""Set-up letters: who may be set up in which room (6.1a)."""

from __future__ import annotations

from PySide6.QtCore import Qt

from editor.bench import Bench
from editor.edits.rooms import with_setup_letter
from editor.tools.base import Keys
from editor.tools.rooms import RoomsTool
from engine.fortress.floorplan import FloorPlan, RoomInfo
from engine.raid.rooms import SETUP_LETTERS

KEYS: dict[Qt.Key, str] = {Qt.Key.Key_S: "S", Qt.Key.Key_T: "T", Qt.Key.Key_J: "J"}


class SetupLetters(RoomsTool):
    """Gives rooms a set-up letter, or takes it from them; typing S, T or J does it to the room pointed at.

    Over rock the letter is only taken in hand.
    """

    key = "setup"
    title = "Set-up letters"
    shortcut = "T"
    topic = "editor-setup"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._unit = "S"
        self._is_given = True

    @property
    def hint(self) -> str:
        room = self.room
        now = f"{room.name}: {room.setup or 'nobody'} · " if room is not None else ""
        who = SETUP_LETTERS[self._unit]
        return f"{now}Left: {who} here or not · Right: not · S T J: that letter · Drag: more"

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        return tuple((letter, f"{letter}: {SETUP_LETTERS[letter]}") for letter in SETUP_LETTERS)

    @property
    def option(self) -> str:
        return self._unit

    def choose(self, option: str) -> None:
        self._unit = next(letter for letter in SETUP_LETTERS if letter == option)
        self.optionsChanged.emit()
        self.changed.emit()

    def begins(self, room: RoomInfo, *, is_right: bool) -> None:
        self._is_given = not is_right and self._unit not in room.setup

    def named(self, room: RoomInfo) -> str:
        return f"{self._unit} {'for' if self._is_given else 'no more for'} {room.name}"

    def made(self, plan: FloorPlan, room: RoomInfo) -> FloorPlan:
        return with_setup_letter(plan, room.letter, self._unit, self._is_given)

    def wants_key(self, key: Qt.Key, keys: Keys) -> bool:
        """Return whether a key is for the tool, though it is a shortcut: one of the letters."""
        return key in KEYS and not (keys.ctrl or keys.alt)

    def key_press(self, key: Qt.Key, keys: Keys) -> bool:
        room = self.room
        if not self.wants_key(key, keys) or self.gesture is not None:
            return super().key_press(key, keys)
        self.choose(KEYS[key])
        if room is None:
            self.bench.say(f"{self._unit} in hand: {SETUP_LETTERS[self._unit]}. There is no room here.")
            return True
        self.begins(room, is_right=False)
        plan = self.plan
        for letter in self.with_twins((room.letter,)):
            plan = with_setup_letter(plan, letter, self._unit, self._is_given)
        self.apply(self.named(room), plan)
        return True
