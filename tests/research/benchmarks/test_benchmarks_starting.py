from collections.abc import Callable

from research.benchmarks.starting import in_turns


def version(name: str, costs: list[float], started: list[str]) -> Callable[[], float]:
    def start() -> float:
        started.append(name)
        return costs.pop(0)

    return start


def test_versions_are_started_in_turns_and_their_first_start_does_not_count() -> None:
    started: list[str] = []
    before = version("before", [0.1, 0.9, 0.5, 0.7], started)
    now = version("now", [0.1, 0.4, 0.3, 0.2], started)
    found = in_turns({"before": before, "now": now}, rounds=3)
    assert started == ["before", "now"] * 4
    assert found["before"] == {"cpu_seconds": 0.5, "median": 0.7}
    assert found["now"] == {"cpu_seconds": 0.2, "median": 0.3}
