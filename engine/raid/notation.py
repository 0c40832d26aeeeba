"""Choices, positions and games as short text, to be read, copied, pasted and read back.

A choice is a line, `Rising Dream: move 8,5 7,5`; squares are x,y. A game has a header of `[Key value]`
lines with JSON values, then one numbered line for each choice with the letter of its side, under the
headings of its phases. Headings (`== ...`) and comments (`# ...`) are for readers only. Names that could be
taken for something else, and whatever has no short form, are written as JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from engine.core.agreement import AnswerDraw, AskDraw
from engine.core.decision import Choice
from engine.core.files import BadFile, shortened
from engine.core.record import KIND, VERSION, Record, RecordedChoice, parse_record
from engine.core.takeback import AnswerTakeback, AskTakeback
from engine.fortress.floorplan import FloorPlan
from engine.raid import choices as c
from engine.raid.choices import Square
from engine.raid.events import PhaseBegan
from engine.raid.figures import ABILITIES, CLONEMASTER, TERMINATOR, TERMINATOR_NAMES, TRAINED
from engine.raid.match import RULES, RaidReplay
from engine.raid.scenario import SHIPPED, load_scenario
from engine.raid.view import PHASE_NAMES, FigureView, View

LETTERS: Final = {TERMINATOR: "T", CLONEMASTER: "C"}
_LETTER_SIDES: Final = {letter: side for side, letter in LETTERS.items()}

# Choices


class Unreadable(ValueError):
    """A text that is no choice; says what is wrong with it on one line."""


# A name as it stands, or what must be quoted: a quotation mark, a colon, an odd space, nothing at all.
_NAME: Final = re.compile(r"[^\W_][\w'’.,()&/-]*(?: [\w'’.,()&/-]+)*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMBER: Final = re.compile(r"-?\d{1,9}", re.ASCII)
_SQUARE: Final = re.compile(r"(-?\d{1,9}),(-?\d{1,9})", re.ASCII)
_PART: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_RESERVED: Final = ("none",)


def _quoted(text: str) -> str:
    return json.dumps(text)


def _name(text: str) -> str:
    """Return a name as it is written: plain, or as a JSON text where it could be misread."""
    return text if _NAME.fullmatch(text) else _quoted(text)


def _word(text: str) -> str:
    return text if _WORD.fullmatch(text) and text not in _RESERVED else _quoted(text)


def _square(square: Square) -> str:
    return f"{square[0]},{square[1]}"


class _Form(NamedTuple):
    """How one kind of choice is written: its verb, what follows, and back again.

    `write` returns what follows the verb; `read` makes the choice of a figure's name ("" where it has
    none) and what followed. Raises Unreadable.
    """

    verb: str
    kind: type[Choice]
    write: Callable[[Any], str]
    read: Callable[[str, str], Choice]


def format_choice(choice: Choice) -> str:
    """Return a choice as one line; a kind that has no short form as JSON."""
    for form in _FORMS:
        if isinstance(choice, form.kind):
            tail = form.write(choice)
            if tail is _OTHER:
                continue
            figure = getattr(choice, "figure", None)
            words = f"{form.verb} {tail}".rstrip()
            return words if figure is None else f"{_name(figure)}: {words}"
    return json.dumps(msgspec.to_builtins(choice))


def parse_choice(text: str) -> Choice:
    """Return the choice that a line says; raises Unreadable, a ValueError, saying what is wrong."""
    text = text.strip()
    if not text:
        raise Unreadable("nothing is said")
    if text.startswith("{"):
        from engine.raid.match import parse_choice as choice_of

        try:
            return choice_of(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{_short(text)} is no choice: {_short(str(error))}") from error
    figure, rest = _figure(text)
    forms = _FIGURE_FORMS if figure is not None else _PLAIN_FORMS
    for form in forms:
        if rest == form.verb or rest.startswith(f"{form.verb} "):
            return form.read(figure or "", rest[len(form.verb) :].strip())
    known = ", ".join(dict.fromkeys(form.verb for form in forms))
    if figure is None:
        raise Unreadable(f"{_short(rest)} is no choice; those without a figure are {known}")
    raise Unreadable(f"{_short(rest)} is nothing that a figure does; that is {known}")


def _figure(text: str) -> tuple[str | None, str]:
    """Part a line into the name of its figure, None where it has none, and what it does."""
    if text.startswith('"'):
        name, rest = _leading(text)
        if not rest.startswith(":"):
            raise Unreadable(f"{_short(text)}: a colon must follow the figure's name")
        return name, rest[1:].strip()
    name, colon, rest = text.partition(":")
    if not colon or '"' in name:
        return None, text
    return name.strip(), rest.strip()


def _leading(text: str) -> tuple[str, str]:
    """Part a JSON text off the front."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except ValueError as error:
        raise Unreadable(f"{_short(text)}: the quotation mark is not closed") from error
    return str(value), text[end:]


def _short(text: str) -> str:
    return json.dumps(text if len(text) <= 60 else f"{text[:57]}...", ensure_ascii=not text.isprintable())


def _parse_name(text: str, what: str) -> str:
    if not text:
        raise Unreadable(f"{what} is missing")
    if not text.startswith('"'):
        return text
    name, rest = _leading(text)
    if rest:
        raise Unreadable(f"{_short(rest)} is too much after {what}")
    return name


def _parse_square(text: str) -> Square:
    found = _SQUARE.fullmatch(text)
    if found is None:
        raise Unreadable(f"{_short(text)} is no square; one is written x,y")
    return int(found[1]), int(found[2])


def _parse_number(text: str, what: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise Unreadable(f"{_short(text)} is no {what}")
    return int(text)


def _parse_words(text: str) -> tuple[str, ...]:
    if text == "none":
        return ()
    if not text:
        raise Unreadable('counters are missing; "none" for none')
    return tuple(_parse_name(part, "a counter") for part in _PART.findall(text))


def _nothing(text: str) -> None:
    if text:
        raise Unreadable(f"{_short(text)} is too much")


_OTHER: Final = "\0"
"""Returned by a form that does not write this choice, but the next of its kind does."""


def _bare(verb: str, kind: type[Choice], made: Callable[[str], Choice], fits: Any = None) -> _Form:
    """Return the form of a choice that is nothing but its verb."""

    def write(choice: Any) -> str:
        return "" if fits is None or fits(choice) else _OTHER

    def read(figure: str, text: str) -> Choice:
        _nothing(text)
        return made(figure)

    return _Form(verb, kind, write, read)


def _named(verb: str, kind: type[Choice], field: str, what: str, *, is_word: bool = False) -> _Form:
    """Return the form of a choice with one name or word after its verb."""

    def write(choice: Any) -> str:
        value = getattr(choice, field)
        return _word(value) if is_word else _name(value)

    def read(figure: str, text: str) -> Choice:
        values = {field: _parse_name(text, what)}
        return kind(figure=figure, **values) if "figure" in kind.__struct_fields__ else kind(**values)

    return _Form(verb, kind, write, read)


def _at(verb: str, kind: type[Choice]) -> _Form:
    """Return the form of a choice of a square."""
    return _Form(
        verb,
        kind,
        lambda choice: _square(choice.square),
        lambda figure, text: kind(figure=figure, square=_parse_square(text)),
    )


def _edge(verb: str, kind: type[Choice]) -> _Form:
    """Return the form of a choice of a square's side (7.4)."""

    def read(figure: str, text: str) -> Choice:
        place, _, side = text.partition(" ")
        return kind(square=_parse_square(place), side=_parse_name(side.strip(), "the side"))

    return _Form(verb, kind, lambda choice: f"{_square(choice.square)} {_word(choice.side)}", read)


def _write_levels(choice: Any) -> str:
    return " ".join(f"{ABILITIES[ability]} {_level(choice, ability)}" for ability in TRAINED)


def _level(choice: Any, ability: int) -> int:
    level: int = getattr(choice, ABILITIES[ability])
    return level


def _read_levels(figure: str, text: str) -> Choice:
    parts = text.split()
    wanted = [ABILITIES[ability] for ability in TRAINED]
    levels: dict[str, int] = {}
    for word, number in zip(parts[::2], [*parts[1::2], ""], strict=False):
        if word not in wanted:
            raise Unreadable(f"{_short(word)} is not one of {', '.join(wanted)}")
        if word in levels:
            raise Unreadable(f"{word} is given twice")
        levels[word] = _parse_number(number, f"level of {word}")
    missing = [word for word in wanted if word not in levels]
    if missing:
        raise Unreadable(f"the level of {missing[0]} is missing")
    return c.SetAbilities(figure=figure, **levels)


def _read_move(figure: str, text: str) -> Choice:
    return c.Move(figure=figure, path=tuple(_parse_square(part) for part in text.split()))


# Longer verbs before those that they begin with.
_FORMS: Final = (
    _Form("levels", c.SetAbilities, _write_levels, _read_levels),
    _at("place", c.Place),
    _bare("take back", c.TakeBack, lambda figure: c.TakeBack(figure=figure)),
    _bare("ready", c.Ready, lambda figure: c.Ready()),
    _edge("add door", c.PlaceDoor),
    _edge("add computer", c.PlaceComputer),
    _named("remove", c.RemoveExtra, "name", "the addition's name"),
    _named("enter", c.Enter, "entry", "the entry"),
    _named("station", c.Station, "entry", "the entry"),
    _Form("move", c.Move, lambda choice: " ".join(_square(one) for one in choice.path), _read_move),
    _bare("exit", c.Exit, lambda figure: c.Exit(figure=figure)),
    _bare("end move", c.EndMove, lambda figure: c.EndMove(figure=figure)),
    _bare("end phase", c.EndPhase, lambda figure: c.EndPhase()),
    _bare("release CloneMaster", c.ReleaseCloneMaster, lambda figure: c.ReleaseCloneMaster()),
    _bare("release", c.Release, lambda figure: c.Release(figure=figure)),
    _bare("free move now", c.FreeMove, lambda figure: c.FreeMove(now=True), lambda one: one.now),
    _bare("free move later", c.FreeMove, lambda figure: c.FreeMove(now=False)),
    _bare("pass", c.Pass, lambda figure: c.Pass()),
    _Form(
        "fight",
        c.Fight,
        lambda choice: str(choice.combat + 1),
        lambda figure, text: c.Fight(combat=_parse_number(text, "number of a combat") - 1),
    ),
    _Form(
        "choose",
        c.ChooseCounters,
        lambda choice: " ".join(_word(one) for one in choice.counters) or "none",
        lambda figure, text: c.ChooseCounters(figure=figure, counters=_parse_words(text)),
    ),
    _bare("throw spikes", c.Throw, lambda figure: c.Throw(spikes=True), lambda one: one.spikes),
    _bare("throw no spikes", c.Throw, lambda figure: c.Throw(spikes=False)),
    _named("begin", c.Begin, "side", "the side", is_word=True),
    _named("play", c.PlayCounter, "counter", "the counter", is_word=True),
    _named("target", c.NameTarget, "target", "the target"),
    _named("discard", c.Discard, "counter", "the counter", is_word=True),
    _bare("stop", c.Stop, lambda figure: c.Stop()),
    _named("lose", c.LoseAbility, "ability", "the ability", is_word=True),
    _named("attack", c.UntrainedAttack, "target", "the target"),
    _bare("show mist", c.PlayMist, lambda figure: c.PlayMist(figure=figure)),
    _named("shoot", c.Shoot, "target", "the target"),
    _bare("show soul", c.PlaySoul, lambda figure: c.PlaySoul(figure=figure)),
    _bare("done", c.Done, lambda figure: c.Done()),
    _at("displace", c.Displace),
    _bare("ask takeback", AskTakeback, lambda figure: AskTakeback()),
    _bare("offer draw", AskDraw, lambda figure: AskDraw()),
    _bare("agree draw", AnswerDraw, lambda figure: AnswerDraw(agrees=True), lambda one: one.agrees),
    _bare("disagree draw", AnswerDraw, lambda figure: AnswerDraw(agrees=False)),
    _bare("agree", AnswerTakeback, lambda figure: AnswerTakeback(agrees=True), lambda one: one.agrees),
    _bare("disagree", AnswerTakeback, lambda figure: AnswerTakeback(agrees=False)),
)
_FIGURE_FORMS: Final = tuple(form for form in _FORMS if "figure" in form.kind.__struct_fields__)
_PLAIN_FORMS: Final = tuple(form for form in _FORMS if "figure" not in form.kind.__struct_fields__)


# Positions

_INITIALS: Final = {name: "".join(part[0] for part in name.split()) for name in TERMINATOR_NAMES}
_CODES: Final = {
    "clonemaster": "CM",
    "armed_technician": "A",
    "technician": "T",
    "servant": "S",
    "jelly": "J",
    "lc": "L",
}
UNKNOWN: Final = "??"


def code_of(figure: FigureView) -> str:
    """Return a figure's short form on a board: "RD", "CM", "J3", "S12"."""
    code = _INITIALS.get(figure.name) or _CODES[figure.kind]
    number = figure.name.rpartition(" ")[2].removeprefix("J-")
    return code + number if number.isdecimal() else code


def format_position(view: View, plan: FloorPlan) -> str:
    """Return what a viewer knows of a position: turn, phase, the board, then a line for each figure.

    The board has a room's letter for an empty square, else the figure on top in it: small letters for an
    unconscious one, "??" for a counter whose name the viewer does not know, "+" where there are more.
    """
    whose = {"public": "what both sides know", "open": "everything open"}.get(
        view.viewer, f"what the {view.viewer} knows"
    )
    lines = [
        f"{view.scenario}: turn {view.turn} of {view.last_turn}, {PHASE_NAMES[view.phase]} ({whose})",
        "",
    ]
    lines += _board_lines(view, plan)
    for title, figures in _placed(view):
        lines += ["", f"{title}:"]
        lines += _figure_lines(figures)
    if view.face_down:
        lines += ["", f"Face down, unknown ({len(view.face_down)}): {_squares(view.face_down)}"]
    lines += ["", *_thing_lines(view)]
    lines += _moment_lines(view)
    return "\n".join(lines).rstrip() + "\n"


def _board_lines(view: View, plan: FloorPlan) -> Iterator[str]:
    cells: dict[Square, list[str]] = {square: [UNKNOWN] for square in view.face_down}
    # The conscious one stands on top (4.6).
    for figure in sorted(view.figures, key=lambda one: not one.is_conscious):
        if figure.place == "map" and figure.square is not None:
            code = code_of(figure)
            cells.setdefault(figure.square, []).append(code if figure.is_conscious else code.lower())
    shown = {square: here[0] + ("+" if len(here) > 1 else "") for square, here in cells.items()}
    wide = max([3, *(len(text) for text in shown.values())]) + 1
    margin = len(str(plan.height - 1)) + 2
    yield (" " * margin + "".join(f"{x:<{wide}}" for x in range(plan.width))).rstrip()
    for y, row in enumerate(plan.grid):
        cells_here = (shown.get((x, y), letter) for x, letter in enumerate(row))
        yield (f"{y:>{margin - 2}}  " + "".join(f"{text:<{wide}}" for text in cells_here)).rstrip()


def _placed(view: View) -> Iterator[tuple[str, list[FigureView]]]:
    for side, title in ((TERMINATOR, "Terminators"), (CLONEMASTER, "CloneMaster's side")):
        figures = [one for one in view.figures if one.side == side and one.place != "box"]
        if figures:
            yield title, figures


def _figure_lines(figures: Sequence[FigureView]) -> Iterator[str]:
    wide = max(len(figure.name) for figure in figures)
    for figure in figures:
        where = _square(figure.square) if figure.square is not None else figure.place
        notes = []
        if figure.place == "map" and not figure.is_face_up:
            notes.append("face down")
        if not figure.is_conscious and figure.place == "map":
            notes.append("unconscious")
        if figure.levels is not None and figure.original is not None:
            now, began = _levels(figure.levels), _levels(figure.original)
            if began != "-":
                notes.append(now if now == began else f"{now} / {began}")
        else:
            if figure.original is not None:
                notes.append(f"? / {_levels(figure.original)}")
            if figure.lost:
                notes.append(f"{figure.lost} lost")
        if figure.has_fired:
            notes.append("has fired")
        yield f"  {code_of(figure):<4} {figure.name:<{wide}}  {where:<8} {', '.join(notes)}".rstrip()


def _levels(levels: Mapping[str, int]) -> str:
    return " ".join(f"{word}{level}" for word, level in levels.items() if level) or "-"


def _squares(squares: Sequence[Square]) -> str:
    return " ".join(_square(one) for one in sorted(squares, key=lambda one: (one[1], one[0])))


def _thing_lines(view: View) -> Iterator[str]:
    for title, things in (("Armored doors", view.doors), ("Equipment", view.equipment)):
        if things:
            said = (f"{one.name}{' (destroyed)' if one.is_destroyed else ''}" for one in things)
            yield f"{title}: {', '.join(said)}"


def _moment_lines(view: View) -> Iterator[str]:
    if view.movement is not None:
        points = "" if view.movement.points is None else f", {view.movement.points} points left"
        yield f"Moving: {view.movement.figure}{points}"
    if view.fight is not None:
        fight = view.fight
        yield f"Combat: {', '.join(fight.figures)} (step {fight.step})"
        for figure, hand in fight.hand.items():
            yield f"  {figure} holds {' '.join(hand) or 'none'}"
        if fight.open_attack is not None:
            attack = fight.open_attack
            yield f"  {attack.figure}: {attack.counter} at {attack.target}, not yet answered"
    if view.combats:
        yield f"Combats to fight: {'; '.join(', '.join(names) for names in view.combats)}"
    if view.points is not None:
        yield f"Points: {', '.join(f'{side} {count}' for side, count in view.points.items())}"
    if view.outcome is not None:
        level = f", {view.outcome.level}" if view.outcome.level else ""
        yield f"Over: {view.outcome.winner}{level}: {view.outcome.reason}"


# Games

_KEYS: Final = {
    "Game": "game",
    "Title": "title",
    "Seed": "seed",
    "Dice": "dice",
    "Shares": "shares",
    "Seats": "seats",
    "Names": "names",
    "Reseeds": "reseeds",
    "Scenario": "scenario",
}
_HEADER: Final = re.compile(r"\[([A-Za-z]+)\s+(.*)\]")
_LINE: Final = re.compile(r"(\d{1,9})\.\s*(.*)", re.ASCII)
DIGEST: Final = "Digest"
EXTRA: Final = "Extra"


def format_game(record: Record) -> str:
    """Return a whole game: its header, its choices by phase; a shipped scenario goes by its short name.

    It tells everything, so it is for games that are over. A record that does not follow the rules is
    written all the same, without headings from there on.
    """
    packed = msgspec.to_builtins(msgspec.structs.replace(record, choices=()))
    lines = []
    for key, field in _KEYS.items():
        if field == "scenario":
            lines += _scenario_lines(record.scenario)
        elif packed.get(field) not in (None, "", {}, ()) or (field == "dice" and record.dice is not None):
            lines.append(f"[{key} {_json(_plain(packed[field]))}]")
    if record.extra:
        lines.append(f"[{EXTRA} {_json(dict(record.extra))}]")
    headings = _headings(record)
    for number, row in enumerate(record.choices):
        lines += [line for title in headings.get(number, ()) for line in ("", f"== {title}")]
        lines.append(f"{number + 1}. {_row(row)}")
    lines += [line for title in headings.get(len(record.choices), ()) for line in ("", f"== {title}")]
    return "\n".join(lines) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value)


def _plain(value: Any) -> Any:
    """Take what a part keeps of keys it does not know back to where it was."""
    if isinstance(value, dict):
        kept = dict(value.pop("$extra", ()))
        return {key: _plain(inner) for key, inner in value.items() if inner is not None} | kept
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


@lru_cache(maxsize=len(SHIPPED))
def _shipped(name: str) -> dict[str, Any]:
    return RULES.pack_scenario(load_scenario(name))


def _digest(packed: Mapping[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(packed, order="deterministic")).hexdigest()[:16]


def _scenario_lines(packed: dict[str, Any]) -> list[str]:
    for name in SHIPPED:
        if packed.get("name") == load_scenario(name).name and packed == _shipped(name):
            return [f"[Scenario {_json(name)}]", f"[{DIGEST} {_json(_digest(packed))}]"]
    return [f"[Scenario {_json(packed)}]"]


def _row(row: RecordedChoice) -> str:
    """Return a choice with its side; as JSON where the short form would not give the same row."""
    letter = LETTERS.get(row.side)
    if letter is not None and not row.extra:
        try:
            choice = RULES.unpack_choice(row.choice)
            line = format_choice(choice)
            if _json(RULES.pack_choice(parse_choice(line))) == _json(row.choice):
                return f"{letter} {line}"
        except ValueError:
            pass
    return _json({"side": row.side, "choice": row.choice, **dict(row.extra)})


def _headings(record: Record) -> dict[int, list[str]]:
    """Return the phases, by the number of choices before each."""
    try:
        timeline = RaidReplay.of(record).timeline("public")
    except BadFile:
        return {}
    found: dict[int, list[str]] = {}
    for position, event in timeline:
        if isinstance(event, PhaseBegan):
            title = PHASE_NAMES[event.phase]
            if event.phase != "set-up":
                title = f"Turn {event.turn}, {title}"
            found.setdefault(position, []).append(title)
    return found


def is_game(raw: bytes) -> bool:
    """Return whether a file's bytes look like a game in this notation rather than a record's JSON."""
    # A list of JSON begins with a bracket too, but not a name with a capital in it.
    return re.match(rb"(\xef\xbb\xbf)?\s*(#|\[\s*[A-Z])", raw) is not None


def read_game(raw: bytes, path: str = "") -> Record:
    """Return the record of a file's bytes, a record's JSON or this notation; raises BadFile."""
    if not is_game(raw):
        return parse_record(raw, path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile([f"byte {error.start}: not UTF-8 text"], path) from error
    return parse_game(text, path)


def parse_game(text: str, path: str = "") -> Record:
    """Return the record that a text holds; raises BadFile, every fault led by its line."""
    reading = _Reading(path)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        reading.take(number, line.strip())
    return reading.record()


class _Reading:
    """A game's text as far as it is read: the record's JSON, and the line that each part came from."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._values: dict[str, Any] = {}
        self._lines: dict[str, int] = {}
        self._rows: list[dict[str, Any]] = []
        self._row_lines: list[int] = []
        self._digest: Any = None
        self._last = 1
        self._faults: list[str] = []

    def take(self, number: int, line: str) -> None:
        """Read a line."""
        self._last = number
        if not line or line.startswith(("#", "==")):
            return
        try:
            if line.startswith("["):
                self._take_header(number, line)
            else:
                self._take_choice(number, line)
        except ValueError as error:
            self._faults.append(f"line {number}: {error}")

    def _take_header(self, number: int, line: str) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise ValueError(f"{_short(line)} is no header; one is written [Key value]")
        key = found[1]
        if key not in (*_KEYS, DIGEST, EXTRA):
            raise ValueError(f"[{key}] is not known; those known are {', '.join(_KEYS)}")
        if self._rows:
            raise ValueError(f"[{key}] must stand before the first choice")
        if key in self._lines:
            raise ValueError(f"[{key}] stands twice, first in line {self._lines[key]}")
        try:
            value = json.loads(found[2])
        except (ValueError, RecursionError) as error:
            raise ValueError(f"[{key}]: {_short(found[2])} is not JSON") from error
        self._lines[key] = number
        if key == DIGEST:
            self._digest = value
        elif key == EXTRA:
            if not isinstance(value, dict):
                raise ValueError(f"[{key}] must hold an object {{...}}")
            known = [name for name in value if name in (*_KEYS.values(), "choices", "format", "version")]
            if known:
                raise ValueError(f"[{key}] must not hold {_short(known[0])}, which has its own place")
            self._values |= value
        else:
            self._values[_KEYS[key]] = value

    def _take_choice(self, number: int, line: str) -> None:
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"{_short(line)} is neither a header nor a numbered choice")
        if int(found[1]) != len(self._rows) + 1:
            wanted = len(self._rows) + 1
            # The rest is counted from here, so that a missing line is told once.
            self._rows += [{}] * max(0, min(int(found[1]) - wanted, 10_000))
            self._row_lines += [number] * (len(self._rows) - len(self._row_lines))
            self._add(number, found[2])
            raise ValueError(f"choice {wanted} must come here, not {found[1]}")
        self._add(number, found[2])

    def _add(self, number: int, text: str) -> None:
        row: dict[str, Any] = {}
        self._rows.append(row)
        self._row_lines.append(number)
        if text.startswith("{"):
            try:
                row |= json.loads(text)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{_short(text)} is not JSON") from error
            return
        letter, _, rest = text.partition(" ")
        side = _LETTER_SIDES.get(letter)
        if side is None:
            raise ValueError(f"{_short(letter)} is no side; T is the Terminator, C the CloneMaster")
        row |= {"side": side, "choice": RULES.pack_choice(parse_choice(rest))}

    def record(self) -> Record:
        """Return what was read as a record."""
        if not self._faults:
            self._name_scenario()
        if self._faults:
            self._refuse(self._faults)
        document = {"format": KIND, "version": VERSION, **self._values, "choices": self._rows}
        try:
            return parse_record(json.dumps(document).encode("utf-8", "surrogatepass"), self._path)
        except BadFile as error:
            raise BadFile([self._located(line) for line in error.problems], self._path) from error

    def _refuse(self, faults: list[str]) -> NoReturn:
        raise BadFile(shortened(faults), self._path)

    def _name_scenario(self) -> None:
        """Put a shipped scenario in the place of its name."""
        scenario = self._values.get("scenario")
        at = self._lines.get("Scenario", self._last)
        if scenario is None:
            self._faults.append(f"line {at}: [Scenario] is missing; shipped are {', '.join(SHIPPED)}")
        elif isinstance(scenario, str):
            if scenario not in SHIPPED:
                self._faults.append(
                    f"line {at}: {_short(scenario)} is no shipped scenario; those are {', '.join(SHIPPED)}"
                )
                return
            self._values["scenario"] = packed = _shipped(scenario)
            if self._digest is not None and self._digest != _digest(packed):
                self._faults.append(
                    f"line {self._lines[DIGEST]}: the scenario {_short(scenario)} was another when this was "
                    "played; export the game from the program it was played with as a file"
                )

    def _located(self, fault: str) -> str:
        """Return a fault of the record with the line it came from."""
        found = re.match(r"choices\[(\d+)\]", fault)
        if found is not None:
            return f"line {self._row_lines[int(found[1])]}: {fault}"
        field = re.split(r"[.\[: ]", fault, maxsplit=1)[0]
        key = next((key for key, name in _KEYS.items() if name == field), EXTRA)
        return f"line {self._lines.get(key, self._last)}: {fault}"
