"""What a page in a browser is made of: one file that asks for nothing else, with its style and script inside.

The text of a PDF is a stranger's: everything of it passes through `escaped`, and the page's own policy lets
nothing run but the one script whose hash it names, should a mark ever slip through.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from held.exports.symbols import readable

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data: file: 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def escaped(text: str) -> str:
    """The text as it may stand in an element or a quoted attribute; what no page may hold becomes U+FFFD."""
    return escape(_UNFIT.sub("\ufffd", readable(text)))


@cache
def asset(name: str) -> str:
    """The text of a file that ships beside this module: `page.css`, `reader.js` …"""
    return (files(__name__) / name).read_text("utf-8")


def page(title: str, body: str, *, style: str, script: str, lang: str = "en") -> str:
    """The whole page. `title` is plain text; `body`, `style` and `script` stand in it as they are."""
    policy = _POLICY.format(style=_hash(style), script=_hash(script))
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escaped(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(source: str) -> str:
    return "sha256-" + b64encode(sha256(source.encode()).digest()).decode()
