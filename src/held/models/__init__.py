"""Inference of the trained models, and the weights that ship with the package."""
