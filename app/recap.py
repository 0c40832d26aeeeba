"""What happened while a viewer did not have the screen, kept as that viewer may know it.

A `Recaps` watches a game with the eyes of every viewer of this screen and keeps for each its present
stretch: what has come since it last decided its own moves, an act at a time, each with the view after it.
Nothing here holds more than the viewer's own Views and Events, so a recap cannot tell what they do not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from engine.core.event import Event
from engine.raid import events as e
from engine.raid.figures import CLONEMASTER, TERMINATOR
from engine.raid.view import View

PUBLIC: Final = "public"
ACTS_AT_MOST: Final = 200  # of a stretch; of more, as where a bot plays on for long, the oldest become one
MOVERS: Final = {
    "terminator-move-1": TERMINATOR,
    "terminator-move-2": TERMINATOR,
    "clonemaster-move": CLONEMASTER,
}
"""Whose movement phase a phase is."""

QUIET, PLAIN, TELLING = range(3)
# Said by other lines of the same act, or nothing that anybody came for.
_QUIET: Final = (
    e.AbilitiesSet,
    e.Placed,
    e.TakenBack,
    e.SetUpDone,
    e.PhaseBegan,
    e.CombatsFound,
    e.CombatBegan,
    e.CountersChosen,
    e.SideChose,
    e.SpikesDeclared,
    e.FirstPlayer,
    e.CounterPlayed,
    e.TargetNamed,
    e.CounterDiscarded,
    e.HandEmpty,
    e.Stopped,
    e.UntrainedDeclared,
    e.ShotDeclared,
    e.CombatEnded,
    e.Secret,
)
_TELLING: Final = (
    e.Revealed,
    e.ReinforcementsCame,
    e.Exited,
    e.Captured,
    e.EquipmentDestroyed,
    e.Injured,
    e.FellUnconscious,
    e.Killed,
    e.Woke,
    e.GameEnded,
)


class Game(Protocol):
    """What a recap needs of a Match, or of a Replay at one of its positions."""

    def view(self, viewer: str) -> View: ...
    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]: ...
    def event_count(self, viewer: str) -> int: ...


def weight(event: Event) -> int:
    """Return how much an event matters to somebody who was away: `QUIET`, `PLAIN` or `TELLING`."""
    if isinstance(event, _QUIET):
        return QUIET
    if isinstance(event, _TELLING):
        return TELLING
    if isinstance(event, e.AttackResolved | e.ShotRolled | e.UntrainedRolled):
        return TELLING if event.hit else PLAIN
    if isinstance(event, e.DoorStruck):
        return TELLING if event.destroyed else PLAIN
    return PLAIN


class Act(NamedTuple):
    """What one choice brought, as one viewer was told it, and what that viewer knew afterwards."""

    events: tuple[Event, ...]
    view: View


class Group(NamedTuple):
    """The lines of one phase: those that tell most first, each kind in the order it happened."""

    turn: int
    phase: str
    telling: tuple[Event, ...]
    plain: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """What one viewer missed: the view before it, and the acts since, the last with the present view."""

    viewer: str
    before: View
    acts: tuple[Act, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything told, oldest first."""
        return tuple(event for act in self.acts for event in act.events)

    @property
    def is_telling(self) -> bool:
        """Whether there is anything in it worth a look."""
        return any(weight(event) for event in self.events)

    def groups(self) -> list[Group]:
        """Return the lines worth reading by phase; a phase without any has no group."""
        return group_lines(self.events, self.before.turn, self.before.phase)


def group_lines(events: Iterable[Event], turn: int, phase: str) -> list[Group]:
    """Return events by phase, beginning in the phase given."""
    groups: list[Group] = []
    told: list[Event] = []

    def close() -> None:
        telling = tuple(event for event in told if weight(event) == TELLING)
        plain = tuple(event for event in told if weight(event) == PLAIN)
        if telling or plain:
            groups.append(Group(turn, phase, telling, plain))
        told.clear()

    for event in events:
        if isinstance(event, e.PhaseBegan):
            close()
            turn, phase = event.turn, event.phase
        else:
            told.append(event)
    close()
    return groups


@dataclass(slots=True)
class _Stretch:
    """What one viewer was told since it last had its own move; `missed` is the first step not watched."""

    latest: View
    count: int  # events told so far
    before: View = field(init=False)
    start: int = field(init=False)  # events told before it
    acts: list[tuple[int, Act]] = field(default_factory=list)
    missed: int | None = None
    move: tuple[int, str] | None = None  # the other side's move it began with
    is_closed: bool = False

    def __post_init__(self) -> None:
        self.before, self.start = self.latest, self.count

    def begin(self) -> None:
        """Begin anew at the latest view."""
        self.before, self.start = self.latest, self.count
        self.acts.clear()
        self.is_closed = False

    def add(self, step: int, act: Act) -> None:
        """Add what a step brought."""
        self.acts.append((step, act))
        if len(self.acts) > ACTS_AT_MOST:
            (_, oldest), (second, next_oldest) = self.acts[:2]
            self.acts[:2] = [(second, Act(oldest.events + next_oldest.events, next_oldest.view))]

    def cut(self, count: int, view: View) -> None:
        """Forget what was taken back, after which there are `count` events."""
        while self.acts and self.start + sum(len(act.events) for _, act in self.acts) > count:
            self.acts.pop()
        self.latest, self.count = view, count
        if self.start > count:
            self.begin()

    def recap(self, viewer: str, first: int) -> Recap | None:
        """Return the acts from a step on; None if there is nothing worth a look."""
        acts = [act for step, act in self.acts if step >= first]
        if not acts:
            return None
        earlier = [act.view for step, act in self.acts if step < first]
        if acts[-1].view != self.latest:
            acts.append(Act((), self.latest))
        made = Recap(viewer, earlier[-1] if earlier else self.before, tuple(acts))
        return made if made.is_telling else None


class Recaps:
    """The stretches of every viewer of one screen; `watch` after every choice."""

    def __init__(self, game: Game, sides: Sequence[str]) -> None:
        viewers = (*sides, PUBLIC) if len(sides) == 2 else tuple(sides)
        self._step = 0
        self._stretches = {
            viewer: _Stretch(game.view(viewer), game.event_count(viewer)) for viewer in viewers
        }

    def take(self, missed: Recap, game: Game) -> None:
        """Count as missed what somebody else has kept for a viewer, up to the game's present moment."""
        if missed.viewer not in self._stretches or not missed.acts:
            return
        self._step += 1
        stretch = _Stretch(game.view(missed.viewer), game.event_count(missed.viewer))
        stretch.before = missed.before
        stretch.start = stretch.count - len(missed.events)
        stretch.acts = [(self._step, act) for act in missed.acts]
        stretch.missed = self._step
        self._stretches[missed.viewer] = stretch

    def watch(self, game: Game, looking: str | None, bots: Collection[str] = ()) -> None:
        """Take in what has happened since the last time, while `looking` had the screen (None: nobody).

        For viewers among `bots` a bot has played since their own last choice: what it does is no move of
        theirs.
        """
        self._step += 1
        for viewer, stretch in self._stretches.items():
            total = game.event_count(viewer)
            view = game.view(viewer)
            if total < stretch.count:
                stretch.cut(total, view)
                continue
            if total > stretch.count:
                act = Act(game.events(viewer, stretch.count), view)
                self._add(viewer, stretch, act, looking in (viewer, PUBLIC), viewer in bots)
            stretch.latest, stretch.count = view, total

    def _add(self, viewer: str, stretch: _Stretch, act: Act, is_looking: bool, is_bot: bool) -> None:
        mover = MOVERS.get(stretch.latest.phase)
        is_own = mover == viewer and not is_bot
        if is_own or is_looking:
            # Whoever looks on has been told before what he had missed.
            stretch.missed = None
        if is_own:
            # What one does oneself needs no telling, and ends the telling of what came before.
            stretch.is_closed = True
            return
        move = (stretch.latest.turn, mover) if mover is not None else None
        if not is_looking:
            if stretch.missed is None:
                stretch.begin()
                stretch.missed = self._step
        elif move is not None and viewer != PUBLIC and move != stretch.move:
            stretch.begin()
        if move is not None:
            stretch.move = move
        if not stretch.is_closed:
            stretch.add(self._step, act)

    def unseen(self, viewer: str) -> Recap | None:
        """Return what a viewer has missed, None if nothing worth a look; then it counts as seen.

        What lies open to both is told from where the first of the two has missed something.
        """
        stretch = self._stretches.get(viewer)
        if stretch is None:
            return None
        others = [one for one in self._stretches.values() if one is not stretch]
        first = stretch.missed
        if viewer == PUBLIC and first is not None:
            steps = [one.missed for one in others if one.missed is not None]
            first = max(first, min(steps)) if steps else None
        for one in (stretch, *others) if viewer == PUBLIC else (stretch,):
            one.missed = None
        return stretch.recap(viewer, first) if first is not None else None

    def last(self, viewer: str) -> Recap | None:
        """Return the whole stretch, seen or not; None if there is nothing worth a look."""
        stretch = self._stretches.get(viewer)
        return stretch.recap(viewer, 0) if stretch is not None else None

    def forget_seen(self) -> None:
        """Count everything as missed, as after a night's sleep."""
        for stretch in self._stretches.values():
            stretch.missed = 0


class History(Protocol):
    """What is needed of a Replay to recall a game taken up again."""

    @property
    def length(self) -> int: ...
    def go(self, position: int) -> None: ...
    def view(self, viewer: str) -> View: ...
    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]: ...


class _Moment:
    """A Replay's position in the form of a Match that began at the position `first`."""

    def __init__(self, history: History, first: int) -> None:
        self._history = history
        self._told: dict[str, list[Event]] = {}
        self._at = first
        history.go(first)

    def go_on(self) -> None:
        """Go a choice further."""
        self._at += 1
        self._history.go(self._at)
        for viewer, told in self._told.items():
            told += self._history.events(viewer)[len(told) :] if self._at == 1 else self._news(viewer)

    def _news(self, viewer: str) -> tuple[Event, ...]:
        return self._history.events(viewer, self._at - 1)

    def view(self, viewer: str) -> View:
        return self._history.view(viewer)

    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]:
        return tuple(self._kept(viewer)[since:])

    def event_count(self, viewer: str) -> int:
        return len(self._kept(viewer))

    def _kept(self, viewer: str) -> list[Event]:
        if viewer not in self._told:
            self._told[viewer] = list(self._history.events(viewer))
        return self._told[viewer]


def recall(history: History, sides: Sequence[str], bot_since: Mapping[str, int] | None = None) -> Recaps:
    """Return the recaps of a game that was played earlier, nothing of them seen.

    `bot_since` says of a side from which position on a bot has made its choices.
    """
    since = {side: position for side, position in (bot_since or {}).items() if side in sides}

    def turn(position: int) -> int:
        history.go(position)
        return history.view(PUBLIC).turn

    # A stretch never reaches back beyond the turn before the present one, or before a bot began to play.
    present = min((history.length, *since.values()))
    first = bisect_left(range(history.length), turn(present) - 1, key=turn)
    moment = _Moment(history, first)
    recaps = Recaps(moment, sides)
    for position in range(first, history.length):
        mover = MOVERS.get(history.view(PUBLIC).phase)
        moment.go_on()
        looking = mover if len(sides) == 2 and mover is not None else PUBLIC
        bots = [side for side, start in since.items() if start <= position]
        recaps.watch(moment, None if bots else looking, bots)
    recaps.forget_seen()
    return recaps
