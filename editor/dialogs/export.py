"""Takes a draft out of the editor: in which form, how it looks, and where to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLabel,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.dialogs.ask import is_sure
from app.dialogs.switch_controls import ComboBox, SpinBox
from app.file_names import clean_name
from app.panels.dressed import Dressed
from app.panels.widgets import Label, PictureView, TextView, keyed_button, row
from editor.dialogs.lines import lines_list
from editor.dialogs.notice import tell
from editor.draft import Draft
from editor.exports.forms import (
    FORM_NAMES,
    FORMS,
    PICTURES,
    PIXELS,
    TABLETOPS,
    CannotExport,
    ExportOptions,
    Form,
)
from editor.exports.pictures import picture, picture_size
from editor.exports.save import export, losses, save, targets
from editor.files.reading import is_same_file

FILTERS: Final[dict[Form, str]] = {
    "json": "Maps and scenarios (*.json)",
    "txt": "Texts (*.txt)",
    "png": "Pictures (*.png)",
    "svg": "Drawings (*.svg)",
    "uvtt": "Universal VTT (*.uvtt)",
    "dd2vtt": "Universal VTT (*.dd2vtt)",
}
JSON_NAMES: Final = (
    ("whole", "One file, the map in it"),
    ("map", "The map alone"),
    ("beside", "Two files, map apart"),
)
LOOK_NAMES: Final = (("light", "Light"), ("dark", "Dark"), ("contrast", "High contrast"))
TABLETOP_WORDS: Final = (
    "Universal VTT: the picture without its rim, walls that stop sight, and doors: armored ones closed, "
    "others open. Drop-offs are no walls; tanks and computers are obstacles of their own."
)
COPY_SIZE: Final = 200_000  # characters of a text shown; more would make the dialog wait


class ExportDialog(Dressed, QDialog):
    """Shows the forms in which a draft may leave, and copies or saves the one chosen.

    `own` is the draft's own file, which nothing is exported over.
    """

    def __init__(
        self,
        draft: Draft,
        parent: QWidget | None = None,
        *,
        options: ExportOptions | None = None,
        form: Form = "json",
        own: Path | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self._draft = draft
        self._own = own
        self._folder = own.parent if own is not None else Path.home()
        self._make_controls(options if options is not None else ExportOptions())
        self.text = TextView("The text")
        self.picture = PictureView("The picture of the map")
        self.preview = QStackedWidget()
        self.preview.addWidget(self.text)
        self.preview.addWidget(self.picture)
        self.about = Label("", "small", is_soft=True)
        self.said = Label("")
        self.copy_button = keyed_button("Copy", "Ctrl+Shift+C", self._on_copy)
        self.save_button = keyed_button("Save as…", "Ctrl+S", self._on_save, is_main=True)
        self.close_button = keyed_button("Close", "Esc", self.reject)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self.refresh)
        self._lay_out()
        room = self.screen().availableGeometry().size() * 0.92
        self.resize(QSize(theme.size("body") * 76, theme.size("body") * 46).boundedTo(room))
        self.forms.setCurrentRow(FORMS.index(form))
        self.forms.currentRowChanged.connect(self._on_form)
        self.dress()
        self.forms.setFocus()

    def _make_controls(self, options: ExportOptions) -> None:
        self.forms = lines_list("Form")
        for form in FORMS:
            item = QListWidgetItem(FORM_NAMES[form])
            item.setData(Qt.ItemDataRole.UserRole, form)
            self.forms.addItem(item)
        self.json = ComboBox(JSON_NAMES, "What goes into the file")
        self.json.show_value(options.json)
        self.json.setMinimumContentsLength(12)
        self.pixels = SpinBox(*PIXELS, "", "Pixels of a square")
        self.pixels.setValue(options.pixels)
        self.look = ComboBox(LOOK_NAMES, "Colours")
        self.look.show_value(options.look)
        self.grid = QCheckBox("Lines and dots of squares")
        self.grid.setChecked(options.has_grid)
        self.rim = QCheckBox("The rim with its numbers")
        self.rim.setChecked(options.has_rim)
        self.figures = QCheckBox("Figures that the scenario places")
        self.figures.setChecked(options.has_figures)
        for combo in (self.json, self.look):
            combo.currentIndexChanged.connect(self._on_changed)
        self.pixels.valueChanged.connect(self._on_changed)
        for tick in (self.grid, self.rim, self.figures):
            tick.toggled.connect(self._on_changed)

    def _lay_out(self) -> None:
        self.fields = QFormLayout()
        self.fields.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        self.fields.setVerticalSpacing(theme.SPACE // 2)
        for words, field in (
            ("Into the file", self.json),
            ("Pixels of a square", self.pixels),
            ("Colours", self.look),
        ):
            label = QLabel(words)
            label.setBuddy(field)
            self.fields.addRow(label, field)
        left = QVBoxLayout()
        left.setSpacing(theme.SPACE)
        left.addWidget(self.forms, 1)
        left.addLayout(self.fields)
        for tick in (self.grid, self.rim, self.figures):
            left.addWidget(tick)
        right = QVBoxLayout()
        right.setSpacing(theme.SPACE)
        right.addWidget(self.about)
        right.addWidget(self.preview, 1)
        body = row(spacing=theme.SPACE * 2)
        body.addLayout(left, 2)
        body.addLayout(right, 5)
        foot = row(self.said, self.copy_button, self.close_button, self.save_button)
        foot.setStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(theme.SPACE * 2,) * 4)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(Label(f"Export: {self._draft.name}", "title", is_title=True))
        layout.addLayout(body, 1)
        layout.addLayout(foot)

    @property
    def form(self) -> Form:
        """The form chosen."""
        return FORMS[max(0, self.forms.currentRow())]

    @property
    def options(self) -> ExportOptions:
        """What is chosen about it."""
        return ExportOptions(
            self.pixels.value(),
            self.grid.isChecked(),
            self.rim.isChecked(),
            self.figures.isChecked(),
            self.look.currentData(),
            self.json.currentData() if self._draft.scenario is not None else "whole",
        )

    def choose(self, form: Form) -> None:
        """Choose a form."""
        self.forms.setCurrentRow(FORMS.index(form))

    def _dress(self) -> None:
        self.refresh()

    @Slot()
    def _on_form(self) -> None:
        self.said.setText("")
        self.refresh()

    @Slot()
    def _on_changed(self) -> None:
        self.said.setText("")
        self._timer.start()

    @Slot()
    def refresh(self) -> None:
        """Show what the form chosen makes of the draft."""
        self._timer.stop()
        form = self.form
        is_picture, is_tabletop = form in PICTURES, form in TABLETOPS
        self.fields.setRowVisible(self.json, form == "json" and self._draft.scenario is not None)
        self.fields.setRowVisible(self.pixels, is_picture)
        self.fields.setRowVisible(self.look, is_picture)
        self.grid.setVisible(is_picture)
        self.rim.setVisible(is_picture and not is_tabletop)
        self.figures.setVisible(is_picture and not is_tabletop and self._draft.scenario is not None)
        self.about.setText(self._words())
        self.copy_button.setVisible(not is_tabletop and form != "svg")
        if is_picture:
            self.preview.setCurrentWidget(self.picture)
            self._draw()
            return
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPixelSize(theme.size("small"))
        self.text.setFont(fixed)
        text = self._text()
        self.text.setPlainText(text if len(text) <= COPY_SIZE else f"{text[:COPY_SIZE]}\n…")
        self.preview.setCurrentWidget(self.text)

    def _words(self) -> str:
        form, options = self.form, self.options
        lines = []
        if form in PICTURES:
            shown = options._replace(has_rim=False) if form in TABLETOPS else options
            size = picture_size(self._draft, shown)
            lines.append(f"{size.width()} × {size.height()} pixels.")
        if form in TABLETOPS:
            lines.append(TABLETOP_WORDS)
        if form == "json" and options.json == "beside":
            lines.append("The map goes into a second file beside it; keep both together.")
        lost = losses(self._draft, form, options)
        if lost:
            more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
            lines.append(f"Left out: {'; '.join(lost[:3])}{more}.")
        return " ".join(lines)

    def _text(self) -> str:
        return export(self._draft, self.form, self.options).decode()

    def _draw(self) -> None:
        room, options = self.preview.size(), self.options
        if self.form in TABLETOPS:
            options = options._replace(has_rim=False, has_figures=False)
        # No finer than the screen, and on it as large as there is room for.
        ratio = self.devicePixelRatioF()
        whole = picture_size(self._draft, options._replace(pixels=100))
        fitting = min(room.width() / whole.width(), room.height() / whole.height()) * 100 * ratio
        image = picture(self._draft, options._replace(pixels=max(2, min(options.pixels, int(fitting)))))
        image.setDevicePixelRatio(ratio)
        self.picture.setPixmap(QPixmap.fromImage(image))

    @Slot()
    def _on_copy(self) -> None:
        try:
            if self.form in PICTURES:
                QGuiApplication.clipboard().setImage(picture(self._draft, self.options))
            else:
                QGuiApplication.clipboard().setText(self._text())
        except CannotExport as error:
            self._refuse(error)
            return
        self.said.setText("Copied.")

    @Slot()
    def _on_save(self) -> None:
        form = self.form
        start = self._folder / f"{clean_name(self._draft.name)[:80] or 'Map'}.{form}"
        name, _ = QFileDialog.getSaveFileName(self, "Export", str(start), FILTERS[form])
        if name:
            path = Path(name)
            self.save_to(path if path.suffix else path.with_suffix(f".{form}"))

    def save_to(self, path: Path) -> None:
        """Write the form chosen into a file; say so, or why that cannot be."""
        options = self.options
        files = targets(self.form, options, path)
        if any(is_same_file(one, self._own) for one in files):
            self._refuse(CannotExport("It is the file being edited, which Save writes."), path)
            return
        if not all(self._may_write(one) for one in files[1:]):
            return
        try:
            written = save(self._draft, self.form, options, path)
        except (CannotExport, OSError) as error:
            self._refuse(error, path)
            return
        self.said.setText(f"Saved as {' and '.join(map(str, written))}.")

    def _may_write(self, path: Path) -> bool:
        """Ask before a map's file that the file dialog knows nothing of is written over."""
        if not path.exists():
            return True
        words = f"{path.name} is there already, in the same folder. Write the map over it?"
        return is_sure(self, "Write over a file", words, "Write over it", is_final=True)

    def _refuse(self, error: Exception, path: Path | None = None) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        words = f"{path} cannot be written.\n\n{reason}" if path is not None else reason
        tell("Not exported", words, (), self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.preview.currentWidget() is self.picture:
            self._timer.start()
