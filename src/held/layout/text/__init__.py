"""Running text: rows of a column become paragraphs, headings in one piece, list items, captions.

`paragraphs` cuts, by what `pitch`, `edges`, `looks`, `titles` and `words` say of its rows; `headings`
assembles what makes one heading, `kinds` says what a block is, `joins` puts together what a column or page
break has cut in two.
"""
