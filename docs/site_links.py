"""Hook of mkdocs: shows links to source files as plain text, because the site holds the pages of docs/ alone.

Every other link that leads nowhere then fails the build.
"""

from __future__ import annotations

import re
from typing import Any

# [text](../src/held/x.py), [text](../../research/y/README.md): one level up for each folder below docs/.
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?:src|research|tests|samples)(?:/[^)]*)?\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page's Markdown without links that leave docs/."""
    return _OUTSIDE.sub(r"\1", markdown)
