"""What a player at one screen may ask the other's consent for: to take back, and a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from weakref import proxy

from engine.core.agreement import AskDraw
from engine.core.decision import Choice, IllegalChoice
from engine.core.takeback import AskTakeback
from engine.raid.figures import SIDES

if TYPE_CHECKING:
    from app.session import GameMatch, Session


class Consent:
    """Asks the other side for what one side cannot do alone; `asking` is the choice that asks.

    In a session that `is_guided` nobody is asked for anything.
    """

    asking: ClassVar[Choice]

    def __init__(self, session: Session, match: GameMatch) -> None:
        # No cycle, as in `RecapShow`.
        self._session: Session = proxy(session)
        self._match = match

    def follow(self, match: GameMatch) -> None:
        """Ask about another game."""
        self._match = match

    def what(self, side: str) -> str:
        """Return what a side would ask for, as far as there is more to say of it."""
        return ""

    @property
    def askers(self) -> dict[str, str]:
        """Who at this screen may ask the other side now, each with what for.

        At a shared screen that all may see, both players may.
        """
        session, match = self._session, self._match
        viewer = session.viewer
        if viewer is None or session.is_guided or session.is_over or session.held_up:
            return {}
        if session.recap.now is not None or self._is_waiting:
            return {}
        sides = session.humans if viewer not in session.humans else (viewer,)
        return {side: self.what(side) for side in sides if match.why(side, self.asking) is None}

    @property
    def can_ask(self) -> bool:
        """Whether the other side can be asked now."""
        return bool(self.askers)

    @property
    def _is_waiting(self) -> bool:
        """Whether the question waits for a bot to be done."""
        return self.asking in self._session.held

    def ask(self, side: str | None = None) -> bool:
        """Ask the other side on behalf of one; return whether it was asked. If not, `refused` tells why.

        Without a side it is the one that the screen belongs to, the first where it belongs to both.
        """
        askers = self.askers
        asker = side or next(iter(askers), "")
        if asker in askers:
            return self._session.submit_for(asker, self.asking)
        self._session.refused.emit(self._why_not(side))
        return False

    def _why_not(self, side: str | None) -> IllegalChoice:
        session = self._session
        if self._is_waiting:
            return IllegalChoice("this is asked already and waits for what the bot chooses", "")
        if session.is_guided:
            return IllegalChoice("in a lesson nobody is asked for this", "")
        if session.held_up:
            return IllegalChoice(session.held_up, "-")
        if session.recap.now is not None:
            return IllegalChoice(session.waiting, "-")
        askers = (side,) if side else session.humans or SIDES[:1]
        refusals = (self._match.why(asker, self.asking) for asker in askers if session.viewer is not None)
        refusal = next((one for one in refusals if one is not None), None)
        if refusal is None and not session.humans:
            return IllegalChoice("nobody at this screen plays", "")
        return refusal or IllegalChoice("this cannot be asked now", "")


class Takeback(Consent):
    """Asks the other side to go back further than undo does: to before a choice in public words."""

    asking = AskTakeback()

    def what(self, side: str) -> str:
        """Return the choice that a side would go back before."""
        return self._match.taken_back_by(side)


class Draw(Consent):
    """Offers the other side a draw."""

    asking = AskDraw()
