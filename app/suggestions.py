"""6.1: ways to spend a Terminator's free levels, for whoever does not want to think about it yet."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.raid.choices import SetAbilities
from engine.raid.figures import ABILITIES, TERMINATOR_NAMES, TRAINED
from engine.raid.scenario import Scenario
from engine.raid.tables import LEVEL_CAP

SKILLS: Final = tuple(ABILITIES[ability] for ability in TRAINED)
Levels = dict[str, int]


class Suggestion(NamedTuple):
    """A way to spend the free levels, and why one would."""

    name: str
    why: str
    order: tuple[str, ...]

    def levels(self, total: int) -> Levels:
        """Return the levels for a Terminator with that many in all: one each, then by `order` (6.1, R30)."""
        found = dict.fromkeys(SKILLS, 1)
        free = min(total, LEVEL_CAP * len(SKILLS)) - len(SKILLS)
        while free > 0:
            # The favoured skills in turn while there is room in them, then the others.
            open_skills = [word for word in self.order if found[word] < LEVEL_CAP] or [
                word for word in SKILLS if found[word] < LEVEL_CAP
            ]
            word = min(open_skills, key=lambda one: found[one])
            found[word] += 1
            free -= 1
        return found


SUGGESTIONS: Final = (
    Suggestion(
        "Striker",
        "Punches and kicks in plenty, of both kinds: no one defence stops them all, and there is always "
        "one for a door or a tank.",
        ("fist", "kick"),
    ),
    Suggestion(
        "Stayer",
        "Mountain Heart takes the first injuries and comes back in Recovery; a second punch keeps him "
        "dangerous to the end.",
        ("heart", "fist"),
    ),
    Suggestion(
        "Ghost",
        "Body of Mist shrugs off crowds and punches, Monkey Soul dodges shots and kicks: for the one who "
        "runs through to the computers.",
        ("soul", "mist"),
    ),
)


def suggested_abilities(scenario: Scenario) -> tuple[SetAbilities, ...]:
    """Return the choices that give each Terminator of a scenario a suggested set, all of them in turn."""
    return tuple(
        SetAbilities(name, **SUGGESTIONS[number % len(SUGGESTIONS)].levels(scenario.levels))
        for number, name in enumerate(TERMINATOR_NAMES[: scenario.terminators])
    )
