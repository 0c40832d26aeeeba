"""How colours look to every kind of eyes, and how well they can be told apart.

Dichromats: the matrices of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based
Model for Simulation of Color Vision Deficiency" (2009), severity 1.0, on linear light. Total colour blindness
sees luminance only. Contrast is that of WCAG 2; differences are CIEDE2000 in the form of G. Sharma, W. Wu and
E. N. Dalal (2005), between CIELAB colours under D65.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QColor, QImage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Light = tuple[float, float, float]
"""Linear light: red, green, blue from 0 to 1."""
Lab = tuple[float, float, float]
Matrix = tuple[Light, Light, Light]

_LUMINANCE: Final[Light] = (0.2126, 0.7152, 0.0722)
EYES: Final[dict[str, Matrix]] = {
    "all": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "none": (_LUMINANCE, _LUMINANCE, _LUMINANCE),
}
"""Kinds of eyes by what they see: all colours, no red, no green, no blue, no colour."""

_TO_XYZ: Final[Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _encoded(light: float) -> float:
    return light * 12.92 if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def light_of(colour: QColor) -> Light:
    """Return a colour as linear light."""
    return _linear(colour.redF()), _linear(colour.greenF()), _linear(colour.blueF())


def _times(matrix: Matrix, light: Light) -> Light:
    first, second, third = (
        sum(share * part for share, part in zip(row, light, strict=True)) for row in matrix
    )
    return first, second, third


def seen_by(eyes: str, light: Light) -> Light:
    """Return what linear light is to eyes of a kind in `EYES`; raises KeyError."""
    first, second, third = (min(max(part, 0.0), 1.0) for part in _times(EYES[eyes], light))
    return first, second, third


def colour_seen(eyes: str, colour: QColor) -> QColor:
    """Return the colour that looks to full colour vision as this one looks to eyes of a kind."""
    return QColor.fromRgbF(*(_encoded(part) for part in seen_by(eyes, light_of(colour))))


def luminance(light: Light) -> float:
    """Return how bright linear light is, 0 to 1."""
    return sum(share * part for share, part in zip(_LUMINANCE, light, strict=True))


def contrast(one: QColor, other: QColor, eyes: str = "all") -> float:
    """Return the contrast ratio of WCAG 2 between two colours as eyes of a kind see them, 1 to 21."""
    low, high = sorted(luminance(seen_by(eyes, light_of(colour))) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light: Light) -> Lab:
    """Return linear light in CIELAB under D65."""

    def root(share: float) -> float:
        return float(share ** (1 / 3)) if share > (6 / 29) ** 3 else share / (3 * (6 / 29) ** 2) + 4 / 29

    x, y, z = (root(part / white) for part, white in zip(_times(_TO_XYZ, light), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: QColor, other: QColor, eyes: str = "all") -> float:
    """Return how different two colours look to eyes of a kind, in CIEDE2000 (about 2.3 is just noticed)."""
    return ciede2000(lab(seen_by(eyes, light_of(one))), lab(seen_by(eyes, light_of(other))))


def ciede2000(one: Lab, other: Lab) -> float:
    """Return the CIEDE2000 difference of two CIELAB colours, all weights 1."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7)))
    c1, c2 = hypot(a1 * stretch, b1), hypot(a2 * stretch, b2)
    h1 = degrees(atan2(b1, a1 * stretch)) % 360 if c1 else 0.0
    h2 = degrees(atan2(b2, a2 * stretch)) % 360 if c2 else 0.0
    turn, hue = 0.0, h1 + h2
    if c1 * c2:
        turn = (h2 - h1 + 180) % 360 - 180
        # The mean lies on the shorter way round the circle.
        hue = (hue + (0 if abs(h1 - h2) <= 180 else 360 if hue < 360 else -360)) / 2
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    off = (lightness - 50) ** 2
    by_lightness = (l2 - l1) / (1 + 0.015 * off / sqrt(20 + off))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2) / (1 + 0.015 * chroma * weight)
    bend = 60 * exp(-(((hue - 275) / 25) ** 2))
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(bend))
    return sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def image_seen(eyes: str, image: QImage) -> QImage:
    """Return a picture as it looks to eyes of a kind; its size and pixel ratio stay."""
    import numpy as np

    drawn = image.convertToFormat(QImage.Format.Format_RGB32)
    height, width = drawn.height(), drawn.width()
    pixels = np.frombuffer(drawn.constBits(), np.uint8).reshape(height, drawn.bytesPerLine() // 4, 4)
    made = np.full((height, width, 4), 255, np.uint8)
    made[..., :3] = _seen_pixels(eyes, pixels[:, :width, 2::-1])[..., ::-1]
    result = QImage(made.tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()
    result.setDevicePixelRatio(image.devicePixelRatio())
    return result


def _seen_pixels(eyes: str, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import numpy as np

    steps = 4095
    to_light = np.array([_linear(value / 255) for value in range(256)], np.float32)
    to_value = np.array([round(255 * _encoded(step / steps)) for step in range(steps + 1)], np.uint8)
    light = to_light[pixels] @ np.array(EYES[eyes], np.float32).T
    seen: NDArray[np.uint8] = to_value[(np.clip(light, 0, 1) * steps + 0.5).astype(np.uint16)]
    return seen
