"""Tables for people and programs: an object in, its grid of cells, rows, CSV, spreadsheet or markup out.

`grid` says where each cell stands, whatever the object tells of it; `around` what caption and unit belong to
it; `amounts` what its numbers are worth. `table` puts these together into what the library hands out.
"""
