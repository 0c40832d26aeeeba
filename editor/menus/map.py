"""The Map menu: the whole map at once, and the picture that it is traced from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from app.dialogs.ask import new_number
from editor.canvas.tracing import Tracing
from editor.dialogs.notice import tell
from editor.dialogs.resize import ResizeDialog
from editor.edits import whole
from editor.panels import tracing as tracings
from editor.panels.tracing import TracingPanel
from editor.tools.two_points import TwoPoints
from editor.words import sentence

if TYPE_CHECKING:
    from editor.window import EditorWindow

FAR: Final = 256.0  # squares


class MapMenu(QObject):
    """Size, mirroring and turning of the whole map, and the tracing image."""

    def __init__(self, window: EditorWindow, panel: TracingPanel) -> None:
        super().__init__(window)
        self._window = window
        self._panel = panel
        self._two_points = TwoPoints(window.bench)
        self._is_lost = False  # an image was kept with the file, and cannot be shown
        self._two_points.measured.connect(self._on_measured)
        menu = window.menuBar().addMenu("&Map")
        self.menu = menu
        add = window.named_actions.add
        menu.addAction(add("resize", "&Resize…", "Ctrl+R", self.resize, menu="Map"))
        menu.addSeparator()
        menu.addAction(add("map-mirror-x", "Mirror all &left to right", "", self._mirror_x, menu="Map"))
        menu.addAction(add("map-mirror-y", "Mirror all &top to bottom", "", self._mirror_y, menu="Map"))
        menu.addAction(add("map-turn", "T&urn all clockwise", "", self._turn, menu="Map"))
        menu.addSeparator()
        image = menu.addMenu("Tracing &image")
        where = "Map > Tracing image"
        image.addAction(add("tracing-load", "&Load…", "", self._load, menu=where))
        image.addAction(add("tracing-scale", "Scale by two &points…", "", self._scale, menu=where))
        self._lock = add("tracing-lock", "Loc&ked", "", self._on_lock, menu=where, is_checkable=True)
        image.addAction(self._lock)
        image.addAction(add("tracing-panel", "&Opacity and place…", "", self._show_panel, menu=where))
        image.addAction(add("tracing-remove", "&Remove", "", panel.remove, menu=where))
        panel.changed.connect(self._on_tracing)
        panel.scaleWanted.connect(self._scale)
        self._follow()

    # The whole map.

    @Slot()
    def resize(self) -> None:
        """Ask for another size."""
        dialog = ResizeDialog(self._window.document.draft, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(self._on_resize)
        dialog.open()

    @Slot()
    def _on_resize(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, ResizeDialog):
            # The draft may have changed meanwhile: a map beside it was taken in, say.
            document = self._window.document
            try:
                made = whole.resized(document.draft, *dialog.sides)
            except ValueError as error:
                tell("The map keeps its size", sentence(error), (), self._window)
                return
            document.apply(f"Resize to {made.plan.width} × {made.plan.height}", made)

    @Slot()
    def _mirror_x(self) -> None:
        document = self._window.document
        document.apply("Mirror the map left to right", whole.mirrored(document.draft, "x"))

    @Slot()
    def _mirror_y(self) -> None:
        document = self._window.document
        document.apply("Mirror the map top to bottom", whole.mirrored(document.draft, "y"))

    @Slot()
    def _turn(self) -> None:
        document = self._window.document
        document.apply("Turn the map", whole.turned(document.draft))

    # The tracing image.

    def find_tracing(self) -> None:
        """Show the image that was under this file's grid the last time, or none."""
        kept = self._window.settings.tracing(self._window.document.path)
        found = tracings.read(kept)
        self._show(None)
        self._show(found)
        self._is_lost = kept is not None and self._panel.tracing is None

    @Slot()
    def _on_tracing(self) -> None:
        self._is_lost = False
        self._show(self._panel.tracing)
        self.keep_tracing()

    def _show(self, tracing: Tracing | None) -> None:
        """Show an image, or none; one that cannot be read leaves the one that was there."""
        canvas = self._window.canvas
        try:
            canvas.set_tracing(tracing)
        except ValueError as error:
            tell("No tracing image", f"{error}", (), self._window)
        self._panel.show_tracing(canvas.tracing)
        self._follow()

    def keep_tracing(self) -> None:
        """Keep the image for the next time, where the draft has a file.

        What is kept of an image that cannot be read now, on a disk that is away, stays as it is.
        """
        path = self._window.document.path
        if path is not None and not self._is_lost:
            self._window.settings.note_tracing(path, tracings.kept(self._panel.tracing))

    def _follow(self) -> None:
        tracing = self._panel.tracing
        for name in ("tracing-scale", "tracing-lock", "tracing-panel", "tracing-remove"):
            self._window.named_actions.bar(name, "" if tracing is not None else "there is no tracing image")
        self._lock.setChecked(tracing is not None and tracing.is_locked)
        if tracing is not None and tracing.is_locked:
            self._window.named_actions.bar("tracing-scale", "the tracing image is locked")

    @Slot()
    def _load(self) -> None:
        self._panel.load()
        if self._panel.tracing is not None:
            self._show_panel()

    @Slot()
    def _show_panel(self) -> None:
        self._window.show_panel("tracing")

    @Slot(bool)
    def _on_lock(self, is_on: bool) -> None:
        self._panel.set_locked(is_on)

    @Slot()
    def _scale(self) -> None:
        self._window.bench.take(self._two_points)
        self._window.canvas.setFocus()

    @Slot(object, object)
    def _on_measured(self, first: tuple[float, float], second: tuple[float, float]) -> None:
        self._window.set_mode(self._window.mode)
        squares = new_number(
            self._window, "Scale by two points", "These points are so many squares apart:", 10.0, 0.1, FAR
        )
        if squares is None:
            return
        try:
            self._panel.calibrate(first, second, squares)
        except ValueError as error:
            self._window.bench.say(sentence(error))
