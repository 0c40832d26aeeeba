"""What a new draft begins with: an empty map of some size, a small house, a shipped map or scenario."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import SpinBox
from app.panels.widgets import Label, keyed_button, row
from editor.dialogs.lines import lines_list
from editor.dialogs.plan_picture import PlanPicture
from editor.draft import Draft
from editor.templates import SIZE, empty, templates
from engine.fortress.floorplan import MAX_SIDE

LEAST_SIDE: Final = 3  # squares


class NewDraftDialog(QDialog):
    """Asks for a template; `draft` is made of it, unless the user `wants_text` to paste instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New")
        self.wants_text = False
        self._templates = templates()
        self.list = lines_list("What to begin with", [template.title for template in self._templates])
        self.width_box = SpinBox(LEAST_SIDE, MAX_SIDE, "", "Columns")
        self.height_box = SpinBox(LEAST_SIDE, MAX_SIDE, "", "Rows")
        self.width_box.setValue(SIZE[0])
        self.height_box.setValue(SIZE[1])
        self.about = Label("", "body")
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.picture = PlanPicture()
        self.size_line = QWidget()
        line = row(Label("Columns", wraps=False), self.width_box, Label("Rows", wraps=False), self.height_box)
        line.addStretch(1)
        self.size_line.setLayout(line)
        self.create_button = keyed_button("Begin", "Ctrl+Return", self.accept, is_main=True)
        self.text_button = keyed_button("From text…", "Alt+T", self._on_text)
        cancel = keyed_button("Cancel", "Esc", self.reject)
        right = QVBoxLayout()
        right.addWidget(self.about)
        right.addWidget(self.size_line)
        right.addWidget(self.picture, 1)
        middle = row(self.list, spacing=theme.SPACE * 2)
        middle.addLayout(right)
        middle.setStretch(0, 2)
        middle.setStretch(1, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label("What to begin with", "title", is_title=True))
        layout.addLayout(middle, 1)
        layout.addLayout(row(cancel, self.text_button, self.create_button))
        self.list.currentRowChanged.connect(self._follow)
        self.list.itemActivated.connect(self.accept)
        self.width_box.valueChanged.connect(self._follow)
        self.height_box.valueChanged.connect(self._follow)
        self.list.setCurrentRow(0)
        self.list.setFocus()
        self.resize(min(theme.size("body") * 56, 1240), min(theme.size("body") * 36, 660))

    @property
    def draft(self) -> Draft:
        """The draft to begin with."""
        template = self._templates[max(0, self.list.currentRow())]
        if template.key == "empty":
            return Draft(empty(self.width_box.value(), self.height_box.value()))
        return template.make()

    @Slot()
    def _follow(self) -> None:
        template = self._templates[max(0, self.list.currentRow())]
        draft = self.draft
        plan = draft.plan
        size = "" if template.key == "empty" else f" {plan.width} × {plan.height} squares."
        self.about.setText(f"{template.about}{size}")
        self.size_line.setVisible(template.key == "empty")
        self.picture.show_plan(plan)

    @Slot()
    def _on_text(self) -> None:
        self.wants_text = True
        self.accept()
