"""What a process that has shut itself in can still do, and what not: each case in a process of its own."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from held.system import sandbox
from tests.system.escapes import ALLOWED, REFUSED, REFUSED_BY_LANDLOCK, REFUSED_WITH_PROGRAMS, attempt

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="seccomp is the Linux kernel's")


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses(name: str, tmp_path: Path) -> None:
    assert attempt(REFUSED[name], tmp_path) == "PermissionError"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


@pytest.mark.parametrize("name", REFUSED_WITH_PROGRAMS)
def test_it_refuses_to_a_process_that_starts_programs(name: str, tmp_path: Path) -> None:
    assert attempt(REFUSED_WITH_PROGRAMS[name], tmp_path, programs=True) == "PermissionError"


@pytest.mark.parametrize("name", REFUSED_BY_LANDLOCK)
def test_other_processes_are_out_of_sight(name: str, tmp_path: Path) -> None:
    if has_no_landlock():
        pytest.skip("this kernel has no Landlock")
    assert attempt(REFUSED_BY_LANDLOCK[name], tmp_path) == "PermissionError"


def has_no_landlock() -> bool:
    libc = ctypes.CDLL(None)
    version: int = libc.syscall(sandbox.LANDLOCK_CREATE_RULESET, None, 0, sandbox.LANDLOCK_VERSION_QUERY)
    return version < 1


def test_root_keeps_what_reads_files_and_nothing_else(tmp_path: Path) -> None:
    show = "print(next(line for line in open('/proc/self/status') if line.startswith('CapEff')).split()[1])"
    rights = int(attempt(show, tmp_path).split()[0], 16)
    assert rights & ~(sandbox.CAP_DAC_OVERRIDE | sandbox.CAP_DAC_READ_SEARCH) == 0


@pytest.mark.parametrize("name", ALLOWED)
def test_it_allows(name: str, tmp_path: Path) -> None:
    assert attempt(ALLOWED[name], tmp_path) == "done"


def test_a_call_newer_than_the_list_fails_as_if_the_kernel_did_not_have_it(tmp_path: Path) -> None:
    # A library that tries a new call must find an older one instead of giving up.
    assert attempt("call(libc.syscall, 100_000)", tmp_path) == "OSError: 38"  # ENOSYS


def test_landlock_alone_refuses_to_write(tmp_path: Path) -> None:
    code = "\n".join(
        [
            "import ctypes, sys",
            "from held.system import sandbox",
            "libc = ctypes.CDLL(None, use_errno=True)",
            "libc.prctl(sandbox.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)",
            "if not sandbox.enter_landlock(libc): sys.exit('none')",
            "try: open(sys.argv[1], 'w')",
            "except PermissionError: print('refused')",
        ]
    )
    command = [sys.executable, "-c", code, str(tmp_path / "new")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.stderr.strip() == "none":
        pytest.skip("this kernel has no Landlock")
    assert done.stdout.strip() == "refused"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("machine", sandbox.ARCHITECTURES)
def test_a_filter_is_short_enough_for_the_kernel_and_ends_with_an_answer(machine: str) -> None:
    steps = sandbox.build_filter(machine)
    most = 4096  # BPF_MAXINSNS
    assert len(steps) % 8 == 0
    assert len(steps) // 8 <= most
    assert int.from_bytes(steps[-8:-6], sys.byteorder) == sandbox.RETURN
