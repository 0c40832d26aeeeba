"""One game with its people: who sits where, who may ask what, and what everybody is told.

A table knows no network. Whoever carries messages lets people `sit` and `return_`, hands in their requests by
`answer`, and takes from `pushes` what each must be told, made from the present moment: one who reads slowly
is told less often, and nothing queues up for him. `on_change` is called when there is something new.

Times are those of a clock that never goes back, in seconds.
"""

from __future__ import annotations

import hashlib
import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from app.desk import HUMAN, Desk, Game, read_choice
from app.lan.host.clocks import Clocks
from app.lan.host.table_file import (
    GAME_NAME,
    TABLE_NAME,
    ChatLine,
    Person,
    TableFile,
    load_table,
    save_table,
)
from app.recap import Recaps, recall
from engine.bots import bots_of, usual_bot
from engine.core.agreement import AskDraw
from engine.core.files import BadFile, write_atomic
from engine.core.lan_protocol import (
    ANY,
    NAME_LENGTH,
    WATCH,
    AgreeRequest,
    ChatRequest,
    ChattedAnswer,
    DoneAnswer,
    LanRequest,
    Missed,
    OfferRequest,
    OpenRequest,
    SealsAnswer,
    SeatCard,
    TableAnswer,
    TableCard,
    Told,
    UpdateAnswer,
    WelcomeAnswer,
)
from engine.core.match import PUBLIC
from engine.core.protocol import (
    CLIENT,
    Answer,
    ChooseRequest,
    Refusal,
    SeatRequest,
    UndoRequest,
)
from engine.core.shares import HOST, make_share, seal_of, seed_from
from engine.core.takeback import AskTakeback
from engine.raid.figures import CLONEMASTER, OTHER_SIDE, SIDE_NAMES, SIDES, TERMINATOR
from engine.raid.match import RULES, RaidMatch, RaidReplay
from engine.raid.scenario import Scenario
from engine.raid.sealed_start import sealed_start
from engine.raid.switches import differences

CHAT_KEPT: Final = 200  # lines
CHAT_TOLD: Final = 50  # lines to somebody who comes in
CHAT_LEAP: Final = 10_000  # numbers left out at a new start: more lines than were told and not kept
WATCHERS: Final = 16  # at most
LOBBY_GRACE: Final = 60.0  # seconds after which the seat of one who left before the game began is free
STAND_IN_AFTER: Final = 60.0  # seconds away after which the other player may put a bot on the seat
STAND_IN: Final = "rulebook"  # the bot that plays on for one whose time is up
CLOCKS_KEPT_EVERY: Final = 10.0  # seconds of a player's time that a killed host may give him back
CHOICES_AT_ONCE: Final = 20  # of bots that need not be waited for, before others have their turn

SIDE_TITLES: Final = {TERMINATOR: "Terminators", CLONEMASTER: "CloneMaster"}

_ASKING: Final = (AskTakeback, AskDraw)

Now = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a table is laid: the seats by side, "client" for a person or a bot's name.

    `pace` is how many seconds a bot takes over a choice; `clock` how many seconds each side has for the
    game, None for as long as it likes. Who joins with `host_token` is the host's own player.
    """

    title: str
    host: str
    scenario: Scenario
    seats: Mapping[str, str]
    pace: float = 0.0
    clock: float | None = None
    host_token: str = ""


@dataclass(eq=False)
class Guest:
    """One who has joined, and what he has been told so far.

    `visit` counts his connections, so that the end of an old one is not taken for that of the new.
    `delay` is how long his line takes there and back, in milliseconds. `last` is the update he was told
    last, but for what he need not know, and `revision` its game's. `share` is what he has opened of the dice.
    """

    side: str
    name: str
    token: str
    seal: str
    share: str
    is_host: bool
    visit: int = 0
    is_here: bool = False
    away_since: float = 0.0
    delay: int | None = None
    wants_table: bool = True
    wants_seals: bool = True
    wants_update: bool = True
    chat_told: int = 0
    told: dict[str, int] = field(default_factory=dict)
    missed: Missed | None = None
    last: UpdateAnswer | None = None
    revision: int = -1

    @property
    def sides(self) -> frozenset[str]:
        """What he may look into."""
        return frozenset((self.side,)) if self.side else frozenset()


def hash_of(token: str) -> str:
    """Return what is kept of a token, from which it cannot be found again."""
    return hashlib.sha256(f"kungfu2100 token {token}".encode()).hexdigest()


class Table:
    """A game of several machines; see the module.

    Raises BadFile where the scenario cannot be played, OSError where its folder cannot be written.
    """

    def __init__(self, file: TableFile, folder: Path, scenario: Scenario, now: Now = time.monotonic) -> None:
        self._file = file
        self.folder = folder
        self.scenario = scenario
        self._changes = len(differences(Scenario(name=""), sealed_start(scenario, PUBLIC)))
        self._now = now
        self.on_change: Callable[[], None] = lambda: None
        self.notice = ""
        self._write: Callable[[Path, bytes], None] | None = None
        self.guests = [
            Guest(
                one.side,
                one.name,
                one.token,
                one.seal,
                one.share,
                self._is_host(one.token),
                away_since=now(),
            )
            for one in file.people
        ]
        self._chat = _in_order(file.chat)
        self._chat_count = self._chat[-1].number + CHAT_LEAP if self._chat else 0  # the next line's number
        self._asks: set[str] = set()
        self._next_bot = 0.0
        self._game: Game | None = None
        self._recaps: dict[str, Recaps] = {}
        self._clocks = Clocks(file.left)
        self._kept_at = now()

    @classmethod
    def new(cls, name: str, secret: str, options: Options, folder: Path, now: Now = time.monotonic) -> Table:
        """Return a new table that keeps itself in a folder of its own."""
        packed = RULES.pack_scenario(options.scenario)
        file = TableFile(
            table=name,
            secret=secret,
            title=options.title,
            host=options.host,
            begun=time.time(),
            host_token=hash_of(options.host_token) if options.host_token else "",
            seats=dict(options.seats),
            host_share=make_share(),
            pace=options.pace,
            clock=options.clock,
            left=dict.fromkeys(SIDES, options.clock) if options.clock is not None else {},
            scenario=packed,
        )
        folder.mkdir(parents=True, exist_ok=True)
        table = cls(file, folder, options.scenario, now)
        table._save()
        table._begin_if_opened()
        return table

    @classmethod
    def resume(cls, folder: Path, now: Now = time.monotonic) -> Table:
        """Return the table of a folder as it was when it was last kept; raises BadFile."""
        file = load_table(folder / TABLE_NAME)
        path = folder / GAME_NAME
        if path.exists():
            match = RaidMatch.resume(path)
            table = cls(file, folder, match.scenario, now)
            table._take_up(match)
            for side in file.people:
                if side.side:
                    played = RaidReplay.of(match.record)
                    table._recaps[side.side] = recall(played, (side.side,), file.bot_since)
        else:
            if file.scenario is None:
                raise BadFile(["scenario: missing, and there is no game beside it"], str(folder / TABLE_NAME))
            scenario = RULES.unpack_scenario(file.scenario, str(folder / TABLE_NAME))
            table = cls(file, folder, scenario, now)
            table._begin_if_opened()
        return table

    # What it is.

    @property
    def name(self) -> str:
        """The table's name on its host, two letters; the first part of its join code."""
        return self._file.table

    @property
    def secret(self) -> str:
        """The secret part of its join code."""
        return self._file.secret

    @property
    def title(self) -> str:
        """What is played."""
        return self._file.title

    @property
    def begun(self) -> float:
        """When the table was made, in seconds since 1970."""
        return self._file.begun

    @property
    def commitment(self) -> str:
        """The host's seal of its share of the dice."""
        return seal_of(HOST, self._file.host_share)

    @property
    def match(self) -> RaidMatch | None:
        """The game, once it has begun."""
        return self._game.match if self._game is not None else None

    @property
    def record_path(self) -> Path:
        """Where the game's record is kept."""
        return self.folder / GAME_NAME

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.match is not None and self.match.is_over

    @property
    def is_paused(self) -> bool:
        """Whether the players have agreed to a pause."""
        return self._file.is_paused

    def away(self) -> list[Guest]:
        """Return the players for whom the game waits: those who are not here and for whom no bot plays."""
        if self.is_over:
            return []
        return [
            one for one in self.guests if one.side and not one.is_here and self._player(one.side) == CLIENT
        ]

    def card(self) -> TableCard:
        """Return the table as those who sit at it may know it."""
        over = "over" if self.is_over else "playing"
        return TableCard(
            table=self.name,
            title=self.title,
            host=self._file.host,
            phase=over if self._game is not None else "waiting",  # type: ignore[arg-type]
            seats={side: self._seat_card(side) for side in SIDES},
            watchers=sum(one.is_here for one in self.guests if not one.side),
            clock=math.ceil(self._file.clock or 0),
            changes=self._changes,
        )

    def card_for_strangers(self) -> TableCard:
        """Return the table as anybody may know it: who plays and what is free, but not who is there now."""
        return msgspec.structs.replace(
            self.card(), seats={side: self._card_for_strangers(side) for side in SIDES}, watchers=0
        )

    def _card_for_strangers(self, side: str) -> SeatCard:
        guest = self._person(side)
        # Not who sits in for somebody either, from which it follows that he is away.
        return SeatCard(player=CLIENT, name=guest.name) if guest is not None else self._seat_card(side)

    def _seat_card(self, side: str) -> SeatCard:
        guest = self._person(side)
        if guest is None:
            seat = self._file.seats[side]
            return SeatCard(player="" if seat == CLIENT else seat)
        return SeatCard(
            player=self._player(side),
            name=guest.name,
            is_here=guest.is_here,
            away=0 if guest.is_here else round(self._now() - guest.away_since),
            delay=guest.delay if guest.is_here else None,
        )

    def _player(self, side: str) -> str:
        return self._file.stand_ins.get(side, self._file.seats[side])

    def _person(self, side: str) -> Guest | None:
        return next((one for one in self.guests if one.side == side), None)

    def _is_host(self, hashed: str) -> bool:
        return bool(self._file.host_token) and hashed == self._file.host_token

    def _free(self) -> list[str]:
        return [side for side in SIDES if self._file.seats[side] == CLIENT and self._person(side) is None]

    # Coming and going.

    def sit(self, name: str, seat: str, seals: Mapping[str, str], token: str) -> Guest:
        """Give a seat to one who has proved that he has the code; the same token has the same seat again.

        `seals` are of his share, for each side that he may be given. Raises Refusal.
        """
        known = self._by_token(token)
        if known is not None:
            return self._come(known)
        name = _clean_name(name)
        side = "" if seat == WATCH else self._side_for(seat, seals)
        if not side and sum(not one.side for one in self.guests) >= WATCHERS:
            # Who has left makes room, the one longest away first.
            gone = [one for one in self.guests if not one.side and not one.is_here]
            if not gone:
                raise Refusal("taken", f"{WATCHERS} look on already")
            self.guests.remove(min(gone, key=lambda one: one.away_since))
        hashed = hash_of(token)
        seal = seals[side] if side else ""
        guest = Guest(side, self._free_name(name), hashed, seal, "", self._is_host(hashed))
        self.guests.append(guest)
        what_for = f"and plays the {SIDE_TITLES[side]}" if side else "to look on"
        self._say(f"{guest.name} has joined {what_for}", guest)
        self._save()
        return self._come(guest, has_joined=True)

    def _side_for(self, seat: str, seals: Mapping[str, str]) -> str:
        free = self._free()
        if seat == ANY:
            if not free:
                raise Refusal("taken", "all seats are taken; one can still look on")
            seat = next((side for side in free if side in seals), free[0])
        if seat not in SIDES:
            raise Refusal.at("seat", f'"{seat[:40]}" is not one of {" ".join((*SIDES, ANY, WATCH))}')
        if seat not in free:
            raise Refusal("taken", f"the {SIDE_NAMES[seat]} side is taken")
        if seat not in seals:
            raise Refusal.at("seals", f"none for the {SIDE_NAMES[seat]}")
        return seat

    def _free_name(self, name: str) -> str:
        taken = {one.name for one in self.guests}
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name[: NAME_LENGTH - 4]} {number}"
        return free

    def return_(self, token: str, *, is_new: bool = False) -> Guest:
        """Let somebody come back to his seat by his token; raises Refusal.

        Whose program `is_new` is told all that has happened since his own last move.
        """
        guest = self._by_token(token)
        if guest is None:
            raise Refusal(
                "no-table", "this table knows of no seat of yours; its join code leads to a new one"
            )
        return self._come(guest, is_new=is_new)

    def _by_token(self, token: str) -> Guest | None:
        hashed = hash_of(token)
        return next((one for one in self.guests if one.token == hashed), None)

    def _come(self, guest: Guest, *, has_joined: bool = False, is_new: bool = False) -> Guest:
        was_here = guest.is_here
        guest.visit += 1
        guest.is_here = True
        guest.delay = None
        guest.told.clear()
        guest.last = None
        guest.wants_table = guest.wants_seals = guest.wants_update = True
        guest.chat_told = next((line.number for line in self._chat[-CHAT_TOLD:]), 0)
        recaps = self._recaps.get(guest.side)
        if recaps is not None and is_new:
            recaps.forget_seen()
        if recaps is not None and (is_new or not was_here):
            recap = recaps.unseen(guest.side)
            if recap is not None:
                acts = tuple((act.events, act.view) for act in recap.acts)
                guest.missed = Missed(before=recap.before, acts=acts)
        if not was_here and not has_joined:
            self._say(f"{guest.name} is back", guest)
        self._people_changed()
        return guest

    def leave(self, guest: Guest, visit: int, *, for_good: bool = False) -> None:
        """Note that a guest's connection has ended, the one of that visit.

        Who leaves `for_good` while others are still to come frees his seat; later it waits for him all the
        same.
        """
        if guest.visit != visit or not guest.is_here:
            return
        is_bound = guest.is_host or (guest.side and self.are_seats_fixed)
        if for_good and self._game is None and not is_bound:
            self.guests.remove(guest)
            self._say(f"{guest.name} has left", guest)
            self._save()
            self._people_changed()
            return
        guest.is_here = False
        guest.away_since = self._now()
        # Nobody waits for who looks on.
        how = "is not connected" if guest.side and not self.is_over else "has left"
        self._say(f"{guest.name} {how}", guest)
        self._people_changed()

    def set_delay(self, guest: Guest, delay: int) -> None:
        """Note how long a guest's line takes there and back, in milliseconds."""
        if guest.delay != delay:
            guest.delay = delay
            self._table_changed()

    def welcome(self, guest: Guest, proof: str) -> WelcomeAnswer:
        """Return what a guest is told first."""
        return WelcomeAnswer(
            proof=proof,
            side=guest.side,
            name=guest.name,
            commitment=self.commitment,
            is_host=guest.is_host,
            scenario=msgspec.Raw(self._packed_scenario(guest.side or PUBLIC)),
            chat=self._chat_count,
        )

    def _packed_scenario(self, viewer: str) -> bytes:
        scenario = self.scenario if self.is_over else sealed_start(self.scenario, viewer)
        return msgspec.json.encode(RULES.pack_scenario(scenario))

    # Beginning.

    @property
    def are_seats_fixed(self) -> bool:
        """Whether all seats are taken: from then on all are told the seals, and nobody's seat is freed."""
        return not self._free()

    def _players(self) -> dict[str, Guest]:
        return {one.side: one for one in self.guests if one.side}

    def _seals_answer(self) -> SealsAnswer:
        return SealsAnswer(
            seals={HOST: self.commitment, **{side: one.seal for side, one in self._players().items()}}
        )

    def _open(self, guest: Guest, share: str) -> None:
        """Take what a player adds to the dice, if it is what he sealed; raises Refusal."""
        side = self._side_of(guest)
        if not self.are_seats_fixed:
            raise Refusal("no-game", "no share is opened before all seats are taken")
        if seal_of(side, share) != guest.seal:
            raise Refusal.at("share", "not the one that was sealed")
        if not guest.share:
            guest.share = share
            self._save()
            self._begin_if_opened()

    def _begin_if_opened(self) -> None:
        """Begin the game when all players have opened their shares; the dice follow from these."""
        people = self._players()
        if self._game is not None or self._free() or not all(one.share for one in people.values()):
            return
        file = self._file
        shares = {HOST: file.host_share, **{side: one.share for side, one in people.items()}}
        match = RaidMatch.new(
            self.scenario,
            seed_from(shares),
            seats={side: HUMAN if seat == CLIENT else seat for side, seat in file.seats.items()},
            names={side: person.name for side, person in people.items()},
            path=self.record_path,
            write=self._write_first,
            shares=shares,
        )
        self._take_up(match)
        self._save()
        self._say("The game begins")
        self._table_changed()
        self._game_changed()

    def _write_first(self, path: Path, raw: bytes) -> None:
        """Write a game's record for the first time; without room for it the game begins all the same."""
        with self._saving():
            (self._write or write_atomic)(path, raw)

    def _take_up(self, match: RaidMatch) -> None:
        match.write = self._write
        self._game = Game(match, {side: self._player(side) for side in SIDES}, self._file.stand_ins)
        self._recaps = {one.side: Recaps(match, (one.side,)) for one in self.guests if one.side}

    # Asking.

    def answer(self, guest: Guest, request: LanRequest) -> Answer:
        """Return the answer to a guest's request.

        Raises Refusal, IllegalChoice or BadFile; then nothing has changed.
        """
        if isinstance(request, OpenRequest):
            self._open(guest, request.share)
            return DoneAnswer(id=request.id)
        if isinstance(request, ChatRequest):
            self._chat_line(guest, request.text)
            return DoneAnswer(id=request.id)
        if isinstance(request, OfferRequest):
            self._offer(guest, request.what)
            return DoneAnswer(id=request.id)
        if isinstance(request, AgreeRequest):
            self._agree(guest, agrees=request.agrees)
            return DoneAnswer(id=request.id)
        if self._game is None:
            waits_for = "a share of the dice" if self.are_seats_fixed else "somebody"
            raise Refusal("no-game", f"the game has not begun: {waits_for} is still missing")
        desk = Desk(self._game, guest.sides)
        if isinstance(request, SeatRequest):
            self._change_player(guest, request)
            return desk.state(request.id)
        if isinstance(request, ChooseRequest | UndoRequest):
            self._check_going()
            if isinstance(request, UndoRequest) and request.revision is None:
                # Over a network an answer may be late, and whoever asks again means the same choice.
                raise Refusal.at("revision", "missing; it is that of your open decision")
            if isinstance(request, ChooseRequest) and isinstance(read_choice(request.choice), _ASKING):
                revision = self._at_present(guest, request.revision)
                request = msgspec.structs.replace(request, revision=revision)
            with self._saving():
                desk.change(request)
            self._chose_himself(guest.side)
            guest.last = None  # who chose is told what came of it, were it nothing
            self._game_changed()
            return desk.state(request.id)
        return desk.answer(request)

    def _chose_himself(self, side: str) -> None:
        if side in self._file.bot_since:
            since = {one: start for one, start in self._file.bot_since.items() if one != side}
            self._keep(bot_since=since)

    def _at_present(self, guest: Guest, revision: int) -> int:
        """Return the game's revision where a guest names the one he was told last and was told all since.

        Nobody is told of what the other does in secret, nor need he know its revision.
        """
        match = self.match
        is_present = match is not None and not guest.wants_update and revision == guest.revision
        return match.revision if match is not None and is_present else revision

    def _check_going(self) -> None:
        if self.is_paused:
            raise Refusal("paused", "the game is paused")
        away = self.away()
        if away:
            raise Refusal("paused", f"the game waits for {away[0].name}, who is not connected")

    @property
    def desks(self) -> Iterator[tuple[Guest, Desk]]:
        """Every guest with what he may ask of the game; none before it begins."""
        if self._game is not None:
            for guest in self.guests:
                yield guest, Desk(self._game, guest.sides)

    # Chat and offers.

    def _chat_line(self, guest: Guest, text: str) -> None:
        text = " ".join(text.split())
        if not text or not text.isprintable():
            raise Refusal.at("text", "a line of letters that can be read")
        self._add_line(ChatLine(number=self._chat_count, side=guest.side, name=guest.name, text=text))
        self._save()

    def _say(self, text: str, of: Guest | None = None) -> None:
        """Say a line in the table's own name, of somebody if that is what it tells of."""
        side = of.side if of is not None else ""
        self._add_line(ChatLine(number=self._chat_count, side=side, name="", text=f"{text}."))

    def _add_line(self, line: ChatLine) -> None:
        self._chat.append(line)
        self._chat_count = line.number + 1
        del self._chat[:-CHAT_KEPT]
        self.on_change()

    def _offer(self, guest: Guest, what: str) -> None:
        side = self._side_of(guest)
        if self._game is None or self.is_over:
            raise Refusal("no-game", "there is no game to pause")
        if what == "go-on" and side in self._asks:
            self._asks.discard(side)
            self._say(f"{guest.name} no longer asks for a pause", guest)
        elif what == "go-on":
            if not self.is_paused:
                raise Refusal("bad-value", "the game is not paused")
            self._say(f"{guest.name} goes on", guest)
            self._set_paused(is_paused=False)
        elif self.is_paused:
            raise Refusal("bad-value", "the game is paused already")
        elif self._player(OTHER_SIDE[side]) != CLIENT:
            self._set_paused(is_paused=True)
        else:
            self._asks.add(side)
            if len(self._asks) == len(SIDES):
                self._set_paused(is_paused=True)
        self._people_changed()

    def _agree(self, guest: Guest, *, agrees: bool) -> None:
        side = self._side_of(guest)
        if OTHER_SIDE[side] not in self._asks:
            raise Refusal("bad-value", "nobody asks for a pause")
        self._asks.clear()
        if agrees:
            self._set_paused(is_paused=True)
        else:
            self._say(f"{guest.name} would rather play on", guest)
            self._save()
        self._people_changed()

    def _side_of(self, guest: Guest) -> str:
        if not guest.side:
            raise Refusal("not-yours", "who looks on has no say in this")
        return guest.side

    def _set_paused(self, *, is_paused: bool) -> None:
        self._asks.clear()
        if is_paused:
            self._say("The game is paused")
        self._keep(is_paused=is_paused)

    def _change_player(self, guest: Guest, request: SeatRequest) -> None:
        """Let a bot play for somebody, or give a seat back to its person.

        For the other side only where its person has been away for a while; he takes it back himself.
        """
        side, player = request.side, request.player
        mine = self._side_of(guest)
        if side not in SIDES:
            raise Refusal.at("side", f'"{side[:40]}" is not one of {" ".join(SIDES)}')
        person = self._person(side)
        if person is None:
            raise Refusal("not-yours", f"{self._file.seats[side]} sits there from the start")
        if player not in (CLIENT, *bots_of(side)):
            raise Refusal.at("player", f'"{player[:40]}" is not one of {" ".join((CLIENT, *bots_of(side)))}')
        if side != mine:
            if player == CLIENT:
                raise Refusal("not-yours", f"only {person.name} can take that seat back")
            if person.is_here:
                raise Refusal("not-yours", f"{person.name} plays for himself")
            usual = usual_bot(side, self.scenario)
            if player != usual:
                raise Refusal.at("player", f"only {usual} may play for who is away")
            left = STAND_IN_AFTER - (self._now() - person.away_since)
            if left > 0:
                raise Refusal(
                    "too-often", f"give {person.name} another {left:.0f} seconds to come back", wait=left
                )
        if player == CLIENT and side in self._file.out_of_time:
            raise Refusal("bad-value", "your time is up: the bot plays to the end")
        if self.is_over:
            raise Refusal("bad-value", "the game is over")
        whom = person.name
        self._say(f"{whom} plays again" if player == CLIENT else f"The {player} bot plays for {whom}")
        self._put(side, player)

    def _put(self, side: str, player: str) -> None:
        assert self._game is not None
        stand_ins = {one: bot for one, bot in self._file.stand_ins.items() if one != side}
        bot_since = dict(self._file.bot_since)
        if player != CLIENT:
            stand_ins[side] = player
            bot_since.setdefault(side, self._game.match.length)
        self._keep(stand_ins=stand_ins, bot_since=bot_since)
        self._game.seat(side, player, stands_in=True)
        self._game_changed()
        self._people_changed()

    # Going on.

    def tick(self) -> float | None:
        """Let bots and clocks go on; return when to be called again, None where only a request matters."""
        now = self._now()
        if self._game is None:
            return self._free_left_seats(now)
        if self.is_over or self.is_paused:
            self._clocks.run((), now)
            return None
        for side in self._clocks.out(now):
            self._run_out(side)
        if not self._game.waits_for() and not self.away():
            if now < self._next_bot:
                return self._next_bot
            with self._saving():
                self._game.go(1 if self._file.pace else CHOICES_AT_ONCE)
            self._next_bot = now + self._file.pace
            self._game_changed()
            return self._next_bot
        self._run_clocks()
        next_out = self._clocks.next_out(now)
        if next_out is None:
            return None
        if now >= self._kept_at + CLOCKS_KEPT_EVERY:
            self._save()
        return min(next_out, self._kept_at + CLOCKS_KEPT_EVERY)

    def _free_left_seats(self, now: float) -> float | None:
        """Free the seats of those who left while others were to come, and have not come back for a while."""
        if self.are_seats_fixed:
            return None
        gone = [one for one in self.guests if not one.is_here and one.side and not one.is_host]
        for guest in gone:
            if now - guest.away_since >= LOBBY_GRACE:
                self.guests.remove(guest)
                self._say(f"{guest.name}’s seat is free again")
                self._save()
                self._people_changed()
        left = [one.away_since + LOBBY_GRACE for one in gone if one in self.guests]
        return min(left, default=None)

    def _run_out(self, side: str) -> None:
        person = self._person(side)
        self._keep(out_of_time=(*self._file.out_of_time, side))
        if person is not None:
            self._say(f"{person.name}’s time is up: the {STAND_IN} bot plays to the end")
        self._put(side, STAND_IN)

    def _run_clocks(self) -> None:
        """Let the time of those run who must decide.

        While somebody is away only his own time runs, or leaving would stop it; not before he has been here
        since the host began, who may have been the one that was gone.
        """
        if not self._file.left or self._game is None:
            return
        running = frozenset() if self.is_over or self.is_paused else self._game.waits_for()
        away = self.away()
        if away:
            running &= {one.side for one in away if one.visit}
        if running != self._clocks.running:
            self._clocks.run(running, self._now())
            self._table_changed()

    # Telling.

    def _people_changed(self) -> None:
        self._run_clocks()
        self._table_changed()

    def _table_changed(self) -> None:
        for guest in self.guests:
            guest.wants_table = True
        self.on_change()

    def _game_changed(self) -> None:
        """Take in that the game has gone on, or has gone back."""
        assert self._game is not None
        match = self._game.match
        for guest in self.guests:
            guest.wants_update = True
            for viewer, count in guest.told.items():
                # What an undo took back was told before: it will be told anew from there.
                guest.told[viewer] = min(count, match.event_count(viewer))
        for guest in self.guests:
            recaps = self._recaps.get(guest.side)
            if recaps is not None:
                recaps.watch(match, guest.side if guest.is_here else None, self._file.bot_since)
        self._run_clocks()
        if self.is_over:
            self._table_changed()
        self.on_change()

    def has_news(self, guest: Guest) -> bool:
        """Return whether there is something to tell a guest."""
        return (
            guest.wants_table
            or (guest.wants_seals and self.are_seats_fixed)
            or (guest.wants_update and self._game is not None)
            or bool(self._chat_for(guest))
        )

    def pushes(self, guest: Guest) -> list[Answer]:
        """Return what a guest has to be told now; then it counts as told."""
        news: list[Answer] = []
        if guest.wants_table:
            guest.wants_table = False
            news.append(self._table_answer(guest))
        if guest.wants_seals and self.are_seats_fixed:
            guest.wants_seals = False
            news.append(self._seals_answer())
        if guest.wants_update and self._game is not None:
            guest.wants_update = False
            update = self._update(guest, self._game)
            told = msgspec.structs.replace(
                update, length=0, told={}, state=msgspec.structs.replace(update.state, revision=0, undo=())
            )
            # How far the other side has come with what it does in secret is its own affair (R16).
            if told != guest.last or any(part.events for part in update.told.values()):
                guest.last = told
                guest.revision = update.state.revision
                news.append(update)
        news += [
            ChattedAnswer(number=line.number, side=line.side, name=line.name, text=line.text)
            for line in self._chat_for(guest)
        ]
        guest.chat_told = self._chat_count
        return news

    def _chat_for(self, guest: Guest) -> Sequence[ChatLine]:
        """Return the lines that a guest has not been told."""
        return self._chat[bisect_left(self._chat, guest.chat_told, key=lambda line: line.number) :]

    def _table_answer(self, guest: Guest) -> TableAnswer:
        return TableAnswer(
            card=self.card(),
            watchers=tuple(one.name for one in self.guests if not one.side and one.is_here),
            is_paused=self.is_paused,
            asks=tuple(sorted(self._asks)),
            clocks=self._clocks.cards(self._now()),
            code=self.name + self.secret if guest.is_host else "",
            notice=self.notice,
        )

    def _update(self, guest: Guest, game: Game) -> UpdateAnswer:
        match = game.match
        desk = Desk(game, guest.sides)
        told = {}
        for viewer in desk.viewers:
            since = guest.told.get(viewer, 0)
            events = match.events(viewer, since)
            told[viewer] = Told(since=since, events=events)
            guest.told[viewer] = since + len(events)
        missed, guest.missed = guest.missed, None
        return UpdateAnswer(
            state=desk.state(),
            length=match.length,
            views={viewer: match.view(viewer) for viewer in desk.viewers},
            told=told,
            known=match.known(guest.side) if guest.side and not match.is_over else None,
            missed=missed,
        )

    # Keeping.

    def _saving(self) -> Saving:
        """Return what notes whether the record could be written; the game goes on without it."""
        return Saving(self)

    def _keep(self, **changes: object) -> None:
        self._file = msgspec.structs.replace(self._file, **changes)
        self._save()

    def _save(self) -> None:
        """Write the table's file; where that fails everybody is told, and the next time tries again."""
        people = tuple(
            Person(side=one.side, name=one.name, token=one.token, seal=one.seal, share=one.share)
            for one in self.guests
        )
        left = self._clocks.left(self._now()) if self._file.left else {}
        self._file = msgspec.structs.replace(self._file, people=people, chat=tuple(self._chat), left=left)
        self._kept_at = self._now()
        with self._saving():
            save_table(self.folder / TABLE_NAME, self._file, self._write)

    def save(self) -> None:
        """Write everything, as before the host ends."""
        self._save()
        match = self.match
        if match is not None:
            with self._saving():
                match.save()

    def write_with(self, write: Callable[[Path, bytes], None] | None) -> None:
        """Let something else write the files from now on, None itself; it raises OSError while it cannot."""
        self._write = write
        if self.match is not None:
            self.match.write = write

    def note_trouble(self, error: OSError | None) -> None:
        """Tell everybody why the game cannot be saved, None where it can."""
        why = (error.strerror or str(error)) if error is not None else ""
        self.note(f"The game goes on, but the host cannot save it: {why}" if error is not None else "")

    def note(self, notice: str) -> None:
        """Tell everybody what the host's machine cannot do, "" that it can again."""
        if notice != self.notice:
            self.notice = notice
            self._table_changed()


class Saving:
    """Lets a write fail without failing what was to be written; the table tells of it."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None or isinstance(error, OSError):
            self._table.note_trouble(error)
        return isinstance(error, OSError)


def _clean_name(name: str) -> str:
    """Return a player's name on one line; raises Refusal where nothing of it can be read."""
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise Refusal.at("name", "some letters that can be read")
    return name


def _in_order(lines: Sequence[ChatLine]) -> list[ChatLine]:
    """Return lines with numbers that grow, also where a file's do not."""
    ordered: list[ChatLine] = []
    for line in lines:
        least = ordered[-1].number + 1 if ordered else 0
        ordered.append(line if line.number >= least else msgspec.structs.replace(line, number=least))
    return ordered
