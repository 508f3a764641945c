"""HELD as published: networks, baselines, inquiry analysis and their training."""
