"""The Problems menu: from one problem to the next, fixes, and the doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from editor.window import EditorWindow


class ProblemsMenu(QObject):
    """What is wrong with the draft: gone to by keys, fixed by one, and the doctor's view of its numbers."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("P&roblems")
        self.menu = menu
        add = window.named_actions.add
        for name, text, key, slot in (
            ("problem-next", "&Next problem", "F8", self._on_next),
            ("problem-previous", "&Previous problem", "Shift+F8", self._on_previous),
            ("problem-fix", "&Fix the selected problem", "Ctrl+F8", self._on_fix),
        ):
            menu.addAction(add(name, text, key, slot, menu="Problems"))
        menu.addSeparator()
        menu.addAction(add("problems", "&List of problems", "Alt+F8", self.show_list, menu="Problems"))
        menu.addAction(add("doctor", "&Doctor…", "Ctrl+Shift+F8", self._on_doctor, menu="Problems"))

    @Slot()
    def _on_next(self) -> None:
        self._window.show_panel("problems")
        self._window.problems.next_problem()

    @Slot()
    def _on_previous(self) -> None:
        self._window.show_panel("problems")
        self._window.problems.previous_problem()

    @Slot()
    def _on_fix(self) -> None:
        self._window.show_panel("problems")
        self._window.problems.fix_current()

    @Slot()
    def show_list(self) -> None:
        """Bring the list of problems to the front, as they are at this moment."""
        self._window.checker.check_now()
        self._window.show_panel("problems")
        self._window.problems.tree.setFocus()

    @Slot()
    def _on_doctor(self) -> None:
        self._window.show_panel("doctor")
        self._window.doctor.tabs.setFocus()

    @Slot(str)
    def show_field(self, place: str) -> None:
        """Show the field of the scenario's file where a problem is to be fixed."""
        window = self._window
        if window.document.draft.scenario is not None:
            window.set_mode("scenario")
            window.show_panel("scenario")
            window.scenario.go_to(place)
