"""The timers of a widget, so that a test need not wait until they are due."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication


def is_waiting(owner: QObject) -> bool:
    """Return whether a timer of an object, or of one within it, is running."""
    return any(timer.isActive() for timer in owner.findChildren(QTimer))


def fire(owner: QObject) -> None:
    """Let every running timer of an object, and of those within it, be due now."""
    for timer in owner.findChildren(QTimer):
        if timer.isActive():
            timer.setInterval(0)
    QApplication.processEvents()
