"""Boxes in which somebody is put in a seat."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

from engine.bots import bots_of
from engine.raid.figures import SIDE_NAMES
from engine.raid.seats import BOT_NAMES

PERSON = "A person at this screen"


def seat_box(side: str, *, is_for_people: bool) -> QComboBox:
    """Return a box with everybody who can play a side, bots alone or people too; its data names the seat."""
    box = QComboBox()
    box.setAccessibleName(f"Who plays the {SIDE_NAMES[side]}")
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    if is_for_people:
        box.addItem(PERSON, "human")
    # As everywhere else: the usual one first.
    for bot in sorted(bots_of(side), key=list(BOT_NAMES).index):
        box.addItem(BOT_NAMES[bot], bot)
    return box


def seat(box: QComboBox, name: str) -> None:
    """Put somebody in a seat, if he can sit there."""
    at = box.findData(name)
    if at >= 0:
        box.setCurrentIndex(at)
