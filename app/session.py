"""One game as this screen sees it: whose eyes it has, what it must answer, and what it must not show.

Panels talk to the Session and never to the Match. The rules of secrecy at one screen:

- With one person at the screen, the screen has his side's eyes from the start to the end.
- With two, a curtain falls before a set-up, before a secret choice of counters and before a side's own
  movement phase; everything else is decided with the public's eyes. What a mover may not show even
  then (his hand, his injuries) he sees only while he holds the key or button that calls `peek`.
- Under the curtain `view`, `decision` and `events` are empty, and so are the panels.
- Whoever comes to the screen after others have acted is told a `recap` first, as his own side was told of
  it. While it lasts `view` is what he knew before and nothing is asked; then comes the present.
- Where a host on another machine decides, the screen has the eyes of its own seat. What comes from there
  is shown in order: it waits for what is being shown. Nothing is asked while the host cannot be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, QTimer, Signal, Slot

from app.consent import Draw, Takeback
from app.recap_show import RecapShow
from app.seats.bot import Answer, Asked, BotSeat
from app.settings import SettingsStore
from engine.core.agreement import DRAW
from engine.core.decision import Choice, Decision, IllegalChoice, Options
from engine.core.event import Event
from engine.core.player import Player
from engine.core.takeback import TAKEBACK, TakebackAnswered
from engine.raid.choices import LoseAbility, Pass, ReleaseCloneMaster
from engine.raid.figures import CLONEMASTER, OTHER_SIDE, SIDE_NAMES, SIDES, TERMINATOR
from engine.raid.view import View

if TYPE_CHECKING:
    from app.lan_game import WayOn
    from app.recap import Recap
    from engine.fortress.board import Board
    from engine.raid.scenario import Scenario

HUMAN: Final = "human"

# Decided behind the curtain when two people share the screen, with what to say of it.
PRIVATE: Final = {
    "set-up-terminator": "to give the Terminators their abilities in secret",
    "set-up-clonemaster": "to place the counters face down",
    "choose-counters": "to choose tactics counters in secret",
    "terminator-move": "to move the Terminators",
    "clonemaster-move": "to release and move the CloneMaster's figures",
}
# Decided in the open, but the choices themselves would tell a secret: shown only while peeking.
HIDDEN_OPTIONS: Final = frozenset({"play-counter", "lose-ability", "show-mist", "show-soul", "throw-spikes"})
# A bot's choices that nobody can follow on the board, so that nobody need wait for them.
UNSEEN: Final = frozenset(
    {"set-up-terminator", "set-up-clonemaster", "choose-counters", "release-clonemaster"}
)
# Decisions of a bot whose reasons tell nothing that the other side may not know. For the rest the
# reason could: what an injury cost, what a hand holds (R16, R24).
SAID: Final = frozenset(
    {
        "place-extras",
        "terminator-move",
        "clonemaster-move",
        "free-move",
        "free-move-when",
        "fight-order",
        "who-begins",
        "name-target",
        "untrained",
        "gunfire",
        "displace",
    }
)
THINKING_SHOWN_AFTER: Final = 120  # ms
OVERTAKEN: Final = "the other side acted first, so what you asked for was not done"
RECAP_WAITING: Final = "what happened since you last looked is being shown; end that first"


class GameMatch(Protocol):
    """What a Session needs of a Match; see engine/core/match.py."""

    @property
    def scenario(self) -> Any: ...
    @property
    def board(self) -> Any: ...
    @property
    def seats(self) -> Mapping[str, str]: ...
    @property
    def names(self) -> Mapping[str, str]: ...
    @property
    def revision(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def record(self) -> Any: ...
    def decisions(self) -> tuple[Decision, ...]: ...
    def waiting(self, side: str) -> str: ...
    def submit(self, side: str, choice: Choice, revision: int | None = None) -> Any: ...
    def why(self, side: str, choice: Choice) -> IllegalChoice | None: ...
    def view(self, viewer: str) -> View: ...
    def events(self, viewer: str, since: int = 0) -> tuple[Event, ...]: ...
    def event_count(self, viewer: str) -> int: ...
    def can_undo(self, side: str) -> bool: ...
    def undo(self, side: str) -> Any: ...
    def taken_back_by(self, side: str) -> str: ...


class Host(Protocol):
    """What a Session needs to know of the host of a game that is decided on another machine."""

    @property
    def side(self) -> str:
        """The side that this screen plays, "" where it only looks on."""

    @property
    def waiting(self) -> str:
        """What keeps this screen from deciding, whatever the game asks; "" if nothing."""

    @property
    def question(self) -> Decision | None:
        """What the other player asks this one outside the game."""

    @property
    def ways_on(self) -> Sequence[WayOn]:
        """What this player can do about what holds his game up."""

    @property
    def has_record(self) -> bool:
        """Whether the record of the game, which is over, has come."""

    def answer(self, choice: Choice) -> bool:
        """Answer that question; return whether it was there to be answered."""


class Session(QObject):
    """The game at this screen; see the module for who sees what when.

    A game `is_guided` when a lesson leads through it: the lesson tells by itself what happened, needs no
    consent to go back, and asks the learner also what his settings would answer. With a `host` the game is
    decided on another machine: `catch_up` follows whatever comes from there. `waited` follows as `waiting`
    changes by the second.
    """

    changed = Signal()
    happened = Signal(object)
    refused = Signal(object)
    curtain = Signal(object)
    ended = Signal()
    botSaid = Signal(str, str)
    waited = Signal()

    def __init__(
        self,
        match: GameMatch,
        settings: SettingsStore,
        bots: Mapping[str, Player] | None = None,
        parent: QObject | None = None,
        *,
        is_guided: bool = False,
        host: Host | None = None,
    ) -> None:
        super().__init__(parent)
        self.is_guided = is_guided
        self._match = match
        self._settings = settings
        self._host = host
        if host is None:
            self.humans = tuple(side for side in SIDES if match.seats.get(side, HUMAN) == HUMAN)
        else:
            self.humans = (host.side,) if host.side else ()
        self._viewer: str | None = None
        self._view: View | None = None
        self._decision: Decision | None = None
        self._optional: Decision | None = None
        self._behind: str | None = None  # the side the curtain waits for
        self._behind_kind = ""
        self._peeking = False
        self._asking: Decision | None = None  # the optional release put as a question (R13)
        self._asked_phases: set[tuple[int, str]] = set()
        self._asked_revision = -1
        self._held: list[tuple[str, Choice]] = []
        self._number = 0
        self._bot_asked: set[tuple[int, str]] = set()
        self._thinking: tuple[int, str, Decision] | None = None
        self._answer: tuple[str, Decision, Answer] | None = None
        self._animating = 0
        self._paused = False
        self._has_ended = False
        self._is_by_hand = False  # no answer by the settings until somebody has chosen
        self._is_closed = False
        self._told: tuple[Event, ...] = ()  # what the viewer was told of a host's game
        self._is_behind = False  # something came from the host while something else was being shown
        self._seen: dict[str, int] = {}
        self._seated_at: Any = None
        self.recap = RecapShow(self, match, settings)
        self.takeback = Takeback(self, match)
        self.draw = Draw(self, match)
        self._bots = {side: BotSeat(side, player, self) for side, player in (bots or {}).items()}
        for seat in self._bots.values():
            seat.answered.connect(self._answered)
        self._pace = QTimer(self)
        self._pace.setSingleShot(True)
        self._pace.timeout.connect(self._apply_answer)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(THINKING_SHOWN_AFTER)
        self._slow.timeout.connect(self._show_waiting)

    # What the screen may show.

    @property
    def viewer(self) -> str | None:
        """Whose eyes the screen has: a side, "public", "open" after the end, None under the curtain."""
        return self._viewer

    @property
    def view(self) -> View | None:
        """What the viewer knows, or knew before what a recap is showing; None under the curtain."""
        before = self.recap.before
        return before if before is not None else self._view

    @property
    def decision(self) -> Decision | None:
        """What this screen must answer now; its options are empty while they would tell a secret."""
        if self.recap.now is not None:
            return None
        if self._question is not None:
            return self._question
        if self._asking is not None:
            return self._asking
        return self._decision

    @property
    def _question(self) -> Decision | None:
        """What the other player asks outside the game."""
        if self._host is None or self._viewer is None or self.is_over:
            return None
        return self._host.question

    @property
    def optional(self) -> Decision | None:
        """The standing offer to release the CloneMaster, where this screen may take it (R13)."""
        return self._optional if self.recap.now is None else None

    @property
    def scenario(self) -> Scenario:
        """The scenario played."""
        scenario: Scenario = self._match.scenario
        return scenario

    @property
    def board(self) -> Board:
        """The board played on."""
        board: Board = self._match.board
        return board

    @property
    def names(self) -> Mapping[str, str]:
        """The players' names by side."""
        return self._match.names

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sits where: side to "human" or a bot's name."""
        return self._match.seats

    @property
    def record(self) -> Any:
        """The game's record; as it tells everything, ValueError before the game is over."""
        if not self.is_over:
            raise ValueError("the record tells all secrets; it is open only when the game is over")
        return self._match.record

    @property
    def has_record(self) -> bool:
        """Whether the game is over and its record here."""
        return self.is_over and (self._host is None or self._host.has_record)

    @property
    def is_over_network(self) -> bool:
        """Whether the game is played at a host's table, which keeps it."""
        return self._host is not None

    @property
    def length(self) -> int:
        """The number of choices made and not taken back."""
        return self._match.length

    @property
    def revision(self) -> int:
        """A number that grows with every choice and every undo, so that no moment has that of another."""
        return self._match.revision

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._match.is_over

    @property
    def is_hot_seat(self) -> bool:
        """Whether two people share this screen."""
        return len(self.humans) == 2

    @property
    def _is_alone(self) -> bool:
        """Whether no other person plays or looks on, here or elsewhere."""
        return self._host is None and not self.is_hot_seat

    @property
    def decides_next(self) -> bool:
        """Whether this screen decides once what is being told has been told."""
        return self._decision is not None or self._asking is not None

    @property
    def is_thinking(self) -> bool:
        """Whether a bot is at it."""
        return self.recap.now is None and (self._thinking is not None or self._answer is not None)

    @property
    def peeking(self) -> bool:
        """Whether the mover looks at what only he may see."""
        return self._peeking

    @property
    def needs_peek(self) -> bool:
        """Whether the choices of this moment are hidden until the mover peeks."""
        return (
            self._viewer == "public"
            and self.recap.now is None
            and self._decision is not None
            and self._decision.kind in HIDDEN_OPTIONS
            and not self._peeking
        )

    @property
    def curtain_for(self) -> str | None:
        """The side that the fallen curtain waits for, None when it is up."""
        return self._behind

    @property
    def curtain_reason(self) -> str:
        """Why that side must come to the screen."""
        return PRIVATE.get(self._behind_kind, "") if self._behind is not None else ""

    @property
    def waiting(self) -> str:
        """What the game waits for, when it is not this screen that must answer; "" if nothing."""
        if self.recap.now is not None:
            return RECAP_WAITING
        if self._viewer is None or self.decision is not None or self.is_over:
            return ""
        if self.held_up:
            return self.held_up
        if self._host is not None:
            told = ((side, self._match.waiting(side)) for side in self.humans or SIDES)
            side, words = next(((side, words) for side, words in told if words), ("", ""))
            if words and not self.humans:
                # In the words for the one who waits, who knows which player the other is.
                words = words.replace("The other player", self.player(OTHER_SIDE[side]), 1)
            return words
        for decision in self._match.decisions():
            if not decision.optional and decision.side not in self.humans:
                return decision.waiting
        return ""

    @property
    def held_up(self) -> str:
        """What keeps this screen from deciding, whatever the game asks; "" if nothing."""
        return self._host.waiting if self._host is not None and not self.is_over else ""

    @property
    def ways_on(self) -> Sequence[WayOn]:
        """What can be done here about what holds the game up."""
        return self._host.ways_on if self._host is not None and self.held_up else ()

    def speaker(self, side: str) -> str:
        """Return how to call whoever speaks for a side: a bot without a name by what it is."""
        from app.games import BOTS

        return self.names.get(side) or BOTS.get(self.seats.get(side, HUMAN)) or SIDE_NAMES[side]

    def player(self, side: str) -> str:
        """Return how to call the player of a side: his name, or the side's."""
        return self.names.get(side) or SIDE_NAMES[side]

    def events(self, since: int = 0) -> tuple[Event, ...]:
        """Return everything that happened as the viewer may know it; nothing under the curtain."""
        if self._viewer is None:
            return ()
        return self._match.events(self._viewer, since)

    def shared(self) -> tuple[View, tuple[Event, ...]]:
        """Return what may leave this screen; of a game under way at a shared one, what both sides know."""
        viewer = "open" if self.is_over else self.humans[0] if len(self.humans) == 1 else "public"
        return self._match.view(viewer), self._match.events(viewer)

    # What the screen may do.

    def start(self, *, is_taken_up: bool = False) -> None:
        """Begin, or go on with a game taken up again, which is told anew to whoever comes to the screen."""
        if is_taken_up and not self.is_over:
            self.recap.recall(self._match.record)
        if self._host is not None:
            self._told = self._match.events(self._eyes(None))
        self._settle()

    @Slot(object)
    def catch_up(self, missed: Recap | None = None) -> None:
        """Take in what has come from the host; `missed` is what happened while this screen was away.

        Called too when only `held_up` or the other player's question has changed. What comes while
        something is being shown is told after it.
        """
        if self._is_closed or self._viewer is None:
            return
        if missed is not None:
            self.recap.take(missed, self._match)
        elif self.recap.now is not None or self.is_showing:
            self._is_behind = True
            if self.held_up:
                self._decision = self._optional = self._asking = None
            self.changed.emit()
            return
        self._is_behind = False
        news = self._news()
        if news:
            self._asking = None
            self._note_takebacks(news)
        if news and missed is None:
            self.happened.emit(news)
        self._settle()

    def _news(self) -> tuple[Event, ...]:
        """Return what the viewer has been told since the last time, after what both times have in common.

        What was taken back is no longer there.
        """
        if self._viewer is None:
            return ()
        told, before = self._match.events(self._viewer), self._told
        pairs = enumerate(zip(before, told, strict=False))
        same = next(
            (number for number, (old, new) in pairs if old is not new and old != new),
            min(len(before), len(told)),
        )
        self._told = told
        return told[same:]

    def show(self, match: GameMatch) -> None:
        """Show another moment of this game, or another of the same players, from now on.

        Not where bots play, who would remember what they were told before.
        """
        self._match = match
        self.recap.follow(match)
        self.takeback.follow(match)
        self.draw.follow(match)
        self._forget()
        self._asked_phases.clear()
        self._has_ended = False
        self._settle()

    def submit(self, choice: Choice) -> bool:
        """Answer the decision at hand; return whether it was taken. A refusal is told through `refused`."""
        if self.recap.now is not None:
            self.refused.emit(IllegalChoice(RECAP_WAITING, "-"))
            return False
        if self._host is not None and self._question is not None:
            return self._host.answer(choice)
        if self._asking is not None:
            if isinstance(choice, Pass):
                self._asking = None
                self._settle()
                if self._answer is not None and not self._animating:
                    self._pace.start(self._delay())
                return True
            if isinstance(choice, ReleaseCloneMaster):
                return self.submit_for(CLONEMASTER, choice)
        if isinstance(choice, ReleaseCloneMaster) and self._decision is None and self._optional is not None:
            return self.release_clonemaster()
        if self._decision is None:
            self.refused.emit(self.why_waiting())
            return False
        if self._decision.kind not in (TAKEBACK, DRAW):
            self._is_by_hand = False
        return self.submit_for(self._decision.side, choice)

    def why_waiting(self) -> IllegalChoice:
        """Return why nothing can be decided while nothing is asked: what is waited for, and its rule."""
        decided = [] if self.held_up or self._host is not None else self._match.decisions()
        rule = next((one.rule for one in decided if not one.optional), "-")
        return IllegalChoice(self.waiting or "nothing is asked of you now", rule)

    def submit_all(self, choices: Iterable[Choice]) -> bool:
        """Answer with several choices one after another; stop at the first refusal and return False.

        Each is taken from `choices` when those before it have been made.
        """
        for choice in choices:
            if not self.submit(choice):
                return False
            if self._host is not None:
                # Each goes to the host and back. Between them the window shows what has been done, and its
                # keys and clicks wait for the last.
                QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
            if self._is_closed:
                return False
        return True

    def release_clonemaster(self) -> bool:
        """Turn the CloneMaster up in answer to the standing offer (4.21, R13)."""
        if self.recap.now is not None:
            self.refused.emit(IllegalChoice(RECAP_WAITING, "-"))
            return False
        if self._optional is None and self._asking is None:
            side = CLONEMASTER if CLONEMASTER in self.humans else TERMINATOR
            refusal = self._match.why(side, ReleaseCloneMaster()) if not self.held_up else None
            if self.held_up:
                refusal = IllegalChoice(self.held_up, "-")
            self.refused.emit(refusal or IllegalChoice("there is no window for it now", "R13"))
            return False
        return self.submit_for(CLONEMASTER, ReleaseCloneMaster())

    def why(self, choice: Choice) -> IllegalChoice | None:
        """Explain why a choice would be refused; None where it is legal."""
        if self._viewer is None:
            return None
        if self.held_up:
            return IllegalChoice(self.held_up, "-")
        if self.needs_peek:
            return IllegalChoice("look at your own hand first", "R29")
        side = self._decision.side if self._decision is not None else (self.humans or SIDES)[0]
        return self._match.why(side, choice)

    def can_undo(self) -> bool:
        """Return whether the last choice can be taken back."""
        return (
            self._decision is not None
            and self.recap.now is None
            and self._question is None
            and self._thinking is None
            and self._match.can_undo(self._decision.side)
        )

    def undo(self) -> bool:
        """Take the last choice back; return whether there was one to take back."""
        if not self.can_undo() or self._decision is None:
            self.refused.emit(
                IllegalChoice(
                    "nothing can be taken back past a die, a counter turned up or the other side's choice",
                    "3.2",
                )
            )
            return False
        unsaved: OSError | None = None
        try:
            self._match.undo(self._decision.side)
        except IllegalChoice as refusal:
            self.refused.emit(refusal)
            return False
        except OSError as error:
            unsaved = error
        self._forget()
        if self._host is not None:
            self._news()
        self._settle()
        self._tell_unsaved(unsaved)
        return True

    def peek(self, is_held: bool) -> None:
        """Show the mover his own hand while he holds the key, when two share the screen."""
        can = (
            self._viewer == "public"
            and self.recap.now is None
            and self._decision is not None
            and self._decision.kind in HIDDEN_OPTIONS
        )
        is_held = is_held and can
        if is_held == self._peeking:
            return
        self._peeking = is_held
        self._look()
        self.changed.emit()

    def lift_curtain(self) -> None:
        """Give the screen to the side the curtain waited for."""
        if self._behind is None:
            return
        self._viewer, self._behind = self._behind, None
        self._settle()

    @property
    def held(self) -> tuple[Choice, ...]:
        """What was chosen at this screen and waits for a bot to be done."""
        return tuple(choice for _, choice in self._held)

    @property
    def is_showing(self) -> bool:
        """Whether something is being shown that bots wait for."""
        return self._animating > 0

    def hold(self) -> None:
        """Make bots wait, while something is being shown."""
        self._animating += 1

    def resume(self) -> None:
        """Let bots go on after `hold`."""
        self._animating = max(0, self._animating - 1)
        if not self._animating and self._answer is not None:
            self._pace.start(self._delay())
        if not self._animating and self._is_behind:
            # Later: whoever shows something may be about to show the next part of it.
            QTimer.singleShot(0, self, self.catch_up)

    @property
    def paused(self) -> bool:
        """Whether bots wait for the player to let them go on."""
        return self._paused

    def pause(self, is_paused: bool) -> None:
        """Stop the bots before their next choice, or let them go on."""
        self._paused = is_paused
        if not is_paused and self._answer is not None:
            self._pace.start(self._delay())
        self.changed.emit()

    def hurry(self) -> None:
        """Cut the present wait for a bot short."""
        if self._answer is not None and not self._paused:
            self._pace.start(0)

    def close(self) -> None:
        """End the bots' threads. Nothing is lost: the Match has saved itself after every choice."""
        self._is_closed = True
        self._pace.stop()
        self._slow.stop()
        for seat in self._bots.values():
            seat.close()

    # How it goes on.

    def submit_for(self, side: str, choice: Choice) -> bool:
        """Make a side's choice, also one that this screen is not asked for; return whether it was taken.

        A choice that must wait for a bot counts as taken; that it comes to nothing is told through `refused`.
        """
        if self._thinking is not None or (self._answer is not None and self._answer[1].optional):
            # A bot reads the present state, or has just used its window (R13): the choice waits its turn.
            self._held.append((side, choice))
            return True
        self._answer = None
        self._pace.stop()
        before = self._told_so_far()
        unsaved: OSError | None = None
        try:
            self._match.submit(side, choice)
        except IllegalChoice as refusal:
            if self._host is not None:
                # What the settings answered is not answered again and again.
                self._is_by_hand = True
            self._settle()
            self.refused.emit(refusal)
            return False
        except OSError as error:
            unsaved = error
        self._after(before, unsaved)
        return True

    def _told_so_far(self) -> int:
        return self._match.event_count(self._viewer) if self._viewer is not None else 0

    def _after(self, before: int, unsaved: OSError | None = None) -> None:
        """Tell what happened since, and go on; a choice that could not be saved was made all the same."""
        self.recap.drop()
        self._asking = None
        self._peeking = False
        self._is_behind = False
        if self._viewer is not None:
            told = self._match.events(self._viewer, before) if self._host is None else self._news()
            self._note_takebacks(told)
            if told:
                self.happened.emit(told)
        if self._held and self._thinking is None:
            self.submit_for(*self._held.pop(0))
        else:
            self._settle()
        self._tell_unsaved(unsaved)

    def _note_takebacks(self, told: tuple[Event, ...]) -> None:
        if any(isinstance(event, TakebackAnswered) and event.agrees for event in told):
            # The phases gone back to are asked about anew, and what the settings answered by a person:
            # whoever asked to go back wants to choose otherwise.
            self._asked_phases.clear()
            self._is_by_hand = True

    def _tell_unsaved(self, error: OSError | None) -> None:
        if error is not None:
            why = error.strerror or str(error)
            self.refused.emit(IllegalChoice(f"the game goes on, but it could not be saved: {why}", "-"))

    def _forget(self) -> None:
        """Drop what was thought about a position that is no more."""
        self.recap.drop()
        self._number += 1
        self._thinking = self._answer = None
        self._held.clear()
        self._asking = None
        self._peeking = False
        self._bot_asked.clear()
        self._asked_revision = -1
        self._pace.stop()

    def _seat_bots(self) -> None:
        """Show the bots the board, at the start and when the CloneMaster player has added to it (7.4)."""
        if self._seated_at is self._match.board:
            return
        self._seated_at = self._match.board
        for side, seat in self._bots.items():
            seat.player.begin(side, self._match.scenario, self._match.board)

    def _settle(self) -> None:
        """Find out who must decide what, ask the bots first, then the people at the screen."""
        if self._is_closed:
            return
        self._seat_bots()
        self.recap.watch(self._match)
        if self._match.is_over:
            self._end()
            return
        decisions = self._match.decisions()
        if self._thinking is None and self._answer is None and self._ask_bot(decisions):
            if not self._slow.isActive():
                self._slow.start()
            if self._viewer is None and self._behind is None:
                self._show_waiting()
            return
        if self._thinking is not None:
            return
        self._slow.stop()
        self._ask_screen(decisions)

    def _ask_bot(self, decisions: Sequence[Decision]) -> bool:
        """Put the next open question to a bot; return whether there was one."""
        revision = self._match.revision
        for decision in sorted(decisions, key=lambda one: one.optional):
            side = decision.side
            if side not in self._bots or (revision, side) in self._bot_asked:
                continue
            self._bot_asked = {key for key in self._bot_asked if key[0] == revision} | {(revision, side)}
            self._number += 1
            self._thinking = (self._number, side, decision)
            # What was asked of the screen is answered; until the bot has, nothing else is.
            self._decision = None
            count = self._match.event_count(side)
            told = self._match.events(side, min(self._seen.get(side, 0), count))
            self._seen[side] = count
            self._bots[side].ask(Asked(self._number, self._match.view(side), decision, told))
            return True
        return False

    @Slot(object)
    def _answered(self, answer: Answer) -> None:
        if self._thinking is None or answer.number != self._thinking[0] or self._is_closed:
            return
        _, side, decision = self._thinking
        self._thinking = None
        if answer.error is not None:
            raise answer.error
        if answer.choice is None:
            if self._held:
                self.submit_for(*self._held.pop(0))
                return
            self._settle()
            return
        if self._held and not decision.optional:
            # Somebody acted while the bot thought: its answer is to a position that is no more.
            self._bot_asked.discard((self._match.revision, side))
            self.submit_for(*self._held.pop(0))
            return
        self._answer = (side, decision, answer)
        if decision.kind not in UNSEEN:
            # Whoever looks on may still act while the bot's choice waits to be shown.
            self._ask_screen(self._match.decisions())
        if not self._animating:
            self._pace.start(self._delay())

    def _delay(self) -> int:
        if self._answer is None or self._answer[1].kind in UNSEEN:
            return 0
        return self._settings.now.pace

    @Slot()
    def _apply_answer(self) -> None:
        if self._answer is None or self._is_closed:
            return
        side, decision, answer = self._answer
        if decision.kind not in UNSEEN and (self._animating or self._paused or self._asking is not None):
            return
        self._answer = None
        overtaken = bool(self._held)
        self._held.clear()
        if answer.said and (
            decision.kind in SAID or (self._bots[side].player.follows_lines and decision.kind not in UNSEEN)
        ):
            self.botSaid.emit(side, answer.said)
        before = self._told_so_far()
        assert answer.choice is not None
        unsaved: OSError | None = None
        try:
            self._match.submit(side, answer.choice, decision.revision)
        except OSError as error:
            unsaved = error
        self._after(before, unsaved)
        if overtaken:
            self.refused.emit(IllegalChoice(OVERTAKEN, "R13"))

    @Slot()
    def _show_waiting(self) -> None:
        """Say that a bot thinks, once it takes long enough to be noticed."""
        if self._thinking is not None:
            self._ask_screen(self._match.decisions())

    def _ask_screen(self, decisions: Sequence[Decision]) -> None:
        """Give the screen its eyes and its question, letting the curtain fall where one is needed."""
        required = [one for one in decisions if not one.optional and one.side in self.humans]
        if self._thinking is not None or (self._answer is not None and self._answer[1].optional is False):
            # A bot must decide first; secret choices made at the same time come after its own.
            required = []
        if self.held_up:
            required, decisions = [], ()
        mine = [one for one in required if one.side == self._viewer] or required
        decision = mine[0] if mine else None
        if decision is not None and self._decide_alone(decision):
            return
        wanted = self._eyes(decision)
        if self.is_hot_seat and wanted in SIDES and wanted != self._viewer:
            self._drop_curtain(wanted, decision)
            return
        self._viewer = wanted
        self._decision = decision
        self._optional = next((one for one in decisions if one.optional and one.side in self.humans), None)
        self._put_release(decisions)
        self._look()
        if self._host is not None or (decision is not None and decision.side in self.humans):
            self.recap.tell_missed()
        self.changed.emit()

    def _eyes(self, decision: Decision | None) -> str:
        """Return whose eyes the screen has for a decision."""
        if len(self.humans) == 1:
            return self.humans[0]
        if decision is not None and decision.kind in PRIVATE:
            return decision.side
        return "public"

    def _look(self) -> None:
        """Take the view that the viewer may have."""
        assert self._viewer is not None
        view = self._match.view(self._viewer)
        asked = self._decision.side if self._decision is not None else None
        decision = next(
            (one for one in self._match.decisions() if one.side == asked and not one.optional), None
        )
        if self._viewer == "public" and decision is not None and decision.kind in HIDDEN_OPTIONS:
            if self._peeking:
                # The hand and nothing else: the rest of the screen stays as everybody may see it.
                view = msgspec.structs.replace(view, fight=self._match.view(decision.side).fight)
                self._decision = decision
            else:
                self._decision = _without_options(decision)
        self._view = view

    def _drop_curtain(self, side: str, decision: Decision | None) -> None:
        is_new = self._behind != side
        self.recap.drop()
        self._viewer = self._view = self._decision = self._optional = self._asking = None
        self._peeking = False
        self._behind = side
        self._behind_kind = decision.kind if decision is not None else ""
        self.changed.emit()
        if is_new:
            self.curtain.emit(side)

    def _decide_alone(self, decision: Decision) -> bool:
        """Answer for the player where his settings say so; return whether that was done."""
        if self._is_by_hand or self.is_guided:
            return False
        settings = self._settings.now
        choice: Choice | None = None
        if decision.kind == "release-clonemaster" and settings.ask_release == "told":
            choice = Pass() if Pass() in decision.options else None
        elif decision.kind == "lose-ability" and settings.heart_first and self._is_alone:
            # Where another person sees how long an answer takes, or that none was asked for, it would tell
            # that there was a Mountain Heart to lose (R24).
            choice = next(
                (one for one in decision.options if isinstance(one, LoseAbility) and one.ability == "heart"),
                None,
            )
        if choice is None:
            return False
        self._decision = decision
        self.submit_for(decision.side, choice)
        return True

    def _put_release(self, decisions: Sequence[Decision]) -> None:
        """Put the standing offer as a question as often as the settings say (R13)."""
        self._asking = None
        offer = self._optional
        how = self._settings.now.ask_release
        if offer is None or how == "told":
            return
        view = self._match.view("public")
        moment = (view.turn, view.phase)
        revision = self._match.revision
        if how == "phases" and moment in self._asked_phases:
            return
        if self._asked_revision == revision:
            return
        self._asked_revision = revision
        self._asked_phases.add(moment)
        self._asking = Decision(
            offer.side,
            offer.kind,
            offer.rule,
            offer.prompt,
            offer.waiting,
            Options.listed((ReleaseCloneMaster(), Pass())),
            revision=revision,
        )

    def _end(self) -> None:
        self._slow.stop()
        self.recap.drop()
        self._viewer = "open"
        self._behind = None
        self._decision = self._optional = self._asking = None
        self._peeking = False
        self._view = self._match.view("open")
        if self._host is not None:
            self._told = self._match.events("open")
        self.changed.emit()
        if not self._has_ended:
            self._has_ended = True
            self.ended.emit()


def _without_options(decision: Decision) -> Decision:
    """Return a decision that asks the same and offers nothing to be seen."""
    return Decision(
        decision.side,
        decision.kind,
        decision.rule,
        decision.prompt,
        decision.waiting,
        Options.listed(()),
        revision=decision.revision,
    )
