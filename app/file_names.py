"""Names for files: made of titles, and free ones, so that no file is ever put in the place of another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path


def clean_name(title: str) -> str:
    """Return of a title what no system refuses in a file's name: letters, digits, spaces and hyphens."""
    return "".join(letter if letter.isalnum() or letter in " -" else "-" for letter in title.strip())


def numbered(path: Path, *, is_folder: bool = False) -> Iterator[Path]:
    """Yield a path, then the same with 2, 3 and so on behind its name; that of a folder has no ending."""
    name, ending = (path.name, "") if is_folder else (path.stem, path.suffix)
    yield path
    for number in count(2):
        yield path.with_name(f"{name} {number}{ending}")


def free_path(folder: Path, name: str) -> Path:
    """Return a path for a file of that name which nothing has; an empty file holds it from now on.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in numbered(folder / name):
        with suppress(FileExistsError):
            path.open("xb").close()
            break
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
