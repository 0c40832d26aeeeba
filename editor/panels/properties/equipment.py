"""Equipment: tank or computer, and the wall that a computer stands along (4.5)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from editor.bench import Bench
from editor.edits.things import changed_equipment, why_no_equipment
from editor.panels.fields import Choice
from editor.panels.properties.section import Section, common
from engine.fortress.floorplan import COMPASS, COMPASS_NAMES, Equipment

KINDS: Final = (("tank", "Clone growth tank"), ("computer", "Computer"))
SIDES: Final = tuple((side, COMPASS_NAMES[side].capitalize()) for side in COMPASS)


class EquipmentSection(Section):
    """The selected equipment."""

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.kind = Choice(KINDS, "Kind of equipment")
        self.side = Choice(SIDES, "Wall that the computer stands along")
        self.kind.chosen.connect(self._on_kind)
        self.side.chosen.connect(self._on_side)
        for field in (self.kind, self.side):
            field.done.connect(self.done)
        self.add("Kind", self.kind)
        self._side_label = self.add("Along the wall", self.side)

    @property
    def _numbers(self) -> tuple[int, ...]:
        return tuple(sorted(self.bench.selection.equipment))

    def follow(self) -> None:
        self.setVisible(bool(self._numbers))
        if not self._numbers:
            return
        self.refuse("")
        things = [self.plan.equipment[number] for number in self._numbers]
        is_one = len(things) == 1
        self.heading.setText(
            f"Equipment at {things[0].x},{things[0].y}" if is_one else f"{len(things)} pieces of equipment"
        )
        self.kind.show_choice(common(thing.kind for thing in things))
        self.side.show_choice(common(thing.side or "" for thing in things))
        for widget in (self.side, self._side_label):
            widget.setVisible(any(thing.kind == "computer" for thing in things))

    def _change(self, text: str, made: dict[int, Equipment]) -> None:
        """Change what may be changed in one step, and say why the rest may not."""
        plan, refused = self.plan, ""
        for number, thing in made.items():
            reason = why_no_equipment(plan, thing, number)
            refused = refused or reason
            if not reason:
                plan = changed_equipment(plan, number, thing)
        self.document.apply(text, self.draft.with_plan(plan))
        self.follow()
        self.refuse(refused)

    @Slot(str)
    def _on_kind(self, wanted: str) -> None:
        made = {}
        for number in self._numbers:
            thing = self.plan.equipment[number]
            if wanted == "tank":
                made[number] = replace(thing, kind="tank", side=None)
            else:
                made[number] = self._along_a_wall(replace(thing, kind="computer"), number)
        self._change(f"Make it a {wanted}", made)

    def _along_a_wall(self, thing: Equipment, number: int) -> Equipment:
        """Return a computer along the side it has, or the first wall of its square."""
        sides = [side for side in (thing.side, *COMPASS) if side is not None]
        tries = [replace(thing, side=side) for side in sides]
        return next((one for one in tries if not why_no_equipment(self.plan, one, number)), tries[0])

    @Slot(str)
    def _on_side(self, wanted: str) -> None:
        side = next(side for side in COMPASS if side == wanted)
        computers = [number for number in self._numbers if self.plan.equipment[number].kind == "computer"]
        made = {number: replace(self.plan.equipment[number], side=side) for number in computers}
        self._change(f"Computer along the {COMPASS_NAMES[side]} wall", made)
