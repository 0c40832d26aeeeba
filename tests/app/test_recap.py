"""Whoever comes to the screen is told what he missed, as his side may know it, and then decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.game_page import RECAP_TIME
from app.main_window import MainWindow
from app.recap import MOVERS, PLAIN, QUIET, TELLING, Act, Recap, Recaps, group_lines, recall, weight
from app.session import Session
from app.settings import SettingsStore
from app.suggestions import suggested_abilities
from engine.bots.random import RandomPlayer
from engine.core.event import Event
from engine.core.match import Table, play
from engine.raid import choices as c
from engine.raid import events as e
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.view import View
from tests.helpers.gui import (
    Driver,
    all_texts,
    hot_seat_match,
    leaks,
    open_window,
    screenshot,
    small_scenario,
)


class ToldGame:
    """A game told by hand: views are turn and phase, events come as they are added."""

    def __init__(self, view: View) -> None:
        self.now = view
        self.told: dict[str, list[Event]] = {"terminator": [], "clonemaster": [], "public": []}

    def view(self, viewer: str) -> View:
        return self.now

    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]:
        return tuple(self.told[viewer][since:])

    def event_count(self, viewer: str) -> int:
        return len(self.told[viewer])


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    """Settings of their own: recaps in words, so that nothing has to be waited for."""
    made = SettingsStore(tmp_path / "settings.json")
    made.set(pace=0, animation_speed=0.0, recap="text")
    return made


@pytest.fixture
def sessions(qapp: Any, store: SettingsStore) -> Iterator[list[Session]]:
    """Close every session of a test."""
    made: list[Session] = []
    yield made
    for session in made:
        session.close()


def begun(sessions: list[Session], store: SettingsStore, match: RaidMatch, bots: Any = None) -> Session:
    """Return a session that has begun."""
    session = Session(match, store, bots)
    sessions.append(session)
    session.start()
    return session


def to_first_move(session: Session, *, is_set_up: bool = False) -> None:
    """Do both set-ups of a shared game (or the second alone) and lift the curtain once more."""
    if not is_set_up:
        session.lift_curtain()
        assert session.submit_all([*suggested_abilities(session.scenario), c.Ready()])
    session.lift_curtain()
    while session.curtain_for is None:
        assert session.decision is not None
        assert session.submit(next(iter(session.decision.options)))
    session.lift_curtain()


def enter_and_end(session: Session) -> None:
    """Bring one Terminator in, and end both his movement phases."""
    assert session.decision is not None
    entry = next(
        choice
        for name in session.decision.options.groups
        for choice in session.decision.options.of(name)
        if isinstance(choice, c.Enter)
    )
    assert session.submit(entry)
    while session.curtain_for is None:
        assert session.decision is not None
        if session.decision.kind == "terminator-move":
            assert session.submit(c.EndPhase())
        else:
            session.peek(session.needs_peek)
            assert session.submit(next(iter(session.decision.options)))


def test_every_kind_of_event_has_a_weight() -> None:
    """No event is forgotten: moves are plain, hits and reveals tell, hidden choices are quiet."""
    kinds = [kind for kind in vars(e).values() if isinstance(kind, type) and issubclass(kind, e.RaidEvent)]
    assert len(kinds) > 40
    assert weight(e.Moved("4.3", "Rising Dream", ((1, 1), (1, 2)), None, None)) == PLAIN
    assert weight(e.Revealed("4.2", "J-1", (1, 1), "entry")) == TELLING
    assert weight(e.ShotRolled("5.3", "LC 1", "Rising Dream", 3, 2, True)) == TELLING
    assert weight(e.ShotRolled("5.3", "LC 1", "Rising Dream", 3, 5, False)) == PLAIN
    assert weight(e.CountersChosen("5.4", "J-1", ("fist",))) == QUIET
    assert weight(e.SideChose("5.4", "terminator")) == QUIET


def test_lines_are_grouped_by_phase_with_the_telling_ones_first() -> None:
    """A reveal comes before the walk that led to it, within its own phase."""
    walk = e.Moved("4.3", "Rising Dream", ((1, 1), (1, 2)), None, None)
    found = e.Revealed("4.2", "J-1", (1, 2), "entry")
    told = [walk, found, e.PhaseBegan("3.2", 2, "combat-1"), e.HandEmpty("R16", "terminator")]
    told += [e.PhaseBegan("3.2", 2, "terminator-move-2"), walk]
    groups = group_lines(told, 2, "terminator-move-1")
    assert [(one.phase, one.telling, one.plain) for one in groups] == [
        ("terminator-move-1", (found,), (walk,)),
        ("terminator-move-2", (), (walk,)),
    ]


def test_what_is_taken_back_is_not_told(sessions: list[Session], store: SettingsStore) -> None:
    """A move that was undone before the hand-over is no part of the recap."""
    session = begun(sessions, store, hot_seat_match())
    to_first_move(session)
    assert session.decision is not None
    entry = next(
        choice
        for name in session.decision.options.groups
        for choice in session.decision.options.of(name)
        if isinstance(choice, c.Enter)
    )
    session.submit(entry)
    assert session.undo()
    while session.curtain_for is None:
        session.submit(c.EndPhase())
    session.lift_curtain()
    assert session.recap.now is None


def test_the_other_side_is_told_at_the_curtain_what_it_missed(
    sessions: list[Session], store: SettingsStore
) -> None:
    """After the curtain: the recap first, nothing asked; after it the decision."""
    session: Any = begun(sessions, store, hot_seat_match())
    to_first_move(session)
    assert not session.recap.can_show  # set-ups tell nothing
    enter_and_end(session)
    assert session.curtain_for == "clonemaster"
    session.lift_curtain()
    recap: Any = session.recap.now
    assert recap is not None
    assert recap.viewer == session.viewer == "clonemaster"
    assert any(isinstance(event, e.Entered) for event in recap.events)
    refused: list[Any] = []
    session.refused.connect(refused.append)
    assert not session.submit(c.EndPhase())
    assert "being shown" in refused[0].reason
    decision = session.decision
    session.recap.end()
    assert (decision, session.recap.now) == (None, None)
    assert session.decision.kind == "clonemaster-move"


def test_nothing_of_the_recap_is_there_before_the_curtain_is_lifted(
    sessions: list[Session], store: SettingsStore
) -> None:
    """Under the curtain there is no recap, no view, no event, and none can be called for."""
    session = begun(sessions, store, hot_seat_match())
    to_first_move(session)
    enter_and_end(session)
    assert (session.recap.now, session.view, session.events()) == (None, None, ())
    assert not session.recap.can_show
    assert not session.recap.show()
    assert session.recap.now is None


def test_a_recap_holds_only_what_its_viewer_was_told(tmp_path: Path) -> None:
    """R29: each act's events and view are those of the viewer, through a whole game of bots."""
    match = RaidMatch.new(small_scenario(2), "5")
    play(match, {"terminator": RandomPlayer("1"), "clonemaster": RandomPlayer("2")})
    replay = RaidReplay.of(match.record)
    recaps = recall(replay, ("terminator", "clonemaster"))
    assert recaps.last("public") is not None
    for viewer in ("terminator", "clonemaster", "public"):
        recap = recaps.last(viewer)
        if recap is None:
            continue
        assert recap.before.viewer == viewer
        assert all(act.view.viewer == viewer for act in recap.acts)
        mine = match.events(viewer)
        assert set(map(repr, recap.events)) <= set(map(repr, mine))


def test_each_absence_is_told_by_itself() -> None:
    """After one's own move the next recap begins anew, and has all of what came since."""
    game = ToldGame(msg(hot_seat_match(turns=2).view("public"), phase="terminator-move-1", turn=1))
    recaps = Recaps(game, ("terminator", "clonemaster"))

    def act(name: str, looking: str, phase: str) -> None:
        for told in game.told.values():
            told.append(e.Moved("4.3", name, ((1, 1), (1, 2)), None, None))
        game.now = msg(game.now, phase=phase)
        recaps.watch(game, looking)

    for turn in (1, 2):
        game.now = msg(game.now, turn=turn)
        act(f"Terminator {turn}", "terminator", "terminator-move-2")
        act(f"Terminator {turn}", "terminator", "clonemaster-move")
        recap = recaps.last("clonemaster")
        assert recap is not None
        names = [event.figure for event in recap.events]  # type: ignore[attr-defined]
        assert names == [f"Terminator {turn}"] * 2
        act(f"J-{turn}", "clonemaster", "terminator-move-1")


def test_secrets_of_the_other_side_change_nothing_in_a_recap(
    sessions: list[Session], store: SettingsStore
) -> None:
    """R29: two games that differ in the Terminators' levels give the CloneMaster player the same recap."""
    recaps = []
    for is_changed in (False, True):
        session: Any = begun(sessions, store, hot_seat_match())
        session.lift_curtain()
        chosen = list(suggested_abilities(session.scenario))
        if is_changed:
            chosen = [
                c.SetAbilities(one.figure, one.kick, one.fist, one.mist, one.soul, one.heart)
                for one in chosen
            ]
        assert session.submit_all([*chosen, c.Ready()])
        to_first_move(session, is_set_up=True)
        enter_and_end(session)
        session.lift_curtain()
        recaps.append(session.recap.now)
    assert recaps[0] is not None
    assert recaps[0] == recaps[1]


def test_a_game_taken_up_again_remembers_what_the_living_one_did() -> None:
    """What is recalled from the record is what was watched as it happened, at every turn of a game."""
    sides = ("terminator", "clonemaster")
    match = RaidMatch.new(small_scenario(4), "8")
    live = Recaps(match, sides)
    table = Table(match, {side: RandomPlayer(side) for side in sides})
    turn, checked = 1, 0
    while not match.is_over:
        phase = match.view("public").phase
        table.step()
        live.watch(match, MOVERS.get(phase, "public"))
        if match.view("public").turn != turn and not match.is_over:
            turn = match.view("public").turn
            recalled = recall(RaidReplay.of(match.record), sides)
            for viewer in sides:
                now, then = live.last(viewer), recalled.last(viewer)
                assert (now is None) == (then is None)
                if now is not None and then is not None:
                    assert now.events == then.events
                    checked += 1
    assert checked > 2


def test_a_recap_begins_at_the_view_last_seen_and_ends_at_the_present() -> None:
    """Between them the views follow the acts one after the other."""
    match = hot_seat_match(turns=2)
    view = match.view("public")
    game = ToldGame(msg(view, phase="terminator-move-1", turn=1))
    recaps = Recaps(game, ("terminator", "clonemaster"))
    views = [msg(view, phase="terminator-move-1", turn=1) for _ in range(3)]
    walk = e.Moved("4.3", "Rising Dream", ((1, 1), (1, 2)), None, None)
    for one in views:
        game.now = one
        for told in game.told.values():
            told.append(walk)
        recaps.watch(game, "terminator")
    recap = recaps.unseen("clonemaster")
    assert recap is not None
    assert [act.view for act in recap.acts] == views
    assert recap.acts[-1].view is game.now
    assert recaps.unseen("clonemaster") is None
    assert recaps.unseen("terminator") is None  # he did it himself


def msg(view: View, **changes: Any) -> View:
    """Return a view with some fields changed."""
    import msgspec

    return msgspec.structs.replace(view, **changes)


def test_both_are_told_only_what_one_of_them_missed() -> None:
    """When the board opens to both after a private move, the other's own move before it is not told again."""
    view = hot_seat_match(turns=2).view("public")
    game = ToldGame(msg(view, phase="terminator-move-2", turn=1))
    recaps = Recaps(game, ("terminator", "clonemaster"))

    def act(name: str, looking: str, phase: str) -> None:
        for told in game.told.values():
            told.append(e.Moved("4.3", name, ((1, 1), (1, 2)), None, None))
        game.now = msg(game.now, phase=phase)
        recaps.watch(game, looking)

    act("Rising Dream", "terminator", "clonemaster-move")
    assert recaps.unseen("clonemaster") is not None
    act("J-1", "clonemaster", "combat-2")
    recap = recaps.unseen("public")
    assert recap is not None
    assert [event.figure for event in recap.events] == ["J-1"]  # type: ignore[attr-defined]


def test_a_bots_turn_is_offered_and_not_forced(
    sessions: list[Session], store: SettingsStore, qtbot: QtBot
) -> None:
    """What was animated as it happened is told again only when asked for."""
    match = RaidMatch.new(
        small_scenario(2), "1", seats={"terminator": "random", "clonemaster": "human"}, names={}
    )
    session = begun(sessions, store, match, {"terminator": RandomPlayer("4")})

    def is_asked() -> bool:
        return session.decision is not None

    qtbot.waitUntil(is_asked, timeout=10000)
    while session.decision is not None and session.decision.kind == "set-up-clonemaster":
        session.submit(next(iter(session.decision.options)))
    for _ in range(60):
        qtbot.waitUntil(is_asked, timeout=10000)
        assert session.recap.now is None
        if session.decision is not None and session.decision.kind == "clonemaster-move":
            break
        assert session.decision is not None
        session.submit(next(iter(session.decision.options)))
    assert session.recap.can_show
    assert session.recap.show()
    recap = session.recap.now
    assert recap is not None
    assert recap.viewer == "clonemaster"
    movers = {event.figure for event in recap.events if isinstance(event, e.Moved | e.Entered)}
    own = {one.name for one in match.view("clonemaster").figures if one.side == "clonemaster"}
    assert movers
    assert not movers & own
    session.recap.end()
    assert session.decision is not None


def test_no_recap_is_shown_where_the_settings_say_so(sessions: list[Session], store: SettingsStore) -> None:
    """With recaps off the decision comes at once, and the recap can still be called for."""
    store.set(recap="off")
    session = begun(sessions, store, hot_seat_match())
    to_first_move(session)
    enter_and_end(session)
    session.lift_curtain()
    assert session.recap.now is None
    assert session.decision is not None
    assert session.recap.show()


@pytest.fixture
def handover(qtbot: QtBot, tmp_path: Path) -> Any:
    """Return a function that opens a shared game at the curtain before the CloneMaster's move."""

    def made(**settings: Any) -> tuple[MainWindow, Driver]:
        window = open_window(qtbot, tmp_path, **({"recap": "animated"} | settings))
        window.begin(hot_seat_match(turns=2, seed="3"))
        driver = Driver(qtbot, window, 4)
        wanted = window.store.now
        window.store.set(animation_speed=0.0, recap="off")
        to_first_move(driver.session)
        enter_and_end(driver.session)
        window.store.set(animation_speed=wanted.animation_speed, recap=wanted.recap)
        return window, driver

    return made


def test_the_board_shows_the_recap_and_the_panel_says_so(handover: Any, qtbot: QtBot, tmp_path: Path) -> None:
    """The board begins where the player left it, ends in the present, and only then does he decide."""
    window, driver = handover(animation_speed=1.0)
    driver.lift_curtain()
    session, page = driver.session, driver.page
    recap = session.recap.now
    assert recap is not None
    assert not session.recap.is_read
    assert page.board_view.view == recap.before
    panel = page.decision_panel.recap_panel
    assert panel.isVisible()
    assert "Then you decide" in " ".join(all_texts([panel]).values())
    qtbot.wait(60)
    screenshot(window, "recap-animated", tmp_path)
    window.store.set(animation_speed=3.0)
    qtbot.waitUntil(lambda: session.recap.now is None, timeout=20000)
    QApplication.processEvents()
    assert page.board_view.view == session.view
    assert session.decision is not None
    assert not panel.isVisible()
    assert page.decision_panel.recap_button.isVisible()
    screenshot(window, "recap-over", tmp_path)


@pytest.mark.parametrize("key", [Qt.Key.Key_F8, Qt.Key.Key_Escape, Qt.Key.Key_Space, None])
def test_a_recap_is_skipped_by_key_and_by_button(handover: Any, qtbot: QtBot, key: Qt.Key | None) -> None:
    """F8, Esc, Space and the button end it at once, in the present."""
    window, driver = handover(animation_speed=1.0)
    driver.lift_curtain()
    session = driver.session
    assert session.recap.now is not None
    qtbot.wait(60)
    if key is None:
        driver.click(driver.page.decision_panel.recap_panel.end_button)
    else:
        QTest.keyClick(window.focusWidget() or window, key)
    qtbot.waitUntil(lambda: session.recap.now is None, timeout=20_000)
    assert session.decision is not None
    assert driver.page.board_view.view == session.view


def test_a_recap_in_words_waits_for_the_reader(handover: Any, qtbot: QtBot, tmp_path: Path) -> None:
    """As text: the lines by phase, the present on the board, and F9 shows them again."""
    window, driver = handover(recap="text", animation_speed=1.0)
    driver.lift_curtain()
    session, panel = driver.session, driver.page.decision_panel.recap_panel
    assert session.recap.is_read
    assert driver.page.board_view.view == session.view
    text = panel.lines.toPlainText()
    assert "Turn 1 · Terminator Move I" in text
    assert "enters by" in text
    screenshot(window, "recap-text", tmp_path)
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert session.recap.now is None
    assert panel.lines.toPlainText() == ""
    # Each change is looked at as it is told: what is shown on the board may end between two later looks.
    shown: list[Recap | None] = []
    session.changed.connect(lambda: shown.append(session.recap.now))
    QTest.keyClick(window, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: bool(shown), timeout=20_000)
    assert shown[0] is not None
    session.recap.end()


def test_the_recap_tells_no_secret(handover: Any, qtbot: QtBot, tmp_path: Path) -> None:
    """R29: with the CloneMaster's recap on the screen no Terminator's level is in any widget."""
    window, driver = handover(recap="text")
    driver.lift_curtain()
    assert driver.session.recap.now is not None
    hidden = ["Iron Fist 1", "Iron Fist 2", "Iron Fist 3", "Mountain Heart 1", "Mountain Heart 2"]
    assert leaks(hidden, all_texts([window])) == []


@pytest.mark.parametrize("mode", ["dark", "contrast"])
def test_the_recap_at_double_text_is_whole(handover: Any, tmp_path: Path, mode: str) -> None:
    """At 1280 x 720 and 200 % the button to go on stays in sight."""
    window, driver = handover(recap="text", text_scale=2.0, theme=mode)
    driver.lift_curtain()
    QApplication.processEvents()
    button = driver.page.decision_panel.recap_panel.end_button
    corner = button.mapTo(window, button.rect().bottomRight())
    assert window.rect().contains(corner)
    screenshot(window, f"recap-large-{mode}", tmp_path)


def test_a_saved_game_is_told_anew(qtbot: QtBot, tmp_path: Path) -> None:
    """Whoever goes on with a saved game sees what the other side did last."""
    file = tmp_path / "game.json"
    window = open_window(qtbot, tmp_path, recap="text")
    match = RaidMatch.new(
        small_scenario(3),
        "2",
        seats={"terminator": "human", "clonemaster": "random"},
        names={},
        path=file,
    )
    window.begin(match, bots={"clonemaster": RandomPlayer("9")})
    driver = Driver(qtbot, window, 7)
    for _ in range(200):
        driver.wait()
        view = driver.session.view
        if view is not None and view.turn == 2 and driver.session.decision.kind == "terminator-move":
            break
        driver.step()
    assert driver.session.recap.now is None
    window.leave_game()
    assert json.loads(file.read_bytes())["format"] == "kungfu2100.record"
    window.continue_game(file)
    qtbot.waitUntil(lambda: driver.session.recap.now is not None, timeout=5000)
    recap: Any = driver.session.recap.now
    assert {group.phase for group in recap.groups()} & {"clonemaster-move", "combat-2"}
    assert driver.session.decision is None
    driver.session.recap.end()
    assert driver.session.decision is not None


def test_a_long_recap_is_sped_up(handover: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much happened, it takes twelve seconds at speed 1; a short one is not hurried."""
    _, driver = handover(animation_speed=0.0)
    driver.lift_curtain()
    session, page = driver.session, driver.page
    session.recap.end()
    driver.window.store.set(animation_speed=1.0)
    view = session.view
    walk = e.Moved("4.3", view.figures[0].name, ((1, 1), (1, 2)), None, None)
    hurries: list[float] = []
    animate = page.board_view.animate

    def watched(events: Any, done: Any, hurry: float = 1.0) -> None:
        hurries.append(hurry)
        animate(events, done, hurry)

    monkeypatch.setattr(page.board_view, "animate", watched)
    for number in (200, 5):
        acts = tuple(Act((walk,), view) for _ in range(number))
        session.recap.begin(Recap("clonemaster", view, acts), is_read=False)
        session.changed.emit()
        session.recap.end()
    whole = page.board_view.length_of([walk] * 200)
    assert whole > RECAP_TIME
    assert hurries == [pytest.approx(whole / RECAP_TIME, rel=0.05), 1.0]
