"""When two titles are the same: the comparison that labels are made with."""

from held.corpus.titles import bare_key, close_key, is_junk, is_number, key, number_end, plain

__all__ = ["bare_key", "close_key", "is_junk", "is_number", "key", "number_end", "plain"]
