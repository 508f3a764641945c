"""Mutation testing of the layout: which thresholds and predicates could change without anybody noticing."""
