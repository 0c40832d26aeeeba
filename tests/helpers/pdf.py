"""Reads lines and sizes out of a PDF, in millimetres from the upper left corner of each page."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

POINT = 25.4 / 72

Matrix = tuple[float, float, float, float, float, float]


class Line(NamedTuple):
    """A straight line, mm."""

    x1: float
    y1: float
    x2: float
    y2: float


class PdfPage(NamedTuple):
    """A page: its size in mm and the straight lines drawn on it."""

    width: float
    height: float
    lines: tuple[Line, ...]


def pages(raw: bytes) -> list[PdfPage]:
    """Return the pages of a PDF as Qt writes them."""
    boxes = [[float(one) for one in box.split()] for box in re.findall(rb"/MediaBox ?\[([^\]]*)\]", raw)]
    contents = []
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", raw, re.DOTALL):
        try:
            text = zlib.decompress(found[1])
        except zlib.error:
            continue
        if text.startswith(b"/GSa gs"):
            contents.append(text.decode("latin1"))
    assert len(boxes) == len(contents)
    return [
        PdfPage(box[2] * POINT, box[3] * POINT, tuple(_lines(text, box[3])))
        for box, text in zip(boxes, contents, strict=True)
    ]


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _lines(text: str, height: float) -> list[Line]:
    """Follow the transforms and moves of a page's content."""
    now: Matrix = (1, 0, 0, 1, 0, 0)
    kept: list[Matrix] = []
    found: list[Line] = []
    numbers: list[float] = []
    at = (0.0, 0.0)

    def place() -> tuple[float, float]:
        x, y = numbers[-2:]
        a, b, c, d, e, f = now
        return (a * x + c * y + e) * POINT, (height - (b * x + d * y + f)) * POINT

    for word in text.split():
        try:
            numbers.append(float(word))
            continue
        except ValueError:
            pass
        if word == "q":
            kept.append(now)
        elif word == "Q":
            now = kept.pop()
        elif word == "cm":
            a, b, c, d, e, f = numbers[-6:]
            now = _times((a, b, c, d, e, f), now)
        elif word == "m":
            at = place()
        elif word == "l":
            to = place()
            found.append(Line(*at, *to))
            at = to
        numbers.clear()
    return found
