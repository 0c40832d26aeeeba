"""What the help shows of the text protocol and of the Python interface is what happens."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from app.text_engine import TextEngine
from engine.core.protocol import ERRORS, VERSION, AnyAnswer, AnyRequest
from engine.raid.match import GameChoice
from engine.raid.notation import format_choice, format_game, parse_choice, parse_game
from resources.path import resource

PROTOCOL = resource("help/protocol.md").read_text(encoding="utf-8")
API = resource("help/python-api.md").read_text(encoding="utf-8")
NOTATION = resource("help/60-notation.md").read_text(encoding="utf-8")


def test_python_examples() -> None:
    """Every example of the Python interface gives what is printed beside it."""
    examples = doctest.DocTestParser().get_doctest(API, {}, "python-api.md", "python-api.md", 0)
    assert len(examples.examples) > 30
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def test_protocol_conversation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The conversation of the help takes place as it is printed."""
    monkeypatch.chdir(tmp_path)
    engine = TextEngine()
    checker = doctest.OutputChecker()
    printed = re.findall(r"^> (.+)\n< (.+)$", PROTOCOL, re.MULTILINE)
    assert len(printed) == len(re.findall(r"^[<>] ", PROTOCOL, re.MULTILINE)) / 2 > 15
    for request, wanted in printed:
        answer = engine.answer(request.encode())
        assert answer is not None
        text = answer.decode()
        assert checker.check_output(f"{wanted}\n", text, doctest.ELLIPSIS), (
            f"{request}\n{wanted}\n{text[:2000]}"
        )
    assert engine.is_finished


def test_protocol_shows_every_message() -> None:
    """Each request and answer has an example, each kind of error is named, and the version is told."""
    asked = {json.loads(line)["ask"] for line in re.findall(r"^> (.+)$", PROTOCOL, re.MULTILINE)}
    told = set(re.findall(r'^< \{"tell":"([a-z-]+)"', PROTOCOL, re.MULTILINE))
    requests = {kind.__struct_config__.tag for kind in get_args(AnyRequest)}
    assert asked == requests
    assert told == {kind.__struct_config__.tag for kind in get_args(AnyAnswer)}
    listed = re.findall(r"^\| `([a-z]+)` \| (?!fields)", PROTOCOL, re.MULTILINE)
    assert sorted(listed) == sorted(requests)
    assert all(f"`{kind}`" in PROTOCOL for kind in ERRORS)
    assert f"This is version {VERSION} of the protocol" in PROTOCOL


def test_protocol_lists_every_field() -> None:
    """The table of requests names every field that a request has."""
    rows = dict(re.findall(r"^\| `([a-z]+)` \|(.*)\|", PROTOCOL, re.MULTILINE))
    for kind in get_args(AnyRequest):
        fields = set(kind.__struct_fields__) - {"id"}
        missing = [field for field in fields if f"`{field}`" not in rows[kind.__struct_config__.tag]]
        assert not missing, kind


def test_notation_lines() -> None:
    """Every line of the notation's table is a choice in just these words; the game's header is a game's."""
    table = NOTATION[NOTATION.index("## A choice") : NOTATION.index("## A game")]
    lines = [
        line for row in table.splitlines() if row.startswith("|") for line in re.findall(r"`(.+?)`", row)
    ]
    for line in lines:
        assert format_choice(parse_choice(line)) == line
    kinds = {type(parse_choice(line)) for line in lines}
    assert kinds == set(get_args(GameChoice))
    game = NOTATION.partition("```\n")[2].partition("...")[0]
    assert format_game(parse_game(game)).startswith(game.partition("\n\n")[0])
