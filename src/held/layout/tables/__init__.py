"""What can be told of a table from its object and its neighbours, whichever engine recognised them.

`grid` makes cells in their places out of what an object tells; `around` finds caption, unit and notes.
"""
