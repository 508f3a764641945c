"""Ablation of heading rules and placement constraints."""
