"""The search of the help: a rule by its number first, then titles, then texts, each with what was found."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from app.help.topics import Topic, topics

SNIPPET = 110
"""Characters of text shown around what was found."""
_WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_RULE = re.compile(r"^(?:rule|ruling|paragraph|§)?\s*(r\s*\d+|\d+(?:\.\d*)?\s*[a-z]?)\.?$", re.IGNORECASE)
_SYMBOL = re.compile(r"!\[[^\]]*\]\((?:symbol|counter):[^)]*\)")  # its name stands beside it
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_TABLE_RULE = re.compile(r"^\|[\s:|-]+\|$", re.MULTILINE)


class Hit(NamedTuple):
    """A part that a search finds, and the text around the first place in it."""

    topic: Topic
    snippet: str


class _Entry(NamedTuple):
    topic: Topic
    title: tuple[str, ...]
    text: str
    words: tuple[tuple[str, int], ...]  # each word's stem and where it begins in the text


def plain(markdown: str) -> str:
    """Return a Markdown text without its marks, on one line."""
    text = _SYMBOL.sub("", _TABLE_RULE.sub("", markdown))
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = re.sub(r"^\s*(?:[-*>]|\d+\.|#+)\s+", "", text, flags=re.MULTILINE)
    text = re.sub(r"[*`]|^```.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\s+", " ", text.replace("|", "·"))
    return re.sub(r"· (?:· ?)+", "· ", text).strip(" ·")


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are written, without what stands between them."""
    return _WORD.findall(text)


def stem(word: str) -> str:
    """Return a word in lower case without a plural's ending: "Jellies" and "jelly" are one word."""
    word = word.casefold().replace("’", "'").removesuffix("'s").rstrip("'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=1)
def _index() -> tuple[_Entry, ...]:
    found = []
    for topic in topics():
        text = plain(topic.body)
        words = tuple((stem(match[0]), match.start()) for match in _WORD.finditer(text))
        title = tuple(stem(word) for word in words_of(topic.heading))
        found.append(_Entry(topic, title, text, words))
    return tuple(found)


def _rule_asked(text: str) -> str:
    match = _RULE.match(text.strip())
    return re.sub(r"\s", "", match[1]).casefold() if match is not None else ""


def search(text: str) -> list[Hit]:
    """Return the parts that a search finds, best first; the last word may be unfinished."""
    asked = [stem(word) for word in words_of(text)]
    if not asked:
        return []
    rule = _rule_asked(text)
    ranked: list[tuple[int, int, int, Hit]] = []
    for at, entry in enumerate(_index()):
        rank, place = _rank(entry, asked, rule)
        if rank is not None:
            many = sum(word.startswith(asked[0]) for word, _ in entry.words)
            ranked.append((rank, -many if rank > 2 else 0, at, Hit(entry.topic, _snippet(entry.text, place))))
    return [hit for *_, hit in sorted(ranked, key=lambda one: one[:3])]


def _rank(entry: _Entry, asked: list[str], rule: str) -> tuple[int | None, int]:
    """Return how well a part fits, 0 best, and where in its text the first word stands, or None."""
    own = entry.topic.rule.casefold()
    if rule and own:
        if own == rule:
            return 0, 0
        if own.startswith(rule):
            return 1, 0
    places = [_first(entry.words, word) for word in asked]
    in_title = [_has(entry.title, word) for word in asked]
    first = next((place for place in places if place is not None), 0)
    if all(in_title):
        return (2 if len(asked) == len(entry.title) - bool(own) else 3), first
    if all(place is not None or titled for place, titled in zip(places, in_title, strict=True)):
        return (4 if any(in_title) else 5), first
    return None, 0


def _first(words: tuple[tuple[str, int], ...], asked: str) -> int | None:
    return next((place for word, place in words if word.startswith(asked)), None)


def _has(words: tuple[str, ...], asked: str) -> bool:
    return any(word.startswith(asked) for word in words)


def _snippet(text: str, place: int) -> str:
    """Return the text around a place, from word to word."""
    start = max(0, place - SNIPPET // 3)
    if start:
        start = text.find(" ", start) + 1
    end = min(len(text), start + SNIPPET)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + SNIPPET // 2)
    return f"{'… ' if start else ''}{text[start:end].strip()}{' …' if end < len(text) else ''}"
