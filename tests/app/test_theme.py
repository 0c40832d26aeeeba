"""The palettes can be read by everybody, and the type scale grows with the player's wish."""

from collections.abc import Iterator
from itertools import pairwise, product

import msgspec
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontDatabase, QImage, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.colour_vision import (
    EYES,
    Lab,
    ciede2000,
    colour_seen,
    contrast,
    difference,
    image_seen,
    lab,
    light_of,
)
from app.panels.dressed import Dressed
from app.panels.turn_track import TurnTrack
from tests.helpers.gui import hot_seat_match


@pytest.fixture(autouse=True)
def _light_again(qapp: QApplication) -> Iterator[None]:
    yield
    theme.apply(qapp)


DICHROMATS = ("protan", "deutan", "tritan")
# Pairs that are met side by side and mean different things, with the least CIEDE2000 for every dichromat.
TOLD_APART = {
    ("terminator", "clonemaster"): 25,
    ("terminator", "accent"): 10,
    ("clonemaster", "accent"): 10,
    ("terminator", "danger"): 10,
    # A target's mark is a form of its own, and the flash of a hit comes with a die.
    ("clonemaster", "danger"): 6,
    ("accent", "danger"): 10,
    ("danger", "ok"): 10,
    ("accent", "ok"): 10,
}
NOTICED = 2.3  # CIEDE2000


@pytest.mark.parametrize("mode", theme.MODES)
def test_text_is_readable_on_every_ground(mode: str) -> None:
    """Text of every tone reaches 4.5 to 1, in high contrast 7 to 1, on paper, panels and fields."""
    chosen = theme.palette_of(mode)
    least = 7 if mode == "contrast" else 4.5
    for ground in (chosen.paper, chosen.panel, chosen.field):
        for text in (chosen.ink, chosen.soft, chosen.danger, chosen.ok, chosen.accent):
            assert contrast(text, ground) >= least, (text.name(), ground.name())
    assert contrast(chosen.accent_text, chosen.accent) >= least
    for side in ("terminator", "clonemaster"):
        assert contrast(chosen.side_art(side), chosen.side(side)) >= least


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("mode", theme.MODES)
def test_text_stays_readable_to_every_kind_of_eyes(mode: str, eyes: str) -> None:
    """Whatever hues fall together, ink, soft text, counters' art and buttons keep 4.5 to 1."""
    chosen = theme.palette_of(mode)
    pairs = [(chosen.ink, chosen.panel), (chosen.soft, chosen.panel), (chosen.accent_text, chosen.accent)]
    pairs += [(chosen.side_art(side), chosen.side(side)) for side in ("terminator", "clonemaster")]
    pairs += [(chosen.room_name, room) for room in chosen.rooms]
    for text, ground in pairs:
        assert contrast(text, ground, eyes) >= 4.5, (text.name(), ground.name())


@pytest.mark.parametrize("mode", theme.MODES)
def test_the_floor_carries_names_walls_and_lit_squares(mode: str) -> None:
    """Names reach 4.5 (7 in high contrast), walls 7 and marks 3 (7) to 1 on every floor tint."""
    chosen = theme.palette_of(mode)
    is_high = mode == "contrast"
    for floor in chosen.rooms:
        assert contrast(chosen.room_name, floor) >= (7 if is_high else 4.5)
        assert contrast(chosen.wall, floor) >= 7
        for mark in (chosen.accent, chosen.danger):
            assert contrast(mark, floor) >= (7 if is_high else 3)


def test_high_contrast_has_no_pale_lines() -> None:
    """Borders, the board's hair lines and empty boxes reach 7 to 1 on black."""
    chosen = theme.palette_of("contrast")
    for ground in (chosen.paper, chosen.panel, chosen.field):
        assert contrast(chosen.faint, ground) >= 7


@pytest.mark.parametrize("mode", theme.MODES)
def test_an_empty_field_says_readably_what_belongs_in_it(qapp: QApplication, mode: str) -> None:
    """The hint in an empty input is as readable as soft text, not half of it shining through."""
    theme.apply(qapp, mode)
    field = QLineEdit()
    field.setPlaceholderText("Name")
    field.resize(200, 40)
    field.ensurePolished()
    assert field.palette().color(QPalette.ColorRole.PlaceholderText) == theme.palette_of(mode).soft


@pytest.mark.parametrize("mode", theme.MODES)
def test_phases_that_are_over_can_still_be_read(qapp: QApplication, mode: str) -> None:
    """The turn track writes past phases as readably as those to come; only their boxes are gone."""
    theme.apply(qapp, mode)
    match = hot_seat_match(turns=3)
    track = TurnTrack()
    track.resize(1100, track.sizeHint().height())
    view = msgspec.structs.replace(match.view("public"), phase="advance", turn=3)
    track.show_view(view)
    picture = track.grab().toImage()
    chosen = theme.palette_of(mode)
    pixels = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
    # Every turn and phase before the last is over, so nothing else is written in it.
    assert chosen.soft.rgb() in pixels


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("mode", theme.MODES)
def test_a_counter_stands_out_from_the_floor(mode: str, eyes: str) -> None:
    """Its rim reaches 3 to 1 on every floor tint to all eyes (7 to 1 in high contrast)."""
    chosen = theme.palette_of(mode)
    for floor in chosen.rooms:
        assert contrast(chosen.chip_edge, floor, eyes) >= (7 if mode == "contrast" else 3), floor.name()


@pytest.mark.parametrize("mode", theme.MODES)
def test_the_two_levels_floors_differ_to_all_eyes(mode: str) -> None:
    """Lower and upper rooms' tints can be told apart, if only just: a drop-off's line parts them too."""
    rooms = theme.palette_of(mode).rooms
    for lower, upper in product(rooms[::2], rooms[1::2]):
        for eyes in EYES:
            assert difference(lower, upper, eyes) >= NOTICED, (lower.name(), upper.name(), eyes)


@pytest.mark.parametrize("eyes", DICHROMATS)
@pytest.mark.parametrize("mode", theme.MODES)
def test_what_means_different_things_looks_different(mode: str, eyes: str) -> None:
    """Sides, accent, danger and success are told apart also where two of three hues fall together."""
    chosen = theme.palette_of(mode)
    close = {
        pair: round(found, 1)
        for pair, least in TOLD_APART.items()
        if (found := difference(getattr(chosen, pair[0]), getattr(chosen, pair[1]), eyes)) < least
    }
    assert close == {}


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("mode", theme.MODES)
def test_sides_differ_in_lightness_for_every_kind_of_colour_vision(mode: str, eyes: str) -> None:
    """The two spot colours stay 2.2 to 1 apart in lightness, also where there is no colour at all."""
    chosen = theme.palette_of(mode)
    assert contrast(chosen.terminator, chosen.clonemaster, eyes) >= 2.2
    assert difference(chosen.terminator, chosen.clonemaster, eyes) >= 25


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (50, 3.1736, 0.5854), 1.0000),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_colour_differences_are_those_of_the_published_data(one: Lab, other: Lab, expected: float) -> None:
    """CIEDE2000 gives the test data of Sharma, Wu and Dalal, both ways round."""
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(expected, abs=1e-4)


def test_lab_of_known_colours() -> None:
    """White is L 100 without hue, and sRGB red lies where the tables have it."""
    assert lab(light_of(QColor("white"))) == pytest.approx((100, 0, 0), abs=0.01)
    assert lab(light_of(QColor("red"))) == pytest.approx((53.24, 80.09, 67.20), abs=0.05)


@pytest.mark.parametrize("eyes", EYES)
def test_other_eyes_still_see_white_black_and_grey(eyes: str) -> None:
    """No kind of eyes changes a colour without hue, in a single colour and in a picture."""
    for name in ("white", "black", "#808080"):
        seen = colour_seen(eyes, QColor(name))
        wanted = QColor(name)
        assert abs(seen.red() - wanted.red()) <= 2
        assert abs(seen.blue() - wanted.blue()) <= 2


def test_red_and_green_fall_together_for_the_green_blind() -> None:
    """The simulation does what it is for: a red and a green that differ greatly look alike."""
    red, green = QColor("#a3182a"), QColor("#4d6b1f")
    assert difference(red, green) > 50
    assert difference(red, green, "deutan") < 3


@pytest.mark.parametrize("eyes", EYES)
def test_a_picture_is_seen_as_its_single_colours_are(eyes: str) -> None:
    """Each pixel of a picture comes out as `colour_seen` says, whatever the picture's width."""
    palette = theme.palette_of("light")
    colours = [palette.terminator, palette.clonemaster, palette.accent, palette.danger, palette.paper]
    image = QImage(len(colours), 2, QImage.Format.Format_RGB32)
    for x, colour in enumerate(colours):
        image.setPixelColor(x, 0, colour)
        image.setPixelColor(x, 1, colour)
    seen = image_seen(eyes, image)
    assert seen.size() == image.size()
    for x, colour in enumerate(colours):
        wanted, found = colour_seen(eyes, colour), seen.pixelColor(x, 1)
        for part in ("red", "green", "blue"):
            assert abs(getattr(wanted, part)() - getattr(found, part)()) <= 2


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


def test_a_widget_dresses_once_for_a_theme(qtbot: QtBot, qapp: QApplication) -> None:
    """Palette, font and sheet each tell every widget of the program; what that costs, it costs once."""
    theme.apply(qapp, "light")
    told: list[str] = []

    class Told(Dressed, QWidget):
        def __init__(self) -> None:
            super().__init__()
            self.dress()

        def _dress(self) -> None:
            told.append(theme.colors().mode)

    widget = Told()
    qtbot.addWidget(widget)
    widget.show()
    told.clear()
    theme.apply(qapp, "dark", 1.5)
    assert told == ["dark"]
    theme.apply(qapp, "light")
    assert told == ["dark", "light"]


def test_a_theme_sets_the_style_once(qapp: QApplication) -> None:
    """A style that is set anew polishes every widget once more, which takes longer than all the rest."""
    theme.apply(qapp, "light")
    style = qapp.style()
    theme.apply(qapp, "dark")
    assert qapp.style() is style
    theme.apply(qapp, "light")
    assert qapp.style() is style
