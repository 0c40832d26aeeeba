"""The one way to the shipped files, the same from the source tree, a wheel and a bundle."""

from importlib.resources import files
from importlib.resources.abc import Traversable


def resource(name: str) -> Traversable:
    """Return the shipped file or folder called `name`, a path with `/` below `resources/`.

    Raises FileNotFoundError if nothing of that name is shipped, ValueError if the name leaves the folder.
    """
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part or ":" in part for part in parts):
        raise ValueError(f"not the name of a resource: {name!r}")
    found: Traversable = files("resources")
    for part in parts:
        found = found / part
    if not (found.is_file() or found.is_dir()):
        raise FileNotFoundError(f"no such resource: {name}")
    return found
