"""Counters as vector art: faces, backs and the symbols of abilities (2.5).

A face is drawn on a grid of 100 by 100. Below SMALL pixels it keeps only what must be read there:
silhouettes of Jellies give way to larger numbers and symbols.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap, QPixmapCache, QTransform

from app import theme
from app.board.art import drawing
from engine.raid.figures import ABILITIES, CLONEMASTER, JELLIES
from engine.raid.view import FigureView

Face: TypeAlias = FigureView | str
"""A figure, or "back" for one face down."""

SMALL: Final = 46
"""Device pixels below which a face is simplified."""
RADIUS: Final = 9.0
RIM: Final = 3.2
STROKE: Final = 2.6
STANCES: Final = ("rising-dream", "shadow-lotus", "golden-song", "leaping-dragon", "arnie-goldman")
WEAPONS: Final = {
    "kon-go": "kon-go",
    "nunchaku": "nunchaku",
    "bo stave": "bo-stave",
    "throwing spikes": "throwing-spikes",
}


@lru_cache(maxsize=512)
def _letters(text: str, weight: int = 600) -> tuple[QPainterPath, QRectF]:
    font = QFont(theme.TITLE_FAMILY)
    theme.register_fonts()
    font.setPixelSize(100)
    font.setWeight(QFont.Weight(weight))
    path = QPainterPath()
    path.addText(0, 0, font, text)
    path.setFillRule(Qt.FillRule.WindingFill)
    return path, path.boundingRect()


def write(
    painter: QPainter, text: str, middle: QPointF, high: float, ink: QColor, widest: float = 999
) -> float:
    """Write capitals or digits `high` units high about a point, at most `widest`; return their width."""
    path, box = _letters(text)
    scale = high / _letters("H")[1].height()
    scale = min(scale, widest / box.width())
    place = QTransform(
        scale, 0, 0, scale, middle.x() - box.center().x() * scale, middle.y() - box.center().y() * scale
    )
    painter.fillPath(place.map(path), ink)
    return box.width() * scale


def initials(name: str) -> str:
    """Return the initials that stand on a Terminator's counter (2.551)."""
    return "".join(word[0] for word in name.split()).upper()


def symbols_of(figure: FigureView) -> tuple[tuple[str, bool], ...]:
    """Return the ability symbols printed on a Jelly's counter, each with whether its level is still held.

    A level lost is told apart only where the viewer may know which it was (R24).
    """
    printed = dict(figure.original or {})
    if not printed and figure.kind == "jelly":
        number = figure.name.removeprefix("J-")
        if number.isdigit() and int(number) in JELLIES:
            printed = dict(zip(ABILITIES, JELLIES[int(number)].levels, strict=True))
    left = figure.levels
    found = []
    for ability in ABILITIES:
        count = printed.get(ability, 0)
        held = count if left is None else left.get(ability, 0)
        found += [(ability, at < held) for at in range(count)]
    return tuple(found)


def _weapon(figure: FigureView) -> str:
    return WEAPONS.get(figure.weapon or "", "weapon")


def draw_counter(painter: QPainter, rect: QRectF, face: Face, colors: theme.Colors | None = None) -> None:
    """Draw a counter into a square rectangle, or its back.

    A figure not yet face up is drawn in the colours turned round: only its own side ever sees it so.
    """
    chosen = colors or theme.colors()
    figure = None if isinstance(face, str) else face
    side = CLONEMASTER if figure is None else figure.side
    ground, ink = chosen.side(side), chosen.side_art(side)
    is_hidden = figure is not None and not figure.is_face_up
    is_lying = figure is not None and not figure.is_conscious
    if is_hidden:
        ground, ink = _mixed(ground, chosen.field, 0.86), _mixed(ground, chosen.ink, 0.35)
    elif is_lying:
        ground = _mixed(ground, chosen.paper, 0.45)
        ink = chosen.ink
    pixels = rect.width() * painter.worldTransform().m11() * painter.device().devicePixelRatio()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / 100, rect.height() / 100)
    _draw_chip(painter, ground, chosen, chosen.side(side) if is_hidden else ink, pixels, is_hidden)
    if is_lying:
        painter.translate(50, 50)
        painter.rotate(90)
        painter.translate(-50, -50)
    if is_hidden and pixels < SMALL:
        # Leave room for the border that says "not yet face up".
        painter.translate(6, 6)
        painter.scale(0.88, 0.88)
    if figure is None:
        inset = 15 if pixels >= SMALL else 9
        drawing("house-mark").draw(
            painter, QRectF(inset, inset, 100 - 2 * inset, 100 - 2 * inset), ink, ground
        )
    else:
        _draw_face(painter, figure, ink, ground, is_small=pixels < SMALL)
    painter.restore()
    if is_lying:
        _draw_swoon(painter, rect, chosen, is_small=pixels < SMALL)


def _draw_chip(
    painter: QPainter, ground: QColor, colors: theme.Colors, line: QColor, pixels: float, is_hidden: bool
) -> None:
    """Draw the bare cardboard: shadow, rim, face, and from SMALL on the inner border."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.chip_shadow)
    painter.drawRoundedRect(QRectF(2, 3, 98, 98), RADIUS, RADIUS)
    painter.setBrush(colors.chip_edge)
    painter.drawRoundedRect(QRectF(0, 0, 98.5, 98.5), RADIUS, RADIUS)
    rim = max(RIM, 100 / pixels) if pixels > 0 else RIM
    painter.setBrush(ground)
    painter.drawRoundedRect(
        QRectF(rim, rim, 98.5 - 2 * rim, 98.5 - 2 * rim), RADIUS - rim / 2, RADIUS - rim / 2
    )
    if pixels >= SMALL or is_hidden:
        border = QColor(line)
        border.setAlphaF(1.0 if is_hidden else 0.6)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(border, STROKE if pixels >= SMALL else 4))
        inset = 7.5 if pixels >= SMALL else rim + 2
        painter.drawRoundedRect(QRectF(inset, inset, 98.5 - 2 * inset, 98.5 - 2 * inset), 5, 5)


def _draw_face(painter: QPainter, figure: FigureView, ink: QColor, ground: QColor, *, is_small: bool) -> None:
    write(painter, str(figure.allowance), QPointF(49.5, 82), 21 if is_small else 14, ink)
    if figure.kind == "terminator":
        _draw_terminator(painter, figure, ink, ground, is_small=is_small)
    elif figure.kind == "jelly":
        _draw_jelly(painter, figure, ink, ground, is_small=is_small)
    else:
        _draw_other(painter, figure, ink, ground, is_small=is_small)
    _draw_losses(painter, figure, ink, is_small=is_small)


def _draw_terminator(
    painter: QPainter, figure: FigureView, ink: QColor, ground: QColor, *, is_small: bool
) -> None:
    # The initials stand one under the other, as in a seal.
    letters = initials(figure.name)[:3]
    high = 21.0 if is_small else 15.0
    step = high * (1.28 if len(letters) < 3 else 1.12)
    left = 17.5 if is_small else 20.5
    top = (17.5 if is_small else 22) + (0 if is_small else 1)
    for at, letter in enumerate(letters):
        write(painter, letter, QPointF(left, top + at * step), high, ink, 24)
    stance = figure.name.lower().replace(" ", "-")
    if stance not in STANCES:
        stance = STANCES[sum(map(ord, figure.name)) % len(STANCES)]
    box = QRectF(29, 5, 65, 65) if is_small else QRectF(28, 11, 61, 61)
    drawing(f"figure-{stance}").draw(painter, box, ink, ground)


def _draw_jelly(
    painter: QPainter, figure: FigureView, ink: QColor, ground: QColor, *, is_small: bool
) -> None:
    symbols = symbols_of(figure)
    number = figure.name.upper()
    pale = _mixed(ink, ground, 0.72)
    if is_small:
        write(painter, number.replace("-", ""), QPointF(49.5, 21.5), 21, ink, 66)
        side, gap, middle = min(28.0, 86 / max(1, len(symbols))), 1.0, 51.0
    else:
        write(painter, number, QPointF(29, 26), 18, ink, 34)
        drawing("figure-jelly").draw(painter, QRectF(48, 10, 40, 40), ink, ground)
        side, gap, middle = min(21.0, 78 / max(1, len(symbols)) - 2), 2.0, 62.0
    left = 49.5 - (side * len(symbols) + gap * (len(symbols) - 1)) / 2
    for ability, is_held in symbols:
        name = _weapon(figure) if ability == "weapon" else ability
        box = QRectF(left, middle - side / 2, side, side)
        drawing(name).draw(painter, box, ink if is_held else pale, ground)
        if not is_held:
            painter.setPen(QPen(ink, STROKE))
            painter.drawLine(box.bottomLeft() + QPointF(2, -2), box.topRight() + QPointF(-2, 2))
        left += side + gap


def _draw_other(
    painter: QPainter, figure: FigureView, ink: QColor, ground: QColor, *, is_small: bool
) -> None:
    gun = _mixed(ink, ground, 0.6) if figure.has_fired else ink
    grow = 3 if is_small else 0
    boxes: tuple[tuple[str, float, float, float], ...]
    if figure.kind == "clonemaster":
        boxes = (("clonemaster", 13, 12, 50), ("gun", 57, 38, 30))
    elif figure.kind == "armed_technician":
        boxes = (("atom", 13, 13, 46), ("gun", 56, 38, 31))
    elif figure.kind == "technician":
        boxes = (("atom", 24, 14, 52),)
    elif figure.kind == "servant":
        boxes = (("tray", 22, 13, 54),)
    else:
        boxes = (("badge", 52, 12, 36), ("gun", 14, 39, 33))
        write(painter, "LC", QPointF(31, 25), 21 if is_small else 18, ink)
    for name, left, top, side in boxes:
        box = QRectF(left - grow, top - grow, side + 2 * grow, side + 2 * grow)
        drawing(name).draw(painter, box, gun if name == "gun" else ink, ground)
        if name == "gun" and figure.has_fired:
            painter.setPen(QPen(ink, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(box.bottomLeft() + QPointF(3, -4), box.topRight() + QPointF(-3, 4))
    number = figure.name.rsplit(" ", 1)[-1]
    if number.isdigit() and not is_small:
        write(painter, number, QPointF(80, 82), 10, _mixed(ink, ground, 0.25))


def _draw_losses(painter: QPainter, figure: FigureView, ink: QColor, *, is_small: bool) -> None:
    """Tally the levels lost, which everybody may count (R24)."""
    if not figure.lost:
        return
    painter.setPen(QPen(ink, 5 if is_small else 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    step = 8 if is_small else 5.5
    for at in range(min(figure.lost, 4 if is_small else 6)):
        x = (11 if is_small else 16) + at * step
        painter.drawLine(QPointF(x, 88), QPointF(x + 3, 76))


def _draw_swoon(painter: QPainter, rect: QRectF, colors: theme.Colors, *, is_small: bool) -> None:
    # The corner of a counter lying on its side in which neither letters nor numbers stand.
    side, inset = rect.width() * (0.34 if is_small else 0.25), rect.width() * 0.05
    box = QRectF(rect.left() + inset, rect.bottom() - inset - side, side, side)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colors.ink, side / 14))
    painter.setBrush(colors.field)
    painter.drawEllipse(box)
    inner = side * 0.14
    drawing("unconscious").draw(painter, box.adjusted(inner, inner, -inner, -inner), colors.ink, colors.field)
    painter.restore()


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour `share` of the way from one to another."""
    return QColor.fromRgbF(
        one.redF() + (other.redF() - one.redF()) * share,
        one.greenF() + (other.greenF() - one.greenF()) * share,
        one.blueF() + (other.blueF() - one.blueF()) * share,
    )


def _key(face: Face) -> str:
    if isinstance(face, str):
        return "back"
    return "|".join(
        str(part)
        for part in (
            face.name,
            face.kind,
            face.side,
            face.is_face_up,
            face.is_conscious,
            face.original,
            face.levels,
            face.lost,
            face.weapon,
            face.has_fired,
        )
    )


def counter_pixmap(face: Face, size: float, dpr: float = 1.0) -> QPixmap:
    """Return a counter, or "back", as a picture of `size` by `size` logical pixels."""
    side = max(1, round(size * dpr))
    key = f"kf2100|{theme.colors().mode}|{side}|{dpr}|{_key(face)}"
    made = QPixmap()
    if QPixmapCache.find(key, made):
        return made
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    inset = max(1.0, side * 0.02)
    draw_counter(painter, QRectF(inset, inset, side - 2 * inset, side - 2 * inset), face)
    painter.end()
    made.setDevicePixelRatio(dpr)
    QPixmapCache.insert(key, made)
    return made


def counter_symbol_pixmap(
    ability: str, size: float, dpr: float = 1.0, *, weapon: str | None = None, color: QColor | None = None
) -> QPixmap:
    """Return the symbol of an ability or tactics counter ("fist", "kick", "weapon", "mist", "soul", "heart").

    `weapon` draws that Jelly's own weapon; `color` is the ink of the palette unless given. What is cut out
    of the symbol is transparent.
    """
    side = max(1, round(size * dpr))
    ink = color if color is not None else theme.colors().ink
    name = WEAPONS.get(weapon or "", ability) if ability == "weapon" else ability
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    art = drawing(name)
    painter.scale(side / art.side, side / art.side)
    for path, is_cut in art.shapes:
        clear = QPainter.CompositionMode.CompositionMode_DestinationOut
        painter.setCompositionMode(clear if is_cut else QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setBrush(ink)
        painter.drawPath(path)
    painter.end()
    made.setDevicePixelRatio(dpr)
    return made
