"""The texts of the help, cut into a topic for each heading, each found by its rule or its title."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from app.command import command
from app.help.tables import expanded
from resources.path import resource

FOLDER: Final = "help"
WRITTEN: Final = "python3 run.py"  # how the files name the command, as the README does
# "## 4.43 Hostile martial artists", "### 4.2a A Terminator comes in", "## R7 Costs", "## First steps"
_HEADING = re.compile(r"^(#{1,4}) +(?:((?:\d+(?:\.\d+)+[a-z]?|\d+\.0|[RS]\d+)) +)?(.+?) *$")
_REFERENCE = re.compile(r"(?<![\w.\[#/:])((?:[1-8]\.\d{1,3}[a-z]?)|(?:R\d{1,2}))(?![\w\]])(?!\.\d)")
_CODE = re.compile(r"(```.*?```|`[^`]*`)", re.DOTALL)
_TITLE = re.compile(r'"([A-Z][^"`|\[\]]{3,60})"')


class Topic(NamedTuple):
    """One heading's part of the help: `rule` is its number or tag, "" where it has none."""

    file: str
    depth: int
    rule: str
    title: str
    body: str

    @property
    def heading(self) -> str:
        """The title with its number."""
        return f"{self.rule} {self.title}" if self.rule else self.title


def parse_topics(file: str, text: str) -> list[Topic]:
    """Return the parts of a help file, one for each heading."""
    found: list[Topic] = []
    lines: list[str] = []
    head: tuple[int, str, str] | None = None
    is_code = False
    for line in [*text.splitlines(), "# end"]:
        if line.startswith("```"):
            is_code = not is_code
        match = None if is_code else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        if head is not None:
            found.append(Topic(file, *head, "\n".join(lines).strip()))
        lines = []
        head = (len(match[1]), match[2] or "", match[3])
    return found


@lru_cache(maxsize=1)
def topics() -> tuple[Topic, ...]:
    """Return every part of the shipped help, in reading order."""
    files = sorted(
        (one for one in resource(FOLDER).iterdir() if one.name.endswith(".md")), key=lambda one: one.name
    )
    texts = {one.name: expanded(one.read_text(encoding="utf-8")) for one in files}
    return tuple(
        topic
        for name, text in texts.items()
        for topic in parse_topics(name, text.replace(WRITTEN, command()))
    )


@lru_cache(maxsize=1)
def _places() -> dict[Topic, int]:
    return {topic: at for at, topic in enumerate(topics())}


@lru_cache(maxsize=1)
def _by_rule() -> dict[str, Topic]:
    return {topic.rule: topic for topic in reversed(topics()) if topic.rule}


def find_rule(rule: str) -> Topic | None:
    """Return where a rule is explained: its own part, else the paragraph above it ("6.1z" in 6.1).

    None for "-" and for what the help does not know.
    """
    wanted = rule.strip()
    while wanted:
        if wanted in _by_rule():
            return _by_rule()[wanted]
        if wanted.startswith(("R", "S")):
            return None
        wanted = wanted[:-1].rstrip(".")
        if "." not in wanted:
            return _by_rule().get(f"{wanted}.0") if wanted.isdigit() else None
    return None


def find_title(title: str) -> Topic | None:
    """Return the first part with a title, in whatever case; None for a title that the help does not have."""
    wanted = title.casefold()
    return next((topic for topic in topics() if topic.title.casefold() == wanted), None)


def place_of(topic: Topic) -> int:
    """Return the number of a part in reading order."""
    return _places()[topic]


def parts_of(topic: Topic) -> tuple[Topic, ...]:
    """Return a part and the deeper ones that belong to it, in reading order."""
    whole = topics()
    first = place_of(topic)
    last = first + 1
    while last < len(whole) and whole[last].file == topic.file and whole[last].depth > topic.depth:
        last += 1
    return whole[first:last]


def way_to(topic: Topic) -> tuple[Topic, ...]:
    """Return the parts that a part belongs to, the outermost first."""
    found: list[Topic] = []
    depth = topic.depth
    for one in reversed(topics()[: place_of(topic)]):
        if one.file != topic.file or depth == 1:
            break
        if one.depth < depth:
            found.append(one)
            depth = one.depth
    return tuple(reversed(found))


def linked(text: str) -> str:
    """Return Markdown in which each rule that the help knows, and each title it quotes, is a link there."""

    def link(match: re.Match[str]) -> str:
        return f"[{match[1]}](rule:{match[1]})" if find_rule(match[1]) is not None else match[1]

    def title_link(match: re.Match[str]) -> str:
        topic = find_title(match[1].replace("\n", " "))
        return f'["{match[1]}"](topic:{place_of(topic)})' if topic is not None else match[0]

    return "".join(
        part if part.startswith("`") else _TITLE.sub(title_link, _REFERENCE.sub(link, part))
        for part in _CODE.split(text)
    )
