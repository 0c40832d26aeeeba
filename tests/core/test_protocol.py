"""The messages of the protocol: their lines, their refusals, and pages of options."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest

from engine.core import protocol
from engine.core.decision import Choice, Decision, IllegalChoice, Options, StaleChoice
from engine.core.protocol import (
    AnyAnswer,
    AnyRequest,
    ChooseRequest,
    ErrorAnswer,
    HelloRequest,
    Refusal,
    ViewAnswer,
    format_message,
    grouped_decision,
    options_page,
    parse_answer,
    parse_id,
    parse_request,
)


class Step(Choice, frozen=True, tag="step"):
    """A choice of a game that only this test knows."""

    to: int


def steps(*numbers: int) -> tuple[Step, ...]:
    """Return some choices."""
    return tuple(Step(number) for number in numbers)


STEPS = {"a": steps(1, 2, 3), "b": (), "c": steps(4, 5), "d": steps(6)}
OPTIONS = Options(
    ("a", "b", "c"),
    lambda group: STEPS[group],
    ("d",),
    price=lambda choice: choice.to * 2 if isinstance(choice, Step) else None,
)


def refusal(line: bytes) -> str:
    """Return why a line is no request."""
    with pytest.raises(Refusal) as caught:
        parse_request(line)
    assert caught.value.kind == "bad-line"
    assert "\n" not in caught.value.reason
    return caught.value.reason


# Lines


def test_every_message_has_a_name_of_its_own() -> None:
    """Requests and answers go by their classes' names, none twice."""
    for union, field, ending in ((AnyRequest, "ask", "Request"), (AnyAnswer, "tell", "Answer")):
        configs = [kind.__struct_config__ for kind in get_args(union)]
        tags = [config.tag for config in configs]
        assert len(set(tags)) == len(tags)
        assert tags == [kind.__name__.removesuffix(ending).lower() for kind in get_args(union)]
        assert {config.tag_field for config in configs} == {field}


def test_every_message_is_in_its_union() -> None:
    """No message is defined and then forgotten where lines are read."""
    for base, union in ((protocol.Request, AnyRequest), (protocol.Answer, AnyAnswer)):
        # A network's messages have a union of their own.
        mine = {kind for kind in base.__subclasses__() if kind.__module__ == protocol.__name__}
        assert mine == set(get_args(union))


def test_request_from_a_line() -> None:
    """A line becomes its request; what belongs to the game is kept as it stands."""
    line = b'{"id": "x1", "ask": "choose", "side": "a", "choice": {"do": "step", "to": 3}, "revision": 4}'
    request = parse_request(line)
    assert isinstance(request, ChooseRequest)
    assert (request.id, request.side, request.revision) == ("x1", "a", 4)
    assert msgspec.json.decode(bytes(request.choice), type=Step) == Step(3)


def test_message_is_one_line() -> None:
    """A message is one line of JSON whatever texts it holds, without an id where none was given."""
    line = format_message(ViewAnswer(revision=1, view={"text": "a\nb\u2028c"}))
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"tell": "view", "revision": 1, "view": {"text": "a\nb\u2028c"}}
    assert parse_answer(line) == ViewAnswer(revision=1, view={"text": "a\nb\u2028c"})


def test_id_comes_back() -> None:
    """A number or a text given as id is part of the line, zero too."""
    assert json.loads(format_message(HelloRequest(version=1, id=0)))["id"] == 0
    assert parse_id(b'{"id": 7, "ask": "nothing"}') == 7
    for line in (b'{"ask": "nothing"}', b'{"id": [1]}', b"{", b"[" * 100_000, b"\xff"):
        assert parse_id(line) is msgspec.UNSET


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xffabc", "not UTF-8 at byte 0"),
        (b'{"ask": "st\xc3ate"}', "not UTF-8 at byte 11"),
        (b"{", "not JSON: "),
        (b'{"ask": "state"} {}', "not JSON: trailing characters"),
        (b"[1]", "Expected `object`, got `array`"),
        (b"{}", "Object missing required field `ask`"),
        (b'{"ask": "dance"}', "ask: Invalid value 'dance'"),
        (b'{"ask": "view"}', "Object missing required field `viewer`"),
        (b'{"ask": "view", "viewer": 3}', "viewer: Expected `str`, got `int`"),
        (b'{"ask": "state", "more": 1}', "Object contains unknown field `more`"),
        (b'{"ask": "events", "viewer": "a", "since": -1}', "since: Expected `int` >= 0"),
        (b'{"ask": "go", "choices": 0}', "choices: Expected `int` >= 1"),
        (b'{"ask": "new", "scenario": "x", "dice": [1, 7]}', "dice[1]: Expected `int` <= 6"),
        (b'{"ask": "hello", "version": 1' + b"0" * 500 + b"}", "version: Expected `int` <= "),
        (b'{"ask": "new", "scenario": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deep"),
        (b'{"ask": "state", "id": 1.5}', "id: Expected `int | str`, got `float`"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_line_that_is_no_request(line: bytes, reason: str) -> None:
    """A bad line is refused with the field and the reason."""
    assert refusal(line).startswith(reason)


def test_line_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line beyond the limit is refused before it is read."""
    monkeypatch.setattr(protocol, "LINE_LIMIT", 1024 * 1024)
    line = b'{"ask": "state", "id": "' + b"x" * 1024 * 1024 + b'"}'
    assert refusal(line) == "longer than 1 MB"


# Refusals


def test_refused_choices_keep_their_rule() -> None:
    """A refused choice is an error with its reason and rule; a stale one is told apart."""
    answer = Refusal.of(IllegalChoice("too far", "4.43")).answer(12, 5)
    assert answer == ErrorAnswer(id=5, line=12, kind="illegal-choice", reason="too far", rule="4.43")
    assert Refusal.of(StaleChoice()).answer(1).kind == "stale-choice"
    assert {"illegal-choice", "stale-choice"} <= set(protocol.ERRORS)


def test_error_names_only_what_it_has() -> None:
    """An error without rule and problems does not mention them."""
    line: dict[str, Any] = json.loads(format_message(Refusal("no-game", "none").answer(3)))
    assert line == {"tell": "error", "line": 3, "kind": "no-game", "reason": "none"}


# Options


def test_groups_are_counted() -> None:
    """A decision is told with its groups and how many options each has, those that only rearrange apart."""
    told = grouped_decision(Decision("one", "stepping", "1.2", "Step.", "He steps.", OPTIONS, revision=9))
    assert (told.side, told.kind, told.rule, told.revision, told.optional) == (
        "one",
        "stepping",
        "1.2",
        9,
        False,
    )
    groups = [(group.name, group.options, group.leads_on) for group in told.groups]
    assert groups == [("a", 3, True), ("b", 0, True), ("c", 2, True), ("d", 1, False)]


def test_pages_of_all_groups_hold_each_option_once() -> None:
    """Pages of any size, put together, are all options in order, with their prices."""
    for limit in range(1, 8):
        seen: list[tuple[Any, int | None]] = []
        while True:
            total, page = options_page(OPTIONS, None, len(seen), limit)
            assert total == 6
            assert len(page) <= limit
            seen += [(option.choice, option.price) for option in page]
            if len(seen) >= total or not page:
                break
        assert seen == [(Step(number), number * 2) for number in range(1, 7)]


def test_page_of_one_group() -> None:
    """One group is paged alone, beyond its end the page is empty."""
    assert options_page(OPTIONS, "c", 0, 9)[0] == 2
    assert [option.choice for option in options_page(OPTIONS, "c", 1, 9)[1]] == [Step(5)]
    assert options_page(OPTIONS, "c", 5, 9) == (2, ())
