"""The speed benchmark's sums; its measurements are its own."""

from __future__ import annotations

from research.benchmarks.reading import Cost, rates


def test_rates_are_over_all_pages_and_shares_of_plain_text() -> None:
    costs = [Cost(30, {"plain": 0.1, "whole": 0.5}), Cost(10, {"plain": 0.1, "whole": 0.3})]
    found = rates(costs, ("plain", "whole"))
    assert found["pages_per_cpu_second"] == {"plain": 200.0, "whole": 50.0}
    assert found["ratio_to_plain"] == {"plain": 1.0, "whole": 0.25}
