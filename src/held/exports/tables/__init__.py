"""Tables for people and programs: an object in; rows, CSV, spreadsheet or markup out.

`amounts` says what a table's numbers are worth; `table` puts this together with what `held.tables` tells, its
cells and what stands around it, into what the library hands out.
"""
