"""The File menu: drafts from templates, text and files, and back into them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from editor.dialogs.export import ExportDialog
from editor.dialogs.new_draft import NewDraftDialog
from editor.dialogs.paste_text import PasteTextDialog
from editor.dialogs.print import PrintDialog
from editor.exports.forms import ExportOptions, Form
from editor.printing.options import PrintOptions

if TYPE_CHECKING:
    from editor.window import EditorWindow


class FileMenu(QObject):
    """New, open, save, export, print, close."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        self._export: tuple[Form, ExportOptions] = ("json", ExportOptions())
        self._print = PrintOptions()
        self._text = ""  # of a plan that was typed and left
        files = window.files
        menu = window.menuBar().addMenu("&File")
        self.menu = menu
        add = window.named_actions.add
        menu.addAction(add("new", "&New…", "Ctrl+N", self.new, menu="File"))
        menu.addAction(
            add("new-from-text", "New from &text…", "Ctrl+Shift+N", self.new_from_text, menu="File")
        )
        menu.addAction(add("open", "&Open…", "Ctrl+O", files.open, menu="File"))
        self.recent_menu = menu.addMenu("Open &recent")
        self.recent_menu.aboutToShow.connect(self._list_recent)
        menu.addSeparator()
        menu.addAction(add("save", "&Save", "Ctrl+S", files.save, menu="File"))
        menu.addAction(add("save-as", "Save &as…", "Ctrl+Shift+S", files.save_as, menu="File"))
        menu.addAction(add("reload", "Re&load", "", files.outside.reload, menu="File"))
        menu.addAction(
            add("differences", "&Differences from the file…", "", files.outside.show_differences, menu="File")
        )
        menu.addAction(add("backups", "Earlier &versions…", "", files.versions.show, menu="File"))
        menu.addAction(add("unsaved", "&Unsaved work…", "", files.rescue.show, menu="File"))
        menu.addSeparator()
        menu.addAction(add("export", "&Export…", "Ctrl+E", self.export, menu="File"))
        menu.addAction(add("print", "&Print…", "Ctrl+P", self.print, menu="File"))
        menu.addSeparator()
        menu.addAction(add("start-screen", "Start s&creen", "Ctrl+L", self._on_start, menu="File"))
        menu.addAction(add("close", "&Close", "Ctrl+W", window.close, menu="File"))
        self._list_recent()

    @Slot()
    def new(self) -> None:
        """Ask what to begin with."""
        dialog = NewDraftDialog(self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(self._on_new)
        dialog.open()

    @Slot()
    def _on_new(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, NewDraftDialog):
            if dialog.wants_text:
                self.new_from_text()
            else:
                self._window.files.begin(dialog.draft)

    @Slot()
    def new_from_text(self) -> None:
        """Begin with a floor plan from pasted text."""
        dialog = PasteTextDialog(self._window, self._text)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(self._on_text)
        dialog.rejected.connect(self._on_text_left)
        dialog.open()

    @Slot()
    def _on_text_left(self) -> None:
        """Keep what was typed for the next time."""
        dialog = self.sender()
        if isinstance(dialog, PasteTextDialog):
            self._text = dialog.text.toPlainText()

    @Slot()
    def _on_text(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, PasteTextDialog):
            self._text = ""
            self._window.files.begin(dialog.draft, is_modified=True)

    @Slot()
    def _list_recent(self) -> None:
        self.recent_menu.clear()
        for number, path in enumerate(self._window.settings.recent, 1):
            mark = f"&{number} " if number < 10 else ""
            action = self.recent_menu.addAction(f"{mark}{path.name.replace('&', '&&')}   ({path.parent})")
            action.triggered.connect(partial(self._open_recent, path))
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction("No file yet").setEnabled(False)

    def _open_recent(self, path: Path) -> None:
        self._window.files.open_path(path)

    @Slot()
    def export(self) -> None:
        """Ask for a form to take the draft out in."""
        document = self._window.document
        form, options = self._export
        dialog = ExportDialog(document.kept, self._window, options=options, form=form, own=document.path)
        dialog.finished.connect(self._on_exported)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot()
    def _on_exported(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, ExportDialog):
            self._export = dialog.form, dialog.options

    @Slot()
    def print(self) -> None:
        """Print and play."""
        document = self._window.document
        dialog = PrintDialog(document.kept, self._window, options=self._print, own=document.path)
        dialog.finished.connect(self._on_printed)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot()
    def _on_printed(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, PrintDialog):
            # What is printed follows from what the draft is; how it is printed is found again.
            self._print = dialog.options._replace(parts=())

    @Slot()
    def _on_start(self) -> None:
        self._window.host.show_start()
