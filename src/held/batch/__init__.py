"""Many files at once: a run survives files that crash, and continues after a kill.

`sinks` finds the files, `runner` distributes their tasks (`held.file_task`) over worker processes,
`sinks` also stores the results in a folder, an index or a data set, and `report` summarises the run.
"""
