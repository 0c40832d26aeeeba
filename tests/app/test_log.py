"""The log stays at its end for whoever reads along, and where it is for whoever reads back."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractSlider, QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.log import LogView
from engine.core.event import Event
from engine.raid.events import PhaseBegan
from tests.helpers.panels import settle


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
