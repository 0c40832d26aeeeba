"""Contract 5 at a table: the bytes that leave a host hold nothing that their receiver may not know (R29)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.lan.guest.remote import RemoteMatch
from app.lan.host import table as module
from app.lan.host.folder import HostFolder
from app.lan.host.server import Server
from app.lan.host.table import Guest, Options, Table
from engine.core.decision import Choice, IllegalChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import (
    DoneAnswer,
    SealsAnswer,
    UpdateAnswer,
    WelcomeAnswer,
    parse_lan_answer,
    parse_lan_request,
)
from engine.core.match import OPEN, PUBLIC
from engine.core.protocol import CLIENT, Refusal, format_message
from engine.core.shares import seal_of
from engine.raid import choices as c
from engine.raid.figures import OTHER_SIDE, SIDES
from engine.raid.match import RULES, RaidMatch
from engine.raid.scenario import Scenario
from engine.raid.state import State
from tests.helpers.caller import Caller, hosted
from tests.helpers.lan import SECRET, C, T, Time, key, open_shares, seals_of
from tests.helpers.raid import open_room, position
from tests.raid.test_contracts import SCENARIOS, imaginable, seated, state_of, step, twist

SHARE = "5ec2e7" + "0" * 58  # the host's share of the dice in these games
TOKENS = {T: key("1"), C: key("2"), "": key("3")}
SHARES = {T: key("a"), C: key("b"), "": key("c")}
LONG = 5000  # choices that no game has


@pytest.fixture(autouse=True)
def _same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table throw the same dice."""
    monkeypatch.setattr(module, "make_share", lambda: SHARE)


def table_of(scenario: Scenario, folder: Path) -> Table:
    """Return a table of two players and one who looks on, the game just begun."""
    laid = Options(title=scenario.name, host="Host", scenario=scenario, seats=dict.fromkeys(SIDES, CLIENT))
    table = Table.new("AB", SECRET, laid, folder, Time())
    for name, seat in (("Ann", T), ("Bob", C), ("Eve", "watch")):
        side = "" if seat == "watch" else seat
        table.sit(name, seat, seals_of(SHARES[side]), TOKENS[side])
    open_shares(table, "a", "b")
    return table


def match_of(table: Table) -> RaidMatch:
    """Return the game of a table, which has begun."""
    assert table.match is not None
    return table.match


def guest_of(table: Table, side: str) -> Guest:
    """Return who has a side, or looks on ("")."""
    return next(one for one in table.guests if one.side == side)


def go_on(table: Table, players: dict[str, Any], choices: int) -> None:
    """Let players make so many choices at a table, in no hurry to save them."""
    match = match_of(table)
    match._writer = None
    for _ in range(choices):
        if match.is_over:
            break
        step(match, players)
    table._game_changed()


# What is heard


def heard(table: Table, side: str) -> list[bytes]:
    """Return what a guest is told on coming back: everything, however long he has been there."""
    guest = table.return_(TOKENS[side])
    return [format_message(answer) for answer in table.pushes(guest)]


def answered(table: Table, guest: Guest, ask: str, **fields: Any) -> bytes:
    """Return the bytes of the answer to a request, of its refusal where there is none."""
    request = parse_lan_request(msgspec.json.encode({"ask": ask, "id": 7, **fields}))
    try:
        return format_message(table.answer(guest, request))
    except IllegalChoice as refused:
        return format_message(Refusal.of(refused).answer(1, 7))
    except Refusal as refusal:
        return format_message(refusal.answer(1, 7))


def answers(table: Table, side: str, wishes: list[Choice]) -> Iterator[tuple[Any, bytes]]:
    """Ask everything that can be asked without changing the game, as a guest who wants to know too much."""
    guest, match = guest_of(table, side), match_of(table)
    yield "state", answered(table, guest, "state")
    yield "decisions", answered(table, guest, "decisions")
    yield "record", answered(table, guest, "record")
    for viewer in (*SIDES, PUBLIC, OPEN, "nobody"):
        yield ("view", viewer), answered(table, guest, "view", viewer=viewer)
        yield ("events", viewer), answered(table, guest, "events", viewer=viewer, since=3, limit=50)
    for one in SIDES:
        yield ("options", one), answered(table, guest, "options", side=one, limit=300)
        yield ("group", one), answered(table, guest, "options", side=one, group="J-1", limit=10)
        if one != side or not match.can_undo(one):
            yield ("undo", one), answered(table, guest, "undo", side=one, revision=match.revision)
        for choice in wishes:
            packed = msgspec.to_builtins(choice)
            yield ("why", one, choice), answered(table, guest, "why", side=one, choice=packed)
            if one != side or match.why(one, choice) is not None:
                refused = answered(table, guest, "choose", side=one, choice=packed, revision=match.revision)
                yield ("choose", one, choice), refused


def everything(table: Table, side: str, truth: State, wishes: list[Choice]) -> list[Any]:
    """Return all that a guest can hear of a table where this is the truth."""
    match = match_of(table)
    match._course.state = truth
    match._ask(None)
    return [*heard(table, side), *answers(table, side, wishes)]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_two_truths_sound_alike_to_who_may_not_tell_them_apart(scenario: Scenario, tmp_path: Path) -> None:
    """Contract 5: what differs only in secrets is told, answered and refused in the same bytes."""
    rng = random.Random(scenario.name)
    table = table_of(scenario, tmp_path)
    players = seated(match_of(table), "rulebook", 5)
    while not table.is_over:
        truth = state_of(match_of(table))
        for number, side in enumerate(SIDES):
            other, wishes = twist(truth, number, rng), imaginable(truth, rng, 12)
            for listener in (side, ""):
                one = everything(table, listener, truth, wishes)
                assert one == everything(table, listener, other, wishes)
        match_of(table)._course.state = truth
        match_of(table)._ask(None)
        go_on(table, players, rng.randrange(30, 200))


# On the wire


def next_update(caller: Caller) -> bytes:
    """Return the next message that tells how the game stands, as it came over the line."""
    while True:
        raw = caller.wire.recv(10.0, decode=False)
        if raw.startswith(b'{"tell":"update"'):
            return raw


def tell_anew(table: Table, truth: State) -> None:
    """Let a table tell all its guests everything, as if this were the truth."""
    match = match_of(table)
    match._course.state = truth
    match._ask(None)
    for guest in table.guests:
        guest.told.clear()
        guest.last = None
        guest.wants_update = True
    table.on_change()


def test_two_truths_are_the_same_on_the_wire(tmp_path: Path) -> None:
    """Contract 5: over TLS and WebSocket each connection gets what its own seat may know, and no other's."""
    rng = random.Random(6)
    folder = HostFolder(tmp_path / "host")
    server = Server([], folder.identity, "Attic", bind="127.0.0.1")
    laid = Options(title="", host="Attic", scenario=SCENARIOS[0], seats=dict.fromkeys(SIDES, CLIENT))
    with ExitStack() as stack:
        stack.callback(folder.close)
        thread = stack.enter_context(hosted(server))
        table = thread.call(lambda: folder.new_table(laid))
        thread.call(lambda: server.add(table))
        callers = {}
        for seat in (T, C, "watch"):
            callers[seat] = stack.enter_context(Caller(server.port))
            callers[seat].join(table.name + table.secret, seat, seat)
        for seat in (T, C):
            callers[seat].until(SealsAnswer)
        for caller in callers.values():
            next_update(caller)
        players = seated(match_of(table), "rulebook", 4)

        def heard_of(truth: State) -> dict[str, bytes]:
            thread.call(lambda: tell_anew(table, truth))
            return {seat: next_update(caller) for seat, caller in callers.items()}

        for _ in range(6):
            truth = state_of(match_of(table))
            for number, side in enumerate(SIDES):
                one, other = heard_of(truth), heard_of(twist(truth, number, rng))
                assert one[side] == other[side]
                assert one["watch"] == other["watch"]
                for seat in callers:
                    assert set(msgspec.json.decode(one[seat])["views"]) <= {seat, PUBLIC}
            heard_of(truth)
            thread.call(lambda: go_on(table, players, 50))
            if table.is_over:
                break
            for caller in callers.values():
                next_update(caller)
        assert match_of(table).length > 100


# What the other does


def secret_choices(table: Table, by: str) -> list[Any]:
    """Return choices of a side of which nobody else may learn which one it was."""
    decision = match_of(table).decision(by)
    if decision is None:
        return []
    options = list(decision.options.of(decision.options.groups[0]))
    if decision.kind == "choose-counters" and match_of(table).decision(OTHER_SIDE[by]) is not None:
        return options
    if decision.kind.startswith("set-up"):
        return options
    if decision.kind == "lose-ability":
        # A Mountain Heart is told of when it recovers, a last level when its figure falls.
        lost = [one for one in options if isinstance(one, c.LoseAbility) and one.ability != "heart"]
        state = state_of(match_of(table))
        return lost if state.total(state.current_fight().injured) > 1 else []
    return []


def news_of(table: Table, by: str, choice: Any, listener: str, folder: Path) -> list[bytes]:
    """Return what a guest is told when a side makes a choice, at a table taken up again from its folder."""
    shutil.copytree(table.folder, folder)
    again = Table.resume(folder, Time())
    for side in TOKENS:
        heard(again, side)
    decision = match_of(again).decision(by)
    assert decision is not None
    packed = msgspec.to_builtins(choice)
    answered(again, guest_of(again, by), "choose", side=by, choice=packed, revision=decision.revision)
    assert match_of(again).length == match_of(table).length + 1
    guest = guest_of(again, listener)
    return [format_message(answer) for answer in again.pushes(guest)] + heard(again, listener)


def test_what_the_other_side_chose_in_secret_is_not_heard(tmp_path: Path) -> None:
    """R16, R24, 6.1: levels, places, counters and injuries are told in the same bytes, whichever they are."""
    rng = random.Random(2)
    kinds: dict[str, int] = {}
    table = table_of(SCENARIOS[0], tmp_path / "table")
    players = seated(match_of(table), "rulebook", 9)
    while not table.is_over and (len(kinds) < 4 or min(kinds.values()) < 2):
        for by in SIDES:
            decision, choices = match_of(table).decision(by), secret_choices(table, by)
            if decision is None or len(choices) < 2 or kinds.get(decision.kind, 0) > 1:
                continue
            match_of(table).save()
            kinds[decision.kind] = kinds.get(decision.kind, 0) + 1
            for listener in (OTHER_SIDE[by], ""):
                where = tmp_path / f"{len(kinds)} {kinds[decision.kind]} {by} {listener}"
                one, other = rng.sample(choices, 2)
                first = news_of(table, by, one, listener, where / "one")
                assert first == news_of(table, by, other, listener, where / "other")
        step(match_of(table), players)
    assert set(kinds) == {"set-up-terminator", "set-up-clonemaster", "choose-counters", "lose-ability"}


def test_of_a_secret_choice_nothing_is_heard(tmp_path: Path) -> None:
    """R16, 6.1: while both choose in secret nothing is told; who comes back hears the count of choices."""
    rng = random.Random(4)
    table = table_of(SCENARIOS[1], tmp_path)
    match = match_of(table)
    players = seated(match, "rulebook", 9)
    kinds: set[str] = set()
    while not table.is_over and len(kinds) < 3:
        if len([one for one in match.decisions() if not one.optional]) < 2:
            go_on(table, players, 1)
            continue
        by = rng.choice(SIDES)
        decision = match.decision(by)
        assert decision is not None
        before = {listener: uncounted(table, listener) for listener in (OTHER_SIDE[by], "")}
        for listener in before:
            table.pushes(guest_of(table, listener))
        choice = players[by].decide(match.view(by), decision)
        match.submit(by, choice)
        table._game_changed()
        if match.decision(by) is not None and match.decision(OTHER_SIDE[by]) is not None:
            kinds.add(decision.kind)
            assert not any(table.pushes(guest_of(table, listener)) for listener in before)
            assert before == {listener: uncounted(table, listener) for listener in before}
    assert kinds == {"set-up-terminator", "set-up-clonemaster", "choose-counters"}


def uncounted(table: Table, listener: str) -> list[Any]:
    """Return what a guest is told on coming back, without how many choices there were, and whose the last."""
    said = [msgspec.json.decode(raw) for raw in heard(table, listener)]
    for told in said:
        if told["tell"] == "update":
            del told["length"], told["state"]["revision"], told["state"]["undo"]
    return said


# Scenarios that begin in the middle of a game


def started(*, terminator: str, jelly: str, clonemaster: str, servant: str) -> Scenario:
    """Return a scenario with a start position: levels of two warriors, squares of two face-down counters."""
    figures = f"""
    Rising Dream  1,0  {terminator}
    Shadow Lotus  0,1  - / fist2 soul2 heart1
    J-2  3,0  {jelly} / kick1 weapon1 soul1
    CloneMaster  {clonemaster}  down
    Servant 1  {servant}  down"""
    return position(open_room(6, 3), figures, turns=2)


@pytest.mark.parametrize("listener", [T, C, ""], ids=["terminator", "clonemaster", "watch"])
def test_a_position_to_start_from_tells_no_secret(listener: str, tmp_path: Path) -> None:
    """R29: a scenario travels without what it says of counters face down and of the other side's levels."""
    mine = {"terminator": "fist1 kick1 / fist2 kick2"} if listener == T else {}
    theirs = {"clonemaster": "4,1", "servant": "5,2", "jelly": "kick1 soul1"} if listener == C else {}
    truths = (
        {
            "terminator": "fist1 kick1 / fist2 kick2",
            "jelly": "kick1 soul1",
            "clonemaster": "4,1",
            "servant": "5,2",
        },
        {
            "terminator": "mist1 soul1 / soul3 mist1",
            "jelly": "weapon1 soul1",
            "clonemaster": "5,2",
            "servant": "4,1",
        },
    )
    told = []
    for number, truth in enumerate(truths):
        table = table_of(started(**{**truth, **mine, **theirs}), tmp_path / str(number))
        welcome = format_message(table.welcome(guest_of(table, listener), ""))
        said = [welcome, answered(table, guest_of(table, listener), "scenario"), *heard(table, listener)]
        guest = follower(welcome, said)
        assert guest.view(PUBLIC) == match_of(table).view(PUBLIC)
        assert len(guest.decisions()) == (1 if listener else 0)
        told.append(said)
    assert told[0] == told[1]


def follower(welcome: bytes, said: list[bytes]) -> RemoteMatch:
    """Return the game as a guest's program has it who has heard this."""
    answer = parse_lan_answer(welcome)
    assert isinstance(answer, WelcomeAnswer)
    guest = RemoteMatch(answer, lambda request: DoneAnswer())
    for told in map(parse_lan_answer, said):
        if isinstance(told, UpdateAnswer):
            guest.take(told)
    return guest


@pytest.mark.parametrize("listener", [T, C, ""], ids=["terminator", "clonemaster", "watch"])
def test_the_record_of_a_started_game_is_found_sound(listener: str, tmp_path: Path) -> None:
    """The record opens the whole position; it is the one that was sent, but for its secrets."""
    truth = {"terminator": "fist1 / fist2 kick2", "jelly": "kick1", "clonemaster": "4,1", "servant": "5,2"}
    table = table_of(started(**truth), tmp_path)
    welcome = format_message(table.welcome(guest_of(table, listener), ""))
    go_on(table, seated(match_of(table), "rulebook", 3), LONG)
    record = msgspec.json.decode(answered(table, guest_of(table, listener), "record"))["record"]
    guest = follower(welcome, heard(table, listener))
    assert guest.take_record(record, None).faults == ()
    assert record["scenario"] == RULES.pack_scenario(table.scenario)
    record["scenario"]["start"]["figures"][0]["square"] = [0, 2]
    with suppress(BadFile):
        assert guest.take_record(record, None).faults


# Keys and dice


def test_keys_and_dice_are_told_to_nobody_before_the_end(tmp_path: Path) -> None:
    """No message before the end has a seat's token, the join code, a share of the dice or what they make."""
    table = table_of(SCENARIOS[0], tmp_path)
    players = seated(match_of(table), "rulebook", 3)
    seed = match_of(table).record.seed
    secrets = [SHARE, seed, SECRET, *TOKENS.values(), *SHARES.values(), *(one.token for one in table.guests)]
    rng = random.Random(1)
    while not table.is_over:
        wishes = imaginable(state_of(match_of(table)), rng, 10)
        for side in TOKENS:
            said = [*heard(table, side), *(answer for _, answer in answers(table, side, wishes))]
            said.append(format_message(table.welcome(guest_of(table, side), "")))
            text = b"".join(said).decode()
            assert not [secret for secret in secrets if secret in text]
        go_on(table, players, 60)
    assert table.commitment == seal_of("host", SHARE)


def test_the_end_opens_everything_to_everybody(tmp_path: Path) -> None:
    """R29: after the end players and those who look on hear the same of all, and get the same record."""
    table = table_of(SCENARIOS[0], tmp_path)
    go_on(table, seated(match_of(table), "rulebook", 3), LONG)
    assert table.is_over
    opened, records = set(), set()
    for side in TOKENS:
        update = next(raw for raw in heard(table, side) if b'"tell":"update"' in raw)
        told = msgspec.json.decode(update)
        assert told["known"] is None
        assert told["state"]["seed"] == match_of(table).record.seed
        opened.add(msgspec.json.encode([told["views"][OPEN], told["told"][OPEN]]))
        records.add(answered(table, guest_of(table, side), "record"))
    assert len(opened) == len(records) == 1
    record = msgspec.json.decode(records.pop())["record"]
    assert record["shares"]["host"] == SHARE
    assert len(record["choices"]) == match_of(table).length
