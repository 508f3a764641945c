"""Learns `data/word_vectors.npz`: a small vector for each common word, so that planes are like aircraft.

    HELD_CORPUS=DIR python -m research.retrieval.meanings LABELLED src/held/retrieval/data/word_vectors.npz

Nobody asks questions about the documents of the corpus, but their headings say in other words what stands
below them, and a few words of a paragraph go with its others. Each such pair is a question with its answer;
the other answers of the same few documents are the wrong ones. Words that both sides share are mostly taken
out of the answer, for `held.retrieval.ranker` counts them already: what is left to learn is which
different words go together. The vector of a text is the sum of those of its words (bag of words).

Only train and valid documents are read, none that is asked about in `own_questions.jsonl` and none whose
filing is among the questions on filings. A word is kept only if many documents have it, so the file holds
no text of any of them.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.arguments import make_parser
from research.result_file import result_text
from research.retrieval.ladder import IN_CORPUS
from research.retrieval.own import corpus_folder, own_questions

from held.corpus.store import labelled_path
from held.retrieval.embeddings import DIMENSIONS, WordVectors, write_word_vectors
from held.retrieval.tokens import stopwords, tokens

LEAST_DOCUMENTS = 20  # that have a word which is kept
MOST_CHINESE = 12_000  # pairs of characters kept, those of most documents: the file must stay small
FEWEST_WORDS = 6  # of a paragraph that is learnt from
LONGEST_HEADING = 12  # words
LONGEST_ANSWER = 200  # words
LONGEST_DOCUMENT = 400  # paragraphs; a longer one is not drawn more often
DOCUMENTS_AT_ONCE, PAIRS_OF_EACH = 8, 48
SHARED_DROPPED = 0.85  # how often words of the question are taken out of the answer
TEMPERATURE = 0.07
RATE, WARM_UP = 0.01, 100

Words = NDArray[np.int64]


class Text(NamedTuple):
    """A heading or paragraph: its words, and its object and that of the heading above it."""

    words: Words
    object: int
    above: int
    is_heading: bool


class Pairs(NamedTuple):
    """What a document teaches: its texts, which are paragraphs, and which heading stands above which."""

    texts: Sequence[Words]
    paragraphs: NDArray[np.int64]
    headings: NDArray[np.int64]
    below: NDArray[np.int64]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    started = time.process_time()
    numbers: dict[str, int] = {}
    documents = [texts for path in learnt_from(options.labelled) if (texts := texts_of(path, numbers))]
    having: Counter[int] = Counter()
    for texts in documents:
        having.update(np.unique(np.concatenate([text.words for text in texts])).tolist())
    words = _choose_words(list(numbers), having)
    number_of = np.full(len(numbers), -1, np.int64)
    number_of[[numbers[word] for word in words]] = np.arange(len(words))
    pairs = [taught for texts in documents if (taught := _pairs(texts, number_of)) is not None]
    counts = np.array([having[numbers[word]] for word in words])
    print(f"{len(documents)} documents, {len(words)} words", file=sys.stderr)
    vectors, right = _learnt(pairs, np.log(len(documents) / counts), options.steps)
    write_word_vectors(WordVectors.from_floats(words, vectors), options.out)
    found = {
        "documents": len(documents),
        "words": len(words),
        "Chinese": sum(map(_is_chinese, words)),
        "headings with a paragraph": sum(len(document.headings) for document in pairs),
        "paragraphs": sum(len(document.paragraphs) for document in pairs),
        "steps": options.steps,
        "right answer first among those of a batch, last steps": round(right, 3),
        "bytes": options.out.stat().st_size,
        "CPU seconds": round(time.process_time() - started),
    }
    print(result_text(found))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.retrieval.meanings")
    parser.add_argument("labelled", type=Path, help="folder that `held corpus build` made")
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=9_000)
    return parser


def learnt_from(labelled: Path) -> Iterator[Path]:
    """The labelled documents that may be learnt from."""
    asked = {question.document for question in own_questions()}
    for line in (corpus_folder() / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        path = labelled_path(labelled, row["id"])
        unseen = row["id"] not in asked and not any(name in row["origin"] for name in IN_CORPUS)
        if unseen and row["split"] in ("train", "valid") and path.is_file():
            yield path


def texts_of(path: Path, numbers: dict[str, int]) -> list[Text]:
    """The texts of a document; words that are new get the next number. Numbers and contents are left out."""
    # Read as plain JSON: the objects themselves are not needed, and building them takes ten times as long.
    value = json.loads(lzma.decompress(path.read_bytes()))
    found = []
    for place, (row, label) in enumerate(zip(value["objects"], value["labels"], strict=True)):
        kind, text = row[:2]
        said = [word for word in tokens(text) if not word[0].isdigit()]
        if said and kind != "contents_entry":
            words = np.array([numbers.setdefault(word, len(numbers)) for word in said])
            found.append(Text(words, place, value["parents"][place], label == "h"))
    return found


def _choose_words(words: Sequence[str], having: Counter[int]) -> list[str]:
    """The words that get a vector."""
    fit = [number for number, word in enumerate(words) if len(word) > 1 and word not in stopwords()]
    fit = [number for number in fit if having[number] >= LEAST_DOCUMENTS]
    chinese = [number for number in fit if _is_chinese(words[number])]
    chinese = sorted(chinese, key=lambda number: -having[number])[:MOST_CHINESE]
    others = [number for number in fit if not _is_chinese(words[number])]
    return sorted(words[number] for number in (*chinese, *others))


def _is_chinese(word: str) -> bool:
    return "\u3400" <= word[0] <= "\ufaff"


def _pairs(texts: Sequence[Text], number_of: Words) -> Pairs | None:
    """What a document teaches; nothing, if it is too short."""
    known = [_word_numbers(text.words, number_of) for text in texts]
    place = {text.object: at for at, text in enumerate(texts)}
    paragraphs, headings, below = [], [], []
    for at, text in enumerate(texts):
        if text.is_heading or len(known[at]) < FEWEST_WORDS:
            continue
        paragraphs.append(at)
        above = place.get(text.above)
        if above is not None and 1 <= len(known[above]) <= LONGEST_HEADING:
            headings.append(above)
            below.append(at)
    if len(paragraphs) < DOCUMENTS_AT_ONCE:
        return None
    return Pairs(known, np.array(paragraphs), np.array(headings, np.int64), np.array(below, np.int64))


def _word_numbers(words: Words, number_of: Words) -> Words:
    known = number_of[words]
    return known[known >= 0]


def _learnt(pairs: Sequence[Pairs], rarity: Any, steps: int) -> tuple[NDArray[np.float32], float]:
    """The vectors, and how often the right answer was nearest over the last tenth of the steps."""
    import torch
    from torch.nn import functional

    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    table = torch.nn.EmbeddingBag(len(rarity), DIMENSIONS, mode="sum")
    with torch.no_grad():
        table.weight.normal_(0, DIMENSIONS**-0.5)
        # A rare word says more, so its vector is longer from the beginning.
        table.weight *= torch.tensor(rarity / rarity.mean(), dtype=torch.float32)[:, None]
    optimiser = torch.optim.Adam(table.parameters())

    def vectors(texts: Sequence[Words]) -> Any:
        starts = np.cumsum([0, *map(len, texts[:-1])])
        found = table(torch.from_numpy(np.concatenate(texts)), torch.from_numpy(starts))
        return functional.normalize(found, dim=1)

    shares = _shares(pairs)
    right: list[float] = []
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = RATE * min(1, (step + 1) / WARM_UP) * (1 - step / steps)
        questions, answers = _batch(pairs, shares, rng)
        likeness = vectors(questions) @ vectors(answers).T / TEMPERATURE
        wanted = torch.arange(len(questions))
        loss = functional.cross_entropy(likeness, wanted)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        right.append(float((likeness.argmax(dim=1) == wanted).float().mean()))
        if (step + 1) % 500 == 0:
            print(f"step {step + 1}: {np.mean(right[-500:]):.3f} right", file=sys.stderr, flush=True)
    return table.weight.detach().numpy(), float(np.mean(right[-steps // 10 :]))


def _batch(pairs: Sequence[Pairs], shares: Any, rng: np.random.Generator) -> tuple[list[Words], list[Words]]:
    """Questions and their answers, from a few documents, so that wrong answers are of the same document."""
    questions: list[Words] = []
    answers: list[Words] = []
    for document in rng.choice(len(pairs), DOCUMENTS_AT_ONCE, p=shares, replace=False):
        for question, answer in _made_questions(pairs[document], rng):
            if rng.random() < SHARED_DROPPED:
                answer = answer[~np.isin(answer, question)]
            if len(answer) >= FEWEST_WORDS // 2:
                questions.append(question)
                answers.append(np.unique(answer))
    return questions, answers


def _shares(pairs: Sequence[Pairs]) -> Any:
    """How often each document is drawn: long ones more often, but not by all of their length."""
    sizes = np.array([min(LONGEST_DOCUMENT, len(document.paragraphs)) for document in pairs]) ** 0.75
    return sizes / sizes.sum()


def _made_questions(document: Pairs, rng: np.random.Generator) -> Iterator[tuple[Words, Words]]:
    """Headings with one paragraph below each, and words out of paragraphs with the rest of them."""
    asked: set[int] = set()
    for at in rng.permutation(len(document.headings)).tolist():
        heading = int(document.headings[at])
        if heading not in asked and len(asked) < PAIRS_OF_EACH // 2:
            asked.add(heading)
            yield document.texts[heading], document.texts[document.below[at]][:LONGEST_ANSWER]
    count = min(PAIRS_OF_EACH - len(asked), len(document.paragraphs))
    for paragraph in rng.choice(document.paragraphs, count, replace=False):
        yield _taken_out(document.texts[paragraph][:LONGEST_ANSWER], rng)


def _taken_out(words: Words, rng: np.random.Generator) -> tuple[Words, Words]:
    """A few words of a paragraph, neighbours or not, and the others."""
    count = min(int(rng.integers(2, 6)), len(words) // 2)
    taken = np.zeros(len(words), bool)
    if rng.random() < 0.5:
        start = int(rng.integers(0, len(words) - count + 1))
        taken[start : start + count] = True
    else:
        taken[rng.choice(len(words), count, replace=False)] = True
    return words[taken], words[~taken]


if __name__ == "__main__":
    raise SystemExit(main())
