"""The one place where a row of a record becomes the next state, for games under way and for replays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.core import agreement, takeback
from engine.core.agreement import ABOUT_DRAWS, AnswerDraw, AskDraw, DrawAnswered, DrawAsked
from engine.core.decision import Choice, Decision, IllegalChoice
from engine.core.dice import Dice, OutOfDice
from engine.core.event import Telling, tell_all
from engine.core.files import BadFile
from engine.core.record import Record, RecordedChoice
from engine.core.rules import Rules, ScenarioT, StateT
from engine.core.takeback import (
    ABOUT_TAKEBACKS,
    AnswerTakeback,
    AskTakeback,
    TakebackAnswered,
    TakebackAsked,
)

T = TypeVar("T")

BY_CONSENT: Final = ABOUT_TAKEBACKS + ABOUT_DRAWS  # choices that ask for the other side's consent, or give it


class _Step(Generic[StateT]):
    """A choice that led to the present state.

    `before` is the state it was made in, where that is kept; `dice` are those put in right before it,
    None where the dice simply went on.
    """

    __slots__ = ("before", "choice", "dice", "moment", "side")

    def __init__(
        self, side: str, choice: Choice, moment: Any, before: StateT | None, dice: Dice | None
    ) -> None:
        self.side = side
        self.choice = choice
        self.moment = moment
        self.before = before
        self.dice = dice


class Asked(NamedTuple):
    """A takeback that waits for its answer: who asks, and back to before which step."""

    side: str
    step: int
    what: str


class Course(Generic[StateT, ScenarioT]):
    """A game from its start on: the present state, and the choices that led to it.

    `length` counts the rows of the record so far, among them questions and answers about takebacks and
    draws. `asked` is the takeback that waits for its answer, `draw_asked` the side whose offer of a draw
    does, "" if none; at most one of them waits.
    `loose` counts the last choices that their side may undo alone. States are kept for these only, or
    for all with `keeps_states`; others are worked out again when a takeback goes there.

    Raises OutOfDice where scripted dice do not last.
    """

    def __init__(
        self,
        rules: Rules[StateT, ScenarioT],
        record: Record,
        scenario: ScenarioT,
        *,
        keeps_states: bool = False,
    ) -> None:
        self._rules = rules
        self._record = record
        self._scenario = scenario
        self._keeps_states = keeps_states
        self._reseeds = {reseed.at: reseed for reseed in record.reseeds}
        self._steps: list[_Step[StateT]] = []
        # How many steps there were when a side was last declined a takeback, and when a draw.
        self._refused: dict[str, int] = {}
        self._refused_draws: dict[str, int] = {}
        self._jump: Dice | None = None
        self.asked: Asked | None = None
        self.draw_asked = ""
        self.length = 0
        self.loose = 0
        self.state, self.told_at_start = rules.start(scenario, record.make_dice())
        self._reseed()

    def decisions(self) -> tuple[Decision, ...]:
        """Return the open decisions: while a takeback or a draw is asked for, only the answer to that."""
        if self.asked is not None:
            return (takeback.question(self._other(self.asked.side), self.asked.what),)
        if self.draw_asked:
            return (agreement.question(self._other(self.draw_asked)),)
        return self._rules.decisions(self.state)

    def apply(self, side: str, choice: Choice) -> list[Telling]:
        """Make a choice; return what happened. Raises IllegalChoice, and then nothing has changed."""
        if isinstance(choice, BY_CONSENT):
            told = self._consent(side, choice)
        elif self._is_asked:
            raise self._unanswered()
        else:
            told = self._advance(side, choice)
        self.length += 1
        if self._reseeds:
            self._reseed()
        return told

    def why(self, side: str, choice: Choice) -> IllegalChoice | None:
        """Return why a side may not choose something now, from what it may know; None where it may."""
        if isinstance(choice, BY_CONSENT):
            return self._why_no_consent(side, choice)
        if self._is_asked:
            return self._unanswered()
        return self._rules.why(self.state, side, choice)

    def taken_back_by(self, side: str) -> str:
        """Return in public words the choice before which a side's takeback would go back, "" if none."""
        at = self._last_of(side)
        return self._what(at) if at >= 0 else ""

    def undo(self) -> None:
        """Go back to before the last choice, as if it had never been made; needs one that is `loose`."""
        step = self._steps.pop()
        assert step.before is not None
        self.state, self._jump = step.before, step.dice
        self.loose -= 1
        self.length -= 1

    # Choices of the game

    def _advance(self, side: str, choice: Choice) -> list[Telling]:
        rules, steps, before = self._rules, self._steps, self.state
        after, told = rules.advance(before, side, choice)
        self.state = after
        is_loose = rules.may_undo(before, after, told)
        if self.loose and (not is_loose or steps[-1].side != side):
            self._settle()
        kept = before if is_loose or self._keeps_states else None
        steps.append(_Step(side, choice, rules.moment(before), kept, self._jump))
        self._jump = None
        if is_loose:
            self.loose += 1
        return told

    def _settle(self) -> None:
        """Make what was chosen so far final, but for a takeback by consent."""
        if not self._keeps_states:
            for step in self._steps[len(self._steps) - self.loose :]:
                step.before = None
        self.loose = 0

    def _reseed(self) -> None:
        """Put other dice in where the record says that a game branches off here."""
        reseed = self._reseeds.get(self.length)
        if reseed is not None:
            self._put_dice(reseed.make_dice())
            self._settle()

    def _put_dice(self, dice: Dice) -> None:
        self._jump = dice.copy()
        self.state = self._rules.with_dice(self.state, dice)

    # What needs the other side's consent

    @property
    def _is_asked(self) -> bool:
        """Whether a question waits for its answer."""
        return self.asked is not None or bool(self.draw_asked)

    def _unanswered(self) -> IllegalChoice:
        what = "goes back" if self.asked is not None else "ends as a draw"
        return IllegalChoice(f"first it must be answered whether the game {what}", "")

    def _consent(self, side: str, choice: Choice) -> list[Telling]:
        refusal = self._why_no_consent(side, choice)
        if refusal is not None:
            raise refusal
        if isinstance(choice, AskTakeback):
            return self._ask_takeback(side)
        if isinstance(choice, AnswerTakeback):
            return self._answer_takeback(side, agrees=choice.agrees)
        if isinstance(choice, AnswerDraw):
            return self._answer_draw(side, agrees=choice.agrees)
        return self._ask_draw(side)

    def _why_no_consent(self, side: str, choice: Choice) -> IllegalChoice | None:
        """Return why a side may not ask for the other's consent, or give its own."""
        if isinstance(choice, AnswerTakeback | AnswerDraw):
            return self._why_not_answer(side, choice)
        if self._rules.is_over(self.state):
            return IllegalChoice("the game is over, and its secrets are open", "")
        if self._is_asked:
            return self._unanswered()
        is_draw = isinstance(choice, AskDraw)
        if not is_draw and self._last_of(side) < 0:
            return IllegalChoice("nothing to take back: no choice of yours stands", "")
        if (self._refused_draws if is_draw else self._refused).get(side) == len(self._steps):
            return IllegalChoice(
                "this was asked and declined; it can be asked again after another choice", ""
            )
        return None

    def _why_not_answer(self, side: str, choice: AnswerTakeback | AnswerDraw) -> IllegalChoice | None:
        if isinstance(choice, AnswerDraw):
            asker, nobody = self.draw_asked, "nobody has offered a draw"
        else:
            asker = self.asked.side if self.asked is not None else ""
            nobody = "nobody has asked to take anything back"
        if not asker:
            return IllegalChoice(nobody, "")
        if side == asker:
            return IllegalChoice("the other player answers this", "")
        return None

    def _other(self, side: str) -> str:
        first, second = self._rules.sides
        return second if side == first else first

    # Takebacks

    def _last_of(self, side: str) -> int:
        """Return the number of a side's last step, -1 if there is none."""
        steps = self._steps
        return next((at for at in range(len(steps) - 1, -1, -1) if steps[at].side == side), -1)

    def _what(self, at: int) -> str:
        step = self._steps[at]
        return self._rules.name_choice(step.side, step.choice, step.moment)

    def _ask_takeback(self, side: str) -> list[Telling]:
        at = self._last_of(side)
        self.asked = Asked(side, at, self._what(at))
        self._settle()
        return [tell_all(TakebackAsked("", side, self.asked.what))]

    def _answer_takeback(self, side: str, *, agrees: bool) -> list[Telling]:
        assert self.asked is not None
        asked, self.asked = self.asked, None
        if agrees:
            dice = self._rules.dice(self.state)
            self.state = self._state_before(asked.step)
            del self._steps[asked.step :]
            self._refused.clear()
            self._refused_draws.clear()
            self._put_dice(dice)
        else:
            self._refused[asked.side] = len(self._steps)
        return [tell_all(TakebackAnswered("", side, agrees, asked.what))]

    def _state_before(self, at: int) -> StateT:
        """Return the state that a step was made in, worked out from the start if it was not kept."""
        kept = self._steps[at].before
        if kept is not None:
            return kept
        rules = self._rules
        state, _ = rules.start(self._scenario, self._record.make_dice())
        for step in self._steps[:at]:
            if step.dice is not None:
                state = rules.with_dice(state, step.dice)
            state, _ = rules.advance(state, step.side, step.choice)
        return state

    # Draws

    def _ask_draw(self, side: str) -> list[Telling]:
        self.draw_asked = side
        self._settle()
        return [tell_all(DrawAsked("", side))]

    def _answer_draw(self, side: str, *, agrees: bool) -> list[Telling]:
        asker, self.draw_asked = self.draw_asked, ""
        told = [tell_all(DrawAnswered("", side, agrees))]
        if agrees:
            self.state, ending = self._rules.end_as_draw(self.state)
            told += ending
        else:
            self._refused_draws[asker] = len(self._steps)
        return told


def started(make: Callable[[], T], path: str) -> T:
    """Return what a record's game starts as; raises BadFile where its scripted dice do not last so far."""
    try:
        return make()
    except OutOfDice as error:
        raise BadFile([f"dice: {error}"], path) from error


def follow(
    rules: Rules[Any, Any], record: Record, make: Callable[[str, Choice], T], path: str
) -> Iterator[T]:
    """Make a record's choices one after another, and yield what `make` returns of each.

    Raises BadFile with the place of the first that cannot be made.
    """
    for number, row in enumerate(record.choices):
        try:
            made = make(row.side, _unpacked(rules, row))
        except (IllegalChoice, _BadRow, OutOfDice) as error:
            raise BadFile([f"choices[{number}]: {error}"], path) from error
        yield made


class _BadRow(Exception):
    """A record's row that names no side or no choice."""


def _unpacked(rules: Rules[Any, Any], row: RecordedChoice) -> Choice:
    if row.side not in rules.sides:
        raise _BadRow(f"{row.side[:40]!r} is not one of {' '.join(rules.sides)}")
    try:
        return rules.unpack_choice(row.choice)
    except ValueError as error:
        raise _BadRow(str(error)) from error
