"""The help: every rule has its place and is found, pictures come from the board, F1 knows where one is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QListWidget, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.command import STARTED_BY
from app.dialogs.settings import SettingsDialog
from app.help import page as help_page
from app.help import pictures, screens
from app.help import window as help_window
from app.help.search import plain, search, stem
from app.help.tables import expanded
from app.help.topics import (
    find_rule,
    find_title,
    linked,
    parse_topics,
    parts_of,
    place_of,
    topics,
    way_to,
)
from app.panels.widgets import Label, rule_link
from engine.raid.figures import JELLIES
from engine.raid.scenario import SHIPPED, load_scenario
from engine.raid.switches import SWITCHES
from engine.raid.tables import HitNumbers
from resources.path import resource
from tests.helpers.gui import open_window, screenshot
from tests.helpers.panels import in_every_look, settle

ROOT = Path(__file__).parents[2]
RULE = re.compile(r"[2-8]\.\d{1,3}[a-z]?|R\d{1,2}")


@pytest.fixture
def helper(qtbot: QtBot) -> Iterator[help_window.HelpWindow]:
    """Return the program's help window, closed again after the test."""
    window = help_window.window()
    yield window
    help_window.close()


def wait_for_pictures(helper: help_window.HelpWindow) -> None:
    """Let the page draw the pictures that come when its text stands."""
    while helper.page._awaited:
        QApplication.processEvents()


# Texts


def rules_given() -> dict[str, str]:
    """Return every rule that engine or program can name to a player, each with a place that names it.

    These are the strings that are a rule and nothing else, and the rules in parentheses that end a message.
    """
    found: dict[str, str] = {}
    for folder in ("engine", "app"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            documented = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            for node in ast.walk(tree):
                if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                    continue
                if id(node) in documented:
                    continue
                text = node.value
                if RULE.fullmatch(text):
                    found[text] = f"{file.name}:{node.lineno}"
                for inner in re.findall(r"\(([^()]*)\)", text):
                    for one in re.split(r",\s*", inner):
                        if RULE.fullmatch(one):
                            found[one] = f"{file.name}:{node.lineno}"
    return found


def test_every_rule_the_program_names_has_its_place() -> None:
    """Each rule in a refusal, a decision, an event, a problem or a switch has an anchor of its own."""
    given = rules_given() | {rule: switch.path for switch in SWITCHES for rule in switch.rules}
    assert len(given) > 70
    anchors = {topic.rule for topic in topics()}
    assert {rule: place for rule, place in given.items() if rule not in anchors} == {}


def test_every_numbered_paragraph_is_explained() -> None:
    """Each paragraph from 1.0 to 8.0, and each ruling of this game, has a heading of its own."""
    wanted = ["1.0", "2.0", *(f"2.{n}" for n in range(1, 7)), *(f"2.5{n}" for n in range(1, 6))]
    wanted += [
        *(f"2.55{n}" for n in range(1, 8)),
        "3.0",
        "3.1",
        "3.2",
        "4.0",
        *(f"4.{n}" for n in range(1, 9)),
    ]
    wanted += ["4.11", "4.12", "4.13", "4.2a", "4.2b", "4.21", "4.22", "4.41", "4.42", "4.43"]
    wanted += ["5.0", *(f"5.{n}" for n in range(1, 10)), "5.61", "5.62", "6.0", "6.1", "6.1a", "6.1b", "6.2"]
    wanted += ["6.3", "6.3a", "6.3b", "6.3c", "7.0", "7.1", "7.2", "7.3", "7.4", "8.0"]
    wanted += [f"R{n}" for n in range(1, 37)]
    headings = [topic.rule for topic in topics() if topic.rule]
    assert [rule for rule in wanted if rule not in headings] == []
    assert sorted(headings) == sorted(set(headings))
    assert [topic.heading for topic in topics() if not topic.body and len(parts_of(topic)) == 1] == []


def test_the_help_names_the_command_that_started_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has only run.py, or only the installed command, is told of no other."""
    for started_by, named in (("py run.py", "py run.py serve basic"), ("", "kungfu2100 serve basic")):
        monkeypatch.setenv(STARTED_BY, started_by)
        topics.cache_clear()
        assert any(named in topic.body for topic in topics())
        assert not any("python3 run.py" in topic.body for topic in topics())
    topics.cache_clear()


def test_no_reference_in_the_help_leads_nowhere() -> None:
    """Every rule that a help text mentions has its own part."""
    anchors = {topic.rule for topic in topics()}
    for topic in topics():
        text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", topic.body, flags=re.DOTALL)
        named = re.findall(r"(?<![\w.])(?:[1-8]\.\d{1,3}[a-z]?|R\d{1,2})(?![\w.]*\w)", text)
        assert [rule for rule in named if rule not in anchors] == [], topic.heading


def test_no_title_that_the_help_quotes_is_missing() -> None:
    """A part that a text or F1 sends one to is there."""
    for title in (*screens.TITLES.values(), *screens.OF_DECISIONS.values()):
        assert find_title(title) or find_rule(title), title
    titles = {topic.title for topic in topics()}
    assert {"The scenarios that ship", "The switches of a scenario"} <= titles


def test_rules_and_titles_in_a_text_are_links_but_not_in_code() -> None:
    """A rule and a title in quotation marks lead to their places; what is code stays as it is."""
    at = place_of(topics()[0])
    assert linked('See 4.43, "How to play here" and `"rule":"4.43"`.') == (
        f'See [4.43](rule:4.43), ["How to play here"](topic:{at}) and `"rule":"4.43"`.'
    )
    assert linked("```\n6.1 R7\n```") == "```\n6.1 R7\n```"


def test_a_comment_in_an_example_is_no_heading() -> None:
    """A line with # between code fences stays part of its text."""
    found = parse_topics("x.md", "# One\n\n```\n# not a heading\n```\n\n## 4.1 Two\n\nText")
    assert [(topic.depth, topic.rule, topic.title) for topic in found] == [(1, "", "One"), (2, "4.1", "Two")]


def test_a_finer_number_opens_the_paragraph_above() -> None:
    """A letter or a digit more is explained with its paragraph; nonsense leads nowhere."""
    assert find_rule("6.2z") is find_rule("6.2")
    for nonsense in ("-", "", "R99", "x", "9.9"):
        assert find_rule(nonsense) is None


def test_the_way_to_a_part_is_known() -> None:
    """A paragraph knows the chapter it stands in, and what stands below it."""
    paragraph = find_rule("2.551")
    assert paragraph is not None
    assert [topic.rule for topic in way_to(paragraph)] == ["2.0", "2.5", "2.55"]
    chapter = find_rule("4.4")
    assert chapter is not None
    assert [topic.rule for topic in parts_of(chapter)] == ["4.4", "4.41", "4.42", "4.43"]


# Tables and pictures


def test_tables_tell_the_numbers_of_the_rules() -> None:
    """The Combat Results Table, Jellies, scenarios and switches stand there as the engine has them."""
    table = find_rule("2.6")
    assert table is not None
    hits = HitNumbers()
    for name, row in (("Iron Fist", hits.fist), ("Lightning Foot", hits.kick), ("Weapon", hits.weapon)):
        numbers = " | ".join(str(one) if one else "–" for one in row)
        assert re.search(rf"{name} \| {numbers} \|", table.body), name
    sheets = find_rule("2.4")
    assert sheets is not None
    assert all(f"| J-{number} |" in sheets.body for number in JELLIES)
    whole = "\n".join(topic.body for topic in topics())
    assert all(switch.sentence in whole for switch in SWITCHES)
    assert all(find_title(load_scenario(word).name) for word in SHIPPED)


def test_an_unknown_table_is_no_silent_gap() -> None:
    """A text cannot ask for a table that there is not."""
    with pytest.raises(KeyError):
        expanded("![Nothing](table:nothing)")


def test_every_picture_has_its_position_and_its_words(qapp: QApplication) -> None:
    """Each picture of a text is a position that the engine takes, is drawn, and has a text of its own."""
    named = [
        match for topic in topics() for match in re.findall(r"!\[([^\]]*)\]\((\w+):([\w-]+)\)", topic.body)
    ]
    assert all(alt.strip() for alt, _, _ in named)
    boards = {what for _, kind, what in named if kind == "board"}
    shipped = {file.name.removesuffix(".txt") for file in resource(pictures.FOLDER).iterdir()}
    assert boards == shipped
    assert len(boards) > 12
    for what in boards:
        image = pictures.board_picture(what, 8, 1)
        wide, high = pictures.board_size(what, 8)
        assert abs(image.width() - wide) <= 1
        assert abs(image.height() - high) <= 1
        assert _colours(image) > 3, what
    for kind in {what for _, scheme, what in named if scheme == "counter"}:
        assert _colours(pictures.counter_picture(kind, 32, 1)) > 3, kind
    for what in {what for _, scheme, what in named if scheme == "symbol"}:
        assert _colours(pictures.symbol_picture(what, 32, 1)) > 2, what


def _colours(image: QImage) -> int:
    """Return how many colours a picture has."""
    return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})


def test_pictures_light_what_the_engine_allows(qapp: QApplication) -> None:
    """What a picture shows is the rule it is there for: prices, reaches, sight, doors."""
    reach = pictures.position("reach").lit
    assert reach[3, 0] == "4"
    assert (2, 0) not in reach
    assert len(pictures.position("hand").lit) == 8
    assert len(pictures.position("missile").lit) == 12
    assert pictures.position("drop-off").lit[3, 0] == "3"
    assert pictures.position("drop-off-soul").lit[3, 0] == "1"
    assert pictures.position("armored-door").lit[3, 1] == "2"
    assert (3, 1) not in pictures.position("corner-strict").lit
    assert (3, 1) in pictures.position("corner-graze").lit
    assert len(pictures.position("tank").lit) == 8
    assert set(pictures.position("computer").lit) == {(2, 2)}
    assert (5, 2) not in pictures.position("tank-sight").lit
    assert not any(x > 3 for x, _ in pictures.position("overlook").lit)
    assert not {(4, 1), (5, 1)} & set(pictures.position("next-to-a-door").lit)


def test_pictures_follow_the_look_and_the_text(
    qtbot: QtBot, qapp: QApplication, helper: help_window.HelpWindow
) -> None:
    """A page's pictures are drawn in the palette in force, and larger with larger text."""

    def shown() -> QImage:
        wait_for_pictures(helper)
        found = [image for key, image in helper.page._images.items() if key[0] == "board:hand"]
        return found[-1]

    help_window.open_rule("R5")
    helper.resize(1240, 680)
    help_window.open_rule("5.1")
    first = shown()
    try:
        theme.apply(qapp, "dark", 1.5)
        qtbot.waitUntil(lambda: shown().width() > first.width())
        second = shown()
        assert _light(second) < 80 < 160 < _light(first)
    finally:
        theme.apply(qapp)


def _light(image: QImage) -> float:
    """Return the mean lightness of a picture, 0 to 255."""
    points = [image.pixelColor(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)]
    return sum(point.lightness() for point in points) / len(points)


# Search


def test_a_search_finds_numbers_first_then_titles_then_texts() -> None:
    """Typing a number goes to its rule; a word to titles that have it, then to texts."""
    assert search("4.43")[0].topic.rule == "4.43"
    assert search("r15")[0].topic.rule == "R15"
    assert search("rule 6.1b")[0].topic.rule == "6.1b"
    assert [hit.topic.rule for hit in search("4.4")][:4] == ["4.4", "4.41", "4.42", "4.43"]
    found = search("mountain heart")
    assert found[0].topic.title == "Mountain Heart"
    assert len(found) > 3
    assert search("xyzzy") == []
    assert search(" ") == []


def test_a_search_does_not_mind_case_number_or_a_word_not_finished() -> None:
    """Jelly and JELLIES find the same; half a word finds the whole."""
    assert [hit.topic for hit in search("Jelly")] == [hit.topic for hit in search("JELLIES")]
    assert search("door armored") == search("doors armored")
    assert search("spik")[0].topic.rule == "R19"
    assert [stem(word) for word in ("Spikes", "boxes", "bodies", "focus", "pass", "player's")] == [
        "spike",
        "box",
        "body",
        "focus",
        "pass",
        "player",
    ]


def test_a_search_shows_the_text_around_the_word() -> None:
    """Each result has a piece of its text with the word in it, without marks of Markdown."""
    for hit in search("corridor"):
        assert "corridor" in hit.snippet.lower() or "corridor" in hit.topic.heading.lower()
        assert not re.search(r"[*|`\[]|\]\(", hit.snippet), hit.snippet
    assert (
        plain("| a | b |\n|---|---|\n| ![x](symbol:fist) **One** | [4.1](rule:4.1) |") == "a · b · One · 4.1"
    )


# The window


def test_a_click_on_a_rule_opens_it_anywhere(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A rule's number in any label of the program opens the help at its place."""
    label = Label(f"Too dear. {rule_link('4.43')}", is_rich=True)
    qtbot.addWidget(label)
    label.linkActivated.emit("rule:4.43")
    settle()
    assert helper.isVisible()
    assert helper.topic is not None
    assert helper.topic.rule == "4.43"
    assert "Hostile martial artists" in helper.page.toPlainText()


def test_links_inside_the_help_lead_on_back_and_forward(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A link opens that rule; Back returns to where it was clicked, as far down; Forward undoes it."""
    assert help_window.open_rule("5.4")
    helper.resize(700, 300)
    settle()
    assert 'href="rule:R18"' in helper.page.toHtml()
    bar = helper.page.verticalScrollBar()
    bar.setValue(120)
    helper.page.followed.emit("rule:R18")
    assert helper.topic is not None
    assert helper.topic.rule == "R18"
    QTest.keyClick(helper.page, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: helper.topic is not None and helper.topic.rule == "5.4")
    assert bar.value() == 120
    QTest.keyClick(helper.page, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: helper.topic is not None and helper.topic.rule == "R18")


def test_the_help_is_searched_by_keys(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Slash goes to the search, Enter to what was found and to the text; a number shows its rule at once."""
    help_window.open_help()
    helper.activateWindow()
    qtbot.waitUntil(helper.isActiveWindow)
    helper.contents.setFocus()
    QTest.keyClick(helper, Qt.Key.Key_Slash)
    assert helper.search_box.hasFocus()
    QTest.keyClicks(helper.search_box, "5.61")
    assert helper.topic is not None
    assert helper.topic.rule == "5.61"
    QTest.keyClick(helper.search_box, Qt.Key.Key_Return)
    assert helper.results.hasFocus()
    QTest.keyClick(helper.results, Qt.Key.Key_Return)
    assert helper.page.hasFocus()
    helper.back_button.click()
    assert helper.topic == topics()[0], "typing leaves no trail"
    helper.search_box.setText("no such thing")
    assert helper.results.count() == 0
    assert helper._nothing.isVisible()
    helper.search_box.clear()
    assert helper.contents.isVisible()


def test_links_of_a_text_are_followed_by_keys(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Tab goes to a link of the page, Enter follows it."""
    help_window.open_rule("R5")
    help_window.open_rule("5.7")
    helper.activateWindow()
    qtbot.waitUntil(helper.isActiveWindow)
    helper.page.setFocus()
    QTest.keyClick(helper.page, Qt.Key.Key_Tab)
    QTest.keyClick(helper.page, Qt.Key.Key_Tab)
    QTest.keyClick(helper.page, Qt.Key.Key_Return)
    assert helper.topic is not None
    assert helper.topic.rule == "R25"


def test_the_help_is_leafed_through_by_keys(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Alt+Down and Alt+Up turn to the next part and back, and the contents follow."""
    help_window.open_rule("4.43")
    helper.activateWindow()
    qtbot.waitUntil(helper.isActiveWindow)
    QTest.keyClick(helper.page, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert helper.topic is find_rule("4.5")
    item = helper.contents.currentItem()
    assert item is not None
    assert item.text(0) == "4.5 Obstacles"
    QTest.keyClick(helper.page, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert helper.topic is find_rule("4.43")


def test_the_help_keeps_its_place(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Closed and opened again without a rule it is where it was."""
    help_window.open_rule("5.4")
    helper.close()
    again = help_window.open_help()
    assert again.topic is find_rule("5.4")


def test_an_unknown_rule_is_searched_for(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A rule that the help does not know is said to be unknown, not shown as something else."""
    assert not help_window.open_rule("R77")
    assert helper.search_box.text() == "R77"


def test_every_control_of_the_help_has_a_name(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """A screen reader finds a name on whatever can have the focus."""
    for widget in helper.findChildren(QWidget):
        if isinstance(widget, QLineEdit | QAbstractButton | QListWidget | QTreeWidget | help_page.HelpPage):
            if widget.objectName().startswith("qt_") or isinstance(widget.parent(), QLineEdit):
                continue  # Qt's own parts inside a control
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            assert widget.accessibleName() or text, widget


def test_the_help_draws_in_every_look(
    qtbot: QtBot, qapp: QApplication, helper: help_window.HelpWindow, tmp_path: Path
) -> None:
    """Light, dark and contrast, 80 to 250 %: the help fits 1280x720, and its lines are not too long."""
    for rule in ("2.6", "R3", "5.1"):
        help_window.open_rule(rule)

        def check(look: str, image: QImage, rule: str = rule) -> None:
            wait_for_pictures(helper)
            screenshot(helper, f"help-{rule}-{look}", tmp_path)
            assert helper.width() <= 1280
            assert helper.height() <= 720
            assert helper.page.horizontalScrollBar().maximum() == 0

        in_every_look(qapp, helper, check)


def test_a_long_search_is_shown_beside_its_page(
    qtbot: QtBot, helper: help_window.HelpWindow, tmp_path: Path
) -> None:
    """Results stand with their snippets to the left, the first of them to the right with the word marked."""
    help_window.open_help()
    helper.search_box.setText("servants")
    settle()
    wait_for_pictures(helper)
    screenshot(helper, "help-search", tmp_path)
    assert helper.results.count() > 5
    assert helper.page.textCursor().selectedText().lower().startswith("servant")


def test_typing_marks_the_whole_word(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Letter by letter "spikes" is marked as far as it is typed, and "jellies" marks the jelly of a page."""
    help_window.open_help()
    for typed in range(2, len("spikes") + 1):
        helper.search_box.setText("spikes"[:typed])
        assert helper.page.textCursor().selectedText().lower() == "spikes"[:typed]
    assert helper.topic is find_rule("R19")
    helper.page.setMarkdown("A sewer jelly")
    helper.page.mark(["jellies"])
    assert helper.page.textCursor().selectedText() == "jelly"


def test_typing_leaves_no_trail_and_nothing_found_leads_back(
    qtbot: QtBot, helper: help_window.HelpWindow
) -> None:
    """Without a hit the page is where it was before the search, as far down; Back knows no prefix's hit."""
    help_window.open_rule("4.43")
    help_window.open_rule("5.4")
    helper.resize(700, 300)
    settle()
    helper.page.verticalScrollBar().setValue(120)
    for text in ("z", "zzzz"):
        helper.search_box.clear()
        QTest.keyClicks(helper.search_box, text)
        assert helper.topic is (search("z")[0].topic if text == "z" else find_rule("5.4"))
    assert helper.page.verticalScrollBar().value() == 120
    helper.back_button.click()
    assert helper.topic is find_rule("4.43")


def test_back_from_what_a_search_shows_is_the_page_before_it(
    qtbot: QtBot, helper: help_window.HelpWindow
) -> None:
    """However many hits flitted by while typing and looking through them, Back leads to where one was."""
    help_window.open_rule("5.4")
    QTest.keyClicks(helper.search_box, "spikes")
    helper.results.setCurrentRow(1)
    found = helper.topic
    assert found is search("spikes")[1].topic
    helper.back_button.click()
    assert helper.topic is find_rule("5.4")
    helper.forward_button.click()
    assert helper.topic is found
    helper.search_box.clear()
    assert helper.topic is found, "emptying the search leaves the page that one went to"


def test_f1_clears_the_search(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Opened again the help shows its contents, at the page that it was closed with."""
    for text, shown in (("zzzz", "5.4"), ("spikes", "R19")):
        help_window.open_rule("5.4")
        helper.search_box.setText(text)
        helper.close()
        help_window.open_help()
        assert helper.search_box.text() == ""
        assert helper.contents.isVisible()
        assert not helper._nothing.isVisible()
        assert helper.topic is find_rule(shown)


def test_down_goes_from_the_search_to_its_results(qtbot: QtBot, helper: help_window.HelpWindow) -> None:
    """Down does what Enter does; with nothing found the focus stays where one types."""
    help_window.open_help()
    helper.activateWindow()
    qtbot.waitUntil(helper.isActiveWindow)
    for text, wanted in (("doors", helper.results), ("zzzz", helper.search_box), ("", helper.contents)):
        helper.search_box.setFocus()
        helper.search_box.setText(text)
        QTest.keyClick(helper.search_box, Qt.Key.Key_Down)
        assert wanted.hasFocus(), text


# F1


def test_the_keys_are_those_of_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    """Every key in the window's menus stands on the help's pages of keys."""
    window = open_window(qtbot, tmp_path)
    page = "\n".join(topic.body for topic in topics() if topic.title.startswith("Keys"))
    keys = {action.shortcut().toString() for action in window.findChildren(QAction)} - {""}
    assert len(keys) > 8
    assert sorted(key for key in keys if key not in page) == []


def _code() -> str:
    files = (file for folder in ("app", "editor") for file in (ROOT / folder).rglob("*.py"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_screen_of_the_list_exists() -> None:
    """The names of classes by which F1 finds its way are names of classes."""
    code = _code()
    names = [name.rpartition(".")[2] for name in screens.TITLES]
    assert [name for name in names if not re.search(rf"^class {name}\(", code, re.MULTILINE)] == []


def test_f1_knows_every_dialog() -> None:
    """Each dialog and each page of the program has a part of the help."""
    code = _code()
    dialogs = set(re.findall(r"^class (\w+)\((?:Dressed, )?QDialog\)|^class (\w+Page)\(", code, re.MULTILINE))
    names = {first or second for first, second in dialogs} - {"GamePage", "HelpPage"}
    assert len(names) > 10
    assert names - set(screens.TITLES) == set()


def test_every_question_has_its_part() -> None:
    """F1 knows a part for each kind of decision that the engine asks."""
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "engine/raid/phases").glob("*.py"))
    asked = set(re.findall(r'^ +"([a-z-]+)",\n +"(?:[2-8]\.\d+\w?|R\d+)",', code, re.MULTILINE))
    assert len(asked) > 4
    assert asked <= set(screens.OF_DECISIONS)


def test_f1_opens_the_part_about_the_screen(qtbot: QtBot, tmp_path: Path) -> None:
    """On the start screen, in a phase of movement and in the settings F1 opens what is told of them."""
    window = open_window(qtbot, tmp_path)
    QTest.keyClick(window, Qt.Key.Key_F1)
    shown = help_window.window()
    assert shown.topic is find_title("The start screen")
    window.activateWindow()
    window.play_now()
    qtbot.waitUntil(lambda: window.session is not None and window.session.decision is not None)
    settle()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert window.session is not None
    assert window.session.decision is not None
    assert screens.OF_DECISIONS[window.session.decision.kind] in ("Moving", "Setting up the Terminators")
    assert shown.topic is find_title(screens.OF_DECISIONS[window.session.decision.kind])
    window.activateWindow()
    window.show_settings()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.isActiveWindow() and dialog.focusWidget() is not None)
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_F1)
    assert shown.topic is find_title("Settings")
    dialog.close()
    help_window.close()
