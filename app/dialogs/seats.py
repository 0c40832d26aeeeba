"""Who sits where and what he is called, as a dialog's boxes say it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QComboBox, QLineEdit


def chosen_seats(boxes: Mapping[str, QComboBox]) -> dict[str, str]:
    """Return who sits where, by side: "human" or a bot's name."""
    return {side: box.currentData() for side, box in boxes.items()}


def given_names(seats: Mapping[str, str], boxes: Mapping[str, QLineEdit]) -> dict[str, str]:
    """Return the names of the people in the seats, by side, as far as they were given."""
    given = {side: box.text().strip() for side, box in boxes.items() if seats[side] == "human"}
    return {side: name for side, name in given.items() if name}
