"""Which objects are headings: features, classifier and rules.

Features are columns of a matrix. A feature is declared once, and what fills or reads it says its name. The
models see plain matrices. `Columns.named` shows the same memory as numpy records, so that a column is
`rows["size"]` rather than `rows[:, 7]`, at no cost: nothing is copied, and no other column can shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Columns(tuple[str, ...]):
    """The names of a matrix's columns, in order."""

    @cached_property
    def _floats(self) -> np.dtype[np.void]:
        return np.dtype([(name, np.float32) for name in self])

    @cached_property
    def _ints(self) -> np.dtype[np.void]:
        return np.dtype([(name, np.int64) for name in self])

    def records(self, matrix: NDArray[Any]) -> NDArray[np.void]:
        """The rows of a matrix as records: the same memory, with a field for each column.

        The matrix is of float32 or of int64, and its rows lie in memory one after another.
        """
        assert matrix.flags.c_contiguous
        assert matrix.shape[1] == len(self)
        records = self._floats if matrix.dtype == np.float32 else self._ints
        # An array over the matrix's own buffer; `matrix.view(records)` takes ten times as long.
        return np.ndarray(len(matrix), records, matrix)

    def empty(self, count: int) -> Floats:
        """A matrix of so many rows, to be filled by name."""
        return np.empty((count, len(self)), np.float32)

    def span(self, first: str, last: str) -> slice:
        """Where the columns from one to another lie, both included."""
        return slice(self.index(first), self.index(last) + 1)

    def with_prefix(self, prefix: str) -> Columns:
        """The columns as those of something else: size becomes parent_size."""
        return Columns(f"{prefix}_{name}" for name in self)


def columns_of(rows: Sequence[NamedTuple], names: Sequence[str]) -> dict[str, Floats]:
    """The fields of many rows as a column each; without rows the columns are empty."""
    plain = list(map(tuple, rows))  # numpy takes twice as long with named tuples
    values = np.array(plain, np.float32).reshape(-1, len(names))
    return dict(zip(names, values.T, strict=True))
