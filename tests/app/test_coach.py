"""The coach in the fight panel: off until asked for, never for public eyes, never picking by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app import theme
from app.dialogs.settings import SettingsDialog
from app.garbage import SafeCollector
from app.main_window import MainWindow
from app.panels import coach
from app.panels.coach import OptionRow, Thought
from app.panels.fight import FightPanel
from app.panels.widgets import ActionButton
from app.session import Session
from engine.coach.advice import Advice
from engine.raid import choices
from engine.raid.match import RaidMatch
from tests.helpers.gui import open_window, screenshot
from tests.helpers.panels import big_combat, first_example, in_every_look, lift, session_of, settle


@pytest.fixture(autouse=True)
def safe_and_usual(qapp: QApplication) -> Iterator[None]:
    """Collect garbage as the window does, and leave the look as the next test expects it."""
    collector = SafeCollector()  # as in the window: no widget may be taken apart in the coach's thread
    yield
    collector.stop()
    theme.apply(qapp, "light", 1.0)


def panel_of(qtbot: QtBot, session: Session, size: tuple[int, int] = (400, 900)) -> FightPanel:
    """Return a shown fight panel that rolls at once."""
    panel = FightPanel(session)
    panel.set_animation_speed(0)
    qtbot.addWidget(panel, before_close_func=lambda widget: widget.coach.stop())
    panel.resize(*size)
    with qtbot.waitActive(panel):
        panel.show()
        panel.activateWindow()
    settle()
    return panel


def advised(qtbot: QtBot, panel: FightPanel) -> tuple[Advice, ...]:
    """Wait for the coach and return what it shows."""
    qtbot.waitUntil(lambda: bool(panel.coach.advice), timeout=20_000)
    settle()
    found = panel.coach.advice
    assert found is not None
    return found


def fighting(tmp_path: Path, **kwargs: object) -> Session:
    """Return the first example at the moment when counters are chosen."""
    session = session_of(tmp_path, first_example(), **kwargs)  # type: ignore[arg-type]
    session.submit(choices.Fight(0))
    return session


def shown(widget: QWidget) -> str:
    """Return every text that a widget shows or tells a screen reader."""
    parts = [widget, *widget.findChildren(QWidget)]
    texts = [
        part.text() for part in parts if isinstance(part, QLabel | ActionButton) and part.isVisibleTo(widget)
    ]
    return "\n".join(
        [*texts, *(part.accessibleName() for part in parts), *(part.toolTip() for part in parts)]
    )


def button(panel: FightPanel, start: str) -> ActionButton:
    """Return the coach's button whose text begins so."""
    return next(one for one in panel.coach.findChildren(ActionButton) if one.text().startswith(start))


def test_the_coach_is_off_until_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    """By default nothing is advised; a key folds the coach out, and in again."""
    session = fighting(tmp_path, humans=("terminator",))
    panel = panel_of(qtbot, session)
    assert panel.coach.isVisible()
    assert not panel.coach.is_open
    assert panel.coach.advice is None
    assert panel.coach.rows == []
    told: list[bool] = []
    panel.coach.opened.connect(told.append)
    QTest.keyClick(panel, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: panel.coach.is_open)
    (one,) = advised(qtbot, panel)
    assert one.figure == "Rising Dream"
    assert panel.coach.rows
    QTest.keyClick(panel, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: not panel.coach.is_open)
    assert panel.coach.rows == []
    assert told == [True, False]


def test_take_this_fills_in_the_pick_and_no_more(qtbot: QtBot, tmp_path: Path) -> None:
    """The advice is picked when its reader takes it, and played only when he then takes the counters."""
    session = fighting(tmp_path, humans=("terminator",))
    panel = panel_of(qtbot, session)
    panel.coach.set_open(True)
    (one,) = advised(qtbot, panel)
    before = session.revision
    assert all(picker.counters == () for picker in panel.pickers)
    QTest.keyClick(panel, Qt.Key.Key_T)
    qtbot.waitUntil(lambda: bool(panel.pickers[0].counters))
    assert isinstance(one.best, choices.ChooseCounters)
    assert panel.pickers[0].counters == one.best.counters
    assert session.revision == before


def test_every_pick_has_its_exact_numbers(qtbot: QtBot, tmp_path: Path) -> None:
    """All picks can be unfolded; shares sum to 1, the reason and the assumptions are in words."""
    session = fighting(tmp_path, humans=("terminator",))
    panel = panel_of(qtbot, session)
    panel.coach.set_open(True)
    (one,) = advised(qtbot, panel)
    assert len(panel.coach.rows) < len(one.options)
    button(panel, "All picks").click()
    settle()
    assert {row.option.choice for row in panel.coach.rows} == {option.choice for option in one.options}
    text = shown(panel.coach)
    assert one.reason.split(":")[0] in text
    assert all(line in text for line in one.assumptions)
    assert "Exact, given that:" in text
    # The first example's best pick: three attacks, of which all hit with 22 %.
    assert "foe falls 22 %" in text


def test_public_eyes_get_no_advice(qtbot: QtBot, tmp_path: Path) -> None:
    """R29: with two at one screen the coach speaks behind the curtain and while the mover peeks, else not."""
    session = fighting(tmp_path)
    panel = panel_of(qtbot, session)
    panel.coach.set_open(True)
    assert session.view is None  # the curtain is down
    assert not panel.coach.isVisible()
    assert "Lightning Foot" not in shown(panel.coach)
    lift(session)
    (one,) = advised(qtbot, panel)
    assert one.figure == "Rising Dream"
    session.submit(choices.ChooseCounters("Rising Dream", ("kick", "kick", "soul")))
    settle()
    assert panel.coach.rows == []  # the curtain has fallen
    assert "Rising Dream" not in shown(panel.coach)
    lift(session)
    (one,) = advised(qtbot, panel)
    assert one.figure == "J-1"
    session.submit(choices.ChooseCounters("J-1", ("kick", "kick")))
    settle()
    assert session.decision is not None
    assert session.decision.kind == "who-begins"
    assert not panel.coach.isVisible()
    session.submit(choices.Begin("clonemaster"))
    settle()
    assert not panel.coach.isVisible()
    session.peek(True)
    (one,) = advised(qtbot, panel)
    assert one.best == choices.PlayCounter("J-1", "kick")
    session.peek(False)
    settle()
    assert not panel.coach.isVisible()
    assert panel.coach.rows == []
    assert "J-1" not in shown(panel.coach)


def test_a_thought_under_way_is_never_shown_to_the_other(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R29: what is worked out for one side is dropped when the curtain falls before it is ready."""
    begun: list[Thought] = []

    class Kept(Thought):
        def __init__(self, *asked: Any) -> None:
            super().__init__(*asked)
            begun.append(self)

    monkeypatch.setattr(coach, "Thought", Kept)
    session = fighting(tmp_path)
    panel = panel_of(qtbot, session)
    panel.coach.set_open(True)
    lift(session)
    (thought,) = begun
    session.submit(choices.ChooseCounters("Rising Dream", ("kick", "kick", "soul")))
    thought.wait()
    settle()
    assert panel.coach.advice is None
    assert "Rising Dream" not in shown(panel.coach)


def test_a_fault_of_the_coach_is_told_and_leaves_no_thinking(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the numbers cannot be worked out the panel says so, and the fault is reported once."""
    asked: list[object] = []

    def fails(*told: object) -> tuple[Advice, ...]:
        asked.append(told)
        raise ArithmeticError("a fault of the coach's")

    monkeypatch.setattr(coach, "advise", fails)
    session = fighting(tmp_path, humans=("terminator",))
    panel = panel_of(qtbot, session)
    with qtbot.captureExceptions() as faults:
        panel.coach.set_open(True)
        qtbot.waitUntil(lambda: "No advice for this moment." in shown(panel.coach))
        session.changed.emit()
        panel.coach.set_open(False)
        panel.coach.set_open(True)
        settle()
    assert "Thinking" not in shown(panel.coach)
    assert "No advice for this moment." in shown(panel.coach)
    assert panel.coach.advice is None
    assert [str(error) for _, error, _ in faults] == ["a fault of the coach's"]
    assert len(asked) == 1


def test_a_whole_combat_can_be_taken_from_the_coach(qtbot: QtBot, tmp_path: Path) -> None:
    """Every decision of a big combat can be taken as advised, up to the end of the combat."""
    session = session_of(tmp_path, big_combat(), dice=(1, *(6,) * 60))
    panel = panel_of(qtbot, session)
    panel.coach.set_open(True)
    kinds = set()
    for _ in range(80):
        lift(session)
        settle()
        decision, view = session.decision, session.view
        if decision is None or view is None or (decision.kind != "fight-order" and view.fight is None):
            break
        if session.needs_peek:
            session.peek(True)
            settle()
        if not panel.coach.isVisible():
            assert session.decision is not None
            session.submit(session.decision.options[0])
            continue
        kinds.add(decision.kind)
        found = advised(qtbot, panel)
        before = session.revision
        button(panel, "Take this").click()
        settle()
        if decision.kind == "choose-counters":
            assert {picker.choice() for picker in panel.pickers} == {one.best for one in found}
            assert session.revision == before
            next(one for one in panel.buttons() if one.text().startswith("Take these")).click()
            settle()
        assert session.revision > before
    assert kinds >= {"choose-counters", "play-counter", "lose-ability"}


@pytest.mark.parametrize("is_big", [False, True], ids=["duel", "big"])
def test_how_it_looks(qtbot: QtBot, qapp: QApplication, tmp_path: Path, is_big: bool) -> None:
    """In each palette and at the largest text rows are as high as their words need, and no wider."""
    session = session_of(tmp_path, big_combat() if is_big else first_example(), humans=("terminator",))
    session.submit(choices.Fight(0))
    panel = panel_of(qtbot, session, (430, 900 if not is_big else 1400))
    panel.coach.set_open(True)
    advised(qtbot, panel)

    def check(name: str, image: QImage) -> None:
        rows = panel.coach.findChildren(OptionRow)
        assert rows
        for row in rows:
            assert row.height() >= row.heightForWidth(row.width()), name
            assert row.width() <= panel.width(), name
        screenshot(panel, f"coach-{'big' if is_big else 'duel'}-{name}", tmp_path)

    in_every_look(qapp, panel, check)


def window_fighting(qtbot: QtBot, tmp_path: Path, **settings: object) -> MainWindow:
    """Return the window at 1280 by 720 with the first example's counters to be chosen."""
    window = open_window(qtbot, tmp_path, **settings)  # type: ignore[arg-type]
    match = RaidMatch.new(
        first_example(),
        "2",
        seats={"terminator": "human", "clonemaster": "rulebook"},
        path=tmp_path / "g.json",
    )
    window.begin(match)
    qtbot.waitUntil(lambda: window.session is not None and window.session.decision is not None)
    assert window.session is not None
    window.session.submit(choices.Fight(0))
    settle()
    return window


def test_the_setting_and_the_fold_are_one(qtbot: QtBot, tmp_path: Path) -> None:
    """What is folded out in one combat is in the settings, and so in the next one."""
    window = window_fighting(qtbot, tmp_path)
    assert window.page is not None
    coach = window.page.fight_panel.coach
    assert [window.store.now.coach, coach.is_open] == [False, False]
    QTest.keyClick(window, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: coach.is_open)
    assert [window.store.now.coach, coach.is_open] == [True, True]
    dialog = SettingsDialog(window.store, window)
    assert dialog.coach.isChecked()
    dialog.coach.setChecked(False)
    assert [coach.is_open, coach.rows] == [False, []]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_coach_is_in_sight_when_it_is_asked(qtbot: QtBot, tmp_path: Path, scale: float) -> None:
    """At 1280 by 720, text doubled too, its button comes to the top and nothing is cut off beside it."""
    window = window_fighting(qtbot, tmp_path, text_scale=scale)
    assert window.page is not None
    panel = window.page.fight_panel
    QTest.keyClick(window, Qt.Key.Key_C)
    advised(qtbot, panel)

    def is_on_top() -> bool:
        top = panel.coach.button.mapTo(panel, panel.coach.button.rect().topLeft())
        return 0 <= top.y() < panel.height() // 8

    qtbot.waitUntil(is_on_top)
    for widget in (*panel.coach.rows, *panel.coach.findChildren(ActionButton)):
        right = widget.mapTo(panel, widget.rect().topRight())
        assert right.x() <= panel.width(), widget.accessibleName()
    screenshot(window, f"coach-window-{round(scale * 100)}", tmp_path)
