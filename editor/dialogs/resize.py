"""Another size for the map: columns and rows at each side, and what would be lost."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from app import theme
from app.dialogs.switch_controls import SpinBox
from app.panels.widgets import Label, keyed_button, row
from editor.dialogs.lines import lines_list
from editor.dialogs.plan_picture import PlanPicture
from editor.draft import Draft
from editor.edits.whole import losses, resized, why_not_resized
from editor.words import sentence
from engine.fortress.floorplan import MAX_SIDE


class ResizeDialog(QDialog):
    """Asks how many columns and rows to add, or below 0 to take away, at each side: `sides`."""

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Resize the map")
        self._draft = draft
        self.boxes = {
            side: SpinBox(-MAX_SIDE, MAX_SIDE, "", f"{what} to add {where}; below 0 to take away")
            for side, what, where in (
                ("left", "Columns", "on the left"),
                ("top", "Rows", "at the top"),
                ("right", "Columns", "on the right"),
                ("bottom", "Rows", "at the bottom"),
            )
        }
        for box in self.boxes.values():
            box.valueChanged.connect(self._follow)
        self.picture = PlanPicture()
        self.size_words = Label("", "body", is_bold=True)
        self.losses_title = Label("", "body")
        self.losses = lines_list("What would be lost")
        self.resize_button = keyed_button("Resize", "Ctrl+Return", self.accept, is_main=True)
        cancel = keyed_button("Cancel", "Esc", self.reject)
        # The boxes stand round the picture, each at its side.
        grid = QGridLayout()
        grid.setSpacing(theme.SPACE)
        centre = Qt.AlignmentFlag.AlignCenter
        grid.addWidget(self.boxes["top"], 0, 1, centre)
        grid.addWidget(self.boxes["left"], 1, 0, centre)
        grid.addWidget(self.picture, 1, 1)
        grid.addWidget(self.boxes["right"], 1, 2, centre)
        grid.addWidget(self.boxes["bottom"], 2, 1, centre)
        grid.setRowStretch(1, 1)
        grid.setColumnStretch(1, 1)
        side = QVBoxLayout()
        side.addWidget(self.size_words)
        side.addWidget(self.losses_title)
        side.addWidget(self.losses, 1)
        side.addStretch(0)
        middle = row(spacing=theme.SPACE * 2)
        middle.addLayout(grid, 3)
        middle.addLayout(side, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label("Resize the map", "title", is_title=True))
        layout.addWidget(
            Label("Columns and rows to add at each side; below 0 they are taken away.", "small", is_soft=True)
        )
        layout.addLayout(middle, 1)
        layout.addLayout(row(cancel, self.resize_button))
        self.resize(min(theme.size("body") * 60, 1240), min(theme.size("body") * 36, 660))
        self._follow()
        self.boxes["right"].setFocus()
        self.boxes["right"].selectAll()

    @property
    def sides(self) -> tuple[int, int, int, int]:
        """The columns and rows to add at the left, the top, the right and the bottom."""
        left, top, right, bottom = (self.boxes[one].value() for one in ("left", "top", "right", "bottom"))
        return left, top, right, bottom

    @Slot()
    def _follow(self) -> None:
        plan, sides = self._draft.plan, self.sides
        left, top, right, bottom = sides
        reason = why_not_resized(plan, *sides)
        width, height = plan.width + left + right, plan.height + top + bottom
        lost = losses(self._draft, *sides)
        words = f"{plan.width} × {plan.height} becomes {width} × {height} squares."
        self.size_words.setText(sentence(reason) or words)
        self.size_words.set_tone("danger" if reason else "")
        self.losses_title.setText("This would be lost; Undo brings it back:" if lost else "Nothing is lost.")
        self.losses_title.setVisible(not reason)
        self.losses.clear()
        self.losses.addItems(list(lost))
        self.losses.setVisible(bool(lost))
        self.resize_button.setEnabled(not reason and any(sides))
        self.picture.show_plan(plan if reason else resized(self._draft, *sides).plan)
