"""The keeper: opening, saving, other programs, recovery and mending as a user goes through them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.widgets import Label
from editor.dialogs.choose import Answer, ChoiceDialog, Question
from editor.dialogs.differences import DifferencesDialog
from editor.dialogs.mend import question_of
from editor.dialogs.recovered import RecoveredDialog, recovered_words
from editor.dialogs.unsaved import HEADING
from editor.document import Document
from editor.draft import OWN_MAP, Draft
from editor.files.backups import backups
from editor.files.differences import differences
from editor.files.keeper import FileKeeper
from editor.files.opening import open_file
from editor.files.recovery import Recovery
from editor.files.saving import save_draft
from editor.files.watching import hash_of
from engine.fortress.floorplan import format_floorplan
from engine.raid.scenario import Placement, Scenario, load_scenario, plan_of
from tests.editor.test_files_recovery import NOON, kept_by_a_dead_session
from tests.helpers.gui import screenshot
from tests.helpers.plans import drawn

HOUSE = Draft(drawn("AAAA AAAA BBBB BBBB", "door 1,1 S", entries="0,0 N"))
SCENARIO = Draft(HOUSE.plan, Scenario(name="raid", map=OWN_MAP))
TEXT_PLAN = b"[grid]\nAA\n[rooms]\nA Shed ground S\n[entries]\nDoor 0,0 1 1 N\n"


def named(name: str, draft: Draft = HOUSE) -> Draft:
    """Return a draft whose map has another name."""
    return draft.with_plan(replace(draft.plan, name=name))


def keep(qtbot: QtBot, widget: QWidget) -> None:
    """Hold a window until the bot has closed it: one that is collected while it is shown takes Qt with it."""
    qtbot.addWidget(widget)
    vars(qtbot).setdefault("windows", []).append(widget)


class Desk:
    """A keeper with its document; `answers` are given to its questions in turn, which `asked` keeps."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        theme.apply(QApplication.instance(), "light", 1.0)  # type: ignore[arg-type]
        self.window = QWidget()
        keep(qtbot, self.window)
        self.document = Document(HOUSE, parent=self.window)
        recovery = Recovery(self.document, self.document, folder=folder / "recovery", now=lambda: NOON)
        self.keeper = FileKeeper(self.document, self.window, recovery)
        self.answers: list[str] = []
        self.asked: list[Question] = []
        self.told: list[tuple[str, str, tuple[str, ...]]] = []
        self.said: list[str] = []
        self.keeper.said.connect(self.said.append)

        def ask(question: Question) -> str:
            self.asked.append(question)
            return self.unsaved if question.heading == HEADING else self.answers.pop(0)

        def tell(heading: str, words: str, lines: Sequence[str]) -> None:
            self.told.append((heading, words, tuple(lines)))

        self.keeper.ask = ask
        self.keeper.tell = tell
        self.unsaved = ""

    def draw(self, name: str) -> None:
        """Make a step."""
        self.document.apply("Rename", named(name, self.document.draft))

    def is_modified(self) -> bool:
        """Return whether there is anything to save."""
        return self.document.is_modified

    def is_locked(self) -> bool:
        """Return whether the file may not be written over."""
        return self.document.is_locked

    @property
    def bars(self) -> list[str]:
        """What is told over the canvas."""
        return list(self.keeper.bars.shown)

    def press(self, kind: str, text: str) -> None:
        """Press a button of a bar."""
        bar = self.keeper.bars.shown[kind]
        (button,) = [one for one in bar.buttons if one.text() == text]
        button.click()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Return a desk whose own folders are the test's."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
    made = Desk(qtbot, tmp_path)
    yield made
    made.keeper.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a saved file of HOUSE."""
    found = tmp_path / "house.json"
    save_draft(HOUSE, found)
    return found


# Opening


def test_opening_puts_the_draft_on_the_bench(desk: Desk, path: Path) -> None:
    """The document has the file's draft and path, clean, with nothing to undo."""
    began: list[int] = []
    opened: list[object] = []
    desk.keeper.began.connect(lambda: began.append(1))
    desk.keeper.opened.connect(opened.append)
    assert desk.keeper.open_path(path)
    assert desk.document.draft == HOUSE
    assert desk.document.path == path
    assert not desk.is_modified()
    assert desk.document.stack.count() == 0
    assert (len(began), len(opened), desk.bars) == (1, 1, [])


def test_a_file_that_cannot_be_opened_leaves_what_was_there(desk: Desk, path: Path, tmp_path: Path) -> None:
    """A saved game is refused in a line, and the draft on the bench stays."""
    desk.keeper.open_path(path)
    other = tmp_path / "game.json"
    other.write_bytes(b'{"format": "kungfu2100.record"}')
    assert not desk.keeper.open_path(other)
    assert desk.document.path == path
    assert "saved game" in desk.told[0][2][0]


@pytest.mark.parametrize(("answer", "is_open"), [("", False), ("discard", True), ("save", True)])
def test_unsaved_work_is_asked_about_before_it_goes(
    desk: Desk, path: Path, answer: str, is_open: bool
) -> None:
    """Cancel stays, discard goes, save saves first."""
    desk.keeper.open_path(path)
    desk.draw("mine")
    other = path.with_name("other.json")
    save_draft(named("other"), other)
    desk.unsaved = answer
    assert desk.keeper.open_path(other) == is_open
    assert open_file(path).draft.name == ("mine" if answer == "save" else HOUSE.name)
    assert desk.document.draft.name == ("other" if is_open else "mine")


def test_a_repaired_file_is_told_and_not_clean(desk: Desk, path: Path) -> None:
    """What was repaired stands in a bar, with the places one press away; nothing is written unasked."""
    raw = path.read_bytes().replace(b'"AAAA"', b'"AA"', 1)
    path.write_bytes(raw)
    assert desk.keeper.open_path(path)
    assert desk.is_modified()
    assert desk.bars == ["repairs"]
    desk.press("repairs", "Show what was repaired")
    assert any("grid[" in line for line in desk.told[0][2])
    assert path.read_bytes() == raw
    assert desk.keeper.save()
    assert desk.bars == []
    assert backups(path)[0].path.read_bytes() == raw


def test_a_newer_file_opens_read_only_and_is_copied_only_after_a_question(
    desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Save asks before it makes a copy, and never writes over the newer file itself."""
    raw = format_floorplan(HOUSE.plan).replace(b'"version": 1', b'"version": 4')
    path.write_bytes(raw)
    assert desk.keeper.open_path(path)
    assert desk.is_locked()
    assert desk.bars == ["newer"]
    assert "newer" in desk.keeper.bars.shown["newer"].label.text()
    desk.draw("mine")
    desk.answers = [""]
    assert not desk.keeper.save()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    desk.answers = ["copy", ""]
    assert not desk.keeper.save()
    assert "newer program" in desk.asked[-1].words
    assert path.read_bytes() == raw
    copy = path.with_name("copy")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    desk.answers = ["copy"]
    assert desk.keeper.save()
    assert not desk.is_locked()
    assert desk.document.path == copy.with_suffix(".json")
    assert desk.bars == []


# Saving


def test_saving_writes_and_is_clean(desk: Desk, path: Path) -> None:
    """Ctrl+S puts the draft into its file, keeps what was there, and is not taken for another program."""
    desk.keeper.open_path(path)
    desk.draw("mine")
    assert desk.keeper.save()
    assert not desk.is_modified()
    assert open_file(path).draft.name == "mine"
    assert len(backups(path)) == 1
    desk.keeper.watcher.check()
    assert desk.bars == []
    assert desk.said == ["Saved in house.json."]


def test_a_save_that_fails_leaves_file_and_draft_and_says_why(
    desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old file is whole, the document is still unsaved, one message."""
    desk.keeper.open_path(path)
    raw = path.read_bytes()
    desk.draw("mine")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert not desk.keeper.save()
    assert path.read_bytes() == raw
    assert desk.is_modified()
    assert desk.document.draft.name == "mine"
    assert [(heading, "No space left" in words) for heading, words, _ in desk.told] == [("Not saved", True)]


def test_a_map_that_became_a_scenario_is_not_saved_over_its_map(
    desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Save asks for another file, and only a confirmed answer puts a scenario in the map's place (27)."""
    desk.keeper.open_path(path)
    raw = path.read_bytes()
    desk.document.apply("Begin a scenario", Draft(HOUSE.plan, SCENARIO.scenario))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    assert not desk.keeper.save()
    assert path.read_bytes() == raw
    desk.answers = [""]
    assert not desk.keeper.save_to(path)
    assert "holds a map" in desk.asked[-1].words
    assert path.read_bytes() == raw
    other = path.with_name("raid.json")
    assert desk.keeper.save_to(other)
    assert (path.read_bytes(), desk.document.path) == (raw, other)
    desk.answers = ["over"]
    assert desk.keeper.save_to(path)
    assert open_file(path).draft.kind == "scenario"


def test_a_new_draft_is_saved_where_the_game_lists_scenarios(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a file Save asks for one, in the player's own folder, with a name made of the title."""
    offered: list[str] = []

    def pick(parent: QWidget, title: str, where: str, filters: str) -> tuple[str, str]:
        offered.append(where)
        return where, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", pick)
    assert desk.keeper.begin(SCENARIO, is_modified=True)
    assert desk.keeper.save()
    assert offered == [str(tmp_path / "data" / "scenarios" / "raid.json")]
    assert desk.document.path == Path(offered[0])


def test_a_folder_of_ones_own_that_cannot_be_made_keeps_nothing_from_the_dialogs(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Open makes no folder, and where none can be made Open and Save as begin at home."""
    (tmp_path / "data").write_bytes(b"")
    offered: list[Path] = []

    def pick(parent: QWidget, title: str, where: str, filters: str) -> tuple[str, str]:
        offered.append(Path(where))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", pick)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", pick)
    desk.keeper.open()
    assert not desk.keeper.save_as()
    assert offered == [Path.home(), Path.home() / "drawn.json"]
    (tmp_path / "data").unlink()
    desk.keeper.open()
    assert not (tmp_path / "data").exists()


def test_a_map_is_not_put_among_the_scenarios_of_the_game(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game lists a folder of scenarios; a map that is saved first goes to one of its own."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (given[2], ""))
    desk.draw("shed")
    assert desk.keeper.save()
    assert desk.document.path == tmp_path / "data" / "maps" / "shed.json"


def test_what_a_draft_without_a_file_lacks_is_said(desk: Desk) -> None:
    """Reload and differences need a file."""
    desk.keeper.outside.reload()
    desk.keeper.outside.show_differences()
    assert len(desk.said) == 2
    assert len(set(desk.said)) == 1


def test_a_folder_that_is_always_written_to_puts_nothing_off(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """News of the file come through while another program fills its folder."""
    desk.keeper.open_path(path)
    busy = QTimer()
    busy.setInterval(50)
    numbers = iter(range(1000))
    busy.timeout.connect(lambda: path.with_name(f"log {next(numbers)}").write_bytes(b""))
    busy.start()
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: desk.document.draft.name == "theirs", timeout=3000)
    busy.stop()


def test_a_name_without_its_ending_does_not_write_over_unasked(
    desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name "house" becomes "house.json", which is there: the system could not ask about it."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    raw = path.read_bytes()
    desk.draw("mine")
    desk.answers = [""]
    assert not desk.keeper.save_as()
    assert path.read_bytes() == raw
    desk.answers = ["over"]
    assert desk.keeper.save_as()


# Other programs


def test_a_clean_document_follows_its_file(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """What another program wrote is taken in silently, as a step that can be undone, selection and all."""
    desk.keeper.open_path(path)
    replaced = []
    desk.document.replaced.connect(lambda: replaced.append(1))
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: desk.document.draft.name == "theirs")
    assert not desk.is_modified()
    assert (desk.bars, desk.asked, replaced) == ([], [], [])
    assert "reloaded" in desk.said[-1]
    desk.document.undo()
    assert desk.document.draft.name == HOUSE.name
    assert desk.is_modified()
    save_draft(named("again"), path)
    qtbot.waitUntil(lambda: desk.bars == ["outside"])


def test_a_document_with_unsaved_work_shows_a_bar(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """Reload, keep mine, show the differences; nothing happens to either before one is pressed."""
    desk.keeper.open_path(path)
    desk.draw("mine")
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: desk.bars == ["outside"])
    assert desk.document.draft.name == "mine"
    desk.press("outside", "Show the differences")
    (sheet,) = [one for one in desk.window.findChildren(DifferencesDialog) if one.isVisible()]
    assert sheet.lines.item(0).text() == "Name of the map: “theirs” → “mine”"
    sheet.close()
    desk.press("outside", "Reload it")
    assert desk.document.draft.name == "theirs"
    assert not desk.is_modified()
    assert desk.bars == []
    desk.document.undo()
    assert desk.document.draft.name == "mine"


def test_keep_mine_writes_over_at_the_next_save(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """The bar goes, the draft is unsaved, and the other program's version is kept as an earlier one."""
    desk.keeper.open_path(path)
    desk.draw("mine")
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: desk.bars == ["outside"])
    desk.press("outside", "Keep mine")
    assert desk.bars == []
    assert desk.keeper.save()
    assert desk.asked == []
    assert open_file(path).draft.name == "mine"
    assert open_file(backups(path)[0].path).draft.name == "theirs"


def test_saving_over_a_change_nobody_told_of_is_asked_first(desk: Desk, path: Path) -> None:
    """Where the file system is silent the save itself finds out (no watcher has run yet here)."""
    desk.keeper.open_path(path)
    desk.draw("mine")
    save_draft(named("theirs"), path)
    desk.answers = [""]
    assert not desk.keeper.save()
    assert open_file(path).draft.name == "theirs"
    desk.answers = ["over"]
    assert desk.keeper.save()
    assert open_file(path).draft.name == "mine"


def test_a_file_that_is_moved_away_is_told_and_can_be_saved_again(
    desk: Desk, path: Path, qtbot: QtBot
) -> None:
    """The draft is unsaved then, though nothing was drawn."""
    desk.keeper.open_path(path)
    path.rename(path.with_name("moved.json"))
    qtbot.waitUntil(lambda: desk.bars == ["outside"])
    assert desk.is_modified()
    desk.press("outside", "Save it again")
    assert open_file(path).draft == HOUSE
    assert not desk.is_modified()
    assert desk.bars == []


def test_a_file_that_comes_back_the_same_is_no_news(desk: Desk, path: Path) -> None:
    """Programs that delete and write anew, and a touched file, are not told."""
    desk.keeper.open_path(path)
    raw = path.read_bytes()
    path.unlink()
    path.write_bytes(raw)
    os.utime(path)
    desk.keeper.watcher.check()
    assert desk.bars == []
    assert not desk.is_modified()


def test_saves_of_others_are_noticed_again_and_again(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """A file that another takes the place of is watched anew each time."""
    desk.keeper.open_path(path)
    for number in range(3):
        save_draft(named(f"version {number}"), path)
        qtbot.waitUntil(lambda number=number: desk.document.draft.name == f"version {number}")  # type: ignore[misc]
        desk.draw(f"mine {number}")
        assert desk.keeper.save()


def test_a_file_that_others_broke_is_told(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """What cannot be opened any more is not taken in, and the draft counts as unsaved."""
    desk.keeper.open_path(path)
    path.write_bytes(b"{")
    qtbot.waitUntil(lambda: desk.bars == ["outside"])
    assert "cannot be opened now" in desk.keeper.bars.shown["outside"].label.text()
    assert desk.is_modified()


def test_the_map_of_a_scenario_is_watched_with_it(desk: Desk, path: Path, qtbot: QtBot) -> None:
    """A map beside the scenario that another program draws on is followed too, also after a save."""
    scenario = path.with_name("raid.json")
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="house.json")), scenario)
    desk.keeper.open_path(scenario)
    save_draft(named("theirs"), path)
    qtbot.waitUntil(lambda: desk.document.draft.plan.name == "theirs")
    assert not desk.is_modified()
    now = desk.document.draft
    assert now.scenario is not None
    desk.document.apply("Turns", Draft(now.plan, replace(now.scenario, turns=9)))
    assert desk.keeper.save()
    save_draft(named("again"), path)
    qtbot.waitUntil(lambda: desk.document.draft.plan.name == "again")


def test_a_file_that_became_a_text_plan_is_told(desk: Desk, path: Path) -> None:
    """A text floor plan in the open file's place ends nothing: the draft stays, unsaved, with its path."""
    desk.keeper.open_path(path)
    path.write_bytes(TEXT_PLAN)
    desk.keeper.watcher.check()
    assert desk.bars == ["outside"]
    assert "a text that draws a plan" in desk.keeper.bars.shown["outside"].label.text()
    assert (desk.document.draft, desk.document.path, desk.is_modified()) == (HOUSE, path, True)
    desk.keeper.outside.reload()
    assert "Open it" in desk.said[-1]
    assert (desk.document.draft, desk.document.path) == (HOUSE, path)
    desk.answers = ["over"]
    assert desk.keeper.save()
    assert open_file(path).draft == HOUSE
    assert backups(path)[0].path.read_bytes() == TEXT_PLAN


@pytest.fixture
def on_a_map(desk: Desk, path: Path) -> Path:
    """Return a scenario's file, which is open, and names the map of `path`."""
    scenario = path.with_name("raid.json")
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="house.json")), scenario)
    assert desk.keeper.open_path(scenario)
    return scenario


def test_a_map_that_undo_brought_back_is_saved(desk: Desk, path: Path, on_a_map: Path) -> None:
    """Another program's map is taken in, Undo, Save: the file has the map that is on the screen."""
    save_draft(named("theirs"), path)
    desk.keeper.watcher.check()
    assert desk.document.draft.plan.name == "theirs"
    desk.document.undo()
    assert desk.keeper.save()
    assert desk.document.draft.plan == HOUSE.plan
    assert open_file(on_a_map).draft.plan == HOUSE.plan
    assert open_file(path).draft.plan.name == "theirs"
    assert "holds the map" in desk.said[-1]
    assert not desk.is_modified()
    assert desk.bars == []


def test_a_map_kept_against_another_program_is_saved(desk: Desk, path: Path, on_a_map: Path) -> None:
    """“Keep mine” is about the scenario's map too: it is not gone when the file is opened again."""
    scenario = desk.document.draft.scenario
    assert scenario is not None
    desk.document.apply("Turns", Draft(HOUSE.plan, replace(scenario, turns=9)))
    save_draft(named("theirs"), path)
    desk.keeper.watcher.check()
    assert "“house.json” was changed" in desk.keeper.bars.shown["outside"].label.text()
    desk.press("outside", "Keep mine")
    assert desk.keeper.save()
    assert desk.asked == []
    opened = open_file(on_a_map)
    assert opened.draft.plan == HOUSE.plan
    assert opened.draft.scenario is not None
    assert opened.draft.scenario.turns == 9


def test_saving_asks_about_the_map_that_was_changed_unnoticed(desk: Desk, path: Path, on_a_map: Path) -> None:
    """Where the file system is silent the save looks at the map's file too."""
    raw = on_a_map.read_bytes()
    save_draft(named("theirs"), path)
    desk.answers = [""]
    assert not desk.keeper.save()
    assert "the map of this scenario" in desk.asked[-1].words
    desk.answers = ["reload"]
    assert not desk.keeper.save()
    assert desk.document.draft.plan.name == "theirs"
    assert on_a_map.read_bytes() == raw
    save_draft(named("again"), path)
    desk.answers = ["over"]
    assert desk.keeper.save()
    assert open_file(on_a_map).draft.plan.name == "theirs"
    assert open_file(path).draft.plan.name == "again"


def test_a_map_whose_file_is_gone_is_kept_by_saving(desk: Desk, path: Path, on_a_map: Path) -> None:
    """The map that another program deleted is told, and goes into the scenario's own file."""
    path.unlink()
    desk.keeper.watcher.check()
    assert "the map of this scenario, is no longer there" in desk.keeper.bars.shown["outside"].label.text()
    assert desk.is_modified()
    desk.press("outside", "Save it again")
    assert open_file(on_a_map).draft.plan == HOUSE.plan
    assert desk.bars == []


def test_a_scenario_saved_over_the_map_it_names_takes_it_in(desk: Desk, path: Path, on_a_map: Path) -> None:
    """A scenario that named itself for its map could never be opened again."""
    desk.answers = ["over"]
    assert desk.keeper.save_to(path)
    assert open_file(path).draft.plan == HOUSE.plan
    assert open_file(path).draft.kind == "scenario"


def test_a_scenario_opened_without_its_map_goes_on_naming_it(desk: Desk, tmp_path: Path) -> None:
    """Nobody's map is not taken for one: what is saved names the map that is looked for."""
    scenario = tmp_path / "raid.json"
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="gone.json")), scenario)
    mending = open_file(scenario).mending
    assert mending is not None
    desk.answers = [str([one.key for one in mending.remedies].index("without"))]
    assert desk.keeper.open_path(scenario)
    opened = desk.document.draft
    assert opened.scenario is not None
    desk.document.apply("Turns", Draft(opened.plan, replace(opened.scenario, turns=9)))
    assert desk.keeper.save()
    assert b'"map": "gone.json"' in scenario.read_bytes()


@pytest.mark.parametrize("how", ["beside", "pick", "panel"])
def test_a_map_that_was_chosen_is_watched_at_once(
    desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Whether it was chosen as the file was opened or later, what others make of it is followed."""
    scenario = path.with_name("raid.json")
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="gone.json")), scenario)
    mending = open_file(scenario).mending
    assert mending is not None
    keys = [one.key for one in mending.remedies]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    desk.answers = [str(keys.index("beside" if how == "beside" else "pick"))]
    assert desk.keeper.open_path(scenario)
    if how == "panel":
        other = path.with_name("other.json")
        save_draft(named("other"), other)
        before = desk.document.draft.scenario
        assert before is not None
        desk.document.apply("Map", Draft(named("other").plan, replace(before, map="other.json")))
        assert set(desk.keeper.watcher.known) == {scenario, other}
        path = other
    assert set(desk.keeper.watcher.known) == {scenario, path}
    save_draft(named("theirs"), path)
    desk.keeper.watcher.check()
    assert desk.bars == ["outside"], "the choice is not saved yet"
    assert f"“{path.name}” was changed" in desk.keeper.bars.shown["outside"].label.text()


# The map of a scenario


def test_a_missing_map_is_asked_about_and_mended(desk: Desk, path: Path) -> None:
    """The renamed file is the first answer; Cancel opens nothing, another answer opens unsaved."""
    scenario = path.with_name("raid.json")
    placed = (Placement(kind="servant", square=(1, 1)),)
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="old.json", placements=placed)), scenario)
    desk.answers = [""]
    assert not desk.keeper.open_path(scenario)
    assert desk.document.path is None
    desk.answers = ["0"]
    assert desk.keeper.open_path(scenario)
    assert desk.asked[-1].answers[0].text == "Use the file “house.json”"
    assert desk.document.draft.plan == HOUSE.plan
    assert desk.is_modified()


def test_a_picked_map_is_taken_in(desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pick another file asks for it; one without a map is refused."""
    folder = path.parent / "elsewhere"
    folder.mkdir()
    scenario = folder / "raid.json"
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="old.json")), scenario)
    mending = open_file(scenario).mending
    assert mending is not None
    at = str([one.key for one in mending.remedies].index("pick"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(scenario), ""))
    desk.answers = [at]
    assert not desk.keeper.open_path(scenario)
    assert desk.told[0][0] == "There is no map in this file"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    desk.answers = [at]
    assert desk.keeper.open_path(scenario)
    assert desk.document.draft.plan == HOUSE.plan
    assert desk.document.draft.scenario is not None
    assert desk.document.draft.scenario.map == OWN_MAP


def test_two_maps_of_one_name_are_told_in_a_bar(desk: Desk, tmp_path: Path) -> None:
    """The scenario opens with its own map; the choice is a step that can be undone, made on what is drawn."""
    citadel = plan_of(load_scenario("basic"))
    own = replace(citadel, notes="another")
    path = tmp_path / "raid.json"
    save_draft(Draft(own, Scenario(name="raid", map=OWN_MAP)), path)
    assert desk.keeper.open_path(path)
    assert not desk.is_modified()
    assert desk.bars == ["map"]
    drawn_on = desk.document.draft.with_plan(replace(own, notes="drawn on"))
    desk.document.apply("Notes", drawn_on)
    desk.answers = ["1"]
    desk.press("map", "Choose…")
    assert [one.text for one in desk.asked[-1].answers][:2] == [
        "Keep the scenario's own map",
        "Keep it under a name of its own",
    ]
    assert desk.document.draft.plan.name == f"{citadel.name} of raid"
    assert desk.document.draft.plan.notes == "drawn on"
    assert desk.bars == []
    desk.document.undo()
    assert desk.document.draft == drawn_on


# Recovery and earlier versions


def test_recovered_work_is_unsaved_work_on_its_file(
    desk: Desk, path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    """Opening it writes nothing into its file, is kept by this session at once, and Save saves it."""
    raw = path.read_bytes()
    left = kept_by_a_dead_session(tmp_path / "recovery", named("unsaved"), path)

    def open_it() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, RecoveredDialog)
        assert "1 difference from its file" in dialog.list.item(0).text()
        QTest.keyClick(dialog.list, Qt.Key.Key_Return)
        if dialog.isVisible():
            dialog.open_button.click()

    QTimer.singleShot(100, open_it)
    assert desk.keeper.rescue.offer()
    assert desk.document.draft.name == "unsaved"
    assert desk.is_modified()
    assert desk.document.path == path
    assert path.read_bytes() == raw
    assert not left.exists()
    assert desk.keeper.recovery.file.exists()
    desk.keeper.watcher.check()
    assert desk.bars == []
    assert desk.keeper.save()
    assert open_file(path).draft.name == "unsaved"
    assert not desk.keeper.rescue.offer()


def test_recovered_work_whose_file_went_on_is_told(desk: Desk, path: Path, tmp_path: Path) -> None:
    """A file that was saved by others after the crash is not written over unseen."""
    document = Document(HOUSE, path)
    recovery = Recovery(document, document, folder=tmp_path / "recovery")
    recovery.base = hash_of(path.read_bytes())
    document.apply("Draw", named("unsaved"))
    recovery.keep()
    raw, file = recovery.file.read_bytes(), recovery.file
    recovery.close()
    file.write_bytes(raw)
    save_draft(named("theirs"), path)
    (found,) = desk.keeper.recovery.found()
    desk.keeper.rescue.recover(found)
    assert desk.bars == ["outside"]


@pytest.mark.parametrize("has_base", [True, False])
def test_recovered_work_whose_file_became_a_text_plan_is_told(
    desk: Desk, path: Path, tmp_path: Path, has_base: bool
) -> None:
    """The work is open, unsaved, and the text is not written over unseen."""
    left = kept_by_a_dead_session(tmp_path / "recovery", named("unsaved"), path)
    if has_base:
        left.write_bytes(
            left.read_bytes().replace(b'"when"', f'"base": "{hash_of(b"x")}",\n  "when"'.encode())
        )
    path.write_bytes(TEXT_PLAN)
    (found,) = desk.keeper.recovery.found()
    assert bool(found.base) == has_base
    desk.keeper.rescue.recover(found)
    assert (desk.document.draft.name, desk.document.path) == ("unsaved", path)
    assert desk.bars == ["outside"]


def test_unsaved_work_left_for_later_is_offered_again(desk: Desk, tmp_path: Path) -> None:
    """Later keeps it, deleting asks first."""
    kept_by_a_dead_session(tmp_path / "recovery", named("unsaved"))

    def later() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(100, later)
    assert not desk.keeper.rescue.offer()
    assert len(desk.keeper.recovery.found()) == 1

    def delete() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, RecoveredDialog)
        QTimer.singleShot(100, confirm)
        dialog.delete_button.click()

    def confirm() -> None:
        dialog = QApplication.activeModalWidget()
        assert dialog is not None
        dialog.yes_button.click()  # type: ignore[attr-defined]

    QTimer.singleShot(100, delete)
    assert not desk.keeper.rescue.offer()
    assert desk.keeper.recovery.found() == []


def test_a_file_that_brought_the_program_down_is_asked_about(desk: Desk, path: Path, tmp_path: Path) -> None:
    """It is never opened by itself, and after a question only if it is wanted."""
    folder = tmp_path / "recovery"
    folder.mkdir()
    (folder / "dead.opening").write_bytes(str(path).encode())
    assert not desk.keeper.open_path(path, is_automatic=True)
    assert "not opened" in desk.said[-1]
    desk.answers = [""]
    assert not desk.keeper.open_path(path)
    desk.answers = ["open"]
    assert desk.keeper.open_path(path)
    desk.keeper.begin(HOUSE)
    assert desk.keeper.open_path(path, is_automatic=True)


def test_an_earlier_version_comes_back_as_a_step(desk: Desk, path: Path) -> None:
    """The versions before the last saves are listed with what differs; going back can be undone."""
    desk.keeper.versions.show()
    assert "no earlier version" in desk.said[-1]
    desk.keeper.open_path(path)
    for name in ("one", "two"):
        desk.draw(name)
        desk.keeper.save()
    desk.answers = ["1"]
    desk.keeper.versions.show()
    assert len(desk.asked[-1].answers) == 2
    assert "Name of the map: “two” → “drawn”" in desk.asked[-1].answers[1].detail
    assert desk.document.draft.name == HOUSE.name
    desk.document.undo()
    assert desk.document.draft.name == "two"


def test_earlier_versions_of_a_large_map_are_listed_at_once(
    desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only as many bytes are opened to say what differs as the window can wait for; the others have sizes."""
    desk.keeper.open_path(path)
    for name in ("one", "two", "three"):
        desk.draw(name)
        desk.keeper.save()
    found = backups(path)
    monkeypatch.setattr("editor.files.versions.COMPARED", found[0].size + found[1].size)
    desk.answers = ["2"]
    desk.keeper.versions.show()
    assert ["Name of the map" in one.detail for one in desk.asked[-1].answers] == [True, True, False]
    assert desk.asked[-1].answers[2].detail == "1 KB"
    assert desk.document.draft.name == HOUSE.name


def test_nothing_is_left_after_an_orderly_end(desk: Desk, path: Path, tmp_path: Path) -> None:
    """Opening, drawing and closing leaves no recovery file, lock or marker behind."""
    desk.keeper.open_path(path)
    desk.draw("mine")
    desk.keeper.keep_now()
    assert list((tmp_path / "recovery").iterdir())
    desk.keeper.close()
    assert list((tmp_path / "recovery").iterdir()) == []


# Dialogs


def test_a_choice_is_made_by_its_number_or_not_at_all(qtbot: QtBot) -> None:
    """Digits press the answers, Esc answers nothing."""
    question = Question(
        "Which?", "One of them.", (Answer("a", "First", "This."), Answer("b", "Second")), ("x",)
    )
    for key, answer in ((Qt.Key.Key_2, "b"), (Qt.Key.Key_1, "a"), (Qt.Key.Key_Escape, "")):
        dialog = ChoiceDialog(question)
        keep(qtbot, dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        QTest.keyClick(dialog, key)
        qtbot.waitUntil(lambda dialog=dialog: not dialog.isVisible())  # type: ignore[misc]
        assert dialog.answer == answer


def test_a_line_of_the_differences_shows_its_squares(qtbot: QtBot) -> None:
    """Enter on a line asks for its squares to be shown."""
    found = differences(HOUSE, Draft(drawn("AAAA ABBA BBBB BBBB")))
    dialog = DifferencesDialog("Differences", "What differs.", found)
    keep(qtbot, dialog)
    shown: list[object] = []
    dialog.flashed.connect(shown.append)
    row = next(at for at, one in enumerate(found) if len(one.squares) == 2)
    dialog.lines.setCurrentRow(row)
    dialog.lines.itemActivated.emit(dialog.lines.item(row))
    assert shown == [frozenset({(1, 1), (2, 1)})]


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 1.0), ("contrast", 1.6)])
def test_the_dialogs_of_files_fit_a_small_screen(
    desk: Desk, path: Path, tmp_path: Path, qtbot: QtBot, mode: str, scale: float
) -> None:
    """Every dialog and bar has room for its words at 1280 x 720 and in large text."""
    theme.apply(QApplication.instance(), mode, scale)  # type: ignore[arg-type]
    scenario = tmp_path / "raid.json"
    save_draft(Draft(HOUSE.plan, Scenario(name="raid", map="old.json")), scenario)
    mending = open_file(scenario).mending
    assert mending is not None
    kept_by_a_dead_session(tmp_path / "recovery", named("unsaved"), path)
    kept_by_a_dead_session(tmp_path / "recovery", SCENARIO)
    found = desk.keeper.recovery.found()
    lines = [recovered_words(one, NOON) for one in found]
    assert any("never saved" in one for one in lines)
    many = differences(HOUSE, Draft(drawn("CCC CCC", things="tank 1,1")))
    dialogs: dict[str, QWidget] = {
        "mend": ChoiceDialog(question_of(mending)),
        "recovered": RecoveredDialog(found, lambda _: None, now=NOON),
        "differences": DifferencesDialog("Differences", "What saving would change in “house.json”.", many),
    }
    bars = desk.keeper.bars
    acts = (("Reload it", desk.keeper.outside.reload), ("Keep mine", desk.keeper.outside.keep_mine))
    bars.tell("outside", "“house.json” was changed by another program.", acts, is_urgent=True)
    bars.tell(
        "map", "The map in this scenario's file is called “The Citadel” like a shipped map, but is another."
    )
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.addWidget(bars)
    layout.addWidget(QWidget(), 1)
    page.resize(700, 400)
    dialogs["bars"] = page
    for name, dialog in dialogs.items():
        keep(qtbot, dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        screenshot(dialog, f"files-{name}-{mode}-{scale}", tmp_path)
        assert dialog.width() <= 1280
        assert dialog.height() <= 720
        for label in dialog.findChildren(Label):
            assert label.height() >= label.heightForWidth(label.width()), label.text()
        for one in dialog.findChildren(QListWidget):
            assert one.accessibleName()
        dialog.hide()
    theme.apply(QApplication.instance(), "light", 1.0)  # type: ignore[arg-type]
