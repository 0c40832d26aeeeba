"""The text protocol, spoken as a client would: whole games, secrets, bad lines."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.text_engine import TextEngine, lines, serve
from engine.core.protocol import ERRORS, VERSION
from engine.core.record import format_record, load_record, parse_record
from engine.raid.match import RaidReplay
from engine.raid.scenario import shipped
from tests.helpers.program import start

T, C = "terminator", "clonemaster"
Message = dict[str, Any]


class Client:
    """Asks an engine in this process."""

    def __init__(self, **new: Any) -> None:
        self.engine = TextEngine()
        self.ask("hello", version=VERSION)
        if new:
            self.state = self.ask("new", scenario="basic", **new)

    def line(self, line: bytes) -> Message:
        """Send a line and return its answer."""
        answer = self.engine.answer(line)
        assert answer is not None
        assert answer.endswith(b"\n")
        assert answer.count(b"\n") == 1
        message: Message = json.loads(answer)
        return message

    def ask(self, what: str, **fields: Any) -> Message:
        """Ask and return the answer."""
        return self.line(json.dumps({"ask": what, **fields}).encode())

    def refused(self, what: str, **fields: Any) -> str:
        """Ask what must be refused, and return the kind of error."""
        answer = self.ask(what, **fields)
        assert answer["tell"] == "error", answer
        assert answer["kind"] in ERRORS
        kind: str = answer["kind"]
        return kind

    def play(self, chance: random.Random, limit: int = 5000) -> Iterator[Message]:
        """Play on by chance until the game is over; return each state."""
        for _ in range(limit):
            yield self.state
            if self.state["over"]:
                return
            self.state = self.step(chance)
        raise AssertionError("the game does not end")

    def step(self, chance: random.Random) -> Message:
        """Make one choice for whoever is asked, or let the bots go on where only offers are open."""
        asked = [one for one in self.state["asked"] if not one["optional"]]
        if not asked:
            return self.ask("go")
        one = chance.choice(asked)
        found = self.ask("decisions")["decisions"]
        groups = next(each["groups"] for each in found if each["side"] == one["side"])
        group = chance.choice([each for each in groups if each["leads_on"] and each["options"]])
        page = self.ask(
            "options",
            side=one["side"],
            group=group["name"],
            start=chance.randrange(group["options"]),
            limit=1,
        )
        choice = page["options"][0]["choice"]
        return self.ask("choose", side=one["side"], choice=choice, revision=one["revision"])


# Whole games


def test_whole_game_by_a_program(tmp_path: Path) -> None:
    """A program plays one side of a whole game against a bot through pipes; it records itself and replays."""
    chance = random.Random(1)
    with start("engine", folder=tmp_path, is_alone=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        class Piped(Client):
            def line(self, line: bytes) -> Message:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(line + b"\n")
                process.stdin.flush()
                message: Message = json.loads(process.stdout.readline())
                return message

        client = Piped(seed=5, seats={C: "rulebook"}, record="game.json")
        states = list(client.play(chance))
        told = client.ask("record")["record"]
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert len(states) > 50
    record = load_record(tmp_path / "game.json")
    assert parse_record(json.dumps(told).encode()) == record
    assert record.seats == {T: "human", C: "rulebook"}
    replay = RaidReplay.of(record)
    replay.go(replay.length)
    outcome = replay.view("open").outcome
    assert outcome is not None
    assert states[-1]["outcome"]["winner"] == outcome.winner
    assert states[-1]["revision"] == replay.length


@pytest.mark.parametrize("seats", [{}, {T: "random"}, {C: "random"}, {T: "random", C: "rulebook"}], ids=str)
def test_games_end_with_any_seats(seats: dict[str, str]) -> None:
    """A game is played to its end with the client on both sides, one or none."""
    client = Client(seed=3, seats=seats)
    for state in client.play(random.Random(2)):
        assert state["tell"] == "state"
        assert {one["side"] for one in state["asked"]} <= {T, C} - set(seats)
    assert client.state["phase"] == "over"
    assert client.ask("view", viewer="open")["view"]["outcome"] == client.state["outcome"]
    assert client.ask("events", viewer="open", since=client.state["events"]["open"] - 1)["events"][0][
        "event"
    ] == ("game-ended")


def test_same_seed_as_the_window_and_play() -> None:
    """Two bots play the same game here and by `play`."""
    from app import cli
    from engine.raid.scenario import load_scenario

    client = Client(seed=9, seats={T: "rulebook", C: "random"})
    state = client.ask("go", choices=100_000)
    args = cli._parser().parse_args(["play", "basic", "--clonemaster", "random"])
    match = cli._begun(args, load_scenario("basic"), "9")
    cli._play_out(match, cli._players(args, match), 0, lambda done: None)
    assert state["over"]
    record = parse_record(json.dumps(client.ask("record")["record"]).encode())
    assert format_record(record) == format_record(match.record)


def test_offers_wait_for_the_client() -> None:
    """R13: while a bot moves, the client may take each chance to release the CloneMaster."""
    client = Client(seed=4, seats={T: "rulebook"})
    chance = random.Random(3)
    offers = 0
    for state in client.play(chance):
        if state["asked"] and all(one["optional"] for one in state["asked"]):
            offers += 1
            assert [one["kind"] for one in state["asked"]] == ["release-clonemaster"]
            if offers == 3:
                break
    before = client.state
    choice = {"do": "release-clone-master"}
    after = client.ask("choose", side=C, choice=choice, revision=before["asked"][0]["revision"])
    assert after["revision"] > before["revision"]
    assert after["asked"][0]["kind"] == "free-move"


def test_go_stops_where_the_client_must_decide() -> None:
    """`go` with many choices lets offers lapse and stops at the next decision of the client's."""
    client = Client(seed=4, seats={T: "rulebook"})
    chance = random.Random(3)
    for state in client.play(chance):
        if state["asked"] and all(one["optional"] for one in state["asked"]):
            break
    state = client.ask("go", choices=100_000)
    assert state["over"] or any(not one["optional"] for one in state["asked"])
    assert client.ask("go", choices=5)["revision"] == state["revision"]


def test_set_up_by_name_path_and_text(tmp_path: Path) -> None:
    """A scenario is named, read from a file or sent whole; a record as well."""
    client = Client(seed=1)
    scenario = client.ask("scenario")["scenario"]
    assert scenario["name"] == "Basic"
    assert scenario["map"]["grid"]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**scenario, "name": "Mine", "turns": 2}))
    assert client.ask("new", scenario=str(path))["tell"] == "state"
    assert client.ask("scenario")["scenario"]["name"] == "Mine"
    assert client.ask("new", scenario={**scenario, "name": "Sent"})["tell"] == "state"
    assert client.ask("scenario")["scenario"]["name"] == "Sent"
    record = client.ask("record")["record"]
    assert client.ask("resume", record=record)["revision"] == 0


def test_resume_goes_on_saving(tmp_path: Path) -> None:
    """A game that saves itself is resumed from its file where it stopped, and goes on saving there."""
    path = tmp_path / "game.json"
    chance = random.Random(5)
    client = Client(seed=2, seats={C: "random"}, record=str(path))
    for state in client.play(chance):
        if state["turn"] == 3:
            break
    again = Client()
    resumed = again.ask("resume", record=str(path))
    assert resumed == client.ask("state")
    assert resumed["seats"] == {T: "client", C: "random"}
    again.state = resumed
    assert list(again.play(chance))[-1]["over"]
    assert len(load_record(path).choices) == again.state["revision"]


def test_new_record_overwrites_nothing(tmp_path: Path) -> None:
    """A new game is not saved over a file that is there."""
    path = tmp_path / "game.json"
    path.write_text("mine")
    assert Client().refused("new", scenario="basic", record=str(path)) == "bad-value"
    assert Client().refused("new", scenario="basic", record=str(tmp_path / "no" / "x.json")) == "bad-value"
    assert path.read_text() == "mine"


def test_scripted_dice() -> None:
    """Dice fall as the client says, and an error says when they are used up."""
    client = Client(seed=1, dice=[], seats={T: "random", C: "random"})
    answer = client.ask("go", choices=100_000)
    assert (answer["kind"], answer["reason"]) == ("bad-value", "dice: the scripted rolls are used up")
    assert client.ask("state")["tell"] == "state"


# Asking


def test_decisions_and_their_options_agree() -> None:
    """Every group's options are as many as promised, and all groups together are all options."""
    client = Client(seed=6)
    chance = random.Random(4)
    for state in client.play(chance):
        if state["phase"] == "clonemaster-move":
            break
    found = next(one for one in client.ask("decisions")["decisions"] if one["kind"] == "clonemaster-move")
    choices = []
    for group in found["groups"]:
        page = client.ask("options", side=C, group=group["name"], limit=10_000)
        assert page["total"] == group["options"] == len(page["options"])
        assert page["next"] is None
        choices += page["options"]
    paged: list[Message] = []
    at: int | None = 0
    while at is not None:
        page = client.ask("options", side=C, start=at, limit=7)
        paged += page["options"]
        at = page["next"]
    assert paged == choices
    prices = [option["price"] for option in choices if option["choice"]["do"] == "move"]
    assert prices
    assert all(isinstance(price, int) for price in prices)
    legal = client.ask("why", side=C, choice=chance.choice(choices)["choice"])
    assert (legal["legal"], legal["reason"], legal["rule"]) == (True, "", "")


def test_why_not_with_the_rule() -> None:
    """What is not allowed is explained with its rule, before it is tried and when it is."""
    client = Client(seed=1)
    choice = {
        "do": "set-abilities",
        "figure": "Rising Dream",
        "fist": 4,
        "kick": 0,
        "mist": 1,
        "soul": 1,
        "heart": 1,
    }
    answer = client.ask("why", side=T, choice=choice)
    assert (answer["legal"], answer["rule"]) == (False, "6.1")
    refused = client.ask("choose", side=T, choice=choice, revision=0)
    assert refused["kind"] == "illegal-choice"
    assert (refused["reason"], refused["rule"]) == (answer["reason"], answer["rule"])
    assert client.ask("state") == client.state


def test_stale_choice() -> None:
    """A choice for a decision that is no longer open changes nothing, even if it would be legal now."""
    client = Client(seed=1)
    choice = {"do": "set-abilities", "figure": "Rising Dream", **dict.fromkeys(("fist", "kick"), 2)}
    choice |= dict.fromkeys(("mist", "soul", "heart"), 1)
    state = client.ask("choose", side=T, choice=choice, revision=0)
    assert state["revision"] == 1
    assert client.refused("choose", side=T, choice=choice, revision=0) == "stale-choice"
    assert client.refused("choose", side=T, choice=choice, revision=10**6) == "stale-choice"
    assert client.ask("state") == state


def test_undo() -> None:
    """A choice without a roll or a reveal is taken back; then there is nothing more to take back."""
    client = Client(seed=1)
    choice = client.ask("options", side=C, limit=1)["options"][0]["choice"]
    state = client.ask("choose", side=C, choice=choice, revision=0)
    assert state["undo"] == [C]
    assert client.refused("undo", side=T) == "illegal-choice"
    assert client.refused("undo", side=C, revision=0) == "stale-choice"
    undone = client.ask("undo", side=C, revision=1)
    assert undone["revision"] == 2
    assert [one["revision"] for one in undone["asked"]] == [0, 2]
    assert (undone["undo"], undone["events"]) == ([], client.state["events"])
    assert client.refused("choose", side=C, choice=choice, revision=0) == "stale-choice"
    assert client.refused("undo", side=C) == "illegal-choice"


def test_events_are_paged() -> None:
    """Events come in pages, each with the number where the next one starts."""
    client = Client(seed=1, seats={T: "random", C: "random"})
    state = client.ask("go", choices=100_000)
    seen: list[Message] = []
    while True:
        page = client.ask("events", viewer="public", since=len(seen), limit=50)
        seen += page["events"]
        assert page["next"] == len(seen)
        if not page["events"]:
            break
    assert len(seen) == page["total"] == state["events"]["public"]
    assert client.ask("events", viewer="public", since=10**9)["next"] == len(seen)
    assert all(event["event"] and event["rule"] for event in seen)


def test_seats_change_hands() -> None:
    """A bot takes the client's seat and gives it back; another bot takes the first one's."""
    client = Client(seed=1, seats={C: "random"})
    state = client.ask("seat", side=T, player="rulebook")
    assert state["seats"] == {T: "rulebook", C: "random"}
    assert client.ask("go", choices=30)["revision"] == 30
    state = client.ask("seat", side=T, player="client")
    assert state["asked"] or state["over"]
    assert {one["side"] for one in state["asked"]} == {T}
    assert client.ask("seat", side=C, player="rulebook")["seats"][C] == "rulebook"
    assert client.refused("seat", side="nobody", player="random") == "bad-value"
    assert client.refused("seat", side=C, player="nobody") == "bad-value"


# Secrets


@pytest.mark.parametrize(("own", "other"), [(T, C), (C, T)])
def test_the_other_side_is_out_of_bounds(own: str, other: str) -> None:
    """Whoever asked for one seat is refused whatever tells of the other, at every moment until the end."""
    client = Client(seats={other: "random"})
    chance = random.Random(6)
    choice = {"do": "end-phase"}
    for state in client.play(chance):
        if state["over"]:
            break
        assert state["seed"] is None
        assert set(state["events"]) == {own, "public"}
        assert {one["side"] for one in state["asked"]} <= {own}
        if chance.randrange(8):
            continue
        for what, fields in (
            ("view", {"viewer": other}),
            ("view", {"viewer": "open"}),
            ("events", {"viewer": other}),
            ("events", {"viewer": "open"}),
            ("options", {"side": other}),
            ("why", {"side": other, "choice": choice}),
            ("choose", {"side": other, "choice": choice, "revision": state["revision"]}),
            ("undo", {"side": other}),
            ("seat", {"side": other, "player": "client"}),
            ("record", {}),
        ):
            assert client.refused(what, **fields) == "not-yours"
        found = client.ask("decisions")["decisions"]
        assert {one["side"] for one in found} <= {own}
    assert client.state["seed"]
    assert client.ask("record")["record"]["choices"]
    assert client.ask("view", viewer="open")["tell"] == "view"


def test_hidden_set_up_changes_no_byte() -> None:
    """R29: until the game shows it, two set-ups of the other side give the client the same bytes."""
    told: list[list[Message]] = []
    for bot in ("random", "rulebook"):
        client = Client(seed=1, seats={C: bot})
        said = []
        chance = random.Random(7)
        for state in client.play(chance):
            if state["phase"] != "set-up":
                break
            said += [{**state, "seats": None}, client.ask("view", viewer=T), client.ask("events", viewer=T)]
        said.append(client.ask("view", viewer="public"))
        told.append(said)
    one, other = told
    assert one[:-1] == other[:-1]
    hidden = [view["view"]["face_down"] for view in (one[-1], other[-1])]
    assert hidden[0] != hidden[1]


def test_seat_given_away_keeps_its_secrets_only() -> None:
    """Giving the own seat to a bot opens nothing of the other side's."""
    client = Client(seats={C: "random"})
    client.ask("seat", side=T, player="random")
    assert client.refused("view", viewer=C) == "not-yours"
    assert client.refused("record") == "not-yours"
    assert client.refused("options", side=T) == "not-yours"
    assert client.ask("view", viewer=T)["tell"] == "view"


def test_own_file_opens_no_secrets(tmp_path: Path) -> None:
    """A game begun on one side is not resumed on the other before it is over."""
    path = str(tmp_path / "game.json")
    client = Client(seats={C: "random"}, record=path)
    for seats in ({C: "client"}, {T: "random", C: "client"}):
        assert client.refused("resume", record=path, seats=seats) == "not-yours"
    assert client.ask("resume", record=path) == client.state
    client.state = client.ask("seat", side=T, player="random")
    assert client.ask("go", choices=100_000)["over"]
    assert client.ask("resume", record=path, seats={C: "client"})["tell"] == "state"


# Bad lines


def test_hello_comes_first() -> None:
    """Nothing is answered before hello, which refuses a version that is not spoken."""
    engine = TextEngine()
    for line, kind in (
        (b'{"ask": "new", "scenario": "basic"}', "version"),
        (b'{"ask": "state"}', "version"),
        (b'{"ask": "hello", "version": 99}', "version"),
    ):
        assert json.loads(engine.answer(line) or b"")["kind"] == kind
    hello = json.loads(engine.answer(b'{"ask": "hello", "version": 1, "id": 1}') or b"")
    assert (hello["tell"], hello["version"], hello["id"]) == ("hello", 1, 1)
    assert hello["scenarios"] == dict(shipped())
    assert json.loads(engine.answer(b'{"ask": "state"}') or b"")["kind"] == "no-game"


@pytest.mark.parametrize(
    ("what", "fields", "kind"),
    [
        ("new", {"scenario": "nosuch"}, "bad-file"),
        ("new", {"scenario": "x" * 5000}, "bad-value"),
        ("new", {"scenario": "a\0b.json"}, "bad-file"),
        ("new", {"scenario": ""}, "bad-file"),
        ("new", {"scenario": "/"}, "bad-file"),
        ("new", {"scenario": 5}, "bad-file"),
        ("new", {"scenario": {}}, "bad-file"),
        ("new", {"scenario": None}, "bad-file"),
        ("new", {"scenario": {"format": "kungfu2100.scenario", "version": 1}}, "bad-file"),
        ("new", {"scenario": "basic", "seats": {"nobody": "random"}}, "bad-value"),
        ("new", {"scenario": "basic", "seats": {T: "nobody"}}, "bad-value"),
        ("new", {"scenario": "basic", "names": {"nobody": "x"}}, "bad-value"),
        ("resume", {"record": "nosuch"}, "bad-file"),
        ("resume", {"record": {}}, "bad-file"),
        ("resume", {"record": [1]}, "bad-file"),
        ("view", {"viewer": "nobody"}, "bad-value"),
        ("view", {"viewer": ""}, "bad-value"),
        ("events", {"viewer": "nobody"}, "bad-value"),
        ("options", {"side": "nobody"}, "bad-value"),
        ("options", {"side": T, "group": "nobody"}, "bad-value"),
        ("choose", {"side": T, "choice": 5, "revision": 0}, "bad-value"),
        ("choose", {"side": T, "choice": {}, "revision": 0}, "bad-value"),
        ("choose", {"side": T, "choice": {"do": "fly"}, "revision": 0}, "bad-value"),
        ("choose", {"side": T, "choice": {"do": "ready"}, "revision": 0}, "illegal-choice"),
        ("choose", {"side": T, "choice": {"do": "place", "figure": "J-1", "square": [0, 0]}, "revision": 0},
         "illegal-choice"),
        ("why", {"side": T, "choice": "x"}, "bad-value"),
        ("undo", {"side": T}, "illegal-choice"),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_asked(what: str, fields: Message, kind: str) -> None:
    """What cannot be done is an error of its kind, and the game stays as it was."""
    client = Client(seed=1)
    assert client.refused(what, **fields) == kind
    assert client.ask("state") == client.state


def test_nothing_a_line_holds_ends_the_conversation() -> None:
    """After thousands of odd lines, an answer to each, the game is still there."""
    client = Client(seed=1, seats={C: "random"})
    chance = random.Random(8)
    good = [
        b'{"ask": "state", "id": 1}',
        b'{"ask": "options", "side": "terminator", "limit": 3}',
        b'{"ask": "why", "side": "terminator", "choice": {"do": "move", "figure": "J-1", "path": [[1, 2]]}}',
        b'{"ask": "resume", "record": {"format": "kungfu2100.record", "version": 1, "scenario": {}}}',
        b'{"ask": "new", "scenario": {"format": "kungfu2100.scenario", "version": 1, "map": 3}}',
        b'{"ask": "events", "viewer": "terminator", "since": 3, "limit": 4}',
    ]
    odd = [
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"\xff\xfe",
        b"null",
        b'"\\ud800"',
        b"\x00",
        b"1e999",
        b"{}" * 1000,
    ]
    odd += [
        b'{"ask": "new", "scenario": "\\ud800"}',
        b'{"ask": "why", "side": "terminator", "choice": 1e999}',
    ]
    for _ in range(3000):
        if chance.randrange(20) == 0:
            line = chance.choice(odd)
        else:
            changed = bytearray(chance.choice(good))
            for _ in range(chance.randrange(4)):
                at = chance.randrange(len(changed))
                changed[at : at + chance.randrange(3)] = bytes(
                    chance.randrange(256) for _ in range(chance.randrange(3))
                )
            line = bytes(changed).replace(b"\n", b"")
        if not line.strip():
            continue
        answer = client.line(line)
        assert answer["tell"] != "error" or answer["kind"] in set(ERRORS) - {"internal"}, (line, answer)
    assert client.ask("state") == client.state


def test_errors_count_lines() -> None:
    """An error has the number of its line, blank ones counted, and the id where one can be made out."""
    given = io.BytesIO(b'\n  \n{"ask": "hello", "version": 1}\nnonsense\n{"ask": "dance", "id": "z"}')
    sink = io.BytesIO()
    serve(given, sink)
    hello, *errors = map(json.loads, sink.getvalue().splitlines())
    assert hello["tell"] == "hello"
    assert [(error["line"], error.get("id")) for error in errors] == [(4, None), (5, "z")]


def test_lines_too_long_are_skipped() -> None:
    """A line beyond the limit is not kept in memory, and the next one is read from its start."""
    source = io.BytesIO(b"ab\n" + b"x" * 100 + b"\n" + b"y" * 10 + b"\ncd\n" + b"z" * 50)
    assert list(lines(source, 10)) == [
        (b"ab\n", False),
        (b"", True),
        (b"y" * 10 + b"\n", False),
        (b"cd\n", False),
        (b"", True),
    ]
    answer = TextEngine().answer(b"", is_too_long=True)
    assert json.loads(answer or b"")["kind"] == "bad-line"


def test_quit_and_end_of_input() -> None:
    """`quit` is the last line answered; the end of the input needs none; both exit with 0."""
    for given, count in ((b'{"ask": "quit"}\n{"ask": "quit"}\n', 1), (b"", 0), (b'{"ask": "quit"}', 1)):
        with start("engine") as process:
            out, err = process.communicate(given, timeout=60)
        assert (process.returncode, err) == (0, b"")
        assert out == b'{"tell":"quit"}\n' * count


def test_nobody_reads_the_answers() -> None:
    """A client that is gone ends the engine without complaint."""
    with start("engine") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(b'{"ask": "quit"}\n' * 3, timeout=60)
    assert process.returncode == 141
    assert err == b""


def test_fault_of_the_program_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours is told as one, and the conversation goes on."""
    client = Client(seed=1)

    def broken(*args: object) -> None:
        raise KeyError("oh")

    with monkeypatch.context() as patch:
        patch.setattr("app.desk.options_page", broken)
        answer = client.ask("options", side=T)
    assert (answer["kind"], answer["reason"]) == ("internal", "KeyError: 'oh'")
    assert client.ask("state") == client.state


def test_takeback_by_consent() -> None:
    """What undo does not reach is asked for with the game's revision; a client of both sides answers too."""
    client = Client(seed=1)
    choice = client.ask("options", side=C, limit=1)["options"][0]["choice"]
    state = client.ask("choose", side=C, choice=choice, revision=0)
    assert state["takeback"] == {C: "the last step of the CloneMaster player's set-up"}
    ask = {"do": "ask-takeback"}
    assert client.refused("choose", side=C, choice=ask, revision=0) == "stale-choice"
    assert client.refused("choose", side=T, choice=ask, revision=1) == "illegal-choice"
    state = client.ask("choose", side=C, choice=ask, revision=state["revision"])
    assert [(one["side"], one["kind"]) for one in state["asked"]] == [(T, "takeback")]
    assert (state["takeback"], state["undo"]) == ({}, [])
    options = client.ask("options", side=T)["options"]
    assert [one["choice"] for one in options] == [
        {"do": "answer-takeback", "agrees": True},
        {"do": "answer-takeback", "agrees": False},
    ]
    agreed = client.ask("choose", side=T, choice=options[0]["choice"], revision=state["asked"][0]["revision"])
    assert [one["kind"] for one in agreed["asked"]] == ["set-up-terminator", "set-up-clonemaster"]
    events = client.ask("events", viewer="public")["events"]
    assert [one["event"] for one in events] == ["takeback-asked", "takeback-answered"]
    assert agreed["takeback"] == {}


def test_a_bot_answers_a_takeback_at_once() -> None:
    """Against the rulebook bot the answer has come with the state."""
    client = Client(seed=1, seats={C: "rulebook"})
    choice = client.ask("options", side=T, limit=1)["options"][0]["choice"]
    state = client.ask("choose", side=T, choice=choice, revision=0)
    state = client.ask("choose", side=T, choice={"do": "ask-takeback"}, revision=state["revision"])
    assert [one["kind"] for one in state["asked"]] == ["set-up-terminator"]
    events = client.ask("events", viewer="public")["events"]
    assert events[-1]["event"] == "takeback-answered"
    assert events[-1]["agrees"]


def test_a_draw_by_agreement() -> None:
    """Either side offers with the game's revision at any time; agreed, the game is over without a rule."""
    client = Client(seed=1)
    assert client.state["draw"] == [T, C]
    offer = {"do": "ask-draw"}
    assert client.refused("choose", side=C, choice=offer, revision=7) == "stale-choice"
    state = client.ask("choose", side=C, choice=offer, revision=0)
    assert [(one["side"], one["kind"], one["rule"]) for one in state["asked"]] == [(T, "draw", "")]
    assert (state["draw"], state["takeback"], state["undo"]) == ([], {}, [])
    declined = client.ask(
        "choose",
        side=T,
        choice={"do": "answer-draw", "agrees": False},
        revision=state["asked"][0]["revision"],
    )
    assert declined["draw"] == [T]
    assert "declined" in client.ask("why", side=C, choice=offer)["reason"]
    state = client.ask("choose", side=T, choice=offer, revision=declined["revision"])
    (yes, no) = (one["choice"] for one in client.ask("options", side=C)["options"])
    assert (yes["agrees"], no["agrees"]) == (True, False)
    over = client.ask("choose", side=C, choice=yes, revision=state["asked"][0]["revision"])
    assert over["over"]
    assert (over["outcome"]["winner"], over["outcome"]["is_agreed"]) == ("draw", True)
    events = client.ask("events", viewer="public")["events"]
    assert [one["event"] for one in events[:4]] == ["draw-asked", "draw-answered"] * 2
    assert (events[-1]["event"], events[-1]["rule"]) == ("game-ended", "")
    record = client.ask("record")["record"]
    again = client.ask("resume", record=record)
    assert again["outcome"] == over["outcome"]


def test_a_bot_declines_a_draw_at_once() -> None:
    """Against the rulebook bot the answer has come with the state; only the client's side may offer."""
    client = Client(seed=1, seats={C: "rulebook"})
    assert client.state["draw"] == [T]
    assert client.refused("choose", side=C, choice={"do": "ask-draw"}, revision=0) == "not-yours"
    state = client.ask("choose", side=T, choice={"do": "ask-draw"}, revision=0)
    assert not state["over"]
    assert [one["kind"] for one in state["asked"]] == ["set-up-terminator"]
    events = client.ask("events", viewer="public")["events"]
    assert (events[-1]["event"], events[-1]["agrees"]) == ("draw-answered", False)
