"""Games over a line that delays, splits, repeats, loses and cuts: nothing is lost, nothing is played twice.

`python -m tests.lan.test_cuts 200` makes as many cuts, in games of all scenarios, and tells what came.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

from engine.core.record import Record
from engine.raid.figures import SIDES
from engine.raid.scenario import SHIPPED
from tests.helpers.lan_processes import Bot, Host, check_game, wait_until
from tests.helpers.proxy import FATES, Fate, Proxy, lines


def play_through(
    folder: Path, scenario: str, seed: int, cuts: int, fates: tuple[Fate, ...]
) -> tuple[Record, Proxy, list[Bot]]:
    """Play one game of two bots through a line that breaks so many times, if the game lasts so long."""
    host = Host(folder / "host", folder / "host/home")
    bots: list[Bot] = []
    try:
        host.begin(scenario)
        with Proxy(host.port, lines(seed, cuts, fates), seed) as proxy:
            bots = [Bot(folder / side, side, host.codes[0]) for side in SIDES]
            for bot in bots:
                bot.play(proxy.port)

            def is_over() -> bool:
                for bot in bots:
                    if bot.code not in (None, 0):  # it had not come in yet, and gave up; a person tries again
                        assert bot.started < 10, bot.errors.read_text("utf-8")
                        bot.play(proxy.port)
                return all(bot.code == 0 for bot in bots)

            wait_until(is_over, within=600.0)
            return check_game(host.records[0], bots), proxy, bots
    finally:
        for program in (host, *bots):
            program.kill()


def test_a_game_over_a_line_that_breaks_loses_nothing(tmp_path: Path) -> None:
    """Cuts at any byte, doubled, missing and changed bytes: both come back, and all have the same record."""
    _, proxy, _ = play_through(tmp_path, "basic", seed=5, cuts=20, fates=FATES[:-1])
    assert proxy.done.total() >= 10


def main(cuts: int, seed: int = 0) -> None:
    """Make so many cuts, and print what came of them."""
    done: Counter[str] = Counter()
    began = time.monotonic()
    for number, scenario in enumerate(cycle(SHIPPED)):
        if done.total() >= cuts:
            break
        # A line that is silent is noticed only after seconds: a few of them are enough.
        fates = FATES if number % 4 == 0 else FATES[:-1]
        with tempfile.TemporaryDirectory() as folder:
            record, proxy, bots = play_through(
                Path(folder), scenario, seed + number, min(40, cuts - done.total()), fates
            )
            answers = Counter(what for bot in bots for _, what in bot.attempts)
        done += proxy.done
        print(
            f"{scenario}: {len(record.choices)} choices, {proxy.done.total()} cuts; "
            + ", ".join(f"{count} {what}" for what, count in sorted(answers.items()))
            + f"; joined again by hand {sum(bot.started - 1 for bot in bots)} times",
            flush=True,
        )
    kinds = ", ".join(f"{count} {fate}" for fate, count in done.most_common())
    print(f"{done.total()} cuts ({kinds}) in {time.monotonic() - began:.0f} s: all records equal, all sound")


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(int, sys.argv[2:]))
