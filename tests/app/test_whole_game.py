"""A whole game by real clicks and keys."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.core.record import load_record
from engine.raid.match import RaidReplay
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window


@pytest.mark.parametrize("seed", [1, 2])
def test_two_people_play_a_game_to_its_end(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    """Set-ups, movement and the end, by mouse and keyboard alone, at one screen."""
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(tmp_path / "game.json", turns=2))
    driver = Driver(qtbot, window, seed)
    driver.play()
    asked = {"set-up-terminator", "set-up-clonemaster", "terminator-move", "clonemaster-move"}
    assert asked <= set(driver.kinds)
    assert window.end_dialog is not None
    assert RaidReplay.of(load_record(tmp_path / "finished" / "game.json")).may_open


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_people_fight_to_the_end(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    """Every question of a combat can be answered in the fight panel, hands seen only while peeking (5.4)."""
    window = open_window(qtbot, tmp_path)
    match = hot_seat_match(tmp_path / "game.json", scenario=brawl(), seed=str(seed))
    window.begin(match)
    driver = Driver(qtbot, window, seed)
    driver.play()
    print(sorted(set(driver.kinds)))
    assert {"fight-order", "choose-counters", "play-counter", "name-target", "lose-ability"} <= set(
        driver.kinds
    )
    assert window.end_dialog is not None
