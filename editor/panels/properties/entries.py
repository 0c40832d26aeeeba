"""Entries: name, the side they lead out by, and how many may come and go in a phase (4.1, 4.7, R11)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.panels.widgets import Label
from editor.bench import Bench
from editor.edits.names import renamed_entry
from editor.edits.things import changed_entry, why_no_entry
from editor.panels.fields import Choice, NumberField, TextField
from editor.panels.properties.equipment import SIDES
from editor.panels.properties.section import Section, common
from engine.fortress.floorplan import COMPASS, Entry
from engine.fortress.problems import MAX_RATE

NO_SIDE: Final = ""
ALL_SIDES: Final = ((NO_SIDE, "From within (no door)"), *SIDES)


class EntrySection(Section):
    """The selected entries."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.name = TextField("Name of the entry")
        self.enter = NumberField(0, MAX_RATE, "How many may enter in a phase (R11)")
        self.leave = NumberField(0, MAX_RATE, "How many may leave in a phase (R11)")
        self.side = Choice(ALL_SIDES, "Side that the entry leads out by")
        self._name_label = self.add("Name", self.name)
        self.add_number("Enter a phase", self.enter)
        self.add_number("Leave a phase", self.leave)
        self.add("Leads out", self.side)
        self.barred = Label("", "small", is_soft=True)
        self.add_wide(self.barred)
        self.name.committed.connect(self._on_name)
        self.name.done.connect(self.done)
        self.enter.changed.connect(self._on_enter)
        self.leave.changed.connect(self._on_leave)
        self.side.chosen.connect(self._on_side)
        self.side.done.connect(self.done)

    @property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(sorted(self.bench.selection.entries))

    def follow(self) -> None:
        self.setVisible(bool(self._numbers))
        if not self._numbers:
            return
        self.refuse("")
        entries = [self.plan.entries[number] for number in self._numbers]
        is_one = len(entries) == 1
        self.heading.setText(
            f"Entry at {entries[0].x},{entries[0].y}" if is_one else f"{len(entries)} entries"
        )
        for widget in (self.name, self._name_label):
            widget.setVisible(is_one)
        if is_one:
            self.name.show_value(entries[0].name)
        barred = sum(map(self.plan.is_barred, entries))
        self.enter.setEnabled(barred < len(entries))
        self.barred.setText(
            "Once its armored door is destroyed, all who stand outside may enter (4.11, R10)."
        )
        if not is_one:
            self.barred.setText("Where an armored door was, all who stand outside may enter (4.11, R10).")
        self.barred.setVisible(barred > 0)
        self.enter.show_value(entries[0].enter)
        self.leave.show_value(entries[0].leave)
        self.side.show_choice(common(entry.side or NO_SIDE for entry in entries))

    @Slot(str)
    def _on_name(self, name: str) -> None:
        if len(self._numbers) != 1:
            return
        (at,), name = self._numbers, name.strip()
        entry = self.plan.entries[at]
        reason = why_no_entry(self.plan, replace(entry, name=name), at)
        self.refuse(reason)
        if reason:
            self.name.put_back()
        else:
            self.document.apply(f"Rename {entry.name} to {name}", renamed_entry(self.draft, at, name))

    @Slot(int)
    def _on_enter(self, rate: int) -> None:
        made = {at: replace(self.plan.entries[at], enter=rate) for at in self._numbers}
        self._change(f"{rate} may enter", made, "enter")

    @Slot(int)
    def _on_leave(self, rate: int) -> None:
        made = {at: replace(self.plan.entries[at], leave=rate) for at in self._numbers}
        self._change(f"{rate} may leave", made, "leave")

    @Slot(str)
    def _on_side(self, wanted: str) -> None:
        side = next((side for side in COMPASS if side == wanted), None)
        made = {at: replace(self.plan.entries[at], side=side) for at in self._numbers}
        self._change("Turn an entry", made)

    def _change(self, text: str, made: dict[int, Entry], merge: str = "") -> None:
        """Change what may be changed, and say why the rest may not."""
        plan, refused = self.plan, ""
        for at, entry in made.items():
            reason = why_no_entry(plan, entry, at)
            refused = refused or reason
            if not reason:
                plan = changed_entry(plan, at, entry)
        key = f"{merge} {self._numbers}" if merge else ""
        self.document.apply(text, self.draft.with_plan(plan), merge=key)
        self.follow()
        self.refuse(refused)
