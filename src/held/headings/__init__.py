"""Which objects are headings: features, rules and the classifier."""
