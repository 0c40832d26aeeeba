"""Words out of files and from other machines, so that they do no harm to what shows them.

Qt would take a tag in them for HTML, and give a word that is as long as a line all the room it likes.
"""

from __future__ import annotations

import re
from typing import Final

_LONG: Final = re.compile(r"\S{17,}")  # longer than any word of the program's own
_BREAK: Final = "\N{ZERO WIDTH SPACE}"


def breakable(text: str) -> str:
    """Return a text in which a word that is too long for a line may be broken anywhere."""
    return _LONG.sub(lambda word: _BREAK.join(word[0]), text)


def whole(text: str) -> str:
    """Return what `breakable` was given, to be read aloud."""
    return text.replace(_BREAK, "")


def as_text(text: str) -> str:
    """Return a text so that a tool tip or message box shows it as it stands, whatever it looks like."""
    if "<" not in text and "&" not in text:
        return text
    # Not before there is a tag: these take longer to be imported than the start screen to be drawn.
    from html import escape

    from PySide6.QtGui import Qt

    if not Qt.mightBeRichText(text):
        return text
    return f"<qt>{escape(text, quote=False).replace(chr(10), '<br>')}</qt>"


def refusal_tip(reason: str, rule: str) -> str:
    """Return a tool tip that says why something is refused, by which rule if by one."""
    return as_text(f"{reason} ({rule})" if rule and rule != "-" else reason)
