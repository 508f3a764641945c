"""What a process that has shut itself in can still do, and what not: each case in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from held.system import sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="seccomp is the Linux kernel's")

REFUSED = {
    "writing a file": "open(folder + '/new', 'w')",
    "writing over a file": "open(folder + '/old', 'r+')",
    "adding to a file": "open(folder + '/old', 'a')",
    "removing a file": "os.unlink(folder + '/old')",
    "renaming a file": "os.rename(folder + '/old', folder + '/new')",
    "linking a file": "os.link(folder + '/old', folder + '/new')",
    "a symbolic link": "os.symlink('old', folder + '/new')",
    "a folder": "os.mkdir(folder + '/new')",
    "the mode of a file": "os.chmod(folder + '/old', 0o777)",
    "cutting a file": "os.truncate(folder + '/old', 0)",
    "a socket": "__import__('socket').socket()",
    "a pair of sockets": "__import__('socket').socketpair()",
    "a process": "os.fork()",
    "a program": "os.execv('/bin/true', ['true'])",
    "a program in a process": "__import__('subprocess').run(['/bin/true'])",
    "ending its parent": "os.kill(os.getppid(), 0)",
}
ALLOWED = {
    "reading a file": "assert open(folder + '/old').read() == 'old'",
    "listing a folder": "assert os.listdir(folder) == ['old']",
    "a thread": "t = threading.Thread(target=int); t.start(); t.join()",
    "an alarm": "faulthandler.dump_traceback_later(60, exit=True)",
    "memory": "bytearray(50_000_000)",
    "importing": "import decimal",
}


def shut_in(statement: str, folder: Path) -> str:
    """What the statement came to in a process that has entered the sandbox: "done", or an error's name."""
    (folder / "old").write_text("old")
    code = f"""
import faulthandler, os, sys, threading
from held.system import sandbox
folder = sys.argv[1]
assert sandbox.enter() is None
try:
    {statement}
    print("done")
except OSError as error:
    print(type(error).__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses(name: str, tmp_path: Path) -> None:
    assert shut_in(REFUSED[name], tmp_path) == "PermissionError"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


@pytest.mark.parametrize("name", ALLOWED)
def test_it_allows(name: str, tmp_path: Path) -> None:
    assert shut_in(ALLOWED[name], tmp_path) == "done"


@pytest.mark.parametrize("machine", sandbox.ARCHITECTURES)
def test_a_filter_is_short_enough_for_the_kernel_and_ends_with_an_answer(machine: str) -> None:
    steps = sandbox.build_filter(machine)
    most = 4096  # BPF_MAXINSNS
    assert len(steps) % 8 == 0
    assert len(steps) // 8 <= most
    assert int.from_bytes(steps[-8:-6], sys.byteorder) == sandbox.RETURN
