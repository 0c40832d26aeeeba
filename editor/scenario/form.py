"""The form: a row for every field of a scenario, in its section, with the control that edits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, get_args

from app.dialogs.switch_controls import (
    ChoiceControl,
    JelliesControl,
    NumberControl,
    NumbersControl,
    PresenceControl,
    SwitchControl,
    control_for,
)
from app.panels.widgets import ActionButton, Label
from editor.scenario import fields
from editor.scenario.controls import ChecksControl, NotesControl, TextControl, small_button
from editor.scenario.fields import Field, Section
from editor.scenario.figures import FiguresControl, PlacementsControl, StartFiguresControl
from editor.scenario.map_choice import MapControl
from editor.scenario.map_words import map_word_rows
from editor.scenario.reinforcements import ReinforcementsControl
from editor.scenario.rows import FieldRow, NoteRow, Row, SectionBox, SentenceRow
from editor.scenario.setup_letters import SetupLettersControl
from engine.raid import switches
from engine.raid.scenario import MAX_TURNS, Phase, Scenario, StartPosition
from engine.raid.view import PHASE_NAMES

OPEN_AT_FIRST: Final = (fields.ABOUT, fields.FORCE, fields.COUNTERS)
_WIDE: Final = (JelliesControl, NumbersControl, ReinforcementsControl, FiguresControl, ChecksControl)


class Form:
    """The rows and their controls; a control goes by the path of its field ("hits.gun", "map.name").

    What it is about is for the panel to show and to take over.
    """

    def __init__(self) -> None:
        self.controls: dict[str, SwitchControl] = {}
        self.rows: dict[str, Row] = {}
        self.sections: dict[str, SectionBox] = {}
        self.reduce_button = small_button("Keep only the map", "Keep only the map, without the scenario")
        self.tool_buttons: list[ActionButton] = []
        self.map = MapControl(fields.MAP.title)
        self.letters = SetupLettersControl(fields.SETUP_LETTERS.title)
        self.placements = PlacementsControl(fields.PLACEMENTS.title, "Nobody has a fixed place.")
        self.unused = Label("They do nothing while the scenario has a start position.", "small", is_bold=True)
        self.reinforcements = _reinforcements()
        self.totals = Label("", "small", is_bold=True)
        self.start_figures = StartFiguresControl(fields.START_FIGURES.title, "No figures.")
        self.doors = ChecksControl(fields.START_DOORS.title, "The map has no armored doors.")
        self.equipment = ChecksControl(fields.START_EQUIPMENT.title, "The map has no vital equipment.")
        for section in fields.SECTIONS:
            box = SectionBox(section.title, section.side)
            box.add(self._rows_of(section))
            box.unfold(section in OPEN_AT_FIRST)
            self.sections[section.title] = box

    def summarize(self, scenario: Scenario) -> None:
        """Say in the heads of the sections what the scenario says there."""
        for section in fields.SECTIONS:
            self.sections[section.title].head.set_summary(section.summary(scenario))

    def _rows_of(self, section: Section) -> list[Row]:
        own: Mapping[str, Callable[[], list[Row]]] = {
            fields.ABOUT.title: self._about,
            fields.THE_MAP.title: self._map,
            fields.FIXED.title: self._fixed,
            fields.VICTORY.title: self._victory,
            fields.POSITION.title: self._position,
        }
        made = own[section.title]() if section.title in own else []
        # Whatever else there is to turn in this part has a row of its own.
        made += [
            self._switch(switch)
            for switch in switches.SWITCHES
            if switch.part == section.part and switch.path not in self.controls
        ]
        if section is fields.SET_UP:
            made.append(self._field(fields.SETUP_LETTERS, self.letters))
        if section is fields.COMING:
            made.append(NoteRow(self.totals))
        return made

    def _join(self, row: Row) -> Row:
        for path, control in row.controls.items():
            self.controls[path] = control
            self.rows[path] = row
        return row

    def _field(self, field: Field, control: SwitchControl, *, is_wide: bool = True) -> Row:
        return self._join(FieldRow(field, control, is_wide=is_wide))

    def _switch(self, switch: switches.Switch) -> Row:
        control = self.reinforcements if switch.path == "reinforcements" else control_for(switch, ())
        row = FieldRow(
            switch,
            control,
            is_wide=isinstance(control, _WIDE),
            is_short=switch.path.startswith(fields.SHORT),
        )
        return self._join(row)

    def _about(self) -> list[Row]:
        return [
            self._field(fields.NAME, TextControl(fields.NAME.title)),
            self._field(fields.NOTES, NotesControl(fields.NOTES.title)),
            NoteRow(self.reduce_button, words="keep only the map"),
        ]

    def _map(self) -> list[Row]:
        return [self._field(fields.MAP, self.map), *map(self._join, map_word_rows())]

    def _fixed(self) -> list[Row]:
        return [
            self._field(fields.PLACEMENTS, self.placements),
            NoteRow(self.unused),
            self._tool(),
        ]

    def _victory(self) -> list[Row]:
        made: list[Row] = []
        for one in fields.SENTENCES:
            if one.paths[0].startswith("points.") and "points" not in self.controls:
                made.append(self._switch(switches.BY_PATH["points"]))
            controls = {path: _in_a_sentence(switches.BY_PATH[path]) for path in one.paths}
            made.append(self._join(SentenceRow(one.title, one.rules, one.pieces, controls)))
        return made

    def _position(self) -> list[Row]:
        presence = switches.Presence("There is a start position", StartPosition())
        phases = tuple((phase, PHASE_NAMES[phase]) for phase in get_args(Phase))
        turn = NumberControl(switches.Number(1, MAX_TURNS), fields.START_TURN.title)
        phase = ChoiceControl(switches.Choice(phases), fields.START_PHASE.title)
        return [
            self._field(fields.START, PresenceControl(presence, fields.START.title)),
            self._field(fields.START_TURN, turn, is_wide=False),
            self._field(fields.START_PHASE, phase, is_wide=False),
            self._field(fields.START_FIGURES, self.start_figures),
            self._field(fields.START_DOORS, self.doors),
            self._field(fields.START_EQUIPMENT, self.equipment),
            self._tool(),
        ]

    def _tool(self) -> Row:
        button = small_button("Put figures on the map", "Take the tool that puts figures on the map")
        self.tool_buttons.append(button)
        return NoteRow(button, words="put figures on the map")


def _reinforcements() -> ReinforcementsControl:
    switch = switches.BY_PATH["reinforcements"]
    assert isinstance(switch.control, switches.Rows)
    return ReinforcementsControl(switch.control, switch.title, ())


def _in_a_sentence(switch: switches.Switch) -> SwitchControl:
    """Return a switch's control with a dash for 0 where that is not just none: it reads in any sentence."""
    number = switch.control
    if isinstance(number, switches.Number) and number.zero:
        switch = switch._replace(control=number._replace(zero="–"))
    control = control_for(switch, ())
    control.setToolTip(switch.sentence)
    return control
