"""From runs and rules to what a reader sees on a page: lines of text, their rows, straight strokes.

`lines.lines_of` and `strokes` take a page as `view.as_viewed` turned it; `rows` has what the paragraph step
must know of a line, `marks` what a text is by the mark that it begins with. Nothing here knows other pages.
"""
