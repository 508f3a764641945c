"""Training of the published networks and baselines; needs torch."""
