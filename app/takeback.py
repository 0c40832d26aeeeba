"""Taking back by consent, for whoever at one screen may ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import proxy

from engine.core.decision import IllegalChoice
from engine.core.takeback import AskTakeback
from engine.raid.figures import SIDES

if TYPE_CHECKING:
    from app.session import GameMatch, Session


class Takeback:
    """Asks the other side to go back further than undo does.

    In a session that `is_guided` nobody needs to be asked.
    """

    def __init__(self, session: Session, match: GameMatch) -> None:
        # No cycle, as in `RecapShow`.
        self._session: Session = proxy(session)
        self._match = match

    def follow(self, match: GameMatch) -> None:
        """Ask about another game."""
        self._match = match

    @property
    def askers(self) -> dict[str, str]:
        """Who at this screen may ask the other side to take back, each with the choice to go back before.

        At a shared screen that all may see, both players may.
        """
        session, match = self._session, self._match
        viewer = session.viewer
        if viewer is None or session.is_guided or session.is_over:
            return {}
        if session.recap.now is not None or session.held_up or self._is_waiting:
            return {}
        sides = session.humans if viewer not in session.humans else (viewer,)
        return {side: match.taken_back_by(side) for side in sides if match.why(side, AskTakeback()) is None}

    @property
    def can_ask(self) -> bool:
        """Whether the other side can be asked for more than undo gives."""
        return bool(self.askers)

    @property
    def _is_waiting(self) -> bool:
        """Whether the question waits for a bot to be done."""
        return any(isinstance(choice, AskTakeback) for choice in self._session.held)

    def ask(self, side: str | None = None) -> bool:
        """Ask the other side to go back to before a side's last choice; return whether it was asked.

        Without a side it is the one that the screen belongs to, the first where it belongs to both.
        """
        asker = side or next(iter(self.askers), (self._session.humans or SIDES)[0])
        if asker in self.askers:
            return self._session.submit_for(asker, AskTakeback())
        refusal = self._match.why(asker, AskTakeback())
        if self._session.held_up:
            refusal = IllegalChoice(self._session.held_up, "-")
        if self._is_waiting:
            refusal = IllegalChoice("this is asked already and waits for what the bot chooses", "")
        self._session.refused.emit(refusal or IllegalChoice("this cannot be asked now", ""))
        return False
