"""The Map menu: the whole map at once, and the picture that it is traced from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from editor.edits import whole

if TYPE_CHECKING:
    from editor.window import EditorWindow


class MapMenu(QObject):
    """Size, mirroring and turning of the whole map, and the tracing image."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&Map")
        self.menu = menu
        add = window.commands.add
        menu.addAction(add("resize", "&Resize…", "Ctrl+R", self.resize, menu="Map"))
        menu.addSeparator()
        menu.addAction(add("map-mirror-x", "Mirror &left to right", "", self._mirror_x, menu="Map"))
        menu.addAction(add("map-mirror-y", "Mirror &top to bottom", "", self._mirror_y, menu="Map"))
        menu.addAction(add("map-turn", "T&urn clockwise", "", self._turn, menu="Map"))

    @Slot()
    def resize(self) -> None:
        """Ask for another size."""

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
