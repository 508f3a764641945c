"""Corrections as data: what a person says of a tree, what follows from it, and the log that keeps it.

    correction + what is on the desk ─ resolved ─▶ effect        which places, texts and pieces it fixes
    document + effects ─ edited ─▶ another document and what is fixed in it
    that ─ desk ─▶ hierarchy                                     the rest is inserted again around it

Effects alone make the state, so undoing is leaving the last one out. Nothing here knows of the web.
"""
