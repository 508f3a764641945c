"""Advancing many searches together, so that one call of the scorer serves all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from held.errors import UsageError
from held.hierarchy.insertion.scorer import Question, Scorer
from held.hierarchy.insertion.search import Answers, Found, Search


def advance_together(searches: Iterable[Search], scorer: Scorer, *, together: int) -> list[Found]:
    """What each search finds, in order; when one ends the next takes its place."""
    if together < 1:
        raise UsageError(f"{together} documents cannot be advanced together", advice="give 1 or more")
    waiting = enumerate(searches)
    live: dict[int, tuple[Search, list[Question]]] = {}
    found: dict[int, Found] = {}

    def advance(index: int, search: Search, answers: Answers | None) -> None:
        try:
            live[index] = search, next(search) if answers is None else search.send(answers)
        except StopIteration as end:
            live.pop(index, None)
            found[index] = end.value

    while True:
        while len(live) < together and (new := next(waiting, None)) is not None:
            advance(*new, None)
        if not live:
            return [found[index] for index in sorted(found)]
        answers = _ask(scorer, [question for _, questions in live.values() for question in questions])
        start = 0
        for index, (search, questions) in list(live.items()):
            advance(index, search, answers[start : start + len(questions)])
            start += len(questions)


def _ask(scorer: Scorer, questions: list[Question]) -> Answers:
    """The scorer's answers, one probability for each position."""
    answers = scorer.score(questions)
    if [len(answer) for answer in answers] != [len(question.positions) for question in questions]:
        raise ValueError("the scorer must give one probability for each position of each question")
    if any(math.isnan(sum(answer)) for answer in answers):
        raise ValueError("the scorer gave a probability that is not a number")
    return answers
