"""The figures of a page: bitmaps, and charts and diagrams drawn with lines and boxes.

`page_figures` is the door: lines, strokes and images go in, figures with the texts that belong to them come
out.
"""
