"""Tables of the help that are made from the rules themselves, so that they cannot tell anything else.

A text asks for one by a picture of the scheme "table": `![The twelve Jellies](table:jellies)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from engine.raid.figures import ABILITIES, ABILITY_NAMES, JELLIES, TRAINED
from engine.raid.scenario import SHIPPED, Scenario, load_scenario
from engine.raid.switches import HIT_HEADINGS, PARTS, SWITCHES, difference_words, differences, forces
from engine.raid.tables import COLUMNS, JELLY_COUNTERS, TERMINATOR_COUNTERS, Allowances, HitNumbers

_TABLE = re.compile(r"^!\[[^\]]*\]\(table:([a-z]+)\) *$", re.MULTILINE)
NONE: Final = "–"


def _rows(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [tuple(head), *(tuple(row) for row in rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _symbol(ability: str, name: str = "") -> str:
    return f"![{name or ABILITY_NAMES.get(ability, ability)}](symbol:{ability})"


def _figures() -> str:
    moves = Allowances()
    rows = (
        ("Terminator", "terminator", f"{moves.terminator}, twice a turn", f"{TERMINATOR_COUNTERS} counters"),
        ("CloneMaster", "clonemaster", str(moves.clonemaster), "a gun"),
        ("Jelly", "jelly", str(moves.jelly), f"{JELLY_COUNTERS} counters"),
        ("Technician", "technician", str(moves.technician), "untrained attack"),
        ("Armed technician", "armed_technician", str(moves.armed_technician), "a gun"),
        ("Servant", "servant", str(moves.servant), "untrained attack"),
        ("Local Constabulary", "lc", str(moves.lc), "a gun at any distance"),
        ("Anybody, face down", "back", NONE, "nothing until turned up (4.2)"),
        ("Unconscious", "unconscious", NONE, "nothing (5.5)"),
    )
    return _rows(
        ("", "Figure", "Squares", "Fights with"),
        ((f"![{name}](counter:{kind})", name, squares, fights) for name, kind, squares, fights in rows),
    )


def _symbols() -> str:
    meanings = {
        "fist": "a level of punching",
        "kick": "a level of kicking",
        "mist": "a defence of the mind, against punches above all",
        "soul": "a defence of the body, against kicks and bullets; and a climber",
        "heart": "a reservoir of strength that may come back (5.6)",
    }
    rows = [
        (_symbol(word), ABILITY_NAMES[word], meanings[word]) for word in (ABILITIES[one] for one in TRAINED)
    ]
    weapons = {
        "nunchaku": "a weapon for hand to hand",
        "bo-stave": "a weapon for hand to hand",
        "kon-go": "a weapon for hand to hand",
        "throwing-spikes": "a weapon that is thrown (R19)",
    }
    rows += [
        (_symbol(word, name), name, meaning)
        for word, meaning in weapons.items()
        for name in (word.replace("bo-", "bo ").replace("-spikes", " spikes").capitalize(),)
    ]
    rows += [
        (_symbol("gun", "Gun"), "Gun", "its owner fires once a turn (R23)"),
        (_symbol("atom", "Atom"), "Atom", "a technician"),
        (_symbol("tray", "Tray"), "Tray", "a servant"),
        (_symbol("badge", "Badge"), "Badge", "one of the Local Constabulary"),
    ]
    return _rows(("", "Symbol", "Stands for"), rows)


def _jellies() -> str:
    def cell(level: int, word: str, weapon: str | None) -> str:
        if not level:
            return ""
        if word == "weapon" and weapon is not None:
            return weapon
        return str(level)

    heads = [ABILITY_NAMES[word] for word in ABILITIES]
    return _rows(
        ("Jelly", *heads),
        (
            (
                f"J-{number}",
                *(cell(jelly.levels[at], word, jelly.weapon) for at, word in enumerate(ABILITIES)),
            )
            for number, jelly in JELLIES.items()
        ),
    )


def _hits() -> str:
    hits = HitNumbers()

    def shown(numbers: Iterable[int]) -> list[str]:
        return [str(one) if one else NONE for one in numbers]

    six = len(COLUMNS)
    rows = [
        (f"{_symbol(word)} {ABILITY_NAMES[word]}", *shown(getattr(hits, word)))
        for word in ("fist", "kick", "weapon")
    ]
    rows.append(
        (
            f"{_symbol('throwing-spikes', 'Throwing spikes')} Throwing\N{NO-BREAK SPACE}spikes",
            *shown([hits.spikes] * six),
        )
    )
    rows.append((f"{_symbol('gun', 'Gun')} Gun", *shown([hits.gun] * six)))
    return _rows(("Attack", *(HIT_HEADINGS[word].capitalize() for word in COLUMNS)), rows)


def _scenarios() -> str:
    parts = []
    for word in SHIPPED:
        scenario = load_scenario(word)
        lines = [f"## {scenario.name}", scenario.notes, f"**Forces:** {forces(scenario)}"]
        turned = differences(Scenario(name=""), scenario)
        if turned:
            lines.append("Unlike the Basic scenario:")
            lines.append(
                "\n".join(f"- {difference_words(one, scenario)} ({', '.join(one.rules)})" for one in turned)
            )
        parts.append("\n\n".join(line for line in lines if line))
    return "\n\n".join(parts)


def _switches() -> str:
    parts = []
    for part in PARTS:
        rows = [
            (f"**{switch.title}**", ", ".join(switch.rules), switch.sentence)
            for switch in SWITCHES
            if switch.part == part
        ]
        if rows:
            parts.append(f"## Switches: {part}\n\n{_rows(('Switch', 'Rule', 'What it does'), rows)}")
    return "\n\n".join(parts)


_MADE: Final[dict[str, Callable[[], str]]] = {
    "figures": _figures,
    "symbols": _symbols,
    "jellies": _jellies,
    "hits": _hits,
    "scenarios": _scenarios,
    "switches": _switches,
}


def expanded(text: str) -> str:
    """Return Markdown with every table it asks for; raises KeyError for one there is not."""
    return _TABLE.sub(lambda match: _MADE[match[1]](), text)
