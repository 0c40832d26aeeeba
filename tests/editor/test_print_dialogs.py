"""The dialogs to print and to export: what is shown is what is written, and refusals are said."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QListWidget, QSpinBox
from pytestqt.qtbot import QtBot

from editor.dialogs.export import ExportDialog
from editor.dialogs.print import PrintDialog
from editor.draft import Draft
from editor.exports.forms import FORMS, ExportOptions
from editor.files.reading import read_draft
from editor.printing.booklet import booklet
from editor.printing.options import PARTS, PrintOptions
from engine.fortress.floorplan import parse_floorplan
from engine.raid.scenario import parse_scenario
from tests.helpers import pdf
from tests.helpers.editor import open_editor, press
from tests.helpers.gui import screenshot


@pytest.fixture
def draft() -> Draft:
    """The Advanced scenario."""
    return read_draft("advanced")


@pytest.fixture
def printing(qtbot: QtBot, draft: Draft, tmp_path: Path) -> PrintDialog:
    """The dialog to print it."""
    dialog = PrintDialog(draft, own=tmp_path / "own.json")
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.fixture
def exporting(qtbot: QtBot, draft: Draft, tmp_path: Path) -> ExportDialog:
    """The dialog to export it."""
    dialog = ExportDialog(draft, own=tmp_path / "own.json")
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


# Printing


def test_the_number_of_sheets_is_said_before(printing: PrintDialog, draft: Draft) -> None:
    """The dialog tells how many pages there are, of what, and how large squares and counters are."""
    count = len(booklet(draft.whole, PrintOptions()))
    assert printing.summary.text().startswith(f"{count} pages of A4: map 9,")
    assert "Squares are 20 mm, counters 18 mm" in printing.summary.text()
    printing.one_sheet.setChecked(True)
    printing.refresh()
    assert "map 1," in printing.summary.text()
    assert not printing.square.isEnabled()


def test_choices_are_printed(printing: PrintDialog, tmp_path: Path) -> None:
    """What is saved is what the controls say, and as many pages as were promised."""
    for part, box in printing.parts.items():
        box.setChecked(part in ("map", "track"))
    printing.paper.show_value("letter")
    printing.square.setValue(30)
    printing.black_and_white.setChecked(True)
    path = tmp_path / "out.pdf"
    printing.save_to(path)
    options = printing.options
    assert options == PrintOptions("letter", "auto", 30, False, 6, "fold", True, ("map", "track"))
    pages = pdf.pages(path.read_bytes())
    assert len(pages) == int(printing.summary.text().split()[0])
    assert sorted((round(pages[0].width), round(pages[0].height))) == [216, 279]
    assert str(path) in printing.said.text()


def test_pages_are_turned_by_key(printing: PrintDialog, qtbot: QtBot) -> None:
    """PgDown and PgUp turn the pages; there is no page before the first."""
    qtbot.waitActive(printing)
    assert printing.page is not None
    assert printing.page.name == "Assembly"
    assert not printing.back_button.isEnabled()
    QTest.keyClick(printing.square, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: printing.page_words.text() == "Map A1 (2 of 18)")
    QTest.keyClick(printing.paper, Qt.Key.Key_PageUp)
    qtbot.waitUntil(lambda: printing.page_words.text() == "Assembly (1 of 18)")
    assert (printing.square.value(), printing.paper.currentData()) == (20, "a4")


def test_the_page_on_show_stays(printing: PrintDialog) -> None:
    """Another choice shows the same page again, as long as there is one of its name."""
    while printing.page is not None and printing.page.name != "Turn track":
        printing.show_next()
    printing.square.setValue(15)
    printing.refresh()
    assert printing.page is not None
    assert printing.page.name == "Turn track"


def test_nothing_to_print_is_said(printing: PrintDialog) -> None:
    """Without a part there is no page, no button to save, and a sentence that says what to do."""
    for box in printing.parts.values():
        box.setChecked(False)
    printing.refresh()
    assert printing.summary.text() == "Choose at least one part to print."
    assert not printing.save_button.isEnabled()


def test_a_map_without_rooms_is_refused_in_words(qtbot: QtBot, draft: Draft) -> None:
    """An empty map opens the dialog and says why nothing can be printed."""
    empty = Draft(msgspec.structs.replace(draft.plan, grid=("....",) * 3, edges=(), equipment=(), entries=()))
    dialog = PrintDialog(empty)
    qtbot.addWidget(dialog)
    assert dialog.summary.text() == "The map has no room yet."
    assert not dialog.save_button.isEnabled()


def test_a_bare_map_begins_with_its_map_alone(qtbot: QtBot, draft: Draft) -> None:
    """Of a map only the map is ticked; the pieces of the Basic scenario can be had with it."""
    dialog = PrintDialog(Draft(draft.plan))
    qtbot.addWidget(dialog)
    assert [part for part, box in dialog.parts.items() if box.isChecked()] == ["map"]
    dialog.parts["counters"].setChecked(True)
    dialog.refresh()
    assert "counters 1" in dialog.summary.text()


def refusals(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that what is refused is written into, instead of being told in a window."""
    said: list[str] = []
    for dialog in ("print", "export"):
        monkeypatch.setattr(f"editor.dialogs.{dialog}.tell", lambda _title, text, *_: said.append(text))
    return said


def test_a_print_that_cannot_be_written_is_said(
    printing: PrintDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is not there gives a message, and the dialog stays."""
    said = refusals(monkeypatch)
    printing.save_to(tmp_path / "none" / "out.pdf")
    assert len(said) == 1
    assert "cannot be written" in said[0]
    assert printing.isVisible()


def test_the_file_that_is_edited_is_not_printed_over(
    printing: PrintDialog, exporting: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PDF or a picture in the place of the draft's own file would be the end of it; both dialogs refuse."""
    said = refusals(monkeypatch)
    own = tmp_path / "own.json"
    own.write_text("mine")
    printing.save_to(own)
    exporting.save_to(own)
    assert len(said) == 2
    assert all("the file being edited" in one for one in said)
    assert own.read_text() == "mine"


# Exporting


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_shown_and_saved(exporting: ExportDialog, tmp_path: Path, form: str) -> None:
    """Each form has a preview and can be written into a file."""
    exporting.choose(form)  # type: ignore[arg-type]
    if exporting.preview.currentWidget() is exporting.picture:
        assert not exporting.picture.pixmap().isNull()
    else:
        assert len(exporting.text.toPlainText()) > 500
    path = tmp_path / f"out.{form}"
    exporting.save_to(path)
    assert path.stat().st_size > 1000
    assert str(path) in exporting.said.text()


def test_only_fitting_choices_are_offered(exporting: ExportDialog, qtbot: QtBot, draft: Draft) -> None:
    """Pixels belong to pictures, the map's place to JSON of a scenario, figures to a scenario's pictures."""
    offered = (exporting.json, exporting.pixels, exporting.rim, exporting.figures, exporting.grid)

    def shown() -> list[bool]:
        return [one.isVisible() for one in offered]

    assert shown() == [True, False, False, False, False]
    exporting.choose("png")
    assert shown() == [False, True, True, True, True]
    exporting.choose("uvtt")
    assert shown() == [False, True, False, False, True]
    exporting.choose("txt")
    assert shown() == [False] * 5
    other = ExportDialog(Draft(draft.plan))
    qtbot.addWidget(other)
    other.show()
    assert not other.json.isVisible()


def test_losses_are_said_before(exporting: ExportDialog) -> None:
    """A text floor plan says that the scenario and the notes stay behind."""
    exporting.choose("txt")
    assert "Left out: the scenario" in exporting.about.text()
    assert "notes" in exporting.about.text()
    exporting.choose("json")
    assert exporting.about.text() == ""


def test_json_is_whole_or_in_parts(
    exporting: ExportDialog, tmp_path: Path, draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file to share, the map alone, or two files; a map's file is not written over unasked."""
    path = tmp_path / "mine.json"
    exporting.save_to(path)
    assert parse_scenario(path.read_bytes()).map == draft.plan
    exporting.json.show_value("map")
    exporting.save_to(path)
    assert parse_floorplan(path.read_bytes()) == draft.plan
    exporting.json.show_value("beside")
    beside = tmp_path / "mine map.json"
    beside.write_text("something else")
    asked: list[str] = []
    monkeypatch.setattr(
        "app.dialogs.ask.SureQuestion.exec", lambda question: asked.append(question.words.text())
    )
    exporting.save_to(path)
    assert "mine map.json is there already" in asked[0]
    assert beside.read_text() == "something else"
    beside.unlink()
    exporting.save_to(path)
    assert parse_scenario(path.read_bytes(), str(path)).map == draft.plan


def test_the_file_being_edited_is_not_exported_over(
    exporting: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A map exported onto its scenario's own file would lose the scenario: that is refused."""
    said = refusals(monkeypatch)
    own = tmp_path / "own.json"
    own.write_bytes(b"the scenario")
    exporting.json.show_value("map")
    exporting.save_to(own)
    beside = tmp_path / "own map.json"
    assert own.read_bytes() == b"the scenario"
    assert "file being edited" in said[0]
    exporting.save_to(beside)
    assert parse_floorplan(beside.read_bytes()).name == "The Citadel"


def test_copies_go_to_the_clipboard(exporting: ExportDialog) -> None:
    """Texts and pictures can be copied."""
    exporting.choose("txt")
    exporting.copy_button.click()
    assert QGuiApplication.clipboard().text().startswith("# The Citadel")
    exporting.choose("png")
    exporting.pixels.setValue(10)
    exporting.copy_button.click()
    assert QGuiApplication.clipboard().image().width() == 342
    assert exporting.said.text() == "Copied."


def test_choices_are_kept_for_the_next_time(qtbot: QtBot, draft: Draft) -> None:
    """A dialog opened again begins where the last one ended."""
    options = ExportOptions(pixels=33, has_grid=False, has_rim=False, look="dark", json="map")
    export = ExportDialog(draft, options=options, form="svg")
    qtbot.addWidget(export)
    assert (export.form, export.options) == ("svg", options)
    chosen = PrintOptions("a3", "landscape", 25, False, 0, "duplex", True, ("map",))
    printed = PrintDialog(draft, options=chosen)
    qtbot.addWidget(printed)
    assert printed.options == chosen


@pytest.mark.parametrize("kind", [PrintDialog, ExportDialog])
def test_all_by_keyboard_and_read_aloud(qtbot: QtBot, draft: Draft, kind: type[PrintDialog]) -> None:
    """Every control takes the focus by Tab and has a name."""
    dialog = kind(draft)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitActive(dialog)
    reached = set()
    for _ in range(60):
        widget = dialog.focusWidget()
        reached.add(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    controls = [
        widget
        for control in (QAbstractButton, QComboBox, QSpinBox, QListWidget)
        for widget in dialog.findChildren(control)
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert len(controls) >= 5
    for widget in controls:
        assert widget in reached, widget
        assert widget.accessibleName() or getattr(widget, "text", lambda: "")()


def test_the_editor_prints_and_exports_by_key(qtbot: QtBot, tmp_path: Path, draft: Draft) -> None:
    """Ctrl+P and Ctrl+E open the dialogs on the draft as it is; what was chosen is there the next time."""
    window = open_editor(qtbot, tmp_path, draft)
    window.document.apply("Rename", draft._replace(plan=msgspec.structs.replace(draft.plan, name="Mine")))
    press(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    printed = window.findChild(PrintDialog)
    assert isinstance(printed, PrintDialog)
    assert printed.isVisible()
    printed.square.setValue(33)
    printed.refresh()
    path = tmp_path / "x.pdf"
    printed.save_to(path)
    assert path.stat().st_size > 10_000
    QTest.keyClick(printed, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PrintDialog) is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    press(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    again = window.findChild(PrintDialog)
    assert isinstance(again, PrintDialog)
    assert again.square.value() == 33
    QTest.keyClick(again, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PrintDialog) is None)

    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    press(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    exported = window.findChild(ExportDialog)
    assert isinstance(exported, ExportDialog)
    assert '"Mine"' in exported.text.toPlainText()
    exported.reject()
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None)
    # Neither is an edit.
    assert window.document.stack.count() == 1


def test_the_dialogs_look(printing: PrintDialog, exporting: ExportDialog, tmp_path: Path) -> None:
    """Pictures to look at, none of them blank."""
    for dialog, name in ((printing, "print"), (exporting, "export")):
        dialog.resize(1180, 660)
        image = QImage(str(screenshot(dialog, f"editor-{name}", tmp_path)))
        assert len({image.pixel(x, y) for x in range(image.width()) for y in range(0, 600, 20)}) > 20
    assert tuple(printing.parts) == PARTS
