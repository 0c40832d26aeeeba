"""The authority over one game: asks, checks, tells, records."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Self

import msgspec

from engine.core.agreement import AskDraw
from engine.core.course import BY_CONSENT, Course, follow, started
from engine.core.decision import Choice, Decision, IllegalChoice, StaleChoice
from engine.core.event import Event, Telling
from engine.core.files import write_atomic
from engine.core.player import Player
from engine.core.record import Record, RecordedChoice, RecordWriter
from engine.core.rules import Rules, ScenarioT, StateT
from engine.core.takeback import AskTakeback

PUBLIC, OPEN = "public", "open"


class Match(Generic[StateT, ScenarioT]):
    """One game under way, for whoever sits in its seats.

    States are never changed once shown: a choice makes a new one, so a player who thinks in another
    thread keeps what he was given. With a `path` the record is written after every choice. A match
    begins at the start of the record it is given; `resumed` makes the record's choices too.

    Wherever a side or a viewer is named, an unknown one raises ValueError.
    """

    def __init__(
        self,
        rules: Rules[StateT, ScenarioT],
        record: Record,
        scenario: ScenarioT,
        path: Path | None = None,
    ) -> None:
        self._rules = rules
        self.scenario = scenario
        self.path = path
        self.write: Callable[[Path, bytes], None] | None = None
        """What writes the record, where that is not done here and now."""
        self._base = msgspec.structs.replace(record, choices=())
        self._writer = RecordWriter(self._base) if path is not None else None
        self._told: dict[str, list[Event]] = {side: [] for side in (*rules.sides, PUBLIC, OPEN)}
        self._choices: list[tuple[str, Choice]] = []
        # How much each viewer had been told before each choice that can be undone.
        self._told_before: list[list[int]] = []
        self._revision = 0
        self._course = Course(rules, self._base, scenario)
        self._tell(self._course.told_at_start)
        self._decisions: tuple[Decision, ...] = ()
        self._ask(None)

    @classmethod
    def resumed(
        cls,
        rules: Rules[StateT, ScenarioT],
        record: Record,
        scenario: ScenarioT,
        path: Path | None,
    ) -> Self:
        """Return a match with all of a record's choices made; raises BadFile where one is not legal."""
        name = os.fspath(path) if path else ""
        match = started(lambda: cls(rules, record, scenario), name)
        for _ in follow(rules, record, match.submit, name):
            pass
        match.path = path
        match._writer = RecordWriter(match.record) if path is not None else None
        return match

    @property
    def _state(self) -> StateT:
        """The whole truth."""
        return self._course.state

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides."""
        return self._rules.sides

    @property
    def board(self) -> Any:
        """The compiled board, which is public; another object once a choice has changed it."""
        return self._rules.board(self._state)

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sits on each side: "human" or a bot's name."""
        return self._base.seats

    @property
    def names(self) -> Mapping[str, str]:
        """What the players are called."""
        return self._base.names

    @property
    def revision(self) -> int:
        """A number that grows with every choice and every undo, so that no moment has that of another."""
        return self._revision

    @property
    def length(self) -> int:
        """The number of choices in the record."""
        return len(self._choices)

    @property
    def is_over(self) -> bool:
        return self._rules.is_over(self._state)

    @property
    def record(self) -> Record:
        """The record with all choices so far."""
        return msgspec.structs.replace(self._base, choices=tuple(self._row(*made) for made in self._choices))

    def _row(self, side: str, choice: Choice) -> RecordedChoice:
        return RecordedChoice(side, self._rules.pack_choice(choice))

    # Asking

    def decisions(self) -> tuple[Decision, ...]:
        """Return the open decisions, at most one a side; none when the game is over.

        Each is made from what its side may know, so that no player is handed anything that leads to
        the whole state.
        """
        return self._decisions

    def decision(self, side: str) -> Decision | None:
        """Return what a side is asked now, or None."""
        self._check_side(side)
        for decision in self._decisions:
            if decision.side == side:
                return decision
        return None

    def waiting(self, side: str) -> str:
        """Return what a side waits for while the other decides, "" where it must decide itself."""
        self._check_side(side)
        if any(asked.side == side and not asked.optional for asked in self._decisions):
            return ""
        return next((other.waiting for other in self._decisions if other.side != side), "")

    def _ask(self, by: str | None) -> None:
        """Find out who must decide now, after side `by` chose or undid (None: at the start, of consent)."""
        # Where both sides choose at the same time, the other's choice leaves mine as it was.
        kept = [old for old in self._decisions if not old.optional and by not in (None, old.side)]
        decisions = self._course.decisions()
        self._decisions = tuple(
            [msgspec.structs.replace(new, revision=self._since(new, kept)) for new in decisions]
        )

    def _since(self, decision: Decision, kept: Sequence[Decision]) -> int:
        """Return the revision since which a decision has been open."""
        for old in kept:
            if old.side == decision.side and old.kind == decision.kind:
                return old.revision
        return self._revision

    def _check_side(self, side: str) -> None:
        if side not in self._rules.sides:
            raise ValueError(f"{side!r} is not one of {' '.join(self._rules.sides)}")

    # Answering

    def submit(self, side: str, choice: Choice, revision: int | None = None) -> None:
        """Make a side's choice.

        Raises StaleChoice where `revision` is not that of the side's open decision, IllegalChoice for
        what the rules refuse; then nothing has changed. Raises OSError where the record cannot be
        written: then the choice stands, and `save` tries again.
        """
        self._check_side(side)
        if revision is not None and self._is_stale(side, choice, revision):
            raise StaleChoice
        told = self._course.apply(side, choice)
        self._choices.append((side, choice))
        self._revision += 1
        loose = self._course.loose
        if loose:
            del self._told_before[: len(self._told_before) - (loose - 1)]
            self._told_before.append([len(kept) for kept in self._told.values()])
        else:
            self._told_before.clear()
        self._tell(told)
        self._ask(None if isinstance(choice, BY_CONSENT) else side)
        if self._writer is not None:
            self._writer.append(self._row(side, choice))
            self._save()

    def _is_stale(self, side: str, choice: Choice, revision: int) -> bool:
        """Return whether a choice was made for a moment that has passed; to ask answers no decision."""
        if isinstance(choice, AskTakeback | AskDraw):
            return revision != self.revision
        asked = self.decision(side)
        return asked is None or asked.revision != revision

    def why(self, side: str, choice: Choice) -> IllegalChoice | None:
        """Return why a side may not choose something now, from what it may know; None where it may."""
        self._check_side(side)
        return self._course.why(side, choice)

    def taken_back_by(self, side: str) -> str:
        """Return in public words the choice before which a side's takeback would go back, "" if none."""
        self._check_side(side)
        return self._course.taken_back_by(side)

    def can_undo(self, side: str) -> bool:
        """Return whether a side may take its last choice back: no roll or reveal, and still its turn."""
        if not self._course.loose or self._choices[-1][0] != side:
            return False
        return any(asked.side == side and not asked.optional for asked in self._decisions)

    def undo(self, side: str, revision: int | None = None) -> None:
        """Take a side's last choice back; the record is a choice shorter.

        Raises StaleChoice where `revision` is not that of the side's open decision, IllegalChoice where it
        may not, OSError where the record cannot be written (see `submit`).
        """
        self._check_side(side)
        asked = self.decision(side)
        if revision is not None and asked is not None and asked.revision != revision:
            raise StaleChoice
        if not self.can_undo(side):
            raise IllegalChoice(
                "nothing to take back: a roll, a reveal or the other side's turn came after", ""
            )
        self._course.undo()
        for kept, length in zip(self._told.values(), self._told_before.pop(), strict=True):
            del kept[length:]
        self._choices.pop()
        self._revision += 1
        self._ask(side)
        if self._writer is not None:
            self._writer.shorten()
            self._save()

    def save(self) -> None:
        """Write the record now (a game just begun has no choice yet)."""
        if self._writer is not None:
            self._save()

    def _save(self) -> None:
        assert self.path is not None
        assert self._writer is not None
        (self.write or write_atomic)(self.path, self._writer.to_bytes())

    # Telling

    def view(self, viewer: str) -> Any:
        """Return what a viewer knows: a side, "public", or "open" once the game is over (else ValueError)."""
        return self._rules.view(self._state, viewer)

    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]:
        """Return what a viewer has been told, from its event number `since` on.

        Raises ValueError for "open" before the game is over.
        """
        if viewer == OPEN and not self.is_over:
            raise ValueError("secrets are open only when the game is over")
        return tuple(self._kept(viewer)[since:])

    def event_count(self, viewer: str) -> int:
        """Return how many events a viewer has been told."""
        return len(self._kept(viewer))

    def _kept(self, viewer: str) -> list[Event]:
        if viewer not in self._told:
            raise ValueError(f"{viewer!r} is not one of {' '.join(self._told)}")
        return self._told[viewer]

    def _tell(self, told: Sequence[Telling]) -> None:
        first, second = (self._told[side] for side in self._rules.sides)
        public, full = self._told[PUBLIC], self._told[OPEN]
        for telling in told:
            if telling.first is not None:
                first.append(telling.first)
            if telling.second is not None:
                second.append(telling.second)
            if telling.public is not None:
                public.append(telling.public)
            full.append(telling.full)


class Table:
    """A match and the players seated at it, a step at a time."""

    def __init__(self, match: Match[Any, Any], players: Mapping[str, Player]) -> None:
        self.match = match
        self.players = players
        self._seen = dict.fromkeys(players, 0)
        self._board: Any = None
        self._seat()

    def step(self) -> None:
        """Ask the players once, standing offers first, and make one choice.

        Raises RuntimeError where nobody decides.
        """
        self.tell()
        match = self.match
        asked = match.decisions()
        if len(asked) > 1:
            asked = tuple(sorted(asked, key=lambda decision: not decision.optional))
        for decision in asked:
            player = self.players[decision.side]
            choice = player.decide(match.view(decision.side) if player.wants_view else None, decision)
            if choice is not None:
                match.submit(decision.side, choice, decision.revision)
                self._seat()
                return
            if not decision.optional:
                raise RuntimeError(f"the {decision.side} player did not decide ({decision.kind})")
        raise RuntimeError("nobody decides")

    def _seat(self) -> None:
        """Show the players the board, at the start and when a choice has changed it."""
        board = self.match.board
        if board is not self._board:
            self._board = board
            for side, player in self.players.items():
                player.begin(side, self.match.scenario, board)

    def tell(self) -> None:
        """Tell the players what has happened since they were last told, on resuming all of it."""
        for side, player in self.players.items():
            if player.wants_events:
                events = self.match.events(side, self._seen[side])
                if events:
                    player.see(events)
                    self._seen[side] += len(events)


def play(match: Match[Any, Any], players: Mapping[str, Player], limit: int = 1_000_000) -> None:
    """Let players finish a match; raises RuntimeError after `limit` choices (a player that stalls)."""
    table = Table(match, players)
    for _ in range(limit):
        if match.is_over:
            table.tell()
            return
        table.step()
    raise RuntimeError(f"the game did not end within {limit} choices")
