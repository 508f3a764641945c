"""A data set of documents: four Parquet tables that any engine reads, written in parts.

`rows` defines the tables and makes their rows from a hierarchy, `parquet` converts rows to files, `storage`
reaches a local folder or an object store, `parts` keeps the data set consistent when a run is killed.
"""
