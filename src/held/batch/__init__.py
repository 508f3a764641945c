"""Many files at once: a run survives files that crash, and continues after a kill.

`plan` finds the files, `task` describes and does the work on one, `worker` does it in a child process,
`runner` keeps several workers busy. A sink takes the results: `folder`, `index` or `dataset`. `report` sums
up.
"""
