"""What the models of preset `base` see of objects, of their neighbours and of pairs of them.

A document becomes a `Table` once, with a column for each thing that is known of its objects; both steps
read their features from it. `VERSION` changes with the meaning of any feature: weights name the version
that they were trained on.
"""

from held.headings.object_features import Table, table_of

VERSION = 4

__all__ = ["VERSION", "Table", "table_of"]
