"""Training of preset `attention`: boosted trees, then networks over whole documents, then how both mix.

A network goes through all documents in every epoch, under earlier errors that are drawn anew: random ones,
and in the second half of its training those that it makes itself. Whatever is random follows from the seed,
the epoch and the document, so that a run that was ended goes on where it was.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from held.headings.columns import Floats
from held.headings.object_features import FEATURES_VERSION
from held.hierarchy.attention import Shape
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Question, Strategy, build
from held.hierarchy.insertion.oracle import Example, Noise, anywhere_else
from held.hierarchy.position_features import PositionFeatures, Positions
from held.hierarchy.scorers import AttentionTreeStep, BoostedTreeStep, Mixture, boosted_tree_step
from held.models.store import FEATURES_SETTING, Model, ModelKind, npz_part
from held.training.attention import AttentionNetwork, Usual, halved, stretch_losses, windows_of
from held.training.boosted import BoostedPutOrSkip, Say
from held.training.boosted_data import Known, Lesson, Taught, taught
from held.training.example_weights import rarity

_NETWORK_ALONE = Mixture(usual=30.0)
_SCALE_AT_LEAST = 0.01  # of a feature that hardly ever differs
_EVEN = np.array([0.5], np.float32)  # a position of which the trees cannot tell
_LEAST = 1e-6  # of a probability whose logarithm is taken
_SAMPLED = 400  # documents that tell what is usual
_EPOCH_SEEDS = 10_000  # apart, so that no two epochs of any seeds draw alike
_ROWS_SAMPLED = 7  # one in so many of their positions
_NOISY = 0.6  # of the visits: the others show the truth, or it would never be seen whole
_RISE_STEPS = 50  # until the highest rate: at once it would throw the first weights about
_LEAST_SHARE = 0.02  # of the highest rate, so that the last steps still learn
_USUAL_GRID = np.arange(-4, 3.1, 0.5)
_SURE_GRID = np.arange(-0.8, 0.01, 0.1)  # none counts a network more where the trees are sure


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentivePutOrSkip(BoostedPutOrSkip):
    """The tree step of preset `attention`: what its boosted trees are, and what its networks.

    members       networks, of seeds that follow each other
    epochs        how often each goes through the documents
    rate          the highest learning rate, which rises at first and falls to the end
    batch         documents to a step
    rows_hidden   how often the features of pairs are hidden from the network
    found_share   how often a document is shown with the headings that a heading step finds
    own_errors    of the documents of the second half so many have a history of the network's own errors
    most          the networks' part at most, where the trees are in doubt: on kinds of documents that
                  neither has seen they err more than the trees, whatever those at hand say
    longest       headings; longer documents are left out
    """

    width: int = 96
    heads: int = 4
    layers: int = 3
    between: int = 192
    scorer: int = 128
    members: int = 1
    epochs: int = 8
    rate: float = 1e-3
    batch: int = 8
    dropout: float = 0.1
    decay: float = 0.01
    rows_hidden: float = 0.25
    found_share: float = 0.35
    own_errors: float = 0.3
    most: float = 0.15
    longest: int = 1500

    @property
    def shape(self) -> Shape:
        """The measures of a network."""
        return Shape(self.width, self.heads, self.layers, self.between, self.scorer)


class Visit(NamedTuple):
    """A document as it is learnt from once: its outline, its positions, and which of them are right."""

    outline: HeadingFeatures
    at: Positions
    rows: Floats
    right: Tensor  # the place of the right position of each example
    weights: Tensor


Shown = tuple[Known, Sequence[int]]
"""A document, and the headings that a heading step finds in it, if any are known."""


def train_attentive(
    documents: Sequence[Known],
    boosted: Model,
    settings: AttentivePutOrSkip,
    *,
    found: Sequence[Sequence[int]] = (),
    held_out: Sequence[Known] = (),
    checkpoints: Path | None = None,
    say: Say = print,
) -> Model:
    """The tree step with networks beside the boosted one.

    `found` are headings that a heading step gave; the mixture is learnt from the documents held out.
    """
    torch.set_num_threads(settings.threads)
    trees = boosted_tree_step(boosted)
    networks = [
        _trained(
            [*zip(documents, found or [()] * len(documents), strict=True)],
            trees,
            settings,
            settings.seed + member,
            checkpoints,
            say,
        )
        for member in range(settings.members)
    ]
    step = AttentionTreeStep(trees, tuple(network.frozen() for network in networks), Mixture())
    mixture = fitted_mixture(step, held_out, most=settings.most)
    say(f"mixture: {mixture.usual:.3f} {mixture.sure:+.3f} × log-odds of the trees")
    if held_out:
        say(f"surprise: {surprises(replace(step, mixture=mixture), held_out)}")
    parts = {f"network-{place}.npz": npz_part(halved(n.arrays())) for place, n in enumerate(networks)}
    parts["mixture.npz"] = npz_part({name: np.array(value) for name, value in mixture._asdict().items()})
    known_as = {**asdict(settings), FEATURES_SETTING: FEATURES_VERSION}
    return Model(
        ModelKind.PUT_OR_SKIP,
        "attention",
        {**boosted.parts, **parts},
        known_as,
        boosted.data_hash,
        boosted.commit,
    )


def _trained(
    documents: Sequence[Shown],
    trees: BoostedTreeStep,
    settings: AttentivePutOrSkip,
    seed: int,
    checkpoints: Path | None,
    say: Say,
) -> AttentionNetwork:
    """One network, from its checkpoint on where it has one."""
    learnt = [each for each in documents if 1 < len(each[0].headings) <= settings.longest]
    known = [each[0] for each in learnt]
    weight = rarity(known, settings.balance)
    torch.manual_seed(seed)
    network = AttentionNetwork(
        settings.shape,
        usual_of(known, settings),
        dropout=settings.dropout,
        rows_hidden=settings.rows_hidden,
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    stored = None if checkpoints is None else checkpoints / f"network-{seed}.pt"
    started = _restored(stored, network, optimiser)
    steps = math.ceil(len(learnt) / settings.batch)
    for epoch in range(started, settings.epochs):
        begun = time.process_time()
        torch.manual_seed(_EPOCH_SEEDS * seed + epoch)  # what is hidden follows from the epoch alone
        order = list(learnt)
        random.Random(f"{seed}/{epoch}").shuffle(order)
        late = 2 * epoch >= settings.epochs
        visits = _visitor(network, trees, settings, f"{seed}/{epoch}", late=late)
        losses = []
        network.train()
        for number in range(steps):
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * _schedule(epoch * steps + number, settings.epochs * steps)
            batch = order[number * settings.batch : (number + 1) * settings.batch]
            losses += _step(network, optimiser, batch, visits, weight)
        say(f"seed {seed}, epoch {epoch + 1}: {np.mean(losses):.4f}, {time.process_time() - begun:.0f} s")
        _store(stored, network, optimiser, epoch + 1)
    network.eval()
    return network


def _step(
    network: AttentionNetwork,
    optimiser: torch.optim.Optimizer,
    batch: Sequence[Shown],
    visits: Callable[[Shown], Visit | None],
    weight: Mapping[str, float],
) -> list[float]:
    """One step down the gradient of some documents; the mean loss of each."""
    losses = []
    optimiser.zero_grad()
    for shown in batch:
        visit = visits(shown)
        if visit is None:
            continue
        each = _losses(network, visit)
        loss = (each * visit.weights).sum() * weight[shown[0].domain] / 100
        loss.backward()  # type: ignore[no-untyped-call]
        losses.append(float(each.detach().mean()))
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    return losses


def _losses(network: AttentionNetwork, visit: Visit) -> Tensor:
    encoded = network.encodings(visit.outline, windows_of(visit.outline))
    obj, parent, sibling = (
        torch.from_numpy(np.ascontiguousarray(rows))
        for rows in (visit.at.obj, visit.at.nodes["parent"], visit.at.nodes["last"])
    )
    scores = network(encoded, obj, parent, sibling, visit.rows)
    return stretch_losses(scores, visit.right, torch.from_numpy(visit.at.counts))


def _visitor(
    network: AttentionNetwork,
    trees: BoostedTreeStep,
    settings: AttentivePutOrSkip,
    salt: str,
    *,
    late: bool,
) -> Callable[[Shown], Visit | None]:
    """What makes a visit of a document in an epoch."""
    frozen = network.frozen()  # its errors are those of the epoch's beginning
    step = AttentionTreeStep(trees, (frozen,), _NETWORK_ALONE)

    def visit(shown: Shown) -> Visit | None:
        known, headings = shown
        rng = random.Random(f"{salt}/{known.id}/{known.clothed}")
        noise = Noise(settings.misplaced, settings.dropped, settings.false)
        lesson = _lesson(noise if rng.random() < _NOISY else Noise(), settings)
        if headings and rng.random() < settings.found_share:
            lesson = _lesson(Noise(misplaced=settings.misplaced), settings)
        else:
            headings = known.headings
        if late and rng.random() < settings.own_errors:
            found = _own_errors(known, headings, step, lesson, rng)
        else:
            found = taught(known, headings, lesson, rng)
        return None if found is None else _visit(known, found)

    return visit


def _own_errors(
    known: Known, headings: Sequence[int], step: AttentionTreeStep, lesson: Lesson, rng: random.Random
) -> Taught | None:
    """What a document teaches after the errors that the network itself makes in it."""
    state = rng.getstate()
    first = taught(known, headings, lesson, rng)
    if first is None:
        return None
    scorer = step.scorer_of([heading_features(known.table, first.shown)])
    parents = build(first.shown, scorer, Strategy(normalise=True)).tree.parents()

    def misplace(example: Example, drawn: random.Random) -> int:
        position = example.tree.position_under(parents[example.obj])
        return anywhere_else(example, drawn) if position is None else position

    rng.setstate(state)  # the same headings are shown again
    always = _with_noise(lesson, Noise(1.0, lesson.noise.dropped, lesson.noise.false))
    return taught(known, headings, always, rng, misplace=misplace)


def _visit(known: Known, found: Taught) -> Visit:
    outline = heading_features(known.table, found.shown)
    outlines = PositionFeatures([outline])
    at = outlines.positions([Question.about(0, example.tree, example.obj) for example in found.examples])
    right = at.starts + np.array([example.right for example in found.examples])
    return Visit(
        outline, at, outlines.features_at(at), torch.from_numpy(right), torch.from_numpy(found.weights)
    )


def usual_of(documents: Sequence[Known], settings: AttentivePutOrSkip) -> Usual:
    """What is usual of headings and positions, over some of the documents."""
    sampled = random.Random(0).sample(list(documents), min(_SAMPLED, len(documents)))
    own, rows = [], []
    for known in sampled:
        found = taught(known, known.headings, _lesson(Noise(), settings), random.Random(0))
        if found is not None:
            visit = _visit(known, found)
            own.append(visit.outline.own)
            rows.append(visit.rows[::_ROWS_SAMPLED])
    all_own, all_rows = np.concatenate(own), np.concatenate(rows)
    return Usual(
        all_own.mean(axis=0),
        all_own.std(axis=0) + np.float32(_SCALE_AT_LEAST),
        all_rows.mean(axis=0),
        all_rows.std(axis=0) + np.float32(_SCALE_AT_LEAST),
    )


def fitted_mixture(step: AttentionTreeStep, documents: Sequence[Known], *, most: float = 1.0) -> Mixture:
    """The mixture that makes the right positions likeliest in documents that neither judge has seen."""
    # Two numbers, and a smooth surface: a grid is enough, and cannot run away.
    every = [Mixture(float(usual), float(sure)) for usual, sure in product(_USUAL_GRID, _SURE_GRID)]
    grid = [mixture for mixture in every if mixture.weights(_EVEN)[0] <= most]
    if not documents:
        return max(grid, key=lambda mixture: (mixture.usual, -abs(mixture.sure)))
    trees, network, counts, right = _both_judges(step, documents)
    starts = np.cumsum(counts) - counts
    places = starts + right

    def surprise(mixture: Mixture) -> float:
        return float(-np.log(np.maximum(mixture.mix(trees, network, counts)[places], _LEAST)).mean())

    return min(grid, key=surprise)


def surprises(step: AttentionTreeStep, documents: Sequence[Known]) -> dict[str, float]:
    """The mean surprise at the right positions of the trees, of the networks, and of both."""
    trees, network, counts, right = _both_judges(step, documents)
    places = np.cumsum(counts) - counts + right
    judges = {"trees": trees, "networks": network, "both": step.mixture.mix(trees, network, counts)}
    return {name: float(-np.log(np.maximum(p[places], _LEAST)).mean()) for name, p in judges.items()}


def _both_judges(
    step: AttentionTreeStep, documents: Sequence[Known]
) -> tuple[Floats, Floats, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The probabilities of all positions by both judges, how many compete, and which are right."""
    trees: list[Floats] = []
    network: list[Floats] = []
    counts, right = [], []
    for known in documents:
        found = taught(known, known.headings, _PLAIN, random.Random(0))
        if found is None:
            continue
        scorer = step.scorer_of([heading_features(known.table, found.shown)])
        at = scorer.features.positions(
            [Question.about(0, example.tree, example.obj) for example in found.examples]
        )
        for kept, judged in zip((trees, network), scorer.both_probabilities(at), strict=True):
            kept.append(judged)
        counts.append(at.counts)
        right.append([example.right for example in found.examples])
    return np.concatenate(trees), np.concatenate(network), np.concatenate(counts), np.concatenate(right)


_PLAIN = Lesson(Noise(), power=0.0, unlisted=0.0, balance=0.0, astray=False, seed=0)


def _lesson(noise: Noise, settings: AttentivePutOrSkip) -> Lesson:
    return Lesson(noise, settings.power, settings.unlisted, settings.balance, settings.astray, settings.seed)


def _with_noise(lesson: Lesson, noise: Noise) -> Lesson:
    return Lesson(noise, lesson.power, lesson.unlisted, lesson.balance, lesson.astray, lesson.seed)


def _schedule(step: int, steps: int) -> float:
    """The share of the highest rate: it rises over the first steps and falls like a cosine."""
    rise = min(1.0, (step + 1) / _RISE_STEPS)
    fall = 0.5 * (1 + math.cos(math.pi * step / max(1, steps)))
    return rise * max(_LEAST_SHARE, fall)


def _restored(path: Path | None, network: AttentionNetwork, optimiser: torch.optim.Optimizer) -> int:
    """The epoch to go on from."""
    if path is None or not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    network.load_state_dict(state["network"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["epoch"])


def _store(
    path: Path | None, network: AttentionNetwork, optimiser: torch.optim.Optimizer, epoch: int
) -> None:
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    torch.save(
        {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "epoch": epoch}, unfinished
    )
    unfinished.replace(path)
