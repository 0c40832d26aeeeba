"""What is wrong with a draft: the checks of the engine, as a process beside the editor runs them."""

from __future__ import annotations

import traceback
from multiprocessing.connection import Connection
from typing import NamedTuple

from editor.draft import Draft
from engine.fortress.problems import Problem
from engine.raid import problems as raid_problems
from engine.raid.doctor import Diagnosis, examine


class Checked(NamedTuple):
    """What came of checking the draft with a number; `error` tells why nothing could come of it.

    `diagnosis` is there if it was asked for and the map is one.
    """

    number: int
    problems: tuple[Problem, ...] = ()
    diagnosis: Diagnosis | None = None
    error: str = ""


def check(draft: Draft) -> tuple[Problem, ...]:
    """Return what is wrong with a draft, as `kungfu2100 check` says it of its file, errors first."""
    if draft.scenario is None:
        plan = draft.plan
        found = [*raid_problems.map_problems(plan), *raid_problems.unknown_problems(plan)]
    else:
        found = list(raid_problems.problems(draft.whole))
    return tuple(sorted(found, key=lambda problem: problem.severity))


def diagnosis_of(draft: Draft, problems: tuple[Problem, ...]) -> Diagnosis | None:
    """Return the doctor's view of a draft with these problems; None where its map or scenario is none."""
    if any(problem.code in ("not-a-map", "not-a-scenario", "start") for problem in problems):
        return None
    return examine(draft.whole)


def work(pipe: Connection) -> None:
    """Check every draft that is sent, and diagnose it if wished, until nobody sends any more."""
    pipe.send(None)  # ready: a large draft sent before would make the sender wait
    while True:
        number, draft, is_diagnosed = pipe.recv()
        try:
            found = check(draft)
            pipe.send(Checked(number, found, diagnosis_of(draft, found) if is_diagnosed else None))
        except Exception:  # noqa: BLE001  told to the editor, which raises it
            pipe.send(Checked(number, error=traceback.format_exc()))
