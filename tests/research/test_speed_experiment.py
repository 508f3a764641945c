import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "training"))

from research.speed.run import compare, synthetic_document

from held.hierarchy.pipeline import tree_step
from held.models.store import ModelKind
from held.paper.network_models import PutOrSkipNetwork
from tests.training.small_corpus import untrained


def test_the_papers_way_and_ours_build_the_same_trees() -> None:
    network = PutOrSkipNetwork(untrained(ModelKind.PUT_OR_SKIP))
    cases = [synthetic_document(seed, headings=12, objects=40) for seed in range(3)]
    found = compare(network, tree_step("base"), cases, repeats=1)
    assert found["same trees"]
    assert (found["headings"], found["objects"], found["documents"]) == (36, 120, 3)
