"""The fight panel: choices by mouse and key, odds, the die, and what stays hidden (5.4)."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.panels import hands, odds
from app.panels.die import Die
from app.panels.fight import FightPanel
from app.panels.odds_table import OddsTable
from app.panels.offers import offer
from app.panels.story import story
from app.session import Session
from engine.raid import choices, events, tables
from engine.raid.figures import ABILITY_NAMES, COUNTERS
from engine.raid.tables import HitNumbers
from tests.helpers.gui import screenshot
from tests.helpers.panels import big_combat, first_example, in_every_look, lift, session_of, settle


def panel_of(qtbot: QtBot, session: Session) -> FightPanel:
    """Return a shown fight panel that rolls at once."""
    panel = FightPanel(session)
    panel.set_animation_speed(0)
    qtbot.addWidget(panel)
    panel.resize(400, 900)
    panel.show()
    settle()
    return panel


def click(qtbot: QtBot, button: QWidget) -> None:
    """Click a button in its middle and let what follows happen."""
    settle()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def press(qtbot: QtBot, panel: FightPanel, start: str) -> None:
    """Press the choice whose text begins so."""
    for button in panel.buttons():
        if button.text().startswith(start):
            click(qtbot, button)
            return
    raise AssertionError(f"no choice {start!r} among {[button.text() for button in panel.buttons()]}")


def pick(panel: FightPanel, figure: str, *counters: str) -> None:
    """Pick counters for a figure."""
    picker = next(one for one in panel.pickers if one.figure.name == figure)
    for counter in counters:
        button = next(one for one in picker.buttons if one.counter == counter and not one.isChecked())
        button.click()


def commit(qtbot: QtBot, panel: FightPanel) -> None:
    """Take the counters picked."""
    press(qtbot, panel, "Take these")


def texts(panel: QWidget) -> str:
    """Return every text of a widget, shown or hidden, with accessible names and tooltips."""
    found = []
    for widget in (panel, *panel.findChildren(QWidget)):
        found += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
        if isinstance(widget, QLabel | QAbstractButton):
            found.append(widget.text())
    return "\n".join(found)


# Odds


def test_odds_are_those_of_the_table(tmp_path: Path, qapp: QApplication) -> None:
    """2.6: every number shown is read from the one table the rolls use."""
    session = session_of(tmp_path, big_combat(), humans=("terminator",))
    view = session.view
    assert view is not None
    attacker, target = view.figure("Golden Song"), view.figure("J-2")
    for row, counter in enumerate(COUNTERS[:2]):
        for column, name in enumerate(tables.COLUMNS):
            assert odds.needs(view.hits, counter, attacker, name) == getattr(view.hits, COUNTERS[row])[column]
    assert odds.needs(view.hits, "weapon", view.figure("J-7"), "soul") == 3  # R19: spikes, whatever the reply
    assert odds.needs(view.hits, "weapon", target, "soul") == 1
    assert odds.column(target, "weapon") == "inactive"  # R20


def test_only_printed_replies_are_shown(tmp_path: Path, qapp: QApplication) -> None:
    """R29: against a face-up Jelly the odds have the columns of what is printed, and no others."""
    session = session_of(tmp_path, big_combat(), humans=("terminator",))
    view = session.view
    assert view is not None
    song = view.figure("Golden Song")
    assert [one.reply for one in odds.odds("fist", song, view.figure("J-2"), view)] == [
        "",
        "kick",
        "weapon",
        "soul",
    ]
    # J-1 has lost a kick for all the panel knows: what was lost is secret.
    assert [one.reply for one in odds.odds("fist", song, view.figure("J-1"), view)] == ["", "kick"]
    assert odds.odds("kick", song, view.figure("Servant 1"), view) == (odds.Odds("", "helpless", 5),)
    assert odds.odds("kick", song, view.figure("Technician 1"), view) == (odds.Odds("", "inactive", 4),)


def test_odds_are_said_each_number_once(tmp_path: Path, qapp: QApplication) -> None:
    """A target's line names each number once, with the replies that it meets."""
    session = session_of(tmp_path, big_combat(), humans=("terminator",))
    view = session.view
    assert view is not None
    song, jelly = view.figure("Golden Song"), view.figure("J-2")
    said = odds.spoken(odds.odds("kick", song, jelly, view), jelly)
    assert said.startswith("1–4 (67 %): no reply of his own, Kon-Go")
    assert "cannot hit: Monkey Soul" in said
    spikes = odds.spoken(odds.odds("weapon", view.figure("J-7"), song, view), song)
    assert spikes == "1–3 (50 %) whatever the reply"


# A whole combat


def test_the_first_example_by_clicks(qtbot: QtBot, tmp_path: Path) -> None:
    """5.4, Example of Combat - I: every number the panel shows is that of the rulebook."""
    session = session_of(tmp_path, first_example(), dice=(4, 2, 4, 6, 6, 6, 6))
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    lift(session)
    pick(panel, "Rising Dream", "kick", "kick", "soul")
    commit(qtbot, panel)
    lift(session)
    settle()
    pick(panel, "J-1", "kick", "kick")
    commit(qtbot, panel)
    press(qtbot, panel, "CloneMaster side")

    def play(start: str) -> None:
        session.peek(True)
        settle()
        press(qtbot, panel, start)

    play("J-1: Lightning Foot")
    press(qtbot, panel, "Rising Dream")  # the only target
    session.peek(True)
    settle()
    # He needs 3 or less against a kick, 1 against Monkey Soul's column of a kick: none.
    details = {button.text(): button.detail for button in panel.buttons()}
    assert "needs 1–3 (50 %)" in details["Rising Dream: Lightning Foot"]
    assert "cannot hit" in details["Rising Dream: Monkey Soul"]
    play("Rising Dream: Lightning Foot")
    assert panel.die.accessibleName().endswith("needed 1–3, rolled 4, miss")
    press(qtbot, panel, "J-1")
    play("J-1: Lightning Foot")
    assert panel.die.shown == 2
    play("Mountain Heart")
    press(qtbot, panel, "Rising Dream")
    play("Rising Dream: Monkey Soul")
    play("Rising Dream: Lightning Foot")
    press(qtbot, panel, "J-1")
    assert panel.die.accessibleName().endswith("needed 1–4, rolled 4, hit")
    play("Lightning Foot")
    lift(session)
    rows = story(session.events())
    assert [(row.figure, row.counter, row.target, row.outcome) for row in rows] == [
        ("J-1", "kick", "Rising Dream", "needed 1–3, rolled 4: miss"),
        ("Rising Dream", "kick", "J-1", "needed 1–3, rolled 2: hit"),
        ("J-1", "kick", "Rising Dream", "full defence, no die"),
        ("Rising Dream", "soul", None, "in reply"),
        ("Rising Dream", "kick", "J-1", "needed 1–4, rolled 4: hit"),
    ]


def test_every_choice_of_a_big_combat_is_offered(qtbot: QtBot, tmp_path: Path) -> None:
    """Whatever a combat asks, the panel has a button for each legal choice, and they lead to its end."""
    # Few hits, so that technicians and guns live to have their turn.
    session = session_of(tmp_path, big_combat(), dice=(1, *(6,) * 40))
    panel = panel_of(qtbot, session)
    kinds = set()
    for _ in range(200):
        lift(session)
        settle()
        decision = session.decision
        view = session.view
        assert view is not None
        if decision is None or (decision.kind != "fight-order" and view.fight is None):
            break
        kinds.add(decision.kind)
        if session.needs_peek:
            assert panel.buttons() == []
            session.peek(True)
            settle()
        decision = session.decision
        assert decision is not None
        if decision.kind == "choose-counters":
            for picker in panel.pickers:
                for button in picker.buttons[: picker.limit]:
                    button.click()
            commit(qtbot, panel)
            continue
        offered = [button.property("choice") for button in panel.buttons()]
        assert offered == list(decision.options)
        assert all(button.accessibleName() for button in panel.buttons())
        panel.buttons()[0].click()
    assert {"fight-order", "choose-counters", "throw-spikes", "play-counter", "name-target"} <= kinds
    assert {"lose-ability", "untrained", "gunfire"} <= kinds


# Choosing


def test_a_fourth_counter_is_refused_with_its_rule(qtbot: QtBot, tmp_path: Path) -> None:
    """5.4: three for a Terminator; the fourth click says why not and changes nothing."""
    session = session_of(tmp_path, first_example(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    pick(panel, "Rising Dream", "fist", "kick", "mist", "soul")
    picker = panel.pickers[0]
    assert picker.counters == ("fist", "kick", "mist")
    shown = texts(panel)
    assert "at most 3" in shown
    assert 'href="rule:5.4"' in shown


def test_a_counter_tells_what_it_does(qtbot: QtBot, tmp_path: Path) -> None:
    """5.4, 2.6: a counter's tooltip says what stops it, or what it stops, with the rule."""
    session = session_of(tmp_path, first_example(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    tips = {button.counter: button.toolTip() for button in panel.pickers[0].buttons}
    assert set(tips) == {"fist", "kick", "mist", "soul"}
    assert all("5.4" in tip for tip in tips.values())
    stopped = {"fist": "mist", "kick": "soul"}
    for attack, defence in stopped.items():
        assert getattr(HitNumbers(), attack)[tables.COLUMNS.index(defence)] == 0
        assert ABILITY_NAMES[defence] in tips[attack]
    assert "punches" in tips["mist"]
    assert "kicks" in tips["soul"]


def test_counters_are_chosen_by_keys_alone(qtbot: QtBot, tmp_path: Path) -> None:
    """The digits pick the counters that show them, Ctrl+Enter takes them."""
    session = session_of(tmp_path, first_example(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    QTest.keyClick(panel, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: bool(panel.pickers))
    settle()
    QTest.keyClick(panel, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: panel.pickers[0].counters == ("kick",))
    QTest.keyClick(panel, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: panel.pickers[0].counters == ("kick", "mist"))
    QTest.keyClick(panel, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not panel.pickers)
    view = session.view
    assert view is not None
    assert view.fight is not None
    assert view.fight.hand["Rising Dream"] == ("kick", "mist")


@pytest.mark.parametrize(("needs", "said"), [(3, "hits on 1–3 (50 %)"), (4, "hits on 1–4 (67 %)")])
def test_buttons_tell_the_numbers_of_the_scenario_at_hand(
    qtbot: QtBot, tmp_path: Path, needs: int, said: str
) -> None:
    """R19, 7: what spikes and guns need is a scenario's own; the buttons say what this one has."""
    session = session_of(tmp_path, first_example(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    view, asked = session.view, session.decision
    assert view is not None
    assert asked is not None
    view = msgspec.structs.replace(view, hits=HitNumbers(spikes=needs, gun=needs))
    for choice in (choices.Throw(True), choices.Shoot("Armed Technician 1", "Rising Dream")):
        assert said in offer(choice, view, asked, panel).detail


def test_odds_are_shown_before_counters_are_taken(qtbot: QtBot, tmp_path: Path) -> None:
    """The table lists one's own attacks against the foe that is clicked in the diagram."""
    session = session_of(tmp_path, big_combat(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    table = panel.findChild(OddsTable)
    assert table is not None
    assert [counter for counter, _ in table.rows] == ["fist", "kick"]
    panel._links.figureClicked.emit("Servant 1")
    assert [one.column for one in table.rows[0][1]] == ["helpless"]


def test_each_weapon_has_its_own_line_of_odds(qtbot: QtBot, tmp_path: Path) -> None:
    """R19, 2.6: spikes hit on 1 to 3 whatever the reply, a kon-go by its column; neither stands for both."""
    session = session_of(tmp_path, big_combat(), humans=("clonemaster",))
    assert session.submit_for("terminator", choices.Fight(0))
    panel = panel_of(qtbot, session)
    panel._links.figureClicked.emit("Golden Song")
    table = panel.findChild(OddsTable)
    assert table is not None
    weapons = [[one.needs for one in row] for counter, row in table.rows if counter == "weapon"]
    assert weapons == [[3, 2, 2, 1, 1], [3, 3, 3, 3, 3]]


# Secrets


def test_a_hand_shows_only_while_its_owner_looks(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R29: with two at one screen no text tells what is in a hand before H is pressed, nor after."""
    monkeypatch.setattr(hands, "LATCH", 60_000)  # every press is a short one
    session = session_of(tmp_path, first_example())
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    lift(session)
    pick(panel, "Rising Dream", "kick", "kick", "soul")
    commit(qtbot, panel)
    assert session.curtain_for == "clonemaster"
    assert not re.search("Lightning|Monkey|Rising", texts(panel)), texts(panel)
    lift(session)
    settle()
    pick(panel, "J-1", "kick", "kick")
    commit(qtbot, panel)
    press(qtbot, panel, "Terminator side")
    assert session.needs_peek
    assert panel.buttons() == []
    assert "Monkey Soul" not in texts(panel)
    panel.activateWindow()
    QTest.keyClick(panel, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: session.peeking)
    qtbot.waitUntil(lambda: not panel._peek.isDown())
    assert "Rising Dream: Monkey Soul" in texts(panel)
    QTest.keyClick(panel, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: not session.peeking)
    settle()
    assert "Monkey Soul" not in texts(panel)


def test_holding_the_button_hides_again_when_let_go(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long press shows the hand for as long as it lasts."""
    monkeypatch.setattr(hands, "LATCH", 0)  # every press is a long one
    session = session_of(tmp_path, first_example())
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    lift(session)
    commit_none(qtbot, panel, session)
    assert session.needs_peek
    peek = panel._peek
    QTest.mousePress(peek, Qt.MouseButton.LeftButton)
    assert session.peeking
    QTest.mouseRelease(peek, Qt.MouseButton.LeftButton)
    assert not session.peeking


def test_holding_the_key_hides_again_when_let_go(qtbot: QtBot, tmp_path: Path) -> None:
    """H held down shows the hand for as long as it is held, like the button."""
    session = session_of(tmp_path, first_example())
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    lift(session)
    commit_none(qtbot, panel, session)
    panel.activateWindow()
    window = panel.windowHandle()
    assert window is not None
    QTest.keyPress(window, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: session.peeking)
    qtbot.wait(400)
    assert session.peeking
    QTest.keyRelease(window, Qt.Key.Key_H)
    qtbot.waitUntil(lambda: not session.peeking)


def commit_none(qtbot: QtBot, panel: FightPanel, session: Session) -> None:
    """Take one counter a side and let the Terminator begin."""
    pick(panel, "Rising Dream", "kick")
    commit(qtbot, panel)
    lift(session)
    settle()
    pick(panel, "J-1", "kick")
    commit(qtbot, panel)
    press(qtbot, panel, "Terminator side")


# Injuries


def test_mountain_heart_is_suggested(tmp_path: Path, qapp: QApplication) -> None:
    """5.6: of what can be lost, Mountain Heart first; without it the talent with most levels."""
    assert odds.best_to_lose({"fist": 3, "heart": 1}) == "heart"
    assert odds.best_to_lose({"fist": 1, "kick": 2, "heart": 0}) == "kick"
    assert odds.best_to_lose({"fist": 0}) is None


# The die


def test_the_die_stops_on_the_roll_and_makes_bots_wait(qtbot: QtBot, tmp_path: Path) -> None:
    """A roll ends on what fell, and the session is held until then and no longer."""
    session = session_of(tmp_path, first_example(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    panel.set_animation_speed(3.0)
    session.happened.emit((events.ShotRolled("R20", "LC 1", "Rising Dream", 3, 5, False),))
    assert session.is_showing
    with qtbot.waitSignal(panel.die.stopped, timeout=3000):
        pass
    assert panel.die.shown == 5
    assert not session.is_showing


def test_a_click_cuts_the_die_short(qtbot: QtBot) -> None:
    """Several rolls waiting are all skipped; the last one stays to be read."""
    die = Die()
    qtbot.addWidget(die)
    die.roll("first", 3, 1)
    die.roll("second", 4, 6)
    was_busy = die.is_busy
    with qtbot.waitSignal(die.stopped, timeout=500):
        QTest.mouseClick(die, Qt.MouseButton.LeftButton)
    assert (was_busy, die.is_busy) == (True, False)
    assert die.shown == 6
    assert die.accessibleName() == "second: needed 1–4, rolled 6, miss"


def test_with_animation_off_a_roll_shows_at_once(qtbot: QtBot) -> None:
    """Speed 0: no frame in between, and whoever waits is told at once."""
    die = Die()
    qtbot.addWidget(die)
    die.set_speed(0)
    with qtbot.waitSignal(die.stopped, timeout=500):
        die.roll("a shot", 3, 3)
    assert die.shown == 3


# Why not


def test_a_foe_out_of_reach_says_why(qtbot: QtBot, tmp_path: Path) -> None:
    """5.1: a click on somebody who cannot be struck answers with the reason and the rule."""
    session = session_of(tmp_path, big_combat())
    panel = panel_of(qtbot, session)
    press(qtbot, panel, "Rising Dream")
    lift(session)
    pick(panel, "Rising Dream", "fist")
    commit(qtbot, panel)
    lift(session)
    settle()
    commit(qtbot, panel)
    while session.decision is not None and session.decision.kind != "play-counter":
        session.submit(list(session.decision.options)[-1])
    session.peek(True)
    settle()
    press(qtbot, panel, "Rising Dream: Iron Fist")
    panel._links.figureClicked.emit("J-1")
    assert "out of reach" in texts(panel)
    assert 'href="rule:5.1"' in texts(panel)
    assert session.decision is not None
    assert session.decision.kind == "name-target"
    panel._links.figureClicked.emit("Technician 1")  # in reach: the click names him
    assert isinstance(session.events()[-1], events.RaidEvent)
    assert any(isinstance(event, events.TargetNamed) for event in session.events())


def test_a_door_and_a_tank_say_what_they_need(tmp_path: Path, qapp: QApplication) -> None:
    """5.7, 5.8: a door falls on 1 or 2, equipment needs no die."""
    assert odds.thing_odds(HitNumbers(), "door 17,9 E").needs == 2
    assert odds.format_needs(odds.thing_odds(HitNumbers(), "tank 21,0").needs) == "no die needed"


def test_one_key_is_done_everywhere(qtbot: QtBot, tmp_path: Path, qapp: QApplication) -> None:
    """Ctrl+Return ends the untrained attacks and the shots, as it ends a move."""
    session = session_of(tmp_path, big_combat())
    panel = panel_of(qtbot, session)
    seen = set()
    for _ in range(60):
        lift(session)
        decision = session.decision
        if decision is None or session.is_over:
            break
        session.peek(True)
        settle()
        for button in panel.buttons():
            if isinstance(button.property("choice"), choices.Done | choices.Stop):
                assert button.shortcut().toString() == "Ctrl+Return"
                seen.add(decision.kind)
        session.submit(list(session.decision.options)[-1] if session.decision else choices.Done())
    assert {"untrained", "gunfire"} <= seen


def test_a_sure_hit_rolls_its_die_all_the_same(qtbot: QtBot, tmp_path: Path, qapp: QApplication) -> None:
    """2.6: a hit number of 6 is 1–6 on the die; only what is rolled for no die at all needs none."""
    assert (odds.format_needs(6), odds.format_chance(6)) == ("1–6", "100 %")
    view = session_of(tmp_path, first_example()).view
    assert view is not None
    one = odds.Odds("", "helpless", 6)
    assert odds.spoken([one], view.figure("J-1")).startswith("1–6 (100 %)")
    assert one.chance == odds.thing_odds(HitNumbers(), "tank 21,0").chance == 1.0
    die = Die()
    qtbot.addWidget(die)
    die.set_speed(0)
    die.roll("Rising Dream on J-1", 6, 4)
    assert die.accessibleName() == "Rising Dream on J-1: needed 1–6, rolled 4, hit"


@pytest.mark.parametrize("width", [320, 420])
def test_it_draws_in_every_look(qtbot: QtBot, qapp: QApplication, tmp_path: Path, width: int) -> None:
    """Light, dark and contrast, 80 to 250 % text: something is drawn, and a change keeps what is picked."""
    session = session_of(tmp_path, big_combat(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    panel.resize(width, 700)
    press(qtbot, panel, "Rising Dream")
    pick(panel, "Golden Song", "fist", "soul")
    papers = set()

    def check(look: str, image: QImage) -> None:
        papers.add(image.pixelColor(2, image.height() - 3).name())
        screenshot(panel, f"fight-{width}-{look}", tmp_path)

    in_every_look(qapp, panel, check)
    assert len(papers) >= 3
    assert next(one for one in panel.pickers if one.figure.name == "Golden Song").counters == ("fist", "soul")


def test_the_choice_is_what_the_button_says(qtbot: QtBot, tmp_path: Path) -> None:
    """A combat to be fought names its figures, and the button begins just that one."""
    session = session_of(tmp_path, first_example(), humans=("terminator",))
    panel = panel_of(qtbot, session)
    button = panel.buttons()[0]
    assert button.property("choice") == choices.Fight(0)
    assert button.detail == "against J-1"
