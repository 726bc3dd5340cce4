"""Keeps the memory of the process small: what is free goes back to the system."""

import gc
import sys
from contextlib import suppress
from typing import Any

# Of glibc's malloc. A thread has an arena of its own, which keeps what was free once, and every
# rerun is a thread. Arrays of more than LARGE bytes have pages of their own, which go back as soon
# as the array does; glibc would raise this limit up to 32 MB by itself.
M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
ARENAS, LARGE = 2, 2**21


def bound() -> None:
    """Have the allocator keep little of what is freed; other systems do so by themselves."""
    if libc := _glibc():
        libc.mallopt(M_ARENA_MAX, ARENAS)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Collect garbage, and return what is free to the system."""
    gc.collect()
    trim()


def trim() -> None:
    """Have the allocator return what is free to the system."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> Any:
    """Return the C library where it is glibc, else None."""
    if sys.platform != "linux":
        return None
    import ctypes  # here, for it may be missing where there is no server

    with suppress(OSError):
        libc = ctypes.CDLL("libc.so.6")
        return libc if hasattr(libc, "mallopt") else None
    return None
