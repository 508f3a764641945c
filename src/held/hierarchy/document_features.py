"""A document as the models see it: what a model needs to know of it is computed once, when first asked for.

Models differ in what they look at (columns of features, characters and formats), so each takes what it needs
from here, and a document of which nobody asks for the columns has none computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from held.document import Document
from held.headings.version import Table, table_of


@dataclass(frozen=True)
class Seen:
    """A document and what is known of it."""

    document: Document

    @cached_property
    def table(self) -> Table:
        """The columns of all objects."""
        return table_of(self.document)

    def __len__(self) -> int:
        return len(self.document.objects)
