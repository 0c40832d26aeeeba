"""Choosing a scenario: the shipped ones and one's own, what each is, and turning its rules."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from app import scenarios, theme
from app.dialogs.change_rules import ChangeRulesDialog
from app.dialogs.name_scenario import NameScenarioDialog
from app.markup import as_text
from app.panels.widgets import (
    ActionButton,
    FlowLayout,
    Label,
    column,
    keyed_button,
    rule_link,
    with_rule_links,
)
from app.scenarios import KeptScenario
from engine.core.files import BadFile
from engine.raid import switches
from engine.raid.problems import unknown_problems
from engine.raid.scenario import Scenario

FILTER: Final = "Scenarios (*.json)"
UNLIMITED: Final = 16777215  # pixels; what Qt takes for no limit
LINES: Final = 6  # of faults that are seen without scrolling
LISTED: Final = 5  # lines of the list that are seen without scrolling, at least
SIDE_BY_SIDE: Final = 44  # letters of width in which the list stands beside what it lists


class ScenarioChooser(QWidget):
    """The list of scenarios, and beside it the one chosen. `changed` follows every other choice.

    `renamed` carries the key that a scenario had and the one it has.
    """

    changed = Signal()
    renamed = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kept: list[KeptScenario] = []
        self._turned: dict[str, Scenario] = {}  # the scenarios whose rules are changed, by key
        self._thrown: Path | None = None  # what was deleted or replaced last, in the trash
        self._dialog: ChangeRulesDialog | NameScenarioDialog | None = None
        self.list = QListWidget()
        self.list.setAccessibleName("Scenario")
        self.list.setWordWrap(True)
        self.list.currentRowChanged.connect(self._chosen)
        self._make_labels()
        self.rules_button = keyed_button("Change the rules of this game…", "Alt+R", self.change_rules)
        self.unchanged_button = keyed_button("Back to its own rules", "Alt+B", self.unchange)
        self.save_button = keyed_button("Save as my scenario…", "Alt+S", self.save_as)
        self.rename_button = keyed_button("Rename…", "", self.rename)
        self.delete_button = keyed_button("Delete", "", self.delete)
        self.export_button = keyed_button("Export…", "Alt+E", self.export)
        self.import_button = keyed_button("Import…", "Alt+I", self.bring_in)
        self.undo_button = keyed_button("Undo", "Alt+U", self.undo)
        self.undo_button.hide()
        for key, act in (("F2", self.rename), ("Delete", self.delete)):
            shortcut = QShortcut(QKeySequence(key), self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._lay_out()
        self.refresh()

    def _make_labels(self) -> None:
        """Make the lines that say what the chosen scenario is, and what was done."""
        self._title = Label("", "title", is_title=True)
        self._notes = Label("")
        self._forces = Label("", is_bold=True)
        self._differs = Label("", "small", is_soft=True, is_rich=True)
        self._changes = Label("", "small", is_bold=True, is_rich=True)
        self._problem = Label("", is_rich=True)
        self._problem.set_tone("danger")
        self._notice = Label("", "small")
        self._notice.setAccessibleName("What was done")
        self.more = QPlainTextEdit()
        self.more.setReadOnly(True)
        self.more.setTabChangesFocus(True)
        self.more.setAccessibleName("What is wrong with the file")
        self.more.hide()

    def _lay_out(self) -> None:
        turning = _flow(self.rules_button, self.unchanged_button, self.save_button)
        keeping = _flow(
            self.rename_button, self.delete_button, self.export_button, self.import_button, self.undo_button
        )
        about = column(
            self._title,
            self._notes,
            self._forces,
            self._differs,
            self._changes,
            self._problem,
            turning,
            keeping,
            self._notice,
            self.more,
        )
        about.addStretch(1)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(theme.SPACE * 2)
        self._line.addWidget(self.list)
        self._line.addLayout(about, 1)

    # What others use.

    @property
    def kept(self) -> KeptScenario:
        """The scenario chosen in the list, as it is kept."""
        return self._kept[max(0, self.list.currentRow())]

    @property
    def is_changed(self) -> bool:
        """Whether the rules of the chosen scenario are turned for this game."""
        return self.kept.key in self._turned

    @property
    def scenario(self) -> Scenario | None:
        """The scenario to play, its rules turned; None where its file cannot be read."""
        return self._turned.get(self.kept.key, self.kept.scenario)

    @property
    def problem(self) -> str:
        """Why the scenario cannot be played, "" if it can."""
        return "" if self.is_changed else self.kept.problem

    def choose(self, key: str) -> bool:
        """Choose a scenario by its key; return whether there is one."""
        for at, kept in enumerate(self._kept):
            if kept.key == key:
                self.list.setCurrentRow(at)
                return True
        return False

    def refresh(self, key: str = "") -> None:
        """Read the scenarios anew and choose one, by default the one chosen before."""
        key = key or (self.kept.key if self._kept else "")
        self._kept = scenarios.listed()
        with QSignalBlocker(self.list):
            self.list.clear()
            for kept in self._kept:
                text = kept.title
                if kept.path is not None:
                    text += "  (yours, with a fault)" if kept.problem else "  (yours)"
                item = QListWidgetItem(text)
                item.setData(Qt.ItemDataRole.ToolTipRole, as_text(kept.problem) or None)
                self.list.addItem(item)
            self.list.setCurrentRow(0)
            self.choose(key)
        self.list.setFocus()
        self._chosen()

    def suit(self, width: int) -> None:
        """Put the list beside or above what it lists, for a width and the text in force."""
        body = theme.size("body")
        is_wide = width >= body * SIDE_BY_SIDE
        self._line.setDirection(
            QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        )
        self.list.setMinimumHeight(round(body * 1.6) * LISTED)
        self.list.setMaximumHeight(UNLIMITED if is_wide else round(body * 1.6) * LISTED)
        self.list.setMinimumWidth(round(body * 18) if is_wide else 0)
        self.list.setMaximumWidth(round(body * 18) if is_wide else UNLIMITED)

    # Showing the chosen one.

    @Slot()
    def _chosen(self) -> None:
        kept, scenario = self.kept, self.scenario
        is_own = kept.path is not None
        self._title.setText(kept.title)
        self._notes.setText(kept.scenario.notes if kept.scenario is not None else "")
        self._notes.setVisible(bool(self._notes.text()))
        self._forces.setText(switches.forces(scenario) if scenario is not None else "")
        self._forces.setVisible(scenario is not None)
        usual = Scenario(name="")
        turned = switches.differences(usual, kept.scenario) if kept.scenario is not None else []
        said = "; ".join(_difference(one, kept.scenario) for one in turned if kept.scenario is not None)
        self._differs.setText(f"Unlike the Basic scenario: {said}" if said else "")
        self._differs.setVisible(bool(said))
        changes = ""
        if self.is_changed and scenario is not None and kept.scenario is not None:
            found = switches.differences(kept.scenario, scenario)
            changes = "● Changed for this game: " + "; ".join(_difference(one, scenario) for one in found)
        self._changes.setText(changes)
        self._changes.setVisible(bool(changes))
        self._problem.setText(with_rule_links(f"Cannot be played: {self.problem}") if self.problem else "")
        self._problem.setVisible(bool(self.problem))
        self.rules_button.setEnabled(scenario is not None)
        self.unchanged_button.setVisible(self.is_changed)
        self.save_button.setEnabled(scenario is not None)
        self.export_button.setEnabled(scenario is not None and not self.problem)
        self.rename_button.setVisible(is_own and kept.scenario is not None)
        self.delete_button.setVisible(is_own)
        self.changed.emit()

    # Turning its rules.

    @Slot()
    def change_rules(self) -> None:
        """Open the switches of the chosen scenario."""
        base = self.kept.scenario
        if base is None:
            return
        dialog = ChangeRulesDialog(base, self.scenario, self.window())
        dialog.accepted.connect(self._take_rules)
        self._open(dialog)

    @Slot()
    def _take_rules(self) -> None:
        if isinstance(self._dialog, ChangeRulesDialog):
            self.turn(self._dialog.scenario)

    def turn(self, scenario: Scenario) -> None:
        """Play the chosen scenario with the rules of another that is made from it."""
        base = self.kept.scenario
        assert base is not None
        if switches.differences(base, scenario):
            self._turned[self.kept.key] = msgspec.structs.replace(scenario, name=f"{base.name}, changed")
        else:
            self._turned.pop(self.kept.key, None)
        self._chosen()

    @Slot()
    def unchange(self) -> None:
        """Give the chosen scenario its own rules again."""
        self._turned.pop(self.kept.key, None)
        self.rules_button.setFocus()
        self._chosen()

    # The player's own.

    @Slot()
    def save_as(self) -> None:
        """Ask for name and notes, and keep the scenario as it stands among the player's own."""
        scenario = self.scenario
        if scenario is None:
            return
        title = self.kept.title if self.kept.path is not None else f"My {self.kept.title}"
        dialog = NameScenarioDialog("Save as my scenario", "Save", title, scenario.notes, self.window())
        dialog.accepted.connect(self._save)
        self._open(dialog)

    @Slot()
    def _save(self) -> None:
        if isinstance(self._dialog, NameScenarioDialog):
            self.keep(self._dialog.title, self._dialog.notes)

    def keep(self, title: str, notes: str) -> None:
        """Keep the scenario as it stands under a title, and choose it."""
        scenario = self.scenario
        assert scenario is not None
        try:
            path, thrown = scenarios.save(msgspec.structs.replace(scenario, name=title, notes=notes))
        except OSError as error:
            self._say(f"Not saved: {error.strerror or error}", is_bad=True)
            return
        self._turned.pop(self.kept.key, None)
        self._turned.pop(f"{scenarios.OWN}{path.name}", None)
        self.refresh(f"{scenarios.OWN}{path.name}")
        self._say(f"Saved as “{title}”." + (" The old one is in the trash." if thrown is not None else ""))
        if thrown is not None:
            self._offer_undo(thrown)

    @Slot()
    def rename(self) -> None:
        """Ask for another name of the chosen scenario, if it is the player's own."""
        if self.kept.path is None or self.kept.scenario is None:
            return
        dialog = NameScenarioDialog("Rename the scenario", "Rename", self.kept.title, None, self.window())
        dialog.accepted.connect(self._rename)
        self._open(dialog)

    @Slot()
    def _rename(self) -> None:
        if isinstance(self._dialog, NameScenarioDialog):
            self.rename_to(self._dialog.title)

    def rename_to(self, title: str) -> None:
        """Give the chosen scenario another name."""
        kept = self.kept
        try:
            path = scenarios.rename(kept, title)
        except OSError as error:
            self._say(f"Not renamed: {error.strerror or error}", is_bad=True)
            return
        key = f"{scenarios.OWN}{path.name}"
        if kept.key in self._turned:
            self._turned[key] = msgspec.structs.replace(self._turned.pop(kept.key), name=f"{title}, changed")
        self.refresh(key)
        self.renamed.emit(kept.key, key)
        self._say(f"Now called “{title}”.")

    @Slot()
    def delete(self) -> None:
        """Put the chosen scenario into the trash, if it is the player's own; Undo brings it back."""
        kept = self.kept
        if kept.path is None:
            return
        at = self.list.currentRow()
        try:
            thrown = scenarios.throw_away(kept.path)
        except OSError as error:
            self._say(f"Not deleted: {error.strerror or error}", is_bad=True)
            return
        self._turned.pop(kept.key, None)
        self.refresh(self._kept[at - 1].key)
        self._say(f"“{kept.title}” is in the trash.")
        self._offer_undo(thrown)

    def _offer_undo(self, thrown: Path | None) -> None:
        """Offer to bring back what is in the trash; None: there is nothing to bring back."""
        self._thrown = thrown
        self.undo_button.setVisible(thrown is not None)

    @Slot()
    def undo(self) -> None:
        """Bring the scenario back that was deleted or replaced last."""
        if self._thrown is None:
            return
        try:
            path, thrown = scenarios.bring_back(self._thrown)
        except OSError as error:
            self._say(f"Not brought back: {error.strerror or error}", is_bad=True)
            return
        key = f"{scenarios.OWN}{path.name}"
        self._turned.pop(key, None)
        self._offer_undo(thrown)
        self.refresh(key)
        said = f"“{self.kept.title}” is back."
        self._say(f"{said} What had its place is in the trash." if thrown is not None else said)

    @Slot()
    def export(self) -> None:
        """Ask for a file, and write the scenario into it, its map within."""
        if self.scenario is None:
            return
        name = scenarios.file_name(self.scenario.name)
        path, _ = QFileDialog.getSaveFileName(self, "Export the scenario", str(Path.home() / name), FILTER)
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Write the scenario into a file, its map within."""
        scenario = self.scenario
        assert scenario is not None
        try:
            scenarios.export(scenario, path)
        except OSError as error:
            self._say(f"Not exported: {error.strerror or error}", is_bad=True)
            return
        self._say(f"Exported to {path.name}, with its map; Import opens it on any machine.")

    @Slot()
    def bring_in(self) -> None:
        """Ask for a file, and keep the scenario in it among the player's own."""
        path, _ = QFileDialog.getOpenFileName(self, "Import a scenario", str(Path.home()), FILTER)
        if path:
            self.import_from(Path(path))

    def import_from(self, path: Path) -> None:
        """Keep the scenario of a file among the player's own, and choose it; a bad file says why."""
        try:
            kept = scenarios.bring_in(path)
        except BadFile as error:
            faults = [switches.fault_of_line(line).text if ": " in line else line for line in error.problems]
            if len(faults) == 1:
                self._say(f"{path.name} was not imported. {faults[0]}", is_bad=True)
            else:
                self._say(f"{path.name} was not imported. It has {len(faults)} faults:", faults, is_bad=True)
            return
        except OSError as error:
            self._say(f"Not imported: {error.strerror or error}", is_bad=True)
            return
        self.refresh(f"{scenarios.OWN}{kept.name}")
        said = f"“{self.kept.title}” is now one of yours."
        scenario = self.kept.scenario
        unknown = unknown_problems(scenario) if scenario is not None else []
        if unknown:
            said += " It has fields that this program does not know; they are kept and change nothing:"
        self._say(said, [f"{one.place}: {one.message}" for one in unknown])

    def _say(self, text: str, lines: Sequence[str] = (), *, is_bad: bool = False) -> None:
        """Say what was done or why not; with lines of more, which scroll where they are many."""
        self._notice.set_tone("danger" if is_bad else "")
        self._notice.setText(text)
        self.more.setPlainText("\n".join(lines))
        self.more.setFixedHeight(self.more.fontMetrics().lineSpacing() * (min(len(lines), LINES) + 1))
        self.more.setVisible(bool(lines))

    def _open(self, dialog: ChangeRulesDialog | NameScenarioDialog) -> None:
        self._say("")
        self._dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _flow(*buttons: ActionButton) -> QWidget:
    """Return buttons side by side, in as many lines as they need."""
    box = QWidget()
    flow = FlowLayout(box)
    for button in buttons:
        flow.addWidget(button)
    return box


def _difference(switch: switches.Switch, scenario: Scenario) -> str:
    return f"{escape(switches.difference_words(switch, scenario))} ({rule_link(switch.rules[0])})"
