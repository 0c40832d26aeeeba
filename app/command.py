"""How the program is started, for whoever is told to start it again."""

from __future__ import annotations

import os
from typing import Final

STARTED_BY: Final = "KUNGFU2100_COMMAND"  # set by run.py, which an environment of its own hides behind


def command(arguments: str = "") -> str:
    """Return what starts the program here: "kungfu2100 ARGUMENTS", or with whatever it was started by."""
    started_by = os.environ.get(STARTED_BY, "") or "kungfu2100"
    return f"{started_by} {arguments}".rstrip()
