"""A whole game by real clicks and keys."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.core.record import load_record
from engine.raid.match import RaidMatch, RaidReplay
from tests.helpers.gui import Driver, brawl, hot_seat_match, open_window, small_scenario


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


@pytest.mark.parametrize("seed", [1, 2])
def test_two_people_fight_to_the_end(qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    """Every question of a combat can be answered in the fight panel, hands seen only while peeking (5.4)."""
    window = open_window(qtbot, tmp_path)
    match = hot_seat_match(tmp_path / "game.json", scenario=brawl(), seed=str(seed))
    window.begin(match)
    driver = Driver(qtbot, window, seed)
    driver.play()
    assert {"fight-order", "choose-counters", "play-counter", "name-target", "lose-ability"} <= set(
        driver.kinds
    )
    assert window.end_dialog is not None


@pytest.mark.parametrize("side", ["terminator", "clonemaster"])
def test_one_person_plays_either_side_against_the_rulebook_bot(
    qtbot: QtBot, tmp_path: Path, side: str
) -> None:
    """A game against the bot goes through to its end, whichever side the person has."""
    window = open_window(qtbot, tmp_path)
    seats = {one: "human" if one == side else "rulebook" for one in ("terminator", "clonemaster")}
    path = tmp_path / "game.json"
    window.begin(RaidMatch.new(small_scenario(2), "7", seats=seats, path=path))
    driver = Driver(qtbot, window, 4)
    driver.play()
    assert f"{side}-move" in driver.kinds
    assert window.end_dialog is not None


def test_a_game_broken_off_anywhere_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    """The window is closed and opened again every few choices; the game still comes to its end."""
    path = tmp_path / "data" / "games" / "game.json"
    path.parent.mkdir(parents=True)
    window = open_window(qtbot, tmp_path)
    window.begin(hot_seat_match(path, scenario=brawl(1)))
    for seed in range(40):
        driver = Driver(qtbot, window, seed)
        for _ in range(11):
            driver.wait()
            if driver.session.is_over:
                return
            driver.step()
        revision = driver.session.revision
        if driver.session.is_over:
            return
        window.close()
        window = open_window(qtbot, tmp_path)
        window.continue_game(path)
        assert window.session is not None
        assert window.session.revision == revision
    raise AssertionError("the game did not end")
