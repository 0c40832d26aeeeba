"""What to do about the map of a scenario that is missing, renamed, unreadable or another of the same name."""

from __future__ import annotations

from typing import Final

from editor.dialogs.choose import Answer, Question
from editor.files.mending import Kind, Mending

HEADINGS: Final[dict[Kind, str]] = {
    "missing": "Where is the map?",
    "renamed": "Has the map another name now?",
    "unreadable": "The map has a fault",
    "conflicting": "Two maps of one name",
}


def question_of(mending: Mending) -> Question:
    """Return what is to be asked; the keys of its answers are the numbers of the remedies."""
    answers = (Answer(str(at), one.text, one.detail) for at, one in enumerate(mending.remedies))
    return Question(HEADINGS[mending.kind], mending.words, tuple(answers))
