"""R29 at one screen: what the one who looks must not know is nowhere in the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.board.items import FigureItem
from app.dialogs.curtain import GUARD_TIME
from app.main_window import MainWindow
from engine.raid.figures import ABILITY_NAMES
from engine.raid.match import RaidMatch
from tests.helpers.gui import Driver, all_texts, brawl, hot_seat_match, leaks, open_window, screenshot

# Words that stand for something of the game; the curtain may say none of them.
GAME_WORDS = (
    "Rising Dream",
    "Shadow Lotus",
    "J-1",
    "J-2",
    "J-3",
    "J-7",
    "Servant 1",
    "Technician 1",
    *ABILITY_NAMES.values(),
    "Combat I",
    "Turn 1",
    "face down at",
)


def settled(qtbot: QtBot) -> None:
    """Let everything that was put off happen."""
    qtbot.wait(20)
    QApplication.processEvents()


def assert_curtain_hides_all(window: MainWindow) -> None:
    """Check that the curtain is the only page, and that nothing of the game is left behind it."""
    assert window.page is not None
    assert window.stack.currentWidget() is window.curtain
    assert not window.page.isVisible()
    shown = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window]
    assert not shown
    assert window.windowTitle() == "Kung Fu 2100"
    assert window.statusBar().currentMessage() == ""
    assert leaks(GAME_WORDS, all_texts([window])) == []
    counters = [one for one in window.page.board_view.scene().items() if isinstance(one, FigureItem)]
    assert counters == []
    assert window.session is not None
    assert window.session.view is None
    assert window.session.decision is None
    assert window.session.optional is None
    assert window.session.events() == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_no_word_of_the_game_is_behind_the_curtain(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    """Each time the curtain falls in a whole game, no widget, list, log, tooltip or item holds anything."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(turns=2, seed=str(seed)))
    driver = Driver(qtbot, window, seed)
    falls = 0
    for _ in range(500):
        driver.wait()
        if driver.session.is_over:
            break
        if driver.session.curtain_for is not None:
            settled(qtbot)
            assert_curtain_hides_all(window)
            falls += 1
        driver.step()
    assert driver.session.is_over
    assert falls >= 5


def test_no_word_of_the_game_is_behind_the_curtain_of_a_combat(qtbot: QtBot, tmp_path: Path) -> None:
    """The curtain before a secret choice of counters hides the other's choice (5.4, R16)."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window, 3)
    reasons = set()
    for _ in range(500):
        driver.wait()
        if driver.session.is_over:
            break
        if driver.session.curtain_for is not None:
            settled(qtbot)
            reasons.add(driver.session.curtain_reason)
            assert_curtain_hides_all(window)
            screenshot(window, "curtain", tmp_path)
        driver.step()
    assert "to choose tactics counters in secret" in reasons


def secret_words(match: RaidMatch, viewer: str) -> list[str]:
    """Return the names that a viewer must not know: those of face-down counters."""
    words: list[str] = []
    if viewer != "clonemaster":
        known = {figure.name for figure in match.view(viewer).figures}
        words += [
            one.name
            for one in match.view("clonemaster").figures
            if one.name not in known and one.kind != "clonemaster"
        ]
    return words


def test_the_terminator_player_finds_no_face_down_name(qtbot: QtBot, tmp_path: Path) -> None:
    """Names of face-down counters are in no widget while the Terminator player or both look on (R29)."""
    window = open_window(qtbot, tmp_path)
    match = hot_seat_match(turns=2)
    window.begin(match)
    driver = Driver(qtbot, window, 5)
    checked = set()
    for _ in range(500):
        driver.wait()
        if driver.session.is_over:
            break
        viewer = driver.session.viewer
        if viewer in ("terminator", "public") and match.view("public").phase != "set-up":
            settled(qtbot)
            assert leaks(secret_words(match, viewer), all_texts([window])) == []
            checked.add(viewer)
        driver.step()
    assert "terminator" in checked


def test_the_clonemaster_player_finds_no_levels(qtbot: QtBot, tmp_path: Path) -> None:
    """The Terminators' levels stay out of log and sheets while the CloneMaster player looks on (R29)."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(turns=1))
    driver = Driver(qtbot, window, 5)
    was_checked = False
    for _ in range(500):
        driver.wait()
        if driver.session.is_over:
            break
        if driver.session.viewer == "clonemaster" and driver.session.decision.kind == "clonemaster-move":
            settled(qtbot)
            assert "Rising Dream: " not in window.page.log_panel.log.toPlainText()  # type: ignore[union-attr]
            view = driver.session.view
            assert view.figure("Rising Dream").levels is None
            assert leaks(["Iron Fist: 2", "Iron Fist 2", "Mountain Heart: 2"], all_texts([window])) == []
            was_checked = True
        driver.step()
    assert was_checked


def test_a_hand_is_seen_only_while_peeking(qtbot: QtBot, tmp_path: Path) -> None:
    """In alternating play no hand is in any widget until the mover peeks, nor afterwards (5.4)."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(scenario=brawl(1)))
    driver = Driver(qtbot, window, 2)
    for _ in range(500):
        driver.wait()
        decision = driver.session.decision
        if decision is not None and decision.kind == "play-counter":
            break
        driver.step()
    settled(qtbot)
    session = driver.session
    assert session.viewer == "public"
    assert session.needs_peek
    assert len(session.decision.options) == 0
    assert session.view.fight.hand == {}
    assert window.page is not None
    assert window.page.fight_panel.buttons() == []
    session.peek(True)
    settled(qtbot)
    offered = [button.text() for button in window.page.fight_panel.buttons()]
    assert any(text.endswith(tuple(ABILITY_NAMES.values())) for text in offered)
    assert len(session.decision.options) > 0
    assert set(session.view.fight.hand) <= {
        one.name for one in session.view.figures if one.side == session.decision.side
    }
    assert all(one.levels is None for one in session.view.figures if one.kind == "terminator")
    session.peek(False)
    settled(qtbot)
    assert session.needs_peek
    assert window.page.fight_panel.buttons() == []
    assert leaks(offered, all_texts([window])) == []


def test_the_curtain_says_who_must_come_and_why(qtbot: QtBot, tmp_path: Path) -> None:
    """Players' names, sides and the reason are on the curtain; Enter lifts it."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match())
    assert window.curtain is not None
    texts = " ".join(all_texts([window.curtain]).values())
    assert "Ann (Terminator), please come to the screen" in texts
    assert "abilities in secret" in texts
    assert "Bob" in texts
    qtbot.wait(GUARD_TIME + 20)
    QTest.keyClick(window.curtain.button, Qt.Key.Key_Return)
    assert window.stack.currentWidget() is window.page


def test_a_key_meant_for_the_board_does_not_lift_the_curtain(qtbot: QtBot, tmp_path: Path) -> None:
    """Neither a key still pressed when it falls, nor one held down, nor that which ends a phase."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match())
    assert window.curtain is not None
    button = window.curtain.button
    button.arm()
    QTest.keyClick(button, Qt.Key.Key_Return)
    qtbot.wait(GUARD_TIME + 20)
    QTest.keyClick(button, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    plain = Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
            QApplication.sendEvent(button, QKeyEvent(kind, key, plain, "", True))
    assert window.stack.currentWidget() is window.curtain


def test_a_held_key_does_not_end_phase_after_phase(qtbot: QtBot, tmp_path: Path) -> None:
    """Ctrl+Return held down is no shortcut after its first stroke."""
    window = open_window(qtbot, tmp_path)
    window.play_now()
    held = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, "", True
    )
    held.ignore()
    assert window.page is not None
    QApplication.sendEvent(window.page.board_view, held)
    assert held.isAccepted()
    fresh = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    fresh.ignore()
    QApplication.sendEvent(window.page.board_view, fresh)
    assert not fresh.isAccepted()


@pytest.mark.parametrize("side", ["terminator", "clonemaster"])
def test_a_bot_says_nothing_of_what_only_its_side_knows(qtbot: QtBot, tmp_path: Path, side: str) -> None:
    """R24, R16: which level an injury cost, and what a hand holds, no reason of the bot's tells."""
    window = open_window(qtbot, tmp_path)
    other = "clonemaster" if side == "terminator" else "terminator"
    match = RaidMatch.new(brawl(), "1", seats={side: "rulebook", other: "human"})
    kinds: list[str] = []
    window.begin(match)
    driver = Driver(qtbot, window, 1)

    def heard(speaker: str, said: str) -> None:
        kinds.append(asked[-1])
        assert not any(word in said for word in ("heart", "missed least", "strikes back", "leaves them"))

    asked: list[str] = []
    answered = driver.session._bots[side].answered
    answered.connect(lambda answer: asked.append(type(answer.choice).__name__))
    driver.session.botSaid.connect(heard)
    for _ in range(60):
        if match.is_over:
            break
        driver.wait()
        driver.step()
    assert "LoseAbility" in asked
    assert not {"LoseAbility", "PlayCounter", "ChooseCounters", "PlaySoul", "PlayMist"} & set(kinds)


def test_no_curtain_against_a_bot(qtbot: QtBot, tmp_path: Path) -> None:
    """With one person at the screen nothing is ever covered."""
    window = open_window(qtbot, tmp_path)
    window.play_now()
    driver = Driver(qtbot, window, 1)
    falls: list[object] = []
    driver.session.curtain.connect(falls.append)
    for _ in range(12):
        driver.wait()
        driver.step()
    assert falls == []
    assert window.stack.currentWidget() is window.page
