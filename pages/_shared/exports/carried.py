"""Makes modules from texts. Exported scripts hold this code, and the algorithm's files as texts."""

import linecache
import os
import sys
from types import ModuleType

for pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(pool, "1")  # as on the page: more threads add up in another order


def module(name, text):
    """Make a module from its text, so that it can be imported; tracebacks show its lines."""
    text = text.lstrip("\n")
    file = f"<{name.replace('.', '/')}.py>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    parts = name.split(".")
    for i in range(1, len(parts)):  # its packages
        sys.modules.setdefault(".".join(parts[:i]), package(".".join(parts[:i])))
    made = sys.modules[name] = ModuleType(name)
    made.__file__ = file
    exec(compile(text, file, "exec"), vars(made))
    setattr(sys.modules[name.rpartition(".")[0]], parts[-1], made)


def package(name):
    """Make an empty package."""
    made = ModuleType(name)
    made.__path__ = []
    return made


class Shape:
    """A replacement for jaxtyping's types where it is missing: Float[ndarray, "n"] is ndarray."""

    def __class_getitem__(cls, item):
        """Return the type without its shape."""
        return item[0]


try:
    import jaxtyping as _jaxtyping  # noqa: F401
except ImportError:
    sys.modules["jaxtyping"] = ModuleType("jaxtyping")
    sys.modules["jaxtyping"].__getattr__ = lambda name: Shape
