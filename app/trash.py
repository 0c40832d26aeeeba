"""Where deleted files go, and the way back.

The trash of a folder lies in it and has its folders again: a file of `finished` goes to `trash/finished`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from app.file_names import move_into

TRASH: Final = "trash"


def throw_away(path: Path, folder: Path) -> Path:
    """Move a file from anywhere in a folder to its trash; return where it is then. Raises OSError."""
    return move_into(path, folder / TRASH / path.parent.relative_to(folder))


def put_back(path: Path, folder: Path) -> Path:
    """Move a file out of a folder's trash to where it came from; return where it is then. Raises OSError."""
    return move_into(path, folder / path.parent.relative_to(folder / TRASH))


def delete_for_good(path: Path, folder: Path) -> None:
    """Delete a file in a folder's trash, with no way back. Raises OSError, ValueError for any other file."""
    if not path.is_relative_to(folder / TRASH):
        raise ValueError(f"{path} is not in the trash")
    path.unlink()
