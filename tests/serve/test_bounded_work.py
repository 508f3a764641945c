"""What requests may cost together: turns to work, bytes in memory, bytes on disk."""

import os
import threading
from pathlib import Path

import pytest
from fastapi import HTTPException

from held.serve.bounded_work import BoundedCache, ImageFolder, WorkSlots


def test_whoever_finds_no_place_to_wait_is_refused_at_once() -> None:
    slots = WorkSlots(running=1, waiting=0)
    with slots.slot():
        with pytest.raises(HTTPException) as refused, slots.slot():
            pass
        assert refused.value.status_code == 503
    with slots.slot():  # free again
        pass


def test_whoever_waits_works_after_the_one_before() -> None:
    slots = WorkSlots(running=1, waiting=1)
    worked = threading.Event()

    def work() -> None:
        with slots.slot():
            worked.set()

    with slots.slot():
        waiting = threading.Thread(target=work)
        waiting.start()
        assert not worked.is_set()
    waiting.join()
    assert worked.is_set()


def test_the_value_not_used_for_longest_is_dropped() -> None:
    cache = BoundedCache(4, size_of=len)
    cache.put("a", b"aa")
    cache.put("b", b"bb")
    assert cache.get("a") == b"aa"
    cache.put("c", b"cc")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (b"aa", None, b"cc")


def test_a_value_larger_than_the_cache_is_not_kept() -> None:
    cache = BoundedCache(1, size_of=len)
    cache.put("a", b"aa")
    assert cache.get("a") is None


def test_images_not_used_for_longest_are_removed(tmp_path: Path) -> None:
    images = ImageFolder(tmp_path, max_bytes=10)
    for name in ("1", "2"):
        images.write(tmp_path / "id" / f"{name}.png", bytes(4))
    os.utime(tmp_path / "id" / "1.png", (1, 1))
    images.write(tmp_path / "id" / "3.png", bytes(4))
    assert sorted(path.name for path in tmp_path.rglob("*.png")) == ["2.png", "3.png"]
    assert images.read(tmp_path / "id" / "1.png") is None


def test_images_of_an_earlier_server_count(tmp_path: Path) -> None:
    (tmp_path / "old.png").write_bytes(bytes(10))
    os.utime(tmp_path / "old.png", (1, 1))
    ImageFolder(tmp_path, max_bytes=10).write(tmp_path / "new.png", bytes(4))
    assert [path.name for path in tmp_path.glob("*.png")] == ["new.png"]
