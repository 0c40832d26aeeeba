"""Rooms: name, letter, level, and who is set up there; several at once, and made one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QPushButton, QWidget

from app import theme
from editor.bench import Bench
from editor.edits.rooms import merged, why_no_room, with_room, with_setup_letter
from editor.edits.squares import squares_of_all
from editor.panels.fields import TextField, Tick
from editor.panels.properties.section import Section, common
from editor.selection import Selection
from editor.words import counted
from engine.fortress.floorplan import FloorPlan, RoomInfo
from engine.raid.rooms import SETUP_LETTERS


class RoomSection(Section):
    """The rooms that the selected squares belong to."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.name = TextField("Name of the room")
        self.letter = TextField("Letter of the room")
        self.letter.setMaxLength(1)
        self.level = TextField("Level of the room")
        self._name_label = self.add("Name", self.name)
        self._letter_label = self.add("Letter", self.letter)
        self.add("Level", self.level)
        self.ticks = {
            unit: Tick(unit, f"{SETUP_LETTERS[unit]} may be set up here (6.1a)") for unit in SETUP_LETTERS
        }
        ticks = QWidget()
        line = QHBoxLayout(ticks)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.SPACE * 2)
        for unit, tick in self.ticks.items():
            tick.setToolTip(f"{SETUP_LETTERS[unit]} may be set up here (6.1a)")
            tick.chosen.connect(self._on_tick)
            line.addWidget(tick)
        line.addStretch(1)
        self.add("Set-up", ticks)
        self.whole_button = QPushButton("Select whole room")
        self.whole_button.clicked.connect(self._on_whole)
        self.merge_button = QPushButton("Make one room")
        self.merge_button.setToolTip("The first room keeps its name; partitions and doors stay")
        self.merge_button.clicked.connect(self._on_merge)
        self.add_wide(self.whole_button)
        self.add_wide(self.merge_button)
        self.name.committed.connect(self._on_name)
        self.letter.committed.connect(self._on_letter)
        self.level.committed.connect(self._on_level)
        for field in (self.name, self.letter, self.level):
            field.done.connect(self.done)

    @property
    def _rooms(self) -> tuple[RoomInfo, ...]:
        plan = self.plan
        letters = {plan.grid[y][x] for x, y in self.bench.selection.squares}
        return tuple(room for room in plan.rooms if room.letter in letters)

    def follow(self) -> None:
        plan, squares, rooms = self.plan, self.bench.selection.squares, self._rooms
        self.setVisible(bool(rooms))
        if not rooms:
            return
        self.refuse("")
        is_one = len(rooms) == 1
        count = len(squares_of_all(plan, (room.letter for room in rooms)))
        what = rooms[0].name if is_one else f"{len(rooms)} rooms"
        self.heading.setText(f"{what} · {counted(count, 'square')}")
        for widget in (self.name, self._name_label, self.letter, self._letter_label):
            widget.setVisible(is_one)
        self.whole_button.setText("Select whole room" if is_one else "Select whole rooms")
        self.whole_button.setEnabled(count > len(squares))
        self.merge_button.setVisible(not is_one)
        if is_one:
            self.name.show_value(rooms[0].name)
            self.letter.show_value(rooms[0].letter)
        self.level.show_value(common(room.level for room in rooms))
        levels = sorted({room.level for room in plan.rooms})
        completer = QCompleter(levels, self.level)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.level.setCompleter(completer)
        for unit, tick in self.ticks.items():
            tick.show_tick(common(unit in room.setup for room in rooms))

    def _apply(self, text: str, plan: FloorPlan) -> None:
        self.document.apply(text, self.draft.with_plan(plan))

    @Slot(str)
    def _on_name(self, name: str) -> None:
        rooms, name = self._rooms, name.strip()
        if len(rooms) != 1:
            return
        room = rooms[0]
        reason = why_no_room(self.plan, room.letter, name=name)
        self.refuse(reason)
        if reason:
            self.name.put_back()
        else:
            self._apply(f"Rename {room.name} to {name}", with_room(self.plan, room.letter, name=name))

    @Slot(str)
    def _on_letter(self, letter: str) -> None:
        rooms = self._rooms
        if len(rooms) != 1:
            return
        room = rooms[0]
        reason = why_no_room(self.plan, room.letter, new_letter=letter)
        self.refuse(reason)
        if reason:
            self.letter.put_back()
        else:
            text = f"Letter {letter} for {room.name}"
            self._apply(text, with_room(self.plan, room.letter, new_letter=letter))

    @Slot(str)
    def _on_level(self, level: str) -> None:
        level = level.strip()
        if not level:
            self.refuse("a room is on a level")
            self.level.put_back()
            return
        plan = self.plan
        for room in self._rooms:
            plan = with_room(plan, room.letter, level=level)
        self._apply(f"Level {level} for {self._what()}", plan)

    @Slot(bool)
    def _on_tick(self, is_on: bool) -> None:
        unit = next(unit for unit, tick in self.ticks.items() if tick is self.sender())
        plan = self.plan
        for room in self._rooms:
            plan = with_setup_letter(plan, room.letter, unit, is_on)
        self._apply(f"{SETUP_LETTERS[unit]} {'in' if is_on else 'not in'} {self._what()}", plan)

    def _what(self) -> str:
        rooms = self._rooms
        return rooms[0].name if len(rooms) == 1 else f"{len(rooms)} rooms"

    @Slot()
    def _on_whole(self) -> None:
        letters = [room.letter for room in self._rooms]
        self.bench.select(Selection(squares=squares_of_all(self.plan, letters)))

    @Slot()
    def _on_merge(self) -> None:
        into, *others = self._rooms
        text = f"Make {len(others) + 1} rooms one: {into.name}"
        self._apply(text, merged(self.plan, into.letter, [room.letter for room in others]))
