"""A playtest: the draft played without a file, from any turn on, with Esc back and F5 again."""

from __future__ import annotations

import gc
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app import game_files
from app.dialogs.setup_clonemaster import SetUpCloneMaster
from app.dialogs.setup_terminator import SetUpTerminator
from app.folders import games_folder
from app.garbage import SafeCollector
from app.main_window import apply_theme
from app.playtest import PlaytestPage
from app.settings import SettingsStore
from editor.dialogs.playtest import PlaytestDialog, usual_wishes
from editor.dialogs.seats import seat
from editor.draft import OWN_MAP, Draft, format_draft
from editor.host import Playtest
from engine.core.files import BadFile
from engine.core.match import Table
from engine.raid.scenario import Scenario, load_scenario, plan_of
from tests.helpers.editor import open_editor
from tests.helpers.gui import Driver, brawl, screenshot, small_scenario
from tests.helpers.raid import open_room

HUMANS = {"terminator": "human", "clonemaster": "human"}
BOTS = {"terminator": "rulebook", "clonemaster": "rulebook"}


class _Window(QMainWindow):
    """A window with a playtest in it."""

    page: PlaytestPage

    def __init__(self) -> None:
        super().__init__()
        self._collector = SafeCollector(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.page.end()
        self._collector.stop()


class Opened:
    """A playtest in a window of its own, as the editor has it, with F5 as a shortcut of that window too."""

    def __init__(self, qtbot: QtBot, tmp_path: Path, playtest: Playtest, **settings: object) -> None:
        self.store = SettingsStore(tmp_path / "settings.json")
        self.store.set(**({"animation_speed": 0.0, "pace": 0, "theme": "light", "recap": "off"} | settings))
        apply_theme(self.store)
        self.window = _Window()
        self.window.resize(1280, 720)
        self.page = self.window.page = PlaytestPage(playtest, self.store, self.window)
        self.window.setCentralWidget(self.page)
        self.lefts: list[int] = []
        self.page.left.connect(lambda: self.lefts.append(1))
        self.outer: list[int] = []
        action = QAction("Playtest", self.window)
        action.setShortcut("F5")
        action.triggered.connect(lambda: self.outer.append(1))
        self.window.addAction(action)
        qtbot.addWidget(self.window)
        vars(qtbot).setdefault("windows", []).append(self.window)
        with qtbot.waitActive(self.window):
            self.window.show()
            self.window.activateWindow()
        self.page.restart()
        self.qtbot = qtbot

    def wait_for_game(self) -> None:
        """Wait until the game is on the board and asks, or has ended."""

        def is_there() -> bool:
            session = self.page.stage.session
            return session is not None and (
                session.decision is not None or session.is_over or session.curtain_for is not None
            )

        self.qtbot.waitUntil(is_there, timeout=20000)

    def key(self, key: Qt.Key) -> None:
        """Press a key where the focus is."""
        target = self.window.focusWidget()
        assert target is not None
        QTest.keyClick(target, key)


def playtest(
    scenario: Scenario | None = None, seats: Mapping[str, str] = HUMANS, seed: str = "7", turn: int = 1
) -> Playtest:
    """Return a playtest of a small scenario."""
    return Playtest(scenario or small_scenario(3), seats, seed, turn)


def files_under(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder with what is in it."""
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


# What is played


def test_a_game_to_its_end(qtbot: QtBot, tmp_path: Path) -> None:
    """A playtest is played with the mouse as any game, and shows its result with the ways on."""
    opened = Opened(qtbot, tmp_path, playtest(brawl(1)))
    opened.wait_for_game()
    driver = Driver(qtbot, opened.window, 3, opened.page.stage)
    QApplication.processEvents()
    driver.play(400)
    assert opened.page.end_dialog is not None
    qtbot.waitUntil(opened.page.end_dialog.isVisible)
    screenshot(opened.page.end_dialog, "playtest-end", tmp_path)
    assert opened.page.end_dialog.new_button.text() == "Play &again"
    opened.page.end_dialog.board_button.click()
    texts = [button.text() for button in driver.page.decision_panel.buttons]
    assert texts == ["What happened", "Replay from the start", "Play again", "Back to the editor"]
    screenshot(opened.window, "playtest-after-the-end", tmp_path)
    driver.page.decision_panel.buttons[2].click()
    opened.wait_for_game()
    assert not opened.page.stage.session.is_over  # type: ignore[union-attr]


def test_bots_play_the_turns_before(qtbot: QtBot, tmp_path: Path) -> None:
    """With a later start turn bots play both sides up to its beginning, and the person goes on there."""
    seats = {"terminator": "human", "clonemaster": "rulebook"}
    opened = Opened(qtbot, tmp_path, playtest(load_scenario("basic"), seats, turn=4))
    opened.wait_for_game()
    session = opened.page.stage.session
    assert session is not None
    assert session.view is not None
    assert session.decision is not None
    assert (session.view.turn, session.view.phase) == (4, "terminator-move-1")
    assert session.decision.side == "terminator"
    assert session.recap.now is None
    assert not session.can_undo()
    assert "turn 4 of 10, seed 7" in opened.page.title.text()
    screenshot(opened.window, "playtest-turn-4", tmp_path)


def test_the_same_again(qtbot: QtBot, tmp_path: Path) -> None:
    """F5 begins the same game: what bots did up to the start turn is the same to the last choice."""
    seats = {"terminator": "human", "clonemaster": "rulebook"}
    opened = Opened(qtbot, tmp_path, playtest(load_scenario("basic"), seats, turn=3))
    opened.wait_for_game()
    assert opened.page.stage.match is not None
    first = opened.page.stage.match.record
    assert any(row.side == "terminator" for row in first.choices)
    opened.key(Qt.Key.Key_F5)
    opened.wait_for_game()
    second = opened.page.stage.match.record
    assert second is not first
    assert second.choices == first.choices
    assert opened.outer == []  # the window's own F5 was not asked


def test_the_game_ends_before_the_turn(qtbot: QtBot, tmp_path: Path) -> None:
    """A game that ends before the start turn shows its result."""
    over = msgspec.structs.replace(small_scenario(4), terminators=1, levels=5)
    for seed in range(200):
        table = _played(over, str(seed))
        if table.match.view("public").turn < 4:
            break
    opened = Opened(qtbot, tmp_path, playtest(over, seed=str(seed), turn=4))
    qtbot.waitUntil(lambda: opened.page.end_dialog is not None, timeout=20000)
    session = opened.page.stage.session
    assert session is not None
    assert session.is_over


def _played(scenario: Scenario, seed: str) -> Table:
    from engine.bots import make_bot
    from engine.raid.match import RaidMatch

    match = RaidMatch.new(scenario, seed)
    table = Table(match, {side: make_bot("rulebook", f"{seed} {side}") for side in match.sides})
    while not match.is_over:
        table.step()
    return table


def test_two_people_get_the_curtain(qtbot: QtBot, tmp_path: Path) -> None:
    """Two people at one screen: the curtain falls, and neither title nor strip gives anything away."""
    opened = Opened(qtbot, tmp_path, playtest(load_scenario("basic"), turn=2))
    opened.wait_for_game()
    assert opened.page.stack.currentWidget() is opened.page.stage.curtain
    screenshot(opened.window, "playtest-curtain", tmp_path)
    assert opened.page.stage.curtain is not None
    opened.page.stage.curtain.button.click()
    assert opened.page.stack.currentWidget() is opened.page.stage.page


def test_what_cannot_be_played_is_refused(qtbot: QtBot, tmp_path: Path) -> None:
    """An error of the scenario is told by BadFile, and no half-made page stays behind in the window."""
    crowded = msgspec.structs.replace(load_scenario("basic"), servants=99, room_limit=1)
    window = QMainWindow()
    qtbot.addWidget(window)
    before = window.children()
    with pytest.raises(BadFile, match="Servants"):
        PlaytestPage(playtest(crowded), SettingsStore(tmp_path / "settings.json"), window)
    assert window.children() == before


# Keys


def test_esc_goes_back(qtbot: QtBot, tmp_path: Path) -> None:
    """Esc on the board goes back to the editor, also while an animation is shown."""
    seats = {"terminator": "rulebook", "clonemaster": "rulebook"}
    opened = Opened(qtbot, tmp_path, playtest(brawl(3), seats), animation_speed=0.2, pace=50)

    page = opened.page.stage.page
    assert page is not None
    with qtbot.waitSignal(page.board_view.eventBegan, timeout=10000):
        pass
    assert page.board_view.hasFocus()
    opened.key(Qt.Key.Key_Escape)
    assert opened.lefts == [1]
    assert opened.page.stage.session is None


def test_esc_lets_go_of_a_counter_first(qtbot: QtBot, tmp_path: Path) -> None:
    """In a set-up Esc first lets go of the counter in hand, and then goes back."""
    seats = {"terminator": "rulebook", "clonemaster": "human"}
    opened = Opened(qtbot, tmp_path, playtest(small_scenario(), seats))
    opened.wait_for_game()
    page = opened.page.stage.page
    assert page is not None
    set_up = page.set_up
    assert isinstance(set_up, SetUpCloneMaster)
    counter = next(iter(set_up.counters.values()))
    for focus in (set_up, page.board_view):
        QTest.mouseClick(counter, Qt.MouseButton.LeftButton)
        assert set_up.chosen
        focus.setFocus()
        opened.key(Qt.Key.Key_Escape)
        assert not set_up.chosen
        assert opened.lefts == []
    opened.key(Qt.Key.Key_Escape)
    assert opened.lefts == [1]


def test_esc_in_the_replay_goes_back_to_the_game(qtbot: QtBot, tmp_path: Path) -> None:
    """In what happened and in the replay Esc goes one page back; there is nothing to play on from there."""
    opened = Opened(qtbot, tmp_path, playtest(brawl(1), BOTS))
    qtbot.waitUntil(lambda: opened.page.end_dialog is not None, timeout=20000)
    assert opened.page.end_dialog is not None
    opened.page.end_dialog.replay_button.click()
    opened.window.activateWindow()
    qtbot.waitUntil(opened.window.isActiveWindow)
    replay = opened.page.look_back.replay_page
    assert replay is not None
    assert not replay.play_on_button.isVisible()
    opened.key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: opened.page.stack.currentWidget() is opened.page.stage.page)
    assert opened.lefts == []
    opened.key(Qt.Key.Key_Escape)
    assert opened.lefts == [1]


def test_the_turns_before_are_cancelled(qtbot: QtBot, tmp_path: Path) -> None:
    """Esc ends the bots who play the turns before, at once and for good."""
    opened = Opened(qtbot, tmp_path, playtest(load_scenario("basic"), BOTS, turn=10))
    (before,) = turns_before()
    screenshot(opened.window, "playtest-turns-before", tmp_path)
    opened.key(Qt.Key.Key_Escape)
    assert opened.lefts == [1]
    before.join(5)
    assert not before.is_alive()


def test_bots_that_break_off_are_told(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in the turns before is told with its seed, and Esc still leads back."""
    opened: Opened | None = None

    def broken(self: Table) -> None:
        raise RuntimeError("no choice")

    monkeypatch.setattr("app.playtest.Table.step", broken)
    with qtbot.captureExceptions() as caught:
        opened = Opened(qtbot, tmp_path, playtest(small_scenario(3), BOTS, turn=3))
        qtbot.waitUntil(lambda: bool(caught), timeout=5000)
    assert "no choice" in str(caught[0][1])
    assert "seed 7" in opened.page.waiting_words.text()
    opened.key(Qt.Key.Key_Escape)
    assert opened.lefts == [1]


def test_esc_goes_back_after_a_set_up_by_keyboard(qtbot: QtBot, tmp_path: Path) -> None:
    """After a set-up done by keys the focus is on the board, and Esc goes back to the editor."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(small_scenario(3)))
    opened.window.play_menu.play(playtest(seats={"terminator": "human", "clonemaster": "rulebook"}))
    page = opened.page.stage.page
    assert page is not None
    qtbot.waitUntil(lambda: page.set_up is not None)
    for _ in range(2):
        opened.key(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
        QTest.qWait(150)  # a button pressed by its key goes down for a tenth of a second
    opened.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.set_up is None)
    assert page.board_view.hasFocus()
    opened.key(Qt.Key.Key_Escape)
    assert opened.window.page is None


@pytest.mark.parametrize("mode", ["mode-map", "mode-scenario"])
def test_esc_is_obeyed_outside_the_game(qtbot: QtBot, tmp_path: Path, mode: str) -> None:
    """Esc goes back to the editor with the focus on the tabs of the modes too, one page at a time."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(brawl(1)))
    opened.window.play_menu.play(playtest(brawl(1), BOTS))
    qtbot.waitUntil(lambda: opened.page.end_dialog is not None, timeout=20000)
    assert opened.page.end_dialog is not None
    opened.page.end_dialog.replay_button.click()
    opened.window.activateWindow()
    qtbot.waitUntil(opened.window.isActiveWindow)
    action = opened.window.named_actions[mode]
    button = next(
        one for one in opened.window.mode_bar.findChildren(QToolButton) if one.defaultAction() is action
    )
    for is_left in (False, True):
        button.setFocus()
        opened.key(Qt.Key.Key_Escape)
        assert (opened.window.page is None) == is_left


def test_terminators_come_with_suggested_abilities(qtbot: QtBot, tmp_path: Path) -> None:
    """F5 asks for no Record Sheet (6.1): the first question is the entry of the Terminators."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(small_scenario(3)))
    opened.key(Qt.Key.Key_F5)
    opened_page = opened.page

    def is_asked() -> bool:
        session = opened_page.stage.session
        return session is not None and session.decision is not None

    qtbot.waitUntil(is_asked, timeout=20000)
    session = opened_page.stage.session
    assert session is not None
    assert session.decision is not None
    assert session.decision.kind == "terminator-move"
    assert session.view is not None
    terminators = [one for one in session.view.figures if one.kind == "terminator"]
    assert all(sum((one.levels or {}).values()) == session.scenario.levels for one in terminators)


def test_the_record_sheet_can_be_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    """Without "Abilities as suggested" the playtest begins with the Record Sheet, at the next F5 too."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(small_scenario(3)))
    opened.window.play_menu.playtest_with()
    dialog = opened.window.play_menu.dialog
    assert dialog is not None
    assert dialog.abilities_box.isChecked()
    dialog.abilities_box.click()
    screenshot(dialog, "playtest-dialog-abilities", tmp_path)
    seat(dialog.seat_boxes["terminator"], "random")
    assert not dialog.abilities_box.isEnabled()  # bots choose for themselves
    seat(dialog.seat_boxes["terminator"], "human")
    dialog.accept()
    for _ in range(2):
        page = opened.page.stage.page
        assert page is not None
        qtbot.waitUntil(lambda page=page: isinstance(page.set_up, SetUpTerminator))  # type: ignore[misc]
        opened.page.leave()
        opened.window.play_menu.playtest()


# Nothing is left


def bots_at_work() -> int:
    """Return how many threads of bots run."""
    threads = [one for one in gc.get_objects() if type(one) is QThread and isValid(one)]
    return sum(one.isRunning() and one.objectName().startswith("bot ") for one in threads)


def turns_before() -> list[threading.Thread]:
    """Return the threads in which bots play the turns before a playtest."""
    return [one for one in threading.enumerate() if one.name.startswith("turns before")]


def test_nothing_is_written(qtbot: QtBot, tmp_path: Path) -> None:
    """No game appears among the saved ones, and no file or setting changes."""
    opened = Opened(qtbot, tmp_path, playtest(brawl(1), BOTS))
    games_folder()
    before = files_under(tmp_path)
    qtbot.waitUntil(lambda: opened.page.end_dialog is not None, timeout=20000)
    opened.page.leave()
    assert files_under(tmp_path) == before
    assert not game_files.unfinished()
    assert not game_files.finished()


def test_no_thread_is_left(qtbot: QtBot, tmp_path: Path) -> None:
    """Going back ends the threads of the bots."""
    before = bots_at_work()
    opened = Opened(qtbot, tmp_path, playtest(brawl(3), BOTS), pace=3000)
    assert bots_at_work() == before + 2
    opened.key(Qt.Key.Key_Escape)
    assert bots_at_work() == before
    assert not turns_before()


# From the editor


class OpenedEditor:
    """The editor's window on a draft of a file, with the panels as they come."""

    def __init__(self, qtbot: QtBot, tmp_path: Path, draft: Draft) -> None:
        self.window = open_editor(qtbot, tmp_path, draft)
        self.document = self.window.document
        self.path = tmp_path / "draft.json"
        self.path.write_bytes(format_draft(draft))
        self.document.mark_saved(self.path)

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the focus is."""
        focus: QWidget | None = self.window.focusWidget()
        QTest.keyClick(focus if focus is not None else self.window, key, held)

    @property
    def page(self) -> PlaytestPage:
        """The playtest on show."""
        assert isinstance(self.window.page, PlaytestPage)
        return self.window.page


def draft_of(scenario: Scenario) -> Draft:
    """Return the draft of a scenario with its map in its file."""
    return Draft(plan_of(scenario), msgspec.structs.replace(scenario, map=OWN_MAP))


def test_a_playtest_needs_no_saving_and_disturbs_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    """A changed draft, F5, a choice, Esc: the same view, mark and history."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(small_scenario(3)))
    window, document = opened.window, opened.document
    now = document.draft
    assert now.scenario is not None
    document.apply("More servants", now._replace(scenario=msgspec.structs.replace(now.scenario, servants=5)))
    window.canvas.zoom_by(1.5)
    QApplication.processEvents()
    before = (document.draft, document.stack.index(), document.stack.count(), document.is_modified)
    view, panels = window.canvas.view_state(), [dock.isVisible() for dock in window.docks.values()]
    tool, mode = window.bench.tool, window.mode
    screenshot(window, "editor-before-playtest", tmp_path)
    opened.key(Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: opened.page.stage.session is not None)
    session = opened.page.stage.session
    assert session is not None
    assert session.scenario.servants == 5
    qtbot.waitUntil(lambda: session.decision is not None)
    screenshot(window, "editor-playtest", tmp_path)
    Driver(qtbot, window, 1, opened.page.stage).step()
    game = opened.page.stage.page
    assert game is not None
    game.window_status("Rulebook bot: a reason")
    opened.page.setFocus()
    opened.key(Qt.Key.Key_Escape)
    assert window.page is None
    QApplication.processEvents()
    # What a bot said last does not lie over the editor's own line.
    assert window.statusBar().currentMessage() == ""
    assert (document.draft, document.stack.index(), document.stack.count(), document.is_modified) == before
    assert window.canvas.view_state() == view
    assert [dock.isVisible() for dock in window.docks.values()] == panels
    assert (window.bench.tool, window.mode) == (tool, mode)
    screenshot(window, "editor-after-playtest", tmp_path)


def test_a_playtest_changes_no_file(qtbot: QtBot, tmp_path: Path) -> None:
    """A playtest writes nothing over the user's file, and the draft stays that file's."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(brawl(1)))
    document = opened.document
    now = document.draft
    assert now.scenario is not None
    document.apply("Another name", now._replace(scenario=msgspec.structs.replace(now.scenario, name="New")))
    state = opened.path.stat()
    games_folder()
    before = files_under(tmp_path)
    opened.key(Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: opened.page.stage.session is not None)
    Driver(qtbot, opened.window, 2, opened.page.stage).play(400)
    assert opened.page.end_dialog is not None
    opened.page.end_dialog.start_button.click()
    assert opened.window.page is None
    after = files_under(tmp_path)
    assert {name: data for name, data in after.items() if name in before} == before
    assert not [name for name in set(after) - set(before) if "games" in Path(name).parts]
    assert opened.path.stat().st_mtime_ns == state.st_mtime_ns
    assert document.path == opened.path
    assert document.is_modified
    assert not game_files.unfinished()
    assert not game_files.finished()


def test_errors_keep_the_editor_alive(qtbot: QtBot, tmp_path: Path) -> None:
    """A scenario that cannot be played says why at F5, and the editor goes on as before."""
    broken = msgspec.structs.replace(load_scenario("basic"), room_limit=1)
    opened = OpenedEditor(qtbot, tmp_path, draft_of(broken))
    window, document = opened.window, opened.document
    said: list[str] = []
    window.bench.said.connect(said.append)
    opened.key(Qt.Key.Key_F5)
    assert window.page is None
    assert "It cannot be played yet: " in said[-1]
    assert "to be set up (6.1)" in said[-1]
    now = document.draft
    assert now.scenario is not None
    document.apply("No limit", now._replace(scenario=msgspec.structs.replace(now.scenario, room_limit=0)))
    opened.key(Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: opened.page.stage.session is not None)
    opened.page.leave()
    document.undo()
    assert document.draft.scenario == draft_of(broken).scenario


def test_asked_once_and_remembered(qtbot: QtBot, tmp_path: Path) -> None:
    """Seats, seed and turn are asked for by Ctrl+3; F5 plays the same again, whatever was drawn meanwhile."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(load_scenario("basic")))
    window = opened.window
    opened.key(Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    dialog = window.play_menu.dialog
    assert dialog is not None
    seat(dialog.seat_boxes["terminator"], "random")
    seat(dialog.seat_boxes["clonemaster"], "human")
    dialog.seed_box.setText("tea")
    dialog.turn_box.setValue(3)
    assert "You play the CloneMaster side." in dialog.note
    assert "Bots play both sides up to turn 3" in dialog.note
    screenshot(dialog, "playtest-dialog", tmp_path)
    dialog.accept()

    def is_asked() -> bool:
        return opened.page.stage.session is not None and opened.page.stage.session.decision is not None

    qtbot.waitUntil(is_asked, timeout=20000)
    first = opened.page.stage.match
    assert first is not None
    assert first.seats == {"terminator": "random", "clonemaster": "human"}
    assert first.view("public").turn == 3
    opened.page.leave()
    now = window.document.draft
    assert now.scenario is not None
    window.document.apply("Shorter", now._replace(scenario=msgspec.structs.replace(now.scenario, turns=2)))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    opened.key(Qt.Key.Key_F5)
    qtbot.waitUntil(is_asked, timeout=20000)
    again = opened.page.stage.match
    assert again is not None
    assert (again.record.seed, again.seats) == ("tea", first.seats)
    assert again.view("public").turn == 2  # there is no third turn any more


def test_dialog_lists_the_errors(qtbot: QtBot, tmp_path: Path) -> None:
    """Errors of the scenario are listed in the dialog, which then plays nothing."""
    broken = msgspec.structs.replace(load_scenario("basic"), room_limit=1)
    draft = draft_of(broken)
    dialog = PlaytestDialog(draft, usual_wishes(draft.whole))
    qtbot.addWidget(dialog)
    vars(qtbot).setdefault("windows", []).append(dialog)  # the bot's own hold is a weak one
    dialog.show()
    QApplication.processEvents()
    assert not dialog.play_button.isEnabled()
    assert "Servants to be set up" in dialog.errors.text()
    screenshot(dialog, "playtest-dialog-errors", tmp_path)
    with qtbot.waitSignal(dialog.problemsWanted):
        dialog.problems_button.click()


def test_a_map_alone(qtbot: QtBot, tmp_path: Path) -> None:
    """6.1: a map without a scenario is played with the forces and rules of the Basic one, as it is told."""
    draft = Draft(plan_of(load_scenario("basic")))
    dialog = PlaytestDialog(draft, usual_wishes(draft.whole))
    qtbot.addWidget(dialog)
    assert "Basic scenario (6.1)" in dialog.note
    playtest = dialog.wishes.playtest(draft.whole)
    opened = Opened(qtbot, tmp_path, playtest)
    opened.wait_for_game()
    assert opened.page.stage.session is not None
    assert opened.page.stage.session.scenario.servants == load_scenario("basic").servants


def test_a_bot_game_is_watched(qtbot: QtBot, tmp_path: Path) -> None:
    """Ctrl+F5 shows the bot games; one of them, played once more on the board, comes to the same end."""
    opened = OpenedEditor(qtbot, tmp_path, draft_of(small_scenario(2)))
    window = opened.window
    opened.key(Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)
    panel = window.trials
    assert panel.isVisible()
    panel.count_box.setCurrentIndex(0)
    with qtbot.waitSignal(panel.trials.ended, timeout=60000):
        panel.play_button.click()
    QApplication.processEvents()
    screenshot(window, "editor-bot-games", tmp_path)
    panel.list.setCurrentRow(2)
    panel.watch_button.click()
    qtbot.waitUntil(lambda: opened.page.end_dialog is not None, timeout=60000)
    match = opened.page.stage.match
    assert match is not None
    told = panel.trials.results.games[2]
    outcome = match.view("open").outcome
    assert outcome is not None
    assert (match.record.seed, outcome.winner, match.length) == (str(told.seed), told.winner, told.choices)


def test_closing_the_editor_ends_everything(qtbot: QtBot, tmp_path: Path) -> None:
    """Closing the window in the middle of a playtest and of bot games leaves neither thread nor process."""
    before = bots_at_work()
    opened = OpenedEditor(qtbot, tmp_path, draft_of(load_scenario("basic")))
    opened.window.trials.play_button.click()
    opened.window.play_menu.play(playtest(load_scenario("basic"), BOTS))
    assert opened.page.stage.session is not None
    assert bots_at_work() > before
    opened.window.close()
    assert not opened.window.trials.trials.is_running
    assert bots_at_work() == before


def test_a_map_too_small_for_the_basic_forces(qtbot: QtBot, tmp_path: Path) -> None:
    """6.1: F5 on a map that has no room for the Basic forces says so, though the map itself is right."""
    opened = OpenedEditor(qtbot, tmp_path, Draft(open_room(5, 4)))
    opened.key(Qt.Key.Key_F5)
    dialog = opened.window.play_menu.dialog
    assert opened.window.page is None
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.play_button.isEnabled()
    assert "to be set up" in dialog.errors.text()
    QApplication.processEvents()
    screenshot(dialog, "playtest-dialog-map", tmp_path)
    dialog.reject()
