"""Living with saved games: the list, its pictures, renaming, the trash, files that go out and come in."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app import game_files, games, theme
from app.dialogs import ask
from app.dialogs.ask import NameQuestion, SureQuestion
from app.dialogs.game_list import ROW_ROLE, picture_room
from app.dialogs.saved_games import SavedGamesDialog
from app.folders import games_folder
from app.game_files import FINISHED
from app.main_window import MainWindow
from app.trash import TRASH
from engine.core.files import BadFile
from engine.core.record import format_record, load_record
from engine.raid.match import RaidMatch
from engine.raid.notation import format_game
from tests.helpers.gui import all_texts, hot_seat_match, leaks, open_window, screenshot

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a folder of games of its own, the one that its window looks into."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))


def put(name: str, *, length: int | None = None, kind: str = "", record: str = "random") -> Path:
    """Put a kept game, or its beginning, into the folder of games."""
    folder = games_folder() / kind
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / name
    found = load_record(RECORDS / f"{record}.json")
    path.write_bytes(format_record(found if length is None else found.cut(length)))
    return path


def open_dialog(qtbot: QtBot, window: MainWindow) -> SavedGamesDialog:
    """Open the dialog by its key and wait until all is known."""
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    dialog = window.findChild(SavedGamesDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog._idle.isActive(), timeout=20000)
    return dialog


def press(qtbot: QtBot, widget: QWidget, key: Qt.Key, *, is_with_control: bool = False) -> None:
    """Press a button by its key; it goes down for a moment, and acts when it comes up again."""
    held = Qt.KeyboardModifier.ControlModifier if is_with_control else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(widget, key, held)
    down = [button for button in widget.window().findChildren(QAbstractButton) if button.isDown()]
    assert down
    qtbot.waitUntil(lambda: not any(isValid(button) and button.isDown() for button in down))


def shown(dialog: SavedGamesDialog) -> list[str]:
    """Return the titles found, from the top."""
    items = [dialog.list.item(at) for at in range(dialog.list.count())]
    return [item.data(ROW_ROLE).title for item in items if not item.isHidden()]


def answer(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, value: Any) -> list[tuple[Any, ...]]:
    """Let a dialog of the system answer at once; return the list of how it was asked."""
    asked: list[tuple[Any, ...]] = []

    def answered(*args: Any, **kwargs: Any) -> Any:
        asked.append(args)
        return value

    monkeypatch.setattr(owner, name, answered)
    return asked


def test_all_games_are_listed_together_with_picture_and_stand(qtbot: QtBot, tmp_path: Path) -> None:
    """Unfinished and finished games stand in one list, each with its board, players, turn or winner, day."""
    put("one.json", length=250)
    put("two.json", kind=FINISHED, record="terminator-victory")
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    rows = {one.file.kind: one for one in dialog.list.rows()}
    assert rows["unfinished"].detail.startswith("turn ")
    assert rows["finished"].detail.startswith("Terminator victory · ")
    assert rows["finished"].players == "Rulebook bot against Rulebook bot"
    for one in rows.values():
        assert one.picture is not None
        assert one.picture.toImage().pixelColor(4, 4) != one.picture.toImage().pixelColor(60, 60)
    screenshot(dialog, "saved-games", tmp_path)


def test_a_picture_shows_only_what_everybody_knows(qtbot: QtBot, tmp_path: Path) -> None:
    """A game that goes on is drawn and told with the public's eyes: no name of a counter face down."""
    path = put("one.json", length=60)
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    (row,) = dialog.list.rows()
    game = RaidMatch.from_record(load_record(path))
    assert row.standing is not None
    assert row.standing.view == game.view("public")
    # "CloneMaster" is a seat's name too.
    hidden = [
        one.name
        for one in game.view("clonemaster").figures
        if not one.is_face_up and one.name != "CloneMaster"
    ]
    assert len(hidden) > 10
    assert leaks(hidden, all_texts([dialog])) == []


def test_a_list_of_two_hundred_games_opens_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    """Nothing is read before the list stands; then the games in sight come first, a slice at a time."""
    for number in range(200):
        put(f"game {number:03}.json", length=40)
    calls: list[Path] = []
    window = open_window(qtbot, tmp_path)

    def look(path: Path) -> game_files.GameInfo:
        calls.append(path)
        return look_at(path)

    look_at = game_files.look_at
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_files, "look_at", look)
        dialog = window.show_saved_games()
        assert calls == []
        assert dialog.list.count() == 200
        first = [item.data(ROW_ROLE) for item in dialog.list.shown_items()]
        assert 2 <= len(first) <= 12
        qtbot.waitUntil(lambda: all(one.picture is not None for one in first), timeout=10000)
        assert len(calls) < 100
        assert sum(one.picture is not None for one in dialog.list.rows()) < 60
    dialog.reject()


def test_search_and_filter(qtbot: QtBot, tmp_path: Path) -> None:
    """Words find title, players, phase and day; the filter parts unfinished, finished and deleted games."""
    game_files.rename(put("one.json", length=250), "Rainy Sunday")
    put("two.json", kind=FINISHED, record="terminator-victory")
    put("three.json", kind=TRASH, length=20)
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    assert sorted(shown(dialog)) == ["Basic", "Rainy Sunday"]
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(dialog.search, "sunday RAINY")
    assert shown(dialog) == ["Rainy Sunday"]
    assert dialog.chosen is not None
    assert dialog.chosen.title == "Rainy Sunday"
    dialog.search.setText("terminator victory")
    assert shown(dialog) == ["Basic"]
    dialog.search.setText("xyz")
    assert shown(dialog) == []
    assert dialog.empty.isVisible()
    assert not dialog.open_button.isEnabled()
    dialog.search.clear()
    for kind, titles in (("unfinished", ["Rainy Sunday"]), ("finished", ["Basic"]), ("deleted", ["Basic"])):
        dialog.kinds.setCurrentIndex(dialog.kinds.findData(kind))
        assert shown(dialog) == titles
    assert dialog.open_button.text() == "Put back"


def test_return_goes_on_with_a_game_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By keyboard alone: Ctrl+O, Return; the game is opened, and only once."""
    path = tmp_path / "x.json"
    hot_seat_match(path)
    shutil.copy(path, games_folder() / "mine.json")
    window = open_window(qtbot, tmp_path)
    begun: list[object] = []

    def begin(*args: Any, **kwargs: Any) -> None:
        begun.append(args)
        real(*args, **kwargs)

    real = window.begin
    monkeypatch.setattr(window, "begin", begin)
    dialog = open_dialog(qtbot, window)
    assert dialog.list.hasFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert len(begun) == 1
    assert window.session is not None
    assert not dialog.isVisible()


def test_a_finished_game_is_replayed(qtbot: QtBot, tmp_path: Path) -> None:
    """Replay leads to the replay of that game; the game on show, whose curtain must stay down, is left."""
    put("two.json", kind=FINISHED)
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(games.new_path("Curtain")))
    assert window.stack.currentWidget() is window.curtain
    dialog = open_dialog(qtbot, window)
    dialog.kinds.setCurrentIndex(dialog.kinds.findData("finished"))
    QTest.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert window.replay_page is not None
    assert window.stack.currentWidget() is window.replay_page
    assert window.session is None


def test_an_unfinished_game_is_replayed_as_both_sides_know_it(qtbot: QtBot, tmp_path: Path) -> None:
    """Ctrl+R replays a game that goes on: what both sides see and no more, and its file waits unchanged."""
    path = put("one.json", length=60)
    before = path.read_bytes()
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    assert dialog.replay_button.isVisible()
    press(qtbot, dialog, Qt.Key.Key_R, is_with_control=True)
    page = window.replay_page
    assert page is not None
    assert [page.eyes.itemData(at) for at in range(page.eyes.count())] == ["public"]
    assert page.after_button.isHidden()
    game = RaidMatch.from_record(load_record(path))
    hidden = [
        one.name
        for one in game.view("clonemaster").figures
        if not one.is_face_up and one.name != "CloneMaster"
    ]
    assert len(hidden) > 10
    page.go(page.replay.length)
    assert leaks(hidden, all_texts([page])) == []
    assert not page.play_on_button.isEnabled()
    screenshot(window, "replay-unfinished", tmp_path)
    assert path.read_bytes() == before


def test_replay_is_offered_where_there_is_something_to_replay(qtbot: QtBot, tmp_path: Path) -> None:
    """A deleted game, a bad file and a game without choices offer none; a finished game opens as one."""
    put("two.json", kind=FINISHED)
    put("gone.json", kind=TRASH, length=30)
    put("bad.json").write_bytes(b"{}")
    put("new.json", length=0)
    put("one.json", length=30)
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    offered = set()
    for kind in ("finished", "deleted", "unfinished"):
        dialog.kinds.setCurrentIndex(dialog.kinds.findData(kind))
        for at in range(dialog.list.count()):
            if not dialog.list.item(at).isHidden():
                dialog.list.setCurrentRow(at)
                assert dialog.chosen is not None
                if dialog.replay_button.isVisible() and dialog.replay_button.isEnabled():
                    offered.add(dialog.chosen.file.path.name)
    assert offered == {"one.json"}


def test_renaming_touches_nothing_but_the_title(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F2 writes another title into the file; every other byte of it and its day stay."""
    path = put("one.json", length=100)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    before = path.read_bytes()
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    answer(monkeypatch, ask, "new_name", 'Ann\n "and" Bob')
    press(qtbot, dialog, Qt.Key.Key_F2)
    assert path.read_bytes() == before.replace(b'"title": "Basic"', b'"title": "Ann \\"and\\" Bob"')
    assert path.stat().st_mtime == 1_700_000_000
    qtbot.waitUntil(lambda: shown(dialog) == ['Ann "and" Bob'])


def test_renaming_keeps_what_a_newer_program_wrote() -> None:
    """Keys that this program does not know are still there after a rename."""
    path = put("one.json", length=10)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["mood"] = "good"
    path.write_text(json.dumps(document), encoding="utf-8")
    game_files.rename(path, "New")
    assert json.loads(path.read_text(encoding="utf-8")) == document | {"title": "New"}


def test_deleting_asks_once_and_is_taken_back(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Del asks, moves the file to the trash, and Ctrl+Z brings it back as it was."""
    path = put("one.json", length=100)
    put("two.json", kind=FINISHED)
    before = path.read_bytes()
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    dialog.list.choose(path)
    asked = answer(monkeypatch, ask, "is_sure", False)
    press(qtbot, dialog.list, Qt.Key.Key_Delete)
    assert path.exists()
    asked = answer(monkeypatch, ask, "is_sure", True)
    press(qtbot, dialog.list, Qt.Key.Key_Delete)
    assert len(asked) == 1
    assert not path.exists()
    assert (games_folder() / TRASH / "one.json").read_bytes() == before
    assert len(shown(dialog)) == 1
    assert dialog.undo_button.isVisible()
    screenshot(dialog, "saved-games-deleted", tmp_path)
    press(qtbot, dialog, Qt.Key.Key_Z, is_with_control=True)
    assert path.read_bytes() == before
    assert dialog.chosen is not None
    assert dialog.chosen.file.path == path
    assert not dialog.undo_button.isVisible()


def test_the_trash_loses_nothing() -> None:
    """Two deleted games of one name, and one put back beside another: each file is still there."""
    first = put("one.json", length=10)
    texts = [first.read_bytes()]
    gone = [game_files.delete(first)]
    for length in (11, 12):
        texts.append(put("one.json", length=length).read_bytes())
        gone.append(game_files.delete(first))
    texts.append(put("one.json", length=13).read_bytes())
    back = [game_files.put_back(path) for path in gone]
    assert [path.read_bytes() for path in (*back, first)] == texts
    assert len({*back, first}) == 4


def test_a_deleted_game_is_deleted_for_good(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among the deleted games Del asks, No being the answer at hand, and the game's file is gone."""
    kept, gone = put("one.json", length=20), put("gone.json", kind=TRASH, length=30)
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    dialog.kinds.setCurrentIndex(dialog.kinds.findData("deleted"))
    asked = answer(monkeypatch, ask, "is_sure", False)
    press(qtbot, dialog.list, Qt.Key.Key_Delete)
    assert "cannot be undone" in asked[0][2]
    assert gone.exists()
    screenshot(dialog, "saved-games-trash", tmp_path)
    answer(monkeypatch, ask, "is_sure", True)
    press(qtbot, dialog.list, Qt.Key.Key_Delete)
    assert not gone.exists()
    assert kept.exists()
    assert "deleted for good" in dialog.said.text()
    with pytest.raises(ValueError, match="not in the trash"):
        game_files.delete_for_good(kept)
    assert kept.exists()


def test_the_trash_is_emptied(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All deleted games at once, also those whose undo is still offered; nothing else is touched."""
    kept, deleted = put("one.json", length=20), put("two.json", length=30)
    put("three.json", kind=f"{TRASH}/{FINISHED}")
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    assert dialog.empty_button.isHidden()
    dialog.list.choose(deleted)
    answer(monkeypatch, ask, "is_sure", True)
    press(qtbot, dialog.list, Qt.Key.Key_Delete)
    dialog.kinds.setCurrentIndex(dialog.kinds.findData("deleted"))
    asked = answer(monkeypatch, ask, "is_sure", True)
    QTest.mouseClick(dialog.empty_button, Qt.MouseButton.LeftButton)
    assert "All 2 deleted games" in asked[0][2]
    assert [file.path for file in game_files.game_files()] == [kept]
    assert dialog.undo_button.isHidden()
    assert not dialog.empty_button.isEnabled()


def test_a_finished_game_returns_to_the_finished_ones() -> None:
    """The trash remembers from where a game came."""
    path = put("two.json", kind=FINISHED)
    assert game_files.put_back(game_files.delete(path)) == path


def test_the_end_of_a_game_never_writes_over_another() -> None:
    """A game that ends goes to the finished ones even if one of its name is there."""
    old = put("one.json", kind=FINISHED).read_bytes()
    new = put("one.json", length=30)
    text = new.read_bytes()
    assert game_files.put_away(new).read_bytes() == text
    assert (games_folder() / FINISHED / "one.json").read_bytes() == old


def test_the_game_being_played_is_left_alone(qtbot: QtBot, tmp_path: Path) -> None:
    """A game on show can be exported but not renamed or deleted under its player's hands; it says why."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(games.new_path("Now")))
    dialog = open_dialog(qtbot, window)
    assert not dialog.delete_button.isEnabled()
    assert not dialog.rename_button.isEnabled()
    assert dialog.export_button.isEnabled()
    assert "being played now" in dialog.problem.text()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_the_game_being_played_is_known_by_any_path(qtbot: QtBot, tmp_path: Path) -> None:
    """A folder of games reached through a link: the game on show is still the one that is played."""
    path = games.new_path("Now")
    hot_seat_match(path)
    (tmp_path / "link").symlink_to(games_folder(), target_is_directory=True)
    dialog = SavedGamesDialog(open_path=tmp_path / "link" / path.name)
    qtbot.addWidget(dialog)
    assert not dialog.delete_button.isEnabled()
    assert "being played now" in dialog.problem.text()


# Files that cannot be opened


def bad_files() -> dict[str, Callable[[dict[str, Any]], bytes]]:
    """Return ways to spoil a record."""
    return {
        "cut off": lambda one: json.dumps(one).encode()[:500],
        "newer": lambda one: json.dumps(one | {"version": 99}).encode(),
        "another kind": lambda one: json.dumps(one | {"format": "kungfu2100.map"}).encode(),
        "seed": lambda one: json.dumps(one | {"seed": 3}).encode(),
        "illegal": lambda one: json.dumps(
            one | {"choices": [{"side": "clonemaster", "choice": {"do": "done"}}]}
        ).encode(),
    }


@pytest.mark.parametrize("kind", bad_files())
def test_unreadable_files_are_listed_with_their_reason(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A bad or newer file is in the list, says what is wrong, can be exported and deleted but not opened."""
    path = put("bad.json", length=10)
    path.write_bytes(bad_files()[kind](json.loads(path.read_text(encoding="utf-8"))))
    raw = path.read_bytes()
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    assert "cannot be opened" in dialog.list.rows()[0].detail
    assert dialog.problem.isVisible()
    assert dialog.problem.text()
    if kind == "newer":
        assert "open it with a newer program" in dialog.problem.text()
    if kind == "illegal":
        assert dialog.problem.text().startswith("choices[0]: ")
    screenshot(dialog, f"saved-games-{kind}", tmp_path)
    assert not dialog.open_button.isEnabled()
    assert not dialog.rename_button.isEnabled()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert dialog.isVisible()
    target = tmp_path / "out" / "copy"
    target.parent.mkdir()
    answer(monkeypatch, QFileDialog, "getSaveFileName", (str(target), ""))
    QTest.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    assert target.with_suffix(".json").read_bytes() == raw
    answer(monkeypatch, ask, "is_sure", True)
    press(qtbot, dialog.list, Qt.Key.Key_Delete)
    assert not path.exists()


@pytest.mark.parametrize("kind", bad_files())
def test_a_bad_file_is_refused_whole(kind: str, tmp_path: Path) -> None:
    """An import that fails has a line for each fault with its place, and changes nothing in the folder."""
    path = tmp_path / "bad.json"
    record = json.loads((RECORDS / "random.json").read_text(encoding="utf-8"))
    path.write_bytes(bad_files()[kind](record))
    with pytest.raises(BadFile) as caught:
        game_files.import_game(path)
    assert all(line and "\n" not in line for line in caught.value.problems)
    assert game_files.game_files() == []


def test_a_fault_of_ours_is_told_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that breaks the program while it is gone through does so once; the others are still shown."""
    put("one.json", length=30)
    bad = put("two.json", length=31)
    worked = game_files.work_out_standing

    def work(game: game_files.GameFile) -> Iterator[None]:
        if game.path == bad:
            raise RuntimeError("broken")
        yield from worked(game)

    monkeypatch.setattr(game_files, "work_out_standing", work)
    dialog = SavedGamesDialog()
    qtbot.addWidget(dialog)
    with qtbot.captureExceptions() as raised:
        dialog.show()
        qtbot.waitUntil(lambda: not dialog._idle.isActive(), timeout=20000)
    assert [str(one[1]) for one in raised] == ["broken"]
    rows = {one.file.path.name: one for one in dialog.list.rows()}
    assert rows["one.json"].picture is not None
    assert "could not be gone through" in rows["two.json"].problem


# In and out


def test_import_never_writes_over_a_game(tmp_path: Path) -> None:
    """A file of a name that is there already gets the next free one; both games stay."""
    there = put("game.json", length=30)
    before = there.read_bytes()
    new = tmp_path / "game.json"
    new.write_bytes(format_record(load_record(RECORDS / "random.json").cut(31)))
    taken = game_files.import_game(new)
    assert taken.name == "game 2.json"
    assert taken.read_bytes() == new.read_bytes()
    assert there.read_bytes() == before


def test_export_does_not_write_over_another_game(tmp_path: Path) -> None:
    """Outside the folder the system asks; inside it another game is never written over."""
    one, other = put("one.json", length=10), put("other.json", length=20)
    before = other.read_bytes()
    with pytest.raises(FileExistsError):
        game_files.export(one, other)
    assert other.read_bytes() == before
    game_files.export(one, tmp_path / "there.json")
    game_files.export(other, tmp_path / "there.json")
    assert (tmp_path / "there.json").read_bytes() == before


def test_a_finished_game_is_imported_among_the_finished(tmp_path: Path) -> None:
    """Record or notation: what is imported is the same game, and stands where it belongs."""
    record = load_record(RECORDS / "random.json")
    path = tmp_path / "told.txt"
    path.write_text(format_game(record), encoding="utf-8")
    taken = game_files.import_game(path)
    assert taken == games_folder() / FINISHED / "told.json"
    assert load_record(taken) == record


def test_import_by_dialog_and_by_drop(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+I and a file dropped onto the window both bring it in; a bad one among them is told by line."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(format_record(load_record(RECORDS / "random.json").cut(50)))
    bad.write_bytes(b'{"format": "kungfu2100.record", "version": 1, "seed": 3}')
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    assert "dropped onto this window" in dialog.empty.text()
    screenshot(dialog, "saved-games-none", tmp_path)
    answer(monkeypatch, QFileDialog, "getOpenFileNames", ([str(good), str(bad)], ""))
    warned = answer(monkeypatch, QMessageBox, "warning", None)
    press(qtbot, dialog, Qt.Key.Key_I, is_with_control=True)
    assert [row.file.path.name for row in dialog.list.rows()] == ["good.json"]
    assert "bad.json: seed: " in warned[0][2]
    assert dialog.said.text() == "Imported 1 game."
    dialog.reject()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(good))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, left, none))
    qtbot.waitUntil(lambda: len(game_files.game_files()) == 2)


def test_a_copied_game_is_pasted(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game copied as text is pasted with Ctrl+V; what is no game is told by line, or said."""
    record = load_record(RECORDS / "random.json")
    window = open_window(qtbot, tmp_path)
    dialog = open_dialog(qtbot, window)
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("  ")
    press(qtbot, dialog, Qt.Key.Key_V, is_with_control=True)
    assert "Nothing is copied" in dialog.said.text()
    warned = answer(monkeypatch, QMessageBox, "warning", None)
    clipboard.setText("# a game\n[Seed 3]\n1. T ready\n")
    press(qtbot, dialog, Qt.Key.Key_V, is_with_control=True)
    assert "What was copied: line " in warned[0][2]
    assert dialog.list.rows() == []
    clipboard.setText(format_game(record))
    press(qtbot, dialog, Qt.Key.Key_V, is_with_control=True)
    assert [row.file.kind for row in dialog.list.rows()] == ["finished"]
    assert load_record(dialog.list.rows()[0].file.path) == record


# Looks


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 2.0), ("contrast", 2.0)], ids=str)
def test_nothing_is_clipped(qtbot: QtBot, tmp_path: Path, mode: str, scale: float) -> None:
    """In every look, at normal and double text, all buttons are whole inside 1280x720."""
    game_files.rename(put("one.json", length=250), "A rainy Sunday in November with tea")
    put("two.json", kind=FINISHED, record="terminator-victory")
    put("three.json").write_bytes(b"{}")
    put("four.json", kind=TRASH, length=30)
    window = open_window(qtbot, tmp_path)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, mode, scale)
    dialog = open_dialog(qtbot, window)
    # What the dialog takes of such a screen; the one of the tests is another.
    dialog.resize(QSize(round(1280 * 0.92), round(720 * 0.92)))
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not dialog._idle.isActive(), timeout=20000)
    for kind in ("all", "deleted"):
        dialog.kinds.setCurrentIndex(dialog.kinds.findData(kind))
        QApplication.processEvents()
        qtbot.waitUntil(lambda: not dialog._idle.isActive(), timeout=20000)
        room = picture_room(dialog.list.viewport().width())
        for one in dialog.list.rows():
            if one.picture is not None:
                assert one.picture.deviceIndependentSize().width() <= room.width()
        screenshot(dialog, f"saved-games-{kind}-{mode}-{scale:.0f}", tmp_path)
        assert dialog.width() <= 1280
        assert dialog.height() <= 720
        for button in dialog.findChildren(QAbstractButton):
            if button.isVisible() and button.text():
                assert button.width() >= button.sizeHint().width(), button.text()
                assert dialog.rect().contains(button.geometry()), button.text()


@pytest.mark.parametrize("scale", [1.0, 2.0, 2.5])
def test_the_start_screen_has_room_for_large_text(qtbot: QtBot, tmp_path: Path, scale: float) -> None:
    """At 1280x720 no button of the start screen is squeezed and each list shows a game."""
    put("one.json", length=250)
    put("two.json", kind=FINISHED)
    window = open_window(qtbot, tmp_path)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply(app, "light", scale)
    start = window.start_page
    qtbot.waitUntil(lambda: start.games.count() == 1 and start.finished.count() == 1)
    QApplication.processEvents()
    screenshot(window, f"start-{scale * 10:.0f}", tmp_path)
    for button in start.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            assert button.height() >= button.sizeHint().height(), button.text()
            assert button.width() >= button.sizeHint().width(), button.text()
    for one in (start.games, start.finished):
        assert one.viewport().height() >= theme.size("body") * 2


def test_questions_look_like_the_program_and_keep_the_safe_answer_at_hand(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Deleting is confirmed by Return, deleting for good is not; a name must be a new one."""
    for is_final in (False, True):
        question = SureQuestion("Delete?", "It is gone then.", "Delete", is_final=is_final)
        qtbot.addWidget(question)
        question.show()
        qtbot.waitActive(question)
        focus = question.focusWidget()
        assert focus is not None
        with qtbot.waitSignal(question.finished) as answered:
            QTest.keyClick(focus, Qt.Key.Key_Return)
        assert answered.args == [0 if is_final else 1]
        screenshot(question, f"question-{is_final}", tmp_path)
    rename = NameQuestion("Rename the game", "Basic")
    qtbot.addWidget(rename)
    rename.show()
    screenshot(rename, "question-name", tmp_path)
    assert not rename.save_button.isEnabled()
    rename.box.setText("  Sunday ")
    assert rename.save_button.isEnabled()
    with qtbot.waitSignal(rename.accepted):
        QTest.keyClick(rename.box, Qt.Key.Key_Return)
    assert rename.name == "Sunday"


def test_the_start_screen_has_the_focus_on_going_on(qtbot: QtBot, tmp_path: Path) -> None:
    """With an unfinished game Return goes on with it; without one it begins to play."""
    window = open_window(qtbot, tmp_path)
    window.show_start()
    assert window.focusWidget() is window.start_page.play_button
    put("one.json", length=100)
    window.show_start()
    assert window.focusWidget() is window.start_page.continue_button
    later = open_window(qtbot, tmp_path)
    qtbot.waitUntil(lambda: later.start_page.games.count() == 1)
    assert later.focusWidget() is later.start_page.continue_button
