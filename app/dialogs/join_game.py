"""Joining a game over the network: the games there are, the join code, the seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.board.access import announce
from app.dialogs.line_rows import LineRows
from app.dialogs.lobby import minutes_words
from app.dialogs.new_game import SIDE_TITLES
from app.games import BOTS
from app.lan.codes import EXAMPLE, parse_code
from app.lan.guest.finding import Host, Place
from app.lan.guest.link import Invitation
from app.lan.places import parse_place, place_words
from app.panels.dressed import Dressed
from app.panels.widgets import Bar, Label, MoreSign, column, keyed_button, row
from engine.core.lan_protocol import ANY, NAME_LENGTH, WATCH, SeatCard, TableCard
from engine.core.protocol import CLIENT

if TYPE_CHECKING:
    from app.settings import SettingsStore

SEATS: Final = (
    (ANY, "Whichever side is free"),
    *((side, f"The {title}") for side, title in SIDE_TITLES.items()),
    (WATCH, "I only look on"),
)
ROW_ROLE: Final = Qt.ItemDataRole.UserRole
TYPED_AFTER: Final = 700  # ms without another letter of an address
LISTED: Final = 4  # games of two lines that are seen without scrolling, at least
ADDRESS_HINT: Final = (
    "Only where a game is not in the list: a firewall or router may keep this machine from finding it. "
    "The host’s lobby shows the address."
)
NO_NAME: Final = "Say what the others are to call you."
NO_GAME: Final = "Choose a game in the list, or type the address of its host."
CODE_WORDS: Final = {"wrong-code": "That is not the join code of this game. The host’s lobby shows it."}
AT_CODE: Final = frozenset({"wrong-code", "no-table", "too-often"})


class Row(NamedTuple):
    """A game of the list; without a table it stands for a host that none can be joined at."""

    host: Host
    table: TableCard | None
    is_own: bool = False  # this window hosts it

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells it from all others."""
        return self.host.address, self.host.port, self.table.table if self.table is not None else ""

    @property
    def place(self) -> Place:
        """Where its host is."""
        return self.host.address, self.host.port

    @property
    def problem(self) -> str:
        """Why it cannot be joined, "" if it can."""
        if self.is_own:
            return "you host it yourself"
        if self.table is not None:
            return ""
        return self.host.problem or "hosts no game that is still played"

    @property
    def has_seat(self) -> bool:
        """Whether a side is free."""
        return self.table is not None and any(not card.player for card in self.table.seats.values())

    @property
    def title(self) -> str:
        """Who hosts what."""
        place = place_words(self.host.address, self.host.port)
        if self.table is None:
            return self.host.name or place
        who = self.table.host
        if who != self.host.name:
            who += f" at {self.host.name}"
        return f"{who}: {self.table.title}"

    @property
    def detail(self) -> str:
        """How the game stands, or why it cannot be joined; and where its host is."""
        place = place_words(self.host.address, self.host.port)
        if self.table is None or self.is_own:
            why = f"cannot be joined: {self.problem}"
            return f"{why} · {place}" if self.host.name else why
        return " · ".join((standing_words(self.table), *agreed_words(self.table), place))


class JoinGameDialog(Dressed, QDialog):
    """Asks which game to join, and stays until one is joined.

    `joinWanted` carries the Invitation once nothing is missing, `placeTyped` an address that was typed, or
    None. `show_hosts` fills the list; `show_joining` and `show_refused` tell how the joining stands.
    """

    joinWanted = Signal(object)
    placeTyped = Signal(object)

    def __init__(self, store: SettingsStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._is_joining = False
        self._led_to = "code"  # what has to be changed
        self._wait = 0  # seconds until another code may be tried
        self.own = ""  # the fingerprint of this window's own host
        self.setWindowTitle("Join a game over the network")
        self.list = QListWidget()
        self.list.setAccessibleName("Games on this network")
        self.list.setWordWrap(True)
        self.list.setItemDelegate(LineRows(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self.join)
        self.list.itemSelectionChanged.connect(self._on_selected)
        self._search = Label("Looking for games on this network.", is_soft=True)
        self._search.setAccessibleName("Search")
        self.code_box = _box("Join code", f"such as {EXAMPLE}", self.join)
        self.code_box.setMaxLength(40)
        self.name_box = _box("Your name", "what the others call you", self.join)
        self.name_box.setMaxLength(NAME_LENGTH)
        self.seat_box = QComboBox()
        self.seat_box.setAccessibleName("Seat")
        for seat, text in SEATS:
            self.seat_box.addItem(text, seat)
        self.address_box = _box("Address of the host", "such as 192.168.1.5", self.join)
        self.problems = {name: _problem(name) for name in ("game", "code", "name", "seat", "address")}
        self._state = Label("")
        self._state.setAccessibleName("Joining")
        self._state.hide()
        self.join_button = keyed_button("Join", "Ctrl+Return", self.join, is_main=True)
        self.cancel_button = keyed_button("Cancel", "Esc", self.reject)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(TYPED_AFTER)
        self._typed.timeout.connect(self._on_typed)
        self._second = QTimer(self)
        self._second.setInterval(1000)
        # A coarse one may run ahead, and the host would refuse what it promised.
        self._second.setTimerType(Qt.TimerType.PreciseTimer)
        self._second.timeout.connect(self._on_second)
        self._scroll = QScrollArea()
        self._lay_out()
        self.code_box.textChanged.connect(self._on_code)
        self.name_box.textChanged.connect(self.problems["name"].hide)
        self.seat_box.currentIndexChanged.connect(self.problems["seat"].hide)
        self.address_box.textChanged.connect(self._on_address)
        now = store.now
        self.name_box.setText((now.lan_name or now.terminator_name or now.clonemaster_name)[:NAME_LENGTH])
        self.dress()
        self.code_box.setFocus()

    def _lay_out(self) -> None:
        inner = QWidget()
        inside = QVBoxLayout(inner)
        inside.setContentsMargins(*(theme.SPACE * 2,) * 4)
        inside.setSpacing(theme.SPACE)
        inside.addWidget(Label("Join a game over the network", "title", is_title=True))
        inside.addWidget(self.list, 1)
        inside.addWidget(self._search)
        inside.addWidget(self.problems["game"])
        inside.addWidget(Bar())
        inside.addLayout(self._grid())
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        MoreSign(self._scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(Bar())
        layout.addLayout(column(self._state, row(self.cancel_button, self.join_button), margin=theme.SPACE))

    def _grid(self) -> QGridLayout:
        """Return what is to be filled in, each with the line that says what is wrong with it."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE * 2)
        grid.setVerticalSpacing(theme.SPACE)
        top = Qt.AlignmentFlag.AlignTop
        for at, (key, title, box, hint) in enumerate(
            (
                ("code", "Join code", self.code_box, ""),
                ("name", "Your name", self.name_box, ""),
                ("seat", "Seat", self.seat_box, ""),
                ("address", "Address of the host", self.address_box, ADDRESS_HINT),
            )
        ):
            part = column(Label(title, is_bold=True), box, self.problems[key], spacing=theme.SPACE // 2)
            if hint:
                part.addWidget(Label(hint, "small", is_soft=True))
            part.addStretch(1)
            grid.addLayout(part, at // 2, at % 2, top)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        return grid

    # The list.

    def show_hosts(self, hosts: Sequence[Host], told: str) -> None:
        """List the games of these hosts; `told` is how the search stands."""
        chosen, before = self.chosen, self.list.count()
        rows = sorted(
            rows_of(_each_once(hosts, self._typed_place()), self.own), key=lambda one: bool(one.problem)
        )
        with QSignalBlocker(self.list):
            self.list.clear()
            for one in rows:
                item = QListWidgetItem(f"{one.title}\n{one.detail}")
                item.setData(ROW_ROLE, one)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{one.title}, {one.detail}")
                if one.problem:
                    item.setForeground(theme.colors().soft)
                self.list.addItem(item)
        self._search.setText(told)
        self._search.setVisible(bool(told))
        self._choose_again(chosen, before)

    def _choose_again(self, chosen: Row | None, before: int) -> None:
        """Choose the game chosen before, else the one that code or address mean, else the only one."""
        rows = [(at, self._row(at)) for at in range(self.list.count())]
        joinable = [(at, one) for at, one in rows if not one.problem]
        kept = [at for at, one in rows if chosen is not None and one.key == chosen.key]
        if kept:
            with QSignalBlocker(self.list):
                self.list.setCurrentRow(kept[0])
            if chosen is not None and self._row(kept[0]).problem != chosen.problem:
                self._on_selected()
            return
        if self.address_box.text().strip():
            meant = [at for at, one in joinable if one.place == self._typed_place()]
        else:
            meant = self._of_code() or [at for at, _ in joinable]
        if len(meant) == 1 or (meant and not before):
            self.list.setCurrentRow(meant[0])

    def _of_code(self) -> list[int]:
        """Return the lines of the games that the code may be of, which begins with the table's name."""
        try:
            table, _ = parse_code(self.code_box.text())
        except ValueError:
            return []
        rows = [(at, self._row(at).table) for at in range(self.list.count())]
        return [at for at, one in rows if one is not None and one.table == table]

    def _row(self, at: int) -> Row:
        found: Row = self.list.item(at).data(ROW_ROLE)
        return found

    @property
    def chosen(self) -> Row | None:
        """The game chosen."""
        items = self.list.selectedItems()
        return items[0].data(ROW_ROLE) if items else None

    @Slot()
    def _on_selected(self) -> None:
        chosen = self.chosen
        self.problems["game"].hide()
        if chosen is None:
            return
        if chosen.problem:
            self.problems["game"].setText(_barred_words(chosen))
            self.problems["game"].show()
            return
        if self.address_box.text() and chosen.place != self._typed_place():
            with QSignalBlocker(self.address_box):
                self.address_box.clear()
            self.problems["address"].hide()
        if not chosen.has_seat and self.seat == ANY:
            self.seat_box.setCurrentIndex(self.seat_box.findData(WATCH))
        elif chosen.has_seat and self.seat == WATCH and not self.seat_box.hasFocus():
            self.seat_box.setCurrentIndex(self.seat_box.findData(ANY))

    # What is filled in.

    @property
    def seat(self) -> str:
        """The seat wanted."""
        return str(self.seat_box.currentData())

    @property
    def name(self) -> str:
        """What the player is called."""
        return self.name_box.text().strip()

    @Slot()
    def _on_code(self) -> None:
        if not self._wait:
            self.problems["code"].hide()
        meant = self._of_code()
        if len(meant) == 1 and not self.address_box.text().strip():
            self.list.setCurrentRow(meant[0])

    @Slot()
    def _on_address(self) -> None:
        self.problems["address"].hide()
        self.problems["game"].hide()
        chosen = self.chosen
        if self.address_box.text().strip() and chosen is not None and chosen.place != self._typed_place():
            self.list.clearSelection()
        self._typed.start()

    @Slot()
    def _on_typed(self) -> None:
        self.placeTyped.emit(self._typed_place())

    def _typed_place(self) -> Place | None:
        """Return where the address leads; None where there is none, or it is not typed to its end."""
        try:
            return parse_place(self.address_box.text())
        except ValueError:
            return None

    # Joining.

    @Slot()
    def join(self) -> None:
        """Join the game, unless something is missing: then say what, at its place."""
        if self._is_joining:
            return
        if self._wait:
            self._lead_to("code")
            return
        wrong = self._wrong()
        for name, label in self.problems.items():
            label.setText(wrong.get(name, ""))
            label.setVisible(name in wrong)
        self._state.hide()
        if wrong:
            announce(self, " ".join(wrong.values()))
            self._lead_to(next(iter(wrong)))
            return
        address, port = self._place()
        self._store.set(lan_name=self.name)
        self.joinWanted.emit(Invitation(address, port, self.code_box.text(), self.name, self.seat))

    def _wrong(self) -> dict[str, str]:
        """Return what is missing or wrong, by the place where it is, the first first."""
        wrong = {}
        if self.address_box.text().strip():
            try:
                parse_place(self.address_box.text())
            except ValueError as error:
                wrong["address"] = _sentence(str(error))
        elif self.chosen is None:
            wrong["game"] = NO_GAME
        elif self.chosen.problem:
            wrong["game"] = _barred_words(self.chosen)
        try:
            parse_code(self.code_box.text())
        except ValueError as error:
            wrong["code"] = _sentence(str(error))
        if not self.name:
            wrong["name"] = NO_NAME
        return wrong

    def _place(self) -> Place:
        chosen = self.chosen
        if self.address_box.text().strip() or chosen is None:
            return parse_place(self.address_box.text())
        return chosen.host.address, chosen.host.port

    def show_joining(self, words: str) -> None:
        """Say that the game is being joined."""
        self._is_joining = True
        self._state.setText(words)
        self._state.show()
        self.join_button.setEnabled(False)

    def show_refused(self, kind: str, reason: str, *, field: str = "", wait: int = 0) -> None:
        """Say at its place why the game was not joined; `kind`, `field`, `wait` are of the host's refusal."""
        self._is_joining = False
        self._state.hide()
        self.join_button.setEnabled(True)
        place = "code" if kind in AT_CODE else "seat" if kind == "taken" else ""
        if field in ("name", "seat"):
            place = field
        place = place or ("address" if self.address_box.text().strip() else "game")
        label = self.problems[place]
        label.setText(CODE_WORDS.get(kind, _sentence(reason)))
        label.show()
        announce(label, label.text())
        if kind == "too-often":
            self._wait = max(1, wait)
            self._show_wait()
        self._lead_to(place)

    def _lead_to(self, place: str) -> None:
        """Give the focus to what has to be changed, and bring the line about it into sight."""
        box: QWidget = {
            "game": self.list,
            "code": self.code_box,
            "name": self.name_box,
            "seat": self.seat_box,
            "address": self.address_box,
        }[place]
        box.setFocus()
        if isinstance(box, QLineEdit):
            box.selectAll()
        self._led_to = place
        # Once the line has been given its room.
        QTimer.singleShot(0, self, self._bring_into_sight)

    @Slot()
    def _bring_into_sight(self) -> None:
        self._scroll.ensureWidgetVisible(self.problems[self._led_to])

    def _show_wait(self) -> None:
        if self._wait:
            seconds = "a second" if self._wait == 1 else f"{self._wait} seconds"
            self.problems["code"].setText(f"Too many have tried just now. In {seconds} you can try again.")
            self._second.start()
        else:
            self.problems["code"].hide()
            self._second.stop()
        self.join_button.bar(bool(self._wait))

    @Slot()
    def _on_second(self) -> None:
        self._wait = max(0, self._wait - 1)
        self._show_wait()

    # Looks.

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._suit()

    def _suit(self) -> None:
        line = QLabel.fontMetrics(self).height()
        self.list.setMinimumHeight(line * LISTED)

    def _dress(self) -> None:
        """Give the text in force the room it needs, as far as the screen has it."""
        body = theme.size("body")
        self.resize(min(body * 72, 1240), min(body * 44, 680))
        self._suit()
        for at in range(self.list.count()):
            if self._row(at).problem:
                self.list.item(at).setForeground(theme.colors().soft)


def _barred_words(row: Row) -> str:
    return f"{row.title} cannot be joined: {row.problem}."


def _each_once(hosts: Sequence[Host], typed: Place | None) -> list[Host]:
    """Return the hosts without those that are there a second time, at the address that was typed."""
    at_place = {host.fingerprint for host in hosts if (host.address, host.port) == typed and host.fingerprint}
    return [one for one in hosts if one.fingerprint not in at_place or (one.address, one.port) == typed]


def rows_of(hosts: Sequence[Host], own: str = "") -> list[Row]:
    """Return the games of the hosts, a line each; a host with none has one that says why.

    `own` is the fingerprint of this window's own host, whose games are not for itself.
    """
    rows: list[Row] = []
    for host in hosts:
        tables = [] if host.problem else [table for table in host.tables if table.phase != "over"]
        is_own = bool(own) and host.fingerprint == own
        rows += [Row(host, table, is_own) for table in tables] or [Row(host, None)]
    return rows


def standing_words(table: TableCard) -> str:
    """Return how a game stands, for one who may join it."""
    free = [SIDE_TITLES.get(side, side) for side, card in table.seats.items() if not card.player]
    if len(free) > 1:
        return "both sides are free"
    if free:
        return f"the {free[0]} side is free" + (f", against {_opponent(table)}" if _opponent(table) else "")
    players = " against ".join(_player(side, card) for side, card in table.seats.items())
    return f"{players}: you can look on"


def agreed_words(table: TableCard) -> list[str]:
    """Return what whoever joins agrees to: the clock, and that the rules are not those of Basic."""
    clock = [f"{minutes_words(table.clock)} each"] if table.clock else []
    changes = "1 rule" if table.changes == 1 else f"{table.changes} rules"
    return clock + ([f"{changes} unlike Basic"] if table.changes else [])


def _opponent(table: TableCard) -> str:
    return next((_player(side, card) for side, card in table.seats.items() if card.player), "")


def _player(side: str, card: SeatCard) -> str:
    return card.name or (BOTS.get(card.player, card.player) if card.player != CLIENT else SIDE_TITLES[side])


def _box(name: str, hint: str, entered: object) -> QLineEdit:
    box = QLineEdit()
    box.setAccessibleName(name)
    box.setPlaceholderText(hint)
    box.returnPressed.connect(entered)
    return box


def _problem(name: str) -> Label:
    """Return the line that says what is wrong at its place, hidden while nothing is."""
    label = Label("")
    label.setAccessibleName(f"What is wrong: {name}")
    label.set_tone("danger")
    label.hide()
    return label


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
