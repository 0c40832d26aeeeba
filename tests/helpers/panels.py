"""Sessions for tests of panels and set-ups: real games, no window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from app import theme
from app.session import Session
from app.settings import SettingsStore
from engine.raid.match import RaidMatch
from engine.raid.scenario import Scenario, StartFigure, StartPosition, load_scenario

ABILITIES = ("fist", "kick", "weapon", "mist", "soul", "heart")


def levels(**given: int) -> dict[str, int]:
    """Return levels by ability, 0 where not given."""
    return {word: given.get(word, 0) for word in ABILITIES}


def position(figures: Sequence[StartFigure], phase: str = "combat-1", turn: int = 4) -> Scenario:
    """Return the Basic scenario with a game under way."""
    start = msgspec.convert({"turn": turn, "phase": phase}, StartPosition)
    if not any(figure.name == "CloneMaster" for figure in figures):
        figures = (*figures, StartFigure(name="CloneMaster", place="dead"))
    start = msgspec.structs.replace(start, figures=tuple(figures))
    return msgspec.structs.replace(load_scenario("basic"), start=start)


def first_example() -> Scenario:
    """Return the rulebook's first example: a Terminator next to Jelly 1, nobody else near."""
    golden = levels(fist=1, kick=2, mist=1, soul=1, heart=2)
    return position(
        (
            StartFigure(name="Rising Dream", square=(12, 9), original=golden, levels=golden),
            StartFigure(name="Shadow Lotus", place="dead"),
            StartFigure(name="Golden Song", place="dead"),
            StartFigure(name="J-1", square=(12, 10)),
        )
    )


def big_combat() -> Scenario:
    """Return a combat of three Terminators, three Jellies, two guns, a technician and two servants."""
    whole = levels(fist=2, kick=1, mist=1, soul=2, heart=1)
    return position(
        (
            StartFigure(name="Golden Song", square=(12, 9), original=whole, levels=whole),
            StartFigure(
                name="Shadow Lotus",
                square=(13, 10),
                original=levels(fist=2, kick=1, mist=1, soul=1, heart=2),
                levels=levels(fist=1, kick=1, soul=1, heart=1),
            ),
            StartFigure(
                name="Rising Dream",
                square=(11, 12),
                original=levels(fist=3, kick=1, mist=1, soul=1, heart=1),
                levels=levels(fist=2),
            ),
            StartFigure(name="J-1", square=(13, 9), levels=levels(kick=1, heart=1)),
            StartFigure(name="J-2", square=(12, 10)),
            StartFigure(name="J-7", square=(11, 10), levels=levels(weapon=1)),
            StartFigure(name="Servant 1", square=(11, 8)),
            StartFigure(name="Servant 2", square=(12, 8)),
            StartFigure(name="Technician 1", square=(11, 11)),
            StartFigure(name="Armed Technician 1", square=(13, 8)),
            StartFigure(name="Armed Technician 2", square=(14, 9)),
        )
    )


def session_of(
    tmp_path: Path,
    scenario: Scenario | None = None,
    *,
    humans: Sequence[str] = ("terminator", "clonemaster"),
    dice: Sequence[int] | None = None,
) -> Session:
    """Return a running session; a side without a person waits for the test to play it."""
    seats = {side: "human" if side in humans else "rulebook" for side in ("terminator", "clonemaster")}
    match = RaidMatch.new(scenario or load_scenario("basic"), "1", seats=seats, dice=dice)
    store = SettingsStore(tmp_path / "settings.json")
    store.set(animation_speed=0.0, pace=0)
    session = Session(match, store)
    session.start()
    return session


def lift(session: Session) -> None:
    """Lift the curtain if it is down."""
    if session.curtain_for is not None:
        session.lift_curtain()


def settle(times: int = 3) -> None:
    """Let layouts and deferred deletions happen."""
    for _ in range(times):
        QApplication.processEvents()


LOOKS = (("light", 1.0), ("dark", 1.0), ("contrast", 0.8), ("dark", 2.5))


def in_every_look(app: QApplication, widget: QWidget, check: Callable[[str, QImage], None]) -> None:
    """Draw a widget in each palette and at the smallest and largest text, then go back to the usual."""
    try:
        for mode, scale in LOOKS:
            theme.apply(app, mode, scale)
            settle()
            check(f"{mode}-{round(scale * 100)}", widget.grab().toImage())
    finally:
        theme.apply(app, "light", 1.0)
        settle()
