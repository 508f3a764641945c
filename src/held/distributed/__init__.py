"""Documents by the million on a Ray cluster, into a data set: paths travel, never the bytes of a document.

`run` groups the sources into parts and lets Ray hand them out; `worker` does a part: it reads each
document in a child with limits, as everywhere, and writes the part itself.
"""
