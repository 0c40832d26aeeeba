"""The shares that a seed follows from: nobody can choose the dice, and whoever doubts them finds out."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.files import BadFile
from engine.core.record import Record, format_record, load_record, parse_record
from engine.core.shares import (
    Receipt,
    Shares,
    commitment_to,
    faults,
    make_share,
    parse_receipt,
    receipt_faults,
    seed_from,
)

HOST, RAIDER, GUARD = "0a" * 32, "ab" * 32, "c4" * 32
BOTH = {"terminator": RAIDER, "clonemaster": GUARD}
RECORDS = sorted((Path(__file__).parents[1] / "records").glob("**/*.json"))
shares = st.binary(min_size=32, max_size=32).map(bytes.hex)


def record_of(made: Shares | None, **others: object) -> Record:
    """Return a record of no choices whose seed follows from shares."""
    seed = made.seed if made is not None else "1"
    return Record(seed=seed, shares=made, scenario={}, **others)  # type: ignore[arg-type]


def test_the_scheme_never_changes() -> None:
    """Hashes of plain text, written out here: another way would let old records fail."""
    commitment = hashlib.sha256(f"kungfu2100 dice commitment 1\n{HOST}\n".encode()).hexdigest()
    text = (
        f"kungfu2100 dice seed 1\ncommitment {commitment}\nhost {HOST}\n"
        f"clonemaster {GUARD}\nterminator {RAIDER}\n"
    )
    assert commitment_to(HOST) == commitment
    assert seed_from(HOST, BOTH) == hashlib.sha256(text.encode()).hexdigest()
    assert seed_from(HOST, dict(reversed(BOTH.items()))) == seed_from(HOST, BOTH)
    assert seed_from(HOST, BOTH) == "c367a57b0921d0880386d5fc0c61950769f76b315901431b2c1a63b6d067e41a"


@given(shares, shares, shares, shares)
def test_every_share_moves_the_seed(host: str, mine: str, other: str, changed: str) -> None:
    """Whoever changes one share, or swaps two, has another seed."""
    seed = seed_from(host, {"terminator": mine, "clonemaster": other})
    if changed not in (host, mine, other) and mine != other:
        assert seed != seed_from(changed, {"terminator": mine, "clonemaster": other})
        assert seed != seed_from(host, {"terminator": changed, "clonemaster": other})
        assert seed != seed_from(host, {"terminator": other, "clonemaster": mine})
        assert seed != seed_from(host, {"terminator": mine})
        assert commitment_to(changed) != commitment_to(host)


def test_a_share_cannot_be_guessed() -> None:
    """32 bytes each, in the form that the wire and the record take, no two alike."""
    made = {make_share() for _ in range(100)}
    assert len(made) == 100
    assert all(len(bytes.fromhex(share)) == 32 for share in made)
    assert all(not faults(record_of(Shares.of(share, BOTH))) for share in made)


def test_a_record_keeps_its_shares() -> None:
    """Written and read again they are the same, also where only the host gave one."""
    for guests in (BOTH, {"clonemaster": GUARD}, {}):
        record = record_of(Shares.of(HOST, guests))
        raw = format_record(record)
        assert parse_record(raw) == record
        assert format_record(parse_record(raw)) == raw
        assert not faults(record)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_without_shares_stay_as_they_are(path: Path) -> None:
    """A file of before has none, and is written byte by byte as it was."""
    record = load_record(path)
    assert record.shares is None
    assert not faults(record)
    assert format_record(record) == path.read_bytes()


@pytest.mark.parametrize("wrong", [HOST.upper(), HOST[:-1], HOST + "\\n", HOST + "00", "zz" * 32])
def test_a_malformed_share_is_refused(wrong: str) -> None:
    """Read like any file: what is no share of 32 bytes is named with its place."""
    raw = format_record(record_of(Shares.of(HOST, BOTH))).replace(HOST.encode(), wrong.encode())
    with pytest.raises(BadFile, match=r"^shares\.host: "):
        parse_record(raw)


def test_what_does_not_follow_is_found() -> None:
    """Another share, commitment or seed, scripted dice, dice put in later, sides that could hide a share."""
    sound = Shares.of(HOST, BOTH)
    replaced = msgspec.structs.replace
    for change, words in (
        ({"host": GUARD}, "commitment"),
        ({"commitment": "00" * 32}, "commitment"),
        ({"guests": {**BOTH, "terminator": HOST}}, "seed"),
        ({"guests": {"terminator": RAIDER}}, "seed"),
    ):
        record = replaced(record_of(sound), shares=replaced(sound, **change))
        assert any(words in fault for fault in faults(record)), change
    assert faults(replaced(record_of(sound), seed="1"))
    assert "scripted" in faults(record_of(sound, dice=(1, 2)))[0]
    (branched,) = faults(record_of(sound).branched(0, "another"))
    assert branched.startswith("reseeds[0]: from choice 1 on")
    hiding = f"clonemaster {GUARD}\nterminator"
    assert seed_from(HOST, {hiding: RAIDER}) == seed_from(HOST, BOTH)
    assert any("is no side" in fault for fault in faults(record_of(Shares.of(HOST, {hiding: RAIDER}))))


def test_a_receipt_finds_out_a_record_made_later() -> None:
    """A host who invents all shares anew has a record that fits in itself, but not the guest's receipt."""
    receipt = Receipt(commitment=commitment_to(HOST), share=RAIDER, side="terminator")
    assert receipt_faults(record_of(Shares.of(HOST, BOTH)), receipt) == []
    other_host = record_of(Shares.of("77" * 32, BOTH))
    assert faults(other_host) == []
    assert [fault.partition(":")[0] for fault in receipt_faults(other_host, receipt)] == ["shares.commitment"]
    other_share = record_of(Shares.of(HOST, {**BOTH, "terminator": HOST}))
    assert faults(other_share) == []
    assert [fault.partition(":")[0] for fault in receipt_faults(other_share, receipt)] == [
        "shares.guests.terminator"
    ]
    left_out = record_of(Shares.of(HOST, {"clonemaster": GUARD}))
    assert receipt_faults(left_out, receipt)
    assert receipt_faults(record_of(None), receipt) == [
        "shares: missing, but the receipt is of a game that has them"
    ]


def test_a_receipt_of_who_looked_on_binds_the_host_alone() -> None:
    """His share went into nothing; the commitment he was told is held against the record all the same."""
    receipt = Receipt(commitment=commitment_to(HOST), share="11" * 32, side="")
    assert receipt_faults(record_of(Shares.of(HOST, BOTH)), receipt) == []
    assert receipt_faults(record_of(Shares.of(GUARD, BOTH)), receipt)


def test_the_share_of_the_hosts_own_player_is_missed_by_nobody() -> None:
    """It goes into no seed, so that his own ticket is no proof against a sound record."""
    receipt = Receipt(commitment=commitment_to(HOST), share=RAIDER, side="terminator", is_host=True)
    assert receipt_faults(record_of(Shares.of(HOST, {"clonemaster": GUARD})), receipt) == []
    guests = msgspec.structs.replace(receipt, is_host=False)
    assert receipt_faults(record_of(Shares.of(HOST, {"clonemaster": GUARD})), guests)


def test_a_receipt_is_any_json_with_its_three_fields() -> None:
    """A ticket has more fields; one that lacks a field, or is no JSON, is refused with its file."""
    raw = msgspec.json.encode(
        {"format": "kungfu2100.ticket", "commitment": HOST, "share": RAIDER, "side": "terminator", "x": [1]}
    )
    assert parse_receipt(raw) == Receipt(commitment=HOST, share=RAIDER, side="terminator")
    for bad in (b"", b"[]", b"{}", b'{"commitment": "x", "share": "y", "side": ""}', b"\xff", b"[" * 100_000):
        with pytest.raises(BadFile, match=r"ticket\.json: no receipt of a guest"):
            parse_receipt(bad, "ticket.json")
