"""HELD as published: networks, baselines, inquiry analysis and their training. README.md maps the paper."""
