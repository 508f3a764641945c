"""The mutants of the layout, and what notices them: its tests, and the objects of real documents.

A mutant is a threshold of `held.layout.tolerances` times a factor, or a predicate (a function of
`held.layout` that returns a bool) that always gives the same answer. Each runs in a forked process, which
changes the threshold before anything imports it.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import os
import pickle
import pkgutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from research.mutation.tracking import FACTORS, OPAQUE, RECORDER, Flips, changed_value, tracked

from held.document import Pages

TOLERANCES = "held.layout.tolerances"
LAYOUT = "held.layout"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one threshold (`change` is a factor) or of one predicate (`change` is its only answer)."""

    name: str
    change: float | bool

    @property
    def is_predicate(self) -> bool:
        """Whether a function changes, and not a number."""
        return isinstance(self.change, bool)

    def __str__(self) -> str:
        return f"{self.name} {'is always' if self.is_predicate else 'x'} {self.change}"


class Verdict(NamedTuple):
    """Whether a test or a document notices a mutant, or neither."""

    test: str | None
    document: str | None


def thresholds() -> dict[str, float]:
    """All numbers of the module of tolerances, by name."""
    module = importlib.import_module(TOLERANCES)
    numbers = {name: value for name, value in vars(module).items() if name.isupper()}
    return {
        name: value
        for name, value in numbers.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }


def in_child(work: Callable[[], T]) -> T:
    """Runs `work` in a forked process and returns its result."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        outcome: tuple[bool, Any]
        try:
            outcome = (True, work())
        except BaseException:
            outcome = (False, traceback.format_exc())
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(outcome, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    if not content:
        raise RuntimeError("the mutant's process died")
    outcome = pickle.loads(content)
    if not outcome[0]:
        raise RuntimeError(outcome[1])
    result: T = outcome[1]
    return result


def set_thresholds(values: dict[str, Any]) -> None:
    """Changes thresholds; nothing of the layout but the module of tolerances may be imported before."""
    module = importlib.import_module(TOLERANCES)
    for name, value in values.items():
        setattr(module, name, value)


def forget_layout() -> None:
    """Drops the layout's modules, so that the next import reads the thresholds as they are then."""
    for name in [name for name in sys.modules if name.startswith(f"{LAYOUT}.") and name != TOLERANCES]:
        del sys.modules[name]


def layout_modules() -> list[Any]:
    """All modules of the layout."""
    package = importlib.import_module(LAYOUT)
    names = [found.name for found in pkgutil.walk_packages(package.__path__, f"{LAYOUT}.")]
    return [importlib.import_module(name) for name in names]


def predicates() -> Iterator[tuple[str, Any, str]]:
    """The functions and methods that return a bool: full name, what holds them, name there."""
    for module in layout_modules():
        for name, value in list(vars(module).items()):
            if getattr(value, "__module__", None) != module.__name__:
                continue
            if inspect.isfunction(value) and value.__annotations__.get("return") == "bool":
                yield f"{module.__name__}.{name}", module, name
            elif inspect.isclass(value):
                for method, member in list(vars(value).items()):
                    function = member.fget if isinstance(member, property) else member
                    if inspect.isfunction(function) and function.__annotations__.get("return") == "bool":
                        yield f"{module.__name__}.{name}.{method}", value, method


def replace_everywhere(holder: Any, name: str, function: Any) -> None:
    """Puts a function in another's place, also in the modules that import it by name."""
    original = vars(holder)[name]
    setattr(holder, name, property(function) if isinstance(original, property) else function)
    for module in layout_modules():
        for alias, value in list(vars(module).items()):
            if value is original:
                setattr(module, alias, function)


def record_answers() -> None:
    """Has every predicate record its answers: the mutant with the other answer can matter there."""
    for full_name, holder, name in list(predicates()):
        member = vars(holder)[name]
        function = member.fget if isinstance(member, property) else member
        replace_everywhere(holder, name, _recording(full_name, function))


def _recording(full_name: str, predicate: Any) -> Any:
    def record(*arguments: Any, **options: Any) -> bool:
        answer: bool = predicate(*arguments, **options)
        RECORDER.record(full_name, float(not answer))
        return answer

    return record


def uncomparable_counts() -> set[str]:
    """Counts that the layout uses in slices and ranges, where no comparison shows them."""
    found = set()
    for module in layout_modules():
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            function = node.func if isinstance(node, ast.Call) else None
            is_range = isinstance(function, ast.Name) and function.id in ("range", "islice", "deque")
            if isinstance(node, ast.Slice) or is_range:
                found |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    return found & {name for name, value in thresholds().items() if isinstance(value, int)}


def apply(mutant: Mutant) -> None:
    """Changes this process into the mutant."""
    forget_layout()
    if not mutant.is_predicate:
        value = thresholds()[mutant.name]
        set_thresholds({mutant.name: changed_value(value, mutant.change)})
        return
    for full_name, holder, name in predicates():
        if full_name != mutant.name:
            continue

        def answer(*_: Any, **__: Any) -> bool:
            return bool(mutant.change)

        replace_everywhere(holder, name, answer)


def fingerprint(pages: Pages) -> str:
    """A hash of everything that the layout makes of a document; of its error where it fails."""
    from held.layout.recognise import recognise

    try:
        content = repr(recognise(pages))
    except Exception as error:
        content = f"{type(error).__name__}: {error}"
    return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()


def run_tests(tests: Sequence[str]) -> str | None:
    """The first of the tests that fails, None where all pass."""
    import pytest

    class Failures:
        found: list[str]

        def __init__(self) -> None:
            self.found = []

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed:
                self.found.append(report.nodeid)

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                self.found.append(report.nodeid or "collection")

    failures = Failures()
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
        options = ["-q", "-x", "-p", "no:cacheprovider", "--no-header", *tests]
        pytest.main(options, plugins=[failures])
    return failures.found[0] if failures.found else None


def survey_documents(documents: dict[str, Pages]) -> Flips:
    """For each threshold and factor the documents in which a decision of the layout flips."""

    def survey() -> Flips:
        set_thresholds(tracked(thresholds()))
        record_answers()
        for name, pages in documents.items():
            with RECORDER.subject(name):
                fingerprint(pages)
        return RECORDER.flips

    return in_child(survey)


def survey_tests(folders: Sequence[str]) -> tuple[Flips, set[str]]:
    """The same for tests, and the names of all tests that ran."""

    def survey() -> tuple[Flips, set[str]]:
        import pytest

        ran: set[str] = set()

        class Subjects:
            @pytest.hookimpl(hookwrapper=True)
            def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
                ran.add(item.nodeid)
                with RECORDER.subject(item.nodeid):
                    yield

        set_thresholds(tracked(thresholds()))
        record_answers()
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            pytest.main(["-q", "-p", "no:cacheprovider", *folders], plugins=[Subjects()])
        return RECORDER.flips, ran

    return in_child(survey)


def touched_by(mutant: Mutant, flips: Flips) -> list[str]:
    """The subjects that a mutant can alter, those with the most flips first."""
    found = Counter(flips.get((mutant.name, float(mutant.change))))
    if not mutant.is_predicate:
        found.update(flips.get((mutant.name, OPAQUE), ()))
    return [subject for subject, _ in found.most_common()]


def all_mutants() -> list[Mutant]:
    """Every threshold times every factor, and every predicate with either answer."""
    numbers = [Mutant(name, factor) for name in thresholds() for factor in FACTORS]
    names = in_child(lambda: [name for name, _, _ in predicates()])
    return numbers + [Mutant(name, answer) for name in names for answer in (False, True)]


def judge(
    mutant: Mutant, tests: Sequence[str], documents: dict[str, Pages], original: dict[str, str]
) -> Verdict:
    """Runs a mutant through tests and documents; stops at the first of each that notices."""

    def find_document() -> str | None:
        apply(mutant)
        for name, pages in documents.items():
            if fingerprint(pages) != original[name]:
                return name
        return None

    def find_test() -> str | None:
        apply(mutant)
        return run_tests(tests)

    test = in_child(find_test) if tests else None
    document = in_child(find_document) if documents else None
    return Verdict(test, document)
