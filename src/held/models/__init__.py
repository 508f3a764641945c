"""Trained models at work, and the weights that ship with the package.

`steps` is the door: in goes the name of a model, its folder or a model in memory, out come the heading step
and the tree step. `presets` has an entry for each kind of model, `store` reads and writes their files, `seen`
is what they see of a document.
"""
