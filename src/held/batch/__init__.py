"""Many files at once: a run survives files that crash, and continues after a kill.

`plan` finds the files, `task` describes and does the work on one file, `runner` distributes tasks over worker
processes, `sinks` store the results in a folder, an index or a data set, and `report` summarises the run.
"""
