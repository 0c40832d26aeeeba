"""What a host sends: sound messages come through as they are, others as what can be shown, or not at all."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from app.lan.guest import received
from app.lan.guest.received import parse_told
from app.lan.host.table import Table
from engine.core.lan_protocol import (
    CHAT_LENGTH,
    LAN_VERSION,
    NAME_LENGTH,
    ChatRequest,
    ChattedAnswer,
    parse_lan_answer,
)
from engine.core.protocol import Refusal
from tests.helpers.lan import C, T, key, new_table, play_on, two_at
from tests.helpers.sent import messages, texts

EVIL = '4.2"></a><h1>X</h1>'
TURNED = "Ann\u202emoT\x1b[2J\x00\u2028\u2066\nBob"
LONG = "x" * 1_000_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table with a game under way, a clock, and a line of chat."""
    made = new_table(tmp_path_factory.mktemp("table"), clock=1800.0, host_token=key("1"))
    ann, _ = two_at(made)
    made.answer(ann, ChatRequest(text="Good luck, all the best & <b>so on</b>"))
    play_on(made, Random(2), 12)
    return made


def read(message: dict[str, Any], **fields: Any) -> Any:
    """Return what is made of a message with some fields changed."""
    return parse_told(msgspec.json.encode({**message, **fields}))


def test_what_a_sound_host_sends_is_read_as_it_is(table: Table) -> None:
    """Every kind of message of a real table comes through unchanged; a refusal's line alone is left out."""
    sent = messages(table)
    assert sent.keys() >= {"greet", "welcome", "table", "update", "chatted", "state", "error"}
    assert sent["table"]["clocks"]
    assert sent["table"]["code"]
    for name, message in sent.items():
        raw = msgspec.json.encode({**message, **({"line": 0} if name == "error" else {})})
        assert parse_told(raw) == parse_lan_answer(raw)


def card(table: Table, /, **fields: Any) -> dict[str, Any]:
    """Return a table's card with some fields changed."""
    return {**messages(table)["table"]["card"], **fields}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"seats": {}}, "seats"),
        ({"seats": {"x": {"player": "client"}}}, "seats"),
        ({"seats": {T: {"player": ""}, C: {"player": ""}, "x": {"player": ""}}}, "seats"),
        ({"seats": {T: {"player": "", "away": -1}, C: {"player": ""}}}, "away"),
        ({"seats": {T: {"player": "", "delay": 10**300}, C: {"player": ""}}}, "delay"),
        ({"watchers": -3}, "watchers"),
        ({"watchers": 10**400}, "watchers"),
        ({"table": "A"}, "table"),
        ({"table": "A\n"}, "table"),
        ({"phase": "x"}, "phase"),
    ],
)
def test_a_table_that_no_host_has_is_refused(table: Table, fields: dict[str, Any], words: str) -> None:
    """Neither the list of games nor a table has a seat or a number that the windows do not know."""
    wrong = card(table, **fields)
    for name, changes in (("greet", {"tables": [wrong]}), ("table", {"card": wrong})):
        with pytest.raises(Refusal) as refused:
            read(messages(table)[name], **changes)
        assert words in refused.value.reason
        assert len(refused.value.reason) < received.REASON_LENGTH


def test_a_host_has_as_many_tables_as_there_are_names(table: Table) -> None:
    """Tens of thousands of them would stop the window that lists them; two of one name are none."""
    greeting = messages(table)["greet"]
    names = [
        a + b for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    ]
    most = [card(table, table=name) for name in names[: received.TABLES]]
    assert len(read(greeting, tables=most).tables) == received.TABLES
    for wrong in (most + most[:1], [card(table)] * 2, [card(table)] * 40_000):
        with pytest.raises(Refusal, match="tables"):
            read(greeting, tables=wrong)


def test_the_tables_of_another_version_are_not_read(table: Table) -> None:
    """What they mean is not known here; which version it is must be said all the same."""
    greeting = read(messages(table)["greet"], version=LAN_VERSION + 1, tables=[card(table, seats={})])
    assert (greeting.version, greeting.tables) == (LAN_VERSION + 1, ())


@pytest.mark.parametrize(
    "fields",
    [
        {"clocks": {T: {"left": 10**400, "runs": True}}},
        {"clocks": {T: {"left": -1, "runs": True}}},
        {"clocks": {"x": {"left": 1, "runs": True}}},
        {"asks": ["x"]},
        {"asks": [T, T]},
        {"code": "??"},
        {"code": "AB7K-2QXMM"},
        {"code": LONG},
        {"watchers": ["Ann"] * 10_000},
        {"watchers": [""]},
    ],
)
def test_people_and_clocks_that_no_table_has_are_refused(table: Table, fields: dict[str, Any]) -> None:
    """A clock of four hundred digits, a code that is none: the windows need not look."""
    (name,) = fields
    with pytest.raises(Refusal, match=name):
        read(messages(table)["table"], **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"length": -5},
        {"views": {"x": {}}},
        {"told": {"x": {"since": 0, "events": []}}},
        {"told": {"public": {"since": -1, "events": []}}},
        {"told": {"public": {"since": 0, "events": [{}] * 30_000}}},
        {"missed": {"before": {}, "acts": [[[], {}]] * 6_000}},
        {"missed": {"before": {}, "acts": [[[{}] * 30_000, {}]]}},
    ],
)
def test_an_update_that_no_table_sends_is_refused(table: Table, fields: dict[str, Any]) -> None:
    """Whose views and events there are is known, and numbers count something."""
    with pytest.raises(Refusal):
        read(messages(table)["update"], **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"seats": {}},
        {"seats": {T: "client", C: "client", "x": "client"}},
        {"waiting": {"x": "y"}},
        {"takeback": {"x": "y"}},
        {"undo": ["x"]},
        {"undo": [T] * 100_000},
        {"draw": ["x"]},
        {"events": {"x": 1}},
        {"events": {"public": -1}},
        {"revision": -1},
        {"revision": 2**70},
        {"turn": -1},
        {"asked": [{"side": "x", "kind": "", "rule": "", "prompt": "", "revision": 0, "optional": False}]},
        {"asked": [{"side": T, "kind": "", "rule": "", "prompt": "", "revision": 0, "optional": False}] * 9},
    ],
)
def test_a_state_that_no_game_has_is_refused(table: Table, fields: dict[str, Any]) -> None:
    """In an answer and in an update: sides, numbers and how much is asked are those of a game."""
    sent = messages(table)
    with pytest.raises(Refusal, match=next(iter(fields))):
        read(sent["state"], **fields)
    with pytest.raises(Refusal, match=f"state.{next(iter(fields))}"):
        read(sent["update"], state={**sent["update"]["state"], **fields})


def test_words_come_out_on_one_line_that_can_be_read(table: Table) -> None:
    """Wherever a host can put a text, it is short, and nothing in it turns or breaks the lines around it."""
    sent = messages(table)
    for evil in (TURNED, LONG, " \n\t ", "\u200b", EVIL * 1000):
        seats = {side: {"player": evil, "name": evil} for side in (T, C)}
        laid = card(table, title=evil, host=evil, seats=seats)
        asked = {"side": T, "kind": evil, "rule": evil, "prompt": evil, "revision": 0, "optional": False}
        state = {
            **sent["state"],
            "phase": evil,
            "seats": {T: evil, C: evil},
            "waiting": {T: evil},
            "takeback": {C: evil},
            "asked": [asked],
            "seed": evil,
        }
        answers = [
            read(sent["greet"], host=evil, program=evil, tables=[laid]),
            read(sent["table"], card=laid, notice=evil, watchers=["Ann" + evil]),
            read(sent["chatted"], name=evil, text=evil),
            read(sent["welcome"], name="Ann" + evil, scenario={}),
            read(sent["error"], kind=evil, reason=evil, rule=evil, problems=[evil[:10_000]] * 1000),
            read({"tell": "why", "legal": False, "reason": evil, "rule": evil}),
            read(state),
        ]
        for text in (text for answer in answers for text in texts(answer)):
            assert text.isprintable(), text
            assert text == text.strip()
            assert len(text) <= received.REASON_LENGTH
        chatted = answers[2]
        assert isinstance(chatted, ChattedAnswer)
        assert len(chatted.text) <= CHAT_LENGTH
        assert len(chatted.name) <= NAME_LENGTH
        assert answers[4].rule == answers[5].rule == ""
        assert len(answers[4].problems) <= received.PROBLEMS


def test_a_welcome_without_a_name_or_to_no_side_is_refused(table: Table) -> None:
    """Who is welcomed has a name, and a side of the game or none."""
    sent = messages(table)["welcome"]
    for fields in ({"name": "\u200b"}, {"side": "x"}):
        with pytest.raises(Refusal, match=next(iter(fields))):
            read(sent, **fields)


def test_a_line_that_is_cut_says_so() -> None:
    """Three dots stand for what is left out; words as they should be are left alone."""
    assert received.line("one  two\n", 20) == "one two"
    assert received.line("a" * 21, 20) == "a" * 19 + "…"
    assert received.line("a" * 20, 20) == "a" * 20
    assert received.line("<b> & “so”", 20) == "<b> & “so”"
