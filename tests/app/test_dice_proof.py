"""`replay --verify` and `--dice`: every roll of a game between machines follows from its shares."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from app.cli import main
from engine.core.record import Record, format_record, load_record
from engine.core.shares import seal_of, seed_from
from engine.core.takeback import AskTakeback
from engine.raid.figures import SIDES
from engine.raid.match import RaidMatch
from engine.raid.notation import format_game
from engine.raid.scenario import load_scenario
from engine.raid.throws import throws
from resources.path import resource
from tests.raid.test_contracts import seated, step

Out = pytest.CaptureFixture[str]
HOST, RAIDER, GUARD = "0a" * 32, "ab" * 32, "c4" * 32
SHARES = {"host": HOST, "terminator": RAIDER, "clonemaster": GUARD}
SEALS = {who: seal_of(who, share) for who, share in SHARES.items()}
SEED = seed_from(SHARES)
RECORDS = Path(__file__).parents[1] / "records"


def game(name: str = "tea-house", *, takes_back: bool = False, **changed: str) -> RaidMatch:
    """Return a finished game whose seed follows from shares, now and then with a takeback."""
    shares = {**SHARES, **changed}
    match = RaidMatch.new(load_scenario(name), seed_from(shares), shares=shares)
    chance, players = random.Random(1), seated(match, "rulebook", 1)
    while not match.is_over:
        side = chance.choice(SIDES)
        if takes_back and chance.random() < 0.1 and match.why(side, AskTakeback()) is None:
            match.submit(side, AskTakeback())
        step(match, players)
    return match


@pytest.fixture(scope="module")
def record() -> Record:
    """Return the record of a finished game between machines, with takebacks in it."""
    return game(takes_back=True).record


def kept(record: Record, folder: Path) -> str:
    """Write a record and return its path."""
    path = folder / "game.json"
    path.write_bytes(format_record(record))
    return str(path)


def receipt(folder: Path, side: str = "terminator", share: str = RAIDER, **seals: str) -> str:
    """Write what a guest kept, in a file with other things, and return its path."""
    path = folder / "ticket.json"
    path.write_text(
        json.dumps({"token": "secret", "seals": {**SEALS, **seals}, "share": share, "side": side}),
        encoding="utf-8",
    )
    return str(path)


def verified(capfd: Out, *args: str) -> tuple[int, str]:
    """Return the exit code and what was printed of a record verified."""
    code = main(["replay", "--verify", *args])
    return code, capfd.readouterr().out


def test_every_roll_follows_from_the_shares(record: Record, tmp_path: Path, capfd: Out) -> None:
    """Shares, seed and the number of dice are told; takebacks let the dice go on."""
    code, out = verified(capfd, kept(record, tmp_path))
    assert code == 0
    assert '{"do":"answer-takeback","agrees":true}' in msgspec.json.encode(record.choices).decode()
    assert "the seed follows from the host's, the terminator's and the clonemaster's shares" in out
    thrown = [die for throw in throws(record) for die in throw.dice]
    assert f"{len(thrown)} thrown" in out
    assert f"every one follows from seed {SEED}" in out
    text = tmp_path / "game.txt"
    text.write_text(format_game(record), encoding="utf-8")
    assert verified(capfd, str(text)) == (0, out), "its notation holds the shares, too"


def test_what_does_not_follow_ends_with_1(record: Record, tmp_path: Path, capfd: Out) -> None:
    """A record with another share or seed is told for what it is."""
    for shares, words in (
        ({**SHARES, "host": GUARD}, "seed: does not follow"),
        ({"host": HOST, "terminator": RAIDER}, "seed: does not follow"),
        ({"terminator": RAIDER}, "shares.host: missing"),
        ({**SHARES, "referee": RAIDER}, "'referee' is no side"),
    ):
        code, out = verified(capfd, kept(msgspec.structs.replace(record, shares=shares), tmp_path))
        assert code == 1, words
        assert re.search(f"^fault: .*{words}", out, re.MULTILINE), out
        assert "the seed follows from" not in out


def test_a_record_without_shares_says_so(tmp_path: Path, capfd: Out) -> None:
    """One of a game at one screen is sound, but nothing tells where its seed came from."""
    path = str(RECORDS / "random.json")
    code, out = verified(capfd, path)
    assert code == 0
    assert "has no shares" in out
    assert "21 thrown and 21 other numbers drawn" in out
    code, out = verified(capfd, path, "--receipt", receipt(tmp_path))
    assert code == 1
    assert "fault: shares: missing" in out


def test_other_dice_put_in_are_told(record: Record, tmp_path: Path, capfd: Out) -> None:
    """Played on from elsewhere, the rolls up to there follow from the shares, those after it do not."""
    at = len(record.choices) // 2
    match = RaidMatch.branch(record, at, "mine")
    players = seated(match, "rulebook", 2)
    while not match.is_over:
        step(match, players)
    code, out = verified(capfd, kept(match.record, tmp_path))
    assert code == 1
    assert f"fault: reseeds[0]: from choice {at + 1} on" in out
    lines = [line for line in out.splitlines() if "follows from seed" in line]
    assert [line.rpartition(" ")[2] for line in lines] == [SEED, "mine"]
    fallen = list(throws(match.record))
    assert [throw for throw in fallen if throw.choice <= at] == [
        throw for throw in throws(record) if throw.choice <= at
    ]
    first = next(throw for throw in fallen if throw.choice > at)
    assert (first.seed, first.first) == ("mine", 1)


def test_scripted_dice_follow_from_nothing(tmp_path: Path, capfd: Out) -> None:
    """A record with shares whose rolls are scripted is found out, and its dice are listed as such."""
    dice = [random.Random(2).randint(1, 6) for _ in range(1000)]
    match = RaidMatch.new(load_scenario("tea-house"), SEED, dice=dice, shares=SHARES)
    players = seated(match, "rulebook", 2)
    while not match.is_over:
        step(match, players)
    path = kept(match.record, tmp_path)
    code, out = verified(capfd, path)
    assert code == 1
    assert "fault: dice: the rolls are scripted" in out
    assert "follow from nothing" in out
    assert main(["replay", "--dice", path]) == 0
    listed = re.findall(r"dice ([1-6 ]+)$", capfd.readouterr().out, re.MULTILINE)
    faces = [int(face) for line in listed for face in line.split()]
    assert faces == dice[: len(faces)]
    assert faces


def test_a_record_made_later_does_not_fit_the_receipt(record: Record, tmp_path: Path, capfd: Out) -> None:
    """A host may invent a whole game in which all fits: the guest's receipt finds him out."""
    invented = game(host=GUARD).record
    mine = receipt(tmp_path)
    assert verified(capfd, kept(invented, tmp_path))[0] == 0
    code, out = verified(capfd, kept(invented, tmp_path), "--receipt", mine)
    assert code == 1
    assert "fault: shares.host: not the one that had been sealed" in out
    code, out = verified(capfd, kept(record, tmp_path), "--receipt", mine)
    assert code == 0
    assert "every share is the one that had been sealed, and there is no other" in out
    code, out = verified(capfd, kept(record, tmp_path), "--receipt", receipt(tmp_path, share=GUARD))
    assert code == 1
    assert "fault: receipt: its own share is not among those sealed" in out
    code, out = verified(capfd, kept(record, tmp_path), "--receipt", receipt(tmp_path, clonemaster=RAIDER))
    assert code == 1
    assert "fault: shares.clonemaster: not the one that had been sealed" in out


def test_one_who_looked_on_has_a_receipt_too(record: Record, tmp_path: Path, capfd: Out) -> None:
    """He added no share; what he was told of the others' is checked all the same."""
    mine = receipt(tmp_path, "", "77" * 32)
    code, out = verified(capfd, kept(record, tmp_path), "--receipt", mine)
    assert code == 0
    assert "one who looks on adds no share" in out


def test_a_receipt_alone_asks_for_the_check(record: Record, tmp_path: Path, capfd: Out) -> None:
    """`--receipt` needs no `--verify`; what is no receipt is said with its file."""
    mine = receipt(tmp_path)
    assert main(["replay", kept(record, tmp_path), "--receipt", mine]) == 0
    assert "verified" in capfd.readouterr().out
    assert main(["replay", kept(record, tmp_path), "--receipt", str(RECORDS / "random.json")]) == 2
    assert "no receipt of a guest" in capfd.readouterr().err


def test_a_seed_that_does_not_follow_begins_no_game() -> None:
    """A game is not begun with shares from which its seed does not follow."""
    with pytest.raises(ValueError, match="does not follow"):
        RaidMatch.new(load_scenario("tea-house"), "1", shares=SHARES)


def test_an_unfinished_record_keeps_its_shares(tmp_path: Path) -> None:
    """Taken up again where it stopped, the game still has them, and goes on saving them."""
    path = tmp_path / "game.json"
    match = RaidMatch.new(load_scenario("tea-house"), SEED, shares=SHARES, path=path)
    players = seated(match, "rulebook", 1)
    for _ in range(30):
        step(match, players)
    again = RaidMatch.resume(path)
    assert again.record == match.record
    step(again, seated(again, "rulebook", 1))
    assert load_record(path).shares == SHARES


@pytest.mark.parametrize("name", ["tea-house", "solitaire"])
def test_the_programme_of_the_help_checks_a_game(name: str, tmp_path: Path, capfd: Out) -> None:
    """Twenty lines of one's own find a sound record sound, and a die, a share or a seed that was changed."""
    text = resource("help/dice.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert sum(1 for line in code.splitlines() if line.strip()) <= 20
    record = game(name, takes_back=True).record
    path = kept(record, tmp_path)
    assert main(["replay", "--dice", path]) == 0
    listed = capfd.readouterr().out
    assert len(re.findall(r"dice", listed)) > 20

    def check(listing: str, *receipts: str) -> bool:
        done = subprocess.run(
            [sys.executable, "-I", "-c", code, path, *receipts],
            input=listing.encode(),
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 0 or b"AssertionError" in done.stderr, done.stderr.decode()
        return done.returncode == 0

    assert check(listed)
    assert check(listed, receipt(tmp_path))
    assert not check(listed, receipt(tmp_path, clonemaster=RAIDER))
    die = re.search(r"dice ([1-6])$", listed, re.MULTILINE)
    assert die is not None
    changed = f"{listed[: die.start(1)]}{int(die[1]) % 6 + 1}{listed[die.end(1) :]}"
    assert changed != listed
    assert not check(changed)
    kept(msgspec.structs.replace(record, seed="1"), tmp_path)
    assert not check(listed)
    kept(msgspec.structs.replace(record, shares={**SHARES, "host": GUARD}), tmp_path)
    assert not check(listed)
