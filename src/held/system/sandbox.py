"""What a child that reads bytes of strangers may no longer do: write, start programs, reach a network.

On Linux the kernel is told so with a seccomp filter, which needs no rights and cannot be taken back. The
filter names what is refused, not what is allowed: PDFium and the interpreter need dozens of calls, others on
each system, while the ways to write, to run and to connect are few and known. A refused call fails with "not
permitted", so that a library that only tries goes on. Files can still be read: the child has to open the PDF
itself.

Imports are few: a child must start fast. What is promised where stands in docs/security.md.
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from collections.abc import Mapping

# From <linux/prctl.h>, <linux/seccomp.h> and <linux/audit.h>.
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
SECCOMP_MODE_FILTER = 2
ALLOW, REFUSE, END = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS = 1, 38
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_CALLS = 0x40000000  # the second set of numbers of x86-64, where the same calls have other ones

# From <linux/bpf_common.h>: load a word, jump, give an answer. And where `struct seccomp_data` has what.
LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT = 0, 4, 16, 24, 32
CLONE_THREAD = 0x00010000

# Each call with its number on x86-64 and on 64-bit ARM, None where there is none.
REFUSED: Mapping[str, tuple[int | None, int | None]] = {
    # a network, and sockets of any kind
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
    # programs and processes; threads are looked at apart
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
# Calls whose arguments the filter cannot see, or that would go round it: libraries do without where the
# kernel does not know them.
UNKNOWN: Mapping[str, tuple[int | None, int | None]] = {
    "clone3": (435, 435),
    "openat2": (437, 437),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
# Calls that are allowed or not by what they ask for.
OPEN, OPENAT, CLONE, TGKILL = (2, None), (257, 56), (56, 220), (234, 131)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Filter(ctypes.Structure):
    """`struct sock_fprog`: a filter as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def enter() -> str | None:
    """Shuts this process in for good; None if that was done, or why it was not, in words."""
    if not sys.platform.startswith("linux"):
        return f"{sys.platform} has no seccomp"
    machine = os.uname().machine
    if machine not in ARCHITECTURES or sys.maxsize < 2**32:
        return f"the calls of {machine} are not known"
    steps = program(machine)
    content = ctypes.create_string_buffer(steps, len(steps))
    told = _Filter(len(steps) // 8, ctypes.cast(content, ctypes.c_void_p))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    # The kernel wants new rights given up first: a filter could fool a program that gets them.
    given_up = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    if not given_up or prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(told)) != 0:
        return f"the kernel refuses: {os.strerror(ctypes.get_errno())}"
    return None


def program(machine: str) -> bytes:
    """The filter for a machine, as steps of the kernel's small language."""
    column = list(ARCHITECTURES).index(machine)
    numbers = [found[column] for found in REFUSED.values()]
    steps = [
        _step(LOAD, ARCHITECTURE),
        _step(JUMP_EQUAL, ARCHITECTURES[machine], over_if=1),
        _step(RETURN, END),
        _step(LOAD, CALL),
    ]
    if machine == "x86_64":
        steps += [_step(JUMP_GREATER_EQUAL, X32_CALLS, over_if_not=1), _step(RETURN, REFUSE | ENOSYS)]
    for number in numbers:
        steps += _answered(number, REFUSE | EPERM)
    for found in UNKNOWN.values():
        steps += _answered(found[column], REFUSE | ENOSYS)
    steps += _answered_by_bits(OPEN[column], SECOND_ARGUMENT, WRITING, if_any=REFUSE | EPERM, if_none=ALLOW)
    steps += _answered_by_bits(OPENAT[column], THIRD_ARGUMENT, WRITING, if_any=REFUSE | EPERM, if_none=ALLOW)
    steps += _answered_by_bits(
        CLONE[column], FIRST_ARGUMENT, CLONE_THREAD, if_any=ALLOW, if_none=REFUSE | EPERM
    )
    # A process may end itself, which is how a library gives up.
    steps += _answered_by_value(TGKILL[column], FIRST_ARGUMENT, os.getpid(), if_other=REFUSE | EPERM)
    steps.append(_step(RETURN, ALLOW))
    return b"".join(steps)


def _answered(number: int | None, answer: int) -> list[bytes]:
    """The steps that give an answer to one call."""
    if number is None:
        return []
    return [_step(JUMP_EQUAL, number, over_if_not=1), _step(RETURN, answer)]


def _answered_by_bits(
    number: int | None, argument: int, bits: int, *, if_any: int, if_none: int
) -> list[bytes]:
    """The steps that give one call the answer that some bits of an argument ask for."""
    if number is None:
        return []
    return [
        _step(JUMP_EQUAL, number, over_if_not=4),
        _step(LOAD, argument),
        _step(JUMP_ANY_BIT, bits, over_if_not=1),
        _step(RETURN, if_any),
        _step(RETURN, if_none),
    ]


def _answered_by_value(number: int | None, argument: int, value: int, *, if_other: int) -> list[bytes]:
    """The steps that allow one call where an argument is this value."""
    if number is None:
        return []
    return [
        _step(JUMP_EQUAL, number, over_if_not=4),
        _step(LOAD, argument),
        _step(JUMP_EQUAL, value, over_if_not=1),
        _step(RETURN, ALLOW),
        _step(RETURN, if_other),
    ]


def _step(code: int, value: int, *, over_if: int = 0, over_if_not: int = 0) -> bytes:
    """`struct sock_filter`: what to do, how many steps to leap if it holds or not, and a value."""
    return code.to_bytes(2, sys.byteorder) + bytes((over_if, over_if_not)) + value.to_bytes(4, sys.byteorder)
