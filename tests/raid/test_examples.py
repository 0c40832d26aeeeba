"""5.4: the rulebook's two worked examples of combat, played through with the dice they give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.raid import events
from engine.raid.choices import (
    Begin,
    ChooseCounters,
    Done,
    Fight,
    NameTarget,
    PlayCounter,
    PlaySoul,
    Shoot,
    Stop,
    Throw,
    UntrainedAttack,
)
from engine.raid.choices import LoseAbility as Lose
from engine.raid.figures import TERMINATOR_NAMES
from engine.raid.match import RaidMatch
from tests.helpers.raid import C, T, asked, kind, levels, match, offered, plan, seen, told, where

EXAMPLES = Path(__file__).parent / "examples"
NAMES = {
    "T": "Rising Dream",
    "Armed tech 1": "Armed Technician 1",
    "Armed tech 2": "Armed Technician 2",
    "Tech": "Technician 1",
    "Servant A": "Servant 1",
    "Servant B": "Servant 2",
    "tank [8, 7]": "tank 8,7",
}


def name(word: str) -> str:
    """Return the game's name for a figure or thing of an example."""
    return NAMES.get(word, word)


def side_of(figure: str) -> str:
    """Return the side of a figure."""
    return T if figure in TERMINATOR_NAMES else C


def load(number: int) -> dict[str, Any]:
    """Return an example's data."""
    data: dict[str, Any] = json.loads((EXAMPLES / f"combat-{number}.json").read_text(encoding="utf-8"))
    return data


def rolls(example: dict[str, Any], gunfire: bool = True) -> list[int]:
    """Return an example's dice in the order in which they fall."""
    dice = [
        row[key]["die"]
        for row in example["play"]
        for key in ("resolves", "resolves_itself")
        if key in row and row[key]["die"] is not None
    ]
    dice += [row["die"] for row in example.get("untrained", ())]
    return dice + ([row["die"] for row in example.get("gunfire", ())] if gunfire else [])


def start(example: dict[str, Any], dice: list[int]) -> RaidMatch:
    """Return the example's position at the beginning of a combat phase."""

    def levels_of(given: dict[str, int]) -> str:
        return " ".join(f"{word}{level}" for word, level in given.items() if level) or "-"

    lines = []
    for word, figure in example["figures"].items():
        line = f"{name(word)}  {figure['square'][0]},{figure['square'][1]}"
        if "abilities" in figure:
            line += f"  {levels_of(figure['abilities'])}"
            if "start" in figure:
                line += f" / {levels_of(figure['start'])}"
        lines.append(line)
    tank = "tank 8,7" if "clone tank" in example["room"] else ""
    return match(
        plan("\n".join("A" * 12 for _ in range(10)), equipment=tank),
        "\n".join(lines),
        phase="combat-1",
        dice=dice,
    )


def choose(game: RaidMatch, example: dict[str, Any]) -> None:
    """Begin the combat, choose the counters of the example and let the side it names begin."""
    game.submit(T, Fight(0))
    for word, figure in example["figures"].items():
        if "counters" in figure:
            game.submit(side_of(name(word)), ChooseCounters(name(word), tuple(figure["counters"])))
    if kind(game) == "throw-spikes":
        game.submit(C, Throw(example["first"] == C))
    else:
        game.submit(T, Begin(example["first"]))


def check_attack(game: RaidMatch, row: dict[str, Any], counter: str) -> None:
    """Compare the attack settled last with what the example says of it, and mark its injury."""
    attack = told(game, events.AttackResolved)[-1]
    assert (attack.counter, attack.column, attack.needs, attack.die, attack.hit) == (
        counter,
        row["column"],
        row["needs"],
        row["die"],
        row["hit"],
    )
    if "lost" in row:
        assert kind(game) == "lose-ability"
        game.submit(asked(game), Lose(attack.target, row["lost"]))
    elif row.get("removed"):
        assert where(game, attack.target) == "dead"


def play_counters(game: RaidMatch, example: dict[str, Any]) -> None:
    """Play every row of counters and compare what comes of it."""
    counters = {row["n"]: row["counter"] for row in example["play"]}
    for row in example["play"]:
        figure = name(row["by"])
        side = side_of(figure)
        assert asked(game) == side, row
        game.submit(side, PlayCounter(figure, row["counter"]))
        if "resolves" in row:
            check_attack(game, row["resolves"], counters[row["resolves"]["attack"]])
        if row.get("target"):
            game.submit(side, NameTarget(name(row["target"])))
        if "resolves_itself" not in row:
            continue
        if "destroyed" in row["resolves_itself"]:
            destroyed = told(game, events.EquipmentDestroyed)[-1]
            assert destroyed.target == name(row["resolves_itself"]["destroyed"])
        else:
            check_attack(game, row["resolves_itself"], row["counter"])


def check_after(game: RaidMatch, example: dict[str, Any]) -> None:
    """Compare the position after the combat with the example's."""
    for word, after in example["after"].items():
        if word == "removed":
            assert [where(game, name(one)) for one in after] == ["dead"] * len(after)
        elif after == "unconscious":
            assert not seen(game, name(word)).is_conscious
            assert where(game, name(word)) == tuple(example["figures"][word]["square"])
        elif after == "destroyed":
            assert [thing.is_destroyed for thing in game.view("public").equipment] == [True]
        else:
            assert levels(game, name(word)) == {ability: level for ability, level in after.items() if level}


def test_example_one() -> None:
    """5.4 Example I: one Terminator against Jelly 1, counter by counter."""
    example = load(1)
    game = start(example, rolls(example))
    choose(game, example)
    play_counters(game, example)
    assert len(told(game, events.CombatEnded)) == 1
    assert told(game, events.AttackVoid) == []
    check_after(game, example)


def test_example_two() -> None:
    """5.4 Example II: three Terminators, three Jellies, technicians and servants in one combat (R26)."""
    example = load(2)
    game = start(example, rolls(example))
    assert len(game.view("public").combats) == example["combats"]
    assert set(game.view("public").combats[0]) == {name(word) for word in example["figures"]}
    choose(game, example)
    play_counters(game, example)
    # J-1's kick never happens: it fell before its target was named (5.62).
    assert [event.figure for event in told(game, events.AttackVoid)] == ["J-1"]
    # One defensive counter is left, with which nothing can be done but stop.
    assert offered(game, T, Stop) == list(game.decision(T).options)  # type: ignore[union-attr]
    game.submit(T, Stop())
    for row in example["untrained"]:
        for attacker in row["attackers"]:
            game.submit(C, UntrainedAttack(name(attacker), name(row["target"])))
        if kind(game) == "untrained":
            game.submit(C, Done())
        game.submit(T, Done())
        rolled = told(game, events.UntrainedRolled)[-1]
        assert (rolled.needs, rolled.die, rolled.hit) == (row["needs"], row["die"], row["hit"])
        game.submit(T, Lose(name(row["target"]), row["lost"]))
    assert {choice.target for choice in offered(game, C, Shoot)} == {"Golden Song", "Shadow Lotus"}  # type: ignore[attr-defined]
    for row in example["gunfire"]:
        game.submit(C, Shoot(name(row["by"]), name(row["target"])))
    if kind(game) == "gunfire":
        game.submit(C, Done())
    assert offered(game, T, PlaySoul) == []  # hers is not his to play
    game.submit(T, Done())
    shots = told(game, events.ShotRolled)
    assert [(shot.needs, shot.die, shot.hit) for shot in shots] == [
        (row["needs"], row["die"], row["hit"]) for row in example["gunfire"]
    ]
    game.submit(T, Lose("Golden Song", example["gunfire"][1]["lost"]))
    assert len(told(game, events.CombatEnded)) == 1
    check_after(game, example)


@pytest.mark.parametrize("second", ["Golden Song", "Shadow Lotus"])
def test_example_two_with_a_shot_at_shadow_lotus(second: str) -> None:
    """5.4 Example II, note: her Monkey Soul counter cancels one shot; a second at her is rolled."""
    example = load(2)
    game = start(example, [*rolls(example, gunfire=False), 6])
    choose(game, example)
    play_counters(game, example)
    game.submit(T, Stop())
    game.submit(C, UntrainedAttack("Servant 1", "Golden Song"))
    if kind(game) == "untrained":
        game.submit(C, Done())
    game.submit(T, Done())
    game.submit(T, Lose("Golden Song", "heart"))
    game.submit(C, Shoot("Armed Technician 1", "Shadow Lotus"))
    game.submit(C, Shoot("Armed Technician 2", second))
    if kind(game) == "gunfire":
        game.submit(C, Done())
    game.submit(T, PlaySoul("Shadow Lotus"))
    if kind(game) == "show-soul":
        game.submit(T, Done())
    assert [event.figure for event in told(game, events.SoulShown)] == ["Shadow Lotus"]
    assert [(shot.target, shot.die) for shot in told(game, events.ShotRolled)] == [(second, 6)]
    assert len(told(game, events.CombatEnded)) == 1
