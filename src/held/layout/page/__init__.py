"""One page laid out: tables, figures, contents and text in columns, in reading order.

`layout` is the door and calls the packages before this one; `order` has columns and reading order, `turned`
the text that is not upright.
"""
