"""Takes a game out of the program: what of it, how it looks, and where to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.picture import board_image, picture_size
from app.exports import PICTURES, SUFFIXES, TEXTS, WHOSE, Export, Form
from app.file_names import clean_name
from app.markup import as_text
from app.panels.dressed import Dressed
from app.panels.widgets import Label, PictureView, TextView, keyed_button, row
from engine.core.files import BadFile

FORMS: Final[tuple[tuple[Form, str], ...]] = (
    ("log", "The log, as text"),
    ("position", "The position, as text"),
    ("notation", "The whole game, in the notation"),
    ("png", "A picture of the board (PNG)"),
    ("svg", "A picture of the board, as lines (SVG)"),
    ("file", "The game's own file"),
)
FILTERS: Final[dict[Form, str]] = {
    "file": "Games (*.json)",
    "log": "Texts (*.txt)",
    "position": "Texts (*.txt)",
    "notation": "Texts (*.txt)",
    "png": "Pictures (*.png)",
    "svg": "Drawings (*.svg)",
}
FILE_WORDS: Final = (
    "The file holds everything: it can be gone on with, or replayed, in this program on any computer."
)
SECRET_WORDS: Final = "Whoever has it can read what is secret."
SHARED_WORDS: Final = "While the game goes on, only what both sides know is shown here and exported."


class ExportDialog(Dressed, QDialog):
    """Shows the forms in which a game may leave, and copies or saves the one chosen."""

    def __init__(self, export: Export, parent: QWidget | None = None, *, form: Form = "log") -> None:
        super().__init__(parent)
        self.export = export
        self.setWindowTitle("Export")
        self.setAccessibleName("Export")
        whose = f", {WHOSE[export.view.viewer]}"
        self.about = Label(f"{export.title}: {export.players}{whose}", is_bold=True)
        self.shared = Label(SHARED_WORDS)
        self.shared.setVisible(export.is_shared)
        self.forms = QListWidget()
        self.forms.setAccessibleName("What to export")
        self.forms.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.forms.setWordWrap(True)
        for one, words in FORMS:
            item = QListWidgetItem(words)
            item.setData(Qt.ItemDataRole.UserRole, one)
            self.forms.addItem(item)
        self.text = TextView("The text")
        self.picture = PictureView("The picture of the board")
        self.words = Label("")
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.preview = QStackedWidget()
        for page in (self.text, self.picture, self.words):
            self.preview.addWidget(page)
        self.said = Label("")
        self.copy_button = keyed_button("Copy", "Ctrl+Shift+C", self._on_copy)
        self.save_button = keyed_button("Save as…", "Ctrl+S", self._on_save, is_main=True)
        self.close_button = keyed_button("Close", "Esc", self.reject)
        self._lay_out()
        self.forms.currentRowChanged.connect(self._refresh)
        room = self.screen().availableGeometry().size() * 0.92
        self.resize(QSize(theme.size("body") * 70, theme.size("body") * 44).boundedTo(room))
        self.forms.setCurrentRow([one for one, _ in FORMS].index(form))
        self.dress()
        self.forms.setFocus()

    def _lay_out(self) -> None:
        body = row(self.forms, self.preview)
        body.setStretch(0, 2)
        body.setStretch(1, 5)
        foot = row(self.said, self.copy_button, self.save_button, self.close_button)
        foot.setStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.SPACE)
        layout.addWidget(self.about)
        layout.addWidget(self.shared)
        layout.addLayout(body, 1)
        layout.addLayout(foot)

    def choose(self, form: Form) -> None:
        """Choose a form."""
        self.forms.setCurrentRow([one for one, _ in FORMS].index(form))

    @property
    def form(self) -> Form:
        """The form chosen."""
        return FORMS[max(0, self.forms.currentRow())][0]

    def _dress(self) -> None:
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        form, reason = self.form, self.export.why_not(self.form)
        if reason or form == "file":
            words = FILE_WORDS if self.export.record is not None else f"{FILE_WORDS} {SECRET_WORDS}"
            self.words.setText(reason or words)
            self.preview.setCurrentWidget(self.words)
        elif form in TEXTS:
            fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
            fixed.setPixelSize(theme.size("small"))
            self.text.setFont(fixed)
            self.text.setPlainText(self.export.text(form))
            self.preview.setCurrentWidget(self.text)
        else:
            self.preview.setCurrentWidget(self.picture)
            self._draw()
        self.copy_button.setEnabled(not reason and form != "file" and form != "svg")
        self.save_button.setEnabled(not reason)
        self.said.setText("")

    def _draw(self) -> None:
        room, whole = self.preview.size(), picture_size(self.export.plan, 1)
        pixels = max(4, min(room.width() // whole.width(), room.height() // whole.height()))
        image = board_image(self.export.plan, self.export.view, pixels, self.devicePixelRatioF())
        self.picture.setPixmap(QPixmap.fromImage(image))

    @Slot()
    def _on_copy(self) -> None:
        form = self.form
        if form in TEXTS:
            QGuiApplication.clipboard().setText(self.export.text(form))
        elif form in PICTURES:
            QGuiApplication.clipboard().setImage(board_image(self.export.plan, self.export.view, 48))
        self.said.setText("Copied.")

    @Slot()
    def _on_save(self) -> None:
        form = self.form
        name = clean_name(f"{self.export.title} {form if form in TEXTS else ''}")
        start = Path.home() / f"{name[:80] or 'Game'}{SUFFIXES[form]}"
        name, _ = QFileDialog.getSaveFileName(self, "Export", str(start), FILTERS[form])
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Write the form chosen into a file; say so, or why that cannot be."""
        form = self.form
        if not path.suffix:
            path = path.with_suffix(SUFFIXES[form])
        try:
            self.export.save(form, path)
        except (BadFile, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            QMessageBox.warning(self, "Export", as_text(f"{path} cannot be written.\n\n{reason}"))
            return
        self.said.setText(f"Saved as {path}.")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.preview.currentWidget() is self.picture:
            self._draw()
