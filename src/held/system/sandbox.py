"""A sandbox for processes that read untrusted bytes: no writing, no starting of programs, no network.

On Linux a seccomp filter tells the kernel so. It needs no privileges and cannot be removed again. The filter
lists the refused system calls, not the allowed ones: PDFium and the interpreter need dozens of calls,
different ones on each system, while the calls that write, run programs and connect are few and known. A
refused call fails with "not permitted", so a library that only tries it goes on. Files can still be read,
because the process has to open the PDF itself.

The module imports little, because a worker must start fast. docs/security.md says what is guaranteed where.
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time
    from collections.abc import Mapping

# From <linux/prctl.h>, <linux/seccomp.h> and <linux/audit.h>.
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
SECCOMP_MODE_FILTER = 2
ALLOW, REFUSE, END = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS = 1, 38
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_CALLS = 0x40000000  # the x32 interface of x86-64 has other numbers for the same calls

# From <linux/bpf_common.h>: load a word, jump, return. Below, the offsets in `struct seccomp_data`.
LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT = 0, 4, 16, 24, 32
CLONE_THREAD = 0x00010000
INSTRUCTION_BYTES = 8

# Refused system calls with their numbers on x86-64 and on 64-bit ARM; None if it does not exist there.
REFUSED: Mapping[str, tuple[int | None, int | None]] = {
    # networks, and sockets of any kind
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # programs and processes; `clone` is below, because threads are allowed
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    # names and contents of files
    "creat": (85, None),
    "truncate": (76, 45),
    "ftruncate": (77, 46),
    "fallocate": (285, 47),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "link": (86, None),
    "linkat": (265, 37),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "copy_file_range": (326, 285),
    # the system itself
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "quotactl": (179, 60),
    "setuid": (105, 146),
    "setgid": (106, 144),
}
# A worker that runs an OCR program needs these calls. The program inherits the filter.
PROGRAM_CALLS = frozenset({"execve", "execveat", "fork", "vfork", "kill"})
# Calls whose arguments the filter cannot see, or that bypass it. They fail as if the kernel did not have
# them, and libraries then use older calls.
UNAVAILABLE: Mapping[str, tuple[int | None, int | None]] = {
    "clone3": (435, 435),
    "openat2": (437, 437),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
# Calls that are allowed or refused by their arguments.
OPEN, OPENAT, CLONE, TGKILL = (2, None), (257, 56), (56, 220), (234, 131)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Filter(ctypes.Structure):
    """`struct sock_fprog`: a filter program."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def enter(*, programs: bool = False) -> str | None:
    """Put this process into the sandbox for good; the result is None, or the reason why it failed.

    With `programs` it may start programs, which are in the same sandbox from their first instruction on.
    """
    if not sys.platform.startswith("linux"):
        return f"{sys.platform} has no seccomp"
    machine = os.uname().machine
    if machine not in ARCHITECTURES or sys.maxsize < 2**32:
        return f"the calls of {machine} are not known"
    program = build_filter(machine, programs=programs)
    content = ctypes.create_string_buffer(program, len(program))
    filter_ = _Filter(len(program) // INSTRUCTION_BYTES, ctypes.cast(content, ctypes.c_void_p))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    # The kernel requires this first: a filter could mislead a program that gains privileges.
    no_new_privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    if not no_new_privileges or prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filter_)) != 0:
        return f"the kernel refuses: {os.strerror(ctypes.get_errno())}"
    return None


def build_filter(machine: str, *, programs: bool = False) -> bytes:
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
        steps.append(_instruction(RETURN, REFUSE | ENOSYS))
    for name, numbers in REFUSED.items():
        if programs and name in PROGRAM_CALLS:
            continue
        steps += _return_for_call(numbers[column], REFUSE | EPERM)
    for numbers in UNAVAILABLE.values():
        steps += _return_for_call(numbers[column], REFUSE | ENOSYS)
    # Opening a file is refused if any flag for writing is set.
    refused, allowed = REFUSE | EPERM, ALLOW
    has_write_flag = _instruction(JUMP_ANY_BIT, WRITING, skip_if_not=1)
    steps += _return_by_argument(OPEN[column], SECOND_ARGUMENT, has_write_flag, refused, allowed)
    steps += _return_by_argument(OPENAT[column], THIRD_ARGUMENT, has_write_flag, refused, allowed)
    if not programs:
        # `clone` may start a thread, but not a process.
        is_thread = _instruction(JUMP_ANY_BIT, CLONE_THREAD, skip_if_not=1)
        steps += _return_by_argument(CLONE[column], FIRST_ARGUMENT, is_thread, allowed, refused)
    # A process may end itself, which is how a library aborts.
    is_own_process = _instruction(JUMP_EQUAL, os.getpid(), skip_if_not=1)
    steps += _return_by_argument(TGKILL[column], FIRST_ARGUMENT, is_own_process, allowed, refused)
    steps.append(_instruction(RETURN, ALLOW))
    return b"".join(steps)


def _return_for_call(number: int | None, result: int) -> list[bytes]:
    if number is None:
        return []
    return [_instruction(JUMP_EQUAL, number, skip_if_not=1), _instruction(RETURN, result)]


def _return_by_argument(
    number: int | None, argument: int, test: bytes, if_true: int, if_false: int
) -> list[bytes]:
    """The instructions that test an argument of one call; `test` skips one instruction if it is false."""
    if number is None:
        return []
    return [
        _instruction(JUMP_EQUAL, number, skip_if_not=4),
        _instruction(LOAD, argument),
        test,
        _instruction(RETURN, if_true),
        _instruction(RETURN, if_false),
    ]


def _instruction(code: int, value: int, *, skip_if: int = 0, skip_if_not: int = 0) -> bytes:
    """`struct sock_filter`: a code, how many instructions to skip if a test is true or false, and a value."""
    jumps = bytes((skip_if, skip_if_not))
    return code.to_bytes(2, sys.byteorder) + jumps + value.to_bytes(4, sys.byteorder)
