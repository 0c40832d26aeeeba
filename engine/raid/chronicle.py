"""What happened in a finished game: luck, standing, turning points, record sheets over time.

Everything is read from the open replay, whose secrets are nobody's any more. What the players took back
by consent is out of standing, turning points and sheets; dice that fell meanwhile fell and are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import sqrt
from typing import Final, NamedTuple

from engine.core.dice import FACES
from engine.core.event import Event
from engine.core.takeback import TakebackAnswered
from engine.raid import events as e
from engine.raid.figures import CLONEMASTER, SIDES, TERMINATOR
from engine.raid.log import describe
from engine.raid.match import RaidReplay
from engine.raid.scenario import Points, Scenario
from engine.raid.tables import COLUMNS
from engine.raid.view import FigureView, View

KINDS: Final = (*COLUMNS, "door", "untrained", "gunfire", "recovery")
"""What dice are thrown for: attacks by the column they were read in (2.6), then the rest."""

# The weights of the standing, in pieces of vital equipment or in shares; round numbers, not fitted to games.
CLONEMASTER_WORTH: Final = 3
"""He has to be found, runs and shoots, while equipment stands still; his life outranks it all (6.1)."""
GUARD: Final = 0.5
"""Jellies are half of what guards the mission; the fortress and everybody else in it are the other half."""
RESULTS: Final = {"total victory": 1.0, "victory": 0.75}
"""Where the standing ends; a draw ends at 0 (6.1, R31)."""

MOST_TURNING_POINTS: Final = 10
MOST_BY_LUCK: Final = 4
"""Places that swings of luck may take from swings of the standing."""
LEAST_SWING: Final = 0.02
"""A swing of the standing below this, a hundredth of its range, tells nothing."""
LEAST_LUCK: Final = 1.0
"""A combat's dice within one hit of what was to be expected tell nothing."""

# What a swing of the standing is told by, the most telling first.
_TELLING: Final[tuple[type[Event], ...]] = (
    e.EquipmentDestroyed,
    e.Killed,
    e.Exited,
    e.FellUnconscious,
    e.Woke,
    e.Injured,
    e.RecoveryRolled,
)


class Roll(NamedTuple):
    """One die: it hits on `needs` or less. `side` threw it: the attacker's, or the recovering figure's."""

    position: int
    side: str
    kind: str
    needs: int
    hit: bool
    event: e.RaidEvent

    @property
    def surplus(self) -> float:
        """The hit it was less the hit to be expected, between -1 and 1."""
        return self.hit - self.needs / FACES


class Luck(NamedTuple):
    """What came of a side's dice of one kind, or of all with `kind` "all".

    `expected` hits are the sum of needs / 6, `deviation` is the standard deviation of the hits, `chance`
    the probability of a number of hits at least as far from the expected one, either way.
    """

    side: str
    kind: str
    dice: int
    hits: int
    expected: float
    deviation: float
    chance: float


class Material(NamedTuple):
    """What the standing counts; levels are those of all Terminators or Jellies not dead."""

    clonemaster_lives: bool
    equipment: int
    terminator_levels: int
    jelly_levels: int
    turns_left: int
    points: tuple[int, int] | None


class Standing(NamedTuple):
    """How the sides stand after a choice: -1 all for the CloneMaster, 1 all for the Terminators."""

    position: int
    turn: int
    phase: str
    value: float


class TurningPoint(NamedTuple):
    """A combat, or a single choice outside of combat, that changed much.

    `start` is the position before it; `position` is where the replay shows its most telling event, `text`
    that event in words. `swing` is the change of the standing, `luck` the hits the Terminators had beyond
    those to be expected less the CloneMaster's; both are positive where they favour the Terminators.
    `is_luck` says which of the two it is told for. `before` and `after` are the counts around it.
    """

    start: int
    position: int
    turn: int
    phase: str
    text: str
    is_luck: bool
    swing: float
    luck: float
    before: Material
    after: Material


class SheetColumn(NamedTuple):
    """A figure at the end of a turn; `levels` by ability."""

    turn: int
    place: str
    is_face_up: bool
    is_conscious: bool
    levels: dict[str, int]


class Happening(NamedTuple):
    """What befell a figure: "found", "came in", "fell", "woke", "died", "escaped" or "captured"."""

    position: int
    turn: int
    what: str


class Sheet(NamedTuple):
    """The record sheet of a Terminator or Jelly over the game, a column for each turn."""

    figure: str
    kind: str
    weapon: str | None
    original: dict[str, int]
    columns: tuple[SheetColumn, ...]
    happenings: tuple[Happening, ...]


class Chronicle(NamedTuple):
    """What happened in a game; `running` has for each side (position, hits beyond the expected so far)."""

    rolls: tuple[Roll, ...]
    luck: tuple[Luck, ...]
    running: dict[str, tuple[tuple[int, float], ...]]
    standing: tuple[Standing, ...]
    turning_points: tuple[TurningPoint, ...]
    sheets: tuple[Sheet, ...]
    turns: tuple[int, ...]

    def total(self, side: str) -> Luck:
        """Return what came of all dice of a side."""
        return next(row for row in self.luck if row.side == side and row.kind == "all")


def chronicle(replay: RaidReplay) -> Chronicle:
    """Return what happened in a finished game; raises ValueError for an unfinished one."""
    told: list[list[Event]] = [[] for _ in range(replay.length + 1)]
    for position, event in replay.timeline("open"):
        told[position].append(event)
    here = replay.position
    views: list[View] = []
    for position in range(replay.length + 1):
        replay.go(position)
        views.append(replay.view("open"))
    replay.go(here)
    side_of = {figure.name: figure.side for view in views for figure in view.figures}
    rolls = tuple(_rolls(told, side_of))
    thrown: dict[int, list[Roll]] = {}
    for roll in rolls:
        thrown.setdefault(roll.position, []).append(roll)
    kept = _kept(views, told)
    played = [position for position in kept if views[position].phase != "set-up"]
    scale = _Scale(replay.scenario, views[played[0]])
    return Chronicle(
        rolls=rolls,
        luck=tuple(luck_table(rolls)),
        running={side: tuple(_running(rolls, side)) for side in SIDES},
        standing=tuple(
            Standing(position, view.turn, view.phase, _standing(scale, view))
            for position in played
            for view in (views[position],)
        ),
        turning_points=_turning_points(_Game(scale, views, told, thrown, side_of), played),
        sheets=tuple(_sheets(views, told, played)),
        turns=tuple(range(views[played[0]].turn, views[-1].turn + 1)),
    )


def _kept(views: Sequence[View], told: Sequence[Sequence[Event]]) -> list[int]:
    """Return the positions that no takeback undid."""
    kept: list[int] = []
    for position, events in enumerate(told):
        if any(isinstance(event, TakebackAnswered) and event.agrees for event in events):
            while kept and views[kept[-1]] != views[position]:
                kept.pop()
        else:
            kept.append(position)
    return kept


# Luck


def _rolls(told: Iterable[Iterable[Event]], side_of: dict[str, str]) -> Iterator[Roll]:
    for position, events in enumerate(told):
        for event in events:
            match event:
                case e.AttackResolved() if event.die is not None:
                    side, kind, hit = side_of[event.figure], event.column, event.hit
                case e.DoorStruck():
                    side, kind, hit = side_of[event.figure], "door", event.destroyed
                case e.UntrainedRolled():
                    side, kind, hit = side_of[event.figures[0]], "untrained", event.hit
                case e.ShotRolled():
                    side, kind, hit = side_of[event.figure], "gunfire", event.hit
                case e.RecoveryRolled():
                    side, kind, hit = side_of[event.figure], "recovery", event.recovered
                case _:
                    continue
            # Seven against one hit as surely as six.
            yield Roll(position, side, kind, min(event.needs, FACES), hit, event)


def luck_table(rolls: Sequence[Roll]) -> Iterator[Luck]:
    """Return each side's luck: all of its dice, then every kind it threw."""
    for side in SIDES:
        mine = [roll for roll in rolls if roll.side == side]
        yield _luck(side, "all", mine)
        for kind in KINDS:
            some = [roll for roll in mine if roll.kind == kind]
            if some:
                yield _luck(side, kind, some)


def _luck(side: str, kind: str, rolls: Sequence[Roll]) -> Luck:
    needs = [roll.needs for roll in rolls]
    hits = sum(roll.hit for roll in rolls)
    variance = sum(need * (FACES - need) for need in needs)
    return Luck(
        side,
        kind,
        len(rolls),
        hits,
        sum(needs) / FACES,
        sqrt(variance) / FACES,
        chance_of_such_luck(needs, hits),
    )


def chance_of_such_luck(needs: Sequence[int], hits: int) -> float:
    """Return the probability of a number of hits at least as far from the expected one as `hits` is.

    `needs` are the highest rolls that hit, a die each, 0 to 6. Exact: the ways in which so many hit are
    counted among the 6 ** dice (the Poisson-binomial distribution), in whole numbers.
    """
    ways = [1]
    for need in needs:
        ways = [miss * (FACES - need) + hit * need for miss, hit in zip((*ways, 0), (0, *ways), strict=True)]
    expected = sum(needs)  # in sixths of a hit
    far = abs(FACES * hits - expected)
    as_far = sum(count for number, count in enumerate(ways) if abs(FACES * number - expected) >= far)
    return float(as_far / FACES ** len(needs))


def _running(rolls: Iterable[Roll], side: str) -> Iterator[tuple[int, float]]:
    mine = [roll for roll in rolls if roll.side == side]
    return zip((roll.position for roll in mine), accumulate(roll.surplus for roll in mine), strict=True)


# Standing


class _Scale:
    """What a game began with, against which the standing is measured."""

    def __init__(self, scenario: Scenario, view: View) -> None:
        self.terminator_levels = _most_levels(view, "terminator")
        self.jelly_levels = _most_levels(view, "jelly")
        self.turns = view.last_turn - view.turn + 1
        self.work = CLONEMASTER_WORTH + len(view.equipment)
        self.most_points = _most_points(scenario.points, view) if scenario.points is not None else 0


def _most_levels(view: View, kind: str) -> int:
    return sum(sum((one.original or {}).values()) for one in view.figures if one.kind == kind)


def _most_points(points: Points, view: View) -> int:
    """Return the most that either side can score."""
    kinds = [figure.kind for figure in view.figures]
    mine = points.start + points.clonemaster + points.everything
    mine += points.equipment * len(view.equipment) + points.jelly * kinds.count("jelly")
    return max(mine, max(points.captured, points.killed) * kinds.count("terminator"), 1)


def _material(view: View) -> Material:
    points = view.points
    return Material(
        any(one.kind == "clonemaster" and one.place != "dead" for one in view.figures),
        sum(1 for thing in view.equipment if not thing.is_destroyed),
        _levels_left(view, "terminator"),
        _levels_left(view, "jelly"),
        view.last_turn - view.turn + 1,
        None if points is None else (points[TERMINATOR], points[CLONEMASTER]),
    )


def _levels_left(view: View, kind: str) -> int:
    return sum(
        sum((one.levels or {}).values()) for one in view.figures if one.kind == kind and one.place != "dead"
    )


def _standing(scale: _Scale, view: View) -> float:
    """Return the count, and once the game is over its result."""
    outcome = view.outcome
    if outcome is None:
        return _count(scale, _material(view))
    if outcome.winner == "draw":
        return 0.0
    value = RESULTS[outcome.level or "victory"]
    return value if outcome.winner == TERMINATOR else -value


def _count(scale: _Scale, now: Material) -> float:
    """Return a rough count of material, -1 to 1; it is no chance of winning.

    The Terminators' levels and turns left, as shares of what they began with, are weighed against what
    is left of their mission, times its guards: both are 1 at the start, so that the count is 0 there, -1
    without Terminators and 1 with the mission done. Where a scenario scores, the points made count the
    more the less time is left (6.3).
    """
    able = now.terminator_levels / max(scale.terminator_levels, 1) * now.turns_left / scale.turns
    undone = (CLONEMASTER_WORTH * now.clonemaster_lives + now.equipment) / scale.work
    guards = now.jelly_levels / scale.jelly_levels if scale.jelly_levels else 0.0
    barred = undone * (1 - GUARD + GUARD * guards)
    count = 1.0 if not undone else (able - barred) / (able + barred)
    if now.points is None:
        return count
    passed = 1 - (now.turns_left - 1) / scale.turns
    mine, theirs = now.points
    return (1 - passed) * count + passed * (mine - theirs) / scale.most_points


# Turning points


class _Game(NamedTuple):
    """What turning points are looked for in."""

    scale: _Scale
    views: Sequence[View]
    told: Sequence[Sequence[Event]]
    thrown: dict[int, list[Roll]]
    side_of: dict[str, str]


Run = Sequence[tuple[int, int]]  # positions of one moment, each with the one before it


def _turning_points(game: _Game, played: Sequence[int]) -> tuple[TurningPoint, ...]:
    """Return the moments of the largest swings in the order of the game; of equals the earlier ones."""
    by_swing: list[TurningPoint] = []
    by_luck: list[TurningPoint] = []
    for run in _moments(game.views, played):
        by_swing += _told_by_swing(game, run)
        by_luck += _told_by_luck(game, run)
    by_swing.sort(key=lambda one: (-abs(one.swing), one.position))
    by_luck.sort(key=lambda one: (-abs(one.luck), one.position))
    # One moment is told once, and what it changed says more than how lucky it was.
    first, rest = (
        by_swing[: MOST_TURNING_POINTS - MOST_BY_LUCK],
        by_swing[MOST_TURNING_POINTS - MOST_BY_LUCK :],
    )
    seen = {one.start for one in first}
    chosen = first + [one for one in by_luck if one.start not in seen][:MOST_BY_LUCK]
    seen = {one.start for one in chosen}
    chosen += [one for one in rest if one.start not in seen]
    return tuple(sorted(chosen[:MOST_TURNING_POINTS], key=lambda one: one.position))


def _moments(views: Sequence[View], played: Sequence[int]) -> Iterator[Run]:
    """Group the played positions: those of one combat belong together, any other stands alone."""
    run: list[tuple[int, int]] = []
    last: tuple[int, str, int] | None = None
    for before, position in pairwise(played):
        view = views[before]
        combat = None if view.fight is None else (view.turn, view.phase, view.fight.combat)
        if run and (combat is None or combat != last):
            yield run
            run = []
        run.append((before, position))
        last = combat
    if run:
        yield run


def _told_by_swing(game: _Game, run: Run) -> Iterator[TurningPoint]:
    """Find the turning point of a moment by its swing of the standing, if that is large enough."""
    swings = {position: _swing(game, before, position) for before, position in run}
    swing = sum(swings.values())
    if abs(swing) < LEAST_SWING:
        return
    is_good = swing > 0
    position = max(swings, key=lambda at: (swings[at] if is_good else -swings[at], -at))
    telling = _telling(game, position, is_good)
    if telling is not None:
        yield _point(game, run, position, _words(game, run, position, telling), False, swing)


def _told_by_luck(game: _Game, run: Run) -> Iterator[TurningPoint]:
    """Find the turning point of a moment by its dice, if they were lucky enough."""
    luck, dice = _luck_of(game, run), _dice(game, run)
    if abs(luck) >= LEAST_LUCK:
        telling = max(dice, key=lambda one: (_favour(one) if luck > 0 else -_favour(one), -one.position))
        swing = sum(_swing(game, before, position) for before, position in run)
        yield _point(game, run, telling.position, describe(telling.event), True, swing)


def _point(game: _Game, run: Run, position: int, text: str, is_luck: bool, swing: float) -> TurningPoint:
    first, last = game.views[run[0][0]], game.views[run[-1][1]]
    return TurningPoint(
        run[0][0],
        position,
        first.turn,
        first.phase,
        text,
        is_luck,
        swing,
        _luck_of(game, run),
        _material(first),
        _material(last),
    )


def _dice(game: _Game, run: Run) -> list[Roll]:
    """Return a moment's dice; those of recovery only follow it and are nobody's blow."""
    return [roll for _, position in run for roll in game.thrown.get(position, ()) if roll.kind != "recovery"]


def _luck_of(game: _Game, run: Run) -> float:
    return sum(_favour(roll) for roll in _dice(game, run))


def _favour(roll: Roll) -> float:
    """Return how far a die favoured the Terminators."""
    return roll.surplus if roll.side == TERMINATOR else -roll.surplus


def _swing(game: _Game, before: int, position: int) -> float:
    """Return by how much a choice changed the count; that time passes or runs out is nobody's doing."""
    if _is_time_up(game.told[position]):
        return 0.0
    was = _material(game.views[before])
    now = _material(game.views[position])._replace(turns_left=was.turns_left)
    return _count(game.scale, now) - _count(game.scale, was)


def _is_time_up(told: Sequence[Event]) -> bool:
    """Return whether the Terminators inside were lost to the last turn's end, not to a blow (R31)."""
    are_lost = any(
        isinstance(event, e.Captured) or (isinstance(event, e.Killed) and event.rule == "R31")
        for event in told
    )
    # A blow that ends the game ends it within its phase.
    return are_lost and any(isinstance(event, e.PhaseBegan) for event in told)


def _telling(game: _Game, position: int, is_good: bool) -> e.RaidEvent | None:
    """Return the most telling event of a choice among those good, or bad, for the Terminators."""
    ranked = [
        (_TELLING.index(type(event)), number)
        for number, event in enumerate(game.told[position])
        if type(event) in _TELLING and _is_good(game, event) == is_good
    ]
    found = game.told[position][min(ranked)[1]] if ranked else None
    return found if isinstance(found, e.RaidEvent) else None


def _is_good(game: _Game, event: Event) -> bool | None:
    """Return whether an event is good for the Terminators, None where it changes nothing."""
    match event:
        case e.EquipmentDestroyed():
            return True
        case e.RecoveryRolled() if not event.recovered:
            return None
        case e.Woke() | e.Exited() | e.RecoveryRolled():
            return game.side_of[event.figure] == TERMINATOR
        case e.Killed() | e.FellUnconscious() | e.Injured():
            return game.side_of[event.figure] == CLONEMASTER
    return None


def _words(game: _Game, run: Run, position: int, telling: e.RaidEvent) -> str:
    """Return an event in words, and before it the hit that led to it."""
    text = describe(telling)
    if not isinstance(telling, e.Killed | e.FellUnconscious | e.Injured):
        return text
    blows = (e.AttackResolved, e.UntrainedRolled, e.ShotRolled)
    hits = [
        event
        for _, at in run
        if at <= position
        for event in game.told[at]
        if isinstance(event, blows) and event.hit and event.target == telling.figure
    ]
    return f"{describe(hits[-1])} {text}" if hits else text


# Record sheets


def _sheets(views: Sequence[View], told: Sequence[Sequence[Event]], played: Sequence[int]) -> Iterator[Sheet]:
    """Return the sheet of every Terminator, and of every Jelly that was turned up."""
    ends = _turn_ends(views, played)
    happenings = _happenings(views, told, played)
    for figure in views[-1].figures:
        if figure.original is None or not figure.is_face_up or figure.place == "box":
            continue
        columns = tuple(_column(turn, views[position], figure) for turn, position in ends)
        yield Sheet(
            figure.name,
            figure.kind,
            figure.weapon,
            figure.original,
            columns,
            tuple(happenings.get(figure.name, ())),
        )


def _turn_ends(views: Sequence[View], played: Sequence[int]) -> list[tuple[int, int]]:
    """Return each turn with the position at its end: the first of a later turn, or the last of all."""
    ends: list[tuple[int, int]] = []
    turn = views[played[0]].turn
    for position in played:
        while views[position].turn > turn:
            ends.append((turn, position))
            turn += 1
    return [*ends, (turn, played[-1])]


def _column(turn: int, view: View, figure: FigureView) -> SheetColumn:
    now = view.figure(figure.name)
    return SheetColumn(turn, now.place, now.is_face_up, now.is_conscious, now.levels or {})


_HAPPENINGS: Final[dict[type[Event], str]] = {
    e.Entered: "came in",
    e.Revealed: "found",
    e.FellUnconscious: "fell",
    e.Woke: "woke",
    e.Killed: "died",
    e.Exited: "escaped",
    e.Captured: "captured",
}


def _happenings(
    views: Sequence[View], told: Sequence[Sequence[Event]], played: Sequence[int]
) -> dict[str, list[Happening]]:
    found: dict[str, list[Happening]] = {}
    turn = views[played[0]].turn
    for position in played:
        for event in told[position]:
            if isinstance(event, e.PhaseBegan):
                turn = event.turn
            what = _HAPPENINGS.get(type(event))
            if what is not None:
                name = event.figure  # type: ignore[attr-defined]
                found.setdefault(name, []).append(Happening(position, turn, what))
    return found
