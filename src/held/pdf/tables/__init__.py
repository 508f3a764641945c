"""The tables of a page: lines and strokes go in, tables with cells come out, and the lines left.

`page_tables` is the door. It asks `grid_tables` (drawn cells), `framed` (horizontal rules and shaded bands)
and `unruled` (nothing but alignment) in turn; `alignment` has rows and columns, `lookalikes` what stands in
columns and is no table.
"""
