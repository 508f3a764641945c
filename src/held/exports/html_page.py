"""The shell of our web pages: one file that loads nothing, with its style and script inside.

The text of a PDF is untrusted. All of it passes through `escape_html`, and the page's content security
policy runs no script but the one whose hash it names, should markup ever slip through.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from held.exports.object_text import replace_symbols
from held.system.console import DIRECTION_CODES

Phrases = Mapping[str, str]  # the page's own words by key

_NOT_IN_HTML = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff{DIRECTION_CODES}]")
_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data: file: 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def escape_html(text: str) -> str:
    """The text for an element or a quoted attribute.

    Characters that HTML cannot hold, and codes that turn text around, become U+FFFD.
    """
    return escape(_NOT_IN_HTML.sub("\ufffd", replace_symbols(text)))


@cache
def read_asset(name: str) -> str:
    """The text of a file in `assets`: `page.css`, `reader.js` …"""
    return (files("held.exports") / "assets" / name).read_text("utf-8")


def page_style(name: str) -> str:
    """The style of a page that shows a document: what all pages share, and its own file."""
    return read_asset("base.css") + read_asset("page.css") + read_asset(name)


@cache
def phrases_in(language: str) -> Phrases:
    """The page's own words in a language, by key; English where there is no translation."""
    translations: dict[str, Phrases] = json.loads(read_asset("phrases.json"))
    return translations.get(language, translations["en"])


def build_page(title: str, body: str, *, style: str, script: str, lang: str = "en") -> str:
    """The whole page. `title` is plain text; `body`, `style` and `script` are inserted as they are."""
    policy = _POLICY.format(style=_hash(style), script=_hash(script))
    return (
        f'<!doctype html>\n<html lang="{escape_html(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape_html(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(source: str) -> str:
    digest = sha256(source.encode()).digest()
    return f"sha256-{b64encode(digest).decode()}"
