"""Which objects are headings: features, classifier and rules."""
