"""A game over the network in its windows: what each shows, what holds it up, what comes back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app import exports, game_files, sounds
from app.lan.certificate import load_identity
from app.lan.guest.inbox import LINES as CHAT_KEPT
from app.lan.guest.link import Invitation, Link, LinkState
from app.lan.host.server import HostThread, Server
from app.lan.host.table import Options, Table
from app.lan.pause import PAUSE, AnswerPause
from app.lan_game import AT_ONCE, OUT_OF_TIME, LanGame
from app.panels.decision import NOT_NOW
from app.recap import weight
from app.suggestions import suggested_abilities
from engine.core.lan_protocol import CHAT_LENGTH, WATCH
from engine.core.match import PUBLIC
from engine.core.protocol import CLIENT, RecordAnswer, UndoRequest
from engine.core.record import format_record
from engine.core.takeback import TAKEBACK, AnswerTakeback, TakebackAnswered
from engine.raid import choices as c
from engine.raid.figures import CLONEMASTER, TERMINATOR
from engine.raid.scenario import Scenario
from tests.helpers.gui import Driver, all_texts, brawl, leaks, open_window, screenshot, small_scenario
from tests.helpers.lan import SECRET, Time, key
from tests.helpers.lan_window import Plain, Room, Seat, answer, sit
from tests.helpers.proxy import Proxy, lines

T, C = TERMINATOR, CLONEMASTER


def room_for(tmp_path: Path, scenario: Scenario | None = None, **options: Any) -> Room:
    """Return a room for two people; its clock stands unless told to go on."""
    laid = Options(
        title="Basic",
        host="Ann's machine",
        scenario=scenario or small_scenario(1),
        seats={T: CLIENT, C: CLIENT},
        **options,
    )
    clock = Time()
    return Room(Table.new("AB", SECRET, laid, tmp_path / "table", clock), clock)


def two(
    qtbot: QtBot, tmp_path: Path, scenario: Scenario | None = None, *, options: Any = None, **settings: Any
) -> tuple[Room, Seat, Seat]:
    """Return Ann as the Terminators and Bob as the CloneMaster, each in a window, with the game begun."""
    room = room_for(tmp_path, scenario, **(options or {}))
    ann = sit(qtbot, tmp_path, room, "Ann", T, **settings)
    bob = sit(qtbot, tmp_path, room, "Bob", C, **settings)
    qtbot.waitUntil(lambda: ann.window.session is not None and bob.window.session is not None)
    ann.settle()
    return room, ann, bob


def ann_alone(
    qtbot: QtBot, tmp_path: Path, scenario: Scenario | None = None, *, options: Any = None, **settings: Any
) -> tuple[Room, Seat, Plain]:
    """Return Ann as the Terminators in a window, against Bob, who has none; by default in a fight."""
    room = room_for(tmp_path, scenario or brawl(1), **(options or {}))
    ann = sit(qtbot, tmp_path, room, "Ann", T, **settings)
    bob = Plain(room, "Bob", C)
    qtbot.waitUntil(lambda: ann.window.session is not None)
    ann.settle()
    return room, ann, bob


def bob_alone(
    qtbot: QtBot, tmp_path: Path, scenario: Scenario | None = None, **settings: Any
) -> tuple[Room, Plain, Seat]:
    """Return the same with the window at Bob, the CloneMaster."""
    room = room_for(tmp_path, scenario or brawl(1))
    ann = Plain(room, "Ann", T)
    bob = sit(qtbot, tmp_path, room, "Bob", C, **settings)
    qtbot.waitUntil(lambda: bob.window.session is not None)
    bob.settle()
    return room, ann, bob


def play(qtbot: QtBot, *players: Seat | Plain, until: Any = None, by_hand: bool = False) -> None:
    """Let people play at random until the end or what is said, `by_hand` by clicks in their windows."""
    seats = [one for one in players if isinstance(one, Seat)]
    plain = [one for one in players if isinstance(one, Plain)]
    drivers = [Driver(qtbot, seat.window, 3) for seat in seats]
    random = Random(3)

    def is_done() -> bool:
        return all(seat.session.is_over for seat in seats) or (until is not None and until())

    def is_asked() -> bool:
        return any(seat.session.decision is not None for seat in seats) or any(one.asked_now for one in plain)

    for _ in range(400):
        qtbot.waitUntil(lambda: is_done() or is_asked(), timeout=10000)
        for one in plain:
            if one.asked_now is not None and not is_done():
                one.choose(one.asked_now.options.sample(random))
        for driver, seat in zip(drivers, seats, strict=True):
            decision = seat.session.decision
            if decision is None or is_done():
                continue
            if by_hand:
                seat.window.activateWindow()
                driver.step()
            else:
                assert seat.session.submit(decision.options.sample(random)), seat.page.decision_panel.reason
            seat.settle()
        if is_done():
            return
    raise AssertionError("the game did not end")


def prompt(seat: Seat) -> str:
    """Return what the window says that is to be done."""
    text: str = seat.page.decision_panel._prompt.text()
    return text


# Beginning and playing.


def test_no_widget_of_a_guest_has_the_others_secrets(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: what lies face down has its name in its own player's window, and nowhere in the other's."""
    _, ann, bob = two(qtbot, tmp_path, brawl(1))
    assert leaks(["Technician 1"], all_texts([ann.window])) == []
    assert leaks(["Technician 1"], all_texts([bob.window])) != []


def test_each_window_has_its_own_side(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: each is asked for his own set-up, waits with the other's words, and no curtain ever falls."""
    _, ann, bob = two(qtbot, tmp_path)
    assert (ann.session.viewer, bob.session.viewer) == (T, C)
    assert ann.session.decision.kind == "set-up-terminator"
    assert ann.session.submit_all([*suggested_abilities(ann.session.scenario), c.Ready()])
    qtbot.waitUntil(lambda: bob.session.decision is not None)
    assert bob.session.decision.kind == "set-up-clonemaster"
    assert ann.session.decision is None
    assert "CloneMaster" in prompt(ann)
    assert ann.window.curtain is None
    assert ann.window.windowTitle().startswith("Basic: Ann against Bob")


def test_many_choices_at_once_leave_the_window_alive_and_end_with_the_line(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each goes to the host and back, and is shown before the next; a lost line is asked only once."""
    room, ann, _ = two(qtbot, tmp_path)
    shown: list[int] = []
    ann.session.changed.connect(lambda: QTimer.singleShot(0, lambda: shown.append(room.match.length)))
    ask = ann.line.ask

    def ask_twice(request: Any, within: float = 3.0) -> Any:
        if room.match.length == 2:
            ann.line.cut()
        return ask(request, within)

    monkeypatch.setattr(ann.line, "ask", ask_twice)
    refused: list[Any] = []
    ann.session.refused.connect(refused.append)
    assert not ann.session.submit_all([*suggested_abilities(ann.session.scenario), c.Ready()])
    assert 1 in shown
    assert room.match.length == len(ann.line.asked) == 2
    assert [one.reason for one in refused] == ["the host cannot be asked: the connection is lost"]


def test_a_refusal_while_one_waits_does_not_say_it_twice(qtbot: QtBot, tmp_path: Path) -> None:
    """The line above says what is waited for; below stands that nothing can be chosen, by no rule."""
    _, ann, bob = two(qtbot, tmp_path)
    assert ann.session.submit_all([*suggested_abilities(ann.session.scenario), c.Ready()])
    ann.page.seat.explain_square((5, 5))
    assert ann.page.decision_panel.reason == f"{NOT_NOW}."
    assert prompt(ann) == ann.session.waiting != ""
    screenshot(ann.window, "lan-not-now", tmp_path)
    bob.line.cut()
    qtbot.waitUntil(lambda: "Bob" in prompt(ann))
    ann.page.seat.explain_square((5, 5))
    assert ann.page.decision_panel.reason == f"{NOT_NOW}."


def test_mountain_heart_is_lost_only_when_asked(qtbot: QtBot, tmp_path: Path) -> None:
    """R24: where one elsewhere sees how long an answer takes, the setting does not answer for the player."""
    # Terminators who cannot strike back, for as long as it takes to hit one.
    scenario = brawl(8)
    assert scenario.start is not None
    weak = {"mist": 1, "soul": 1, "heart": 3}
    figures = tuple(
        one if one.original is None else msgspec.structs.replace(one, original=weak)
        for one in scenario.start.figures
    )
    start = msgspec.structs.replace(scenario.start, figures=figures)
    _, ann, bob = ann_alone(qtbot, tmp_path, msgspec.structs.replace(scenario, start=start), heart_first=True)

    def is_asked() -> bool:
        decision = ann.session.decision
        return (
            decision is not None
            and decision.kind == "lose-ability"
            and any(isinstance(one, c.LoseAbility) and one.ability == "heart" for one in decision.options)
        )

    play(qtbot, ann, bob, until=is_asked)
    assert is_asked()


def test_two_windows_play_to_the_end_and_have_the_same_record(qtbot: QtBot, tmp_path: Path) -> None:
    """Clicks and keys in both; then both have one record, whose dice are proved, among the finished games."""
    _, ann, bob = two(qtbot, tmp_path, brawl(1))
    play(qtbot, ann, bob, by_hand=True)
    qtbot.waitUntil(lambda: ann.game.has_record and bob.game.has_record)
    assert format_record(ann.window.stage.match.record) == format_record(bob.window.stage.match.record)
    assert (ann.session.viewer, bob.session.viewer) == ("open", "open")
    assert len(game_files.finished()) == 2
    for seat in (ann, bob):
        words = seat.window.end_dialog.record_words
        assert words.text().startswith("The record is sound")
        assert "sealed, yours among them" in words.text()
        assert seat.line.ticket.token == "", "what is kept proves the dice, and leads to no seat"
        assert not words.isHidden()
        screenshot(seat.window.end_dialog, f"lan-end-{seat.game.side}", tmp_path)
        seat.window.end_dialog.after_button.click()
        assert seat.window.after_page is not None
        seat.window.look_back.step_back()
        assert not seat.panel._record.isHidden()


def test_the_game_of_another_machine_is_not_written_here(qtbot: QtBot, tmp_path: Path) -> None:
    """Saved games, export and the rescue after a fault know a game that has no file; its secrets stay."""
    _, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    ann.window.save_now()
    assert game_files.unfinished() == []
    dialog = ann.window.show_saved_games()
    assert "one over the network waits on the start screen" in dialog.empty.text()
    dialog.reject()
    export = exports.of_session(ann.session)
    assert export.record is None
    assert export.view.viewer == T
    assert export.why_not("notation")
    assert export.why_not("file").endswith("when the game is over and the host has sent its record.")


def test_without_the_record_looking_back_says_so_and_asks_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line goes at the very end: the end is shown, the record is fetched once somebody wants it."""
    _, ann, bob = bob_alone(qtbot, tmp_path)
    from engine.core.protocol import RecordRequest, Refusal

    asked = bob.line.ask

    def refuse(request: Any, within: float = 3.0) -> Any:
        if isinstance(request, RecordRequest):
            raise Refusal("internal", "a fault of the program")
        return asked(request, within)

    bob.line.ask = refuse
    play(qtbot, ann, bob)
    qtbot.waitUntil(lambda: "A fault of the program." in bob.window.end_dialog.record_words.text())
    assert exports.of_session(bob.session).record is None
    told: list[str] = []
    monkeypatch.setattr(bob.window, "_warn", told.append)
    bob.line.ask = asked
    with qtbot.waitSignal(bob.game.recordCame):
        bob.window.end_dialog.replay_button.click()
    assert told[0].startswith("The record of this game is not here yet.")
    assert bob.window.replay_page is None
    assert bob.session.is_over
    bob.page.decision_panel.replayWanted.emit()
    assert bob.window.replay_page is not None


# What holds the game up.


def test_a_lost_player_is_waited_for(qtbot: QtBot, tmp_path: Path) -> None:
    """Ann is asked nothing while Bob is away, is told for how long, and goes on where she was."""
    room, ann, bob = ann_alone(qtbot, tmp_path, brawl(1))
    kind = ann.session.decision.kind
    room.clock.go(5)
    bob.cut()
    room.clock.go(12)
    room.table.set_delay(ann.line.guest, 23)
    room.tell()
    qtbot.waitUntil(lambda: prompt(ann) == "Waiting for Bob, away for 0:12")
    assert ann.session.decision is None
    assert not ann.page.decision_panel.is_fighting
    before = ann.session.revision
    refused: list[Any] = []
    ann.session.refused.connect(refused.append)
    assert not ann.session.submit(c.Fight(0))
    assert (refused[0].reason, refused[0].rule) == ("Waiting for Bob, away for 0:12", "-")
    assert (ann.session.revision, room.match.length) == (before, before)
    assert ann.panel.rows[1].words.text() == "Bob (CloneMaster): away for 0:12"
    assert ann.panel.rows[0].words.text() == "Ann (Terminator, you): here, 23 ms"
    assert ann.page.strip.rows[1].words.text() == "Bob: away for 0:12"
    screenshot(ann.window, "lan-away", tmp_path)
    bob.back()
    qtbot.waitUntil(lambda: ann.session.decision is not None)
    again: Any = ann.session.decision
    assert again.kind == kind
    assert ann.page.decision_panel.is_fighting
    assert ann.panel.rows[1].words.text() == "Bob (CloneMaster): here"


def test_the_prompt_counts_the_seconds_and_nothing_else_changes(qtbot: QtBot, tmp_path: Path) -> None:
    """By the second only the words of waiting are written anew: whoever reads or types is left alone."""
    _, ann, bob = ann_alone(qtbot, tmp_path, brawl(1))
    bob.cut()
    qtbot.waitUntil(lambda: "away for" in prompt(ann))
    changes: list[int] = []
    ann.session.changed.connect(lambda: changes.append(1))
    ann.game._table_at -= 7
    ann.game.ticked.emit()
    assert prompt(ann) == "Waiting for Bob, away for 0:07"
    assert changes == []


def test_a_choice_without_a_connection_changes_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    """The own line is down: the screen says so everywhere, a choice is refused, undo and takeback too."""
    room, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    ann.line.cut()
    qtbot.waitUntil(lambda: prompt(ann).startswith("No connection to the host for 0:0"))
    refused: list[Any] = []
    ann.session.refused.connect(refused.append)
    assert not ann.session.submit(c.Fight(0))
    assert not ann.session.undo()
    assert not ann.session.takeback.ask()
    assert not ann.session.release_clonemaster()
    assert ann.session.why(c.Fight(0)).reason.startswith("No connection")
    assert all("No connection" in one.reason or "nothing" in one.reason for one in refused)
    assert room.match.length == 0
    assert ann.page.strip.rows[0].words.text().startswith("You: connection lost")
    assert ann.page.strip.rows[1].words.text() == "Bob: not known"
    ann.panel.box.setText("hello?")
    QTest.keyClick(ann.panel.box, Qt.Key.Key_Return)
    assert "no connection" in ann.panel._why.text()
    assert ann.panel.box.text() == "hello?"
    ann.panel.pause_button.click()
    assert ann.panel._why.text() == "There is no connection to the host."


def test_a_line_that_breaks_at_the_choice_itself_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    """Nobody has noticed yet that the line is down when the choice is made: it says why, and asks again."""
    room, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    ann.line.is_up = False
    assert not ann.session.submit(ann.session.decision.options[0])
    assert "cannot be asked" in ann.page.decision_panel.reason
    assert not ann.page.decision_panel._why.isHidden()
    assert ann.session.decision is not None
    assert room.match.length == 0


def test_a_refused_way_back_is_the_end_of_the_line(qtbot: QtBot, tmp_path: Path) -> None:
    """The host does not know the seat any more: the screen says why, and promises no further try."""
    _, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    ann.line.is_up = False
    ann.game._on_state(LinkState("refused", "nobody with this token sits here", 0.0))
    qtbot.waitUntil(lambda: prompt(ann).startswith("The connection has ended"))
    assert "nobody with this token sits here" in prompt(ann)
    assert "no connection" in ann.page.strip.rows[0].words.text()


def test_a_pause_is_asked_for_agreed_to_and_ended(qtbot: QtBot, tmp_path: Path) -> None:
    """Bob asks where decisions stand; while the game is paused nobody decides; either goes on."""
    _, ann, bob = two(qtbot, tmp_path, brawl(1))
    kind = ann.session.decision.kind
    Driver(qtbot, bob.window).click(bob.panel.pause_button)
    qtbot.waitUntil(lambda: ann.session.decision.kind == PAUSE)
    assert bob.panel.pause_button.text() == "Ask no longer"
    bob.panel.pause_button.click()
    qtbot.waitUntil(lambda: ann.session.decision is not None and ann.session.decision.kind == kind)
    # Ann was about to answer when the question went away.
    assert ann.page.decision_panel._reading.isActive()
    bob.panel.pause_button.click()
    qtbot.waitUntil(lambda: ann.session.decision is not None and ann.session.decision.kind == PAUSE)
    bob.settle()
    assert prompt(ann) == "Bob asks for a pause. Do you agree?"
    assert [one.text() for one in ann.page.decision_panel.buttons] == ["Agree", "Play on"]
    assert ann.page.decision_panel.undo_button.isHidden()
    screenshot(ann.window, "lan-pause", tmp_path)
    ann.window.activateWindow()
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not ann.page.decision_panel.buttons[0].is_barred)
    QTest.keyClick(ann.window, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: prompt(ann) == prompt(bob) == "The game is paused. Either player can go on.")
    assert ann.session.decision is None
    assert bob.panel.pause_button.text() == "Go on"
    assert [one.text() for one in bob.page.decision_panel.buttons] == ["Go on"]
    bob.page.decision_panel.buttons[0].click()
    qtbot.waitUntil(lambda: ann.session.decision is not None and ann.session.decision.kind == kind)


def test_a_pause_may_be_declined(qtbot: QtBot, tmp_path: Path) -> None:
    """Ann plays on: the question is gone, her own is there again, and the table says so to both."""
    _, ann, bob = ann_alone(qtbot, tmp_path, brawl(1))
    bob.ask_for_pause()
    qtbot.waitUntil(lambda: ann.session.decision.kind == PAUSE)
    QApplication.processEvents()
    answer(qtbot, ann, "Play on")
    qtbot.waitUntil(lambda: ann.session.decision.kind != PAUSE)
    qtbot.waitUntil(lambda: "Ann would rather play on." in ann.panel.chat.toPlainText())


def test_a_bot_plays_for_me_until_i_take_my_seat_back(qtbot: QtBot, tmp_path: Path) -> None:
    """The seat goes to a bot by the menu of its bots, the screen looks on, the button takes it back."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    ann.panel.bot_button.click()
    actions = ann.panel._menu.actions()
    assert actions[0].text().replace("&", "") == "Rulebook bot"
    actions[0].trigger()
    ann.panel._menu.close()
    qtbot.waitUntil(lambda: ann.game.has_bot)
    qtbot.waitUntil(lambda: ann.session.decision is None)
    assert prompt(ann).startswith("A bot plays for you.")
    assert "plays for you" in ann.panel.rows[0].words.text()
    assert "plays for Ann" in bob.panel.rows[1].words.text()
    before = room.match.length
    for _ in range(20):
        room.tick()
    qtbot.waitUntil(lambda: ann.session.length > before)
    assert ann.session.viewer == T
    assert [one.text() for one in ann.page.decision_panel.buttons] == ["Take my seat back"]
    ann.page.decision_panel.buttons[0].click()
    qtbot.waitUntil(lambda: not ann.game.has_bot)
    assert ann.panel.bot_button.text() == "Let a bot play for me"
    play(qtbot, ann, bob)


def test_a_bot_for_the_other_who_stays_away(qtbot: QtBot, tmp_path: Path) -> None:
    """Too soon the host says how long to wait; after a minute a bot plays for him and the game goes on."""
    room, ann, bob = ann_alone(qtbot, tmp_path, brawl(1))
    assert ann.panel.stand_in_button.isHidden()
    bob.cut()
    qtbot.waitUntil(lambda: not ann.panel.stand_in_button.isHidden())
    assert ann.panel.stand_in_button.text() == "Let a bot play for Bob"
    ann.game.let_play(C, "rulebook")
    qtbot.waitUntil(lambda: "another 60 seconds" in ann.panel._why.text())
    assert ann.panel.stand_in_button.is_barred
    ann.panel.stand_in_button.click()
    assert ann.panel._why.text() in (
        "In 1:00, if Bob has not come back by then.",
        "In 0:59, if Bob has not come back by then.",
    )
    room.clock.go(61)
    room.table._table_changed()
    room.tell()
    qtbot.waitUntil(lambda: not ann.panel.stand_in_button.is_barred)
    ann.panel.stand_in_button.click()
    qtbot.waitUntil(lambda: ann.session.decision is not None)
    assert ann.panel.stand_in_button.isHidden()


def test_whose_time_is_up_is_not_told_to_take_his_seat_back(qtbot: QtBot, tmp_path: Path) -> None:
    """Both places say that the bot plays on to the end, and the button is barred with that as its reason."""
    room, ann, _bob = two(qtbot, tmp_path, brawl(1), options={"clock": 60.0})
    play(qtbot, ann, _bob, until=lambda: ann.session.decision is not None)
    room.clock.go(61)
    room.tick()
    qtbot.waitUntil(lambda: ann.game.has_bot)
    assert ann.game.is_out_of_time
    assert ann.game.waiting == OUT_OF_TIME
    assert ann.game.ways_on == ()
    assert ann.panel.rows[0].words.text().endswith("plays for you, time is up")
    assert ann.panel.bot_button.is_barred
    ann.panel.bot_button.click()
    assert ann.panel._why.text() == OUT_OF_TIME


# What comes back.


def while_bob_is_away(qtbot: QtBot, tmp_path: Path, **settings: Any) -> tuple[Room, Plain, Seat]:
    """Return a game in which Bob is away, while a bot plays for him against Ann."""
    room, ann, bob = bob_alone(qtbot, tmp_path, brawl(2), **settings)
    bob.game.let_play(C, "rulebook")
    qtbot.waitUntil(lambda: bob.game.has_bot)
    bob.line.cut()
    told = room.match.event_count(C)
    while not any(map(weight, room.match.events(C, told))):
        go_on(room, ann)
    bob.settle()
    return room, ann, bob


def go_on(room: Room, ann: Plain) -> None:
    """Let Ann choose, or the bots."""
    if ann.asked_now is not None:
        ann.choose(ann.asked_now.options[0])
    else:
        room.tick()


def away_while_a_bot_played(qtbot: QtBot, tmp_path: Path, **settings: Any) -> tuple[Room, Plain, Seat]:
    """Return the same game just when Bob has come back."""
    room, ann, bob = while_bob_is_away(qtbot, tmp_path, **settings)
    bob.line.back()
    return room, ann, bob


def test_who_comes_back_is_told_what_he_missed(qtbot: QtBot, tmp_path: Path) -> None:
    """His recap: what he knew before on the board, then each choice as his side was told of it."""
    room, _, bob = away_while_a_bot_played(qtbot, tmp_path, recap="animated", animation_speed=1.0)
    qtbot.waitUntil(lambda: bob.session.recap.now is not None)
    recap = bob.session.recap.now
    assert recap.viewer == C
    assert recap.acts[-1].view == bob.session._match.view(C)
    assert recap.events == room.match.events(C)[-len(recap.events) :]
    assert bob.session.decision is None
    screenshot(bob.window, "lan-recap", tmp_path)
    bob.page.skip()
    assert bob.session.recap.now is None
    assert bob.session.view == room.match.view(C)
    assert bob.session.recap.can_show


@pytest.mark.parametrize("recap", ["text", "off"])
def test_the_recap_of_a_return_is_told_as_the_settings_say(qtbot: QtBot, tmp_path: Path, recap: str) -> None:
    """In words only, or not at all; F9 tells it again either way."""
    _, _, bob = away_while_a_bot_played(qtbot, tmp_path, recap=recap)
    bob.settle()
    if recap == "text":
        assert bob.session.recap.is_read
        bob.session.recap.end()
    assert bob.session.recap.now is None
    bob.page.show_recap()
    assert bob.session.recap.now is not None


def test_what_comes_during_a_recap_is_told_after_it(qtbot: QtBot, tmp_path: Path) -> None:
    """The game goes on while Bob reads: he reads to the end, then sees the rest happen."""
    room, ann, bob = away_while_a_bot_played(qtbot, tmp_path, recap="text")
    bob.settle()
    shown = bob.session.recap.now
    assert shown is not None
    told: list[Any] = []
    bob.session.happened.connect(told.extend)
    go_on(room, ann)
    go_on(room, ann)
    bob.settle()
    assert bob.session.recap.now is shown
    assert told == []
    bob.session.recap.end()
    qtbot.waitUntil(lambda: bob.session.view == room.match.view(C))
    assert tuple(told) == room.match.events(C)[-len(told) :]
    assert told


def test_what_comes_during_an_animation_is_shown_after_it(qtbot: QtBot, tmp_path: Path) -> None:
    """Two choices close together are shown one after the other, neither cut short."""
    room, ann, bob = bob_alone(qtbot, tmp_path)
    bob.session.hold()
    told: list[Any] = []
    bob.session.happened.connect(told.extend)
    go_on(room, ann)
    bob.settle()
    assert told == []
    bob.session.resume()
    qtbot.waitUntil(lambda: bool(told))
    assert bob.session.view == room.match.view(C)


def test_a_choice_of_the_other_is_told_once(qtbot: QtBot, tmp_path: Path) -> None:
    """Each event comes to `happened` once, in its order, whoever made the choice."""
    room, ann, bob = bob_alone(qtbot, tmp_path)
    heard: list[Any] = []
    start = len(bob.session.events())
    bob.session.happened.connect(heard.extend)
    play(qtbot, ann, bob)
    assert tuple(heard) == room.match.events(C)[start:]


def test_the_others_undo_takes_back_what_was_told(qtbot: QtBot, tmp_path: Path) -> None:
    """Ann takes a step back alone: it goes from Bob's board and log without a word."""
    fight = brawl(1)
    assert fight.start is not None
    start = msgspec.structs.replace(fight.start, phase="terminator-move-1")
    _, ann, bob = bob_alone(qtbot, tmp_path, msgspec.structs.replace(fight, start=start))
    assert ann.asked_now is not None
    walk = next(one for one in ann.asked_now.options if isinstance(one, c.Move))
    log = bob.page.log_panel.log
    before, view = log.toPlainText(), bob.session.view
    ann.choose(walk)
    qtbot.waitUntil(lambda: log.toPlainText() != before)
    told: list[Any] = []
    bob.session.happened.connect(told.extend)
    ann.ask(UndoRequest(side=T, revision=ann.asked_now.revision))
    qtbot.waitUntil(lambda: bob.session.view == view)
    assert log.toPlainText() == before
    assert told == []


def test_a_takeback_is_asked_and_answered_between_two_windows(qtbot: QtBot, tmp_path: Path) -> None:
    """The question stands where decisions stand, the answer is told to both, both are back."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    play(qtbot, ann, bob, until=lambda: bool(ann.session.takeback.askers) and not ann.session.can_undo())
    what = ann.session.takeback.askers[T]
    assert ann.session.takeback.ask()
    qtbot.waitUntil(lambda: bob.session.decision is not None and bob.session.decision.kind == TAKEBACK)
    QApplication.processEvents()
    assert what in prompt(bob)
    assert "says whether" in prompt(ann)
    answer(qtbot, bob, "Agree")
    qtbot.waitUntil(lambda: isinstance(ann.session.events()[-1], TakebackAnswered))
    qtbot.waitUntil(lambda: ann.session.decision is not None)
    assert ann.session.view == room.match.view(T)


def test_a_window_opened_anew_finds_the_game_and_what_was_missed(qtbot: QtBot, tmp_path: Path) -> None:
    """After its program was killed: the same seat in a new window, the whole log, the recap."""
    room, _, bob = while_bob_is_away(qtbot, tmp_path, recap="text")
    again = sit(qtbot, tmp_path, room, "Bob", C, line=bob.line, recap="text")
    qtbot.waitUntil(lambda: again.window.session is not None)
    again.settle()
    assert again.session.recap.now is not None
    again.session.recap.end()
    again.settle()
    assert again.session.events() == room.match.events(C)
    assert again.page.log_panel.log.toPlainText()


def test_what_came_while_nobody_could_watch_is_not_shown_as_new(qtbot: QtBot, tmp_path: Path) -> None:
    """One who only looks on comes back: the board is at the present at once, and nothing is played anew."""
    room = room_for(tmp_path, brawl(1))
    ann, bob = Plain(room, "Ann", T), Plain(room, "Bob", C)
    cy = sit(qtbot, tmp_path, room, "Cy", WATCH)
    qtbot.waitUntil(lambda: cy.window.session is not None)
    cy.settle()
    cy.line.cut()
    play(qtbot, ann, bob, until=lambda: room.match.length > 8)
    told: list[Any] = []
    cy.session.happened.connect(told.extend)
    cy.line.back()
    qtbot.waitUntil(lambda: cy.session.view == room.match.view(PUBLIC))
    assert told == []
    assert cy.session.events() == room.match.events(PUBLIC)


# Looking on.


def test_who_looks_on_has_the_publics_eyes_until_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: no counter lies open to him, nothing is asked of him; after the end everything is open."""
    room, ann, bob = ann_alone(qtbot, tmp_path)
    cy = sit(qtbot, tmp_path, room, "Cy", WATCH)
    qtbot.waitUntil(lambda: cy.window.session is not None)
    cy.settle()
    assert cy.session.viewer == PUBLIC
    assert cy.session.decision is None
    assert prompt(cy)
    assert cy.page.decision_panel.undo_button.isHidden()
    assert cy.panel._buttons.isHidden()
    assert leaks(["Technician 1"], all_texts([cy.window])) == []
    assert cy.page.strip.own.words.text() == "You: connected"
    cy.game.chat("May the better one win")
    qtbot.waitUntil(lambda: "Cy: May the better one win" in ann.panel.chat.toPlainText())
    assert ann.panel._watchers.text() == "Looking on: Cy"
    screenshot(cy.window, "lan-watch", tmp_path)
    refused: list[Any] = []
    cy.session.refused.connect(refused.append)
    assert not cy.session.submit(c.Fight(0))
    assert refused
    play(qtbot, ann, bob)
    qtbot.waitUntil(lambda: cy.session.is_over)
    assert cy.session.viewer == "open"
    qtbot.waitUntil(lambda: cy.game.has_record)
    assert format_record(cy.window.stage.match.record) == format_record(room.match.record)


def test_a_host_that_says_too_much_is_heard_in_parts(qtbot: QtBot, tmp_path: Path) -> None:
    """What waits for the window is bounded, and what is much leaves it its turn."""
    _, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    line = ann.game.lines[-1]
    for number in range(3 * CHAT_KEPT):
        ann.game._on_told(msgspec.structs.replace(line, number=line.number + 1 + number))
    assert len(ann.game._inbox) == CHAT_KEPT
    ann.game._take_in()
    assert len(ann.game._inbox) == CHAT_KEPT - AT_ONCE
    qtbot.waitUntil(lambda: not ann.game._inbox)
    assert len(ann.game.lines) == CHAT_KEPT
    assert ann.panel.chat.blockCount() == CHAT_KEPT


def test_a_window_that_is_told_too_much_knows_when_its_line_is_dead(qtbot: QtBot, tmp_path: Path) -> None:
    """However much came before it, the state of the connection is always taken in."""
    _, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    line = ann.game.lines[-1]
    for number in range(5000):
        ann.game._on_told(msgspec.structs.replace(line, number=line.number + 1 + number))
    ann.game._on_state(LinkState("refused", "the host tells more than any game has", time.monotonic()))
    qtbot.waitUntil(lambda: not ann.game.is_connected)
    assert "more than any game has" in ann.session.held_up


# Talking.


def test_what_others_type_is_shown_as_it_stands(qtbot: QtBot, tmp_path: Path) -> None:
    """Neither a name nor a line of chat is markup, a link or a key, wherever it is shown."""
    room = room_for(tmp_path, brawl(1))
    evil = "<h1>Eve</h1> & <a>"
    ann = sit(qtbot, tmp_path, room, "Ann", T)
    eve = Plain(room, evil, C)
    qtbot.waitUntil(lambda: ann.window.session is not None)
    line = "<img src='x'> <b>Hi</b> &amp; <script>"
    eve.chat(line)
    qtbot.waitUntil(lambda: line in ann.panel.chat.toPlainText())
    assert f"{evil}: {line}" in ann.panel.chat.toPlainText()
    assert ann.panel.rows[1].words.textFormat() == Qt.TextFormat.PlainText
    assert evil in ann.panel.rows[1].words.text()
    assert evil[:12] in ann.page.strip.rows[1].words.text()
    assert ann.page.strip.rows[1].words.textFormat() == Qt.TextFormat.PlainText
    eve.cut()
    qtbot.waitUntil(lambda: evil in prompt(ann))
    assert ann.page.decision_panel._prompt.textFormat() == Qt.TextFormat.PlainText
    assert ann.panel.stand_in_button.accessibleName() == f"Let a bot play for {evil}"
    assert "&&" in ann.panel.stand_in_button.text()


def test_a_line_is_said_by_keys_alone_and_ends_no_phase(qtbot: QtBot, tmp_path: Path) -> None:
    """F2, words, Return; with Ctrl too, which elsewhere ends a phase; digits are letters; Escape leaves."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    before = room.match.length
    ann.window.activateWindow()
    ann.page.board_view.setFocus()
    QApplication.processEvents()
    QTest.keyClick(ann.window, Qt.Key.Key_F2)
    box = ann.panel.box
    qtbot.waitUntil(lambda: ann.panel.isVisible() and box.hasFocus())
    QTest.keyClicks(box, "1 2 3")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Ann: 1 2 3" in bob.panel.chat.toPlainText())
    assert box.text() == ""
    assert room.match.length == before
    assert box.maxLength() == CHAT_LENGTH
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert ann.page.board_view.hasFocus()


def test_who_has_written_nothing_ends_his_phase_from_the_chat(qtbot: QtBot, tmp_path: Path) -> None:
    """Ctrl+Return in the empty line goes to the game; what is longer than a line is said to be left out."""
    _, ann, _bob = ann_alone(qtbot, tmp_path)
    box = ann.panel.box
    keys = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    keys.ignore()
    QApplication.sendEvent(box, keys)
    assert not keys.isAccepted()
    box.setText("a")
    QApplication.sendEvent(box, keys)
    assert keys.isAccepted()
    box.clear()
    QTest.keyClicks(box, "x" * CHAT_LENGTH)
    assert ann.panel._why.text() == ""
    QTest.keyClicks(box, "y")
    assert f"room for {CHAT_LENGTH} letters" in ann.panel._why.text()
    QTest.keyClick(box, Qt.Key.Key_Backspace)
    assert ann.panel._why.text() == ""


def test_in_a_set_up_a_button_leads_to_the_chat(qtbot: QtBot, tmp_path: Path) -> None:
    """The docks make room for the set-up; the window's foot leads to the chat and counts what is said."""
    _, ann, bob = two(qtbot, tmp_path)
    assert ann.page.set_up is not None
    button = ann.page.strip.chat_button
    qtbot.waitUntil(button.isVisible)
    bob.game.chat("hello")
    qtbot.waitUntil(lambda: button.text() == "Chat (1)")
    for mode, scale in (("light", 1.0), ("dark", 2.0)):
        ann.window.store.set(theme=mode, text_scale=scale)
        qtbot.wait(50)
        screenshot(ann.window, f"lan-set-up-chat-{mode}-{scale}", tmp_path)
    button.click()
    qtbot.waitUntil(lambda: ann.panel.chat.isVisible() and not button.isVisible())
    qtbot.wait(50)
    screenshot(ann.window, "lan-set-up-chat-open", tmp_path)
    assert ann.page.notices.unseen == 0
    ann.page.table_dock.close()
    qtbot.waitUntil(button.isVisible)


def test_what_is_said_at_the_foot_of_the_window_ends_in_an_ellipsis(qtbot: QtBot, tmp_path: Path) -> None:
    """A long line behind another tab leaves the people their room and says that there is more of it."""
    _, ann, bob = ann_alone(qtbot, tmp_path)
    ann.page.log_dock.raise_()
    qtbot.waitUntil(lambda: not ann.page.notices.is_panel_seen)
    bob.chat("a rather long line " * 10)
    bar = ann.window.statusBar()
    qtbot.waitUntil(lambda: bar.currentMessage().startswith("Bob: a rather"))
    assert bar.currentMessage().endswith("…")
    room = bar.width() - ann.page.strip.width()
    assert bar.fontMetrics().horizontalAdvance(bar.currentMessage()) < room


def test_the_menu_has_what_can_be_done_about_ones_seat(qtbot: QtBot, tmp_path: Path) -> None:
    """A pause and a bot for oneself; nothing of it, and no draw, for one who looks on."""
    room, ann, bob = two(qtbot, tmp_path, brawl(1))
    eve = sit(qtbot, tmp_path, room, "Eve", WATCH)
    qtbot.waitUntil(lambda: eve.window.session is not None)
    menus = ann.window.menus
    ann.page.log_dock.raise_()
    menus._pause.trigger()
    qtbot.waitUntil(lambda: bob.session.decision is not None and bob.session.decision.kind == PAUSE)
    answer(qtbot, bob, "Agree")
    qtbot.waitUntil(lambda: ann.panel.pause_button.text() == "Go on")
    menus._name_seat()
    assert menus._pause.text() == "Go on"
    menus._pause.trigger()
    qtbot.waitUntil(lambda: ann.panel.pause_button.text() != "Go on")
    for action in (menus._pause, menus._bot, menus._draw):
        assert action.isVisible()
        assert action.isEnabled()
    watching = eve.window.menus
    assert not watching._pause.isVisible()
    assert not watching._bot.isVisible()
    assert not watching._draw.isEnabled()


def test_a_long_name_leaves_the_panel_its_width(qtbot: QtBot, tmp_path: Path) -> None:
    """24 wide letters are broken within the name, which stands as it was typed."""
    room = room_for(tmp_path, brawl(1))
    ann = sit(qtbot, tmp_path, room, "w" + "W" * 23, T)
    bob = sit(qtbot, tmp_path, room, "bob", C)
    qtbot.waitUntil(lambda: bob.window.session is not None and ann.window.session is not None)
    bob.settle()
    bob.page.table_dock.raise_()
    qtbot.wait(50)
    screenshot(bob.window, "lan-long-name", tmp_path)
    own, other = bob.panel.rows
    assert own.accessibleName().startswith("bob (CloneMaster, you)")
    assert other.accessibleName().startswith("w" + "W" * 23)
    for row in (own, other):
        assert row.words.minimumSizeHint().width() <= row.words.width()
        assert row.visibleRegion().boundingRect().width() >= row.width() - 1


def test_lines_that_nobody_saw_are_counted_at_the_tab(qtbot: QtBot, tmp_path: Path) -> None:
    """The table behind another tab counts what is said, shows it at the window's foot, and forgets it."""
    _, ann, bob = ann_alone(qtbot, tmp_path, brawl(1))
    ann.page.log_dock.raise_()
    qtbot.waitUntil(lambda: not ann.page.notices.is_panel_seen)
    bob.chat("one")
    bob.chat("two")
    qtbot.waitUntil(lambda: ann.page.table_dock.windowTitle() == "At the &table (2)")
    assert ann.window.statusBar().currentMessage() == "Bob: two"
    ann.page.table_dock.raise_()
    qtbot.waitUntil(lambda: ann.page.table_dock.windowTitle() == "At the &table")


def test_the_chat_stays_at_its_end_unless_one_reads_further_up(qtbot: QtBot, tmp_path: Path) -> None:
    """A new line, and another height of the panel, leave the last line in sight; whoever scrolled stays."""
    _, ann, bob = ann_alone(qtbot, tmp_path)
    ann.page.table_dock.raise_()
    bar = ann.panel.chat.verticalScrollBar()
    for number in range(20):
        bob.chat(f"Line {number}")
    qtbot.waitUntil(lambda: "Line 19" in ann.panel.chat.toPlainText())
    ann.settle()
    assert 0 < bar.value() == bar.maximum()
    ann.window.resize(1280, 640)
    ann.settle()
    assert bar.value() == bar.maximum()
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    bob.chat("One more")
    qtbot.waitUntil(lambda: "One more" in ann.panel.chat.toPlainText())
    ann.settle()
    assert bar.value() == 0


class Listener:
    """A player of sounds that keeps their names."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def play(self, name: str, volume: float, after: float = 0.0) -> None:
        self.names.append(name)

    def close(self, *, for_good: bool = False) -> None:
        pass


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Hear what the program would play."""
    made = Listener()
    sounds.use(made)
    yield made
    sounds.use(None)


def test_who_leaves_returns_and_speaks_is_heard(qtbot: QtBot, tmp_path: Path, listener: Listener) -> None:
    """Each has a sound of its own in the other's window; what one does oneself is silent."""
    _, ann, bob = ann_alone(qtbot, tmp_path, brawl(1), sound=True)
    ann.settle()
    listener.names.clear()
    ann.game.chat("hello")
    ann.settle()
    assert listener.names == []
    bob.chat("hello")
    qtbot.waitUntil(lambda: listener.names == ["said"])
    bob.cut()
    qtbot.waitUntil(lambda: listener.names == ["said", "left"])
    bob.back()
    qtbot.waitUntil(lambda: "back" in listener.names)


def test_the_desktop_is_told_when_it_is_ones_turn_behind_other_windows(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window that is not in front asks to be looked at; the one in front does not."""
    waved: list[QWidget] = []
    monkeypatch.setattr(QApplication, "alert", lambda window, *rest: waved.append(window))
    _, ann, bob = two(qtbot, tmp_path, brawl(1))
    bob.window.activateWindow()
    QApplication.processEvents()
    assert not ann.window.isActiveWindow()
    ann.game.chat("look here")
    qtbot.waitUntil(lambda: "look here" in bob.panel.chat.toPlainText())
    assert bob.window not in waved
    bob.game.ask_for_pause()
    qtbot.waitUntil(lambda: ann.window in waved)


# Over the real network.


def test_two_windows_at_a_real_host(qtbot: QtBot, tmp_path: Path) -> None:
    """TLS on loopback, a line that is cut: chat, pause, bot, return with recap, takeback, end, records."""
    room = room_for(tmp_path, brawl(1))
    table = room.table
    table._now = time.monotonic
    thread = HostThread(Server([table], load_identity(tmp_path / "host"), "Ann's machine", bind="127.0.0.1"))
    port = thread.start()
    try:
        with Proxy(port, lines(1, 0)) as proxy:
            play_at(qtbot, tmp_path, thread, room, port, proxy)
    finally:
        thread.stop()


def play_at(qtbot: QtBot, tmp_path: Path, thread: HostThread, room: Room, port: int, proxy: Proxy) -> None:
    """Play that game: Ann straight at the host, Bob through the proxy."""
    seats = []
    for name, side, at in (("Ann", T, port), ("Bob", C, proxy.port)):
        folder = tmp_path / name
        folder.mkdir()
        window = open_window(qtbot, folder, recap="text")
        way = Invitation("127.0.0.1", at, f"AB{SECRET}", name, side)
        game = LanGame(way, window, connect=partial(Link, folder=folder / "tickets", look=None))
        game.begun.connect(lambda match, window=window, game=game: window.play_lan(game))
        game.start()
        seats.append(Seat(window, game, None))
    ann, bob = seats
    wait = partial(qtbot.waitUntil, timeout=10000)
    wait(lambda: ann.window.session is not None and bob.window.session is not None)
    wait(lambda: ann.session.decision is not None)
    # Chat and a pause.
    bob.game.chat("Good luck")
    wait(lambda: "Bob: Good luck" in ann.panel.chat.toPlainText())
    bob.game.ask_for_pause()
    wait(lambda: ann.session.decision.kind == PAUSE)
    ann.session.submit(AnswerPause(True))
    wait(lambda: prompt(bob).startswith("The game is paused"))
    ann.game.go_on()
    wait(lambda: ann.session.decision is not None and bob.session.held_up == "")
    # A bot for Bob, whose line is cut.
    bob.game.let_play(C, "rulebook")
    wait(lambda: bob.game.has_bot)
    proxy.target = 1  # where nobody listens
    proxy.cut()
    wait(lambda: prompt(bob).startswith("No connection to the host"))
    wait(lambda: "plays for Bob" in ann.panel.rows[1].words.text())
    told = len(bob.session.events())
    random = Random(1)
    while not any(map(weight, thread.call(lambda: room.match.events(C, told)))):
        wait(lambda: ann.session.decision is not None or ann.session.is_over)
        assert ann.session.submit(ann.session.decision.options.sample(random))
    # Back by itself, with the recap; the seat back too.
    proxy.target = port
    wait(lambda: bob.session.recap.now is not None)
    assert len(bob.session.events()) > told
    bob.session.recap.end()
    bob.game.let_play(C, CLIENT)
    wait(lambda: not bob.game.has_bot)
    # A takeback, and to the end.
    play(qtbot, ann, bob, until=lambda: bool(ann.session.takeback.askers))
    assert ann.session.takeback.ask()
    wait(lambda: bob.session.decision is not None and bob.session.decision.kind == TAKEBACK)
    assert bob.session.submit(AnswerTakeback(True))
    wait(lambda: any(isinstance(one, TakebackAnswered) for one in ann.session.events()))
    play(qtbot, ann, bob)
    wait(lambda: ann.game.has_record and bob.game.has_record)
    records = {format_record(seat.window.stage.match.record) for seat in seats}
    assert records == {room.table.record_path.read_bytes()}
    for seat in seats:
        assert seat.window.end_dialog.record_words.text().startswith("The record is sound")
        seat.game.close()


# How it looks.


def test_a_record_that_proves_nothing_is_told_in_the_colour_of_danger(qtbot: QtBot, tmp_path: Path) -> None:
    """The host opens another game than the one that was played: the end says what is wrong with it."""
    _, ann, bob = bob_alone(qtbot, tmp_path)
    asked = bob.line.ask

    def forge(request: Any, within: float = 3.0) -> Any:
        answer = asked(request, within)
        if isinstance(answer, RecordAnswer):
            return msgspec.structs.replace(answer, record={**answer.record, "seed": "mine"})
        return answer

    bob.line.ask = forge
    play(qtbot, ann, bob)
    qtbot.waitUntil(lambda: bob.window.end_dialog.record_words._tone == "danger")
    # With other dice some choice is against the rules, or all of them tell another tale.
    told = ("The record that the host sent is not", "The record does not prove this game")
    assert bob.window.end_dialog.record_words.text().startswith(told)
    assert bob.panel._record._tone == "danger"
    assert game_files.finished() == []


def test_clocks_and_a_host_that_cannot_save_are_shown(qtbot: QtBot, tmp_path: Path) -> None:
    """Each side's time stands at its name, the running one marked; the host's trouble is told to all."""
    room, ann, _ = ann_alone(qtbot, tmp_path, options={"clock": 600.0, "host_token": key("1")})
    assert ann.game.is_host
    assert ann.panel._code.text() == "Join code: AB2Q-XMKP"
    room.table.note("The game goes on, but the host cannot save it: no space left")
    room.tell()
    qtbot.waitUntil(lambda: not ann.panel._notice.isHidden())
    assert "no space left" in ann.panel._notice.text()
    texts = [row.clock.text() for row in ann.panel.rows]
    assert texts[0].startswith("▸ ")
    assert texts[1] == "10:00"
    assert [row.clock.text() for row in ann.page.strip.rows] == texts
    ann.game._table_at -= 545
    ann.game.ticked.emit()
    assert ann.panel.rows[0].clock.text() in ("▸ 0:55", "▸ 0:54")
    assert ann.panel.rows[0].clock._tone == "danger"
    screenshot(ann.window, "lan-clocks", tmp_path)


def test_all_of_the_table_fits_a_small_window(qtbot: QtBot, tmp_path: Path) -> None:
    """At 1280x720, in any look, the chat's entry and every button are in sight, and no tab is cut short."""
    room, ann, bob = ann_alone(qtbot, tmp_path)
    for number in range(6):
        bob.chat(f"Line {number} of a longer talk about who should have moved where and why")
    room.table.set_delay(ann.line.guest, 1234)
    bob.cut()
    ann.page.table_dock.raise_()
    qtbot.waitUntil(lambda: "Line 5" in ann.panel.chat.toPlainText())
    qtbot.waitUntil(lambda: "away for" in ann.page.strip.rows[1].words.text())
    assert "slow, 1234 ms" in ann.page.strip.rows[0].words.text()
    looks = (("light", 1.0, 720), ("dark", 1.0, 720), ("light", 1.0, 672), ("light", 2.0, 720))
    for mode, scale, height in (*looks, ("contrast", 2.0, 672)):
        ann.window.store.set(theme=mode, text_scale=scale)
        ann.window.resize(1280 if height == 720 else 1264, height)
        qtbot.wait(50)
        ann.page.table_dock.raise_()
        qtbot.wait(50)
        screenshot(ann.window, f"lan-table-{mode}-{scale}-{height}", tmp_path)
        panel = ann.panel
        seen = panel.chat.viewport().visibleRegion().boundingRect().height()
        assert seen >= 3 * panel.chat.fontMetrics().lineSpacing(), (mode, scale, height)
        shown = (panel.pause_button, panel.bot_button, panel.stand_in_button, *panel.rows)
        for part in (panel.box, *(shown if height == 720 else ())):
            assert part.visibleRegion().boundingRect().height() >= part.height() - 1, (mode, scale, part)
        for row in ann.page.strip.rows:
            words = row.words
            assert words.visibleRegion().boundingRect().width() >= words.sizeHint().width(), words.text()
        for bar in ann.page.findChildren(QTabBar):
            for tab in range(bar.count()):
                title = bar.tabText(tab).replace("&", "")
                assert bar.tabRect(tab).width() >= bar.fontMetrics().horizontalAdvance(title), title


def test_a_window_that_large_text_made_higher_is_as_before_afterwards(qtbot: QtBot, tmp_path: Path) -> None:
    """At 250 % and back the window has its own size again, so that its foot is on the screen."""
    _, ann, _bob = ann_alone(qtbot, tmp_path)
    ann.window.resize(1264, 672)
    qtbot.wait(20)
    for scale in (2.0, 2.5, 1.0):
        ann.window.store.set(text_scale=scale)
        qtbot.wait(150)
    assert (ann.window.width(), ann.window.height()) == (1264, 672)


def test_who_is_there_is_never_cut_in_the_middle_of_a_letter(qtbot: QtBot, tmp_path: Path) -> None:
    """Changed words have their room at once; those too long for a narrow window end in "…" and have a tip."""
    room = room_for(tmp_path, clock=36000.0)
    ann = sit(qtbot, tmp_path, room, "Bartholomew the Great", T)
    bob = sit(qtbot, tmp_path, room, "Wilhelmina Featherstone", C)
    cy = sit(qtbot, tmp_path, room, "Cy", WATCH)
    qtbot.waitUntil(lambda: cy.window.session is not None)
    cy.settle()
    words = [cy.page.strip.own.words, *(one.words for one in cy.page.strip.rows)]
    room.table.set_delay(ann.line.guest, 1234)
    bob.line.cut()
    room.tell()
    cy.game._take_in()  # before any layout's turn
    assert [one.shown for one in words] == [one.text() for one in words]
    assert "away for" in words[2].shown
    assert words[2].toolTip() == ""
    cy.window.store.set(text_scale=2.0)
    qtbot.wait(50)
    screenshot(cy.window, "lan-strip-2.0", tmp_path)
    short = [one for one in words if one.shown != one.text()]
    assert short
    for one in short:
        assert one.shown.endswith("…")
        assert one.toolTip() == one.text()
    for one in words:
        assert one.fontMetrics().horizontalAdvance(one.shown) <= one.width()


def test_without_a_network_there_is_no_table(qtbot: QtBot, tmp_path: Path) -> None:
    """At one screen nothing of all this is there, and leaving a game over the network takes it away."""
    _, ann, _ = ann_alone(qtbot, tmp_path, brawl(1))
    strip = ann.page.strip
    assert strip.isVisible()
    ann.window.leave_game()
    QApplication.processEvents()
    assert ann.line.is_up is False
    ann.window.play_now()
    assert ann.page.table_dock is None
    assert ann.page.strip is None
