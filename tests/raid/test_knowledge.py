"""A guest's machine works out by itself what its side may choose, from what its side may know and no more."""

from __future__ import annotations

import copy
import random
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.decision import Decision
from engine.core.match import OPEN, PUBLIC
from engine.core.protocol import open_decision
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.raid import choices as c
from engine.raid.figures import OTHER_SIDE, SIDES
from engine.raid.knowledge import ASKING, KnownGame, parse_event, parse_view
from engine.raid.known_state import KnownFight, KnownState, pack, unpack
from engine.raid.log import describe
from engine.raid.match import RaidMatch
from engine.raid.problems import check_playable
from engine.raid.redact import known
from engine.raid.rules import game_of
from engine.raid.scenario import Scenario
from engine.raid.sealed_start import sealed_start
from engine.raid.state import Fight, State
from tests.helpers.designs import random_design
from tests.helpers.raid import C, T, match, open_room, plan, t
from tests.raid.test_contracts import (
    SCENARIOS,
    SLOW,
    encode,
    imaginable,
    match_at,
    moments,
    seated,
    state_of,
    step,
    twist,
)

QUICK = settings(SLOW, max_examples=12)
LIMIT = 3000  # bytes of what a choice follows from
# What no decision, price or refusal looks at; some of it tells secrets.
UNPACKED = {"dice", "game", "recovering", "trail", "fought", "outcome", "next_combat", "fight"}
UNPACKED_OF_A_FIGHT = {"queue"}


def sent(game: RaidMatch, side: str) -> Any:
    """Return what a side's machine is told, as it comes out of the message."""
    return msgspec.json.decode(encode(game.known(side)))


def taken(game: RaidMatch, side: str) -> KnownGame:
    """Return the game as a side's machine knows it."""
    mine = KnownGame(game.scenario)
    mine.take(sent(game, side), side)
    return mine


def shown(decision: Decision) -> tuple[Any, ...]:
    """Return everything of a decision that a player can see."""
    options = decision.options
    return (
        (decision.side, decision.kind, decision.rule, decision.prompt, decision.waiting, decision.optional),
        (options.groups, options.side_groups),
        [(choice, options.price(choice)) for choice in options],
    )


def check_alike(game: RaidMatch, side: str, mine: KnownGame, rng: random.Random, tries: int) -> None:
    """Check that a side's machine and the host say the same of some choices."""
    for choice in (
        *imaginable(state_of(game), rng, tries),
        *ASKING,
        AnswerTakeback(False),
        AnswerDraw(False),
    ):
        one, two = game.why(side, choice), mine.why(side, choice)
        assert (one and (one.reason, one.rule)) == (two and (two.reason, two.rule)), choice


@QUICK
@given(moments, st.integers(0, 1000))
def test_a_side_is_offered_and_refused_the_same_on_its_own_machine(
    moment: tuple[int, int, bool], seed: int
) -> None:
    """R29: options, prices, prompts and reasons follow from what a side knows, so a guest needs no asking."""
    game, rng = match_at(moment), random.Random(seed)
    for side in SIDES:
        mine, decision = taken(game, side), game.decision(side)
        assert [shown(one) for one in mine.decisions()] == ([shown(decision)] if decision else [])
        check_alike(game, side, mine, rng, 60)
        for choice in (list(decision.options) if decision else [])[:200]:
            assert mine.why(side, choice) is None


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_whole_game_is_known_choice_by_choice(scenario: Scenario) -> None:
    """Every step of a game reaches a machine that has followed it: decision, board, and few bytes."""
    game = RaidMatch.new(scenario, "known")
    players, rng = seated(game, "random", 3), random.Random(4)
    mine = {side: KnownGame(scenario) for side in SIDES}
    while not game.is_over:
        for side in SIDES:
            raw = encode(game.known(side))
            assert len(raw) < LIMIT
            mine[side].take(msgspec.json.decode(raw), side)
            assert mine[side].board.plan == game.board.plan
            decision = game.decision(side)
            if decision is not None:
                (again,) = mine[side].decisions()
                assert (decision.kind, decision.prompt, decision.options.groups) == (
                    again.kind,
                    again.prompt,
                    again.options.groups,
                )
                (asked,) = mine[side].take(msgspec.json.decode(raw), side, [open_decision(decision)])
                assert asked.revision == decision.revision
            check_alike(game, side, mine[side], rng, 2)
        step(game, players)


@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
@QUICK
@given(moments, st.integers(0, 1000))
def test_what_is_packed_tells_no_secret(side: int, moment: tuple[int, int, bool], twister: int) -> None:
    """Contract 5: states that differ only in what a side may not know are packed to the same bytes."""
    state = state_of(match_at(moment))
    other = twist(state, side, random.Random(twister))
    assert encode(pack(state, side)) == encode(pack(other, side))


@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
@QUICK
@given(moments)
def test_unpacking_gives_what_was_packed(side: int, moment: tuple[int, int, bool]) -> None:
    """Nothing that a decision looks at is lost on the way, in any field of a state or a combat."""
    state = state_of(match_at(moment))
    before = known(state, side)
    after = unpack(msgspec.json.decode(encode(pack(state, side))), state.game, side)
    for name in set(State.__slots__) - UNPACKED:
        assert getattr(after, name) == getattr(before, name), name
    assert (after.fight is None) == (before.fight is None)
    if after.fight is not None and before.fight is not None:
        for name in set(Fight.__slots__) - UNPACKED_OF_A_FIGHT:
            assert getattr(after.fight, name) == getattr(before.fight, name), name
    assert after.dice.seed == ""


def test_who_is_still_to_recover_is_not_told() -> None:
    """5.6, R24: who waits for a roll has a damaged Mountain Heart, which the other side must not know yet."""
    game = match(
        open_room(4, 2),
        "Rising Dream  1,0  fist1 / fist1 heart1\nShadow Lotus  2,0  fist1 / fist1 heart1\n"
        "J-1  0,1  kick1 / kick2 heart1\nCloneMaster  3,1  down",
        phase="recovery",
    )
    state = state_of(game)
    assert state.recovering
    assert all(known(state, side).recovering == () for side in (0, 1))


def test_points_left_are_told_to_their_own_side_alone() -> None:
    """4.42, R24: what a way over a drop-off has cost tells whether Monkey Soul is left."""
    game = match(
        plan("AABB", edges="dropoff 1,0 E"),
        "Rising Dream  1,0\nCloneMaster  3,0",
    )
    t(game, c.Move("Rising Dream", ((2, 0),)))
    state = state_of(game)
    assert state.points
    assert pack(state, 0)["points"] == state.points
    assert "points" not in pack(state, 1)


def test_a_takeback_asked_for_is_asked_on_both_machines() -> None:
    """Who must agree is asked, the other waits, and until then no choice of the game is open to either."""
    game = match_at((0, 60, True))
    side = game._choices[-1][0]
    game.submit(side, AskTakeback())
    check_question(game, OTHER_SIDE[side])


def test_a_draw_offered_is_asked_on_both_machines() -> None:
    """The same for a draw by agreement; declined, it cannot be offered again at once, here as there."""
    game = match_at((0, 60, True))
    game.submit(T, AskDraw())
    check_question(game, C)
    game.submit(C, AnswerDraw(False))
    for side in SIDES:
        check_alike(game, side, taken(game, side), random.Random(1), 20)


def check_question(game: RaidMatch, asked: str) -> None:
    """Check that one side's machine asks what the host asks of it, and the other's nothing."""
    decision = game.decision(asked)
    assert decision is not None
    (mine,) = taken(game, asked).decisions()
    assert shown(mine) == shown(decision)
    assert taken(game, OTHER_SIDE[asked]).decisions() == ()
    for side in SIDES:
        check_alike(game, side, taken(game, side), random.Random(1), 20)


def test_the_release_of_the_clonemaster_stands_open_beside_the_other_side() -> None:
    """R13: the standing offer is there while the Terminator player moves, and it is optional."""
    game = match(open_room(5, 2), "Rising Dream  1,0\nCloneMaster  4,1  down")
    (offer,) = taken(game, C).decisions()
    assert (offer.kind, offer.optional) == ("release-clonemaster", True)
    assert taken(game, C).why(C, c.ReleaseCloneMaster()) is None


def test_a_host_that_asks_for_something_else_is_not_believed() -> None:
    """A decision that the rules do not ask for is refused, and then nothing has changed."""
    game = match(open_room(5, 2), "Rising Dream  1,0\nCloneMaster  4,1  down")
    mine = taken(game, T)
    (move,) = mine.decisions()
    header = msgspec.structs.replace(open_decision(move), kind="play-counter\n" * 50)
    t(game, c.Move("Rising Dream", ((2, 0),)))
    with pytest.raises(ValueError, match="not to be decided") as caught:
        mine.take(sent(game, T), T, [header])
    assert "\n" not in str(caught.value)
    assert shown(mine.decisions()[0]) == shown(move)


# Additions to the map (7.4)


def added_to() -> RaidMatch:
    """Return a game in which two doors and a computer were added and one door taken away again."""
    game = RaidMatch.new(next(one for one in SCENARIOS if one.name == "Added to"), "extras")
    for make in (c.PlaceDoor, c.PlaceComputer, c.PlaceDoor, c.RemoveExtra, c.PlaceDoor):
        decision = game.decision(C)
        assert decision is not None
        game.submit(C, next(choice for choice in decision.options if isinstance(choice, make)))
    return game


def test_added_doors_and_computers_reach_the_guests() -> None:
    """7.4: players and those who look on get the board with what was added, and keep it."""
    game = added_to()
    for side in SIDES:
        mine = taken(game, side)
        assert mine.board.plan == game.board.plan
        board = mine.board
        mine.take(sent(game, side), side)
        assert mine.board is board
    watching = KnownGame(game.scenario)
    watching.look(parse_view(encode(game.view(PUBLIC))))
    assert watching.board.plan == game.board.plan
    assert watching.decisions() == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("extra_doors", [[0, 0, "N"]]),
        ("extra_doors", [[255, 255, "E"]]),
        ("extra_computers", [[255, 0, "S"]]),
        ("extra_computers", [[0, 0, "X"]]),
        ("extra_doors", [[0, 0, "N"]] * 10),
    ],
)
def test_additions_against_the_rules_are_refused(field: str, value: list[Any]) -> None:
    """R35: a host cannot make a guest's map into what the rules do not let it be."""
    game = added_to()
    packed = {**pack(state_of(game), 1), field: value}
    with pytest.raises(ValueError):
        unpack(packed, state_of(game).game, 1)


# Positions to start from


@pytest.mark.parametrize("viewer", [*SIDES, PUBLIC])
def test_a_sealed_position_can_be_played_and_tells_no_secret(viewer: str) -> None:
    """R29: of a start position a side gets one that is as good for its rules, the same whatever is hidden."""
    rng = random.Random(8)
    assert sealed_start(SCENARIOS[0], viewer) is SCENARIOS[0]
    for design in started_designs():
        sealed = sealed_start(design, viewer)
        check_playable(sealed)
        assert sealed_start(sealed, viewer) == sealed
        assert game_of(sealed).roster.name == game_of(design).roster.name
        is_told = viewer == C and design.set_up == "player"
        assert sealed == sealed_start(shuffled(design, rng), viewer) or is_told


@cache
def started_designs() -> list[Scenario]:
    """Return some scenarios with a start position."""
    found = [design for design in map(random_design, range(40)) if design.start is not None]
    assert len(found) > 4
    return found


def shuffled(design: Scenario, rng: random.Random) -> Scenario:
    """Return a scenario whose counters face down have changed places, its rows in another order."""
    assert design.start is not None
    hidden = [one for one in design.start.figures if not one.is_face_up]
    squares = rng.sample([one.square for one in hidden], len(hidden))
    moved = [msgspec.structs.replace(one, square=at) for one, at in zip(hidden, squares, strict=True)]
    figures = [*moved, *(one for one in design.start.figures if one.is_face_up)]
    start = msgspec.structs.replace(design.start, figures=tuple(rng.sample(figures, len(figures))))
    return msgspec.structs.replace(design, start=start)


# Nonsense

JUNK: tuple[Any, ...] = (
    None, -1, -2, -4, -5, -7, -10, -12, 0, 1, 3, 6, 8, 11, 40, 255, 256, 65535, 65536, -65536, 10**30,
    -(2**70), 1.5, float("inf"), "x", "N", "x\ny" * 300, [], [[]], {}, {"a": 1}, True, False, [0] * 5000,
    [1, 2], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [True, False],
)  # fmt: skip


def spoiled(packed: Any, rng: random.Random) -> Any:
    """Return packed values with one to three of them missing, added, or something else."""
    bad = copy.deepcopy(packed)
    for _ in range(rng.choice((1, 1, 2, 3))):
        fight = bad.get("fight")
        if rng.random() < 0.3:
            bad[rng.choice((*KnownState.__struct_fields__, "more"))] = rng.choice(JUNK)
        elif isinstance(fight, dict) and rng.random() < 0.5:
            fight[rng.choice((*KnownFight.__struct_fields__, "more"))] = rng.choice(JUNK)
        else:
            spoil_deeply(bad, rng)
    return bad


def spoil_deeply(bad: Any, rng: random.Random) -> None:
    """Change, or take out, a value somewhere inside."""
    inside = bad
    while True:
        key = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not inside[key] or not isinstance(inside[key], dict | list) or rng.random() < 0.2:
            break
        inside = inside[key]
    if rng.random() < 0.2:
        del inside[key]
    else:
        inside[key] = rng.choice(JUNK)


@QUICK
@given(moments, st.integers(0, 1000))
def test_nonsense_is_refused_or_can_be_played_with(moment: tuple[int, int, bool], seed: int) -> None:
    """Whatever a host sends is refused in one line, or the rules can be asked about it without a fault."""
    game, rng = match_at(moment), random.Random(seed)
    for number, side in enumerate(SIDES):
        good = msgspec.json.decode(encode(pack(state_of(game), number)))
        mine = KnownGame(game.scenario)
        for _ in range(12):
            fault = refusal_of(mine, {"state": spoiled(good, rng)}, side)
            assert "\n" not in fault
            assert len(fault) < 500
            if fault:
                continue
            for decision in mine.decisions():
                for choice in decision.options[:100]:
                    decision.options.price(choice)
            for choice in imaginable(state_of(game), rng, 10):
                mine.why(side, choice)


def refusal_of(mine: KnownGame, packed: Any, side: str) -> str:
    """Return why something is not taken, "" where it is."""
    try:
        mine.take(packed, side)
    except ValueError as error:
        return str(error)
    return ""


def deep(levels: int) -> Any:
    """Return lists inside lists."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        7,
        "state",
        [],
        {},
        {"state": None},
        {"state": {"turn": 1}},
        {"state": {}, "more": 1},
        deep(100_000),
    ],
    ids=["null", "number", "text", "list", "empty", "no state", "little", "more", "deep"],
)
def test_nonsense_changes_nothing(nonsense: Any) -> None:
    """What is refused leaves a guest's game as it was."""
    game = match_at((0, 60, True))
    mine = taken(game, T)
    before = mine.decisions()
    for packed in (nonsense, {"state": nonsense}, {**sent(game, T), "question": nonsense or 1}):
        with pytest.raises(ValueError) as caught:
            mine.take(packed, T)
        assert "\n" not in str(caught.value)
    assert [one.kind for one in mine.decisions()] == [one.kind for one in before]


@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
def test_one_side_does_not_take_what_is_the_others(side: int) -> None:
    """R29: what was packed for one side is no state of the other's, so that a mix-up shows itself."""
    state = state_of(match_at((0, 90, True)))
    with pytest.raises(ValueError):
        unpack(pack(state, 1 - side), state.game, side)


# Views and events


@settings(SLOW, max_examples=6)
@given(st.integers(0, 10_000), st.booleans())
def test_events_and_views_travel_as_they_are(seed: int, is_sensible: bool) -> None:
    """All that is told of a game comes out of a message as what it was, whoever is told."""
    game = match_at((seed, 5000, is_sensible))
    mine = KnownGame(game.scenario)
    for viewer in (*SIDES, PUBLIC, OPEN):
        for event in game.events(viewer):
            assert parse_event(encode(event)) == event
            assert mine.read_event(msgspec.json.decode(encode(event))) == event
        assert parse_view(encode(game.view(viewer))) == game.view(viewer)
        assert mine.read_view(msgspec.json.decode(encode(game.view(viewer)))) == game.view(viewer)


def test_events_about_agreements_travel_too() -> None:
    """Takebacks and draws are told like anything else."""
    game = match_at((0, 60, True))
    game.submit(T, AskDraw())
    game.submit(C, AnswerDraw(True))
    mine = KnownGame(game.scenario)
    for event in game.events(PUBLIC):
        assert mine.read_event(msgspec.json.decode(encode(event))) == event
    assert mine.read_view(msgspec.json.decode(encode(game.view(OPEN)))) == game.view(OPEN)


@QUICK
@given(moments, st.integers(0, 1000))
def test_nonsense_in_events_and_views_is_not_shown(moment: tuple[int, int, bool], seed: int) -> None:
    """Names, squares and words that a game does not have are refused; all that is let through has words."""
    game, rng = match_at(moment), random.Random(seed)
    mine = KnownGame(game.scenario)
    for viewer in (T, PUBLIC):
        for event in game.events(viewer)[-20:]:
            fault, told = read(mine.read_event, spoiled_somewhere(event, rng))
            assert fault or describe(told)
        for _ in range(10):
            fault, seen = read(mine.read_view, spoiled_somewhere(game.view(viewer), rng))
            if not fault:
                mine.look(seen)
                assert all(figure.name in game._state.game.roster.index for figure in seen.figures)


def spoiled_somewhere(told: Any, rng: random.Random) -> Any:
    """Return an event or a view as a message brings it, with one value of it something else."""
    bad = {"told": msgspec.json.decode(encode(told))}
    spoil_deeply(bad, rng)
    return bad.get("told")


def read(parse: Any, packed: Any) -> tuple[str, Any]:
    """Return why something cannot be read, and what was read."""
    try:
        return "", parse(packed)
    except ValueError as error:
        assert "\n" not in str(error)  # noqa: PT017 - one line, whatever it was
        return str(error), None


@pytest.mark.parametrize(
    "event",
    [
        {"event": "moved", "rule": "4.3", "figure": "Nobody", "path": [[0, 0]], "cost": 1, "left": 1},
        {"event": "moved", "rule": "4.3", "figure": "CloneMaster", "path": [], "cost": 1, "left": 1},
        {"event": "moved", "rule": "4.3", "figure": "CloneMaster", "path": [[999, 0]], "cost": 1, "left": 1},
        {"event": "phase-began", "rule": "3.2", "turn": 10**12, "phase": "recovery"},
        {"event": "phase-began", "rule": "3.2", "turn": 1, "phase": "tea"},
        {"event": "extra-placed", "rule": "7.4", "name": "door 99,99 E"},
        {"event": "set-up-done", "rule": "3.1\n" * 999, "side": "terminator"},
        {"event": "combats-found", "rule": "5.3", "combats": [[]]},
    ],
    ids=["figure", "nowhere", "square", "turn", "phase", "door", "text", "combat"],
)
def test_events_of_another_game_are_refused(event: dict[str, Any]) -> None:
    """An event of the right shape that speaks of what the game does not have is none of its own."""
    parse_event(event)
    with pytest.raises(ValueError, match="event: "):
        KnownGame(SCENARIOS[0]).read_event(event)


@pytest.mark.parametrize(
    "nonsense",
    [None, 1, [], {}, {"event": "no-such-thing"}, {"event": "moved"}, b"", b"{", b"\xff", deep(100_000)],
    ids=["null", "number", "list", "empty", "unknown", "little", "nothing", "broken", "no text", "deep"],
)
def test_no_event_and_no_view_is_refused_in_a_line(nonsense: Any) -> None:
    """Nonsense in the place of an event or a view is a ValueError that can be shown."""
    for parse in (parse_event, parse_view):
        with pytest.raises(ValueError) as caught:
            parse(nonsense)
        assert "\n" not in str(caught.value)
