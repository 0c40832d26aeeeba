"""JSON Schemas of the file kinds, made from their models.

`python -m engine.schemas FOLDER` writes them; a test holds the shipped ones current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine.core.files import schema
from engine.fortress import floorplan


def schemas() -> dict[str, dict[str, Any]]:
    """Return each schema by its file's name."""
    return {
        "map.json": schema(floorplan.FloorPlan, floorplan.KIND, floorplan.VERSION, "A map of Kung Fu 2100"),
    }


def format_schema(made: dict[str, Any]) -> str:
    """Return the text of a schema file."""
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, made in schemas().items():
        Path(sys.argv[1], name).write_text(format_schema(made), encoding="utf-8", newline="\n")
