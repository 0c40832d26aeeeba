"""The palettes can be read by everybody, and the type scale grows with the player's wish."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app import theme

# How red-, green- and blue-blind eyes see, as matrices on linear light (Machado and others, 2009).
BLINDNESS = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


@pytest.fixture(autouse=True)
def _light_again(qapp: QApplication) -> Iterator[None]:
    yield
    theme.apply(qapp)


def linear(colour: QColor) -> tuple[float, float, float]:
    """Return a colour as linear light."""

    def one(share: float) -> float:
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    return one(colour.redF()), one(colour.greenF()), one(colour.blueF())


def luminance(light: tuple[float, float, float]) -> float:
    """Return how bright linear light is."""
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


Light = tuple[float, float, float]


def _seen(matrix: tuple[Light, Light, Light], light: Light) -> Light:
    red, green, blue = (sum(share * part for share, part in zip(row, light, strict=True)) for row in matrix)
    return red, green, blue


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of WCAG."""
    low, high = sorted((luminance(linear(one)), luminance(linear(other))))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", theme.MODES)
def test_text_is_readable_on_every_ground(mode: str) -> None:
    """Ink, soft text and warnings reach 4.5 to 1 on paper, panels and fields."""
    chosen = theme.palette_of(mode)
    for ground in (chosen.paper, chosen.panel, chosen.field):
        for text in (chosen.ink, chosen.soft, chosen.danger, chosen.ok, chosen.accent):
            assert contrast(text, ground) >= 4.5, (text.name(), ground.name())
    assert contrast(chosen.accent_text, chosen.accent) >= 4.5
    for side in ("terminator", "clonemaster"):
        assert contrast(chosen.side_art(side), chosen.side(side)) >= 4.5


@pytest.mark.parametrize("mode", theme.MODES)
def test_the_floor_carries_names_walls_and_lit_squares(mode: str) -> None:
    """Names reach 4.5, walls 7 and the accent 3 to 1 on every floor tint."""
    chosen = theme.palette_of(mode)
    for floor in chosen.rooms:
        assert contrast(chosen.room_name, floor) >= 4.5
        assert contrast(chosen.wall, floor) >= 7
        assert contrast(chosen.accent, floor) >= 3


@pytest.mark.parametrize("mode", theme.MODES)
def test_sides_differ_in_lightness_for_every_kind_of_colour_vision(mode: str) -> None:
    """The two spot colours stay 2.2 to 1 apart in lightness, also where hues fall together."""
    chosen = theme.palette_of(mode)
    sides = linear(chosen.terminator), linear(chosen.clonemaster)
    plain = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for matrix in (plain, *BLINDNESS.values()):
        low, high = sorted(luminance(_seen(matrix, light)) for light in sides)
        assert (high + 0.05) / (low + 0.05) >= 2.2


def test_the_type_scale_has_four_steps_and_grows(qapp: QApplication) -> None:
    """Every step is larger than the last, by number and by name alike, and text size scales all four."""
    plain = [theme.size(step) for step in range(4)]
    assert all(small < large for small, large in pairwise(plain))
    assert plain == [theme.size(name) for name in theme.STEPS]
    theme.apply(qapp, "light", 1.5)
    assert [theme.size(step) for step in range(4)] == [round(one * 1.5) for one in plain]
    assert theme.font("title", is_title=True).pixelSize() == theme.size(2)


def test_applying_reaches_every_widget(qapp: QApplication) -> None:
    """A widget gets the new palette and font without being told."""
    label = QLabel("text")
    theme.apply(qapp, "dark", 1.25)
    label.ensurePolished()
    assert label.palette().color(QPalette.ColorRole.WindowText) == theme.palette_of("dark").ink
    assert label.fontInfo().pixelSize() == theme.size("body")
    assert theme.colors().mode == "dark"


def test_a_widget_that_dresses_itself_keeps_what_it_put_on(qapp: QApplication) -> None:
    """A page that recolours its labels when the palette changes shows the new colours in the end."""

    class Page(QWidget):
        def __init__(self) -> None:
            super().__init__()
            self.label = QLabel("soft", self)
            self.dress()

        def dress(self) -> None:
            palette = self.label.palette()
            palette.setColor(QPalette.ColorRole.WindowText, theme.colors().soft)
            self.label.setPalette(palette)

        def changeEvent(self, event: QEvent) -> None:
            super().changeEvent(event)
            if event.type() == QEvent.Type.PaletteChange and hasattr(self, "label"):
                self.dress()

    theme.apply(qapp, "light")
    page = Page()
    page.show()
    for mode in ("dark", "light", "contrast", "dark"):
        theme.apply(qapp, mode)
        qapp.processEvents()
        assert page.label.palette().color(QPalette.ColorRole.WindowText) == theme.palette_of(mode).soft


def test_an_unknown_palette_changes_nothing(qapp: QApplication) -> None:
    """A mistyped mode in a settings file is refused before anything is touched."""
    theme.apply(qapp, "light")
    with pytest.raises(KeyError):
        theme.apply(qapp, "sepia")
    assert theme.colors().mode == "light"


def test_the_shipped_faces_are_registered(qapp: QApplication) -> None:
    """Text and titles use our own files, so that every machine shows the same."""
    theme.register_fonts()
    assert {theme.TEXT_FAMILY, theme.TITLE_FAMILY} <= set(QFontDatabase.families())
