"""What a process in the sandbox tries: escapes that must be refused, and what reading needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
    "typing into its terminal": "fcntl.ioctl(0, termios.TIOCSTI, b'x')",
    "having others signalled": "fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
    "closing the line to its parent": "os.close(lifeline)",
    "putting another file there": "os.dup2(0, lifeline, inheritable=False)",
    "choosing that signal": "fcntl.fcntl(0, fcntl.F_SETSIG, 9)",
    "limits of its own": "call(libc.setrlimit, resource.RLIMIT_CPU, ctypes.create_string_buffer(16))",
    "limits of others": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (60, 60))",
    "priorities of others": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 10)",
    "processors of others": "os.sched_setaffinity(os.getppid(), {0})",
    "shared memory": "mmap.mmap(-1, 1 << 20)",
    "a stack, which is not counted as memory": "mmap.mmap(-1, 4096, flags=PRIVATE | MAP_GROWSDOWN)",
    "memory as a file": "os.memfd_create('hidden')",
    "a shared memory segment": "call(libc.shmget, 0, 4096, 0o1600)",
    "a System V queue": "call(libc.msgget, 0, 0o1600)",
    "a System V semaphore": "call(libc.semget, 0, 1, 0o1600)",
    "a POSIX queue": "call(libc.syscall, 240 if 'x86' in os.uname().machine else 180, b'q', 66, 384, 0)",
    "a file by its handle": "call(libc.open_by_handle_at, -100, ctypes.create_string_buffer(64), 0)",
    "waiting for files to change": "call(libc.inotify_init)",
    "another root folder": "os.chroot(folder)",
    "another folder": "os.chdir(folder)",
    "another user": "os.setuid(0)",
    "tracing its parent": "call(libc.ptrace, 16, os.getppid(), 0, 0)",
    "copying the memory of its parent": "call(libc.process_vm_readv, os.getppid(), 0, 0, 0, 0, 0)",
    "a name space": "call(libc.unshare, 0x10000000)",
    "a file system": "call(libc.mount, b'none', folder.encode(), b'tmpfs', 0, 0)",
    "an attribute": "os.setxattr(folder + '/old', 'user.x', b'y')",
    "a pipe with a name": "os.mkfifo(folder + '/new')",
}
# Refused also to a process that may start programs.
REFUSED_WITH_PROGRAMS = {
    "signals, even to itself": "os.kill(os.getpid(), 0)",
    "leaving its process group": "os.setsid()",
    "changing its process group": "os.setpgid(0, 0)",
    "writing a file": REFUSED["writing a file"],
    "a socket": REFUSED["a socket"],
    "shared memory": REFUSED["shared memory"],
    "limits of its own": REFUSED["limits of its own"],
}
# Refused by Landlock, and to root by the capabilities that it has given up.
REFUSED_BY_LANDLOCK = {
    "the memory of its parent": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "the environment of its parent": "open(f'/proc/{os.getppid()}/environ', 'rb')",
    "where its parent's code is": "open(f'/proc/{os.getppid()}/maps', 'rb')",
}
ALLOWED = {
    "reading a file": "assert open(folder + '/old').read() == 'old'",
    "listing a folder": "assert os.listdir(folder) == ['old']",
    "a thread": "t = threading.Thread(target=int); t.start(); t.join()",
    "an alarm": "faulthandler.dump_traceback_later(60, exit=True)",
    "memory": "bytearray(50_000_000)",
    "importing": "import decimal",
    "its own limits": "resource.getrlimit(resource.RLIMIT_DATA)",
    "whether a file is a terminal": "os.isatty(0)",
    "a copy of a file descriptor": "os.close(os.dup(0))",
    "random numbers": "os.urandom(8)",
    "private memory": "mmap.mmap(-1, 1 << 20, flags=PRIVATE)",
}


def attempt(statement: str, folder: Path, *, programs: bool = False) -> str:
    """What the statement came to in a process that has entered the sandbox: "done", or an error's name."""
    (folder / "old").write_text("old")
    code = f"""
import ctypes, faulthandler, fcntl, mmap, os, resource, sys, termios, threading
from held.system import sandbox
folder = sys.argv[1]
PRIVATE, MAP_GROWSDOWN = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0x100
libc = ctypes.CDLL(None, use_errno=True)
def call(function, *arguments):
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
lifeline = os.pipe()[0]
assert sandbox.enter(programs={programs}, lifeline=lifeline) is None
try:
    {statement}
    print("done")
except OSError as error:
    print("PermissionError" if error.errno in (1, 13) else f"OSError: {{error.errno}}")
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
