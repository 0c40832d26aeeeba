"""What becomes of changes that are not saved, before the draft goes."""

from __future__ import annotations

from typing import Final

from editor.dialogs.choose import Answer, Question

HEADING: Final = "Save the changes?"


def unsaved_question(name: str, steps: int) -> Question:
    """Return what is to be asked; the keys of its answers are "save" and "discard"."""
    changes = f"{steps} step{'' if steps == 1 else 's'}" if steps else "Changes"
    words = f"{changes} of “{name}” {'is' if steps == 1 else 'are'} not saved, and would be lost."
    return Question(HEADING, words, (Answer("save", "Save"), Answer("discard", "Discard")))
