"""What happened in a game, in sentences: no plot tells what is not said here too."""

from __future__ import annotations

from typing import Final

from app.wording import PHASE_SHORT
from engine.core.numbers import signed
from engine.raid.chronicle import Chronicle, Luck, Sheet, SheetColumn, Standing, TurningPoint
from engine.raid.figures import ABILITY_NAMES
from engine.raid.log import COLUMN_NAMES
from engine.raid.view import PHASE_NAMES

SIDES: Final = {"terminator": "The Terminators", "clonemaster": "The CloneMaster's side"}
SIDE_TITLES: Final = {"terminator": "Terminators", "clonemaster": "CloneMaster's side"}
KINDS: Final = {
    "all": "all dice",
    "helpless": "attacks on the helpless",
    "inactive": "attacks on the inactive",
    **{word: f"attacks {name}" for word, name in COLUMN_NAMES.items() if name.startswith("against")},
    "door": "armored doors",
    "untrained": "untrained attacks",
    "gunfire": "gunfire",
    "recovery": "recovery",
}
HAPPENINGS: Final = {
    "came in": "came in",
    "found": "was turned up",
    "fell": "fell unconscious",
    "woke": "came to",
    "died": "was killed",
    "escaped": "escaped",
    "captured": "was captured",
}
LETTERS: Final = {"fist": "F", "kick": "K", "weapon": "W", "mist": "M", "soul": "S", "heart": "H"}
RARE: Final = 0.1
"""Luck of one kind is spoken of when so little or less of all games have it."""
LEVEL: Final = 0.02
"""Standings nearer to 0 are called level."""
WHAT_STANDING_IS: Final = (
    "A rough count of levels, turns, equipment and points; it knows nothing of who stands where and is no "
    "chance of winning. It ends with the result."
)


FACE_DOWN: Final = "face down"
OVER: Final = ("killed", "escaped")
"""States of a figure after which nothing changes any more."""


def kind_title(kind: str) -> str:
    """Return a kind of dice as the head of a table's row."""
    words = KINDS[kind].removeprefix("attacks ")
    return f"{words[:1].upper()}{words[1:]}"


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number and a word, in the plural where there is not one."""
    return f"{number} {word if number == 1 else plural or f'{word}s'}"


def in_games(chance: float) -> str:
    """Return a probability as so many of a hundred games."""
    share = round(chance * 100)
    if share < 1:
        return "fewer than 1 of 100 games"
    return "nearly all games" if share > 99 else f"{share} of 100 games"


def luck_words(row: Luck) -> str:
    """Return a side's luck as a sentence."""
    who = SIDES[row.side]
    if not row.dice:
        return f"{who} rolled no dice."
    hits = "once" if row.hits == 1 else f"{row.hits} times" if row.hits else "not once"
    kind = "" if row.kind == "all" else f", {KINDS[row.kind]}"
    return (
        f"{who} hit {hits} with {counted(row.dice, 'die', 'dice')}{kind}, where {row.expected:.1f} hits were "
        f"to be expected; such luck or more, good or bad, comes in {in_games(row.chance)}."
    )


def rare_words(told: Chronicle) -> str:
    """Return the rarest luck of one kind as a sentence, "" where all was usual."""
    rare = [row for row in told.luck if row.kind != "all" and row.chance < RARE]
    if not rare:
        return "No kind of dice was out of the ordinary by itself."
    row = min(rare, key=lambda one: one.chance)
    return f"Most out of the ordinary: {luck_words(row)[:1].lower()}{luck_words(row)[1:]}"


def standing_words(told: Chronicle) -> str:
    """Return the course of the standing in sentences; its end, which is the result, is said elsewhere."""
    course = told.standing[:-1] or told.standing
    best = max(course, key=lambda one: one.value)
    worst = min(course, key=lambda one: one.value)
    parts = []
    if best.value >= LEVEL:
        parts.append(f"The Terminators stood best in {_when(best)} ({signed(best.value, 2)})")
    else:
        parts.append("The Terminators never stood better than level")
    if worst.value <= -LEVEL:
        parts.append(f"the CloneMaster in {_when(worst)} ({signed(worst.value, 2)})")
    else:
        parts.append("the CloneMaster never better than level")
    return f"{', '.join(parts)}."


def _when(one: Standing) -> str:
    return f"turn {one.turn}, {PHASE_NAMES[one.phase]}"


def point_title(number: int, point: TurningPoint) -> str:
    """Return when a turning point was and whom it favoured, as a short line."""
    favour = point.luck if point.is_luck else point.swing
    who = "the Terminators" if favour > 0 else "the CloneMaster"
    size = (
        f"{abs(point.luck):.1f} hits of luck for {who}"
        if point.is_luck
        else f"{abs(point.swing):.2f} towards {who}"
    )
    return f"{number}. Turn {point.turn}, {PHASE_SHORT[point.phase]}: {size}"


def point_changes(point: TurningPoint) -> str:
    """Return what the moment changed for either side, "" if the count stayed."""
    before, after = point.before, point.after
    parts = []
    wrecked = before.equipment - after.equipment
    if before.clonemaster_lives and not after.clonemaster_lives:
        parts.append("the CloneMaster dead")
    if wrecked:
        parts.append(f"{counted(wrecked, 'piece')} of equipment destroyed")
    for who, change in (
        ("Terminators", after.terminator_levels - before.terminator_levels),
        ("Jellies", after.jelly_levels - before.jelly_levels),
    ):
        if change:
            parts.append(f"{who} {'gain' if change > 0 else 'lose'} {counted(abs(change), 'level')}")
    if before.points is not None and after.points is not None:
        for who, was, now in zip(("Terminators", "CloneMaster"), before.points, after.points, strict=True):
            if now > was:
                parts.append(f"{who} score {now - was}" if who[-1] == "s" else f"{who} scores {now - was}")
    if not parts:
        return ""
    text = ", ".join(parts)
    return f"In all: {text}."


def column_words(column: SheetColumn) -> str:
    """Return a figure's state at the end of a turn in a few letters."""
    if column.place == "dead":
        return "killed"
    if column.place == "escaped":
        return "escaped"
    if column.place in ("off", "station"):
        return "outside"
    if not column.is_face_up:
        return FACE_DOWN
    if not column.is_conscious:
        return "unconscious"
    return letters(column.levels) or "no level"


def letters(levels: dict[str, int]) -> str:
    """Return levels by the abilities' letters, those at 0 left out."""
    return " ".join(f"{LETTERS[word]}{level}" for word, level in levels.items() if level)


def letters_key() -> str:
    """Return what the letters mean."""
    return ", ".join(f"{letter} {ABILITY_NAMES[word]}" for word, letter in LETTERS.items())


def began_words(sheet: Sheet) -> str:
    """Return what a figure began with in full."""
    return f"{sheet.figure} began with {_named(sheet.original)}."


def _named(levels: dict[str, int]) -> str:
    return ", ".join(f"{ABILITY_NAMES[word]} {level}" for word, level in levels.items() if level)


def cell_words(sheet: Sheet, turn: int) -> str:
    """Return one figure's state at the end of a turn in full, with what befell it in that turn."""
    column = next(one for one in sheet.columns if one.turn == turn)
    state = column_words(column)
    if state == letters(column.levels) or state == "outside":
        state = f"{'outside, ' if state == 'outside' else ''}{_named(column.levels)}"
    lost = sum(sheet.original.values()) - sum(column.levels.values())
    if lost:
        state += f"; {counted(lost, 'level')} lost so far"
    befell = " and ".join(HAPPENINGS[one.what] for one in sheet.happenings if one.turn == turn)
    told = f" {sheet.figure} {befell} in this turn." if befell else ""
    return f"{sheet.figure} at the end of turn {turn}: {state}.{told}"
