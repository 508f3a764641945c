"""Many files at once: each in a process that can die alone, none done twice.

`plan` says which file becomes which, `task` does one of them, `worker` is the process that does it, `run`
keeps several workers busy, `journal` remembers what is done, `summary` tells it.
"""
