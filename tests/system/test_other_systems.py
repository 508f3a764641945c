"""`held.extract` without what Linux alone has: in processes that lack the names which other systems lack.

This is no Windows and no Mac: the workflow runs the tests there. It finds on every machine what would fail at
the first import.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays the other systems on Linux")

REPORT = Path(__file__).parents[2] / "samples" / "report-en.pdf"
SYSTEMS = ("win32", "darwin")

# The standard library without some names. The libraries that we use are imported before: they would look for
# files of the other system. `subprocess` needs SIGKILL here.
POORER_SYSTEM = """
import ctypes, errno, fcntl, os, pathlib, select, signal, subprocess, sys, tempfile, time, types
import xml.sax.saxutils
import numpy, held.reading.pdfium
if len(sys.argv) < 7:  # the parent of workers
    import PIL.Image, click, fastapi, onnxruntime, pikepdf, pypdfium2, uvicorn
LACKING = {
    "darwin": {"os": "sched_getaffinity", "select": "epoll"},
    "win32": {
        "os": "fork killpg getpgrp getpgid setsid wait4 uname sysconf fchmod fchown register_at_fork "
        "sched_getaffinity O_NOFOLLOW O_CLOEXEC getuid geteuid mkfifo statvfs nice getloadavg",
        "select": "poll epoll",
        "signal": "SIGPIPE SIGHUP SIGALRM setitimer",
        "time": "clock_gettime clock_getres",
    },
}
for module, names in LACKING[PLATFORM].items():
    for name in names.split():
        vars(sys.modules[module]).pop(name, None)
def locking(file, mode, count, flock=fcntl.flock, how=fcntl.LOCK_EX | fcntl.LOCK_NB):
    assert os.lseek(file, 0, os.SEEK_CUR) > 1 << 20  # not where others read
    try:
        flock(file, how)
    except BlockingIOError:
        raise OSError(errno.EACCES, "locked") from None
if PLATFORM == "win32":
    sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
    for module in ("fcntl", "resource", "termios", "pwd", "grp"):
        sys.modules[module] = None
sys.platform = PLATFORM
"""


def run_on(platform: str, code: str, folder: Path) -> list[str]:
    """What the code prints in a process without the names that the system lacks, and so in its workers."""
    poorer = folder / "poorer_system.py"
    poorer.write_text(f"PLATFORM = {platform!r}\n{POORER_SYSTEM}")
    become_poorer = f"exec(open({str(poorer)!r}).read())"
    start = "from held.system.worker_main"
    lines = [
        become_poorer,
        "from held.system import worker_process as workers",
        f"workers.BOOT = workers.BOOT.replace({start!r}, {become_poorer + '; ' + start!r})",
        code,
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    poorer.unlink()
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("platform", SYSTEMS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_document_is_extracted_and_written(platform: str, jobs: int, tmp_path: Path) -> None:
    code = f"""
import held
document = held.extract({str(REPORT)!r}, jobs={jobs})
document.save({str(tmp_path / "tree.json")!r})
document.save({str(tmp_path / "tree.json")!r})
print(document.status)
print([note.message for note in document.document.notes])
"""
    status, notes = run_on(platform, code, tmp_path)
    assert status == "done"
    assert "seccomp" in notes
    assert [path.name for path in tmp_path.iterdir()] == ["tree.json"]


@pytest.mark.parametrize("platform", SYSTEMS)
def test_every_module_of_an_extraction_and_of_the_commands_is_imported(platform: str, tmp_path: Path) -> None:
    code = """
import importlib, pkgutil
for folder in ("system", "reading", "exports", "batch", "serve", "cli"):
    package = importlib.import_module(f"held.{folder}")
    for module in pkgutil.walk_packages(package.__path__, f"held.{folder}."):
        importlib.import_module(module.name)
print("imported")
"""
    assert run_on(platform, code, tmp_path) == ["imported"]


def test_a_lock_on_windows_excludes_others_until_its_file_is_closed(tmp_path: Path) -> None:
    code = f"""
import os
from held.system.atomic_write import lock_file
path = {str(tmp_path / "locked")!r}
one, other = (os.open(path, os.O_RDWR | os.O_CREAT) for _ in range(2))
os.write(one, b"abc")
print(lock_file(one), os.lseek(one, 0, os.SEEK_CUR), lock_file(other))
os.close(one)
print(lock_file(other))
"""
    assert run_on("win32", code, tmp_path) == ["True 3 False", "True"]


def test_on_windows_too_only_drafts_without_a_writer_are_removed(tmp_path: Path) -> None:
    written, stale = (tmp_path / f".held-{digit * 16}.part" for digit in "01")
    code = f"""
import os
from pathlib import Path
from held.system.atomic_write import lock_file, remove_stale_drafts
writer = os.open({str(written)!r}, os.O_WRONLY | os.O_CREAT)
lock_file(writer)
Path({str(stale)!r}).touch()
remove_stale_drafts(Path({str(tmp_path)!r}))
"""
    run_on("win32", code, tmp_path)
    assert list(tmp_path.iterdir()) == [written]
