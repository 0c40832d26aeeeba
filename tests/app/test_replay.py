"""The replay: every way to a moment, whose eyes see what, and playing on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import game_files, theme
from app.main_window import MainWindow
from app.panels.widgets import ActionButton
from app.replay.page import ReplayPage
from app.replay.play_on import PlayOnDialog
from app.replay.script import Line
from engine.bots import make_bot
from engine.core.match import play
from engine.core.player import Player
from engine.core.record import load_record
from engine.raid.events import CombatBegan, PhaseBegan
from engine.raid.figures import SIDES
from engine.raid.log import describe
from engine.raid.match import RaidMatch, RaidReplay
from engine.raid.scenario import load_scenario
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window, screenshot

RECORD = Path(__file__).parents[1] / "records" / "terminator-victory.json"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def shown(qtbot: QtBot, tmp_path: Path, record: Any = None, **settings: Any) -> tuple[MainWindow, ReplayPage]:
    """Return a window with the replay of a finished game."""
    window = open_window(qtbot, tmp_path, recap="off", **settings)
    window.look_back.show_replay(RaidReplay.of(record or load_record(RECORD)))
    page = window.replay_page
    assert page is not None
    with qtbot.waitActive(window):
        window.activateWindow()
    return window, page


def finished(scenario: Any = None, seed: str = "3") -> RaidMatch:
    """Return a game that bots have played to its end."""
    match = RaidMatch.new(scenario or brawl(1), seed, names={"terminator": "Ann", "clonemaster": "Bob"})
    play(match, {side: make_bot("rulebook", f"{seed} {side}") for side in SIDES})
    return match


def line_at(page: ReplayPage, row: int) -> Line:
    """Return a line of the list."""
    return page.script.lines[row]


def key(
    window: MainWindow, qtbot: QtBot, wanted: int, which: Qt.Key, held: Any = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press a key and wait for the position it leads to."""
    page = window.replay_page
    assert page is not None
    QTest.keyClick(window, which, held)
    qtbot.waitUntil(lambda: page.replay.position == wanted)


def test_backwards_shows_what_forwards_showed(qtbot: QtBot, tmp_path: Path) -> None:
    """Stepped back from the end, every moment looks as it did on the way there."""
    _, page = shown(qtbot, tmp_path, finished().record)

    def look() -> tuple[Any, str, str]:
        return page.board_view.view, page.moment.text, page.where.text()

    forwards = [look()]
    while page.next_button.isEnabled():
        page.next_button.click()
        forwards.append(look())
    assert len(forwards) == page.replay.length + 1
    for wanted in reversed(forwards):
        assert look() == wanted
        page.back_button.click()
    assert not page.back_button.isEnabled()


def test_a_line_of_the_log_leads_to_its_moment(qtbot: QtBot, tmp_path: Path) -> None:
    """By click and by Enter; the moment's lines are marked, what is still to come is told as such."""
    _, page = shown(qtbot, tmp_path)
    script = page.script
    assert len(script.lines) == len(page.replay.timeline("open"))
    row = next(at for at, line in enumerate(script.lines) if line.text.startswith("Combat 1:"))
    index = script.model().index(row, 0)
    script.scrollTo(index)
    QApplication.processEvents()
    spot = script.visualRect(index).center()
    QTest.mouseClick(script.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(spot.x(), spot.y()))
    assert page.replay.position == line_at(page, row).position
    assert line_at(page, row) in script.now()
    assert "Combat 1:" in page.moment.text
    script.setFocus()
    for _step in range(6):
        QTest.keyClick(script, Qt.Key.Key_Down)
    later = script.currentIndex().row()
    assert later == row + 6
    QTest.keyClick(script, Qt.Key.Key_Return)
    assert page.replay.position == line_at(page, later).position
    said = Qt.ItemDataRole.AccessibleTextRole
    assert script.model().data(script.model().index(later, 0), said).startswith("now: ")
    last = script.model().index(len(script.lines) - 1, 0)
    assert script.model().data(last, said).startswith("still to come: ")
    assert not page.is_playing


def test_the_marked_line_stays_in_sight(qtbot: QtBot, tmp_path: Path) -> None:
    """However one comes to a moment, its line is in sight, and the last one before it where it has none."""
    _, page = shown(qtbot, tmp_path)
    for position in (0, 300, 20, page.replay.length):
        page.jump(position)
        QApplication.processEvents()
        row = page.script.currentIndex().row()
        assert page.script.visualRect(page.script.currentIndex()).intersects(page.script.viewport().rect())
        assert line_at(page, row).position <= max(position, line_at(page, 0).position)
    page.eyes.setCurrentIndex(page.eyes.findData("public"))
    page.jump(10)
    assert page.moment.text == "<b>Nothing that these eyes could see.</b>"


def test_the_first_step_says_where_one_is(qtbot: QtBot, tmp_path: Path) -> None:
    """With everything open nothing is hidden from these eyes: the game has only not begun."""
    _, page = shown(qtbot, tmp_path)
    for eyes in ("open", "terminator"):
        page.eyes.setCurrentIndex(page.eyes.findData(eyes))
        assert "The beginning of the game" in page.moment.text


def test_what_happens_in_a_step_is_told_line_by_line(qtbot: QtBot, tmp_path: Path) -> None:
    """Each line of the log on its own, the first bold; those that do not fit can be scrolled to."""
    _, page = shown(qtbot, tmp_path)
    positions = [line.position for line in page.script.lines]
    most = max(set(positions), key=positions.count)
    page.jump(most)
    QApplication.processEvents()
    lines = page.moment.text.split("<br>")
    assert len(lines) == len(page.script.now()) > 3
    assert [line.startswith("<b>") for line in lines] == [True] + [False] * (len(lines) - 1)
    area = page.moment._scroll
    assert area.verticalScrollBar().maximum() > 0
    area.setFocus()
    QTest.keyClick(area, Qt.Key.Key_Down)
    assert area.verticalScrollBar().value() > 0


def test_escape_leaves_the_replay_as_it_leaves_a_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    """Esc leads to where the replay was opened from."""
    window, page = shown(qtbot, tmp_path)
    QTest.keyClick(page.script, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.start_page)


def test_space_plays_and_pauses_wherever_the_focus_is(qtbot: QtBot, tmp_path: Path) -> None:
    """Also with the focus on another button, which Space would press otherwise."""
    window, page = shown(qtbot, tmp_path)
    for widget in (page.play_button, page.leave_button, page.script, page.board_view, page.slider):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Space)
        assert page.is_playing, widget
        QTest.keyClick(widget, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: not page.is_playing)
        assert page.play_button.text() == "Play"
    assert window.stack.currentWidget() is page


def test_playing_leaves_out_what_these_eyes_cannot_see(qtbot: QtBot, tmp_path: Path) -> None:
    """The other side's secret set-up is not sat through choice by choice."""
    _, page = shown(qtbot, tmp_path)
    page.eyes.setCurrentIndex(page.eyes.findData("public"))
    seen = [position for position, _ in page.replay.timeline("public")]
    QTest.mouseClick(page.play_button, Qt.MouseButton.LeftButton)
    assert page.replay.position == seen[0] > 1
    QTest.mouseClick(page.play_button, Qt.MouseButton.LeftButton)
    assert not page.is_playing


def test_keys_go_by_turns_phases_and_combats(qtbot: QtBot, tmp_path: Path) -> None:
    """Forwards and back; the lists lead to the same moments."""
    window, page = shown(qtbot, tmp_path)
    public = page.replay.timeline("public")
    phases = [position for position, event in public if isinstance(event, PhaseBegan)]
    turns = [p for p, event in public if isinstance(event, PhaseBegan) and event.phase == "terminator-move-1"]
    fights = [position for position, event in public if isinstance(event, CombatBegan)]
    key(window, qtbot, phases[0], Qt.Key.Key_Right, CTRL | SHIFT)
    after = next(position for position in phases if position > phases[0])
    key(window, qtbot, after, Qt.Key.Key_Right, CTRL | SHIFT)
    key(window, qtbot, phases[0], Qt.Key.Key_Left, CTRL | SHIFT)
    key(window, qtbot, turns[1], Qt.Key.Key_PageDown, CTRL)
    key(window, qtbot, turns[2], Qt.Key.Key_PageDown, CTRL)
    key(window, qtbot, turns[1], Qt.Key.Key_PageUp, CTRL)
    key(window, qtbot, 0, Qt.Key.Key_Home)
    key(window, qtbot, fights[0], Qt.Key.Key_F3)
    other = next(position for position in fights if position > fights[0])
    key(window, qtbot, other, Qt.Key.Key_F3)
    key(window, qtbot, fights[0], Qt.Key.Key_F3, SHIFT)
    key(window, qtbot, page.replay.length, Qt.Key.Key_End)
    assert [page.combats.itemData(at) for at in range(1, page.combats.count())] == fights
    page.combats.setCurrentIndex(2)
    page.combats.activated.emit(2)
    assert page.replay.position == fights[1]
    assert page.combats.currentIndex() == 0


def test_a_combat_shows_its_counters(qtbot: QtBot, tmp_path: Path) -> None:
    """Under the board the counters lie as they fell, the latest first; after the combat they are gone."""
    window, page = shown(qtbot, tmp_path)
    public = page.replay.timeline("public")
    at = [position for position, event in public if type(event).__name__ == "AttackResolved"][6]
    page.jump(at)
    QApplication.processEvents()
    assert page.moment.story_lines
    assert "rolled" in page.moment.story_lines[0].accessibleName()
    screenshot(window, "replay-combat", tmp_path)
    page.jump(0)
    assert not page.moment.story_lines


@pytest.mark.parametrize("viewer", ["terminator", "clonemaster", "public"])
def test_other_eyes_read_another_log(qtbot: QtBot, tmp_path: Path, viewer: str) -> None:
    """The list holds what these eyes were told in the whole game and no line more."""
    _, page = shown(qtbot, tmp_path)
    page.eyes.setCurrentIndex(page.eyes.findData(viewer))
    told = [event for _, event in page.replay.timeline(viewer)]
    texts = [line.text for line in page.script.lines]
    assert len(texts) == len(told)
    assert [describe(event) for event in told if not isinstance(event, PhaseBegan)] == [
        line.text
        for line, event in zip(page.script.lines, told, strict=True)
        if not isinstance(event, PhaseBegan)
    ]
    other = "Placed" if viewer != "clonemaster" else "AbilitiesSet"
    secret = next(event for _, event in page.replay.timeline("open") if type(event).__name__ == other)
    assert describe(secret) not in texts


def test_an_unfinished_game_keeps_its_secrets(qtbot: QtBot, tmp_path: Path) -> None:
    """Only what both see is offered, and nobody plays on from an earlier moment of it."""
    record = load_record(RECORD).cut(300)
    window, page = shown(qtbot, tmp_path, record)
    assert [page.eyes.itemData(at) for at in range(page.eyes.count())] == ["public"]
    page.jump(100)
    assert not page.play_on_button.isEnabled()
    assert "still has its secrets" in page.play_on_button.toolTip()
    assert window.replay_page is page


def test_play_on_begins_the_game_from_here(qtbot: QtBot, tmp_path: Path) -> None:
    """The dialog asks for seats and names; the game has the position, new dice, and a file of its own."""
    window, page = shown(qtbot, tmp_path, finished().record)
    page.jump(page.replay.length)
    assert not page.play_on_button.isEnabled()
    assert "over" in page.play_on_button.toolTip()
    at = page.replay.length // 2
    page.jump(at)
    wanted = page.replay.view("public")
    QTest.keyClick(window, Qt.Key.Key_G, CTRL)
    qtbot.waitUntil(lambda: page.play_on_dialog is not None)
    dialog = page.play_on_dialog
    assert dialog is not None
    assert dialog.seats == {"terminator": "human", "clonemaster": "human"}
    assert dialog.name_boxes["clonemaster"].text() == "Bob"
    dialog.name_boxes["clonemaster"].setText("Cat")
    screenshot(dialog, "play-on", tmp_path)
    QTest.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session is not None)
    session = window.session
    assert session is not None
    assert window.replay_page is None
    assert session.names == {"terminator": "Ann", "clonemaster": "Cat"}
    assert session._match.view("public") == wanted
    record = session._match.record
    assert (record.reseeds[0].at, len(record.choices)) == (at, at)
    assert len(game_files.unfinished()) == 1
    # The platform of the tests leaves a dialog that has closed active until it is gone.
    qtbot.waitUntil(lambda: not window.findChildren(PlayOnDialog))
    window.activateWindow()
    QApplication.processEvents()
    Driver(qtbot, window, 5).play()


def test_play_on_against_a_bot_hides_its_secrets(qtbot: QtBot, tmp_path: Path) -> None:
    """A bot takes a seat of the new game; the person's log has his own side's events only."""
    window, page = shown(qtbot, tmp_path)
    page.jump(200)
    page.play_on_button.click()
    dialog = page.play_on_dialog
    assert dialog is not None
    seat = dialog.seat_boxes["clonemaster"]
    seat.setCurrentIndex(seat.findData("random"))
    told = page.replay.events("terminator")
    dialog.start_button.click()
    qtbot.waitUntil(lambda: window.session is not None)
    session = window.session
    assert session is not None
    assert session.seats == {"terminator": "human", "clonemaster": "random"}
    assert session.events()[: len(told)] == told
    assert session.viewer == "terminator"


def test_added_doors_are_on_the_board_from_where_they_were_added(qtbot: QtBot, tmp_path: Path) -> None:
    """7.4: the board of every moment is the one on show, forwards and backwards."""
    scenario = msgspec.structs.replace(load_scenario("basic"), extra_doors=1, extra_computers=1, turns=1)
    _, page = shown(qtbot, tmp_path, finished(scenario).record)
    first = page.board_view.plan
    page.jump(page.replay.length)
    assert page.board_view.plan is page.replay.board.plan
    assert page.board_view.plan is not first
    page.jump(0)
    assert page.board_view.plan is page.replay.board.plan
    assert page.board_view.plan == first


def test_the_speed_follows_the_settings(qtbot: QtBot, tmp_path: Path) -> None:
    """Changed in mid replay, the next step is as fast as asked for."""
    window, page = shown(qtbot, tmp_path)
    window.store.set(animation_speed=3.0)
    assert page.board_view._animator.speed == 3.0


def twelve_choices_on() -> tuple[RaidMatch, dict[str, Player]]:
    """Return a fight in which bots have made twelve choices, and the bots."""
    match = hot_seat_match(scenario=brawl(1))
    players: dict[str, Player] = {side: make_bot("rulebook", side) for side in SIDES}
    for side, player in players.items():
        player.begin(side, match.scenario, match.board)
    for _ in range(12):
        asked = match.decisions()[0]
        choice = players[asked.side].decide(match.view(asked.side), asked)
        assert choice is not None
        match.submit(asked.side, choice)
    return match, players


def test_a_replay_tells_of_takebacks(qtbot: QtBot, tmp_path: Path) -> None:
    """Question, answer and the way back are moments like others."""
    from engine.core.takeback import AnswerTakeback, AskTakeback

    match, players = twelve_choices_on()
    match.submit("terminator", AskTakeback())
    match.submit("clonemaster", AnswerTakeback(True))
    play(match, players)
    _, page = shown(qtbot, tmp_path, match.record)
    page.jump(13)
    assert "asks to go back to before" in page.moment.text
    page.jump(14)
    assert "agrees: back to before" in page.moment.text


def test_a_replay_ends_with_a_draw_by_agreement(qtbot: QtBot, tmp_path: Path) -> None:
    """Offer, answer and end are moments like others, also where they cut a combat short."""
    from engine.core.agreement import AnswerDraw, AskDraw

    match, _ = twelve_choices_on()
    match.submit("terminator", AskDraw())
    match.submit("clonemaster", AnswerDraw(True))
    _, page = shown(qtbot, tmp_path, match.record)
    page.jump(13)
    assert "offers a draw" in page.moment.text
    page.jump(14)
    assert page.replay.view("open").phase == "over"
    assert "draw" in page.moment.text
    for position in range(14, -1, -1):
        page.jump(position)
        assert page.replay.position == position


def test_paused_and_played_again_goes_step_by_step(qtbot: QtBot, tmp_path: Path) -> None:
    """Play pressed while the last step is still moving begins one step, not two at once."""
    window, page = shown(qtbot, tmp_path)
    window.store.set(animation_speed=1.0)
    page.jump(page.replay.timeline("public")[40][0])
    start = page.replay.position
    for _press in range(6):
        page.play_button.click()
    assert page.replay.position == start + 3
    assert not page.is_playing
    qtbot.waitUntil(lambda: not page.board_view._animator.is_running, timeout=20_000)
    assert not page._timer.isActive()
    assert page.replay.position == start + 3


@pytest.mark.parametrize("scale", [1.0, 2.0, 2.5])
def test_the_buttons_have_room_with_their_keys(qtbot: QtBot, tmp_path: Path, scale: float) -> None:
    """At 1280x720, however large the text, each button of the replay is whole with the key it shows."""
    window, page = shown(qtbot, tmp_path)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "light", scale)
    window.resize(1280, 720)
    for _ in range(3):
        QApplication.processEvents()
    screenshot(window, f"replay-keys-{scale * 10:.0f}", tmp_path)
    assert window.width() == 1280
    for button in page.findChildren(ActionButton):
        if button.isVisible():
            assert button.height() >= button.heightForWidth(button.width()), button.text()
            corners = (
                button.mapTo(window, button.rect().topLeft()),
                button.mapTo(window, button.rect().bottomRight()),
            )
            assert all(window.rect().contains(corner) for corner in corners), button.text()
