"""Passages of a document, found by a question: the tree at work."""
