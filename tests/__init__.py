"""Tests, one folder for each package of `held`; each reads as a sentence about what holds."""
