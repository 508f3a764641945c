"""Tables: found on a page, their cells, and what belongs to them.

Start with `page_tables.find_tables`. Candidates come from drawn grids (`grids`) or from rows that a model
takes for those of tables (`rows`, `row_features`, `borderless`); `bordered` and `structure` build the cells;
`cells` also joins parts on several pages. `logical_grid` works on table objects of any engine.
"""
