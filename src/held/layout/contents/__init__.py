"""Printed tables of contents, lists of figures and of tables: their entries with title and page label.

Lines of all pages go in, since a list goes on over pages; entries come out, and their lines are no text any
more.
"""
