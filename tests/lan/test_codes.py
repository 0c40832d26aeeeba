"""Join codes as people type them, and what a proof of one shows and hides."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lan.certificate import fingerprint_of, guest_context, host_context, load_identity
from app.lan.codes import (
    ALPHABET,
    GuestSide,
    HostSide,
    format_code,
    make_code,
    make_name,
    make_secret,
    parse_code,
)

HOSTS = "a1" * 32
OTHERS = "b2" * 32
COMMITMENT = "c3" * 32

secrets_of_codes = st.text(ALPHABET, min_size=6, max_size=6)
tables = st.text(ALPHABET, min_size=2, max_size=2)


# The code as people read it


@given(tables, secrets_of_codes, st.data())
def test_a_code_is_read_however_it_is_typed(table: str, secret: str, data: st.DataObject) -> None:
    """Case, spaces and dashes anywhere make no difference."""
    typed = ""
    for letter in format_code(table, secret):
        typed += data.draw(st.sampled_from((letter, letter.lower())))
        typed += data.draw(st.sampled_from(("", " ", "-", "–", "\u00a0", "\t")))
    assert parse_code(typed) == (table, secret)


def test_a_code_has_the_table_and_six_secret_letters() -> None:
    """Like "AB7K-2QXM": two letters of the table, six that only its host knows."""
    code = make_code("AB")
    assert len(code) == 9
    assert code[4] == "-"
    table, secret = parse_code(code)
    assert table == "AB"
    assert len(secret) == 6
    assert format_code(table, secret) == code


def test_codes_and_names_of_tables_are_not_repeated() -> None:
    """No table has another's name, also with few left, and secrets are drawn anew."""
    taken: set[str] = set()
    for _ in range(len(ALPHABET) ** 2):
        taken.add(make_name(taken))
    assert len(taken) == len(ALPHABET) ** 2
    with pytest.raises(ValueError, match="no name left"):
        make_name(taken)
    assert len({make_secret() for _ in range(50)}) == 50


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "missing"),
        (" - ", "missing"),
        ("AB7K", "8 letters and digits.*not 4"),
        ("AB7K-2QXM-9", "not 9"),
        ("AB7K-2QXO", "no join code has an I, O, 0 or 1"),
        ("AB7K-2QX1", "no join code has an I, O, 0 or 1"),
        ("AB7K/2QXM", "not “/”"),
        ("AB7K2QXß", "not “ß”"),
        ("AB7K2QXM\x00", "cannot be seen"),
        ("AB7K2QX\u202eM", "cannot be seen"),
        ("../../etc", "letters and digits only"),
    ],
)
def test_what_is_no_code_is_refused_with_its_reason(typed: str, reason: str) -> None:
    """Whoever mistypes a code is told what is wrong with it."""
    with pytest.raises(ValueError, match=reason):
        parse_code(typed)


@given(st.text(max_size=20))
def test_any_text_is_a_code_or_refused(text: str) -> None:
    """Nothing that is typed or sent as a code makes more of it than eight letters."""
    try:
        table, secret = parse_code(text)
    except ValueError:
        return
    assert len(table + secret) == 8
    assert set(table + secret) <= set(ALPHABET)


# The proof


def test_guest_and_host_with_the_same_code_accept_each_other() -> None:
    """The right code over the right certificate lets in."""
    guest, host = GuestSide("7K2QXM", HOSTS), HostSide("7K2QXM", HOSTS)
    proof = guest.prove(host.reply(guest.message), COMMITMENT)
    assert host.accepts(proof, COMMITMENT)
    assert guest.accepts(host.proof())


@pytest.mark.parametrize(
    ("secret", "fingerprint", "commitment"),
    [("7K2QXN", HOSTS, COMMITMENT), ("7K2QXM", OTHERS, COMMITMENT), ("7K2QXM", HOSTS, "d4" * 32)],
    ids=["another code", "another certificate", "another commitment"],
)
def test_a_guest_whose_code_certificate_or_commitment_differs_is_not_let_in(
    secret: str, fingerprint: str, commitment: str
) -> None:
    """The host accepts no proof that names anything else than what is true, and gives none of his own."""
    guest, host = GuestSide(secret, fingerprint), HostSide("7K2QXM", HOSTS)
    proof = guest.prove(host.reply(guest.message), commitment)
    assert not host.accepts(proof, COMMITMENT)
    with pytest.raises(ValueError, match="not proved"):
        host.proof()


def test_a_guest_accepts_no_host_who_sees_another_certificate_or_has_another_code() -> None:
    """A host that lets everybody in still cannot prove to a guest that it is his."""
    for secret, fingerprint in (("7K2QXM", OTHERS), ("7K2QXN", HOSTS)):
        guest, false_host = GuestSide("7K2QXM", HOSTS), HostSide(secret, fingerprint)
        reply = false_host.reply(guest.message)
        guest.prove(reply, COMMITMENT)
        like_his = GuestSide(secret, fingerprint)
        honest = HostSide(secret, fingerprint)
        assert honest.accepts(like_his.prove(honest.reply(like_his.message), COMMITMENT), COMMITMENT)
        assert not guest.accepts(honest.proof())


def test_a_proof_sent_back_to_its_speaker_proves_nothing() -> None:
    """Who speaks is part of the proof: a guest's own is not the host's."""
    guest, host = GuestSide("7K2QXM", HOSTS), HostSide("7K2QXM", HOSTS)
    proof = guest.prove(host.reply(guest.message), COMMITMENT)
    assert not guest.accepts(proof)
    assert host.accepts(proof, COMMITMENT)
    assert not host.accepts(host.proof(), COMMITMENT)


def test_the_host_tells_nothing_before_the_guest_has_proved_himself() -> None:
    """His proof would tell a guesser whether the code he tried was right."""
    guest, host = GuestSide("7K2QXM", HOSTS), HostSide("7K2QXM", HOSTS)
    with pytest.raises(ValueError):
        host.accepts("0" * 64, COMMITMENT)
    host.reply(guest.message)
    with pytest.raises(ValueError):
        host.proof()


def test_an_attempt_is_good_for_one_guess() -> None:
    """After a wrong proof the right one does not help any more, nor does a second message."""
    guest, host = GuestSide("7K2QXM", HOSTS), HostSide("7K2QXM", HOSTS)
    reply = host.reply(guest.message)
    proof = guest.prove(reply, COMMITMENT)
    with pytest.raises(ValueError):
        host.reply(GuestSide("7K2QXM", HOSTS).message)
    assert not host.accepts("0" * 64, COMMITMENT)
    assert not host.accepts(proof, COMMITMENT)
    with pytest.raises(ValueError):
        guest.prove(reply, COMMITMENT)


def test_who_has_heard_a_whole_handshake_cannot_tell_a_right_guess_from_a_wrong_one() -> None:
    """Even with the right code, what was sent does not lead to the key: no guess can be checked."""
    guest, host = GuestSide("7K2QXM", HOSTS), HostSide("7K2QXM", HOSTS)
    reply = host.reply(guest.message)
    proof = guest.prove(reply, COMMITMENT)
    assert host.accepts(proof, COMMITMENT)
    for guess in ("7K2QXM", "7K2QXN"):
        as_host = HostSide(guess, HOSTS)
        as_host.reply(guest.message)
        assert not as_host.accepts(proof, COMMITMENT)
        as_guest = GuestSide(guess, HOSTS)
        as_guest.prove(reply, COMMITMENT)
        assert not as_guest.accepts(host.proof())


@pytest.mark.parametrize(
    "message",
    [
        "",
        "zz" * 33,
        "41" * 32,
        "41" * 34,
        "41" + "00" * 32,
        "41" + "01" + "00" * 31,
        "41" + "ff" * 32,
        "43" + "58" + "66" * 31,
        "53" + "58" + "66" * 31,
        "4 1" * 22,
        "٤١" * 33,
    ],
)
def test_a_message_that_is_no_point_is_refused(message: str) -> None:
    """Neither side falls over, or agrees on a key, with what is no point of the curve, or a weak one."""
    with pytest.raises(ValueError):
        HostSide("7K2QXM", HOSTS).reply(message)
    with pytest.raises(ValueError):
        GuestSide("7K2QXM", HOSTS).prove(message.replace("41", "42", 1), COMMITMENT)


def test_a_message_sent_back_to_its_speaker_is_refused() -> None:
    """A mirror is no partner."""
    guest = GuestSide("7K2QXM", HOSTS)
    with pytest.raises(ValueError):
        guest.prove(guest.message, COMMITMENT)
    with pytest.raises(ValueError):
        GuestSide("7K2QXM", HOSTS).prove("42" + guest.message[2:], "no commitment")


@given(st.text(max_size=70))
def test_any_text_for_a_proof_is_refused(text: str) -> None:
    """A proof of any letters whatever is compared, and is wrong."""
    guest = GuestSide("7K2QXM", HOSTS)
    assert not guest.accepts(text)


# Somebody in the middle


async def _pipe_lines(source: asyncio.StreamReader, sink: asyncio.StreamWriter, heard: list[bytes]) -> None:
    while line := await source.readline():
        heard.append(line)
        sink.write(line)
        await sink.drain()


async def _host(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fingerprint: str) -> bool:
    """Speak the host's part over a connection; return whether he let the guest in."""
    host = HostSide("7K2QXM", fingerprint)
    reply = host.reply((await reader.readline()).decode().strip())
    writer.write(f"{reply}\n{COMMITMENT}\n".encode())
    proof = (await reader.readline()).decode().strip()
    let_in = host.accepts(proof, COMMITMENT)
    writer.write(f"{host.proof() if let_in else 'wrong code'}\n".encode())
    await writer.drain()
    return let_in


async def _guest(port: int) -> bool:
    """Speak the guest's part to a port; return whether he takes it for his host."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=guest_context())
    try:
        shown = writer.get_extra_info("ssl_object").getpeercert(True)
        guest = GuestSide("7K2QXM", fingerprint_of(shown))
        writer.write(f"{guest.message}\n".encode())
        reply, commitment = [(await reader.readline()).decode().strip() for _ in range(2)]
        writer.write(f"{guest.prove(reply, commitment)}\n".encode())
        return guest.accepts((await reader.readline()).decode().strip())
    finally:
        writer.close()


async def _play(folder: Path, *, in_the_middle: bool) -> tuple[bool, bool, int]:
    """Let a guest join through TLS; return whether the host, the guest accepted, and what a relay read."""
    identity = load_identity(folder / "host")
    results: asyncio.Queue[bool] = asyncio.Queue()
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        results.put_nowait(await _host(reader, writer, identity.fingerprint))
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, to_host = await asyncio.open_connection("127.0.0.1", port, ssl=guest_context())
        await asyncio.gather(_pipe_lines(reader, to_host, heard), _pipe_lines(onward, writer, heard))
        to_host.close()
        writer.close()

    async def listen(handler: object, context: ssl.SSLContext) -> tuple[asyncio.Server, int]:
        assert callable(handler)
        server = await asyncio.start_server(handler, "127.0.0.1", 0, ssl=context)
        return server, server.sockets[0].getsockname()[1]

    host, port = await listen(serve, host_context(identity))
    middle, to = await listen(relay, host_context(load_identity(folder / "middle")))
    async with host, middle:
        guest_accepts = await asyncio.wait_for(_guest(to if in_the_middle else port), 10)
        return await asyncio.wait_for(results.get(), 10), guest_accepts, len(heard)


def test_a_relay_with_its_own_certificate_is_found_out_by_both(tmp_path: Path) -> None:
    """Somebody between them reads and passes on every message, and neither takes it for the other."""
    host_accepts, guest_accepts, heard = asyncio.run(_play(tmp_path, in_the_middle=True))
    assert heard >= 5
    assert not host_accepts
    assert not guest_accepts


def test_without_a_relay_the_same_code_lets_in(tmp_path: Path) -> None:
    """The same host and guest accept each other over a straight TLS connection."""
    assert asyncio.run(_play(tmp_path, in_the_middle=False)) == (True, True, 0)
