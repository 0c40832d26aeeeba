"""Hosting, finding, joining, the lobby, leaving, returning: two windows at one real host on loopback."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.dialogs import lobby
from app.dialogs.ask import SureQuestion
from app.dialogs.host_game import HostGameDialog
from app.dialogs.join_game import JoinGameDialog, Row
from app.dialogs.lobby import LobbyPage
from app.folders import games_folder
from app.lan.guest.finding import Host
from app.lan.guest.tickets import load_all
from app.lan.own_host import LOOPBACK, Network
from app.main_window import MainWindow, apply_theme
from app.session import Session
from app.settings import SettingsStore
from engine.core.lan_protocol import SeatCard, TableCard
from engine.raid.scenario import load_scenario
from tests.helpers.gui import brawl, open_window, screenshot

HERE = Network((LOOPBACK,), (0,))
WITHIN = 15_000  # ms
FREE = SeatCard(player="")
ANN = SeatCard(player="client", name="Ann", is_here=True)
BOB = SeatCard(player="client", name="Bob", is_here=True)
CODE = "AB7K-2QXM"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answer every question with yes, also those asked when the windows close; return what was asked."""
    found: list[str] = []

    def answer(
        parent: QWidget, heading: str, words: str, yes: str, *, is_final: bool = False, **_: object
    ) -> bool:
        found.append(words)
        return True

    monkeypatch.setattr("app.lan_play.is_sure", answer)
    return found


@pytest.fixture
def windows(qtbot: QtBot, tmp_path: Path, asked: list[str]) -> list[MainWindow]:
    """Return Ann's window and Bob's, each with files of its own, both on the loopback interface only."""
    opened = []
    for name in ("Ann", "Bob"):
        window = open_window(qtbot, tmp_path / name, lan_name=name)
        window.lan.network = HERE
        opened.append(window)
    return opened


def host(qtbot: QtBot, window: MainWindow, **seats: str) -> str:
    """Host the Basic scenario from the start screen, by default as the Terminators; return the join code."""
    QTest.mouseClick(window.start_page.host_button, Qt.MouseButton.LeftButton)
    dialog = window.lan.host_dialog
    assert dialog is not None
    for side, who in seats.items():
        dialog.seat_boxes[side].setCurrentIndex(dialog.seat_boxes[side].findData(who))
    QTest.keyClick(dialog.name_box, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: window.lan.lobby is not None and window.lan.lobby.code.text() != "", timeout=WITHIN
    )
    assert window.lan.lobby is not None
    return window.lan.lobby.code.text()


def open_join(window: MainWindow) -> JoinGameDialog:
    """Ask for the games there are, from the start screen."""
    QTest.mouseClick(window.start_page.join_button, Qt.MouseButton.LeftButton)
    dialog = window.lan.join_dialog
    assert dialog is not None
    return dialog


def address_of(window: MainWindow) -> str:
    """Return the address that the lobby shows."""
    assert window.lan.lobby is not None
    return window.lan.lobby.addresses.text()


def enter(dialog: JoinGameDialog, code: str, address: str = "") -> None:
    """Type address and code, and press Enter."""
    if address:
        dialog.address_box.setText(address)
    dialog.code_box.clear()
    QTest.keyClicks(dialog.code_box, code)
    QTest.keyClick(dialog.code_box, Qt.Key.Key_Return)


def wait_for_game(qtbot: QtBot, *windows: MainWindow) -> None:
    """Wait until all windows show a game."""

    def is_on() -> bool:
        return all(one.page is not None and one.stack.currentWidget() is one.page for one in windows)

    qtbot.waitUntil(is_on, timeout=WITHIN)


def begin(qtbot: QtBot, ann: MainWindow, bob: MainWindow) -> None:
    """Let Ann host and Bob join by the address, until both see the game."""
    code = host(qtbot, ann)
    enter(open_join(bob), code, address_of(ann))
    wait_for_game(qtbot, ann, bob)


def lobby_of(window: MainWindow) -> LobbyPage:
    """Return the window's lobby."""
    assert window.lan.lobby is not None
    return window.lan.lobby


def session_of(window: MainWindow) -> Session:
    """Return the game on show."""
    assert window.session is not None
    return window.session


def is_hosting(window: MainWindow) -> bool:
    """Return whether a table is hosted."""
    return window.lan.host is not None


def chosen_title(dialog: JoinGameDialog) -> str:
    """Return which game is chosen, "" for none."""
    return dialog.chosen.title if dialog.chosen is not None else ""


def problem(dialog: JoinGameDialog, place: str) -> str:
    """Return what the dialog says is wrong at a place, "" where nothing is."""
    label = dialog.problems[place]
    return "" if label.isHidden() else label.text()


# Two windows.


def test_two_windows_meet_through_the_list(qtbot: QtBot, tmp_path: Path, windows: list[MainWindow]) -> None:
    """Hosted on one machine, found by name on the other, joined by the code; then both see the game."""
    ann, bob = windows
    code = host(qtbot, ann)
    lobby = ann.lan.lobby
    assert lobby is not None
    assert "waiting for a guest to play the CloneMaster" in lobby.accessibleDescription()
    screenshot(ann, "lobby-of-the-host", tmp_path)
    QTest.mouseClick(lobby.copy_all_button, Qt.MouseButton.LeftButton)
    assert code in QGuiApplication.clipboard().text()
    assert address_of(ann) in QGuiApplication.clipboard().text()
    # By keys alone, from the start screen to the game.
    with qtbot.waitActive(bob):
        bob.activateWindow()
    QTest.keyClick(bob, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    dialog = bob.lan.join_dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: chosen_title(dialog) == "Ann: Basic", timeout=WITHIN)
    assert dialog.code_box.hasFocus()
    enter(dialog, code.replace("-", " ").lower())
    wait_for_game(qtbot, ann, bob)
    assert bob.lan.join_dialog is None
    assert (session_of(ann).viewer, session_of(bob).viewer) == ("terminator", "clonemaster")
    assert [session_of(ann).player(side) for side in ("terminator", "clonemaster")] == ["Ann", "Bob"]
    assert bob.store.now.lan_name == "Bob"
    screenshot(bob, "game-of-the-guest", tmp_path)


def test_joining_by_address_after_mistakes(qtbot: QtBot, tmp_path: Path, windows: list[MainWindow]) -> None:
    """No list is needed; nobody at the address, a wrong code and a taken seat are told where they stand."""
    ann, bob = windows
    code = host(qtbot, ann)
    dialog = open_join(bob)
    enter(dialog, code, f"{LOOPBACK}:9")
    qtbot.waitUntil(lambda: problem(dialog, "address") != "", timeout=WITHIN)
    assert problem(dialog, "address") == "Nobody hosts a game at 127.0.0.1:9."
    assert dialog.address_box.hasFocus()
    wrong = code[:-1] + ("2" if code[-1] != "2" else "3")
    enter(dialog, wrong, address_of(ann))
    qtbot.waitUntil(lambda: problem(dialog, "code") != "", timeout=WITHIN)
    assert problem(dialog, "code") == "That is not the join code of this game. The host’s lobby shows it."
    assert problem(dialog, "address") == ""
    assert dialog.code_box.hasFocus()
    screenshot(dialog, "join-wrong-code", tmp_path)
    dialog.seat_box.setCurrentIndex(dialog.seat_box.findData("terminator"))
    enter(dialog, code)
    qtbot.waitUntil(lambda: problem(dialog, "seat") != "", timeout=WITHIN)
    assert "taken" in problem(dialog, "seat")
    assert load_all(bob.lan.tickets) == []
    dialog.seat_box.setCurrentIndex(dialog.seat_box.findData("any"))
    enter(dialog, code)
    wait_for_game(qtbot, ann, bob)


def test_lock_out_counts_down(qtbot: QtBot, windows: list[MainWindow]) -> None:
    """After too many wrong codes the dialog says how long to wait, and lets one try again then."""
    ann, bob = windows
    code = host(qtbot, ann)
    assert ann.lan.host is not None
    thread = ann.lan.host._thread

    def guess() -> None:
        for _ in range(22):
            thread.server._lockout.failed("192.0.2.9", code[:2])

    thread.call(guess)
    dialog = open_join(bob)
    enter(dialog, code, address_of(ann))
    qtbot.waitUntil(lambda: problem(dialog, "code") != "", timeout=WITHIN)
    assert problem(dialog, "code").startswith("Too many have tried")
    assert 1 < thread.server._lockout.wait("127.0.0.1", code[:2]) <= dialog._wait
    assert dialog.join_button.is_barred
    QTest.keyClick(dialog.code_box, Qt.Key.Key_Return)
    assert bob.lan.game is None
    qtbot.waitUntil(lambda: not dialog.join_button.is_barred, timeout=WITHIN)
    assert problem(dialog, "code") == ""
    enter(dialog, code)
    wait_for_game(qtbot, ann, bob)


def test_cancelled_hosting_leaves_nothing(qtbot: QtBot, windows: list[MainWindow]) -> None:
    """Cancel in the host's lobby ends host and table; whoever waited there with him is told."""
    ann, bob = windows
    code = host(qtbot, ann, terminator="guest")
    own = ann.lan.host
    assert own is not None
    enter(open_join(bob), code, address_of(ann))
    qtbot.waitUntil(
        lambda: bob.lan.lobby is not None and bob.stack.currentWidget() is bob.lan.lobby, timeout=WITHIN
    )
    qtbot.waitUntil(lambda: "waiting for a guest" in lobby_of(bob).accessibleDescription(), timeout=WITHIN)
    assert lobby_of(bob).code.text() == ""
    with qtbot.waitActive(ann):
        ann.activateWindow()
    QTest.keyClick(ann, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: ann.stack.currentWidget() is ann.start_page, timeout=WITHIN)
    assert not own.table_folder.exists()
    assert ann.lan.kept() == []
    qtbot.waitUntil(lambda: lobby_of(bob)._state.text() != "", timeout=WITHIN)
    bob.lan.cancel()
    assert bob.stack.currentWidget() is bob.start_page
    assert load_all(bob.lan.tickets) == []


def test_a_host_cannot_join_his_own_game(qtbot: QtBot, windows: list[MainWindow], asked: list[str]) -> None:
    """Ctrl+J in the lobby lists one's own game grey, and its code is refused by address too; it stays."""
    ann = windows[0]
    code = host(qtbot, ann)
    with qtbot.waitActive(ann):
        ann.activateWindow()
    QTest.keyClick(ann, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    dialog = ann.lan.join_dialog
    assert dialog is not None
    dialog.address_box.setText(address_of(ann))
    qtbot.waitUntil(lambda: dialog.list.count() > 0 and dialog._row(0).table is not None, timeout=WITHIN)
    assert dialog._row(0).problem == "you host it yourself"
    enter(dialog, code)
    assert problem(dialog, "code").startswith("This is the join code of the game that you host yourself")
    assert asked == []
    dialog.reject()
    assert is_hosting(ann)
    assert ann.stack.currentWidget() is lobby_of(ann)


def test_keys_in_the_lobby_lose_no_table_unasked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, windows: list[MainWindow]
) -> None:
    """Enter copies the code; Escape, Play now, Host and closing the window ask, and a No keeps the table."""
    ann = windows[0]
    code = host(qtbot, ann)
    own = ann.lan.host
    lobby = lobby_of(ann)
    said: list[str] = []
    agrees = False

    def decline(
        parent: QWidget, heading: str, words: str, yes: str, *, is_final: bool = False, **_: object
    ) -> bool:
        said.append(words)
        return agrees or not is_final

    monkeypatch.setattr("app.lan_play.is_sure", decline)
    with qtbot.waitActive(ann):
        ann.activateWindow()
    qtbot.waitUntil(lobby.copy_button.hasFocus, timeout=WITHIN)
    QTest.keyClick(lobby.copy_button, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == code
    QTest.keyClick(ann, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(said) == 1)
    ann.play_now()
    ann.close()
    assert ann.isVisible()
    assert said == [f"Nobody can join with the code {code} any more."] * 3
    assert ann.lan.host is own
    assert ann.stack.currentWidget() is lobby
    agrees = True
    lobby.cancel_button.click()
    assert not is_hosting(ann)


def test_who_leaves_the_lobby_can_come_again(qtbot: QtBot, windows: list[MainWindow]) -> None:
    """A guest's Cancel frees his seat at once: he joins again with the same code, and plays."""
    ann, bob = windows
    code = host(qtbot, ann, terminator="guest")
    for _ in range(2):
        enter(open_join(bob), code, address_of(ann))
        qtbot.waitUntil(lambda: bob.lan.game is not None and bob.lan.game.table is not None, timeout=WITHIN)
        assert bob.lan.game is not None
        assert bob.lan.game.side == "terminator"
        bob.lan.cancel()
        assert bob.lan.kept() == []


def test_leaving_asks_once_and_the_start_screen_leads_back(
    qtbot: QtBot, tmp_path: Path, windows: list[MainWindow], asked: list[str]
) -> None:
    """Who leaves is told that his seat is kept, and finds “Return to”; the host finds “Host again”."""
    ann, bob = windows
    begin(qtbot, ann, bob)
    assert asked == []
    bob.leave_game()
    assert len(asked) == 1
    assert "Return to Ann’s game" in asked[0]
    assert bob.stack.currentWidget() is bob.start_page
    first = bob.start_page.games.item(0)
    assert first.text().startswith("Return to Ann’s game (Basic, as CloneMaster)")
    screenshot(bob, "start-return", tmp_path)
    qtbot.waitUntil(lambda: "Bob" in session_of(ann).held_up, timeout=WITHIN)
    QTest.mouseClick(bob.start_page.continue_button, Qt.MouseButton.LeftButton)
    wait_for_game(qtbot, bob)
    assert session_of(bob).viewer == "clonemaster"
    # Now the host goes, and comes again; the guest's window finds back by itself.
    ann.leave_game()
    assert len(asked) == 2
    assert "Host again" in asked[1]
    first = ann.start_page.games.item(0)
    assert first.text().startswith("Host again: Basic, Ann against Bob")
    qtbot.waitUntil(lambda: bob.lan.game is not None and not bob.lan.game.is_connected, timeout=WITHIN)
    assert bob.lan.game is not None
    assert bob.lan.game.waiting.startswith("Ann has stopped hosting for now.")
    QTest.mouseClick(ann.start_page.continue_button, Qt.MouseButton.LeftButton)
    wait_for_game(qtbot, ann)
    qtbot.waitUntil(lambda: bob.lan.game is not None and bob.lan.game.is_connected, timeout=WITHIN)
    assert session_of(ann).viewer == "terminator"
    assert len(asked) == 2


def test_the_lobby_is_left_alone_once_the_game_has_begun(
    qtbot: QtBot, windows: list[MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sees it then: it is neither laid out anew nor spoken whenever the table changes."""
    ann, bob = windows
    begin(qtbot, ann, bob)
    said: list[str] = []
    monkeypatch.setattr(lobby, "announce", lambda widget, words: said.append(words))
    page, game = ann.lan.lobby, ann.lan.game
    assert page is not None
    assert game is not None
    before, told = page._table, game.table
    assert bob.lan.game is not None
    bob.lan.game.ask_for_pause()
    qtbot.waitUntil(lambda: game.table is not None and bool(game.table.asks), timeout=WITHIN)
    assert game.table is not told
    assert page._table is before
    assert said == []


def test_joining_where_one_has_a_seat_leads_back_to_it(qtbot: QtBot, windows: list[MainWindow]) -> None:
    """Who left and joins again by the code is not told that his own seat is taken: he has it again."""
    ann, bob = windows
    code = host(qtbot, ann)
    address = address_of(ann)
    enter(open_join(bob), code, address)
    wait_for_game(qtbot, ann, bob)
    bob.leave_game()
    dialog = open_join(bob)
    dialog.address_box.setText(address)
    qtbot.waitUntil(lambda: chosen_title(dialog) == "Ann: Basic", timeout=WITHIN)
    enter(dialog, code)
    dialog.reject()  # which gives up the attempt, and not the seat
    assert len(load_all(bob.lan.tickets)) == 1
    dialog = open_join(bob)
    dialog.address_box.setText(address)
    qtbot.waitUntil(lambda: chosen_title(dialog) == "Ann: Basic", timeout=WITHIN)
    enter(dialog, code)
    wait_for_game(qtbot, bob)
    assert session_of(bob).viewer == "clonemaster"
    assert len(load_all(bob.lan.tickets)) == 1


def test_question_before_leaving_can_be_answered_no(qtbot: QtBot, tmp_path: Path) -> None:
    """The question is a real one: Escape stays in the game, and closing the window is asked about too."""
    ann = open_window(qtbot, tmp_path / "Ann", lan_name="Ann")
    ann.lan.network = HERE
    QTest.mouseClick(ann.start_page.host_button, Qt.MouseButton.LeftButton)
    dialog = ann.lan.host_dialog
    assert dialog is not None
    dialog.seat_boxes["clonemaster"].setCurrentIndex(dialog.seat_boxes["clonemaster"].findData("rulebook"))
    QTest.keyClick(dialog.name_box, Qt.Key.Key_Return)
    wait_for_game(qtbot, ann)
    shown: list[str] = []

    def answer(yes: bool) -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, SureQuestion)
        shown.append(box.words.text())
        QTest.mouseClick(box.yes_button if yes else box.no_button, Qt.MouseButton.LeftButton)

    QTimer.singleShot(0, lambda: answer(yes=False))
    ann.leave_game()
    assert session_of(ann).viewer == "terminator"
    QTimer.singleShot(0, lambda: answer(yes=False))
    ann.close()
    assert ann.isVisible()
    assert is_hosting(ann)
    QTimer.singleShot(0, lambda: answer(yes=True))
    ann.leave_game()
    assert not is_hosting(ann)
    assert len(shown) == 3
    assert all("“Host again”" in words for words in shown)


def test_kept_games_can_be_forgotten(qtbot: QtBot, windows: list[MainWindow], asked: list[str]) -> None:
    """A seat or a table that nobody will come back to goes from the list, after a question."""
    ann, bob = windows
    begin(qtbot, ann, bob)
    bob.leave_game()
    ann.leave_game()
    asked.clear()
    for window in (bob, ann):
        page = window.start_page
        assert page.forget_button.isVisibleTo(page)
        QTest.mouseClick(page.forget_button, Qt.MouseButton.LeftButton)
        assert page.games.count() == 0
        assert window.lan.kept() == []
    assert len(asked) == 2


def test_a_table_open_in_another_window_is_said_to_be(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, windows: list[MainWindow]
) -> None:
    """Two windows with the same files: the second cannot host the first one's table, or forget it."""
    ann, second = windows
    begin(qtbot, ann, second)
    second.leave_game()
    second.lan.hosts = ann.lan.hosts
    told: list[str] = []
    second.lan.failed.disconnect()
    second.lan.failed.connect(told.append)
    kept = next(one for one in second.lan.kept() if one.kind == "host")
    second.lan.go_on(kept)
    second.lan.forget(kept)
    assert [one.startswith("This game is open in another window of this program") for one in told] == [
        True
    ] * 2
    assert kept.path.exists()
    assert is_hosting(ann)


def test_game_that_is_over_leaves_its_record_and_nothing_else(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, windows: list[MainWindow], asked: list[str]
) -> None:
    """At the end both have the same record; there is nothing to ask, to return to or to host again."""
    ann, bob = windows
    monkeypatch.setattr("app.dialogs.scenario_chooser.ScenarioChooser.scenario", property(lambda _: brawl(1)))
    begin(qtbot, ann, bob)
    for window in (ann, bob):
        assert window.lan.game is not None
        window.lan.game.let_play(window.lan.game.side, "random")
    qtbot.waitUntil(
        lambda: all(one.lan.game is not None and one.lan.game.has_record for one in windows), timeout=WITHIN
    )
    assert session_of(ann).is_over
    for window in (bob, ann):
        window.leave_game()
        assert window.lan.kept() == []
    assert asked == []
    finished = [path.read_bytes() for path in (games_folder() / "finished").glob("*.json")]
    assert len(finished) == 2
    assert finished[0] == finished[1]


# The dialogs alone.


def hosts() -> list[Host]:
    """Return what a search may find: free seats, a game under way, an older program, a host without games."""

    def card(name: str, title: str, by: str, *seats: SeatCard) -> TableCard:
        both = dict(zip(("terminator", "clonemaster"), seats, strict=True))
        phase = "waiting" if FREE in seats else "playing"
        return TableCard(table=name, title=title, host=by, phase=phase, seats=both, watchers=0)  # type: ignore[arg-type]

    return [
        Host("Old laptop", "192.168.1.7", 21100, (), "plays with an older version (0, here 1)"),
        Host("Ann", "192.168.1.5", 21100, (card("AB", "Basic", "Ann", ANN, FREE),)),
        Host(
            "Club",
            "192.168.1.9",
            21100,
            (card("QR", "The Tea House", "Cleo", FREE, FREE), card("ST", "All twelve", "Dan", ANN, BOB)),
        ),
        Host("Empty", "192.168.1.11", 21100),
    ]


def join_dialog(qtbot: QtBot, tmp_path: Path) -> JoinGameDialog:
    """Return the dialog alone, with the games of `hosts`."""
    store = SettingsStore(tmp_path / "settings.json")
    store.set(theme="light", lan_name="Bob")
    apply_theme(store)
    dialog = JoinGameDialog(store)
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    dialog.show_hosts(hosts(), "")
    return dialog


def rows(dialog: JoinGameDialog) -> list[Row]:
    """Return the lines of the list."""
    return [dialog._row(at) for at in range(dialog.list.count())]


def test_hosts_that_cannot_be_joined_are_grey_and_say_why(qtbot: QtBot, tmp_path: Path) -> None:
    """Another version and a host without games are listed last, with the reason; Enter there tells it."""
    dialog = join_dialog(qtbot, tmp_path)
    found = rows(dialog)
    assert [one.title for one in found] == [
        "Ann: Basic",
        "Cleo at Club: The Tea House",
        "Dan at Club: All twelve",
        "Old laptop",
        "Empty",
    ]
    assert found[0].detail.startswith("the CloneMaster side is free, against Ann")
    assert found[2].detail.startswith("Ann against Bob: you can look on")
    for at in (3, 4):
        item = dialog.list.item(at)
        assert item.foreground().color() == theme.colors().soft
        assert found[at].problem in item.text()
    assert "older version" in dialog.list.item(3).text()
    got: list[object] = []
    dialog.joinWanted.connect(got.append)
    dialog.code_box.setText(f"ZZ{CODE[2:]}")
    dialog.list.setFocus()
    dialog.list.setCurrentRow(3)
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert got == []
    assert problem(dialog, "game") == (
        "Old laptop cannot be joined: plays with an older version (0, here 1)."
    )


@pytest.mark.parametrize(
    ("kind", "field", "place"),
    [
        ("wrong-code", "", "code"),
        ("no-table", "", "code"),
        ("too-often", "", "code"),
        ("taken", "", "seat"),
        ("full", "", "game"),
        ("version", "", "game"),
        ("bad-value", "name", "name"),
        ("bad-line", "name", "name"),
        ("bad-value", "seat", "seat"),
        ("bad-value", "share", "game"),
        ("", "", "game"),
    ],
)
def test_refusals_are_told_where_they_can_be_mended(
    qtbot: QtBot, tmp_path: Path, kind: str, field: str, place: str
) -> None:
    """Each refusal is one line below what has to be changed, which has the focus, whatever its words are."""
    dialog = join_dialog(qtbot, tmp_path)
    dialog.list.setCurrentRow(0)
    dialog.code_box.setText(CODE)
    dialog.join()
    dialog.show_joining("Connecting…")
    assert not dialog.join_button.isEnabled()
    dialog.show_refused(kind, "wait 99 minutes, s’il vous plaît", field=field, wait=12)
    assert [name for name in dialog.problems if problem(dialog, name)] == [place]
    assert dialog.focusWidget().accessibleName() in (
        "Games on this network",
        "Join code",
        "Seat",
        "Your name",
    )
    assert dialog.join_button.isEnabled()
    assert dialog.join_button.is_barred == (kind == "too-often")
    assert ("In 12 seconds" in problem(dialog, place)) == (kind == "too-often")


def test_code_chooses_its_game(qtbot: QtBot, tmp_path: Path) -> None:
    """The first two letters of a code are the table's name: typing it is enough."""
    dialog = join_dialog(qtbot, tmp_path)
    got: list[object] = []
    dialog.joinWanted.connect(got.append)
    QTest.keyClicks(dialog.code_box, "qr7k2qxm")
    assert dialog.chosen is not None
    assert dialog.chosen.title == "Cleo at Club: The Tea House"
    QTest.keyClick(dialog.code_box, Qt.Key.Key_Return)
    assert got == [("192.168.1.9", 21100, "qr7k2qxm", "Bob", "any", "")]


def test_game_chosen_stays_chosen_while_the_list_changes(qtbot: QtBot, tmp_path: Path) -> None:
    """The list fills and empties by itself; the line in hand does not move to another game."""
    dialog = join_dialog(qtbot, tmp_path)
    dialog.list.setCurrentRow(1)
    dialog.show_hosts(list(reversed(hosts())), "")
    assert dialog.chosen is not None
    assert dialog.chosen.title == "Cleo at Club: The Tea House"
    dialog.show_hosts(hosts()[1:2], "")
    assert dialog.list.count() == 1


def test_full_game_offers_to_look_on(qtbot: QtBot, tmp_path: Path) -> None:
    """Where all sides are taken the seat wanted becomes that of one who looks on, and back."""
    dialog = join_dialog(qtbot, tmp_path)
    dialog.list.setCurrentRow(2)
    assert dialog.seat == "watch"
    dialog.list.setCurrentRow(0)
    assert dialog.seat == "any"


def test_what_is_missing_is_told_at_its_place(qtbot: QtBot, tmp_path: Path) -> None:
    """Enter in an empty dialog asks for game, code and name, each in a line below it."""
    dialog = join_dialog(qtbot, tmp_path)
    dialog.show_hosts((), "No game was found on this network so far; the search goes on.")
    assert dialog._search.isVisible()
    dialog.name_box.clear()
    QTest.keyClick(dialog.code_box, Qt.Key.Key_Return)
    assert problem(dialog, "game") == "Choose a game in the list, or type the address of its host."
    assert problem(dialog, "code") == "The join code is missing; it looks like AB7K-2QXM."
    assert problem(dialog, "name") == "Say what the others are to call you."
    dialog.address_box.setText("10.0.0.3:99999")
    dialog.join()
    assert problem(dialog, "game") == ""
    assert problem(dialog, "address") == "The port, behind the colon, is a number from 1 to 65535."


def test_typed_address_is_looked_at(qtbot: QtBot, tmp_path: Path) -> None:
    """An address is greeted soon after it is typed, and the game found there is the one chosen."""
    dialog = join_dialog(qtbot, tmp_path)
    places: list[object] = []
    dialog.placeTyped.connect(places.append)
    dialog.list.setCurrentRow(0)
    QTest.keyClicks(dialog.address_box, "10.0.0.3:2100")
    assert chosen_title(dialog) == ""
    qtbot.waitUntil(lambda: places == [("10.0.0.3", 2100)], timeout=5000)
    typed = hosts()[1]._replace(address="10.0.0.3", port=2100)
    dialog.show_hosts([*hosts(), typed], "")
    assert dialog.chosen is not None
    assert dialog.chosen.host == typed
    dialog.list.setCurrentRow(1)
    assert dialog.address_box.text() == ""


def test_a_game_whose_address_is_typed_is_listed_once(qtbot: QtBot, tmp_path: Path) -> None:
    """What was found by name and is typed by another of its addresses is one game, the typed one."""
    dialog = join_dialog(qtbot, tmp_path)
    found = hosts()[1]._replace(fingerprint="ab" * 32)
    dialog.address_box.setText("10.0.0.3:2100")
    dialog.show_hosts([found, found._replace(address="10.0.0.3", port=2100)], "")
    assert [one.place for one in rows(dialog)] == [("10.0.0.3", 2100)]
    dialog.address_box.clear()
    dialog.show_hosts([found], "")
    assert [one.place for one in rows(dialog)] == [found[1:3]]


def test_both_lines_of_a_game_are_drawn_whatever_its_letters(qtbot: QtBot, tmp_path: Path) -> None:
    """Letters that another font lends, and which are taller, leave the second line its room."""
    dialog = join_dialog(qtbot, tmp_path)
    found = hosts()[1]
    card = msgspec.structs.replace(found.tables[0], host="王小明", title="龍の夜")
    dialog.show_hosts([found._replace(name="王小明", tables=(card,))], "")
    dialog.list.clearSelection()
    rect = dialog.list.visualItemRect(dialog.list.item(0))
    image = dialog.list.viewport().grab(rect).toImage()
    ratio = image.height() / rect.height()
    right, middle = round(150 * ratio), image.height() // 2  # right of where the short first line ends
    ground = image.pixelColor(image.width() - 2, middle)
    inked = {
        y
        for y in range(middle, image.height() - 1)
        if any(image.pixelColor(x, y) != ground for x in range(right, 2 * right))
    }
    assert len(inked) > 5


def test_a_game_in_the_list_tells_what_one_agrees_to(qtbot: QtBot, tmp_path: Path) -> None:
    """Who joins sees the clock and that rules are changed before he types the code."""
    dialog = join_dialog(qtbot, tmp_path)
    found = hosts()[1]
    card = msgspec.structs.replace(found.tables[0], clock=300, changes=1)
    dialog.show_hosts([found._replace(tables=(card,))], "")
    assert " · 5 minutes each · 1 rule unlike Basic · " in rows(dialog)[0].detail


def test_the_lobby_says_what_is_agreed_on(qtbot: QtBot) -> None:
    """The clock and every rule that is not that of the Basic scenario, before the game begins."""
    from app.dialogs.lobby import terms_words

    basic = load_scenario("basic")
    assert terms_words(basic, None) == "No clock. The rules of the Basic scenario."
    turned = terms_words(msgspec.structs.replace(basic, turns=12), 300.0)
    assert turned == "Clock: 5 minutes for each side. Unlike the Basic scenario: Turns: 12."
    lobby = LobbyPage()
    qtbot.addWidget(lobby)
    lobby.show_terms(basic, 60.0)
    assert lobby._terms.text().startswith("Clock: a minute for each side.")
    assert not lobby._terms.isHidden()
    lobby.begin("Another table", "")
    assert lobby._terms.isHidden()


def host_dialog(qtbot: QtBot, tmp_path: Path) -> HostGameDialog:
    """Return the dialog alone."""
    store = SettingsStore(tmp_path / "settings.json")
    store.set(theme="light")
    apply_theme(store)
    dialog = HostGameDialog(store)
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    return dialog


def test_f1_opens_the_part_about_the_network(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, windows: list[MainWindow]
) -> None:
    """In the host's dialog, before leaving, and while the host is away F1 tells of just that."""
    from app.help.screens import title_at
    from app.lan_play import LeaveQuestion

    hosting = host_dialog(qtbot, tmp_path)
    assert title_at(hosting.chooser.list) == "Hosting a game"
    leaving = LeaveQuestion("Leave?", "It waits.", "Leave")
    qtbot.addWidget(leaving)
    assert title_at(leaving.no_button) == "Leaving and returning"
    hosting.close()
    ann, bob = windows
    begin(qtbot, ann, bob)
    opened: list[str] = []
    monkeypatch.setattr("app.help.screens.open_at", opened.append)
    assert ann.lan.game is not None
    ann.lan.game.ask_for_pause()
    qtbot.waitUntil(lambda: bob.session is not None and bob._asked() == "pause", timeout=WITHIN)
    bob.show_help()
    ann.leave_game()
    qtbot.waitUntil(lambda: bob._asked() == "no-line", timeout=WITHIN)
    bob.show_help()
    assert opened == ["At the table", "Leaving and returning"]


def choose(dialog: HostGameDialog, side: str, who: str) -> None:
    """Let somebody sit on a side."""
    dialog.seat_boxes[side].setCurrentIndex(dialog.seat_boxes[side].findData(who))


def test_host_takes_one_side_at_most(qtbot: QtBot, tmp_path: Path) -> None:
    """Taking the other side leaves the first to a guest; with neither one looks on, also at two bots."""
    dialog = host_dialog(qtbot, tmp_path)
    assert (dialog.seat, dialog.seats) == ("terminator", {"terminator": "client", "clonemaster": "client"})
    choose(dialog, "clonemaster", "me")
    assert dialog.seat == "clonemaster"
    assert dialog.seat_boxes["terminator"].currentData() == "guest"
    choose(dialog, "clonemaster", "rulebook")
    choose(dialog, "terminator", "random")
    assert (dialog.seat, dialog.seats) == ("watch", {"terminator": "random", "clonemaster": "rulebook"})


def test_hosting_needs_a_name_and_keeps_what_was_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    """Without a name nothing is hosted; what was chosen is there the next time, but no clock unasked."""
    dialog = host_dialog(qtbot, tmp_path)
    choose(dialog, "clonemaster", "me")
    dialog.clock_box.setValue(45)
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(dialog.name_box.hasFocus)
    assert dialog.result() != QDialog.DialogCode.Accepted
    assert dialog.clock_minutes == 45.0
    assert dialog._name_problem.text() == "Say what the others are to call you."
    QTest.keyClicks(dialog.name_box, "Ann")
    QTest.keyClick(dialog.name_box, Qt.Key.Key_Return)
    assert dialog.result() == QDialog.DialogCode.Accepted
    again = HostGameDialog(dialog._store)
    qtbot.addWidget(again)
    assert (again.seat, again.name, again.clock_minutes) == ("clonemaster", "Ann", None)


def test_hosting_says_who_holds_what(qtbot: QtBot, tmp_path: Path) -> None:
    """Who hosts is told that his machine has all secrets and the coming dice, and how to avoid it."""
    from app.command import command
    from app.dialogs.host_game import TRUST_WORDS
    from tests.helpers.gui import all_texts

    texts = " ".join(all_texts([host_dialog(qtbot, tmp_path)]).values())
    assert TRUST_WORDS.format(serve=command("serve")) in texts
    for word in ("secrets of both sides", "dice to come", "{serve}"):
        assert word in TRUST_WORDS


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 2.0), ("contrast", 1.5)])
def test_pages_at_every_size_and_look(qtbot: QtBot, tmp_path: Path, mode: str, scale: float) -> None:
    """Dialogs and lobby are drawn in every look, fit a screen of 1280x720, and name all their controls."""
    from engine.core.lan_protocol import TableAnswer
    from tests.app.test_window import CONTROL_TYPES

    join, hosting = join_dialog(qtbot, tmp_path), host_dialog(qtbot, tmp_path)
    lobby = LobbyPage()
    qtbot.addWidget(lobby)
    lobby.resize(1280, 690)
    lobby.begin("Opening the table", "")
    lobby.show_invitation("Ann", ["192.168.1.5:21100", "10.0.0.17:21100"])
    lobby.show_table(
        TableAnswer(
            card=hosts()[1].tables[0],
            watchers=("Cleo",),
            is_paused=False,
            asks=(),
            clocks={},
            code=CODE.replace("-", ""),
            notice="",
        ),
        "terminator",
    )
    lobby.show()
    store = SettingsStore(tmp_path / "look.json")
    store.set(theme=mode, text_scale=scale)
    apply_theme(store)
    QTest.qWait(20)
    for page, name in ((join, "join"), (hosting, "host"), (lobby, "lobby")):
        screenshot(page, f"{name}-{mode}-{round(scale * 100)}", tmp_path)
        assert page.width() <= 1280
        assert page.height() <= 720
        for control in page.findChildren(QWidget):
            if control.isVisible() and type(control).__name__.endswith(CONTROL_TYPES):
                assert control.accessibleName(), control
    assert lobby.code.text() == CODE
