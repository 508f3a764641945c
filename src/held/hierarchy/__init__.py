"""From headings to the tree of all objects: features, constraints, scorers and put-or-skip insertion."""
