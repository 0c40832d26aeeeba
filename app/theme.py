"""How the program looks: three palettes, one type scale, one spacing grid, the shipped fonts.

Light is warm paper, dark a blueprint at night, contrast white on black. The two spot colours stand for
the sides and for nothing else, and differ in lightness as well as in hue: one carries pale art, the
other dark art. `accent` says "you may do this" and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from resources.path import resource

SPACE: Final = 8
"""The spacing grid, pixels."""
RADIUS: Final = 4
"""The one corner radius of controls, pixels."""
TEXT_FAMILY: Final = "DejaVu Sans"
TITLE_FAMILY: Final = "Jost"
MODES: Final = ("light", "dark", "contrast")
STEPS: Final = ("small", "body", "title", "display")
_SIZES: Final = (12, 14, 19, 30)


@dataclass(frozen=True, slots=True)
class Colors:
    """Every colour of one palette."""

    mode: str
    paper: QColor  # the table and the rock of the map
    panel: QColor  # panels and dialogs
    field: QColor  # inputs and lists
    ink: QColor  # text
    soft: QColor  # secondary text, still readable
    faint: QColor  # hair lines, borders, the squares' grid
    wall: QColor
    rooms: tuple[QColor, ...]  # floor tints: even ones for lower levels, odd ones for upper levels
    room_name: QColor
    terminator: QColor  # a counter's face
    terminator_art: QColor  # what is printed on it
    clonemaster: QColor
    clonemaster_art: QColor
    chip_edge: QColor  # the rim that parts a counter from the floor
    chip_shadow: QColor
    accent: QColor  # "you may do this"
    accent_text: QColor  # on a field of accent
    danger: QColor
    ok: QColor

    def side(self, side: str) -> QColor:
        """Return a side's spot colour."""
        return self.terminator if side == "terminator" else self.clonemaster

    def side_art(self, side: str) -> QColor:
        """Return the colour to write with on a side's spot colour."""
        return self.terminator_art if side == "terminator" else self.clonemaster_art


def _colors(mode: str, rooms: tuple[str, ...], **named: str) -> Colors:
    return Colors(
        mode=mode,
        rooms=tuple(QColor(room) for room in rooms),
        **{name: QColor(value) for name, value in named.items()},
    )


_PALETTES: Final = {
    "light": _colors(
        "light",
        paper="#efe5cf",
        panel="#f5eedd",
        field="#fcf8ee",
        ink="#221e18",
        soft="#635849",
        faint="#c9bb9e",
        wall="#221e18",
        rooms=("#f1e4c6", "#fbf6e9", "#ece3d0", "#f8f4e6", "#eee2c0", "#f8f3e4", "#efe6d6", "#fdf8ef"),
        room_name="#6b5f4d",
        terminator="#1d4680",
        terminator_art="#fbf6e9",
        clonemaster="#f0993f",
        clonemaster_art="#221406",
        chip_edge="#221e18",
        chip_shadow="#50302010",
        accent="#006e51",
        accent_text="#ffffff",
        danger="#8a0f2e",
        ok="#526f10",
    ),
    "dark": _colors(
        "dark",
        paper="#0d1b2e",
        panel="#122339",
        field="#0a1626",
        ink="#e6eef7",
        soft="#a9bbd0",
        faint="#2c4666",
        wall="#dbe8f5",
        rooms=("#132842", "#1d3a5e", "#11253f", "#1c3859", "#142b47", "#1f3f66", "#132846", "#1c3a5e"),
        room_name="#9db4cf",
        terminator="#2d63ad",
        terminator_art="#ffffff",
        clonemaster="#f3a552",
        clonemaster_art="#241405",
        chip_edge="#b9cfe6",
        chip_shadow="#80000000",
        accent="#4fe0ae",
        accent_text="#062219",
        danger="#ff8a85",
        ok="#c9f48e",
    ),
    "contrast": _colors(
        "contrast",
        paper="#000000",
        panel="#000000",
        field="#000000",
        ink="#ffffff",
        soft="#ffffff",
        faint="#9a9a9a",
        wall="#ffffff",
        rooms=("#000000", "#141414", "#000000", "#141414", "#000000", "#141414", "#000000", "#141414"),
        room_name="#ffffff",
        terminator="#0b4fc4",
        terminator_art="#ffffff",
        clonemaster="#ffb347",
        clonemaster_art="#000000",
        chip_edge="#ffffff",
        chip_shadow="#00000000",
        accent="#3dffb0",
        accent_text="#000000",
        danger="#ff8686",
        ok="#f4ff7a",
    ),
}


class _Now:
    """The palette and the text scale in force; one per process, as there is one QApplication."""

    colors: Colors = _PALETTES["light"]
    scale: float = 1.0
    has_fonts: bool = False
    has_style: bool = False
    is_changing: bool = False


def register_fonts() -> None:
    """Make the shipped fonts known to Qt; needs a QGuiApplication, and does nothing the second time."""
    if _Now.has_fonts:
        return
    for file in sorted(resource("fonts").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".ttf"):
            QFontDatabase.addApplicationFontFromData(file.read_bytes())
    _Now.has_fonts = True


def colors() -> Colors:
    """Return the palette in force."""
    return _Now.colors


def is_changing() -> bool:
    """Return whether a theme is being put in force, and every widget will be told at the end of it."""
    return _Now.is_changing


def palette_of(mode: str) -> Colors:
    """Return a palette by its mode; raises KeyError."""
    return _PALETTES[mode]


def size(step: int | str) -> int:
    """Return a step of the type scale in pixels: 0 to 3, or "small", "body", "title", "display"."""
    index = STEPS.index(step) if isinstance(step, str) else step
    return round(_SIZES[index] * _Now.scale)


def font(step: int | str = "body", *, is_title: bool = False, is_bold: bool = False) -> QFont:
    """Return a font of the type scale, in the text face or, for titles, in the display face."""
    register_fonts()
    made = QFont(TITLE_FAMILY if is_title else TEXT_FAMILY)
    made.setPixelSize(size(step))
    if is_title:
        made.setWeight(QFont.Weight.DemiBold)
    elif is_bold:
        made.setWeight(QFont.Weight.Bold)
    return made


def small_capitals(pixels: float) -> QFont:
    """Return the face of room names, to be used with `text.upper()`."""
    register_fonts()
    made = QFont(TITLE_FAMILY)
    made.setPixelSize(max(1, round(pixels)))
    made.setWeight(QFont.Weight.Medium)
    made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 108)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


def apply(app: QApplication, mode: str = "light", text_scale: float = 1.0) -> None:
    """Put a palette and a text scale in force; every widget gets its change events.

    Raises KeyError for an unknown mode.
    """
    chosen = _PALETTES[mode]
    register_fonts()
    _Now.colors = chosen
    _Now.scale = text_scale
    _Now.is_changing = True
    try:
        # Asked for its name, a style under a sheet has none; to set it again costs as much as all the rest.
        if not _Now.has_style:
            app.setStyle("Fusion")
            _Now.has_style = True
        app.setPalette(_palette(chosen))
        app.setFont(font("body"))
        app.setStyleSheet(_style_sheet(chosen))
    finally:
        _Now.is_changing = False
    # Polishing for the new sheet gives widgets back the palettes they had before, so what a widget does on
    # its PaletteChange must come after it.
    for widget in app.allWidgets():
        if isValid(widget):
            QApplication.sendEvent(widget, QEvent(QEvent.Type.PaletteChange))


def _palette(chosen: Colors) -> QPalette:
    role = QPalette.ColorRole
    made = QPalette()
    for which, colour in (
        (role.Window, chosen.panel),
        (role.WindowText, chosen.ink),
        (role.Base, chosen.field),
        (role.AlternateBase, chosen.panel),
        (role.Text, chosen.ink),
        (role.Button, chosen.panel),
        (role.ButtonText, chosen.ink),
        (role.BrightText, chosen.danger),
        (role.ToolTipBase, chosen.field),
        (role.ToolTipText, chosen.ink),
        (role.PlaceholderText, chosen.soft),
        (role.Highlight, chosen.ink),
        (role.HighlightedText, chosen.field),
        (role.Link, chosen.ink),
        (role.LinkVisited, chosen.soft),
        (role.Light, chosen.field),
        (role.Midlight, chosen.panel),
        (role.Mid, chosen.faint),
        (role.Dark, chosen.soft),
        (role.Shadow, chosen.ink),
        (role.Accent, chosen.accent),
    ):
        made.setColor(which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, chosen.soft)
    return made


def _style_sheet(chosen: Colors) -> str:
    def css(colour: QColor) -> str:
        return colour.name()

    ink, faint, soft, field, panel = (
        css(one) for one in (chosen.ink, chosen.faint, chosen.soft, chosen.field, chosen.panel)
    )
    accent, accent_text = css(chosen.accent), css(chosen.accent_text)
    line = ink if chosen.mode == "contrast" else faint
    # The cross on a dock's close button is a dark picture of the style's own: it needs a light ground.
    close = field if chosen.mode == "light" else ink
    half = SPACE // 2
    return f"""
QToolTip {{ background: {field}; color: {ink}; border: 1px solid {soft}; padding: {half}px; }}
QPushButton {{ background: {field}; color: {ink}; border: 1px solid {soft}; border-radius: {RADIUS}px;
    padding: {half}px {SPACE * 2}px; min-height: {SPACE * 3}px; }}
QPushButton:hover {{ border-color: {ink}; }}
QPushButton:pressed, QPushButton:checked {{ background: {ink}; color: {field}; }}
QPushButton:focus {{ border: 2px solid {ink}; padding: {half - 1}px {SPACE * 2 - 1}px; }}
QPushButton:default {{ background: {accent}; color: {accent_text}; border-color: {accent}; }}
QPushButton:default:focus {{ border: 2px solid {ink}; }}
QPushButton:disabled {{ background: {panel}; color: {soft}; border: 1px dashed {line}; }}
QGroupBox {{ border: 1px solid {line}; border-radius: {RADIUS}px;
    margin-top: {SPACE * 2}px; padding: {SPACE}px; }}
QGroupBox::title {{ subcontrol-origin: margin; left: {SPACE}px; padding: 0 {half}px; color: {soft}; }}
QListView, QTreeView, QTableView, QTextBrowser, QPlainTextEdit {{ background: {field}; color: {ink};
    border: 1px solid {line}; border-radius: {RADIUS}px; }}
QListView:focus, QTreeView:focus, QTableView:focus, QTextBrowser:focus,
QPlainTextEdit:focus {{ border-color: {ink}; }}
QListView::item {{ padding: 2px {half}px; }}
QLineEdit {{ placeholder-text-color: {soft}; }}
QLineEdit, QComboBox, QAbstractSpinBox {{ background: {field}; color: {ink}; border: 1px solid {soft};
    border-radius: {RADIUS}px; padding: {half - 1}px {SPACE}px; min-height: {SPACE * 2 + half}px;
    selection-background-color: {ink}; selection-color: {field}; }}
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {{ border: 2px solid {ink};
    padding: {half - 2}px {SPACE - 1}px; }}
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled {{ background: {panel}; color: {soft};
    border: 1px dashed {line}; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox::drop-down {{ border: 0; width: {SPACE * 3}px; }}
QComboBox::down-arrow, QAbstractSpinBox::down-arrow {{ image: none; width: 0; height: 0;
    border-left: 4px solid {field}; border-right: 4px solid {field}; border-top: 5px solid {ink}; }}
QAbstractSpinBox::up-arrow {{ image: none; width: 0; height: 0;
    border-left: 4px solid {field}; border-right: 4px solid {field}; border-bottom: 5px solid {ink}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ background: {field}; border: 0;
    width: {SPACE * 2}px; margin-right: 3px; }}
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off {{ border-bottom-color: {faint}; }}
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off {{ border-top-color: {faint}; }}
QComboBox QAbstractItemView {{ background: {field}; color: {ink}; border: 1px solid {soft};
    selection-background-color: {ink}; selection-color: {field}; }}
QCheckBox, QRadioButton {{ spacing: {SPACE}px; }}
QCheckBox::indicator, QRadioButton::indicator {{ width: 10px; height: 10px; padding: 2px;
    border: 1px solid {ink}; background: {field}; }}
QCheckBox::indicator {{ border-radius: 3px; }}
QRadioButton::indicator {{ border-radius: 7px; }}
QCheckBox::indicator:checked {{ background-color: {ink}; background-clip: content; border-width: 1px; }}
QRadioButton::indicator:checked {{ background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5,
    fx: 0.5, fy: 0.5, stop: 0 {ink}, stop: 0.56 {ink}, stop: 0.64 {field}, stop: 1 {field}); }}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ border-color: {line}; }}
QTableView::indicator, QTreeView::indicator, QListView::indicator {{ width: 10px; height: 10px; padding: 2px;
    border: 1px solid {ink}; border-radius: 3px; background: {field}; }}
QTableView::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {{
    background-color: {ink}; background-clip: content; }}
QCheckBox:focus, QRadioButton:focus {{ text-decoration: underline; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {soft}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {ink}; }}
QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: {field}; border: 2px solid {ink}; }}
QSlider::handle:horizontal:focus {{ background: {ink}; }}
QProgressBar {{ background: {field}; color: {ink}; border: 1px solid {soft}; border-radius: {RADIUS}px;
    text-align: center; }}
QProgressBar::chunk {{ background: {soft}; border-radius: {RADIUS - 1}px; }}
QToolButton {{ background: transparent; color: {ink}; border: 1px solid transparent;
    border-radius: {RADIUS}px; padding: {half}px {SPACE}px; }}
QToolButton:hover {{ border-color: {soft}; background: {field}; }}
QToolButton:checked, QToolButton:pressed {{ background: {ink}; color: {field}; }}
QToolButton:focus {{ border: 1px solid {ink}; }}
QTabWidget::pane {{ border: 1px solid {line}; border-radius: {RADIUS}px; top: -1px; }}
QTabBar::tab {{ background: transparent; color: {soft}; padding: {half}px {SPACE * 2}px;
    border: 0; border-bottom: 3px solid transparent; }}
QTabBar::tab:selected {{ color: {ink}; border-bottom-color: {ink}; }}
QTabBar::tab:hover {{ color: {ink}; }}
QTabBar::tab:focus {{ background: {field}; }}
QHeaderView::section {{ background: {panel}; color: {soft}; border: 0; border-bottom: 1px solid {line};
    padding: {half}px {SPACE}px; }}
QTableCornerButton::section {{ background: {panel}; border: 0; border-bottom: 1px solid {line}; }}
QMenuBar {{ background: {panel}; color: {ink}; border-bottom: 1px solid {line}; }}
QMenuBar::item {{ padding: {half}px {SPACE}px; background: transparent; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {ink}; color: {field}; }}
QMenu {{ background: {field}; color: {ink}; border: 1px solid {soft}; padding: {half}px 0; }}
QMenu::item {{ padding: {half}px {SPACE * 3}px; }}
QMenu::item:disabled {{ color: {soft}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: {half}px {SPACE}px; }}
QScrollBar {{ background: {panel}; border: 0; width: {SPACE + 4}px; height: {SPACE + 4}px; margin: 0; }}
QScrollBar::handle {{ background: {soft}; border-radius: 4px; margin: 2px; min-height: {SPACE * 3}px;
    min-width: {SPACE * 3}px; }}
QScrollBar::handle:hover {{ background: {ink}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QDockWidget {{ font-family: "{TITLE_FAMILY}"; font-weight: 600; }}
QDockWidget::title {{ background: {panel}; padding: {half}px {SPACE}px; border-bottom: 1px solid {line}; }}
QDockWidget::close-button, QDockWidget::float-button {{
    background: {close}; border: 1px solid {soft}; border-radius: {RADIUS}px; }}
QDockWidget::close-button:hover, QDockWidget::float-button:hover {{ border-color: {ink}; }}
QMainWindow::separator {{ background: {panel}; width: {half}px; height: {half}px; }}
QMainWindow::separator:hover {{ background: {faint}; }}
QStatusBar {{ border-top: 1px solid {line}; }}
"""
