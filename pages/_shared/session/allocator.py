"""Keeps the memory of the process small by returning free memory to the system."""

import gc
import sys
from contextlib import suppress
from typing import Any

# Options of glibc's malloc. Every thread has its own arena, which keeps freed memory, and every
# rerun is a thread. Arrays of more than LARGE bytes have their own pages, which go back with the
# array; by itself, glibc would raise this limit up to 32 MB.
M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
ARENAS, LARGE = 2, 2**21


def bound() -> None:
    """Make glibc keep little freed memory; other systems do so by themselves."""
    if libc := _glibc():
        libc.mallopt(M_ARENA_MAX, ARENAS)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Collect garbage, and return free memory to the system."""
    gc.collect()
    trim()


def trim() -> None:
    """Make glibc return free memory to the system."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> Any:
    """Return the C library if it is glibc, otherwise None."""
    if sys.platform != "linux":
        return None
    import ctypes  # here, because it may be missing where there is no server

    with suppress(OSError):
        libc = ctypes.CDLL("libc.so.6")
        return libc if hasattr(libc, "mallopt") else None
    return None
