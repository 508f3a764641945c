"""Readers for the stored corpus: documents kept as what a PDF reader saw on their pages."""
