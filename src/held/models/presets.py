"""Which module runs the models of a preset, and which trains them: one entry for each kind of model there is.

A model file names its step and its preset, so this table is all that is asked to run it or to train another.
Modules are named, not imported: each brings libraries of its own, and those of training are not always there.
"""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    """The modules of a preset.

    `runner` has `heading_step(model, threads=)` and `tree_step(model, threads=)`, or one of them where the
    preset is for one step alone: what they give is in `held.hierarchy.steps`. `trainer` has `train(request)`,
    as `held.training.trainers` says.
    """

    runner: str
    trainer: str


PRESETS: dict[str, Preset] = {
    "base": Preset("held.hierarchy.boosted_steps", "held.training.boosted_trainer"),
    "attentive": Preset("held.hierarchy.attentive_steps", "held.training.attentive_trainer"),
    "paper": Preset("held.paper.networks", "held.paper.training.network_trainer"),
}
