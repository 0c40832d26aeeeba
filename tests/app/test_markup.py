"""Words from files and from other machines: shown as they stand, never as HTML."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import Qt, QTextDocument

import app
from app.markup import as_text, refusal_tip
from app.panels.widgets import rule_link

EVIL = '4.2"></a><h1>X</h1>'
SOURCES = Path(app.__file__).parent


def shown(text: str) -> str:
    """Return what Qt shows of a text in a tool tip."""
    if not Qt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


@pytest.mark.parametrize(
    "text", ["plain & simple", "<h1>X</h1>", "&lt;b>", "two\n<i>lines", "<!-- gone -->", EVIL]
)
def test_a_tip_shows_a_text_as_it_stands(text: str) -> None:
    """Whatever Qt would take for HTML is shown letter for letter."""
    assert shown(as_text(text)) == text


def test_only_the_number_of_a_rule_becomes_a_link() -> None:
    """A host chooses the rule of a refusal; what is no number of one is no link and no markup."""
    assert rule_link("4.2b") == '<a href="rule:4.2b">4.2b</a>'
    assert rule_link("R29") == '<a href="rule:R29">R29</a>'
    for evil in (EVIL, "-", "", "4.2\n", "4.2 R5", "٤.٢", "9.1", "rule"):
        assert rule_link(evil) == ""


def test_a_refusal_without_a_rule_has_no_empty_parentheses() -> None:
    """What the table or the line refuses has no rule."""
    assert refusal_tip("the game is paused", "") == "the game is paused"
    assert refusal_tip("the game is paused", "-") == "the game is paused"
    assert refusal_tip("too far", "4.2") == "too far (4.2)"
    assert shown(refusal_tip(f"<b>{EVIL}", "4.2")) == f"<b>{EVIL} (4.2)"


SHOWING = {"setToolTip": 0, "showText": 1, "warning": 2}  # which of its arguments Qt may take for HTML
SAFE = {"as_text", "refusal_tip"}


def test_no_tip_or_warning_is_shown_without_being_made_safe() -> None:
    """What shows a text in a format of Qt's own choice gets it through `as_text`, also tomorrow."""
    bare = [
        f"{path.relative_to(SOURCES)}:{call.lineno}"
        for path in sorted(SOURCES.rglob("*.py"))
        for call in calls(ast.parse(path.read_text("utf-8")))
        if not is_safe(call.args[SHOWING[name_of(call)]])
    ]
    assert bare == []


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of a module that show such a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > SHOWING.get(name_of(node), 99):
            yield node


def name_of(call: ast.Call) -> str:
    """Return the name of the method that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def is_safe(argument: ast.expr) -> bool:
    """Whether a text is written in the source, or made safe there or before it was kept as `_tip`."""
    if isinstance(argument, ast.Call):
        return isinstance(argument.func, ast.Name) and argument.func.id in SAFE
    return isinstance(argument, ast.Constant) or (
        isinstance(argument, ast.Attribute) and argument.attr == "_tip"
    )
