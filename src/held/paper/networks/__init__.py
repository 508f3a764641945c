"""Preset `paper` at work: the paper's networks for both steps, in ONNX Runtime and without torch.

`inputs` is what they see of an object, `sequences` what an inquiry reads. `labeller` judges all objects of a
document (the heading step, and the baseline `toc`), `put_or_skip` an object at a position; `scorers` ask it
for insertion. In come models as `held.models.store` has them, out come the two steps.
"""

from collections.abc import Collection

from held.models.store import Model
from held.paper.networks.labeller import HeadingNetwork
from held.paper.networks.put_or_skip import PutOrSkipNetwork
from held.paper.networks.scorers import NetworkTreeStep

__all__ = ["heading_step", "tree_step"]


def heading_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> HeadingNetwork:
    """The heading step of a model; its exclusions cannot be disabled."""
    return HeadingNetwork(model, threads=threads)


def tree_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> NetworkTreeStep:
    """The tree step of a model, one-step or two-step as it was trained; it has no constraints."""
    return NetworkTreeStep(PutOrSkipNetwork(model, threads=threads))
