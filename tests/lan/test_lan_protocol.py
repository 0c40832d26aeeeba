"""What the help says of the network protocol is so: a guest made from that page alone plays with a host."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from spake2 import SPAKE2_A
from websockets.sync.client import ClientConnection, connect

from app.lan.certificate import load_identity
from app.lan.host.server import HostThread, Server
from app.lan.host.table import Table
from app.lan.network.advert import NAME_LENGTH, SERVICE_TYPE, Advert, to_service
from engine.core.lan_protocol import LAN_ERRORS, LAN_VERSION, STEP, LanAnswer, LanRequest
from engine.core.protocol import ERRORS, AnyAnswer, AnyRequest
from resources.path import resource
from tests.helpers.lan import SECRET, C, T, new_table
from tests.helpers.tls import guarded_context

PAGE = resource("help/lan-protocol.md").read_text(encoding="utf-8")


# The page


def test_page_names_every_message() -> None:
    """Each request with its fields, each answer, each kind of error and the version stand in the help."""
    rows = dict(re.findall(r"^\| `([a-z]+)` \|(.*)\|", PAGE, re.MULTILINE))
    for kind in get_args(LanRequest):
        tag = kind.__struct_config__.tag
        if kind in get_args(AnyRequest) and tag not in rows:
            assert f"`{tag}`" in PAGE
            continue
        missing = [name for name in kind.__struct_fields__ if name != "id" and f"`{name}`" not in rows[tag]]
        assert not missing, tag
    for kind in set(get_args(LanAnswer)) - set(get_args(AnyAnswer)):
        assert f"`{kind.__struct_config__.tag}`" in PAGE
    assert all(f"`{kind}`" in PAGE for kind in LAN_ERRORS)
    assert not set(LAN_ERRORS) & set(ERRORS)
    assert f"This is version {LAN_VERSION};" in PAGE


# A guest made from the page, with nothing of the program's own


class Stranger:
    """A guest as somebody else would write him."""

    def __init__(self, port: int) -> None:
        context = guarded_context()  # as any that takes what certificate it is shown
        self.wire: ClientConnection = connect(
            f"wss://127.0.0.1:{port}/", ssl=context, proxy=None, max_size=16 * 1024 * 1024, close_timeout=1
        ).__enter__()
        certificate = self.wire.socket.getpeercert(binary_form=True)  # type: ignore[attr-defined]
        self.fingerprint = hashlib.sha256(certificate).hexdigest()
        self.number = 0
        self.heard: list[dict[str, Any]] = []
        self.share = secrets.token_hex(32)

    def ask(self, ask: str, **fields: Any) -> dict[str, Any]:
        """Return the answer; what the host tells by itself meanwhile is kept in `heard`."""
        self.number += 1
        self.wire.send(json.dumps({"ask": ask, "id": self.number, **fields}))
        while True:
            told: dict[str, Any] = json.loads(self.wire.recv(timeout=10))
            if told.get("id") == self.number:
                return told
            self.heard.append(told)

    def seal(self, who: str) -> str:
        """Return the seal of a share as the page of the dice has it."""
        return hashlib.sha256(f"kungfu2100 dice seal 1\n{who}\n{self.share}\n".encode()).hexdigest()

    def open_share(self, side: str, commitment: str) -> None:
        """Wait for what all have sealed, one's own among it, and open one's share."""
        while not self.heard or self.heard[-1]["tell"] != "seals":
            self.heard.append(json.loads(self.wire.recv(timeout=10)))
        seals = self.heard[-1]["seals"]
        assert (seals["host"], seals[side]) == (commitment, self.seal(side))
        assert self.ask("open", share=self.share)["tell"] == "done"

    def prove(self, key: bytes, speaker: str, commitment: str) -> str:
        """Return a proof as the page has it."""
        lines = ("kungfu2100 join 1", speaker, self.fingerprint, commitment)
        return hmac.new(key, "\n".join(lines).encode(), hashlib.sha256).hexdigest()

    def join(self, code: str, name: str, seat: str) -> dict[str, Any]:
        """Come in, and check that the host has the code too."""
        assert self.ask("greet", version=1, program="somebody's own")["tables"][0]["table"] == code[:2]
        pake = SPAKE2_A(code[2:].encode(), idA=b"kungfu2100 guest", idB=b"kungfu2100 host")
        reply = self.ask("join", table=code[:2], pake=pake.start().hex())
        key = pake.finish(bytes.fromhex(reply["pake"]))
        self.token = secrets.token_hex(32)
        welcome = self.ask(
            "prove",
            proof=self.prove(key, "guest", reply["commitment"]),
            name=name,
            seat=seat,
            seals={side: self.seal(side) for side in (T, C)},
            token=self.token,
        )
        assert welcome["proof"] == self.prove(key, "host", reply["commitment"])
        return welcome


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[Table, int]]:
    """A host on this machine with one table, and its port."""
    table = new_table(tmp_path / "table", seats={C: "random"})
    thread = HostThread(Server([table], load_identity(tmp_path), "Host", bind="127.0.0.1"))
    port = thread.start()
    yield table, port
    thread.stop()


def test_guest_made_from_the_page(host: tuple[Table, int]) -> None:
    """He joins, is told how the game stands, chooses by `options`, loses the line and comes back."""
    table, port = host
    guest = Stranger(port)
    welcome = guest.join(f"AB{SECRET}", "Stranger", T)
    assert (welcome["side"], welcome["scenario"]["format"]) == (T, "kungfu2100.scenario")
    guest.open_share(T, welcome["commitment"])
    for _ in range(5):
        state = guest.ask("state")
        mine = next(one for one in state["asked"] if one["side"] == T)
        options = guest.ask("options", side=T)["options"]
        answer = guest.ask("choose", side=T, choice=options[0]["choice"], revision=mine["revision"])
        assert answer["tell"] == "state", answer
    assert guest.heard[0]["tell"] == "table"
    updates = [one for one in guest.heard if one["tell"] == "update"]
    events: list[Any] = []
    for update in updates:
        told = update["told"][T]
        events[told["since"] :] = told["events"]
    assert events == guest.ask("events", viewer=T, limit=1000)["events"]
    guest.wire.socket.close()
    again = Stranger(port)
    assert again.fingerprint == guest.fingerprint
    again.ask("greet", version=1, program="somebody's own")
    assert again.ask("return", table=table.name, token=guest.token)["name"] == "Stranger"
    assert again.ask("chat", text="I am back")["tell"] == "done"
    assert again.ask("quit")["tell"] == "quit"


def test_wrong_code_is_told(host: tuple[Table, int]) -> None:
    """Another code leads to no seat, and the host gives no proof for it."""
    guest = Stranger(host[1])
    guest.ask("greet", version=1, program="somebody's own")
    pake = SPAKE2_A(b"222222", idA=b"kungfu2100 guest", idB=b"kungfu2100 host")
    reply = guest.ask("join", table="AB", pake=pake.start().hex())
    proof = guest.prove(pake.finish(bytes.fromhex(reply["pake"])), "guest", reply["commitment"])
    answer = guest.ask("prove", proof=proof, name="Eve", seat=T, seals={T: "0" * 64}, token="1" * 64)
    assert (answer["tell"], answer["kind"]) == ("error", "wrong-code")
    guest.wire.close()


def test_other_version_is_told(host: tuple[Table, int]) -> None:
    """A guest of another version is told both, and the connection ends."""
    guest = Stranger(host[1])
    answer = guest.ask("greet", version=2, program="kungfu2100 9.9", news="of a later day")
    assert (answer["kind"], "9.9" in answer["reason"]) == ("version", True)
    guest.wire.close()


def test_page_tells_how_a_host_is_found() -> None:
    """The service's type and each key of its text, with the lengths that they have, stand in the help."""
    advert = Advert("Anna", 21100, LAN_VERSION, "0" * 64, ("192.168.1.5",))
    part = PAGE.partition("## Finding a host")[2].partition("\n## ")[0]
    assert f"`{SERVICE_TYPE}`" in part
    keys = re.findall(r"^\| `([a-z]+)` \|", part, re.MULTILINE)
    assert set(keys) == {key.decode() for key in to_service(advert).properties}
    assert f"at most {NAME_LENGTH} letters" in part
    assert f"a multiple of {STEP} bytes" in PAGE
