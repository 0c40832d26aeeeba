"""How a kind of choice, event or message is called in JSON."""

from __future__ import annotations

import re

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def tag_of(name: str) -> str:
    """Return a class's name as a tag: "EndPhase" is "end-phase"."""
    return _WORD_START.sub("-", name).lower()
