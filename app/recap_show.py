"""The recap at one screen: begun when somebody comes to it or asks, shown or read, and ended."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import proxy

from app.recap import Game, Recap, Recaps, recall

if TYPE_CHECKING:
    from app.session import Session
    from app.settings import SettingsStore
    from engine.core.record import Record
    from engine.raid.view import View


class RecapShow:
    """What a session's screen tells of the time its viewer was away; bots wait while it lasts.

    In a session that `is_guided` nobody is ever told anything.
    """

    def __init__(self, session: Session, game: Game, settings: SettingsStore) -> None:
        # A cycle would leave the session to Python's collector, which may run in a bot's thread.
        self._session: Session = proxy(session)
        self._settings = settings
        self._sides = () if session.is_guided else session.humans
        self._recaps = Recaps(game, self._sides)
        self._now: Recap | None = None
        self._is_read = False

    # Following the game.

    def follow(self, game: Game) -> None:
        """Watch another game, from its present moment on."""
        self._recaps = Recaps(game, self._sides)

    def recall(self, record: Record) -> None:
        """Take up what happened when this game was played before."""
        from engine.raid.match import RaidReplay

        self._recaps = recall(RaidReplay.of(record), self._sides)

    def take(self, missed: Recap, game: Game) -> None:
        """Take up what the host of a game tells of the time that this screen was away."""
        self.drop()
        self._recaps.take(missed, game)

    def watch(self, game: Game) -> None:
        """Take in what every viewer of this screen was told, before the screen changes hands."""
        # Against a bot somebody looks on all the time, also before there is anything to be seen.
        self._recaps.watch(game, self._session.viewer if self._session.is_hot_seat else "public")

    # What is told.

    @property
    def now(self) -> Recap | None:
        """What is being told; nothing can be decided until `end`."""
        return self._now

    @property
    def is_read(self) -> bool:
        """Whether it is told in words only, with the present on the board."""
        return self._is_read

    @property
    def before(self) -> View | None:
        """What the viewer knew before what the board is showing; None where it shows the present."""
        return self._now.before if self._now is not None and not self._is_read else None

    @property
    def can_show(self) -> bool:
        """Whether there is something to be told again."""
        return self._now is None and self._last() is not None

    def _last(self) -> Recap | None:
        viewer = self._session.viewer
        last = self._recaps.last(viewer) if viewer is not None else None
        return last if last is not None and last.groups() else None

    # Beginning and ending.

    def show(self) -> bool:
        """Tell again what happened since the viewer's own last move; return whether there is anything.

        Who asks for it wants to read: the words stay until he ends them, the board shows it on demand.
        """
        if self._session.is_showing or self._session.is_over:
            return False
        last = self._last()
        if last is not None:
            self.begin(last, is_read=True)
            self._session.changed.emit()
        return last is not None

    def tell_missed(self) -> None:
        """Begin to tell the viewer what he missed, where his settings do not say that he need not be told."""
        viewer, settings = self._session.viewer, self._settings.now
        if self._now is not None or viewer is None:
            return
        missed = self._recaps.unseen(viewer)
        if missed is not None and settings.recap != "off":
            self.begin(missed, is_read=settings.recap == "text" or settings.animation_speed <= 0)

    def begin(self, recap: Recap, *, is_read: bool) -> None:
        """Begin to tell a recap, in words only or on the board; who calls this tells of the change."""
        if self._now is None:
            self._session.hold()
        self._now, self._is_read = recap, is_read

    def animate(self) -> None:
        """Show on the board what is being told in words."""
        if self._now is not None and self._is_read:
            self._is_read = False
            self._session.changed.emit()

    def end(self) -> None:
        """Come back to the present, where the viewer decides."""
        if self._now is not None:
            self.drop()
            self._session.changed.emit()

    def drop(self) -> None:
        """Let go of a recap that no longer leads to the present; who calls this tells of the change."""
        if self._now is not None:
            self._now = None
            self._session.resume()
