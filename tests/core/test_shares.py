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
from engine.core.shares import Receipt, faults, make_share, parse_receipt, seal_of, seed_from

HOST, RAIDER, GUARD = "0a" * 32, "ab" * 32, "c4" * 32
SIDES = ("terminator", "clonemaster")
ALL = {"host": HOST, "terminator": RAIDER, "clonemaster": GUARD}
SEALS = {who: seal_of(who, share) for who, share in ALL.items()}
RECORDS = sorted((Path(__file__).parents[1] / "records").glob("**/*.json"))
shares = st.binary(min_size=32, max_size=32).map(bytes.hex)


def record_of(made: dict[str, str] | None, **others: object) -> Record:
    """Return a record of no choices whose seed follows from shares."""
    seed = seed_from(made) if made is not None else "1"
    return Record(seed=seed, shares=made, scenario={}, **others)  # type: ignore[arg-type]


def test_the_scheme_never_changes() -> None:
    """Hashes of plain text, written out here: another way would let old records fail."""
    for who, share in ALL.items():
        sealed = hashlib.sha256(f"kungfu2100 dice seal 1\n{who}\n{share}\n".encode()).hexdigest()
        assert seal_of(who, share) == sealed
    text = f"kungfu2100 dice seed 1\nclonemaster {GUARD}\nhost {HOST}\nterminator {RAIDER}\n"
    assert seed_from(ALL) == hashlib.sha256(text.encode()).hexdigest()
    assert seed_from(dict(reversed(ALL.items()))) == seed_from(ALL)
    assert seed_from(ALL) == "6b681e5abe990fd0c057e72063275f573136980c1e631cba38b1dbf487d2e4fe"


@given(shares, shares, shares, shares)
def test_every_share_moves_the_seed(host: str, mine: str, other: str, changed: str) -> None:
    """Whoever changes one share, leaves one out, or swaps two, has another seed."""
    made = {"host": host, "terminator": mine, "clonemaster": other}
    seed = seed_from(made)
    if changed not in made.values() and mine != other:
        for who in made:
            assert seed != seed_from({**made, who: changed})
            assert seed != seed_from({one: share for one, share in made.items() if one != who})
        assert seed != seed_from({**made, "terminator": other, "clonemaster": mine})


@given(shares)
def test_a_seal_is_that_of_one_giver(share: str) -> None:
    """Nobody can hand on another's seal as his own, to open it when the other has."""
    assert len({seal_of(who, share) for who in ALL}) == len(ALL)


def test_a_share_cannot_be_guessed() -> None:
    """32 bytes each, in the form that the wire and the record take, no two alike."""
    made = {make_share() for _ in range(100)}
    assert len(made) == 100
    assert all(len(bytes.fromhex(share)) == 32 for share in made)
    assert all(not faults(record_of({**ALL, "host": share}), SIDES) for share in made)


def test_a_record_keeps_its_shares() -> None:
    """Written and read again they are the same, also where only the host gave one."""
    for made in (ALL, {"host": HOST, "clonemaster": GUARD}, {"host": HOST}):
        record = record_of(made)
        raw = format_record(record)
        assert parse_record(raw) == record
        assert format_record(parse_record(raw)) == raw
        assert not faults(record, SIDES)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_without_shares_stay_as_they_are(path: Path) -> None:
    """A file of before has none, and is written byte by byte as it was."""
    record = load_record(path)
    assert record.shares is None
    assert not faults(record, SIDES)
    assert format_record(record) == path.read_bytes()


@pytest.mark.parametrize("wrong", [HOST.upper(), HOST[:-1], HOST + "\\n", HOST + "00", "zz" * 32])
def test_a_malformed_share_is_refused(wrong: str) -> None:
    """Read like any file: what is no share of 32 bytes is named with its place."""
    raw = format_record(record_of(ALL)).replace(HOST.encode(), wrong.encode())
    with pytest.raises(BadFile, match=r"^shares"):
        parse_record(raw)


def test_what_does_not_follow_is_found() -> None:
    """Other shares than the seed's, scripted dice, dice put in later, names that could hide a share."""
    sound = record_of(ALL)
    for made in ({**ALL, "terminator": HOST}, {"host": HOST, "terminator": RAIDER}):
        assert faults(msgspec.structs.replace(sound, shares=made), SIDES) == [
            "seed: does not follow from the shares"
        ]
    assert faults(msgspec.structs.replace(sound, seed="1"), SIDES)
    assert faults(record_of({"terminator": RAIDER}), SIDES) == ["shares.host: missing"]
    assert "scripted" in faults(record_of(ALL, dice=(1, 2)), SIDES)[0]
    (branched,) = faults(sound.branched(0, "another"), SIDES)
    assert branched.startswith("reseeds[0]: from choice 1 on")
    hiding = {f"clonemaster {GUARD}\nhost": HOST, "terminator": RAIDER}
    assert seed_from(hiding) == seed_from(ALL)
    assert any("is no side" in fault for fault in faults(record_of(hiding), SIDES))
    assert faults(record_of({**ALL, "referee": HOST}), SIDES) == ["shares: 'referee' is no side"]


def test_a_receipt_finds_out_every_other_record() -> None:
    """A share invented later, one more, one less: each fits in itself, but not the guest's receipt."""
    receipt = Receipt(side="terminator", share=RAIDER, seals=SEALS)
    assert faults(record_of(ALL), SIDES, receipt) == []
    for who in ALL:
        other = record_of({**ALL, who: "77" * 32})
        assert faults(other, SIDES) == []
        assert faults(other, SIDES, receipt) == [f"shares.{who}: not the one that had been sealed"]
    left_out = record_of({"host": HOST, "terminator": RAIDER})
    assert faults(left_out, SIDES, receipt) == ["shares.clonemaster: missing, though it had been sealed"]
    alone = msgspec.structs.replace(receipt, seals={who: SEALS[who] for who in ("host", "terminator")})
    assert faults(left_out, SIDES, alone) == []
    assert faults(record_of(ALL), SIDES, alone) == ["shares.clonemaster: one that nobody had sealed"]
    assert faults(record_of(None), SIDES, receipt) == [
        "shares: missing, but the receipt is of a game that has them"
    ]


def test_a_receipt_that_proves_nothing_says_so() -> None:
    """One kept before anything was sealed, and one among whose seals its own share is not."""
    receipt = Receipt(side="terminator", share=RAIDER, seals={})
    assert faults(record_of(ALL), SIDES, receipt) == ["receipt: nothing was sealed before the game began"]
    other = msgspec.structs.replace(receipt, share=GUARD, seals=SEALS)
    assert faults(record_of(ALL), SIDES, other) == ["receipt: its own share is not among those sealed"]


def test_a_receipt_of_who_looked_on_binds_all_others() -> None:
    """His share went into nothing; what he was told of the others' is held against the record."""
    receipt = Receipt(side="", share="11" * 32, seals=SEALS)
    assert faults(record_of(ALL), SIDES, receipt) == []
    assert faults(record_of({**ALL, "host": GUARD}), SIDES, receipt)


def test_a_receipt_is_any_json_with_its_three_fields() -> None:
    """A ticket has more fields; one that lacks a field, or is no JSON, is refused with its file."""
    raw = msgspec.json.encode(
        {"format": "kungfu2100.ticket", "seals": SEALS, "share": RAIDER, "side": "terminator", "x": [1]}
    )
    assert parse_receipt(raw) == Receipt(seals=SEALS, share=RAIDER, side="terminator")
    for bad in (b"", b"[]", b"{}", b'{"seals": {}, "share": "y", "side": ""}', b"\xff", b"[" * 100_000):
        with pytest.raises(BadFile, match=r"ticket\.json: no receipt of a guest"):
            parse_receipt(bad, "ticket.json")
