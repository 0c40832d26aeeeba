"""The contracts that hold for every game: no leak, nothing unchecked, a game is its record, games end."""

from __future__ import annotations

import gc
import itertools
import random
import types
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.bots import BOTS, ONLY_SIDE, make_bot
from engine.bots.drawing import Draws
from engine.core.decision import Choice, IllegalChoice
from engine.core.match import play
from engine.fortress.plan_text import parse_floorplan_text
from engine.raid import choices as c
from engine.raid import events, rules
from engine.raid.figures import ABILITIES, COUNTERS, HEART, JELLY, SIDES
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.redact import view
from engine.raid.roster import NO_LEVELS
from engine.raid.scenario import SHIPPED, Escape, Points, Scenario, load_scenario
from engine.raid.state import BOX, DEAD, HAND, SET_UP, State

encode = msgspec.json.Encoder(order="deterministic").encode
SLOW = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
# Games of every kind: what ships, and turns of the rules that no shipped scenario has.
SCENARIOS = (
    *(load_scenario(name) for name in SHIPPED),
    Scenario(name="Dealt", set_up="random", extra_doors=1, extra_computers=1),
    Scenario(name="Added to", extra_doors=2, extra_computers=2, points=Points(), turns=6),
    Scenario(name="Nearest", release="nearest", room_limit=2, escape=Escape(levels_left=4, from_turn=3)),
)
moments = st.tuples(st.integers(0, 10_000), st.integers(0, 700), st.booleans())


def seated(match: RaidMatch, bot: str, seed: int) -> dict[str, Any]:
    """Return a bot of one kind in both seats; where it cannot play a side, the rulebook bot sits."""
    players = {
        side: make_bot(bot if ONLY_SIDE.get(bot, side) == side else "rulebook", f"{seed}-{side}")
        for side in SIDES
    }
    for side, player in players.items():
        player.begin(side, match.scenario, match.board)
    return players


def step(match: RaidMatch, players: dict[str, Any]) -> None:
    """Let the players make one choice."""
    for decision in sorted(match.decisions(), key=lambda decision: not decision.optional):
        player = players[decision.side]
        choice = player.decide(match.view(decision.side) if player.wants_view else None, decision)
        if choice is not None:
            board = match.board
            match.submit(decision.side, choice, decision.revision)
            if match.board is not board:
                for side, seat in players.items():
                    seat.begin(side, match.scenario, match.board)
            return


def match_at(moment: tuple[int, int, bool]) -> RaidMatch:
    """Return a game after some choices: (seed, number of choices, rulebook bots rather than random ones).

    Its scenario follows from the seed.
    """
    seed, length, is_sensible = moment
    match = RaidMatch.new(SCENARIOS[seed % len(SCENARIOS)], str(seed))
    players = seated(match, "rulebook" if is_sensible else "random", seed)
    while not match.is_over and match.revision < length:
        step(match, players)
    return match


def state_of(match: RaidMatch) -> State:
    """Return the truth of a match, which tests alone may touch."""
    return match._state


def respread(levels: list[int], original: list[int], rng: random.Random) -> list[int]:
    """Return other levels with the same sum, none above its original."""
    pool = [ability for ability, top in enumerate(original) for _ in range(top)]
    new = [0] * len(levels)
    for ability in rng.sample(pool, sum(levels)):
        new[ability] += 1
    return new


def twist_hands(state: State, figures: range, rng: random.Random) -> None:
    """Change counters in hand that only their owner knows, keeping an empty side empty."""
    fight = state.fight
    if fight is None:
        return
    mine = [f for f in figures if f in fight.members and state.awake[f] and state.game.roster.is_fighter[f]]
    if any(any(fight.hands[f * HAND : f * HAND + HAND]) for f in mine):
        for figure in mine:
            fight.hands[figure * HAND : figure * HAND + HAND] = bytes(rng.choice((0, 1)) for _ in range(HAND))
        fight.hands[mine[0] * HAND] = 1
    if fight.step == 0:
        # That a side has finished choosing is told to all; how far it has come is not.
        others = tuple(f for f in fight.chosen if f not in figures)
        if any(f not in fight.chosen for f in mine):
            fight.chosen = others + tuple(mine[: rng.randrange(len(mine))])


def twist_order(state: State, side: int, rng: random.Random) -> None:
    """Change in which order the other side chose, what points it has left, and who is still to recover."""
    roster = state.game.roster
    if state.mover >= 0 and roster.side(state.mover) != side:
        state.points = rng.randrange(6)
    others = [f for f in range(roster.size) if roster.is_fighter[f] and roster.side(f) != side]
    mine = [f for f in state.recovering if roster.side(f) == side]
    state.recovering = tuple(sorted([*mine, *rng.sample(others, rng.randrange(len(others) + 1))]))
    if state.fight is not None:
        state.fight.chosen = tuple(rng.sample(state.fight.chosen, len(state.fight.chosen)))


def twist(state: State, side: int, rng: random.Random) -> State:
    """Return a state that differs only in what a side may not know (R29)."""
    new = state.copy()
    roster = new.game.roster
    new.dice = type(new.dice)(str(rng.random()))
    is_dealt = new.game.is_dealt
    if side == 0 or is_dealt:
        down = [f for f in roster.clone_indices if not new.face_up[f] and new.where[f] not in (DEAD, BOX)]
        squares = [new.where[f] for f in down]
        if new.phase == SET_UP and not is_dealt and rng.random() < 0.5:
            for figure in down:
                new.where[figure] = BOX
        else:
            rng.shuffle(squares)
            for figure, square in zip(down, squares, strict=True):
                new.where[figure] = square
            spare = [f for f in roster.jelly_indices if new.where[f] == BOX]
            placed = [f for f in roster.jelly_indices if not new.face_up[f] and new.where[f] >= 0]
            if spare and placed and (new.phase != SET_UP or is_dealt):
                one, other = rng.choice(spare), rng.choice(placed)
                new.where[one], new.where[other] = new.where[other], new.where[one]
    if side == 0:
        hidden = [f for f in roster.jelly_indices if new.face_up[f] and new.awake[f]]
    else:
        hidden = [f for f in roster.terminator_indices if new.total(f)]
    for figure in hidden:
        original, levels = list(new.original_of(figure)), list(new.levels_of(figure))
        if side == 1:
            original = respread(original, [3, 3, 0, 3, 3, 3], rng)
            while not original[HEART]:
                original = respread(original, [3, 3, 0, 3, 3, 3], rng)
            new.train(figure, original)
        new.set_levels(figure, respread(levels, original, rng))
    if side == 1 and new.phase == SET_UP:
        for figure in roster.terminator_indices:
            if rng.random() < 0.5 and not new.ready[0]:
                new.train(figure, NO_LEVELS)
    twist_hands(new, roster.clone_indices if side == 0 else roster.terminator_indices, rng)
    twist_order(new, side, rng)
    return new


def imaginable(state: State, rng: random.Random, count: int) -> list[Choice]:
    """Return choices that somebody could think of, most of them wrong."""
    game = state.game
    names = [*game.roster.name, "Nobody"]
    things = [*game.targets, "door 9,9 E"]

    def square() -> tuple[int, int]:
        return rng.randrange(-1, game.board.width + 1), rng.randrange(-1, game.board.height + 1)

    def near(name: str) -> tuple[tuple[int, int], ...]:
        figure = game.roster.index.get(name, 0)
        x, y = game.xy[state.where[figure]] if state.where[figure] >= 0 else square()
        path = []
        for _ in range(rng.randrange(1, 4)):
            dx, dy = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1)))
            x, y = x + dx, y + dy
            path.append((x, y))
        return tuple(path)

    makers = (
        lambda n: c.SetAbilities(n, *(rng.randrange(1, 4) for _ in range(5))),
        lambda n: c.Place(n, square()),
        c.TakeBack,
        lambda n: c.PlaceDoor(square(), rng.choice("NESWX")),
        lambda n: c.PlaceComputer(square(), rng.choice("NESWX")),
        lambda n: c.RemoveExtra(rng.choice(things)),
        lambda n: c.Ready(),
        lambda n: c.Enter(n, rng.choice([e.name for e in game.board.entries])),
        lambda n: c.Station(n, rng.choice([e.name for e in game.board.entries])),
        lambda n: c.Move(n, near(n)),
        lambda n: c.Move(n, near(n)),
        lambda n: c.Move(n, near(n)),
        c.Exit,
        c.EndMove,
        lambda n: c.EndPhase(),
        c.Release,
        lambda n: c.ReleaseCloneMaster(),
        lambda n: c.FreeMove(rng.random() < 0.5),
        lambda n: c.Pass(),
        lambda n: c.Fight(rng.randrange(-1, 3)),
        lambda n: c.ChooseCounters(n, tuple(rng.choices(ABILITIES, k=rng.randrange(4)))),
        lambda n: c.Throw(rng.random() < 0.5),
        lambda n: c.Begin(rng.choice([*SIDES, "nobody"])),
        lambda n: c.PlayCounter(n, rng.choice(ABILITIES)),
        lambda n: c.NameTarget(rng.choice(things)),
        lambda n: c.Discard(n, rng.choice(COUNTERS)),
        lambda n: c.Stop(),
        lambda n: c.LoseAbility(n, rng.choice(ABILITIES)),
        lambda n: c.UntrainedAttack(n, rng.choice(names)),
        c.PlayMist,
        lambda n: c.Shoot(n, rng.choice(names)),
        c.PlaySoul,
        lambda n: c.Done(),
        lambda n: c.Displace(n, square()),
    )
    return [rng.choice(makers)(rng.choice(names)) for _ in range(count)]


def asked(state: State, side: int) -> list[Any]:
    """Return everything that a side is asked and told at a moment, as bytes and texts."""
    found: list[Any] = [encode(view(state, SIDES[side]))]
    for decision in rules.decisions(state):
        if decision.side == SIDES[side]:
            found += [decision.kind, decision.prompt, decision.rule, decision.options.groups]
            found += [encode(choice) for choice in decision.options]
        found += [decision.waiting, decision.side, decision.optional]
    return found


@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
@SLOW
@given(moments, st.integers(0, 1000))
def test_no_leak_in_views_options_and_messages(
    side: int, moment: tuple[int, int, bool], twister: int
) -> None:
    """Contract 5: states that differ only in what a side may not know look the same to it, to the byte."""
    state = state_of(match_at(moment))
    rng = random.Random(twister)
    other = twist(state, side, rng)
    assert asked(state, side) == asked(other, side)
    for choice in imaginable(state, rng, 60):
        one, two = rules.why(state, SIDES[side], choice), rules.why(other, SIDES[side], choice)
        assert (one and (one.reason, one.rule)) == (two and (two.reason, two.rule)), choice


def reachable(start: Any) -> list[Any]:
    """Return every object that can be reached from one through fields, items and closures."""
    seen: dict[int, Any] = {}
    left = [start]
    while left:
        thing = left.pop()
        if id(thing) in seen or isinstance(thing, type | types.ModuleType | types.BuiltinFunctionType):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, types.FunctionType):
            left += [cell.cell_contents for cell in thing.__closure__ or ()]
        else:
            left += gc.get_referents(thing)
    return list(seen.values())


@SLOW
@given(moments)
def test_no_handle_to_the_truth(moment: tuple[int, int, bool]) -> None:
    """Contract 2: from a decision, looked at or not, no way leads to the state it was made for."""
    match = match_at(moment)
    for decision in match.decisions():
        list(decision.options)
        assert not any(thing is state_of(match) for thing in reachable(decision))


@SLOW
@given(moments)
def test_public_view_holds_no_secret(moment: tuple[int, int, bool]) -> None:
    """Contract 5: spectators see what both sides see and no more."""
    state = state_of(match_at(moment))
    for side in (0, 1):
        other = twist(state, side, random.Random(1))
        if state.phase == SET_UP and not state.game.is_dealt:
            continue
        assert encode(view(state, "public")) == encode(view(other, "public"))


def test_events_before_a_reveal_do_not_depend_on_the_set_up() -> None:
    """Contract 5: whatever lies where, the Terminator player reads the same until a counter is turned up."""
    told: list[list[bytes]] = []
    for twister in range(12):
        match = RaidMatch.new(load_scenario("basic"), "same")
        draws, other = Draws(f"set-up {twister}"), Draws("terminator")
        happened = match.events("terminator")
        while not match.is_over:
            decision = match.decisions()[0]
            if decision.side == "terminator":
                match.submit("terminator", decision.options.sample(other))
            elif decision.kind == "set-up-clonemaster":
                match.submit("clonemaster", decision.options.sample(draws))
            else:
                idle = {"release-clonemaster": c.Pass(), "clonemaster-move": c.EndPhase()}
                match.submit("clonemaster", idle.get(decision.kind, decision.options[0]))
            happened = match.events("terminator")
            if any(isinstance(event, events.Revealed) for event in happened):
                break
        kept = itertools.takewhile(
            lambda event: not isinstance(event, events.Moved | events.Entered), happened
        )
        told.append([encode(event) for event in kept])
    assert all(lines == told[0] for lines in told)
    assert len(told[0]) > 5


@SLOW
@given(st.integers(0, 10_000), st.booleans())
def test_no_leak_in_events(seed: int, is_sensible: bool) -> None:
    """Contract 5, R24, R16: the other side's placements, hands and wounds never stand in an event."""
    match = match_at((seed, 2000, is_sensible))
    index = rules.game_of(match.scenario).roster.index
    first = rules.game_of(match.scenario).roster.terminators
    for number, side in enumerate((*SIDES, "public")):
        for event in match.events(side):
            name = getattr(event, "figure", None)
            is_own = name in index and (index[name] >= first) == (number == 1) and number < 2
            if isinstance(
                event, events.AbilitiesSet | events.Placed | events.TakenBack | events.CountersChosen
            ):
                assert is_own
            elif isinstance(event, events.Moved):
                assert (event.cost is not None) == (event.left is not None) == is_own
            elif isinstance(event, events.Injured):
                assert (event.ability is not None) == is_own
            elif isinstance(event, events.CounterDiscarded):
                assert (event.counter is not None) == (event.side == side)


@SLOW
@given(moments, st.integers(0, 1000))
def test_nothing_unchecked(moment: tuple[int, int, bool], twister: int) -> None:
    """Contract 4: what is refused changes nothing and says why; what is not refused was on offer."""
    match = match_at(moment)
    rng = random.Random(twister)
    for side in SIDES:
        decision = match.decision(side)
        offered = set(map(encode, decision.options)) if decision else set()
        for choice in imaginable(state_of(match), rng, 60):
            refusal = match.why(side, choice)
            if refusal is None:
                assert isinstance(choice, c.Move | c.ChooseCounters) or encode(choice) in offered, choice
                continue
            assert refusal.reason
            assert refusal.rule
            before = state_of(match), match.revision, encode(match.view(side))
            with pytest.raises(IllegalChoice) as caught:
                match.submit(side, choice)
            assert (caught.value.reason, caught.value.rule) == (refusal.reason, refusal.rule)
            assert (state_of(match), match.revision, encode(match.view(side))) == before


@SLOW
@given(moments)
def test_every_option_is_legal(moment: tuple[int, int, bool]) -> None:
    """Contracts 4 and 7: a decision offers something, and whatever it offers is accepted."""
    match = match_at(moment)
    assert match.is_over or match.decisions()
    for decision, blind in zip(match.decisions(), rules.decisions(state_of(match)), strict=True):
        offered = list(decision.options)
        assert offered == list(blind.options)
        assert (decision.kind, decision.prompt, decision.optional) == (
            blind.kind,
            blind.prompt,
            blind.optional,
        )
        assert offered
        for choice in offered[:40] + offered[-10:]:
            assert match.why(decision.side, choice) is None, choice


@settings(SLOW, max_examples=15)
@given(moments, st.integers(0, 700))
def test_a_game_is_its_record(moment: tuple[int, int, bool], cut: int) -> None:
    """Contract 6: a record gives the same events and views, and a cut one resumes where it was cut."""
    match = match_at(moment)
    again = RaidMatch.from_record(match.record)
    for viewer in (*SIDES, "public"):
        assert again.events(viewer) == match.events(viewer)
        assert encode(again.view(viewer)) == encode(match.view(viewer))
    replay = RaidReplay.of(match.record)
    replay.go(cut)
    short = RaidMatch.from_record(match.record.cut(cut))
    assert encode(short.view("terminator")) == encode(replay.view("terminator"))
    for row in match.record.choices[cut:]:
        short.submit(row.side, short._rules.unpack_choice(row.choice))
    assert short.events("clonemaster") == match.events("clonemaster")


@settings(SLOW, max_examples=12)
@given(st.integers(0, 10_000), st.booleans())
def test_undo_never_crosses_a_roll_a_reveal_or_the_other_side(seed: int, is_sensible: bool) -> None:
    """Contract 6: undo is a shorter record, for the side that chose last, where nothing came to light."""
    match = RaidMatch.new(load_scenario("basic"), str(seed))
    players = seated(match, "rulebook" if is_sensible else "random", seed)
    undone = 0
    revisions = set()
    while not match.is_over:
        length = match.length
        is_to_be_undone = length % 5 == 0
        before = {
            viewer: (encode(match.view(viewer)), match.events(viewer)) for viewer in SIDES if is_to_be_undone
        }
        counts = {viewer: len(match.events(viewer)) for viewer in SIDES}
        rolls = state_of(match).dice.count
        revisions.add(match.revision)
        step(match, players)
        side = match._choices[-1][0]
        other = SIDES[1 - SIDES.index(side)]
        assert not match.can_undo(other)
        told = match.events(other)[counts[other] :]
        if state_of(match).dice.count != rolls or any(isinstance(event, events.Revealed) for event in told):
            assert not match.can_undo(side)
            with pytest.raises(IllegalChoice):
                match.undo(side)
        elif match.can_undo(side) and is_to_be_undone:
            choice = match._choices[-1][1]
            match.undo(side)
            undone += 1
            assert match.length == length
            assert match.revision > max(revisions, default=-1)
            for viewer in SIDES:
                assert (encode(match.view(viewer)), match.events(viewer)) == before[viewer]
            match.submit(side, choice)
    assert undone


@pytest.mark.parametrize("part", range(4))
def test_random_games_end(part: int) -> None:
    """Contract 7: random players always reach the end, and somebody has won: 40 games each."""
    for seed in range(part * 40, part * 40 + 40):
        check_game(load_scenario("basic"), "random", seed)


@pytest.mark.parametrize("scenario", SCENARIOS[1:], ids=lambda scenario: scenario.name)
def test_random_games_end_in_every_scenario(scenario: Scenario) -> None:
    """Contract 7: the same for everything that ships, and for rules turned otherwise: 24 games each."""
    for seed in range(24):
        check_game(scenario, "random", seed)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
@pytest.mark.parametrize("bot", ["rulebook", "solitaire"])
def test_sensible_games_end_in_every_scenario(scenario: Scenario, bot: str) -> None:
    """Contract 7: the bots that play by the rulebook finish every scenario's games."""
    for seed in range(2):
        check_game(scenario, bot, seed)


def check_game(scenario: Scenario, bot: str, seed: int) -> str:
    """Play a game to its end and return who won; a draw is only of points (R31)."""
    match = RaidMatch.new(scenario, str(seed))
    play(match, seated(match, bot, seed), limit=5000)
    view = match.view("public")
    assert view.outcome is not None
    assert view.turn <= scenario.turns
    assert (view.outcome.points is None) == (scenario.points is None)
    assert view.outcome.winner in SIDES or (view.outcome.winner == "draw" and scenario.points is not None)
    return view.outcome.winner


def test_both_sides_win_some() -> None:
    """The rulebook bots are a match for one another: neither side always wins the Basic scenario."""
    assert {check_game(load_scenario("basic"), "rulebook", seed) for seed in range(12)} == set(SIDES)


def test_figures_stay_where_the_rules_let_them() -> None:
    """4.5, 4.6: nobody ever stands in a tank, and no two conscious figures rest on one square."""
    for seed in range(2 * len(SCENARIOS)):
        match = RaidMatch.new(SCENARIOS[seed % len(SCENARIOS)], str(seed))
        players = seated(match, "rulebook" if seed < len(SCENARIOS) else "random", seed)
        roster = rules.game_of(match.scenario).roster
        tanks = match.board.tanks
        while not match.is_over:
            step(match, players)
            state = state_of(match)
            resting = [
                square
                for figure, square in enumerate(state.where)
                if square >= 0 and state.awake[figure] and figure not in (state.mover, state.displaced)
            ]
            assert len(resting) == len(set(resting))
            assert not any(tanks >> square & 1 for square in resting)
            assert sum(1 for f in roster.of(JELLY) if state.where[f] != BOX) <= match.scenario.jellies


@pytest.mark.parametrize("bot", BOTS)
def test_bots_find_a_set_up_where_room_is_scarce(bot: str) -> None:
    """Contract 7, 6.1: with a square for each counter and none to spare, a bot rearranges until all lie."""
    rows = (
        *("[grid]", "AAAAABBBBB", "[rooms]", "A  Hall   lower  SJ", "B  Attic  upper  T"),
        *("[edges]", "door  4,0 E", "[equipment]", "[entries]", "In  0,0  1  1  -", "[sight]"),
    )
    plan = parse_floorplan_text("\n".join(rows), "Tight")
    scenario = Scenario(
        name="Tight", map=plan, jellies=2, servants=2, technicians=2, armed_technicians=1, turns=1
    )
    match = RaidMatch.new(scenario, "tight")
    players = seated(match, bot, 1)
    while match.view("public").phase == "set-up" and match.revision < 5000:
        step(match, players)
    assert match.view("public").phase != "set-up"
