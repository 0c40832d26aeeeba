"""Which map a scenario is played on: kept in its own file, shipped, or in a file beside it (6.1)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import ComboBox, SwitchControl
from editor.draft import OWN_MAP
from editor.scenario.controls import small_button
from engine.core.files import BadFile
from engine.fortress.floorplan import FloorPlan, load_floorplan
from engine.raid.scenario import MAPS, Scenario, plan_of

KEPT: Final = "Kept in this file"


class MapControl(SwitchControl):
    """Chooses the map by name. `refused` says why another one was not taken."""

    refused = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._folder: Path | None = None
        self.plan: FloorPlan | None = None
        self.box = ComboBox((), name)
        self.box.setMinimumContentsLength(10)
        self.box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.currentIndexChanged.connect(self._choose)
        self.file_button = small_button("A map beside it…", f"{name}: a file beside the scenario")
        self.file_button.clicked.connect(self.ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACE // 2)
        layout.addWidget(self.box)
        layout.addWidget(self.file_button)

    def set_folder(self, folder: Path | None) -> None:
        """Look for maps beside a scenario in this folder; None before it has a file."""
        self._folder = folder

    @property
    def value(self) -> str:
        return str(self.box.currentData())

    def _show(self, value: str) -> None:
        options = [(OWN_MAP, KEPT)]
        options += [(name, f"{plan_of(Scenario(name='', map=name)).name} (shipped)") for name in MAPS]
        if value not in (OWN_MAP, *MAPS):
            options.append((value, f"{value} (beside it)"))
        if [self.box.itemData(at) for at in range(self.box.count())] != [one for one, _ in options]:
            self.box.offer(options)
        self.box.show_value(value)

    @Slot()
    def _choose(self) -> None:
        if self._is_showing:
            return
        try:
            self.plan = plan_named(self.value, self._folder)
        except BadFile as error:
            self.refused.emit(str(error.problems[0]))
            return
        self.changed.emit()

    @Slot()
    def ask(self) -> None:
        """Ask for a map's file, and play on it."""
        if self._folder is None:
            self.refused.emit("Save the scenario first: a map beside it is looked for in its folder.")
            return
        chosen, _ = QFileDialog.getOpenFileName(
            self, "A map for this scenario", str(self._folder), "Maps (*.json)"
        )
        if chosen:
            self.take(Path(chosen))

    def take(self, path: Path) -> None:
        """Play on the map of a file, named as seen from the scenario's folder."""
        assert self._folder is not None
        try:
            self.plan = load_floorplan(path)
            name = Path(os.path.relpath(path, self._folder)).as_posix()
        except (BadFile, ValueError) as error:  # ValueError: on another drive
            self.refused.emit(f"{path.name}: {error.problems[0] if isinstance(error, BadFile) else error}")
            return
        self.show_value(name)
        self.changed.emit()

    def focus_widget(self) -> QWidget:
        return self.box


def plan_named(name: str, folder: Path | None = None) -> FloorPlan | None:
    """Return a map by the name that a scenario's file gives it, None for its own; raises BadFile."""
    if name == OWN_MAP:
        return None
    if name in MAPS or folder is None:
        return plan_of(Scenario(name="", map=name))
    return load_floorplan(folder / name)
