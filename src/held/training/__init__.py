"""Training of the models. Only this package and `held.paper.training` import torch; inference never does."""
