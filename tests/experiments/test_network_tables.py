import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "training"))

from experiments.networks.run import STRATEGIES, measure, print_tables
from experiments.speed.run import compare, synthetic_document
from small_corpus import small_document, untrained

from held.models.networks import PutOrSkipNetwork
from held.models.store import ModelKind

LABELLED = tuple(small_document(seed) for seed in range(3))


def test_every_strategy_has_a_row_for_each_domain(capsys: pytest.CaptureFixture[str]) -> None:
    network = PutOrSkipNetwork(untrained(ModelKind.PUT_OR_SKIP))
    found = measure(untrained(ModelKind.HEADINGS), network, LABELLED)
    print_tables(found)
    rows = capsys.readouterr().out.splitlines()
    assert all(sum(row.startswith(f"| {name}, ") for row in rows) >= 2 for name in STRATEGIES)
    assert set(found["headings"]) == {"all", "manuals"}


def test_the_papers_way_and_ours_build_the_same_tree() -> None:
    network = PutOrSkipNetwork(untrained(ModelKind.PUT_OR_SKIP))
    documents = [synthetic_document(seed, headings=12, objects=40) for seed in range(3)]
    found = compare(network, documents, repeats=1)
    assert found["same tree"]
    assert (found["headings"], found["objects"], found["documents together"]) == (12, 40, 3)
