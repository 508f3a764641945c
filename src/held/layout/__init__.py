"""From pages to physical objects in reading order.

The packages follow the data: lines, furniture, contents, tables, figures, text and page; `recognise` runs
them in that order.
"""
