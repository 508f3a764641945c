"""Trains a small network of each kind, as one of the processes that torchrun starts.

    python -m torch.distributed.run … -m tests.training.crew CORPUS EMBEDDINGS OUT CHANGE…

Both kinds in one go: starting torch takes longer than training either.
"""

import sys
from pathlib import Path

from held.models.store import ModelKind
from held.training.trainers import train_model
from tests.training.small_corpus import small_request

if __name__ == "__main__":
    corpus, embeddings, out = map(Path, sys.argv[1:4])
    changes = sys.argv[4:]
    for kind in ModelKind:
        train_model(small_request(kind, corpus, out / kind, embeddings, *changes))
