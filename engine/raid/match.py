"""A match of the raid: the engine's Match with this game's rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import Dice, ScriptedDice
from engine.core.event import Event, Telling
from engine.core.files import BadFile
from engine.core.match import Match
from engine.core.record import Record, load_record
from engine.core.replay import Replay
from engine.core.shares import seed_from
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.fortress.board import Board
from engine.raid import events, knowledge, redact, rules, takeback, victory
from engine.raid.choices import AnyChoice
from engine.raid.figures import SIDES
from engine.raid.problems import check_playable
from engine.raid.scenario import KIND, VERSION, Scenario, format_scenario, parse_scenario, plan_of
from engine.raid.state import CHOOSE, OVER, State
from engine.raid.view import View

# Events that tell a side something it did not know: a choice that brought one is not taken back.
_REVEALING = (events.Revealed, events.HandEmpty, events.FirstPlayer, events.Secret)


def ends_undo(event: Event) -> bool:
    """Return whether nobody can take back alone what brought an event: a die, or something turned up."""
    return isinstance(event, _REVEALING) or getattr(event, "die", None) is not None


class RaidRules:
    """The rules of the raid in the form a Match needs."""

    sides: tuple[str, str] = SIDES

    def start(self, scenario: Scenario, dice: Dice) -> tuple[State, list[Telling]]:
        return rules.start(scenario, dice)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        return rules.sealed_decisions(state)

    def advance(self, state: State, side: str, choice: Choice) -> tuple[State, list[Telling]]:
        return rules.advance(state, side, choice)

    def why(self, state: State, side: str, choice: Choice) -> IllegalChoice | None:
        return rules.why(state, side, choice)

    def view(self, state: State, viewer: str) -> View:
        return redact.view(state, viewer)

    def view_open(self, state: State) -> View:
        return redact.open_view(state)

    def board(self, state: State) -> Board:
        return state.game.board

    def is_over(self, state: State) -> bool:
        return state.phase == OVER

    def end_as_draw(self, state: State) -> tuple[State, list[Telling]]:
        new = state.copy()
        tell: list[Telling] = []
        victory.end_as_draw(new, tell)
        return new, tell

    def may_undo(self, before: State, after: State, told: Sequence[Telling]) -> bool:
        """Return whether a choice rolled no die, drew nothing and turned nothing up (contract 6)."""
        if after.dice.count != before.dice.count or after.phase == OVER:
            return False
        if rolls_used(after.dice) != rolls_used(before.dice):
            return False
        if _is_choosing(before) and not _is_choosing(after):
            # Who chose counters last has learnt from what comes next whether the other hand is empty (R16).
            return False
        return not any(telling.public is not None and ends_undo(telling.public) for telling in told)

    def dice(self, state: State) -> Dice:
        return state.dice

    def with_dice(self, state: State, dice: Dice) -> State:
        return state.copy(dice.copy())

    def moment(self, state: State) -> takeback.Moment:
        """Return turn and phase."""
        return state.turn, state.phase

    def name_choice(self, side: str, choice: Choice, moment: takeback.Moment) -> str:
        return takeback.name_choice(side, choice, moment)

    def pack_scenario(self, scenario: Scenario) -> dict[str, Any]:
        """Return a scenario in JSON form with its map inside."""
        game = rules.game_of(scenario)
        if game.packed is None:
            whole = msgspec.structs.replace(scenario, map=plan_of(scenario))
            game.packed = format_scenario(whole)
        packed: dict[str, Any] = msgspec.json.decode(game.packed)
        return packed

    def unpack_scenario(self, packed: dict[str, Any], path: str) -> Scenario:
        """Return the scenario of a record; raises BadFile."""
        if packed.get("format") != KIND:
            raise BadFile([f'scenario.format: not "{KIND}"'], path)
        if not isinstance(packed.get("version"), int):
            raise BadFile([f"scenario.version: not a number up to {VERSION}"], path)
        try:
            scenario = parse_scenario(msgspec.json.encode(packed))
            check_playable(scenario)
        except BadFile as error:
            raise BadFile([f"scenario.{line}" for line in error.problems], path) from error
        return scenario

    def pack_choice(self, choice: Choice) -> dict[str, Any]:
        packed: dict[str, Any] = msgspec.to_builtins(choice)
        return packed

    def unpack_choice(self, packed: dict[str, Any]) -> Choice:
        """Return the choice of a JSON object; raises ValueError with the place and reason."""
        return parse_choice(packed)


GameChoice = AnyChoice | AskTakeback | AnswerTakeback | AskDraw | AnswerDraw


def parse_choice(packed: Any) -> Choice:
    """Return the choice of a JSON object such as {"do": "end-phase"}; raises ValueError."""
    try:
        choice: Choice = msgspec.convert(packed, GameChoice)
    except msgspec.ValidationError as error:
        raise ValueError(f"choice: {error}") from error
    return choice


def _is_choosing(state: State) -> bool:
    return state.fight is not None and state.fight.step == CHOOSE


def rolls_used(dice: Dice) -> int:
    """Return how many scripted rolls have fallen; 0 for seeded dice, which count for themselves."""
    return dice.used if isinstance(dice, ScriptedDice) else 0


def _check_free(path: Path | None) -> None:
    """Refuse to write a new game over another; raises FileExistsError."""
    if path is not None and path.exists():
        raise FileExistsError(f"{path}: there is a game already")


RULES = RaidRules()


class RaidMatch(Match[State, Scenario]):
    """One game of the raid."""

    _viewed: State | None = None  # the state that the views are of
    _views: dict[str, View]

    @classmethod
    def new(
        cls,
        scenario: Scenario,
        seed: str,
        *,
        seats: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        path: Path | None = None,
        dice: Sequence[int] | None = None,
        shares: Mapping[str, str] | None = None,
        write: Callable[[Path, bytes], None] | None = None,
    ) -> Self:
        """Return a new game; `dice` are scripted rolls for worked examples, `path` where it saves itself.

        `shares` are what `seed` follows from, where it was made by several; `write` writes the file, where
        that is not done here and now. Raises FileExistsError rather
        than write over another game, ValueError for a seed that does not follow from the shares.
        """
        if shares is not None and seed_from(shares) != seed:
            raise ValueError("the seed does not follow from the shares")
        _check_free(path)
        record = Record(
            title=scenario.name,
            seed=seed,
            dice=None if dice is None else tuple(dice),
            shares=None if shares is None else dict(shares),
            seats=dict(seats or {}),
            names=dict(names or {}),
            scenario=RULES.pack_scenario(scenario),
        )
        match = cls(RULES, record, scenario, path)
        match.write = write
        match.save()
        return match

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Self:
        """Return the game of a record file where it stopped; it goes on saving there. Raises BadFile."""
        record = load_record(path)
        scenario = RULES.unpack_scenario(record.scenario, os.fspath(path))
        return cls.resumed(RULES, record, scenario, Path(path))

    @classmethod
    def from_record(cls, record: Record, path: Path | None = None) -> Self:
        """Return the game of a record at its end, saved at `path` if one is given. Raises BadFile."""
        return cls.resumed(RULES, record, RULES.unpack_scenario(record.scenario, ""), path)

    @classmethod
    def branch(
        cls,
        record: Record,
        at: int,
        seed: str,
        *,
        seats: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        path: Path | None = None,
        dice: Sequence[int] | None = None,
    ) -> Self:
        """Return a new game from what a record was after `at` choices: the same secrets, other dice.

        `dice` are scripted rolls; `seats` and `names` are the record's if not given. Raises FileExistsError
        rather than write over another game, ValueError where the game is over there, BadFile.
        """
        _check_free(path)
        made = record.branched(at, seed, None if dice is None else tuple(dice))
        made = msgspec.structs.replace(
            made,
            seats=dict(record.seats if seats is None else seats),
            names=dict(record.names if names is None else names),
        )
        match = cls.from_record(made, path)
        if match.is_over:
            raise ValueError("the game is over there")
        match.save()
        return match

    @property
    def board(self) -> Board:
        """The compiled board, which is public; another object once doors or computers were added (7.4)."""
        return self._state.game.board

    def view(self, viewer: str) -> View:
        """Return what a viewer knows: a side, "public", or "open" once the game is over (else ValueError)."""
        state = self._state
        if state is not self._viewed:
            # Many ask between two choices, as at a table of several people; a state never changes.
            self._viewed, self._views = state, {}
        if viewer not in self._views:
            self._views[viewer] = redact.view(state, viewer)
        return self._views[viewer]

    def known(self, side: str) -> dict[str, Any]:
        """Return what a side's decisions and refusals follow from, as plain values for a `KnownGame`."""
        self._check_side(side)
        return knowledge.pack_known(self._state, SIDES.index(side), self._course)


class RaidReplay(Replay[State, Scenario]):
    """A record of the raid gone through forwards and backwards."""

    @classmethod
    def of(cls, record: Record, path: str = "") -> Self:
        """Return the replay of a record; raises BadFile where it does not follow the rules."""
        return cls(RULES, record, RULES.unpack_scenario(record.scenario, path), path)

    @property
    def board(self) -> Board:
        """The compiled board at this position; another object once doors or computers were added (7.4)."""
        return self.state().game.board
