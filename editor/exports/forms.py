"""In what forms a draft may leave, and what may be chosen about them; without Qt."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

Form = Literal["json", "txt", "png", "svg", "uvtt", "dd2vtt"]
Json = Literal["whole", "map", "beside"]
Look = Literal["light", "dark", "contrast"]

FORMS: Final[tuple[Form, ...]] = get_args(Form)
JSONS: Final[tuple[Json, ...]] = get_args(Json)
LOOKS: Final[tuple[Look, ...]] = get_args(Look)
TABLETOPS: Final = ("uvtt", "dd2vtt")
PICTURES: Final = ("png", "svg", *TABLETOPS)
FORM_NAMES: Final[dict[Form, str]] = {
    "json": "JSON, to share",
    "txt": "Text floor plan",
    "png": "Picture (PNG)",
    "svg": "Drawing (SVG)",
    "uvtt": "Tabletop (.uvtt)",
    "dd2vtt": "Tabletop (.dd2vtt)",
}
PIXELS: Final = (4, 400)
"""The least and the most pixels of a square."""


class CannotExport(ValueError):
    """What a form cannot hold, said in a sentence."""


class ExportOptions(NamedTuple):
    """What may be chosen about an export.

    `pixels` of a square, `has_grid` between the squares, `has_rim` around the map with its numbers and
    arrows, `has_figures` where the scenario places them, and `look` are of pictures. `json` is the whole
    draft in one file, its map alone, or a scenario that names its map, which lies in a file beside it.
    """

    pixels: int = 64
    has_grid: bool = True
    has_rim: bool = True
    has_figures: bool = True
    look: Look = "light"
    json: Json = "whole"


def form_of(name: str) -> Form | None:
    """Return the form that a file's name asks for by its ending."""
    ending = name.rpartition(".")[2].lower()
    return next((form for form in FORMS if form == ending), None)
