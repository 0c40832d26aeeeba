"""A draw by agreement: offered at any time, agreed or declined, all in the record; no rule knows it."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import BOTS, ONLY_SIDE, make_bot
from engine.core.agreement import DRAW, AnswerDraw, AskDraw, DrawAnswered, DrawAsked, question
from engine.core.decision import IllegalChoice, StaleChoice
from engine.core.files import BadFile
from engine.core.match import play
from engine.core.record import format_record
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.raid import events
from engine.raid.choices import EndPhase, SetAbilities
from engine.raid.chronicle import chronicle
from engine.raid.figures import OTHER_SIDE, SIDES
from engine.raid.knowledge import KnownGame, parse_event
from engine.raid.log import describe
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.notation import format_game, parse_game
from engine.raid.scenario import load_scenario
from tests.helpers.raid import DREAM, C, T, c, kind, match, open_room, t, told, walk
from tests.raid.test_contracts import (
    SCENARIOS,
    SLOW,
    encode,
    match_at,
    moments,
    seated,
    state_of,
    step,
    twist,
)
from tests.raid.test_takeback import asks, combat, revealed, same_game

OFFER, AGREE, DECLINE = AskDraw(), AnswerDraw(True), AnswerDraw(False)


def offers(game: RaidMatch, side: str, answer: AnswerDraw) -> None:
    """Let a side offer a draw, and the other side answer."""
    game.submit(side, OFFER)
    game.submit(OTHER_SIDE[side], answer)


def agreed() -> RaidMatch:
    """Return a game that ended as a draw in the middle of a combat."""
    game = combat((1, 6, 5))
    offers(game, C, AGREE)
    return game


def test_agreed_the_game_is_a_draw() -> None:
    """Nobody is lost, nothing is decided any more, all secrets are open; nothing cites a rule."""
    before = combat((1, 6, 5)).view("public")
    game = agreed()
    assert game.is_over
    assert game.decisions() == ()
    outcome = game.view("open").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.level, outcome.is_agreed) == ("draw", None, True)
    assert "house agreement" in outcome.reason
    (ended,) = told(game, events.GameEnded)
    assert (ended.rule, ended.winner, ended.reason) == ("", "draw", outcome.reason)
    assert not told(game, events.Captured)
    fates = [
        [(one.name, one.place, one.is_conscious) for one in view.figures if one.place != "box"]
        for view in (before, game.view("public"))
    ]
    assert fates[0] == fates[1]
    secrets = {event.figure for event in told(game, events.Secret)}
    assert {DREAM, "J-1"} <= secrets
    lines = [describe(event) for event in game.events("public") if not getattr(event, "rule", "")]
    assert lines[0] == "The CloneMaster player offers a draw."
    assert lines[1] == "The Terminator player agrees to a draw."
    assert lines[-1].startswith("A draw in turn 1. ")


def test_nothing_of_a_combat_is_left_open() -> None:
    """Ended within a combat, the last view has neither a combat nor a figure on its way."""
    for view in (agreed().view("open"), agreed().view("public")):
        assert view.fight is None
        assert view.movement is None
        assert view.combats == ()
        assert view.phase == "over"


def test_declined_the_game_goes_on_as_it_was() -> None:
    """The same question stands again, with a revision of its own."""
    game = revealed()
    state, decision = state_of(game), game.decision(T)
    offers(game, C, DECLINE)
    assert state_of(game) is state
    again = game.decision(T)
    assert decision is not None
    assert again is not None
    assert (again.kind, tuple(again.options)) == (decision.kind, tuple(decision.options))
    assert again.revision > decision.revision
    assert [type(event) for event in game.events(T)[-2:]] == [DrawAsked, DrawAnswered]
    assert describe(game.events(T)[-1]) == "The Terminator player declines a draw."


def test_either_side_may_offer_at_any_time() -> None:
    """In the set-up, in the other side's turn and in a combat; who has chosen nothing yet may, too."""
    for game in (RaidMatch.new(load_scenario("basic"), "1"), revealed(), combat((1, 6, 5))):
        for side in SIDES:
            assert game.why(side, OFFER) is None
            offers(game, side, DECLINE)
        offers_again = game.why(T, OFFER)
        assert offers_again is not None
    game = RaidMatch.new(load_scenario("basic"), "1")
    offers(game, C, AGREE)
    assert game.is_over
    same_game(game, RaidMatch.from_record(game.record))


def test_declined_is_offered_again_only_after_another_choice() -> None:
    """Nobody is pestered; the other side may offer all the same, and a choice since opens it again."""
    game = revealed()
    offers(game, C, DECLINE)
    refused = game.why(C, OFFER)
    assert refused is not None
    assert "declined" in refused.reason
    assert refused.rule == ""
    with pytest.raises(IllegalChoice):
        game.submit(C, OFFER)
    assert game.why(T, OFFER) is None
    assert RaidMatch.from_record(game.record).why(C, OFFER) is not None
    t(game, EndPhase())
    assert game.why(C, OFFER) is None
    assert RaidMatch.from_record(game.record).why(C, OFFER) is None


def test_an_undo_brings_no_second_offer() -> None:
    """Undone, the choice in between has never been made; nothing of before the offer is undone."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    walk(game, DREAM, "E")
    assert game.can_undo(T)
    offers(game, C, DECLINE)
    assert not game.can_undo(T)
    walk(game, DREAM, "E")
    game.undo(T)
    assert game.why(C, OFFER) is not None
    again = RaidMatch.from_record(game.record)
    assert again.why(C, OFFER) is not None
    same_game(game, again)


def test_nothing_else_is_chosen_while_it_is_open() -> None:
    """The answer is the only open decision, and the asker cannot give it; nor is anything taken back."""
    game = revealed()
    t(game, OFFER)
    (asked,) = game.decisions()
    assert (asked.side, asked.kind, list(asked.options)) == (C, DRAW, [AGREE, DECLINE])
    assert "draw" in game.waiting(T)
    assert game.waiting(C) == ""
    for side, choice in (
        (T, EndPhase()),
        (T, AGREE),
        (T, OFFER),
        (C, OFFER),
        (C, EndPhase()),
        (T, AskTakeback()),
        (C, AskTakeback()),
        (C, AnswerTakeback(True)),
    ):
        with pytest.raises(IllegalChoice):
            game.submit(side, choice)
        assert game.why(side, choice) is not None
    with pytest.raises(IllegalChoice):
        game.undo(T)
    c(game, DECLINE)
    assert kind(game) == "terminator-move"


def test_a_takeback_and_a_draw_are_not_asked_at_once() -> None:
    """While a takeback waits for its answer no draw is offered, and its answer answers no draw."""
    game = revealed()
    t(game, AskTakeback())
    for side, choice in ((T, OFFER), (C, OFFER), (C, AGREE)):
        assert game.why(side, choice) is not None
        with pytest.raises(IllegalChoice):
            game.submit(side, choice)
    c(game, AnswerTakeback(False))
    offers(game, T, DECLINE)
    # What was asked last is no choice of the game: the takeback stays declined.
    assert game.why(T, AskTakeback()) is not None


def test_a_takeback_forgets_a_declined_offer() -> None:
    """Gone back by consent, the offer may be made again, also after as many choices as before."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    walk(game, DREAM, "E")
    walk(game, DREAM, "E")
    offers(game, T, DECLINE)
    asks(game, T, AnswerTakeback(True))
    assert game.why(T, OFFER) is None
    walk(game, DREAM, "E")
    assert game.why(T, OFFER) is None
    offers(game, T, AGREE)
    assert game.is_over
    same_game(game, RaidMatch.from_record(game.record))


def test_after_a_draw_nothing_is_asked() -> None:
    """The game is over: no offer, no takeback, no undo, no choice."""
    game = agreed()
    for side in SIDES:
        for choice in (OFFER, AGREE, AskTakeback(), EndPhase()):
            assert game.why(side, choice) is not None
            with pytest.raises(IllegalChoice):
                game.submit(side, choice)
        assert not game.can_undo(side)


def test_stale_answers_stay_refused() -> None:
    """An offer carries the game's revision, its answer the question's; what is older is refused."""
    game = revealed()
    decision = game.decision(T)
    assert decision is not None
    with pytest.raises(StaleChoice):
        game.submit(C, OFFER, game.revision - 1)
    game.submit(C, OFFER, game.revision)
    with pytest.raises(StaleChoice):
        game.submit(T, AGREE, decision.revision)
    game.submit(T, DECLINE, game.revision)
    with pytest.raises(StaleChoice):
        game.submit(T, EndPhase(), decision.revision)


def test_the_question_is_saved(tmp_path: Path) -> None:
    """A game left with the offer open asks again when it is taken up, or played on from there."""
    path = tmp_path / "game.json"
    game = RaidMatch.new(load_scenario("basic"), "1", path=path)
    t(game, SetAbilities(DREAM, 3, 1, 1, 1, 1), OFFER)
    again = RaidMatch.resume(path)
    same_game(game, again)
    assert kind(again) == DRAW
    branch = RaidMatch.branch(game.record, game.length, "other")
    assert kind(branch) == DRAW
    c(again, AGREE)
    assert RaidMatch.resume(path).is_over
    same_game(again, RaidMatch.resume(path))
    with pytest.raises(ValueError, match="over"):
        RaidMatch.branch(again.record, again.length, "other")
    c(branch, DECLINE)
    assert kind(branch) != DRAW


def test_points_stay_as_they_are() -> None:
    """6.3: where a scenario scores, whoever is inside is not captured by an agreement."""
    scenario = next(one for one in SCENARIOS if one.points is not None and one.set_up != "random")
    game = RaidMatch.new(scenario, "3")
    players = seated(game, "rulebook", 3)
    while game.view("public").turn < 4:
        step(game, players)
    before = game.view("public")
    assert any(one.side == T and one.place == "map" for one in before.figures)
    offers(game, T, AGREE)
    after = game.view("open")
    assert after.points == before.points
    assert after.outcome is not None
    assert after.outcome.points == before.points


@pytest.mark.parametrize("name", BOTS)
def test_bots_decline(name: str) -> None:
    """No bot agrees to a draw, whatever it plays; its game goes on to its end."""
    side = ONLY_SIDE.get(name, C)
    scenario = load_scenario("solitaire" if name == "solitaire" else "tea-house")
    for seed in range(8):
        game = RaidMatch.new(scenario, str(seed))
        game.submit(OTHER_SIDE[side], OFFER)
        bot = make_bot(name, str(seed))
        bot.begin(side, scenario, game.board)
        asked = game.decision(side)
        assert asked is not None
        assert bot.decide(game.view(side) if bot.wants_view else None, asked) == DECLINE
    game = RaidMatch.new(scenario, "1")
    game.submit(OTHER_SIDE[side], OFFER)
    play(game, {one: make_bot(name if one == side else "rulebook", "1") for one in SIDES})
    assert game.is_over
    assert DrawAnswered("", side, False) in game.events("public")


def test_its_game_can_be_looked_back_upon() -> None:
    """Replay, notation and story tell of offer, answer and end; the standing ends even."""
    game = RaidMatch.new(load_scenario("tea-house"), "2")
    players = seated(game, "rulebook", 2)
    for at in range(120):
        if at == 40:
            offers(game, T, DECLINE)
        step(game, players)
    offers(game, C, AGREE)
    text = format_game(game.record)
    assert "T offer draw" in text
    assert "C disagree draw" in text
    assert "T agree draw" in text
    assert format_record(parse_game(text)) == format_record(game.record)
    replay = RaidReplay.of(game.record)
    replay.go(replay.length - 1)
    assert replay.view("public").outcome is None
    replay.go(replay.length)
    assert replay.may_open
    assert replay.view("open") == game.view("open")
    found = chronicle(replay)
    assert found.standing[-1].value == 0


def test_a_guest_hears_of_it() -> None:
    """What a guest's machine works out by itself says the same: question, refusals and events."""
    game = combat((1, 6, 5))
    known = KnownGame(game.scenario)

    def same() -> None:
        for side in SIDES:
            known.take(msgspec.to_builtins(game.known(side)), side)
            assert [(one.kind, tuple(one.options)) for one in known.decisions()] == [
                (one.kind, tuple(one.options)) for one in game.decisions() if one.side == side
            ]
            for choice in (OFFER, AGREE, AskTakeback(), AnswerTakeback(True)):
                mine, hosts = known.why(side, choice), game.why(side, choice)
                assert (mine and mine.reason) == (hosts and hosts.reason), (side, choice)

    same()
    t(game, OFFER)
    same()
    c(game, DECLINE)
    same()
    offers(game, C, AGREE)
    for event in game.events("public"):
        assert parse_event(msgspec.to_builtins(event)) == event


def test_a_record_with_an_answer_out_of_place_is_refused() -> None:
    """A hand-made record names the row that answers no offer, or goes on after the end."""
    game = agreed()
    rows = game.record.choices
    for choices, words in (
        (rows[:-2] + rows[-1:], rf"choices\[{len(rows) - 2}\]: nobody has offered a draw"),
        ((*rows, rows[-2]), rf"choices\[{len(rows)}\]: the game is over"),
        (rows[:-1] + rows[-2:-1], rf"choices\[{len(rows) - 1}\]: first it must be answered"),
    ):
        record = msgspec.structs.replace(game.record, choices=choices)
        for make in (RaidMatch.from_record, RaidReplay.of):
            with pytest.raises(BadFile, match=words):
                make(record)


@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
@settings(SLOW, max_examples=12)
@given(moments, st.integers(0, 1000))
def test_an_offer_leaks_nothing(side: int, moment: tuple[int, int, bool], twister: int) -> None:
    """Contract 5: open, declined, neither side is told more than that there is an offer."""
    game = match_at(moment)
    if game.is_over:
        return
    before = {viewer: game.event_count(viewer) for viewer in (*SIDES, "public")}
    mine = SIDES[side]
    views = {viewer: encode(game.view(viewer)) for viewer in before}
    game.submit(SIDES[1 - side], OFFER)
    state = state_of(game)
    other = twist(state, side, random.Random(twister))
    assert encode(game._rules.view(state, mine)) == encode(game._rules.view(other, mine))
    (asked,) = game.decisions()
    wanted = question(mine)
    for field in ("side", "kind", "rule", "prompt", "waiting", "optional"):
        assert getattr(asked, field) == getattr(wanted, field)
    assert list(asked.options) == [AGREE, DECLINE]
    assert {viewer: encode(game.view(viewer)) for viewer in before} == views
    game.submit(mine, DECLINE)
    for viewer, count in before.items():
        assert game.events(viewer, count) == (DrawAsked("", SIDES[1 - side]), DrawAnswered("", mine, False))
    assert {viewer: encode(game.view(viewer)) for viewer in before} == views


@settings(SLOW, max_examples=20)
@given(moments, st.integers(0, 10_000))
def test_a_game_with_offers_is_its_record(moment: tuple[int, int, bool], seed: int) -> None:
    """Contract 6: with offers, takebacks and undos anywhere, resumed or replayed it is the same game."""
    start, length, is_sensible = moment
    chance = random.Random(seed)
    game = RaidMatch.new(SCENARIOS[start % len(SCENARIOS)], str(start))
    players = seated(game, "rulebook" if is_sensible else "random", start)
    for _ in range(length // 2):
        side, roll = chance.choice(SIDES), chance.random()
        if game.is_over:
            break
        if roll < 0.1 and game.why(side, OFFER) is None:
            game.submit(side, OFFER)
        elif roll < 0.13 and kind(game) == DRAW:
            game.submit(game.decisions()[0].side, AGREE)
        elif roll < 0.2 and game.why(side, AskTakeback()) is None:
            game.submit(side, AskTakeback())
        elif roll < 0.3 and game.can_undo(side):
            game.undo(side)
        else:
            step(game, players)
    same_game(game, RaidMatch.from_record(game.record))
    replay = RaidReplay.of(game.record)
    replay.go(replay.length)
    for viewer in (*SIDES, "public"):
        assert replay.events(viewer) == game.events(viewer)
        assert encode(replay.view(viewer)) == encode(game.view(viewer))
