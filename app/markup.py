"""Words out of files and from other machines where Qt would take a tag in them for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def as_text(text: str) -> str:
    """Return a text so that a tool tip or message box shows it as it stands, whatever it looks like."""
    if not Qt.mightBeRichText(text):
        return text
    return f"<qt>{escape(text, quote=False).replace(chr(10), '<br>')}</qt>"


def refusal_tip(reason: str, rule: str) -> str:
    """Return a tool tip that says why something is refused, by which rule if by one."""
    return as_text(f"{reason} ({rule})" if rule and rule != "-" else reason)
