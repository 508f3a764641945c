"""Matches an outline to the objects of a document: which object does each bookmark name?

`outline` cleans the entries, `titles` compares a title with a text, and `align` chooses objects for all
entries together, in reading order. `nodes` derives the headings and the tree, `unlisted` finds objects that
may be further headings, `nodes` also detects unreliable outlines. Training labels and trees of trusted
bookmarks are made with it.
"""
