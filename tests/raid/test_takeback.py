"""Taking back by consent: past rolls, reveals and the other side's choices, all in the record."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import make_bot
from engine.core.decision import Choice, IllegalChoice, StaleChoice
from engine.core.takeback import AnswerTakeback, AskTakeback, TakebackAnswered, TakebackAsked
from engine.raid import events
from engine.raid.choices import (
    Begin,
    ChooseCounters,
    EndPhase,
    Fight,
    LoseAbility,
    NameTarget,
    PlayCounter,
    Ready,
    SetAbilities,
)
from engine.raid.figures import SIDES
from engine.raid.log import describe
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.scenario import load_scenario
from tests.helpers.raid import DREAM, LOTUS, C, T, c, kind, lose, match, open_room, plan, t, told, walk, where
from tests.raid.test_contracts import SLOW, encode, moments, seated, state_of, step, twist

YES, NO, ASK = AnswerTakeback(True), AnswerTakeback(False), AskTakeback()


def asks(game: RaidMatch, side: str, answer: Choice) -> None:
    """Let a side ask to take back, and the other side answer."""
    game.submit(side, ASK)
    game.submit(C if side == T else T, answer)


def same_game(one: RaidMatch, other: RaidMatch) -> None:
    """Check that two games stand alike and were told alike."""
    assert one.is_over == other.is_over
    assert (state_of(one).dice.seed, state_of(one).dice.count) == (
        state_of(other).dice.seed,
        state_of(other).dice.count,
    )
    for viewer in (*SIDES, "public"):
        assert one.events(viewer) == other.events(viewer)
        assert encode(one.view(viewer)) == encode(other.view(viewer))
    assert [(d.side, d.kind, tuple(d.options)) for d in one.decisions()] == [
        (d.side, d.kind, tuple(d.options)) for d in other.decisions()
    ]


def revealed() -> RaidMatch:
    """Return a game in which a Terminator has just come upon a hidden servant."""
    game = match(plan("AABB", edges="door 1,0 E"), "Rising Dream  0,0\nServant 1  3,0  down")
    walk(game, DREAM, "E")
    walk(game, DREAM, "E")
    assert told(game, events.Revealed)
    assert not game.can_undo(T)
    return game


def test_a_yes_goes_back_past_a_reveal() -> None:
    """The counter lies face down again and the mover stands where he was; what was told stays told."""
    game = revealed()
    before = game.events(C)
    asks(game, T, YES)
    assert where(game, DREAM) == (1, 0)
    assert not game.view(C).figure("Servant 1").is_face_up
    assert game.events(C)[: len(before)] == before
    assert told(game, events.Revealed)
    assert kind(game) == "terminator-move"


def test_a_no_leaves_the_game_as_it_was() -> None:
    """Declined, the game goes on with the same question and the same state."""
    game = revealed()
    state, decision = state_of(game), game.decision(T)
    asks(game, T, NO)
    assert state_of(game) is state
    again = game.decision(T)
    assert decision is not None
    assert again is not None
    assert (again.kind, tuple(again.options)) == (decision.kind, tuple(decision.options))
    assert again.revision > decision.revision


def test_declined_is_asked_again_only_after_another_choice() -> None:
    """Nobody is pestered: the same takeback needs a choice in between, its undo does not help."""
    game = revealed()
    asks(game, T, NO)
    refused = game.why(T, ASK)
    assert refused is not None
    assert "declined" in refused.reason
    with pytest.raises(IllegalChoice):
        game.submit(T, ASK)
    t(game, EndPhase())
    assert game.why(T, ASK) is None
    again = RaidMatch.from_record(game.record)
    assert again.why(T, ASK) is None


def test_undo_after_a_no_brings_no_second_question() -> None:
    """Undone, the choice in between has never been made, in the game and in its record alike."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    walk(game, DREAM, "E")
    asks(game, T, NO)
    walk(game, DREAM, "E")
    game.undo(T)
    assert game.why(T, ASK) is not None
    assert RaidMatch.from_record(game.record).why(T, ASK) is not None
    assert not game.can_undo(T)


def test_the_question_says_what_would_be_taken_back() -> None:
    """Prompt and both lines of the log name the choice and its turn; the asker waits for the other."""
    game = revealed()
    assert game.taken_back_by(T) == "Rising Dream's move in turn 1"
    t(game, ASK)
    asked = game.decision(C)
    assert asked is not None
    assert (asked.kind, list(asked.options)) == ("takeback", [YES, NO])
    assert "Rising Dream's move in turn 1" in asked.prompt
    assert game.decision(T) is None
    assert "Rising Dream's move" in game.waiting(T)
    c(game, YES)
    lines = [describe(event) for event in game.events("public")[-2:]]
    assert lines == [
        "The Terminator player asks to go back to before Rising Dream's move in turn 1.",
        "The CloneMaster player agrees: back to before Rising Dream's move in turn 1.",
    ]
    for viewer in SIDES:
        assert [type(one) for one in game.events(viewer)[-2:]] == [TakebackAsked, TakebackAnswered]


def test_nothing_else_is_chosen_while_it_is_open() -> None:
    """The answer is the only open decision; the asker cannot give it himself, nor ask twice."""
    game = revealed()
    t(game, ASK)
    assert len(game.decisions()) == 1
    for side, choice in ((T, EndPhase()), (T, YES), (T, ASK), (C, ASK), (C, EndPhase())):
        with pytest.raises(IllegalChoice):
            game.submit(side, choice)
        assert game.why(side, choice) is not None
    with pytest.raises(IllegalChoice):
        game.undo(T)


def test_nothing_to_take_back() -> None:
    """At the start, for who has not chosen yet, and after the end it is refused with a reason."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    for side in SIDES:
        refused = game.why(side, ASK)
        assert refused is not None
        assert "nothing to take back" in refused.reason
        assert game.taken_back_by(side) == ""
    walk(game, DREAM, "E")
    assert game.why(C, ASK) is not None
    assert game.why(C, YES) is not None
    while not game.is_over:
        step(game, seated(game, "rulebook", 1))
    refused = game.why(T, ASK)
    assert refused is not None
    assert "over" in refused.reason


def combat(dice: tuple[int, ...]) -> RaidMatch:
    """Return a combat after its first roll, which hit the Jelly."""
    game = match(
        open_room(5, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0", phase="combat-1", dice=dice
    )
    t(game, Fight(0), ChooseCounters(DREAM, ("kick", "fist")), ChooseCounters(LOTUS, ()))
    c(game, ChooseCounters("J-1", ("kick", "kick")))
    t(game, Begin(T), PlayCounter(DREAM, "fist"), NameTarget("J-1"))
    c(game, PlayCounter("J-1", "kick"))
    lose(game, "heart")
    return game


def test_the_dice_go_on_after_a_yes() -> None:
    """Taken back past a roll, the next roll is the next of the dice, never the same again."""
    game = combat((1, 6, 5))
    used = state_of(game).dice.used  # type: ignore[attr-defined]
    asks(game, C, YES)  # his injury
    asks(game, C, YES)  # his reply, which let the die fall
    assert kind(game) == "play-counter"
    c(game, PlayCounter("J-1", "kick"))
    rolled = told(game, events.AttackResolved)
    assert [event.die for event in rolled] == [1, 6]
    assert used == 1
    same_game(game, RaidMatch.from_record(game.record))


def test_rolls_between_two_takebacks_stay_as_they_fell() -> None:
    """Gone back a second time, what was rolled after the first stands, also past a choice undone there."""
    game = combat((1, 6, 5))
    asks(game, T, YES)  # the target named
    asks(game, T, YES)  # the counter played
    t(game, PlayCounter(DREAM, "kick"))
    game.undo(T)
    t(game, PlayCounter(DREAM, "fist"), NameTarget("J-1"))
    c(game, PlayCounter("J-1", "kick"))
    assert [event.die for event in told(game, events.AttackResolved)] == [1, 6]
    before = game.view(C)
    c(game, NameTarget(DREAM))
    asks(game, T, NO)
    asks(game, C, YES)
    assert game.view(C) == before
    assert game.view(C).figure("J-1").levels == game.view(C).figure("J-1").original
    same_game(game, RaidMatch.from_record(game.record))


def test_an_agreed_takeback_forgets_what_was_declined() -> None:
    """After another choice that was taken back by consent, the one before may be asked for again."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    walk(game, DREAM, "E")
    asks(game, T, NO)
    walk(game, DREAM, "E")
    asks(game, T, YES)
    assert game.why(T, ASK) is None
    asks(game, T, YES)
    assert where(game, DREAM) == (0, 0)


def test_the_other_sides_choices_since_go_too() -> None:
    """Back to before the strike that was answered: the reply lies in the hand again."""
    game = combat((1, 6, 5))
    hand = game.view(C).fight
    asks(game, T, YES)
    assert kind(game) == "name-target"
    assert hand is not None
    now = game.view(C).fight
    assert now is not None
    assert now.open_attack is None
    assert game.view(C).figure("J-1").levels == game.view(C).figure("J-1").original


def test_stale_answers_stay_refused() -> None:
    """No revision ever comes again: an answer to a question of before the takeback is refused."""
    game = revealed()
    seen = {game.revision}
    decision = game.decision(T)
    assert decision is not None
    for answer in (NO, YES):
        if answer == YES:
            t(game, EndPhase())
        game.submit(T, ASK, game.revision)
        assert game.revision not in seen
        seen.add(game.revision)
        with pytest.raises(StaleChoice):
            game.submit(C, answer, decision.revision)
        game.submit(C, answer, game.revision)
        assert game.revision not in seen
        seen.add(game.revision)
        with pytest.raises(StaleChoice):
            game.submit(T, EndPhase(), decision.revision)
    with pytest.raises(StaleChoice):
        game.submit(T, ASK, 0)


def test_the_question_is_saved(tmp_path: Path) -> None:
    """A game left with the question open asks it again when it is taken up."""
    path = tmp_path / "game.json"
    game = RaidMatch.new(load_scenario("basic"), "1", path=path)
    t(game, SetAbilities(DREAM, 3, 1, 1, 1, 1))
    t(game, ASK)
    again = RaidMatch.resume(path)
    same_game(game, again)
    assert kind(again) == "takeback"
    c(again, YES)
    same_game(again, RaidMatch.resume(path))


def test_a_set_up_is_named_by_no_counter() -> None:
    """R29: what is asked back of a set-up or a hand tells neither figure nor counter."""
    game = RaidMatch.new(load_scenario("basic"), "1")
    t(game, SetAbilities(DREAM, 3, 1, 1, 1, 1))
    assert game.taken_back_by(T) == "the last step of the Terminator player's set-up"
    fight = match(
        open_room(5, 1), "Rising Dream  0,0\nJ-1  1,0\nShadow Lotus  2,0", phase="combat-1", dice=()
    )
    t(fight, Fight(0), ChooseCounters(LOTUS, ("mist",)))
    assert fight.taken_back_by(T) == "the Terminator player's last choice of counters in turn 1"


def test_every_choice_has_public_words() -> None:
    """Whatever was chosen last can be named, and no word is a counter's that only its owner knows."""
    for seed in range(6):
        game = RaidMatch.new(load_scenario("basic"), str(seed))
        players = seated(game, "random", seed)
        while not game.is_over:
            step(game, players)
            for side in SIDES:
                assert "  " not in game.taken_back_by(side)
                if isinstance(game._choices[-1][1], LoseAbility):
                    assert "level" in game.taken_back_by(game._choices[-1][0])
                if isinstance(game._choices[-1][1], Ready):
                    assert "the end" in game.taken_back_by(game._choices[-1][0])


def test_bots_answer() -> None:
    """The rulebook bot agrees, it is a friendly game; the random one says now yes, now no."""
    answers: dict[str, set[bool]] = {"random": set(), "rulebook": set()}
    for name, given_by in answers.items():
        for seed in range(12):
            game = revealed()
            t(game, ASK)
            bot = make_bot(name, str(seed))
            bot.begin(C, game.scenario, game.board)
            asked = game.decision(C)
            assert asked is not None
            choice = bot.decide(game.view(C), asked)
            assert isinstance(choice, AnswerTakeback)
            given_by.add(choice.agrees)
    assert answers == {"random": {True, False}, "rulebook": {True}}


def restless(seed: int, length: int, is_sensible: bool) -> RaidMatch:
    """Return a game with takebacks, undos and branches at random places in it."""
    chance = random.Random(seed)
    game = RaidMatch.new(load_scenario("basic"), str(seed))
    players = seated(game, "rulebook" if is_sensible else "random", seed)
    for _ in range(length):
        if game.is_over:
            break
        side = chance.choice(SIDES)
        if chance.random() < 0.1 and game.why(side, ASK) is None:
            game.submit(side, ASK)
        elif chance.random() < 0.02:
            game = RaidMatch.branch(game.record, chance.randrange(game.length + 1), str(chance.random()))
            players = seated(game, "rulebook" if is_sensible else "random", chance.randrange(1000))
        elif chance.random() < 0.1 and game.can_undo(side):
            game.undo(side)
        else:
            step(game, players)
    return game


@settings(SLOW, max_examples=15)
@given(moments, st.integers(0, 700))
def test_a_game_with_takebacks_and_branches_is_its_record(moment: tuple[int, int, bool], cut: int) -> None:
    """Contract 6: resumed, cut, replayed and played on, such a record gives the same events and views."""
    game = restless(*moment)
    record = game.record
    same_game(game, RaidMatch.from_record(record))
    replay = RaidReplay.of(record)
    replay.go(replay.length)
    for viewer in (*SIDES, "public"):
        assert replay.events(viewer) == game.events(viewer)
        assert tuple(event for _, event in replay.timeline(viewer)) == game.events(viewer)
        assert encode(replay.view(viewer)) == encode(game.view(viewer))
    short = RaidMatch.from_record(record.cut(cut))
    replay.go(cut)
    for viewer in SIDES:
        assert short.events(viewer) == replay.events(viewer)
        assert encode(short.view(viewer)) == encode(replay.view(viewer))
    if all(reseed.at <= cut for reseed in record.reseeds):
        for row in record.choices[cut:]:
            short.submit(row.side, short._rules.unpack_choice(row.choice))
        same_game(short, game)


@pytest.mark.parametrize("side", [0, 1], ids=SIDES)
@SLOW
@given(moments, st.integers(0, 1000))
def test_no_leak_after_a_takeback(side: int, moment: tuple[int, int, bool], twister: int) -> None:
    """Contract 5: gone back, neither side is shown more of the other's secrets than its View may hold."""
    game = restless(*moment)
    if game.is_over or game.why(SIDES[1 - side], ASK) is not None:
        return
    before = {viewer: len(game.events(viewer)) for viewer in (*SIDES, "public")}
    asks(game, SIDES[1 - side], YES)
    for viewer, count in before.items():
        assert [type(one) for one in game.events(viewer)[count:]] == [TakebackAsked, TakebackAnswered]
    state = state_of(game)
    other = twist(state, side, random.Random(twister))
    rules = game._rules
    assert encode(rules.view(state, SIDES[side])) == encode(rules.view(other, SIDES[side]))


def test_a_record_that_takes_back_nothing_is_refused() -> None:
    """A hand-made record with a question out of place names the row."""
    game = match(open_room(8, 1), "Rising Dream  0,0\nServant 1  7,0")
    walk(game, DREAM, "E")
    row = msgspec.structs.replace(game.record.choices[0], side=C, choice={"do": "ask-takeback"})
    record = msgspec.structs.replace(game.record, choices=(*game.record.choices, row))
    for make in (RaidMatch.from_record, RaidReplay.of):
        with pytest.raises(Exception, match=r"choices\[1\]: nothing to take back"):
            make(record)
