import gc
from collections.abc import Iterator

import pytest

from held.system.limits import pause_gc


@pytest.fixture(autouse=True)
def _thawed_collector() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_values_made_in_a_pause_are_not_collected_as_young_ones() -> None:
    gc.collect()
    with pause_gc():
        values = [[] for _ in range(100_000)]  # type: ignore[var-annotated]
    assert gc.isenabled()
    young, *_ = gc.get_count()
    assert young < len(values) // 10


def test_a_pause_leaves_what_the_caller_has_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with pause_gc():
        pass
    assert gc.get_freeze_count() == frozen > 0


def test_a_pause_within_a_pause_stays_one() -> None:
    with pause_gc():
        with pause_gc():
            pass
        assert not gc.isenabled()
