"""Reads long PDFs and gives back their logical hierarchy."""

__version__ = "0.1.0.dev0"
