"""Hashes of all that comes out of a folder of PDFs: shows that a new shape of the code changed nothing else.

    python -m research.benchmarks.fingerprints write PDFS -o before.json      # in the old tree
    python -m research.benchmarks.fingerprints write PDFS -o after.json       # in the new one
    python -m research.benchmarks.fingerprints compare before.json after.json

Only the public library and onnxruntime's own door are used, so that the command runs on code of any shape:
what both steps of the model are asked is hashed where it enters the boosted trees, row by row.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import Pool
from pathlib import Path
from typing import Any

Fingerprint = Mapping[str, str]


def main() -> None:
    """Write the fingerprints of a folder, or say where two files of them differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    writing = commands.add_parser("write")
    writing.add_argument("folder", type=Path)
    writing.add_argument("-o", "--output", type=Path, required=True)
    writing.add_argument("--jobs", type=int, default=2)
    writing.set_defaults(run=_write)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.set_defaults(run=_compare)
    arguments = parser.parse_args()
    sys.exit(arguments.run(arguments))


def fingerprint(path: Path) -> Fingerprint:
    """The hashes of all that is made of one PDF, or the words with which it is refused."""
    import held

    with _hashed_questions() as questions:
        try:
            document = held.extract(path, jobs=1)
        except held.HeldError as error:
            return {"error": str(error).replace(str(path), path.name)}
    return {
        "json": _hash(document.to_json().replace(str(path.parent), "")),
        "markdown": _hash(document.to_markdown()),
        "outline": _hash(document.to_outline()),
        **{f"features, {width} wide": found.hexdigest() for width, found in sorted(questions.items())},
    }


@contextmanager
def _hashed_questions() -> Iterator[dict[int, Any]]:
    """Hashes of the rows that go into boosted trees while this is open, by how wide the rows are."""
    import onnxruntime

    found: dict[int, Any] = {}
    run = onnxruntime.InferenceSession.run

    def hashing(session: Any, names: Any, inputs: Mapping[str, Any], *rest: Any) -> Any:
        for rows in inputs.values():
            found.setdefault(rows.shape[-1], hashlib.sha256()).update(rows.tobytes())
        return run(session, names, inputs, *rest)

    onnxruntime.InferenceSession.run = hashing
    try:
        yield found
    finally:
        onnxruntime.InferenceSession.run = run


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _write(arguments: argparse.Namespace) -> int:
    paths = sorted(arguments.folder.glob("*.pdf"))
    found: dict[str, Fingerprint] = {}
    with Pool(arguments.jobs) as pool:
        for path, prints in zip(paths, pool.imap(fingerprint, paths), strict=True):
            found[path.name] = prints
            print(f"\r{len(found)}/{len(paths)} {path.name}", end="", file=sys.stderr)
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(file=sys.stderr)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    before, after = (json.loads(path.read_text("utf-8")) for path in (arguments.before, arguments.after))
    other = {
        name: sorted(
            kind for kind in {*old, *after.get(name, {})} if old.get(kind) != after.get(name, {}).get(kind)
        )
        for name, old in before.items()
        if old != after.get(name)
    }
    for name, kinds in other.items():
        print(f"{name}: {', '.join(kinds)}")
    print(f"{len(before)} files, {len(other)} with a difference")
    return 1 if other else 0


if __name__ == "__main__":
    main()
