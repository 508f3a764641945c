"""Documents as a data set: four Parquet tables that any engine reads, written part by part.

`columns` says what the tables have, `rows` makes them of a hierarchy, `parquet` writes rows as bytes,
`places` reaches a folder or an object store, `parts` keeps the data set whole, whatever is killed.
"""
