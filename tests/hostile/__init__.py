"""Files that once broke something, made anew by `files.py`, and what becomes of each now."""
