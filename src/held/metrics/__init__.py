"""Quality measures: pure functions from true and predicted values to counts.

Counts of documents add up, so a micro average is a sum: `sum(counts, start=TreeCounts())`. A share out of 0
is nan, neither 0 nor 1.
"""

from held.metrics.averages import (
    Interval,
    Matches,
    Share,
    bootstrap,
    layout_matches,
    match_objects,
    mean,
    paired_bootstrap,
)
from held.metrics.tree_edit_distance import edit_distance, heading_similarity
from held.metrics.trees import (
    Fault,
    FaultKind,
    Label,
    Prediction,
    TreeCounts,
    Truth,
    compare_trees,
    faults,
    heading_matches,
)

__all__ = [
    "Fault",
    "FaultKind",
    "Interval",
    "Label",
    "Matches",
    "Prediction",
    "Share",
    "TreeCounts",
    "Truth",
    "bootstrap",
    "compare_trees",
    "edit_distance",
    "faults",
    "heading_matches",
    "heading_similarity",
    "layout_matches",
    "match_objects",
    "mean",
    "paired_bootstrap",
]
