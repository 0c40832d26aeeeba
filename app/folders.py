"""Where the player's own files are, for the window and for whatever runs without one."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return the folder for the player's own files; KUNGFU2100_DATA overrides where that is."""
    override = os.environ.get("KUNGFU2100_DATA")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_data_dir("kungfu2100", appauthor=False))


def games_folder() -> Path:
    """Return the folder where games save themselves; it exists afterwards."""
    folder = data_folder() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
