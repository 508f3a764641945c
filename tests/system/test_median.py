import statistics

import pytest

from held.system.median import median


@pytest.mark.parametrize("numbers", [[3.0], [2.0, 1.0], [5.0, 1.0, 2.0], [0.1, 0.7, 0.2, 0.6]])
def test_the_median_is_that_of_the_standard_library(numbers: list[float]) -> None:
    assert median(iter(numbers)) == statistics.median(numbers)
