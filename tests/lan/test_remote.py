"""The game as a guest's machine has it: the host's as far as his seat may know it, and nothing on trust."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.lan.guest import remote
from app.lan.guest.link import LinkDown
from app.lan.guest.remote import RemoteMatch
from app.lan.guest.verdict import judge
from app.lan.host.table import Guest, Table
from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.decision import Choice, Decision, IllegalChoice, StaleChoice
from engine.core.files import BadFile
from engine.core.lan_protocol import (
    WATCH,
    LanAnswer,
    TableAnswer,
    UpdateAnswer,
    WelcomeAnswer,
    parse_lan_answer,
    parse_lan_request,
)
from engine.core.protocol import (
    Answer,
    ChooseRequest,
    RecordRequest,
    Refusal,
    Request,
    UndoRequest,
    format_message,
)
from engine.core.record import format_record
from engine.core.shares import Receipt, make_share
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.raid.choices import EndPhase, Ready
from engine.raid.events import FirstPlayer, Revealed
from engine.raid.figures import CLONEMASTER, OTHER_SIDE, SIDES, TERMINATOR
from engine.raid.match import ends_undo
from engine.raid.scenario import format_scenario, load_scenario, plan_of
from tests.helpers.lan import key, new_table, open_shares, sit, told, two_at

SAMPLED = 12  # options of a decision that are compared, and choices of which is asked why not


class Seat:
    """A guest at a table without a network: every message goes through the wire's form both ways."""

    def __init__(self, table: Table, guest: Guest) -> None:
        self.table, self.guest = table, guest
        welcome = through_the_wire(table.welcome(guest, ""))
        assert isinstance(welcome, WelcomeAnswer)
        self.updates: list[UpdateAnswer] = []
        self.match = RemoteMatch(welcome, self.ask)
        self.take()

    def ask(self, request: Request) -> LanAnswer:
        """Return the host's answer, once what he tells has been taken in."""
        heard = parse_lan_request(format_message(request))
        try:
            return through_the_wire(self.table.answer(self.guest, heard))
        except IllegalChoice as refused:
            raise Refusal.of(refused) from refused
        finally:
            self.take()

    def take(self) -> None:
        """Take in what the host tells now."""
        for answer in told(self.table, self.guest):
            if isinstance(answer, UpdateAnswer):
                self.updates.append(answer)
                self.match.take(answer)
            elif isinstance(answer, TableAnswer):
                self.match.name({side: card.name for side, card in answer.card.seats.items()})

    @property
    def receipt(self) -> Receipt:
        """What was kept of joining."""
        seals = self.table._seals_answer().seals
        return Receipt(side=self.guest.side, share=self.guest.share, seals=seals)


def through_the_wire(answer: Answer) -> LanAnswer:
    """Return an answer as its receiver reads it."""
    return parse_lan_answer(format_message(answer))


def seats_at(table: Table) -> dict[str, Seat]:
    """Return two players and one who looks on, their game begun."""
    people = [*two_at(table), sit(table, "Eve", WATCH, "e", "3")]
    return {guest.side: Seat(table, guest) for guest in people}


def decider(seats: dict[str, Seat]) -> tuple[Seat, Decision]:
    """Return who must decide, and what, as his own machine has it."""
    for side in SIDES:
        for decision in seats[side].match.decisions():
            if not decision.optional:
                return seats[side], decision
    raise AssertionError("nobody must decide")


def submit(seats: dict[str, Seat], seat: Seat, choice: Choice) -> None:
    """Make a choice, and let everybody hear of it."""
    seat.match.submit(seat.match.side, choice)
    for each in seats.values():
        each.take()


def play(seats: dict[str, Seat], random: Random, choices: int = 1_000_000) -> None:
    """Let both choose at random, to the end or so many times."""
    for _ in range(choices):
        if seats[TERMINATOR].match.is_over:
            return
        seat, decision = decider(seats)
        submit(seats, seat, decision.options.sample(random))


SECRET = ("set-up-terminator", "set-up-clonemaster", "choose-counters")  # both at the same time


def compare(seat: Seat, random: Random) -> None:
    """Check that a seat has what the host's machine has of it."""
    mine, host = seat.match, seat.table.match
    assert host is not None
    viewers = (mine.side, "public") if mine.side else ("public",)
    for viewer in (*viewers, "open") if host.is_over else viewers:
        assert mine.view(viewer) == host.view(viewer)
        assert mine.events(viewer) == host.events(viewer)
        assert mine.event_count(viewer) == host.event_count(viewer)
    for viewer in {*SIDES, "open"} - {*viewers, *(("open",) if host.is_over else ())}:
        with pytest.raises(ValueError):
            mine.view(viewer)
        with pytest.raises(ValueError):
            mine.events(viewer)
    # What the other side does in secret it is not told of, not even how much (R16).
    is_up_to_date = (mine.revision, mine.length) == (host.revision, host.length)
    assert is_up_to_date or all(decision.kind in SECRET for decision in host.decisions())
    assert mine.is_over == host.is_over
    assert mine.board.plan == host.board.plan
    assert [mine.waiting(side) for side in SIDES] == [host.waiting(side) for side in SIDES]
    theirs = [one for one in host.decisions() if one.side == mine.side]
    assert len(mine.decisions()) == len(theirs)
    for own, theirs_ in zip(mine.decisions(), theirs, strict=True):
        assert (own.kind, own.prompt, own.revision, own.optional) == (
            theirs_.kind,
            theirs_.prompt,
            theirs_.revision,
            theirs_.optional,
        )
        assert own.options.groups == theirs_.options.groups
        assert own.options.side_groups == theirs_.options.side_groups
        for group in random.sample(own.options.groups, min(2, len(own.options.groups))):
            assert list(own.options.of(group)) == list(theirs_.options.of(group))
        for choice in (
            own.options.sample(random),
            Ready(),
            EndPhase(),
            AskTakeback(),
            AskDraw(),
            AnswerDraw(True),
        ):
            assert str(mine.why(mine.side, choice)) == str(host.why(mine.side, choice))
            assert own.options.price(choice) == theirs_.options.price(choice)
    if mine.side and is_up_to_date:
        assert mine.can_undo(mine.side) == host.can_undo(mine.side)
        if host.why(mine.side, AskTakeback()) is None:
            assert mine.taken_back_by(mine.side) == host.taken_back_by(mine.side)


@pytest.mark.parametrize("scenario", ["advanced", "solitaire", "all-twelve", "mountain"])
def test_a_guest_has_what_the_host_has_of_his_seat(scenario: str, tmp_path: Path) -> None:
    """Views, events, decisions with their options and prices, and refusals, for players and who looks on."""
    random = Random(scenario)
    seats = seats_at(new_table(tmp_path, scenario=scenario))
    for number in range(60):
        if seats[TERMINATOR].match.is_over:
            break
        seat, decision = decider(seats)
        if number % 7 == 3:
            for each in seats.values():
                compare(each, random)
        undoable = [one for one in seats.values() if one.match.side and one.match.can_undo(one.match.side)]
        if undoable and random.random() < 0.1:
            undoable[0].match.undo(undoable[0].match.side)
            for each in seats.values():
                each.take()
        else:
            submit(seats, seat, decision.options.sample(random))


def test_what_players_ask_one_another_reaches_the_other_machine(tmp_path: Path) -> None:
    """A takeback and a draw are asked for at any time, and answered like any decision."""
    random = Random(5)
    seats = seats_at(new_table(tmp_path))
    play(seats, random, 30)
    asker, other = seats[TERMINATOR], seats[CLONEMASTER]
    submit(seats, asker, AskTakeback())
    assert [one.kind for one in other.match.decisions()] == ["takeback"]
    assert asker.match.decisions() == ()
    assert "takeback" not in str(asker.match.why(TERMINATOR, EndPhase()))
    for seat in seats.values():
        compare(seat, random)
    submit(seats, other, AnswerTakeback(False))
    submit(seats, other, AskDraw())
    assert [one.kind for one in asker.match.decisions()] == ["draw"]
    submit(seats, asker, AnswerDraw(True))
    assert all(seat.match.is_over for seat in seats.values())
    for seat in seats.values():
        compare(seat, random)


def test_additions_to_the_map_are_on_every_machine(tmp_path: Path) -> None:
    """7.4: the doors that the CloneMaster player adds stand on the Terminators' and a watcher's board too."""
    basic = load_scenario("basic")
    extended = msgspec.structs.replace(basic, map=plan_of(basic), extra_doors=2, extra_computers=1, turns=1)
    path = tmp_path / "extras.json"
    path.write_bytes(format_scenario(extended))
    seats = seats_at(new_table(tmp_path / "table", scenario=str(path)))
    random = Random(2)
    for _ in range(3):
        before = [each.match.board.plan for each in seats.values()]
        seat, decision = decider(seats)
        assert decision.kind == "place-extras"
        submit(seats, seat, decision.options.of(decision.options.groups[0])[0])
        for each, plan in zip(seats.values(), before, strict=True):
            assert each.match.board.plan != plan
            compare(each, random)
    seats[CLONEMASTER].match.undo(CLONEMASTER)
    for each in seats.values():
        each.take()
        compare(each, random)
    play(seats, random, 10)
    for each in seats.values():
        compare(each, random)
    play(seats, random)
    for side, letter in ((TERMINATOR, "1"), (CLONEMASTER, "2"), ("", "3")):
        # Who comes back after the end, with another program, has never been told of the additions.
        table = seats[side].table
        compare(Seat(table, table.return_(key(letter))), random)


def test_seats_and_names_are_told_as_a_window_needs_them(tmp_path: Path) -> None:
    """One's own side is a human's, another person's a guest's, a bot's by the bot's name."""
    seats = seats_at(new_table(tmp_path))
    assert seats[TERMINATOR].match.seats == {TERMINATOR: "human", CLONEMASTER: "guest"}
    assert seats[""].match.seats == dict.fromkeys(SIDES, "guest")
    assert seats[CLONEMASTER].match.names == {TERMINATOR: "Ann", CLONEMASTER: "Bob"}
    table = new_table(tmp_path / "bot", seats={CLONEMASTER: "rulebook"})
    ann = Seat(table, sit(table, "Ann", TERMINATOR, "a", "1"))
    open_shares(table, "a")
    ann.take()
    assert ann.match.seats == {TERMINATOR: "human", CLONEMASTER: "rulebook"}


def test_there_is_no_game_before_all_have_come(tmp_path: Path) -> None:
    """Until then nothing can be seen or chosen, and asking is no fault."""
    table = new_table(tmp_path)
    ann = Seat(table, sit(table, "Ann", TERMINATOR, "a", "1"))
    assert not ann.match.has_begun
    assert not ann.match.is_over
    assert "not begun" in str(ann.match.why(TERMINATOR, EndPhase()))
    with pytest.raises(ValueError, match="not begun"):
        _ = ann.match.revision
    sit(table, "Bob", CLONEMASTER, "b", "2")
    ann.take()
    assert not ann.match.has_begun
    open_shares(table, "a", "b")
    ann.take()
    assert ann.match.has_begun


# Choosing


def test_what_the_host_refuses_is_an_illegal_choice(tmp_path: Path) -> None:
    """For another side, against the rules, too late, and while the connection is lost."""
    seats = seats_at(new_table(tmp_path))
    seat, decision = decider(seats)
    side = seat.match.side
    other = seats[OTHER_SIDE[side]]
    with pytest.raises(IllegalChoice, match="other player"):
        seat.match.submit(OTHER_SIDE[side], Ready())
    with pytest.raises(IllegalChoice, match="look on"):
        seats[""].match.submit(side, Ready())
    with pytest.raises(IllegalChoice):
        seat.match.submit(side, EndPhase())
    choice = decision.options[0]
    with pytest.raises(StaleChoice):
        seat.match.submit(side, choice, decision.revision + 1)
    with pytest.raises(IllegalChoice, match="nothing to take back"):
        seat.match.undo(side)
    assert seat.table.match is not None
    assert seat.table.match.length == 0

    def lose(request: Request) -> Answer:
        raise LinkDown("the connection is lost")

    lost = RemoteMatch(read_welcome(seat), lose)
    lost.take(seat.updates[-1])
    with pytest.raises(IllegalChoice, match="the host cannot be asked: the connection is lost"):
        lost.submit(side, choice)
    assert other.match.length == 0


def read_welcome(seat: Seat) -> WelcomeAnswer:
    """Return the welcome of a seat."""
    welcome = through_the_wire(seat.table.welcome(seat.guest, ""))
    assert isinstance(welcome, WelcomeAnswer)
    return welcome


def test_a_choice_goes_out_with_the_revision_of_what_it_answers(tmp_path: Path) -> None:
    """A takeback or a draw answers no decision, so it goes with that of the game."""
    seats = seats_at(new_table(tmp_path))
    play(seats, Random(1), 30)
    seat, decision = decider(seats)
    sent: list[Request] = []

    def keep(request: Request) -> Answer:
        sent.append(request)
        raise LinkDown("x")

    match = RemoteMatch(read_welcome(seat), keep)
    match.take(whole(seat))
    for choice in (decision.options[0], AskTakeback(), AskDraw()):
        with pytest.raises(IllegalChoice):
            match.submit(match.side, choice)
    revisions = [one.revision for one in sent if isinstance(one, ChooseRequest)]
    assert revisions == [decision.revision, match.revision, match.revision]
    if match.can_undo(match.side):
        with pytest.raises(IllegalChoice):
            match.undo(match.side)
        assert sent[-1] == UndoRequest(side=match.side, revision=decision.revision)


def test_an_undo_asked_again_takes_nothing_else_back(tmp_path: Path) -> None:
    """Where the answer is late and the player asks again, he means the choice that is back by now."""
    seats = seats_at(new_table(tmp_path))
    for _ in range(2):
        seat, decision = decider(seats)
        assert seat.match.side == TERMINATOR
        submit(seats, seat, decision.options[0])
    seat = seats[TERMINATOR]
    host = seat.table.match
    assert host is not None
    revision = seat.match.decisions()[0].revision
    seat.table.answer(seat.guest, UndoRequest(side=TERMINATOR, revision=revision))  # its answer is late
    assert host.length == 1
    assert host.can_undo(TERMINATOR)
    with pytest.raises(StaleChoice):
        seat.match.undo(TERMINATOR)
    assert host.length == 1
    unbound = parse_lan_request(format_message(UndoRequest(side=TERMINATOR)))
    with pytest.raises(Refusal, match="revision: missing"):
        seat.table.answer(seat.guest, unbound)
    assert host.length == 1


def whole(seat: Seat) -> UpdateAnswer:
    """Return what a seat is told that comes back: everything."""
    seat.table.return_(key("1") if seat.match.side == TERMINATOR else key("2"))
    return next(one for one in told(seat.table, seat.guest) if isinstance(one, UpdateAnswer))


# After the end


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seat]:
    """Three seats at the end of a short game."""
    seats = seats_at(new_table(tmp_path_factory.mktemp("table"), scenario="tea-house"))
    play(seats, Random(3))
    return seats


def packed_record(seat: Seat) -> dict[str, Any]:
    """Return the record as the host sends it."""
    answer = seat.ask(RecordRequest())
    packed: dict[str, Any] = answer.record  # type: ignore[union-attr]
    return packed


def judged(seat: Seat, packed: Any, receipt: Receipt | None = None) -> Any:
    """Return the verdict on a record, as a seat would have it."""
    match = seat.match
    viewers = ("public", "open", *filter(None, (match.side,)))
    events = {viewer: match.events(viewer) for viewer in viewers}
    return judge(packed, match.scenario, events, (), receipt or seat.receipt)


def test_the_record_of_an_honest_host_is_sound(finished: dict[str, Seat]) -> None:
    """Every guest has the host's record, and his machine has proved it from what he was told."""
    for seat in finished.values():
        compare(seat, Random(1))
        assert seat.table.match is not None
        verdict = seat.match.take_record(packed_record(seat), seat.receipt)
        assert verdict.faults == ()
        assert "is sound" in seat.match.verified
        assert ("yours among them" in seat.match.verified) == bool(seat.match.side)
        assert format_record(seat.match.record) == seat.table.record_path.read_bytes()


def test_there_is_no_record_before_the_host_opens_it(tmp_path: Path) -> None:
    """It tells all secrets."""
    seats = seats_at(new_table(tmp_path))
    with pytest.raises(ValueError, match="not opened"):
        _ = seats[TERMINATOR].match.record
    assert seats[TERMINATOR].match.verified == ""
    with pytest.raises(Refusal, match="secrets"):
        packed_record(seats[TERMINATOR])


def test_a_record_that_is_not_the_game_played_is_found_out(finished: dict[str, Seat]) -> None:
    """Other choices, other dice, another scenario, another share: each is named."""
    seat = finished[TERMINATOR]
    packed = packed_record(seat)
    shares = packed["shares"]
    other = make_share()
    cases = {
        "shares.host: not the one that had been sealed": {**packed, "shares": {**shares, "host": other}},
        "seed": {**packed, "shares": {**shares, "host": other}},
        "shares.terminator: not the one": {**packed, "shares": {**shares, TERMINATOR: other}},
        "shares.referee: one that nobody had sealed": {**packed, "shares": {**shares, "referee": other}},
        "is no side": {**packed, "shares": {**shares, "referee": other}},
        "shares.clonemaster: missing": {
            **packed,
            "shares": {who: share for who, share in shares.items() if who != CLONEMASTER},
        },
        "scenario": {**packed, "scenario": {**packed["scenario"], "notes": "another"}},
    }
    for word, changed in cases.items():
        verdict = judged(seat, changed)
        assert any(word in fault for fault in verdict.faults), word
        assert verdict.line.startswith("The record does not prove this game")
    without = {name: value for name, value in packed.items() if name != "shares"}
    assert any("shares" in fault for fault in judged(seat, without).faults)


def test_a_game_told_otherwise_than_it_is_recorded_is_found_out(finished: dict[str, Seat]) -> None:
    """A guest who was lied to during the game finds it out from what he was told."""
    seat = finished[CLONEMASTER]
    events = {"public": seat.match.events("public")[:-1], CLONEMASTER: seat.match.events(CLONEMASTER)}
    verdict = judge(packed_record(seat), seat.match.scenario, events, (), seat.receipt)
    assert verdict.faults == ("choices: they tell the public viewer something else than you were told",)
    rolled = next(event for event in events[CLONEMASTER] if getattr(event, "die", None) is not None)
    turned_up = next(event for event in events[CLONEMASTER] if isinstance(event, FirstPlayer | Revealed))
    for gone in (rolled, turned_up):
        verdict = judge(packed_record(seat), seat.match.scenario, {}, [gone], seat.receipt)
        assert verdict.faults == ("choices: a roll or a reveal that you saw was taken back without a word",)
    moved = next(event for event in events[CLONEMASTER] if not ends_undo(event))
    assert judge(packed_record(seat), seat.match.scenario, {}, [moved], seat.receipt).faults == ()


def test_a_verdict_says_what_was_not_heard(finished: dict[str, Seat]) -> None:
    """Whose program was started again is not told that all he ever saw was compared."""
    seat = finished[CLONEMASTER]
    verdict = seat.match.take_record(packed_record(seat), seat.receipt, has_heard_all=False)
    assert "what you were told since you came back" in verdict.line
    assert verdict.faults == ()


def test_what_is_no_record_of_a_whole_game_is_refused(finished: dict[str, Seat]) -> None:
    """Nonsense, a game cut short, and one with a choice that no rule allows."""
    seat = finished[TERMINATOR]
    packed = packed_record(seat)
    choices = packed["choices"]
    for wrong in (
        None,
        5,
        {},
        {**packed, "choices": choices[:-1]},
        {**packed, "choices": [{**choices[0], "choice": {"do": "end-phase"}}, *choices[1:]]},
        {**packed, "scenario": {}},
    ):
        with pytest.raises(BadFile):
            judged(seat, wrong)


# Nonsense


def leaves(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of everything in a JSON value."""
    found = [place]
    if isinstance(value, dict):
        for name, part in value.items():
            found += leaves(part, (*place, name))
    elif isinstance(value, list):
        for number, part in enumerate(value[:6]):
            found += leaves(part, (*place, number))
    return found


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """Return a JSON value with something else at a place."""
    if not place:
        return new
    first, *rest = place
    if isinstance(value, dict):
        return {**value, first: changed(value[first], tuple(rest), new)}
    return [*value[:first], changed(value[first], tuple(rest), new), *value[first + 1 :]]


@pytest.fixture(scope="module")
def fighting(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seat]:
    """A game in which a combat is fought."""
    seats = seats_at(new_table(tmp_path_factory.mktemp("table")))
    random = Random(11)
    while seats[TERMINATOR].match.view("public").fight is None:
        play(seats, random, 1)
    play(seats, random, 3)
    return seats


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 70_000),
    st.sampled_from([2**63, -(2**40), 0.5, "", "x" * 500, "terminator", "\n", [], [[]], {}, {"do": "ready"}]),
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_update_can_be_a_crash(fighting: dict[str, Seat], data: st.DataObject) -> None:
    """One thing in it is another: refused with a reason, or a game that can be looked at and chosen in."""
    seat = fighting[data.draw(st.sampled_from(["", *SIDES]))]
    good = msgspec.json.decode(msgspec.json.encode(whole_of(seat)))
    place = data.draw(st.sampled_from(leaves(good)))
    raw = msgspec.json.encode(changed(good, place, data.draw(JUNK)))
    match = RemoteMatch(read_welcome(seat), seat.ask)
    reason = refusal_of(match, raw)
    assert "\n" not in reason
    if reason:
        match.take(whole_of(seat))
    if not match.has_begun:
        return
    for decision in match.decisions():
        choices = list(decision.options)[:SAMPLED]
        for choice in (*choices, EndPhase(), AskTakeback()):
            match.why(decision.side, choice)
            decision.options.price(choice)
    assert match.view("public").viewer == "public"
    assert match.event_count("public") == len(match.events("public"))


def refusal_of(match: RemoteMatch, raw: bytes) -> str:
    """Return why a guest's machine does not take a message in, "" where it does."""
    try:
        update = parse_lan_answer(raw)
        if isinstance(update, UpdateAnswer):
            match.take(update)
    except (Refusal, ValueError) as error:
        return str(error) or "?"
    return ""


_wholes: dict[int, UpdateAnswer] = {}


def whole_of(seat: Seat) -> UpdateAnswer:
    """Return all that a seat has been told, as one update."""
    if id(seat) not in _wholes:
        tokens = {TERMINATOR: key("1"), CLONEMASTER: key("2"), "": key("3")}
        seat.table.return_(tokens[seat.match.side])
        _wholes[id(seat)] = next(one for one in told(seat.table, seat.guest) if isinstance(one, UpdateAnswer))
    return _wholes[id(seat)]


def test_an_update_that_is_nonsense_changes_nothing(fighting: dict[str, Seat]) -> None:
    """More events than are counted, a gap, a side's view for another, a game that goes on after its end."""
    seat = fighting[TERMINATOR]
    good = whole_of(seat)
    match = RemoteMatch(read_welcome(seat), seat.ask)
    match.take(good)
    before = (match.revision, match.events("public"), match.view(TERMINATOR))
    first = good.told["public"]
    wrong: list[dict[str, Any]] = [
        {"told": {**good.told, "public": msgspec.structs.replace(first, since=10**6)}},
        {"told": {**good.told, "public": msgspec.structs.replace(first, events=first.events[:-1])}},
        {"views": {**good.views, "public": good.views[TERMINATOR]}},
        {"views": {}},
        {"known": None},
        {"state": msgspec.structs.replace(good.state, seats={})},
    ]
    for fields in wrong:
        with pytest.raises(ValueError):
            match.take(msgspec.structs.replace(good, **fields))
        assert (match.revision, match.events("public"), match.view(TERMINATOR)) == before


@pytest.mark.parametrize(
    "scenario", [b"", b"{}", b"[]", b"5", b'{"format": "kungfu2100.scenario", "version": 1}']
)
def test_the_scenario_of_a_welcome_is_checked_like_a_file(scenario: bytes) -> None:
    """What cannot be played is no game, and says why in lines."""
    welcome = WelcomeAnswer(
        proof="",
        side=TERMINATOR,
        name="Ann",
        commitment="c" * 64,
        is_host=False,
        scenario=msgspec.Raw(scenario),
    )
    with pytest.raises(BadFile):
        RemoteMatch(welcome, lambda request: pytest.fail("nothing is asked"))


def test_a_host_leads_a_guest_back_to_no_earlier_moment(fighting: dict[str, Seat]) -> None:
    """What was told once is not untold along a connection; a host that was killed may have to go back."""
    seat = fighting[TERMINATOR]
    good = whole_of(seat)
    match = RemoteMatch(read_welcome(seat), seat.ask)
    match.take(good)
    earlier = {"state": msgspec.structs.replace(good.state, revision=good.state.revision - 1)}
    with pytest.raises(ValueError, match="earlier"):
        match.take(msgspec.structs.replace(good, **earlier))
    assert match.revision == good.state.revision
    match.begin_anew()
    match.take(msgspec.structs.replace(good, **earlier))
    assert match.revision == good.state.revision - 1
    match.take(good)
    with pytest.raises(ValueError, match="earlier"):
        match.take(msgspec.structs.replace(good, **earlier))


def test_what_was_taken_back_is_not_kept_without_end(
    fighting: dict[str, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that tells and untells the same again and again fills no memory here."""
    monkeypatch.setattr(remote, "GONE_LIMIT", 20)
    seat = fighting[TERMINATOR]
    good = whole_of(seat)
    match = RemoteMatch(read_welcome(seat), seat.ask)
    first = good.told["public"]
    assert len(first.events) > 3
    shorter = msgspec.structs.replace(first, events=first.events[:-3])
    counts = {**good.state.events, "public": len(shorter.events)}
    less = msgspec.structs.replace(
        good,
        told={**good.told, "public": shorter},
        state=msgspec.structs.replace(good.state, events=counts),
    )
    for _ in range(20):
        match.take(good)
        match.take(less)
    assert len(match._gone) == 20
