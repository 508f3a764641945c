"""Other processes, started safely: whatever reads bytes of strangers, or may crash or hang, runs in one.

`parent` starts a child and talks to it, `child` is what runs inside it, `messages` is what they say to
each other, `pool` keeps several of them busy, `memory` says how much each may take. A child imports only
from where its parent does, never from the current folder; it ends when its parent is gone; and what it
says is data, which can be wrong but cannot run anything.
"""
