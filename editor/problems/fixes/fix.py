"""What a fix is, and how the functions that find them are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from editor.draft import Draft
from engine.fortress.problems import Problem

_NUMBER: Final = re.compile(r"\[(\d+)\]")


class Fix(NamedTuple):
    """A way to fix a problem: what it does, for the button and the history, and the draft it makes."""

    words: str
    draft: Draft


Finder: TypeAlias = Callable[[Draft, Problem], Iterator[Fix]]
"""Finds the fixes of one problem; raises LookupError where the draft has no such part any more."""


def number_of(problem: Problem) -> int:
    """Return the number in a problem's place ("edges[3]"); raises LookupError where there is none."""
    found = _NUMBER.search(problem.place)
    if found is None:
        raise LookupError(problem.place)
    return int(found[1])
