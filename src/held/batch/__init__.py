"""Many files at once: each in a process that can die alone, none done twice. Nothing here talks to anyone.

`plan` says which file becomes which, `task` does one of them, `worker` has a process do it, `work` keeps
several busy and gives an account of each file, `results` remembers what is done; `folder` and `indexing`
do that into a folder or an index, `one` does a single file, `summary` tells what became of all.
"""
