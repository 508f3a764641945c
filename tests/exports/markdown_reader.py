"""Markdown as a renderer understands it: what the tests compare with what was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

NOTE = re.compile(r"(?<!\\)\[\^([\w-]+)\]:?")
# Footnotes are an extension of CommonMark, which would take some of them for definitions of links.
RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("reference")


def headings(markdown: str) -> list[tuple[int, str]]:
    """Level and title of each heading, those deeper than six among them."""
    tokens = RENDERER.parse(markdown)
    found = []
    for token, inner in pairwise(tokens):
        if token.type == "heading_open":
            found.append((int(token.tag[1]), shown(inner)))
        elif token.type == "paragraph_open" and (bold := _deep(inner)):
            found.append(bold)
    return found


def _deep(inline: Token) -> tuple[int, str] | None:
    children = inline.children or []
    marks = children[0].content.strip() if children else ""
    if len(children) > 1 and children[1].type == "strong_open" and set(marks) == {"›"}:
        return 6 + len(marks), shown(inline)[len(marks) :].strip()
    return None


def shown(token: Token) -> str:
    """The text that an inline token shows; of an image what stands in its place."""
    return "".join(
        shown(child) if child.type == "image" else child.content
        for child in token.children or []
        if child.type in ("text", "code_inline", "image", "text_special")
    )


def tables(markdown: str) -> list[list[list[str]]]:
    """The cells of each table, row by row."""
    found: list[list[list[str]]] = []
    for token in RENDERER.parse(markdown):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and found and token.level >= 4 and found[-1]:
            found[-1][-1].append(shown(token))
    return found


def list_items(markdown: str) -> list[tuple[int, str, str]]:
    """Each item: how deep it is from 0, the number it shows or nothing, and its text."""
    found: list[tuple[int, str, str]] = []
    counters: list[int | None] = []
    for token in RENDERER.parse(markdown):
        if token.type in ("ordered_list_open", "bullet_list_open"):
            ordered = token.type == "ordered_list_open"
            counters.append(int(token.attrs.get("start", 1)) if ordered else None)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            counters.pop()
        elif token.type == "list_item_open":
            number = counters[-1]
            found.append((len(counters) - 1, "" if number is None else f"{number}{token.markup}", ""))
            counters[-1] = None if number is None else number + 1
        elif token.type == "inline" and counters:
            found[-1] = (*found[-1][:2], found[-1][2] + shown(token))
    return found


def all_text(markdown: str) -> str:
    """Everything that is shown, without white space; footnotes and references to them by their names."""
    return "".join("".join(_texts(markdown)).split())


def _texts(markdown: str) -> Iterator[str]:
    for token in RENDERER.parse(markdown):
        if token.type == "inline":
            without_notes = NOTE.sub(r"\1", token.content)
            yield from map(shown, RENDERER.parseInline(without_notes))
        elif token.type in ("fence", "code_block"):
            yield token.content
