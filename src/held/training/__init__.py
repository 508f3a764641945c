"""Training of the models: the only home of torch. Everything here is offline; inference needs none of it."""
