"""Trainer of preset `attention`: boosted trees, networks beside them, and the mixture of both.

A network sees all documents in every epoch, in trees with errors that are drawn anew: random ones and, in
the second half of its training, those that it makes itself. All randomness follows from the seed, the epoch
and the document, so that an interrupted run continues to the same weights. The heading step of this preset
is that of `boosted`. The mixture is fitted on split valid.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from held.corpus.store import data_hash, labelled_documents
from held.errors import UsageError
from held.headings.columns import Floats
from held.headings.object_features import FEATURES_VERSION
from held.hierarchy.attention import Shape
from held.hierarchy.heading_features import HeadingFeatures, heading_features
from held.hierarchy.insertion import Strategy, build
from held.hierarchy.insertion.oracle import Example, Noise, anywhere_else
from held.hierarchy.position_features import PositionFeatures, Positions
from held.hierarchy.scorers import AttentionTreeStep, BoostedTreeStep, Mixture, boosted_tree_step
from held.models.store import FEATURES_SETTING, Model, ModelKind, npz_part
from held.training.attention_network import (
    AttentionNetwork,
    FeatureScales,
    attention_windows,
    segment_losses,
    to_half_precision,
)
from held.training.boosted_data import (
    DocumentHeadings,
    Documents,
    ExampleOptions,
    Headings,
    PositionExamples,
    TrainingDocument,
    position_examples,
    training_document,
)
from held.training.boosted_trainer import (
    BoostedPutOrSkip,
    Log,
    find_headings_for_training,
    prepare_documents,
    train_put_or_skip,
    valid_documents,
)
from held.training.settings import settings_for
from held.training.trainers import TrainingRequest, current_commit, domain_weights
from held.training.validation import put_or_skip_scores

_NETWORK_ALONE = Mixture(usual=30.0)
_MIN_SCALE = 0.01  # of a feature that hardly varies
_EVEN = np.array([0.5], np.float32)  # the trees' probability where they are in doubt
_MIN_PROBABILITY = 1e-6  # so that its logarithm is finite
_SCALE_DOCUMENTS = 400  # documents that the scales of features are estimated from
_SCALE_EVERY_ROW = 7  # one in so many of their positions is used
_EPOCH_SEED_STEP = 10_000  # so that no two epochs of any two seeds draw alike
_NOISY_SHARE = 0.6  # of the samples; the others show the true tree, which would otherwise never be seen whole
_WARM_UP_STEPS = 50
_MIN_RATE_SHARE = 0.02  # of the highest rate, so that the last steps still learn
_REFERENCE_WEIGHT = 100  # the loss of a document is divided by it
_USUAL_GRID = np.arange(-4, 3.1, 0.5)
_SURE_GRID = np.arange(-0.8, 0.01, 0.1)  # negative: where the trees are sure, the networks count less


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionPutOrSkip(BoostedPutOrSkip):
    """The tree step of preset `attention`: its boosted trees and its networks.

    members       networks, with consecutive seeds
    epochs        how often each network sees the documents
    rate          the highest learning rate, after a warm-up; it then falls to the end
    batch         documents per step
    rows_hidden   how often the features of pairs are hidden from the network
    found_share   how often a document is shown with the headings that a heading step finds
    own_errors    the share of documents, in the second half, with errors of the network itself
    most          the largest weight of the networks where the trees are in doubt: on kinds of documents that
                  neither was trained on, networks err more than trees, whatever the valid split suggests
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
        """The dimensions of a network."""
        return Shape(self.width, self.heads, self.layers, self.between, self.scorer)


class Sample(NamedTuple):
    """A document as the network sees it once: headings, positions, and which positions are right."""

    outline: HeadingFeatures
    at: Positions
    rows: Floats
    right: Tensor  # the index of the right position of each example
    weights: Tensor


Sampler = Callable[[DocumentHeadings], Sample | None]
Indices = NDArray[np.int64]


def train(request: TrainingRequest) -> Model:
    """Trains the requested model and scores it on split valid."""

    def log(message: str) -> None:
        request.log({"doing": message})

    if request.kind is not ModelKind.PUT_OR_SKIP:
        raise UsageError("preset attention has no model for headings", advice="use that of preset boosted")
    if request.start is not None:
        raise UsageError("preset attention starts from no model", advice="fine-tune preset boosted")
    settings = settings_for(
        AttentionPutOrSkip,
        "put-or-skip",
        preset=request.preset,
        config=request.config,
        changes=request.changes,
    )
    train_documents = labelled_documents(request.data, splits=["train"])
    documents = prepare_documents(train_documents, augmented=settings.augmented, seed=settings.seed, log=log)
    found = find_headings_for_training(documents, settings, log)
    boosted = train_put_or_skip(
        documents,
        settings,
        found=found,
        data_hash=data_hash(request.data),
        commit=current_commit(),
        log=log,
    )
    valid = valid_documents(request)
    model = train_attention(
        documents,
        boosted,
        settings,
        found=found,
        held_out=[training_document(labelled) for labelled in valid],
        checkpoints=request.checkpoints,
        log=log,
    )
    scores = put_or_skip_scores(model, valid, strategy=Strategy(normalise=True))
    return replace(model, scores=scores)


def train_attention(
    documents: Documents,
    boosted: Model,
    settings: AttentionPutOrSkip,
    *,
    found: Sequence[Headings] = (),
    held_out: Documents = (),
    checkpoints: Path | None = None,
    log: Log = print,
) -> Model:
    """Adds networks to a boosted tree step.

    `found` are the headings that a heading step finds in each document; the mixture is fitted on `held_out`.
    """
    torch.set_num_threads(settings.threads)
    trees = boosted_tree_step(boosted)
    pairs = list(zip(documents, found or [()] * len(documents), strict=True))
    networks = []
    for member in range(settings.members):
        seed = settings.seed + member
        networks.append(_train_network(pairs, trees, settings, seed, checkpoints, log))
    step = AttentionTreeStep(trees, tuple(network.to_numpy() for network in networks), Mixture())
    mixture = fit_mixture(step, held_out, most=settings.most)
    log(f"mixture: {mixture.usual:.3f} {mixture.sure:+.3f} × log-odds of the trees")
    if held_out:
        log(f"cross-entropy: {cross_entropies(replace(step, mixture=mixture), held_out)}")
    parts = dict(boosted.parts)
    for member, network in enumerate(networks):
        parts[f"network-{member}.npz"] = npz_part(to_half_precision(network.arrays()))
    parts["mixture.npz"] = npz_part({name: np.array(value) for name, value in mixture._asdict().items()})
    all_settings = {**asdict(settings), FEATURES_SETTING: FEATURES_VERSION}
    kind = ModelKind.PUT_OR_SKIP
    return Model(kind, "attention", parts, all_settings, boosted.data_hash, boosted.commit)


def _train_network(
    documents: Sequence[DocumentHeadings],
    trees: BoostedTreeStep,
    settings: AttentionPutOrSkip,
    seed: int,
    checkpoints: Path | None,
    log: Log,
) -> AttentionNetwork:
    """Trains one network, continuing from its checkpoint if there is one."""
    pairs = [pair for pair in documents if 1 < len(pair[0].headings) <= settings.longest]
    learnt = [document for document, _ in pairs]
    weights = domain_weights(learnt, settings.balance)
    torch.manual_seed(seed)
    network = AttentionNetwork(
        settings.shape,
        feature_scales(learnt, settings),
        dropout=settings.dropout,
        rows_hidden=settings.rows_hidden,
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    checkpoint = None if checkpoints is None else checkpoints / f"network-{seed}.pt"
    first_epoch = _load_checkpoint(checkpoint, network, optimiser)
    steps = math.ceil(len(pairs) / settings.batch)
    for epoch in range(first_epoch, settings.epochs):
        start = time.process_time()
        torch.manual_seed(_EPOCH_SEED_STEP * seed + epoch)  # dropout follows from the epoch alone
        order = list(pairs)
        random.Random(f"{seed}/{epoch}").shuffle(order)
        in_second_half = 2 * epoch >= settings.epochs
        sampler = _sampler(network, trees, settings, f"{seed}/{epoch}", own_errors=in_second_half)
        losses = []
        network.train()
        for step in range(steps):
            share = _rate_share(epoch * steps + step, settings.epochs * steps)
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * share
            batch = order[step * settings.batch : (step + 1) * settings.batch]
            losses += _train_step(network, optimiser, batch, sampler, weights)
        seconds = time.process_time() - start
        log(f"seed {seed}, epoch {epoch + 1}: {np.mean(losses):.4f}, {seconds:.0f} s")
        _save_checkpoint(checkpoint, network, optimiser, epoch + 1)
    network.eval()
    return network


def _train_step(
    network: AttentionNetwork,
    optimiser: torch.optim.Optimizer,
    batch: Sequence[DocumentHeadings],
    sampler: Sampler,
    weights: Mapping[str, float],
) -> list[float]:
    """One optimiser step over a batch; returns the mean loss of each document."""
    mean_losses = []
    optimiser.zero_grad()
    for document, headings in batch:
        sample = sampler((document, headings))
        if sample is None:
            continue
        losses = _losses(network, sample)
        loss = (losses * sample.weights).sum() * weights[document.domain] / _REFERENCE_WEIGHT
        loss.backward()  # type: ignore[no-untyped-call]
        mean_losses.append(float(losses.detach().mean()))
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    return mean_losses


def _losses(network: AttentionNetwork, sample: Sample) -> Tensor:
    encoded = network.encodings(sample.outline, attention_windows(sample.outline))
    at = sample.at
    arrays = (at.obj, at.nodes["parent"], at.nodes["last"])
    obj, parent, sibling = (torch.from_numpy(np.ascontiguousarray(array)) for array in arrays)
    scores = network(encoded, obj, parent, sibling, sample.rows)
    return segment_losses(scores, sample.right, torch.from_numpy(at.counts))


def _sampler(
    network: AttentionNetwork,
    trees: BoostedTreeStep,
    settings: AttentionPutOrSkip,
    salt: str,
    *,
    own_errors: bool,
) -> Sampler:
    """A function that draws the sample of a document for an epoch."""
    # The network's own errors are those of the beginning of the epoch.
    step = AttentionTreeStep(trees, (network.to_numpy(),), _NETWORK_ALONE)

    def draw(pair: DocumentHeadings) -> Sample | None:
        document, headings = pair
        rng = random.Random(f"{salt}/{document.id}/{document.restyled}")
        noise = Noise(settings.misplaced, settings.dropped, settings.false)
        if rng.random() >= _NOISY_SHARE:
            noise = Noise()
        if headings and rng.random() < settings.found_share:
            noise = Noise(misplaced=settings.misplaced)
        else:
            headings = document.headings
        options = _example_options(noise, settings)
        if own_errors and rng.random() < settings.own_errors:
            found = _examples_after_own_errors(document, headings, step, options, rng)
        else:
            found = position_examples(document, headings, options, rng)
        return None if found is None else _sample(document, found)

    return draw


def _examples_after_own_errors(
    document: TrainingDocument,
    headings: Headings,
    step: AttentionTreeStep,
    options: ExampleOptions,
    rng: random.Random,
) -> PositionExamples | None:
    """The examples of a document whose earlier headings are where the network itself puts them."""
    state = rng.getstate()
    first = position_examples(document, headings, options, rng)
    if first is None:
        return None
    scorer = step.scorer_of([heading_features(document.table, first.headings)])
    parents = build(first.headings, scorer, Strategy(normalise=True)).tree.parents()

    def misplace(example: Example, rng: random.Random) -> int:
        position = example.tree.position_under(parents[example.obj])
        return anywhere_else(example, rng) if position is None else position

    rng.setstate(state)  # so that the same headings are dropped and added again
    always = replace(options, noise=Noise(1.0, options.noise.dropped, options.noise.false))
    return position_examples(document, headings, always, rng, misplace=misplace)


def _sample(document: TrainingDocument, found: PositionExamples) -> Sample:
    outline = heading_features(document.table, found.headings)
    features = PositionFeatures([outline])
    at = features.positions(found.questions())
    right = at.starts + np.array([example.right for example in found.examples])
    rows = features.features_at(at)
    return Sample(outline, at, rows, torch.from_numpy(right), torch.from_numpy(found.weights))


def feature_scales(documents: Documents, settings: AttentionPutOrSkip) -> FeatureScales:
    """Mean and deviation of the features of headings and positions, over some of the documents."""
    sampled = random.Random(0).sample(list(documents), min(_SCALE_DOCUMENTS, len(documents)))
    options = _example_options(Noise(), settings)
    own, rows = [], []
    for document in sampled:
        found = position_examples(document, document.headings, options, random.Random(0))
        if found is not None:
            sample = _sample(document, found)
            own.append(sample.outline.own)
            rows.append(sample.rows[::_SCALE_EVERY_ROW])
    all_own, all_rows = np.concatenate(own), np.concatenate(rows)
    return FeatureScales(
        all_own.mean(axis=0),
        all_own.std(axis=0) + np.float32(_MIN_SCALE),
        all_rows.mean(axis=0),
        all_rows.std(axis=0) + np.float32(_MIN_SCALE),
    )


def fit_mixture(step: AttentionTreeStep, documents: Documents, *, most: float = 1.0) -> Mixture:
    """The mixture with the least cross-entropy on documents that neither model was trained on."""
    # Two parameters and a smooth surface: a grid is enough, and cannot diverge.
    every = [Mixture(float(usual), float(sure)) for usual, sure in product(_USUAL_GRID, _SURE_GRID)]
    grid = [mixture for mixture in every if mixture.weights(_EVEN)[0] <= most]
    if not documents:
        return max(grid, key=lambda mixture: (mixture.usual, -abs(mixture.sure)))
    trees, network, counts, right = _both_probabilities(step, documents)
    return min(grid, key=lambda mixture: _cross_entropy(mixture.mix(trees, network, counts), right))


def cross_entropies(step: AttentionTreeStep, documents: Documents) -> dict[str, float]:
    """The cross-entropy of the trees, of the networks, and of both."""
    trees, network, counts, right = _both_probabilities(step, documents)
    both = step.mixture.mix(trees, network, counts)
    scorers = {"trees": trees, "networks": network, "both": both}
    return {name: _cross_entropy(probabilities, right) for name, probabilities in scorers.items()}


def _cross_entropy(probabilities: Floats, right: Indices) -> float:
    return float(-np.log(np.maximum(probabilities[right], _MIN_PROBABILITY)).mean())


def _both_probabilities(
    step: AttentionTreeStep, documents: Documents
) -> tuple[Floats, Floats, Indices, Indices]:
    """The probabilities of all positions by trees and networks, how many compete, and the right ones."""
    trees: list[Floats] = []
    network: list[Floats] = []
    all_counts, all_right = [], []
    for document in documents:
        found = position_examples(document, document.headings, _PLAIN, random.Random(0))
        if found is None:
            continue
        scorer = step.scorer_of([heading_features(document.table, found.headings)])
        at = scorer.features.positions(found.questions())
        by_trees, by_network = scorer.both_probabilities(at)
        trees.append(by_trees)
        network.append(by_network)
        all_counts.append(at.counts)
        all_right.append([example.right for example in found.examples])
    counts = np.concatenate(all_counts)
    starts = np.cumsum(counts) - counts
    return np.concatenate(trees), np.concatenate(network), counts, starts + np.concatenate(all_right)


_PLAIN = ExampleOptions(Noise(), power=0.0, unlisted=0.0, balance=0.0, astray=False, seed=0)


def _example_options(noise: Noise, settings: AttentionPutOrSkip) -> ExampleOptions:
    return ExampleOptions(
        noise, settings.power, settings.unlisted, settings.balance, settings.astray, settings.seed
    )


def _rate_share(step: int, steps: int) -> float:
    """The share of the highest learning rate: a linear warm-up, then a cosine decay."""
    rise = min(1.0, (step + 1) / _WARM_UP_STEPS)
    fall = 0.5 * (1 + math.cos(math.pi * step / max(1, steps)))
    return rise * max(_MIN_RATE_SHARE, fall)


def _load_checkpoint(path: Path | None, network: AttentionNetwork, optimiser: torch.optim.Optimizer) -> int:
    """Restores network and optimiser, and returns the epoch to continue with."""
    if path is None or not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    network.load_state_dict(state["network"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["epoch"])


def _save_checkpoint(
    path: Path | None, network: AttentionNetwork, optimiser: torch.optim.Optimizer, epoch: int
) -> None:
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "epoch": epoch}
    torch.save(state, unfinished)
    unfinished.replace(path)  # atomic: a killed run leaves the previous checkpoint whole
