"""Many files at once: a run survives files that crash, and continues after a kill.

`plan` finds the files, `task` describes and does the work on one, `runner` has it done by several worker
processes. A sink takes the results (`sinks`): a folder, an index or a data set. `report` sums up.
"""
