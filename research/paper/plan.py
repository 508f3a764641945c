"""The plan of the experiments, read from TOML files: models to train, rows to measure.

A row of a table is a method with its model, order and beam, and the source of its headings. A table of
models.toml describes several models: one for each domain, trained only on its documents, and one for each
seed. The quick version has the same rows with little training and few documents: it shows that all runs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
QUESTIONS = tuple(f"rq{number}" for number in range(1, 8))
DOMAINS = ("zh_fin", "en_fin", "science", "manuals", "word", "reports", "books", "made")

HEADING_NETWORK = "heading-alone"
"""The paper's heading networks: rows whose headings are `network` get theirs."""
NETWORK_HEADINGS = "network"

_NO_NETWORKS = frozenset({"embeddings", "pembe"})
_ORDER = "order"  # the names of models, tables or variants, that queue.py trains one after another
_CHOICE = "learnt"  # the table with the choice of what is learnt from, the same for every method
QUICK_BATCHES = 40
_QUICK = ("sample=1.0", "valid_documents=4", "evaluate_every=1000")


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A model to train: one call of `held train`.

    `table` is what it is called in models.toml; `domain` the one whose documents alone it is trained on.
    """

    name: str
    kind: str
    preset: str = "paper"
    batches: int = 0
    patience: int = 1000  # evaluations without gain that end the training before its batches
    changes: tuple[str, ...] = ()
    seconds: float = 0.0  # of one core, as measured once: for the estimate alone
    table: str = ""
    domain: str = ""
    seed: int = 0

    @property
    def is_network(self) -> bool:
        """Whether it is trained batch by batch, from embeddings of characters."""
        return self.preset == "paper" and self.kind not in _NO_NETWORKS

    @property
    def characters(self) -> str:
        """The name of the embeddings that it starts from."""
        return variant_name("characters-alone", self.domain)

    def identity(self) -> dict[str, Any]:
        """The settings that identify the model, without the length of its training."""
        return {
            "kind": self.kind,
            "preset": self.preset,
            "set": list(self.changes),
            "domain": self.domain,
            "seed": self.seed,
            "patience": self.patience,
        }

    def with_budget(self, share: float) -> ModelPlan:
        """The same model with a share of the batches; a model without batches stays as it is."""
        if not self.is_network:
            return self
        return replace(self, batches=round(share * self.batches), seconds=share * self.seconds)

    def in_float32(self) -> ModelPlan:
        """The same model with products in 32 bits: faster where the processor has none in bfloat16."""
        changes = (change.replace("bfloat16=true", "bfloat16=false") for change in self.changes)
        return replace(self, changes=tuple(changes))

    def reduced(self) -> ModelPlan:
        """The same model with very little training."""
        if self.kind == "pembe":
            return self
        if self.kind == "embeddings":
            return replace(self, changes=("pairs=200000",), seconds=10.0)
        names = {change.partition("=")[0] for change in _QUICK}
        kept = tuple(change for change in self.changes if change.partition("=")[0] not in names)
        seconds = 15.0 + QUICK_BATCHES / max(1, self.batches) * self.seconds
        return replace(self, batches=QUICK_BATCHES, changes=(*kept, *_QUICK), seconds=seconds)


@dataclass(frozen=True, slots=True)
class RowPlan:
    """A row of a table, measured with all models that `model`, a table of models.toml, stands for.

    What is asked `one_by_one` makes a call of each inquiry, as the paper's program does: what that costs, one
    seed tells.
    """

    name: str
    method: str
    headings: str
    model: str | None = None
    order: str = "ta"
    beam: int = 1
    search: str = "insertion"  # see search.py
    one_by_one: bool = False

    def variants(self, plans: Mapping[str, ModelPlan]) -> list[ModelPlan]:
        """The models that it is measured with; none for a method without a model of its own."""
        own = (plan for plan in plans.values() if plan.table == self.model)
        return [plan for plan in own if not (self.one_by_one and plan.seed)]


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """One of the research questions: its rows, and the paper's own figures by row and domain.

    `levels` has the paper's F1 by level, from level 1 on, by domain and row. `domains` is what is measured
    where that is not all, `quick` the least accuracy of a row over all documents of a quick run.
    """

    name: str
    title: str
    asks: str
    rows: tuple[RowPlan, ...]
    paper: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    levels: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    domains: tuple[str, ...] = ()
    quick: Mapping[str, float] = field(default_factory=dict)

    def models(self, plans: Mapping[str, ModelPlan]) -> list[str]:
        """The names of the models that the rows need, in the order of their training."""
        wanted = {row.model for row in self.rows if row.model}
        wanted |= {HEADING_NETWORK for row in self.rows if row.headings == NETWORK_HEADINGS}
        return [name for name, plan in plans.items() if plan.table in wanted and self.takes(plan)]

    def takes(self, plan: ModelPlan) -> bool:
        """Whether it measures a model of this domain."""
        return not (plan.domain and self.domains) or plan.domain in self.domains


def model_plans() -> dict[str, ModelPlan]:
    """All models by name, those first that others start from."""
    tables = _tables()
    del tables[_ORDER]
    choice = tuple(tables.pop(_CHOICE)["set"])
    return {plan.name: plan for name, table in tables.items() for plan in _models(name, table, choice)}


def training_order() -> list[ModelPlan]:
    """The models in the order of their value: those named first, first; each after its embeddings."""
    plans = model_plans()
    ordered: dict[str, ModelPlan] = {}
    for name in _tables()[_ORDER]:
        chosen = [own for own, plan in plans.items() if name in (own, plan.table)]
        for plan in plans_needed(chosen, plans):
            ordered.setdefault(plan.name, plan)
    return list(ordered.values())


def _tables() -> dict[str, Any]:
    return tomllib.loads((HERE / "models.toml").read_text(encoding="utf-8"))


def quick_plans() -> dict[str, ModelPlan]:
    """All models of the first seed, with very little training."""
    return {name: plan.reduced() for name, plan in model_plans().items() if not plan.seed}


def variant_name(table: str, domain: str = "", seed: int = 0) -> str:
    """The name of one of the models that a table stands for."""
    return table + (f"@{domain}" if domain else "") + (f"+{seed}" if seed else "")


def _models(name: str, table: Mapping[str, Any], choice: tuple[str, ...]) -> Iterator[ModelPlan]:
    """The models that a table stands for: of each domain and each seed."""
    batches = table.get("batches", 0)
    seconds = table.get("seconds", batches * table.get("seconds_per_batch", 0.0))
    chosen = choice if table.get(_CHOICE) else ()
    for seed in range(table.get("seeds", 1)):
        drawn = (f"seed={seed}",) if seed else ()
        for domain in table.get("each", ("",)):
            yield ModelPlan(
                variant_name(name, domain, seed),
                table["kind"],
                table.get("preset", "paper"),
                batches,
                table.get("patience", 1000),
                (*table.get("set", ()), *chosen, *drawn),
                seconds,
                name,
                domain,
                seed,
            )


def question_plan(name: str) -> QuestionPlan:
    """The plan in a question's folder."""
    table = tomllib.loads((HERE.parent / name / "config.toml").read_text(encoding="utf-8"))
    rows = tuple(RowPlan(**row) for row in table["rows"])
    return QuestionPlan(
        name,
        table["title"],
        table["asks"],
        rows,
        table.get("paper", {}),
        table.get("levels", {}),
        tuple(table.get("domains", ())),
        table.get("quick", {}),
    )


def plans_needed(models: Iterable[str], plans: Mapping[str, ModelPlan]) -> Sequence[ModelPlan]:
    """The plans of these models, after those of the embeddings that they start from."""
    wanted = set(models)
    wanted |= {plans[name].characters for name in wanted if plans[name].is_network}
    return [plan for name, plan in plans.items() if name in wanted]
