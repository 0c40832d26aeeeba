"""Programs killed at any moment: the guest's, the host's, both; the game is finished all the same.

`python -m tests.lan.test_kills 50` kills as often, in games of all scenarios and of a home-made one, and
tells what came of it.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Final

from app.lan.host.folder import HostFolder
from app.lan.host.table import Options
from engine.core.protocol import CLIENT
from engine.core.record import Record
from engine.raid.figures import SIDES
from engine.raid.scenario import load_scenario
from tests.helpers.lan_processes import SCENARIOS, Bot, Host, check_game, wait_until

VICTIMS: Final = ("guest", "host", "both")
PAUSE: Final = 0.02  # seconds a bot thinks at most, so that a game lasts longer than a program's start
LONGEST: Final = 1.5  # seconds between two kills: a program is killed while it starts, too
KILLS_OF_A_GAME: Final = 4  # at most, so that 50 of them reach every scenario


class Killing:
    """One game of two bots, whose programs are killed at random moments and started again.

    Guests are started again only where they were killed themselves: they find back to a host that was.
    """

    def __init__(self, folder: Path, scenario: str, seed: int, longest: float = LONGEST) -> None:
        self._folder = folder
        self._scenario = scenario
        self._longest = longest
        self._chance = random.Random(seed)
        self._victims = cycle(self._chance.sample(VICTIMS, len(VICTIMS)))
        self._host = Host(folder / "host", folder / "host/home")
        self.bots: list[Bot] = []
        self.killed: Counter[str] = Counter()
        self.joined_again = 0
        """How often a guest gave up before he was ever welcomed, as nobody hosted; a person tries again."""

    def play(self, kills: int) -> Record:
        """Play to the end with so many kills, if the game lasts so long, and return the record."""
        try:
            self._host.begin(self._scenario)
            self.bots = [Bot(self._folder / side, side, self._host.codes[0], pause=PAUSE) for side in SIDES]
            for bot in self.bots:
                bot.play(self._host.port)
            while self.killed.total() < kills:
                until = time.monotonic() + self._chance.uniform(0.0, self._longest)
                while time.monotonic() < until and not self._is_over():
                    time.sleep(0.01)
                if self._is_over():
                    break
                self._kill()
            wait_until(self._is_over, within=300.0)
            return check_game(self._host.records[0], self.bots)
        finally:
            for program in (self._host, *self.bots):
                program.kill()

    def _kill(self) -> None:
        """Kill a program or two, and start them again after a while."""
        victim = next(self._victims)
        guest = self._chance.choice(self.bots)
        guests = [guest] if victim != "host" and guest.code is None else []
        if victim != "guest":
            self._host.kill()
        for bot in guests:
            bot.kill()
        self.killed[victim] += 1
        time.sleep(self._chance.choice((0.0, 0.0, 0.5)))
        if victim != "guest":
            self._host.again()
        for bot in guests:
            bot.play(self._host.port)

    def _is_over(self) -> bool:
        assert self._host.is_running, self._host.errors.read_text("utf-8")
        for bot in self.bots:
            if bot.code not in (None, 0):
                assert not bot.has_been_welcomed, bot.errors.read_text("utf-8")
                self.joined_again += 1
                assert self.joined_again < 10
                bot.play(self._host.port)
        return all(bot.code == 0 for bot in self.bots)


def test_a_game_outlives_all_its_programs(tmp_path: Path) -> None:
    """Host and guests killed at random moments come back to the same game, and it is played to its end."""
    game = Killing(tmp_path, "tea-house", seed=7, longest=0.6)
    game.play(kills=len(VICTIMS))
    assert set(game.killed) == set(VICTIMS)


def test_what_a_killed_host_was_writing_is_cleared_away(tmp_path: Path) -> None:
    """Half of a record, which holds both sides' secrets, does not stay for ever."""
    folder = HostFolder(tmp_path)
    options = Options(
        title="Basic", host="Attic", scenario=load_scenario("basic"), seats=dict.fromkeys(SIDES, CLIENT)
    )
    table = folder.new_table(options)
    folder.close()
    draft = table.record_path.with_name(".game.json.abcdefgh.tmp")
    draft.write_bytes(b"{")
    again = HostFolder(tmp_path)
    assert len(list(again.resume())) == 1
    again.close()
    assert not draft.exists()


def main(kills: int, seed: int = 0) -> None:
    """Kill so often, and print what came of it."""
    killed: Counter[str] = Counter()
    began = time.monotonic()
    for number, scenario in enumerate(cycle(SCENARIOS)):
        if killed.total() >= kills:
            break
        with tempfile.TemporaryDirectory() as folder:
            game = Killing(Path(folder), scenario, seed + number)
            record = game.play(min(KILLS_OF_A_GAME, kills - killed.total()))
            answers = Counter(what for bot in game.bots for _, what in bot.attempts)
        killed += game.killed
        print(
            f"{Path(scenario).stem}: {len(record.choices)} choices, killed "
            + ", ".join(f"{victim} {count}" for victim, count in game.killed.items())
            + f" times; {dict(answers)}; joined again by hand {game.joined_again} times",
            flush=True,
        )
    victims = ", ".join(f"{victim} {count}" for victim, count in killed.items())
    seconds = time.monotonic() - began
    print(f"{killed.total()} kills ({victims}) in {seconds:.0f} s: all games finished and sound")


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(int, sys.argv[2:]))
