"""A sandbox for processes that read untrusted bytes: they may compute, and read files, and nothing else.

On Linux a seccomp filter lists the system calls that reading a PDF needs; every other call is refused. The
list was measured by tracing the readers over the corpus and the hostile files, and completed with what other
versions of the C library call instead. It needs no privileges and cannot be removed again. A refused call
fails with "not permitted", so a library that only tries it goes on. Files can still be read, because the
process has to open the PDF itself.

Where the kernel has Landlock, it forbids the same things a second time, and also access to the memory of
other processes through /proc. The module imports little, because a worker must start fast. docs/security.md
says what is guaranteed where.
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time
    from collections.abc import Mapping, Sequence

Numbers = tuple["int | None", "int | None"]  # of a call on x86-64 and on 64-bit ARM; None if it has none

# From <linux/prctl.h>, <linux/seccomp.h> and <linux/audit.h>.
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
SECCOMP_MODE_FILTER = 2
ALLOW, REFUSE, END = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS = 1, 38
NOT_PERMITTED, UNKNOWN_CALL = REFUSE | EPERM, REFUSE | ENOSYS
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_CALLS = 0x40000000  # the x32 interface of x86-64 has other numbers for the same calls

# From <linux/bpf_common.h>: load a word, jump, return. Below, the offsets in `struct seccomp_data`.
LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ARGUMENT_BYTES, HALF_ARGUMENT_BYTES = 8, 4
INSTRUCTION_BYTES = 8

# Allowed whatever their arguments are. The calls that PDFium makes most often come first: the kernel tests
# the numbers in this order.
ALLOWED: Mapping[str, Numbers] = {
    # open files, and names of files
    "lseek": (8, 62),
    "read": (0, 63),
    "fstat": (5, 80),
    "write": (1, 64),  # only pipes and the null device are open for writing
    "newfstatat": (262, 79),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "stat": (4, None),
    "lstat": (6, None),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "fadvise64": (221, 223),
    "dup": (32, 23),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    # memory and threads
    "futex": (202, 98),
    "madvise": (28, 233),
    "brk": (12, 214),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "futex_waitv": (449, 449),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "getcpu": (309, 168),
    "membarrier": (324, 283),
    "arch_prctl": (158, None),
    # signals that the process gets
    "rt_sigprocmask": (14, 135),
    "rt_sigaction": (13, 134),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    # clocks
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169),
    "nanosleep": (35, 101),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    # what the process and the machine are
    "gettid": (186, 178),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrandom": (318, 278),
    "getrlimit": (97, 163),
}
# A worker that runs an OCR program needs these calls, too. The program inherits the filter.
PROGRAM_CALLS: Mapping[str, Numbers] = {
    "execve": (59, 221),
    "fork": (57, None),
    "vfork": (58, None),
    "clone": (56, 220),  # also without CLONE_THREAD
    "wait4": (61, 260),
    "waitid": (247, 95),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "dup2": (33, None),
    "close_range": (436, 436),
}
# Allowed only with harmless arguments.
CLOSE: Numbers = (3, 57)
DUP3: Numbers = (292, 24)
OPEN: Numbers = (2, None)
OPENAT: Numbers = (257, 56)
MMAP: Numbers = (9, 222)
CLONE: Numbers = (56, 220)
TGKILL: Numbers = (234, 131)
IOCTL: Numbers = (16, 29)
FCNTL: Numbers = (72, 25)
PRCTL: Numbers = (157, 167)
PRLIMIT64: Numbers = (302, 261)
# Calls whose arguments the filter cannot see, or that bypass it. They fail as if the kernel did not have
# them, and libraries then use older calls.
UNAVAILABLE: Mapping[str, Numbers] = {
    "clone3": (435, 435),
    "openat2": (437, 437),
    "io_uring_setup": (425, 425),
}
# Calls from this number on are newer than this list. A library that tries one must find an older call.
FIRST_NEW_CALL = 451

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Neither shared memory nor stacks count towards the process's memory limit, RLIMIT_DATA.
MAP_SHARED, MAP_GROWSDOWN = 0x1, 0x100
NO_DESCRIPTOR = 0xFFFFFFFF  # -1 as an unsigned number
CLONE_THREAD = 0x00010000  # from <linux/sched.h>
# Whether a file is a terminal, how many bytes wait in it, and whether programs inherit it.
HARMLESS_IOCTLS = (0x5401, 0x541B, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIONCLEX, FIOCLEX
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. With F_SETOWN and F_SETSIG one could signal others.
HARMLESS_FCNTLS = (0, 1, 2, 3, 1030)
NAMING_PRCTLS = (15, 0x53564D41)  # PR_SET_NAME and PR_SET_VMA: names of threads and of memory

# From <linux/landlock.h>. Rights that are handled and that no rule grants are refused.
LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF = 444, 446
LANDLOCK_VERSION_QUERY = 1
# What each version of Landlock added: rights to files, rights to the network, scopes.
LANDLOCK_FILE_RIGHTS = {1: 0x1FF3, 2: 0x2000, 3: 0x4000, 5: 0x8000}  # all but reading
LANDLOCK_EXECUTE = 0x1
LANDLOCK_NETWORK_RIGHTS = {4: 0x3}  # bind and connect TCP sockets
LANDLOCK_SCOPES = {6: 0x3}  # signals and abstract sockets of processes outside


# From <linux/capability.h>. What root needs to read files of other users; everything else is given up.
CAPABILITY_VERSION = 0x20080522
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1 << 1, 1 << 2


class _Filter(ctypes.Structure):
    """`struct sock_fprog`: a filter program."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


class _Ruleset(ctypes.Structure):
    """`struct landlock_ruleset_attr`: what is refused unless a rule allows it."""

    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


def enter(*, programs: bool = False, lifeline: int = NO_DESCRIPTOR) -> str | None:
    """Put this process into the sandbox for good; the result is None, or the reason why it failed.

    With `programs` it may start programs, which are in the same sandbox from their first instruction on.
    It can't close the `lifeline` through which it ends with its parent.
    """
    if not sys.platform.startswith("linux"):
        return f"{sys.platform} has no seccomp"
    machine = os.uname().machine
    if machine not in ARCHITECTURES or sys.maxsize < 2**32:
        return f"the calls of {machine} are not known"
    program = build_filter(machine, programs=programs, lifeline=lifeline)
    content = ctypes.create_string_buffer(program, len(program))
    filter_ = _Filter(len(program) // INSTRUCTION_BYTES, ctypes.cast(content, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    # The kernel requires this first: a filter could mislead a program that gains privileges.
    no_new_privileges = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    drop_capabilities(libc)
    enter_landlock(libc, programs=programs)
    if not no_new_privileges or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filter_)) != 0:
        return f"the kernel refuses: {os.strerror(ctypes.get_errno())}"
    return None


def drop_capabilities(libc: ctypes.CDLL) -> None:
    """Give up what root may do beyond reading files, such as reading the environment of other processes.

    Programs that are started later do not get it back, because of `PR_SET_NO_NEW_PRIVS`.
    """
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)  # of this process
    # Effective, permitted and inheritable capabilities; the lower 32 come first.
    sets = (ctypes.c_uint32 * 6)()
    if libc.capget(header, sets) == 0:
        kept = CAP_DAC_OVERRIDE | CAP_DAC_READ_SEARCH
        sets[:] = [sets[0] & kept, sets[1] & kept, 0, 0, 0, 0]
        libc.capset(header, sets)


def enter_landlock(libc: ctypes.CDLL, *, programs: bool = False) -> bool:
    """Refuse writing, TCP and other processes by Landlock; False if the kernel does not have it."""
    version = libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_VERSION_QUERY)
    if version < 1:
        return False
    files = _rights(LANDLOCK_FILE_RIGHTS, version)
    if programs:
        files &= ~LANDLOCK_EXECUTE
    ruleset = _Ruleset(
        files=files,
        network=_rights(LANDLOCK_NETWORK_RIGHTS, version),
        scopes=_rights(LANDLOCK_SCOPES, version),
    )
    # An older kernel accepts a longer structure if what it does not know is zero.
    size = ctypes.c_size_t(ctypes.sizeof(ruleset))
    handle = libc.syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(ruleset), size, 0)
    if handle < 0:
        return False
    entered: bool = libc.syscall(LANDLOCK_RESTRICT_SELF, handle, 0) == 0
    os.close(handle)
    return entered


def _rights(by_version: Mapping[int, int], version: int) -> int:
    known = [rights for since, rights in by_version.items() if since <= version]
    return sum(known)  # the bits of different versions do not overlap


def build_filter(machine: str, *, programs: bool = False, lifeline: int = NO_DESCRIPTOR) -> bytes:
    """The filter program for a machine (classic BPF)."""
    column = list(ARCHITECTURES).index(machine)
    steps = [
        _instruction(LOAD, ARCHITECTURE),
        _instruction(JUMP_EQUAL, ARCHITECTURES[machine], skip_if=1),
        _instruction(RETURN, END),
        _instruction(LOAD, CALL),
    ]
    if machine == "x86_64":
        steps.append(_instruction(JUMP_GREATER_EQUAL, X32_CALLS, skip_if_not=1))
        steps.append(_instruction(RETURN, UNKNOWN_CALL))
    allowed = {**ALLOWED, **PROGRAM_CALLS} if programs else ALLOWED
    for numbers in allowed.values():
        steps += _for_call(numbers[column], [_instruction(RETURN, ALLOW)])
    steps += _for_call(CLOSE[column], _refuse_value(0, lifeline))
    steps += _for_call(DUP3[column], _refuse_value(1, lifeline))
    # Opening a file is refused if any flag for writing is set.
    steps += _for_call(OPEN[column], _allow_by_bits(1, WRITING, if_set=False))
    steps += _for_call(OPENAT[column], _allow_by_bits(2, WRITING, if_set=False))
    steps += _for_call(MMAP[column], _allow_by_bits(3, MAP_SHARED | MAP_GROWSDOWN, if_set=False))
    # `clone` may start a thread, but not a process.
    steps += _for_call(CLONE[column], _allow_by_bits(0, CLONE_THREAD, if_set=True))
    # A process may end itself, which is how a library aborts.
    steps += _for_call(TGKILL[column], _allow_values(0, [os.getpid()]))
    steps += _for_call(IOCTL[column], _allow_values(1, HARMLESS_IOCTLS))
    steps += _for_call(FCNTL[column], _allow_values(1, HARMLESS_FCNTLS))
    steps += _for_call(PRCTL[column], _allow_values(0, NAMING_PRCTLS))
    steps += _for_call(PRLIMIT64[column], _allow_null(2))  # the new limit: none, only asking
    for numbers in UNAVAILABLE.values():
        steps += _for_call(numbers[column], [_instruction(RETURN, UNKNOWN_CALL)])
    steps.append(_instruction(JUMP_GREATER_EQUAL, FIRST_NEW_CALL, skip_if_not=1))
    steps.append(_instruction(RETURN, UNKNOWN_CALL))
    steps.append(_instruction(RETURN, NOT_PERMITTED))
    return b"".join(steps)


def _for_call(number: int | None, steps: Sequence[bytes]) -> list[bytes]:
    """Steps that run for one call only; they must end with a return."""
    if number is None:
        return []
    return [_instruction(JUMP_EQUAL, number, skip_if_not=len(steps)), *steps]


def _allow_by_bits(argument: int, bits: int, *, if_set: bool) -> list[bytes]:
    """Steps that allow a call if any of the bits is set in an argument, or if none is."""
    return [
        _load_argument(argument),
        _instruction(JUMP_ANY_BIT, bits, skip_if=int(not if_set), skip_if_not=int(if_set)),
        _instruction(RETURN, ALLOW),
        _instruction(RETURN, NOT_PERMITTED),
    ]


def _allow_values(argument: int, values: Sequence[int]) -> list[bytes]:
    """Steps that allow a call if an argument has one of these values."""
    steps = [_load_argument(argument)]
    for value in values:
        steps += [_instruction(JUMP_EQUAL, value, skip_if_not=1), _instruction(RETURN, ALLOW)]
    return [*steps, _instruction(RETURN, NOT_PERMITTED)]


def _refuse_value(argument: int, value: int) -> list[bytes]:
    """Steps that allow a call unless an argument has this value."""
    return [
        _load_argument(argument),
        _instruction(JUMP_EQUAL, value, skip_if=1),
        _instruction(RETURN, ALLOW),
        _instruction(RETURN, NOT_PERMITTED),
    ]


def _allow_null(argument: int) -> list[bytes]:
    """Steps that allow a call if a pointer is null: both of its halves are 0."""
    return [
        _load_argument(argument),
        _instruction(JUMP_EQUAL, 0, skip_if_not=3),
        _load_argument(argument, upper_half=True),
        _instruction(JUMP_EQUAL, 0, skip_if_not=1),
        _instruction(RETURN, ALLOW),
        _instruction(RETURN, NOT_PERMITTED),
    ]


def _load_argument(argument: int, *, upper_half: bool = False) -> bytes:
    """Load 32 bits of an argument, counted from 0; the supported machines are little-endian."""
    offset = ARGUMENTS + ARGUMENT_BYTES * argument
    if upper_half:
        offset += HALF_ARGUMENT_BYTES
    return _instruction(LOAD, offset)


def _instruction(code: int, value: int, *, skip_if: int = 0, skip_if_not: int = 0) -> bytes:
    """`struct sock_filter`: a code, how many instructions to skip if a test is true or false, and a value."""
    jumps = bytes((skip_if, skip_if_not))
    return code.to_bytes(2, sys.byteorder) + jumps + value.to_bytes(4, sys.byteorder)
