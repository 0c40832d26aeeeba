"""The View menu: modes, zoom, panels, the size of the text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from editor.bench import Overlay
from editor.words import at_square

if TYPE_CHECKING:
    from editor.window import EditorWindow, Mode

TEXT_STEP: Final = 1.1
OVERLAYS: Final[tuple[tuple[Overlay, str, str], ...]] = (
    ("sight", "Keep s&ight on", "Shift+S"),
    ("reach", "Keep r&each on", "Shift+M"),
)
"""What can be kept on while any tool draws, with words and key."""
MODES: Final[tuple[tuple[Mode, str], ...]] = (("map", "&Map"), ("scenario", "&Scenario"))
PANEL_KEYS: Final = 10
"""Panels that have a digit as their key."""


class ViewMenu(QObject):
    """What is on the screen, and how large."""

    def __init__(self, window: EditorWindow) -> None:
        super().__init__(window)
        self._window = window
        menu = window.menuBar().addMenu("&View")
        self.menu = menu
        add = window.named_actions.add
        for number, (mode, text) in enumerate(MODES, 1):
            go = partial(window.go_to_mode, mode)
            menu.addAction(add(f"mode-{mode}", text, f"Ctrl+{number}", go, menu="View", is_checkable=True))
        menu.addSeparator()
        menu.addAction(add("zoom-in", "Zoom &in", "Ctrl++", self._on_zoom_in, menu="View", also=("Ctrl+=",)))
        menu.addAction(add("zoom-out", "Zoom &out", "Ctrl+-", self._on_zoom_out, menu="View"))
        menu.addAction(add("zoom-size", "&Normal size", "Ctrl+0", self._on_zoom_size, menu="View"))
        menu.addAction(add("zoom-fit", "&Whole map", "Ctrl+/", self._on_fit, menu="View"))
        self.grid = add("grid", "&Grid on rock", "Ctrl+G", self._on_grid, menu="View", is_checkable=True)
        self.grid.setChecked(window.settings.now.has_grid)
        self._on_grid(self.grid.isChecked())
        menu.addAction(self.grid)
        menu.addSeparator()
        self._keepers = {}
        for overlay, text, key in OVERLAYS:
            keeper = add(
                f"keep-{overlay}",
                text,
                key,
                partial(self._keep, overlay),
                menu="View",
                on_canvas=True,
                is_checkable=True,
            )
            self._keepers[overlay] = keeper
            menu.addAction(keeper)
        self._holder = add(
            "hold-square",
            "Hol&d the square looked from",
            "Shift+H",
            self._on_hold,
            menu="View",
            on_canvas=True,
            is_checkable=True,
        )
        menu.addAction(self._holder)
        window.bench.overlayChanged.connect(self._follow_overlay)
        menu.addSeparator()
        self.panels_menu = menu.addMenu("&Panels")
        self.go_menu = menu.addMenu("G&o to panel")
        self.zen = add("hide-panels", "&Hide all panels", "F11", self._on_zen, menu="View", is_checkable=True)
        menu.addAction(self.zen)
        menu.addAction(add("to-canvas", "To the &map", "F6", self._on_canvas, menu="View"))
        sizes = menu.addMenu("Te&xt size")
        sizes.addAction(add("text-larger", "&Larger", "Ctrl+Alt++", self._on_larger, menu="View > Text size"))
        sizes.addAction(
            add("text-smaller", "&Smaller", "Ctrl+Alt+-", self._on_smaller, menu="View > Text size")
        )
        sizes.addAction(add("text-normal", "&Normal", "Ctrl+Alt+0", self._on_normal, menu="View > Text size"))
        menu.addAction(add("settings", "Se&ttings…", "Ctrl+,", self._on_settings, menu="View"))

    def _keep(self, overlay: Overlay) -> None:
        """Keep an overlay on while any tool draws, or no longer, and say what it follows."""
        bench = self._window.bench
        is_on = bench.overlay_kept != overlay
        bench.keep_overlay(overlay if is_on else "off")
        if not is_on:
            bench.say(f"{overlay.capitalize()} is on no longer.")
            return
        square = bench.overlay_from
        hold, key = bench.native_key("hold-square"), bench.native_key(f"keep-{overlay}")
        if square is None:
            held = f"under the pointer; {hold} holds it there"
        else:
            held = f"{at_square(square)}; {hold} lets go of it"
        bench.say(f"{overlay.capitalize()} stays on while you draw, from the square {held}. {key}: off")

    @Slot()
    def _on_hold(self) -> None:
        bench, spot = self._window.bench, self._window.canvas.spot
        square = spot.square if spot is not None else None
        if bench.overlay == "off":
            keys = [bench.native_key(f"keep-{overlay}") for overlay, _, _ in OVERLAYS]
            bench.say(f"There is nothing to hold: sight ({keys[0]}) and reach ({keys[1]}) are off.")
        elif bench.overlay_from is not None:
            bench.hold(None)
            bench.say(f"{bench.overlay.capitalize()} is that of the square under the pointer.")
        elif square is None:
            bench.say("Point at the square to hold.")
        else:
            bench.hold(square)
            bench.say(
                f"{bench.overlay.capitalize()} is that of {at_square(square)}, wherever the pointer is."
            )
        self._follow_overlay()

    @Slot()
    def _follow_overlay(self) -> None:
        bench = self._window.bench
        for overlay, keeper in self._keepers.items():
            keeper.setChecked(overlay == bench.overlay_kept)
        self._holder.setChecked(bench.overlay != "off" and bench.overlay_from is not None)

    def list_panels(self) -> None:
        """List the panels, to be shown and hidden, and to be gone to by a key."""
        for number, (name, dock) in enumerate(self._window.docks.items(), 1):
            self.panels_menu.addAction(dock.toggleViewAction())
            key = f"Alt+{number % 10}" if number <= PANEL_KEYS else ""
            go = partial(self._window.go_to_panel, name)
            self.go_menu.addAction(
                self._window.named_actions.add(
                    f"panel-{name}", dock.windowTitle(), key, go, menu="View > Go to panel"
                )
            )

    @Slot()
    def _on_zoom_in(self) -> None:
        self._window.canvas.zoom_by(1.25)

    @Slot()
    def _on_zoom_out(self) -> None:
        self._window.canvas.zoom_by(0.8)

    @Slot()
    def _on_zoom_size(self) -> None:
        self._window.canvas.zoom_to_size()

    @Slot()
    def _on_fit(self) -> None:
        self._window.canvas.fit()

    @Slot(bool)
    def _on_grid(self, is_on: bool) -> None:
        self._window.canvas.set_grid(is_on)
        self._window.settings.keep(has_grid=is_on)

    @Slot(bool)
    def _on_zen(self, is_on: bool) -> None:
        self._window.hide_panels(is_on)

    @Slot()
    def _on_canvas(self) -> None:
        self._window.canvas.setFocus()

    @Slot()
    def _on_larger(self) -> None:
        self._scale(TEXT_STEP)

    @Slot()
    def _on_smaller(self) -> None:
        self._scale(1 / TEXT_STEP)

    def _scale(self, factor: float) -> None:
        store = self._window.host.store
        store.set(text_scale=round(store.now.text_scale * factor, 2))

    @Slot()
    def _on_settings(self) -> None:
        self._window.host.show_settings(self._window)

    @Slot()
    def _on_normal(self) -> None:
        self._window.host.store.set(text_scale=1.0)
