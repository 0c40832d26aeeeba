"""`kungfu2100 join`: what is typed, what is listed, and a bot that plays at another machine's table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app import gui
from app.cli import main
from app.game_files import FINISHED
from app.lan import join
from app.lan.certificate import Identity, load_identity
from app.lan.codes import format_code
from app.lan.guest import finding
from app.lan.guest.finding import Host
from app.lan.guest.link import Invitation
from app.lan.guest.tickets import Ticket, load_all, tickets_folder
from app.lan.host.folder import HostFolder
from app.lan.host.server import Server
from app.lan.host.table import Options, Table
from app.lan.join import CannotJoin, play_bot
from app.lan.kept import kept_games
from engine.core.lan_protocol import (
    LAN_VERSION,
    OfferRequest,
    SealsAnswer,
    SeatCard,
    TableAnswer,
    TableCard,
    UpdateAnswer,
)
from engine.core.protocol import CLIENT, QuitRequest
from engine.raid.figures import CLONEMASTER, TERMINATOR
from engine.raid.match import RULES
from engine.raid.scenario import load_scenario
from tests.helpers.caller import Caller, hosted
from tests.helpers.fake_host import CODE, COMMITMENT, FakeHost, Wire, welcome
from tests.helpers.program import ROOT

LOOPBACK = "127.0.0.1"


class House:
    """A real host on loopback with one table; `ended` says how many games were played to the end."""

    def __init__(self, folder: HostFolder, opponent: str) -> None:
        options = Options(
            title="The Tea House",
            host="Attic",
            scenario=load_scenario("tea-house"),
            seats={TERMINATOR: CLIENT, CLONEMASTER: opponent},
        )
        self.table: Table = folder.new_table(options)
        self.server = Server([self.table], folder.identity, "Attic", bind=LOOPBACK)

    @property
    def place(self) -> str:
        """Where it is."""
        return f"{LOOPBACK}:{self.server.port}"

    @property
    def code(self) -> str:
        """Its table's join code."""
        return format_code(self.table.name, self.table.secret)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for tickets and games."""
    monkeypatch.setenv("KUNGFU2100_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def house(tmp_path: Path, data: Path) -> Iterator[House]:
    """A host whose bot waits for an opponent."""
    folder = HostFolder(tmp_path / "host")
    made = House(folder, "random")
    with hosted(made.server):
        yield made
    folder.close()


@pytest.fixture
def house_for_two(tmp_path: Path, data: Path) -> Iterator[House]:
    """A host that waits for two."""
    folder = HostFolder(tmp_path / "host")
    made = House(folder, CLIENT)
    with hosted(made.server):
        yield made
    folder.close()


def start_bot(house: House) -> subprocess.Popen[bytes]:
    """Start a program whose bot takes whichever seat is free."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "app", "join", house.place, house.code, "--bot", "random"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for_table(caller: Caller, holds: Callable[[TableAnswer], bool]) -> None:
    """Wait until the table is told to be so."""
    while not any(holds(one) for one in caller.pushed[-3:] if isinstance(one, TableAnswer)):
        caller.until(TableAnswer)


# A bot's game


def test_a_bot_plays_to_the_end_and_keeps_the_record(
    house: House, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line of result on standard output; the record is proved, and saved among the finished games."""
    assert main(["join", house.place, house.code, "--bot", "random", "--name", "Deep"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 1
    assert "decisions" in out
    assert "Deep plays the terminator" in err
    assert "The record is sound" in err
    (record,) = (data / "games" / FINISHED).glob("*.json")
    assert record.read_bytes() == house.table.record_path.read_bytes()
    (ticket,) = load_all(tickets_folder())
    assert ticket.is_over
    assert ticket.token == "", "a receipt leads to no seat"
    assert kept_games() == []
    assert main(["replay", str(record), "--verify", "--receipt", str(ticket.path(tickets_folder()))]) == 0


def test_a_bots_result_can_be_read_by_a_program(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object, with the result as `play` prints it and what the record proves."""
    assert main(["join", house.place, house.code, "--bot", "random", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["scenario"] == "The Tea House"
    assert (told["side"], told["sound"]) == (TERMINATOR, True)
    assert Path(told["record"]).exists()


def test_a_bot_waits_through_a_pause_and_agrees_to_one(house_for_two: House, data: Path) -> None:
    """The person opposite may need it; meanwhile the bot's machine keeps nothing of the game but the seat."""
    house = house_for_two
    with Caller(house.server.port) as bob:
        bob.join(house.code.replace("-", ""), "Bob", CLONEMASTER)
        bot = start_bot(house)
        try:
            bob.until(UpdateAnswer)
            bob.ask(OfferRequest(what="pause"))
            wait_for_table(bob, lambda table: table.is_paused and not table.asks)
            bob.ask(OfferRequest(what="go-on"))
            wait_for_table(bob, lambda table: not table.is_paused)
            kept = [path.relative_to(data) for path in data.rglob("*") if path.is_file()]
            assert [path.parent.as_posix() for path in kept] == ["lan/tickets"]
            bob.ask(QuitRequest())
        finally:
            bot.kill()
            bot.wait()


def test_a_bot_comes_back_to_its_seat(house_for_two: House, data: Path) -> None:
    """Its program was killed: `--back` leads to the seat without a code, and finds nothing after the end."""
    house = house_for_two
    with pytest.raises(CannotJoin, match="no game to come back to"):
        join.way(parsed("join", "--back", "--bot", "random"))
    seat = join.way(parsed("join", house.place, house.code, "--bot", "random", "--seat", TERMINATOR))
    assert isinstance(seat, Invitation)
    killed = Caller(house.server.port)
    killed.join(house.code.replace("-", ""), "Deep", TERMINATOR)
    ticket = Ticket(
        id="0" * 16,
        table=house.table.name,
        address=LOOPBACK,
        port=house.server.port,
        host="Attic",
        fingerprint=house.server.identity.fingerprint,
        token=killed.token,
        side=TERMINATOR,
        seat=TERMINATOR,
        name="Deep",
        title="The Tea House",
        commitment=house.table.commitment,
        share=killed.share,
    )
    ticket.save(tickets_folder())
    killed.cut()
    other = start_bot(house)
    try:
        with pytest.raises(CannotJoin, match=r"taken; .* --back"):
            play_bot(seat, "random", lambda line: None)
        back = join.way(parsed("join", house.place, "--back", "--bot", "random"))
        assert back == ticket
        ended = play_bot(ticket, "random", lambda line: None)
        assert ended.match.side == TERMINATOR
        assert ended.verdict.faults == ()
        assert other.wait(60) == 0
    finally:
        other.kill()
        other.wait()
    mine = [one for one in load_all(tickets_folder()) if one.side == TERMINATOR]
    assert [one.is_over for one in mine] == [True]
    with pytest.raises(CannotJoin):
        join.way(parsed("join", "--back", "--bot", "random"))


def test_a_bot_that_plays_one_side_asks_for_that_one(data: Path) -> None:
    """6.3c: the printed lines are the CloneMaster's, so no other seat is taken for them."""
    seat = join.way(parsed("join", "host", "AB7K-2QXM", "--bot", "solitaire"))
    assert isinstance(seat, Invitation)
    assert seat.seat == CLONEMASTER


def parsed(*args: str) -> Any:
    """Return the arguments of a command line."""
    from app.cli import _parser

    return _parser().parse_args(args)


# What is typed


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["a/b", "AB7K-2QXM"], "address"),
        (["host:0", "AB7K-2QXM"], "port"),
        (["host", "AB7K-2QX"], ""),
        (["host", "AB7K-2QXM", "--bot", "random", "--seat", "watch"], "look on"),
        (["host", "AB7K-2QXM", "--bot", "solitaire", "--seat", "terminator"], "does not play"),
        (["--back"], "no game to come back to"),
    ],
)
def test_what_leads_nowhere_is_told_in_one_line(
    args: list[str], words: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is sent."""
    assert main(["join", *args]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err


def test_a_wrong_code_ends_the_command_with_one_line(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says that the code is not that of the table."""
    secret = "222222" if house.table.secret != "222222" else "333333"
    assert main(["join", house.place, format_code(house.table.name, secret), "--bot", "random"]) == 2
    assert "the join code is not that of the table" in capsys.readouterr().err.splitlines()[-1]


def test_without_a_bot_the_window_opens_at_the_table(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """With the name and the seat that were typed; without a name it is the player's usual one."""
    opened: list[Any] = []

    def show(way: Any) -> int:
        opened.append(way)
        return 0

    monkeypatch.setattr(gui, "join", show)
    assert main(["join", "anna-pc", "ab7k 2qxm", "--seat", "watch", "--name", " Bob  B "]) == 0
    assert main(["join", "anna-pc:7", "AB7K-2QXM"]) == 0
    assert opened == [
        Invitation("anna-pc", 21100, "ab7k 2qxm", "Bob B", "watch"),
        Invitation("anna-pc", 7, "AB7K-2QXM", "", "any"),
    ]


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\x07b"])
def test_a_name_nobody_can_read_is_refused(name: str, data: Path) -> None:
    """Too long, empty, or with letters that are none."""
    assert main(["join", "host", "AB7K-2QXM", "--name", name]) == 2


# Lists


def test_the_games_of_a_host_are_listed(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """By its address alone: what is played, and which seat is free."""
    assert main(["join", house.place]) == 0
    line = capsys.readouterr().out
    assert line == (
        f"{house.place}  {house.table.name}  The Tea House at Attic: waits for players; "
        "CloneMaster Random bot, Terminator free\n"
    )
    assert main(["join", house.place, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["table"] == house.table.name
    assert told["seats"] == {TERMINATOR: "", CLONEMASTER: "random"}


def test_a_code_alone_finds_its_game(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No machine is called as a code is: the game is looked for among those found on the network."""
    card = TableCard(table="YJ", title="", host="h", phase="waiting", seats={}, watchers=0)
    attic, cellar = Host("Attic", "10.0.0.1", 7, (card,)), Host("Cellar", "10.0.0.2", 8, (card,))
    monkeypatch.setattr(join, "_found", lambda: (attic, Host("Empty", "10.0.0.3", 9)))
    assert join.way(parsed("join", "yjke-fxz4")) == Invitation("10.0.0.1", 7, "yjke-fxz4", "", "any")
    assert main(["join", "ABKE-FXZ4"]) == 2
    assert "code that begins with AB" in capsys.readouterr().err
    monkeypatch.setattr(join, "_found", lambda: (attic, cellar))
    assert main(["join", "YJKEFXZ4"]) == 2
    assert "10.0.0.1:7, 10.0.0.2:8" in capsys.readouterr().err
    assert main(["join"]) == 0
    assert "A game at Attic: waits for players" in capsys.readouterr().out


def test_a_bot_without_a_game_is_told_what_it_needs(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who wants a bot to play wants no list of games."""
    for words in ([], ["anna-pc"]):
        assert main(["join", *words, "--bot", "random"]) == 2
        out, err = capsys.readouterr()
        assert (out, err) == (
            "",
            "kungfu2100: a bot needs a seat: name the host and its join code, or --back\n",
        )


def test_nobody_at_the_address_is_told(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, with where nobody is."""
    assert main(["join", f"{LOOPBACK}:1"]) == 2
    assert capsys.readouterr().err == f"kungfu2100: nobody hosts a game at {LOOPBACK}:1\n"


def test_the_games_found_on_the_network_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that were found, those that cannot be joined with the reason; no stranger's name is a command."""
    found: tuple[Host, ...] = ()

    class Found:
        def __init__(self, on_change: Callable[[tuple[Host, ...], str], None]) -> None:
            self._on_change = on_change

        def start(self) -> None:
            self._on_change(found, "" if found else "No game was found on this network so far.")

        def stop(self) -> None:
            pass

    monkeypatch.setattr(finding, "Finder", Found)
    monkeypatch.setattr(join, "SEARCH", 0.0)
    assert main(["join"]) == 2
    assert capsys.readouterr().err == "kungfu2100: no game was found on this network so far\n"
    found = (
        Host("Old\x1b[2J", "10.0.0.1", 21100, problem=f"plays with a newer version ({LAN_VERSION + 1})"),
        Host("Empty", "10.0.0.2", 5),
    )
    assert main(["join"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"10.0.0.1:21100  Old?[2J: plays with a newer version ({LAN_VERSION + 1})",
        "10.0.0.2:5  Empty: no game is open",
    ]


def test_the_command_line_starts_without_the_network(tmp_path: Path) -> None:
    """`play`, `replay` and the window must not wait for libraries that only a network game needs."""
    code = (
        "import sys, app.cli; app.cli._parser(); "
        "print([one for one in ('PySide6', 'websockets', 'zeroconf', 'cryptography', 'spake2') "
        "if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == "[]"


# A host that lies


def lying(identity: Identity, scenario: bytes, *messages: bytes) -> FakeHost:
    """Return a host that gives the Terminator's seat with a scenario, then says something."""

    async def lie(wire: Wire) -> None:
        await wire.greet()
        request, side = await wire.agree()
        assert side.accepts(request.proof, COMMITMENT)
        told = msgspec.structs.replace(welcome(side.proof()), side=TERMINATOR, scenario=msgspec.Raw(scenario))
        await wire.tell(told, request)
        seats = {TERMINATOR: SeatCard(player="client", name="Ann"), CLONEMASTER: SeatCard(player="random")}
        card = TableCard(table="AB", title="t", host="h", phase="playing", seats=seats, watchers=0)
        await wire.tell(
            TableAnswer(card=card, watchers=(), is_paused=False, asks=(), clocks={}, code="", notice="")
        )
        await wire.tell(SealsAnswer(seals={**request.seals, "host": COMMITMENT}))
        for message in messages:
            await wire.tell(message)
        await wire.stay()

    return FakeHost(identity, lie)


def test_a_host_that_lies_ends_the_bots_game_with_one_line(tmp_path: Path, data: Path) -> None:
    """A scenario that cannot be played, and news of a game that is none: nothing is saved as a game."""
    basic = msgspec.json.encode(RULES.pack_scenario(load_scenario("basic")))
    state = (
        b'{"revision":0,"turn":1,"phase":"set-up","seats":{"terminator":"client","clonemaster":"client"},'
        b'"asked":[],"waiting":{},"events":{"terminator":0,"public":0},"undo":[],"takeback":{},"draw":[],'
        b'"over":false,"outcome":null,"seed":null}'
    )
    update = b'{"tell":"update","state":%s,"length":0,"views":{},"told":{},"known":null}' % state
    cases = [(b'{"format":"kungfu2100.scenario","version":1}', ()), (b"[]", ()), (basic, (update,))]
    identity = load_identity(tmp_path / "identity")
    for scenario, messages in cases:
        with lying(identity, scenario, *messages) as host:
            with pytest.raises(CannotJoin) as caught:
                play_bot(
                    Invitation(LOOPBACK, host.port, CODE, "Ann", TERMINATOR), "random", lambda line: None
                )
            assert str(caught.value).startswith("the host sent what makes no sense: ")
            assert "\n" not in str(caught.value)
    assert not list(data.glob("games/**/*.json"))
