"""Matching an outline to the objects of a document: which object does each bookmark name?

`outline` cleans the entries, `titles` and `similarity` compare a title with a text, `align` and `chain`
choose objects for all entries together, in reading order. `nodes` makes of it which objects are headings and
what hangs below which, `unlisted` finds what may be a heading beside them, `trust` says when not to believe
the outline. Labels for training are made with it, and so are trees of trusted bookmarks.
"""
