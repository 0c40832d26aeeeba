"""The log stays at its end for whoever reads along, and where it is for whoever reads back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.log import LogPanel, LogView
from app.session import Session
from engine.core.event import Event
from engine.raid.events import PhaseBegan, SideChose
from engine.raid.log import describe
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window
from tests.helpers.panels import session_of, settle


def happened(turns: int) -> tuple[Event, ...]:
    """Return a long enough run of events."""
    return tuple(PhaseBegan(turn=turn, phase="terminator-move-1", rule="3.2") for turn in range(1, turns + 1))


@pytest.fixture
def log(qtbot: QtBot, qapp: QApplication) -> LogView:
    """Return a small log full of lines."""
    theme.apply(qapp)
    log = LogView()
    qtbot.addWidget(log)
    log.resize(320, 120)
    log.show()
    log.show_events(happened(40))
    settle()
    return log


def is_at_end(log: LogView) -> bool:
    """Return whether the last line is seen."""
    bar = log.verticalScrollBar()
    return bar.maximum() > 0 and bar.value() == bar.maximum()


def test_the_log_follows_after_a_resize_and_a_curtain(log: LogView) -> None:
    """Neither a narrower or lower panel nor forgetting under the curtain leaves the end out of sight."""
    assert is_at_end(log)
    for width, height in ((120, 120), (400, 60), (200, 200)):
        log.resize(width, height)
        settle()
        assert is_at_end(log)
    log.show_events(happened(45))
    settle()
    assert is_at_end(log)
    log.forget()
    log.show_events(happened(50))
    settle()
    assert is_at_end(log)


def test_who_reads_back_is_left_there(log: LogView) -> None:
    """New lines and a resize leave a reader where he is; back at the end, the log follows again."""
    bar = log.verticalScrollBar()
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    log.show_events(happened(45))
    log.resize(320, 100)
    settle()
    assert bar.value() == 0
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMaximum)
    log.show_events(happened(50))
    settle()
    assert is_at_end(log)


def choose_first(session: Session) -> None:
    """Answer with whatever is offered first."""
    assert session.decision is not None
    assert session.submit(next(iter(session.decision.options)))


def test_what_a_bot_said_stays_in_its_place(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    """R33: each printed line followed stands before what came of it, until that is taken back."""
    theme.apply(qapp)
    session = session_of(tmp_path, brawl(), humans=("terminator",))
    panel = LogPanel(session)
    qtbot.addWidget(panel)
    told = session.events()
    session.botSaid.emit("clonemaster", "R33: a Jelly goes where it can strike")
    choose_first(session)
    lines = panel.log.toPlainText().split("\n")
    assert lines[len(told)] == "Rulebook bot: a Jelly goes where it can strike. R33"
    assert len(lines) == len(session.events()) + 1 > len(told) + 1
    assert 'href="rule:R33"' in panel.log.toHtml()
    panel.refresh()
    assert panel.log.toPlainText().count("where it can strike") == 1
    session.undo()
    choose_first(session)
    assert "where it can strike" not in panel.log.toPlainText()


def test_what_a_bot_said_is_for_the_eyes_that_heard_it(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The curtain and another side's eyes forget it; the end, when all is open, keeps it where it was."""
    theme.apply(qapp)
    session = session_of(tmp_path, brawl(), humans=("terminator",))
    panel = LogPanel(session)
    qtbot.addWidget(panel)
    public = session.events()
    assert public

    def look_as(viewer: str | None, events: tuple[Event, ...]) -> list[str]:
        monkeypatch.setattr(type(session), "viewer", property(lambda _: viewer))
        monkeypatch.setattr(session, "events", lambda since=0: events)
        panel.refresh()
        return panel.log.toPlainText().split("\n")

    for viewer in (None, "clonemaster"):
        look_as("terminator", public)
        session.botSaid.emit("clonemaster", "R33: forward")
        assert "forward" in "".join(look_as("terminator", public))
        assert "forward" not in "".join(look_as(viewer, public if viewer else ()))
        assert "forward" not in "".join(look_as("terminator", public))
    session.botSaid.emit("clonemaster", "R33: forward")
    later = tuple(happened(2))
    shown = look_as("open", (later[0], *public, later[1]))
    assert "forward" in shown[len(public) + 1]


def test_the_log_tells_no_roll_before_the_die_lies(qtbot: QtBot, tmp_path: Path) -> None:
    """With animation on, a result is a line of the log only when the board has come past its die."""
    window = open_window(qtbot, tmp_path, animation_speed=1.0)
    window.begin(hot_seat_match(scenario=brawl()))
    driver = Driver(qtbot, window, 3)
    page, session = driver.page, driver.session
    rolls: list[Event] = []
    early: list[Event] = []

    def began(event: Event) -> None:
        if getattr(event, "die", None) is not None:
            rolls.append(event)
            if page.log_panel.log.toPlainText().count(describe(event)) > sum(
                one == event for one in rolls[:-1]
            ):
                early.append(event)

    page.board_view.eventBegan.connect(began)
    for _ in range(40):
        driver.wait()
        if len(rolls) > 2 or session.is_over:
            break
        driver.step()
    assert rolls
    assert early == []
    page.board_view.skip()
    assert page.log_panel.log.toPlainText().count(describe(rolls[-1])) >= 1


def test_the_links_of_the_log_are_plainly_framed(qtbot: QtBot, qapp: QApplication) -> None:
    """Tab goes to the rule of a line, in a solid frame; what is selected by mouse has none."""
    theme.apply(qapp)
    log = LogView()
    qtbot.addWidget(log)
    with qtbot.waitActive(log):
        log.show()
        log.activateWindow()
    log.resize(600, 100)
    log.show_events((SideChose(side="terminator", rule="R16"),))
    log.setFocus()
    log.moveCursor(QTextCursor.MoveOperation.Start)
    assert not log.link_rect().isValid()
    QTest.keyClick(log, Qt.Key.Key_Tab)
    assert log.textCursor().selectedText() == "R16"
    frame = log.link_rect()
    assert log.viewport().rect().contains(frame.toRect())
    picture = log.viewport().grab().toImage()
    edge = [picture.pixelColor(round(frame.left()) + step, round(frame.center().y())) for step in (-1, 0)]
    assert min(one.lightness() for one in edge) < theme.colors().ink.lightness() + 40
    log.selectAll()
    assert not log.link_rect().isValid()
