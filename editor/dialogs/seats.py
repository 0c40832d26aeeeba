"""Boxes in which somebody is put in a seat."""

from __future__ import annotations

from app.dialogs.switch_controls import ComboBox
from engine.bots import bots_of
from engine.raid.figures import SIDE_NAMES
from engine.raid.seats import BOT_NAMES

PERSON = "A person at this screen"


def seat_box(side: str, *, is_for_people: bool) -> ComboBox:
    """Return a box with everybody who can play a side, bots alone or people too; its data names the seat."""
    # As everywhere else: the usual one first.
    bots = [(bot, BOT_NAMES[bot]) for bot in sorted(bots_of(side), key=list(BOT_NAMES).index)]
    people = [("human", PERSON)] if is_for_people else []
    box = ComboBox([*people, *bots], f"Who plays the {SIDE_NAMES[side]}")
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
    return box


def seat(box: ComboBox, name: str) -> None:
    """Put somebody in a seat, if he can sit there."""
    at = box.findData(name)
    if at >= 0:
        box.setCurrentIndex(at)
