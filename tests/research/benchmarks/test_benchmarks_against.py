from research.benchmarks.against import compare_sides


def test_the_cheapest_turn_of_each_side_counts() -> None:
    found = compare_sides([{"a": 2.0}, {"a": 1.0}], [{"a": 1.2}, {"a": 1.5}])
    assert found["ratio"] == 1.2


def test_long_documents_weigh_as_much_as_they_cost() -> None:
    found = compare_sides([{"long": 9.0, "short": 1.0}], [{"long": 9.0, "short": 2.0}])
    assert found["ratio"] == 1.1
