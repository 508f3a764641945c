"""A data set of documents: four Parquet tables that any engine reads, written in parts.

`rows` defines the tables, makes their rows from a hierarchy and converts them to Parquet. `parts` keeps the
data set consistent when a run is killed, in a local folder or an object store.
"""
