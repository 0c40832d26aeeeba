"""The Session: whose eyes the screen has, who is asked when, and bots beside the window."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pytestqt.qtbot import QtBot

from app.session import OVERTAKEN, Session
from app.settings import SettingsStore
from app.suggestions import suggested_abilities
from engine.bots.random import RandomPlayer
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.match import Match, play
from engine.core.takeback import TakebackAnswered, TakebackAsked
from engine.raid import choices as c
from engine.raid.events import Injured
from engine.raid.match import RaidMatch
from tests.helpers.gui import brawl, hot_seat_match, small_scenario


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    """Settings of their own, without waits."""
    made = SettingsStore(tmp_path / "settings.json")
    made.set(pace=0, animation_speed=0.0, recap="off")
    return made


class Room:
    """Sessions of a test, closed when it ends."""

    def __init__(self, store: SettingsStore) -> None:
        self.store = store
        self.open: list[Session] = []

    def session(self, match: Any, bots: Any = None) -> Session:
        """Return a session that has begun."""
        made = Session(match, self.store, bots)
        self.open.append(made)
        made.start()
        return made


@pytest.fixture
def room(qapp: Any, store: SettingsStore) -> Iterator[Room]:
    """Make sessions and end their threads."""
    made = Room(store)
    yield made
    for session in made.open:
        session.close()


class ThinkingPlayer(RandomPlayer):
    """A random player that tells in which thread it decided, and may be kept waiting."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.threads: set[int] = set()
        self.may_go = threading.Event()
        self.may_go.set()
        self.asked: list[str] = []

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        self.threads.add(threading.get_ident())
        self.asked.append(decision.kind)
        assert self.may_go.wait(10)
        return super().decide(view, decision)


class FaultyPlayer(RandomPlayer):
    """A player with a fault in it."""

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        raise RuntimeError("a fault in the player")


def against_bot(side: str = "terminator", scenario: Any = None, seed: str = "1") -> RaidMatch:
    """Return a small game with one person in it."""
    seats = {one: "human" if one == side else "random" for one in ("terminator", "clonemaster")}
    return RaidMatch.new(scenario or small_scenario(1), seed, seats=seats)


def set_up_terminators(session: Session) -> None:
    """Complete the Terminators' set-up."""
    assert session.submit_all([*suggested_abilities(session.scenario), c.Ready()])


def set_up_clonemaster(session: Session) -> None:
    """Complete the CloneMaster's set-up with the first squares there are."""
    while session.decision is not None and session.decision.kind == "set-up-clonemaster":
        assert session.submit(next(iter(session.decision.options)))


def test_two_people_set_up_behind_the_curtain(room: Room) -> None:
    """R29: each set-up has a curtain of its own, and says why the player must come."""
    session = room.session(hot_seat_match())
    assert (session.viewer, session.view, session.decision) == (None, None, None)
    assert session.curtain_for == "terminator"
    assert "abilities" in session.curtain_reason
    session.lift_curtain()
    assert session.viewer == "terminator"
    set_up_terminators(session)
    assert session.curtain_for == "clonemaster"
    assert session.view is None
    assert session.events() == ()
    session.lift_curtain()
    assert session.decision is not None
    assert session.decision.kind == "set-up-clonemaster"


def test_the_view_is_gone_before_the_curtain_is_announced(room: Room) -> None:
    """Panels are told of the empty view first, so that nothing is left when the curtain shows."""
    session = room.session(hot_seat_match())
    session.lift_curtain()
    seen: list[str] = []
    session.changed.connect(lambda: seen.append("empty" if session.view is None else "full"))
    session.curtain.connect(lambda side: seen.append(f"curtain {side}"))
    set_up_terminators(session)
    assert seen[-2:] == ["empty", "curtain clonemaster"]


def moment(session: Session) -> str:
    """Return what the screen is at: a curtain or a phase."""
    if session.curtain_for is not None:
        return f"curtain for {session.curtain_for}"
    return session.view.phase if session.view is not None else ""


def test_each_movement_phase_has_its_curtain(room: Room) -> None:
    """The other seat's movement phase starts behind the curtain; the same seat's next one does not."""
    session = room.session(hot_seat_match())
    session.lift_curtain()
    set_up_terminators(session)
    session.lift_curtain()
    set_up_clonemaster(session)
    seen = [moment(session)]
    session.lift_curtain()
    seen.append(moment(session))
    session.submit(c.EndPhase())
    seen.append(moment(session))
    session.submit(c.EndPhase())
    seen.append(moment(session))
    assert seen == [
        "curtain for terminator",
        "terminator-move-1",
        "terminator-move-2",
        "curtain for clonemaster",
    ]


def to_play(room: Room) -> Session:
    """Return a shared game at the first counter to be played in the open."""
    session = room.session(hot_seat_match(scenario=brawl(1)))
    for _ in range(60):
        if session.curtain_for is not None:
            session.lift_curtain()
        decision = session.decision
        assert decision is not None
        if decision.kind == "play-counter":
            return session
        session.peek(session.needs_peek)
        assert session.decision is not None
        session.submit(next(iter(session.decision.options)))
    raise AssertionError("no counter was played")


def test_counters_are_chosen_behind_the_curtain_and_played_in_the_open(room: Room) -> None:
    """5.4, R16: secret choice under a side's eyes, alternating play under everybody's."""
    session = room.session(hot_seat_match(scenario=brawl(1)))
    kinds: dict[str, set[str | None]] = {}
    for _ in range(200):
        if session.is_over:
            break
        if session.curtain_for is not None:
            session.lift_curtain()
        assert session.decision is not None
        kinds.setdefault(session.decision.kind, set()).add(session.viewer)
        if session.needs_peek:
            session.peek(True)
        session.submit(next(iter(session.decision.options)))
    assert kinds["choose-counters"] == {"terminator", "clonemaster"}
    assert kinds["play-counter"] == {"public"}
    assert kinds["name-target"] == {"public"}
    assert kinds["lose-ability"] == {"public"}
    assert kinds["fight-order"] == {"public"}


def test_nothing_of_a_hand_is_there_without_peeking(room: Room) -> None:
    """Both hands show backs: no options, no reasons, no hand in the view, until the mover peeks."""
    session = to_play(room)
    assert session.needs_peek
    assert session.decision is not None
    assert session.view is not None
    assert session.view.fight is not None
    assert len(session.decision.options) == 0
    assert session.view.fight.hand == {}
    refusal = session.why(c.PlayCounter("Rising Dream", "fist"))
    assert refusal is not None
    assert refusal.rule == "R29"
    session.peek(True)
    assert session.view.fight.hand
    assert len(session.decision.options) > 0
    session.peek(False)
    assert session.view.fight.hand == {}
    assert len(session.decision.options) == 0


def test_peeking_is_for_hands_only(room: Room) -> None:
    """Outside a combat, and for one person alone, there is nothing to peek at."""
    session = room.session(hot_seat_match())
    session.peek(True)
    assert not session.peeking
    session.lift_curtain()
    session.peek(True)
    assert not session.peeking


def test_one_person_has_his_own_eyes_throughout(qtbot: QtBot, room: Room) -> None:
    """Against a bot no curtain falls, and the bot decides by itself."""
    player = ThinkingPlayer("1")
    session = room.session(against_bot(), {"clonemaster": player})
    falls: list[object] = []
    session.curtain.connect(falls.append)
    viewers = set()
    for _ in range(300):
        qtbot.waitUntil(lambda: session.decision is not None or session.is_over)
        if session.is_over:
            break
        viewers.add(session.viewer)
        assert session.decision is not None
        options = session.decision.options
        session.submit(c.EndPhase() if c.EndPhase() in options else next(iter(options)))
    assert session.is_over
    assert falls == []
    assert viewers == {"terminator"}
    assert session.viewer == "open"


def test_bots_think_outside_the_windows_thread(qtbot: QtBot, room: Room) -> None:
    """The window stays alive while a bot thinks, and says so when it takes long."""
    player = ThinkingPlayer("1")
    player.may_go.clear()
    session = room.session(against_bot(), {"clonemaster": player})
    qtbot.waitUntil(lambda: player.asked != [])
    assert session.is_thinking
    assert session.decision is None
    assert session.waiting == "The CloneMaster player places his counters."
    player.may_go.set()
    qtbot.waitUntil(lambda: session.decision is not None)
    assert threading.get_ident() not in player.threads


def test_a_fault_in_a_bot_is_not_swallowed(qtbot: QtBot, room: Room) -> None:
    """An exception in the bot's thread arrives in the window's as itself."""
    with qtbot.captureExceptions() as caught:
        session = room.session(against_bot(), {"clonemaster": FaultyPlayer("1")})
        qtbot.waitUntil(lambda: len(caught) > 0)
    assert str(caught[0][1]) == "a fault in the player"
    assert not session.is_thinking


def test_bots_wait_while_something_is_shown_and_when_paused(qtbot: QtBot, room: Room) -> None:
    """`hold` and `pause` stop the next visible choice of a bot; letting go goes on."""
    match = against_bot("terminator", brawl(1))
    session = room.session(match, {"clonemaster": ThinkingPlayer("3")})
    qtbot.waitUntil(lambda: session.decision is not None)
    session.pause(True)
    for _ in range(60):
        if session.decision is None:
            break
        session.submit(next(iter(session.decision.options)))
        qtbot.wait(20)
    before = session.revision
    qtbot.wait(60)
    assert session.revision == before
    assert session.is_thinking
    session.hold()
    session.pause(False)
    qtbot.wait(60)
    assert session.revision == before
    session.resume()
    qtbot.waitUntil(lambda: session.revision > before)


def test_a_refusal_is_told_with_its_rule(room: Room) -> None:
    """What the rules refuse changes nothing and says why."""
    session = room.session(hot_seat_match())
    session.lift_curtain()
    told: list[IllegalChoice] = []
    session.refused.connect(told.append)
    assert not session.submit(c.Ready())
    assert told[0].rule == "6.1"
    assert session.revision == 0


def test_undo_takes_the_last_choice_back(room: Room) -> None:
    """One's own last choice goes back while nothing was rolled or shown."""
    session = room.session(hot_seat_match())
    session.lift_curtain()
    assert not session.can_undo()
    first = suggested_abilities(session.scenario)[0]
    session.submit(first)
    assert session.can_undo()
    assert session.undo()
    assert session.length == 0
    assert session.view is not None
    assert not any(session.view.figure(first.figure).levels.values())  # type: ignore[union-attr]


def asked_kind(session: Session) -> str:
    """Return the kind of what the screen must answer, "" if nothing."""
    return session.decision.kind if session.decision is not None else ""


def released(session: Session) -> bool:
    """Whether the CloneMaster is turned up."""
    assert session.view is not None
    return session.view.figure("CloneMaster").is_face_up


def clonemaster_game(room: Room, qtbot: QtBot, ask: str) -> tuple[Session, ThinkingPlayer]:
    """Return a game of a person as CloneMaster, set up, with the question's frequency set (R13)."""
    room.store.set(ask_release=ask)
    player = ThinkingPlayer("5")
    session = room.session(against_bot("clonemaster"), {"terminator": player})
    qtbot.waitUntil(lambda: session.decision is not None)
    set_up_clonemaster(session)
    return session, player


def test_not_until_told_nobody_asks_and_the_offer_stands(qtbot: QtBot, room: Room) -> None:
    """R13: with "told" the CloneMaster player is never stopped; `release_clonemaster` works at once."""
    room.store.set(pace=300)
    session, _ = clonemaster_game(room, qtbot, "told")
    qtbot.waitUntil(lambda: session.optional is not None)
    assert asked_kind(session) == ""
    assert session.release_clonemaster()
    qtbot.waitUntil(lambda: asked_kind(session) != "")
    assert asked_kind(session) == "free-move"
    assert released(session)


def test_always_asks_at_every_window(qtbot: QtBot, room: Room) -> None:
    """R13: with "always" the bot waits at each stop until the player lets the window go by."""
    session, _ = clonemaster_game(room, qtbot, "always")
    revisions = set()
    for _ in range(6):
        qtbot.waitUntil(lambda: session.decision is not None)
        assert session.decision is not None
        if session.decision.kind != "release-clonemaster":
            break
        revisions.add(session.revision)
        before = session.revision
        qtbot.wait(30)
        assert session.revision == before
        session.submit(c.Pass())
    assert len(revisions) >= 2


def test_at_phases_asks_once_a_phase(qtbot: QtBot, room: Room) -> None:
    """R13: with "phases" the question comes at most once in each phase."""
    session, _ = clonemaster_game(room, qtbot, "phases")
    moments = []
    for _ in range(40):
        qtbot.waitUntil(lambda: session.decision is not None or session.is_over)
        if session.is_over or session.decision is None or session.view is None:
            break
        if session.decision.kind == "release-clonemaster":
            moments.append((session.view.turn, session.view.phase))
            session.submit(c.Pass())
        else:
            options = session.decision.options
            session.submit(c.EndPhase() if c.EndPhase() in options else next(iter(options)))
    assert moments
    assert len(moments) == len(set(moments))


def test_heart_first_takes_injuries_without_asking(qtbot: QtBot, room: Room) -> None:
    """R24: with the setting the first injury of each figure goes to Mountain Heart, unasked."""
    room.store.set(heart_first=True)
    match = against_bot("terminator", brawl(1), seed="3")
    session = room.session(match, {"clonemaster": RandomPlayer("2")})
    had_heart: list[bool] = []
    for _ in range(300):
        qtbot.waitUntil(lambda: session.decision is not None or session.is_over)
        if session.is_over or session.decision is None:
            break
        if session.decision.kind == "lose-ability":
            offered = [one.ability for one in session.decision.options if isinstance(one, c.LoseAbility)]
            had_heart.append("heart" in offered)
        session.submit(next(iter(session.decision.options)))
    losses: dict[str, list[str]] = {}
    for event in match.events("terminator"):
        if isinstance(event, Injured) and event.ability is not None:
            losses.setdefault(event.figure, []).append(event.ability)
    assert losses
    assert all(abilities[0] == "heart" for abilities in losses.values())
    assert not any(had_heart)


def test_heart_first_still_asks_at_a_shared_screen(room: Room) -> None:
    """A question left out would tell the other at the screen that there was a Heart to lose (R24)."""
    room.store.set(heart_first=True)
    session = room.session(hot_seat_match(scenario=brawl(1)))
    kinds = set()
    for _ in range(200):
        if session.is_over:
            break
        if session.curtain_for is not None:
            session.lift_curtain()
        assert session.decision is not None
        kinds.add(session.decision.kind)
        if session.needs_peek:
            session.peek(True)
        session.submit(next(iter(session.decision.options)))
    assert "lose-ability" in kinds


def test_two_bots_play_before_the_publics_eyes(qtbot: QtBot, room: Room) -> None:
    """With nobody at the screen it shows what everybody may see, to the end."""
    match = RaidMatch.new(small_scenario(1), "1", seats={"terminator": "random", "clonemaster": "random"})
    viewers = set()
    session = Session(match, room.store, {side: RandomPlayer(side) for side in ("terminator", "clonemaster")})
    room.open.append(session)
    session.changed.connect(lambda: viewers.add(session.viewer))
    session.start()
    qtbot.waitUntil(lambda: session.is_over, timeout=20000)
    assert viewers == {"public", "open"}


def test_the_end_opens_everything_once(room: Room) -> None:
    """At the end both sides' secrets are open, and it is announced once."""
    match = hot_seat_match(scenario=brawl(1))
    session = room.session(match)
    ends: list[int] = []
    session.ended.connect(lambda: ends.append(1))
    for _ in range(300):
        if session.is_over:
            break
        if session.curtain_for is not None:
            session.lift_curtain()
        if session.needs_peek:
            session.peek(True)
        assert session.decision is not None
        session.submit(next(iter(session.decision.options)))
    assert ends == [1]
    assert session.viewer == "open"
    assert session.view is not None
    assert session.view.figure("Rising Dream").levels is not None
    assert session.curtain_for is None


def test_a_closed_game_goes_on_from_its_file(qtbot: QtBot, room: Room, tmp_path: Path) -> None:
    """Closing asks nothing and loses nothing: the file holds every choice made (contract 6)."""
    path = tmp_path / "game.json"
    session = room.session(hot_seat_match(path))
    session.lift_curtain()
    set_up_terminators(session)
    revision = session.revision
    session.close()
    again: Match[Any, Any] = RaidMatch.resume(path)
    assert again.revision == revision
    other = room.session(again)
    assert other.curtain_for == "clonemaster"


def test_a_full_disk_is_told_and_the_game_goes_on(room: Room, tmp_path: Path) -> None:
    """A choice that cannot be saved is made all the same, and the player is told why."""
    match = hot_seat_match(tmp_path / "game.json")
    session = room.session(match)
    session.lift_curtain()
    told: list[IllegalChoice] = []
    session.refused.connect(told.append)
    first, second = suggested_abilities(session.scenario)[:2]
    with patch("engine.core.match.write_atomic", side_effect=OSError(28, "No space left on device")):
        assert session.submit(first)
    assert "No space left on device" in told[0].reason
    assert session.revision == 1
    assert session.submit(second)
    assert RaidMatch.resume(tmp_path / "game.json").revision == 2


def test_a_full_disk_stops_no_undo(room: Room, tmp_path: Path) -> None:
    """An undo that cannot be saved is made all the same: screen and game agree, and the player is told."""
    session = room.session(hot_seat_match(tmp_path / "game.json"))
    session.lift_curtain()
    told: list[IllegalChoice] = []
    session.refused.connect(told.append)
    first = suggested_abilities(session.scenario)[0]
    session.submit(first)
    with patch("engine.core.match.write_atomic", side_effect=OSError(28, "No space left on device")):
        assert session.undo()
    assert [one.reason for one in told] == [
        "the game goes on, but it could not be saved: No space left on device"
    ]
    assert session.length == 0
    assert session.view is not None
    assert not any(session.view.figure(first.figure).levels.values())  # type: ignore[union-attr]
    assert session.submit(first)


def test_the_record_is_shut_until_the_end(room: Room) -> None:
    """R29: nobody gets at the record, which tells all secrets, while the game goes on."""
    match = hot_seat_match(scenario=brawl(1))
    session = room.session(match)
    with pytest.raises(ValueError, match="only when the game is over"):
        _ = session.record
    play(match, {side: RandomPlayer(side) for side in ("terminator", "clonemaster")})
    assert session.record == match.record


class Releasing(ThinkingPlayer):
    """A CloneMaster player that lets every window go by until it is to use one (R13)."""

    is_to_release = False

    def decide(self, view: Any, decision: Decision) -> Choice | None:
        choice = super().decide(view, decision)
        if decision.kind == "release-clonemaster":
            return c.ReleaseCloneMaster() if self.is_to_release else None
        return choice


def at_the_first_move(qtbot: QtBot, room: Room, player: ThinkingPlayer) -> Session:
    """Return a game against a bot in which the Terminator player is to move for the first time."""
    session = room.session(against_bot(), {"clonemaster": player})
    qtbot.waitUntil(lambda: asked_kind(session) == "set-up-terminator")
    set_up_terminators(session)
    qtbot.waitUntil(lambda: asked_kind(session) == "terminator-move")
    return session


def first_entry(session: Session) -> c.Enter:
    """Return the first way in that is offered."""
    assert session.decision is not None
    return next(one for one in session.decision.options if isinstance(one, c.Enter))


def test_a_takeback_is_asked_once_while_a_bot_thinks(qtbot: QtBot, room: Room) -> None:
    """Asked again before the bot is done, it is refused and not asked twice."""
    player = Releasing("1")
    session = at_the_first_move(qtbot, room, player)
    player.may_go.clear()
    assert session.submit(first_entry(session))
    qtbot.waitUntil(lambda: player.asked[-1] == "release-clonemaster")
    told: list[IllegalChoice] = []
    session.refused.connect(told.append)
    assert session.takeback.askers
    assert session.takeback.ask()
    assert session.takeback.askers == {}
    assert not session.takeback.can_ask
    assert not session.takeback.ask()
    assert "already" in told[0].reason
    player.may_go.set()
    qtbot.waitUntil(lambda: any(isinstance(event, TakebackAnswered) for event in session.events()))
    qtbot.waitUntil(lambda: session.decision is not None)
    assert sum(isinstance(event, TakebackAsked) for event in session.events()) == 1


def test_a_wish_that_a_bot_forestalls_is_told(qtbot: QtBot, room: Room) -> None:
    """R13: a bot's release comes first; what was asked while it thought is not done, and that is said."""
    player = Releasing("1")
    session = at_the_first_move(qtbot, room, player)
    player.may_go.clear()
    player.is_to_release = True
    assert session.submit(first_entry(session))
    told: list[IllegalChoice] = []
    session.refused.connect(told.append)
    assert session.takeback.ask()
    player.may_go.set()
    qtbot.waitUntil(lambda: told != [])
    assert told[0].reason == OVERTAKEN
    assert released(session)
    assert not any(isinstance(event, TakebackAsked) for event in session.events())
    assert session.takeback.askers


def test_a_session_let_go_needs_no_collector(qapp: Any, store: SettingsStore) -> None:
    """Python's collector may run in a bot's thread, where no part of the window may be taken apart."""
    session = Session(hot_seat_match(), store)
    session.start()
    session.close()
    gone = weakref.ref(session)
    is_on = gc.isenabled()
    gc.disable()
    try:
        del session
        assert gone() is None
    finally:
        if is_on:
            gc.enable()


def test_another_moment_is_shown_with_nothing_left_of_the_one_before(room: Room) -> None:
    """`show` brings another match to the screen: its view, its question, nothing told of the other."""
    session = room.session(hot_seat_match(scenario=brawl(1)))
    for _ in range(12):
        session.lift_curtain()
        session.peek(session.needs_peek)
        assert session.decision is not None
        session.submit(next(iter(session.decision.options)))
    other = hot_seat_match(scenario=brawl(1))
    session.show(other)
    assert session.length == 0
    assert session.decision is not None
    assert session.decision.kind == "fight-order"
    assert session.view == other.view("public")
    assert not session.recap.can_show
    assert session.takeback.askers == {}
    assert session.submit(next(iter(session.decision.options)))
    assert other.length == 1
