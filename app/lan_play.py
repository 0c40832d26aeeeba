"""The window's games over the network: hosted, joined and returned to, up to where they are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.dialogs.ask import SureQuestion, is_sure
from app.lan.codes import format_code, parse_code
from app.lan.guest.link import NO_SEAT, RESEALED, Link, LinkState
from app.lan.guest.tickets import Ticket, load_all, tickets_folder
from app.lan.host.folder_lock import FolderInUse
from app.lan.kept import KeptGame, forget, host_folder, kept_games, seat_words
from app.lan.own_host import EVERYWHERE, Network, OwnHost
from app.lan.places import place_words
from app.lan_game import LanGame
from engine.core.files import BadFile
from engine.core.lan_protocol import LanAnswer, TableAnswer

if TYPE_CHECKING:
    from app.dialogs.host_game import HostGameDialog
    from app.dialogs.join_game import JoinGameDialog
    from app.dialogs.lobby import LobbyPage
    from app.lan.guest.finding import Finder, Host, Place
    from app.lan.guest.link import Invitation, Looking
    from app.lan.network.discovery import Found
    from app.settings import SettingsStore

LOOK_EVERY: Final = 2000  # ms between two looks at where this machine is found
GUEST: Final = "Guest"  # who has not said what he is called
LEAVE_HEADING: Final = "Leave the game?"
GUEST_KEEPS: Final = (
    "Your seat is kept, and the game waits for you: “Return to {host}’s game” on the start screen leads back "
    "to it."
)
OPEN_ELSEWHERE: Final = "This game is open in another window of this program: play on there, or close it."
GIVE_UP_HEADING: Final = "Give up the table?"
CODE_ENDS: Final = "Nobody can join with the code {code} any more."
WAITING_HERE: Final = "Who waits here already is sent away: {names}."
OWN_GAME: Final = "This is the join code of the game that you host yourself: it is for your guests."
HOST_KEEPS: Final = (
    "Nobody can play on until you go on with it: “Host again” on the start screen. All seats are kept, yours "
    "too."
)


class LeaveQuestion(SureQuestion):
    """Asks before a game over the network is left or forgotten."""


class LanPlay(QObject):
    """Brings a window to a game over the network: the dialogs, the lobby, and the host of its own.

    `shown` carries the lobby when it is to come to the front, `begun` a LanGame that is to be shown. `left`
    follows where there is no game after all. `drop` lets go of what the window shows before that.
    """

    shown = Signal(QWidget)
    begun = Signal(object)
    left = Signal()
    failed = Signal(str)
    _found = Signal(object, str)

    def __init__(
        self, window: QWidget, stack: QStackedWidget, store: SettingsStore, drop: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window, self._stack, self._store = window, stack, store
        self._drop = drop
        self.network: Network = EVERYWHERE
        self.tickets, self.hosts = tickets_folder(), host_folder()
        self.host_dialog: HostGameDialog | None = None
        self.join_dialog: JoinGameDialog | None = None
        self.lobby: LobbyPage | None = None
        self.host: OwnHost | None = None
        self.game: LanGame | None = None  # the one that is on, or that the lobby waits for
        self._trying: LanGame | None = None  # the one that the dialog asks for
        self._instead: Invitation | None = None  # where there is no way back to the seat that is tried
        self._finder: Finder | None = None
        self._hosts: tuple[Host, ...] = ()
        self._look = QTimer(self)
        self._look.setInterval(LOOK_EVERY)
        self._look.timeout.connect(self._show_invitation)
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    # What is kept.

    def kept(self) -> list[KeptGame]:
        """Return the unfinished games over the network that this window can go on with."""
        return kept_games(self.tickets, self.hosts)

    def go_on(self, game: KeptGame) -> None:
        """Return to a seat, or host a table again."""
        if not self.may_leave():
            return
        if game.kind == "host":
            self._host_by(lambda: OwnHost.again(game.path, self.network))
            return
        ticket = next((one for one in load_all(self.tickets) if one.path(self.tickets) == game.path), None)
        if ticket is None:
            self.failed.emit("The way back to this game is gone.")
        else:
            self.return_to(ticket)

    def forget(self, game: KeptGame) -> None:
        """Throw a kept game away, once the player is sure."""
        words = (
            "Nobody can go on with this game then, not your guest either."
            if game.kind == "host"
            else "There is no way back to your seat then, and the others may wait for you."
        )
        if is_sure(
            self._window,
            "Forget this game?",
            f"{game.title}\n\n{words}",
            "Forget it",
            is_final=True,
            question=LeaveQuestion,
        ):
            try:
                forget(game)
            except FolderInUse:
                self.failed.emit(OPEN_ELSEWHERE)
            except OSError as error:
                self.failed.emit(f"This game cannot be thrown away: {error.strerror or error}")

    # Hosting.

    @Slot()
    def open_host(self) -> None:
        """Ask what to host, and host it."""
        from app.dialogs.host_game import HostGameDialog

        self.host_dialog = HostGameDialog(self._store, self._window)
        self.host_dialog.accepted.connect(self._on_host_accepted)
        self.host_dialog.finished.connect(self._on_host_closed)
        self.host_dialog.open()

    @Slot()
    def _on_host_closed(self) -> None:
        if self.host_dialog is not None:
            self.host_dialog.deleteLater()
            self.host_dialog = None

    @Slot()
    def _on_host_accepted(self) -> None:
        from app.lan.host.table import Options

        dialog = self.host_dialog
        if dialog is None or not self.may_leave():
            return
        minutes = dialog.clock_minutes
        options = Options(
            title=dialog.scenario.name,
            host=dialog.name,
            scenario=dialog.scenario,
            seats=dialog.seats,
            pace=self._store.now.pace / 1000,
            clock=None if minutes is None else 60.0 * minutes,
        )
        self._host_by(lambda: OwnHost.new(options, dialog.seat, self.hosts, self.network))

    def _host_by(self, make: Callable[[], OwnHost]) -> None:
        """Host what `make` makes, and take one's own seat there."""
        self._drop()
        try:
            self.host = host = make()
        except BadFile as error:
            self._fail("This game cannot be hosted: " + "; ".join(error.problems[:3]))
            return
        except FolderInUse:
            self._fail(OPEN_ELSEWHERE)
            return
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            self._fail(f"This game cannot be hosted: {reason}.")
            return
        self._show_lobby("Opening the table", "")
        self.game = self._connect(host.way, host.seat_folder, is_own=True)
        self._look.start()

    def _fail(self, why: str) -> None:
        self.failed.emit(why)
        self.left.emit()

    # Joining.

    @Slot()
    def open_join(self) -> None:
        """Ask which game to join, and join it."""
        from app.dialogs.join_game import JoinGameDialog
        from app.lan.guest.finding import Finder

        dialog = self.join_dialog = JoinGameDialog(self._store, self._window)
        dialog.own = self.host.fingerprint if self.host is not None else ""
        dialog.joinWanted.connect(self._on_join_wanted)
        dialog.placeTyped.connect(self._on_place_typed)
        dialog.finished.connect(self._on_join_closed)
        self._finder = Finder(self._found.emit, self.network.interfaces)
        self._finder.start()
        dialog.open()

    @Slot(object, str)
    def _on_found(self, hosts: tuple[Host, ...], told: str) -> None:
        self._hosts = hosts
        if self.join_dialog is not None:
            self.join_dialog.show_hosts(hosts, told)

    @Slot(object)
    def _on_place_typed(self, place: Place | None) -> None:
        if self._finder is not None:
            self._finder.look_at(place)

    @Slot(object)
    def _on_join_wanted(self, invitation: Invitation) -> None:
        if self.join_dialog is None:
            return
        if self._is_own(invitation):
            self.join_dialog.show_refused("no-table", OWN_GAME)
            return
        if not self.may_leave():
            return
        self._end_trying()
        self.join_dialog.show_joining(f"Connecting to {place_words(invitation.address, invitation.port)}…")
        ticket = self._seat_at(invitation)
        # Whoever has a seat there already gets that one: it is taken for everybody else, and for himself.
        self._instead = invitation if ticket is not None else None
        self._trying = self._connect(ticket or invitation, self.tickets)

    def _is_own(self, invitation: Invitation) -> bool:
        """Return whether an invitation is to the table that this window hosts."""
        table = self.game.table if self.game is not None else None
        if self.host is None or table is None or not table.code:
            return False
        return parse_code(invitation.code) == parse_code(table.code)

    def _seat_at(self, invitation: Invitation) -> Ticket | None:
        """Return the ticket of a seat that one has at the table of an invitation, None for none."""
        place = invitation.address, invitation.port
        shown = {(one.address, one.port): one.fingerprint for one in self._hosts}
        table, _ = parse_code(invitation.code)
        for ticket in load_all(self.tickets):
            if ticket.table == table and ticket.fingerprint == shown.get(place) and not ticket.is_over:
                return msgspec.structs.replace(ticket, address=place[0], port=place[1])
        return None

    @Slot()
    def _on_join_closed(self) -> None:
        if self._finder is not None:
            self._finder.stop()
            self._finder = None
        self._end_trying()
        if self.join_dialog is not None:
            self.join_dialog.deleteLater()
            self.join_dialog = None

    def _end_trying(self, *, is_gone: bool = False) -> None:
        """Give up what the dialog asks for; a seat that one had before is kept, unless it `is_gone`."""
        game, self._trying = self._trying, None
        is_new, self._instead = self._instead is None, None
        if game is not None:
            _end(game, for_good=is_new or is_gone)

    # Coming in by a ticket, or by what the command line says.

    def return_to(self, way: Ticket | Invitation) -> None:
        """Return to a seat, or take the one that an invitation names, without a question."""
        if not isinstance(way, Ticket) and not way.name:
            way = way._replace(name=self._store.now.lan_name or GUEST)
        self._drop()
        if isinstance(way, Ticket):
            self._show_lobby(seat_words(way), f"Its host was last at {place_words(way.address, way.port)}.")
        else:
            self._show_lobby("Joining a game", f"Its host is at {place_words(way.address, way.port)}.")
        self.game = self._connect(way, self.tickets)

    # The game that is coming.

    def _connect(self, way: Ticket | Invitation, folder: Path, *, is_own: bool = False) -> LanGame:
        """Begin to come to a table, whose ticket is kept in a folder."""

        def connect(
            way: Ticket | Invitation,
            on_told: Callable[[LanAnswer], None],
            on_state: Callable[[LinkState], None],
        ) -> Link:
            # One's own host is where it is; a guest's may be found anew.
            look = None if is_own else self._look_around
            return Link(way, on_told, on_state, folder=folder, look=look)

        game = LanGame(way, self, connect=connect)
        game.welcomed.connect(self._on_welcomed)
        game.begun.connect(self._on_begun)
        game.tableChanged.connect(self._on_table)
        game.linkChanged.connect(self._on_link)
        game.failed.connect(self._on_failed)
        game.start()
        return game

    def _look_around(self, on_change: Callable[[tuple[Found, ...]], None]) -> Looking:
        """Return a search for a host that has moved."""
        from app.lan.network.discovery import Browser

        return Browser(on_change, self.network.interfaces)

    def _show_lobby(self, title: str, about: str) -> None:
        from app.dialogs.lobby import LobbyPage

        if self.lobby is None:
            self.lobby = LobbyPage()
            self.lobby.cancelled.connect(self.cancel)
            self._stack.addWidget(self.lobby)
        self.lobby.begin(title, about)
        self.shown.emit(self.lobby)
        self.lobby.setFocus()

    @property
    def _is_in_lobby(self) -> bool:
        return self.lobby is not None and self._stack.currentWidget() is self.lobby

    @Slot()
    def _show_invitation(self) -> None:
        if self.lobby is not None and self.host is not None and self._is_in_lobby:
            self.lobby.show_invitation(self.host.name, self.host.places, self.host.trouble)
        else:
            self._look.stop()

    @Slot(object)
    def _on_welcomed(self, _match: object) -> None:
        if self.sender() is not self._trying or self._trying is None:
            return
        game, self._trying, self._instead = self._trying, None, None
        self._drop()
        self.game = game
        self._show_lobby("Joining the game", "")
        if game.table is not None:
            self._on_table(game.table)
        if self.join_dialog is not None:
            self.join_dialog.accept()

    @Slot(object)
    def _on_begun(self, _match: object) -> None:
        if self.sender() is self.game and self._is_in_lobby:
            # Who waits in a lobby looks at something else meanwhile.
            QApplication.alert(self._window)
            self.begun.emit(self.game)

    @Slot(object)
    def _on_table(self, table: TableAnswer) -> None:
        game = self.game
        if game is None or game.table is not table or self.lobby is None or not self._is_in_lobby:
            return
        self.lobby.show_table(table, game.side)
        if game.match is not None:
            clock = max((card.left / 1000 for card in table.clocks.values()), default=None)
            self.lobby.show_terms(game.match.scenario, clock)
        if self.host is not None:
            self._show_invitation()

    @Slot(object)
    def _on_link(self, state: LinkState) -> None:
        if self.sender() is self._trying:
            self._tell_dialog(state)
        elif self.sender() is self.game and self._is_in_lobby and self.lobby is not None:
            words = "" if state.kind == "connected" else _sentence(state.reason)
            is_final = state.kind == "refused"
            self.lobby.show_state(words, is_bad=is_final or state.kind == "lost", is_final=is_final)

    def _tell_dialog(self, state: LinkState) -> None:
        if self.join_dialog is None:
            return
        is_resealed = state.refusal == RESEALED  # a new seat there is for the player to ask for
        is_gone = state.refusal in (NO_SEAT, RESEALED)
        if state.kind == "refused" and self._instead is not None and not is_resealed:
            invitation = self._instead
            self._end_trying(is_gone=is_gone)
            self._trying = self._connect(invitation, self.tickets)
        elif state.kind == "refused":
            self._end_trying(is_gone=is_gone)
            self.join_dialog.show_refused(state.refusal, state.reason, field=state.field, wait=state.wait)
        elif state.kind == "lost" and state.refusal:
            # The seat that one has there is for another day.
            self._end_trying()
            self.join_dialog.show_refused(state.refusal, state.reason.partition(";")[0])
        elif state.kind in ("connecting", "lost") and state.reason:
            self.join_dialog.show_joining(_sentence(state.reason))

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        if self.sender() is self._trying and self.join_dialog is not None:
            self._end_trying()
            self.join_dialog.show_refused("", why)
        elif self.sender() is self.game:
            self._drop()
            self._fail(why)

    # Leaving.

    def may_leave(self) -> bool:
        """Return whether the window may let go of its game over the network; asks where one is on."""
        game = self.game
        if self._is_in_lobby:
            return self._may_leave_lobby(is_cancelled=False)
        if game is None or game.is_over:
            return True
        if self.host is not None:
            words = HOST_KEEPS
        elif game.table is not None and game.side:
            words = GUEST_KEEPS.format(host=game.table.card.host)
        else:
            return True
        return is_sure(self._window, LEAVE_HEADING, words, "Leave", question=LeaveQuestion)

    def _may_leave_lobby(self, *, is_cancelled: bool) -> bool:
        """Return whether the lobby may go; asks where a join code would go with it."""
        game, host = self.game, self.host
        table = game.table if game is not None else None
        if game is None or host is None or table is None or not game.is_connected or not _is_waiting(game):
            return True
        guests = _guests_of(game)
        if guests and not is_cancelled:
            return is_sure(
                self._window, LEAVE_HEADING, HOST_KEEPS, "Leave", is_final=True, question=LeaveQuestion
            )
        words = [CODE_ENDS.format(code=format_code(*parse_code(table.code)))]
        if guests:
            words.append(WAITING_HERE.format(names=" and ".join(guests)))
        return is_sure(
            self._window,
            GIVE_UP_HEADING,
            " ".join(words),
            "Give it up",
            is_final=True,
            question=LeaveQuestion,
        )

    @Slot()
    def cancel(self) -> None:
        """Wait no longer: a game that has not begun is given up, one that has waits."""
        if not self._may_leave_lobby(is_cancelled=True):
            return
        self.leave(is_cancelled=True)
        self.left.emit()

    def leave(self, keep: LanGame | None = None, *, is_cancelled: bool = False) -> None:
        """Let go of the game, and of the host if it is one's own, unless it is the one to `keep`.

        A seat in a game that has begun is kept; a table that nobody has joined yet is not.
        """
        game, host = self.game, self.host
        if (game is None and host is None) or (game is not None and game is keep):
            return
        self.game = self.host = None
        self._look.stop()
        is_waiting = game is not None and _is_waiting(game)
        has_guests = game is not None and bool(_guests_of(game))
        if game is not None:
            _end(game, for_good=host is None and _can_give_up(game))
        if host is not None:
            host.close(for_good=is_waiting and (is_cancelled or not has_guests))


def _is_waiting(game: LanGame) -> bool:
    """Return whether a game is known not to have begun."""
    return game.table is not None and game.table.card.phase == "waiting"


def _can_give_up(game: LanGame) -> bool:
    """Return whether nobody else need wait for one who leaves: seats are fixed as soon as all are taken."""
    if game.table is None:
        return game.is_new
    return _is_waiting(game) and any(not card.player for card in game.table.card.seats.values())


def _guests_of(game: LanGame) -> list[str]:
    """Return what the others are called who have taken a seat."""
    seats = game.table.card.seats if game.table is not None else {}
    return [card.name for side, card in seats.items() if card.name and side != game.side]


def _end(game: LanGame, *, for_good: bool) -> None:
    """End the connection; `for_good` lets go of the seat too, which somebody else may take."""
    game.close(for_good=for_good)
    game.deleteLater()


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."
