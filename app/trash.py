"""Where deleted files go, and the way back; no file is ever moved over another.

The trash of a folder lies in it and has its folders again: a file of `finished` goes to `trash/finished`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

TRASH: Final = "trash"


def free_path(folder: Path, name: str) -> Path:
    """Return a path for a file of that name which nothing has; an empty file holds it from now on.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = folder / name
    path, number = wanted, 1
    while True:
        try:
            path.open("xb").close()
        except FileExistsError:
            number += 1
            path = wanted.with_name(f"{wanted.stem} {number}{wanted.suffix}")
        else:
            return path


def move_into(path: Path, folder: Path) -> Path:
    """Move a file into a folder under its own name, or the next free one; return where it is then.

    Raises OSError; the file is where it was then.
    """
    target = free_path(folder, path.name)
    try:
        path.replace(target)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    return target


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
