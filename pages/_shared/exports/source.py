"""Values and calls written as Python code, so that a script can repeat them."""

import builtins
import keyword
import re
import textwrap
from dataclasses import fields, is_dataclass
from functools import partial
from inspect import Parameter, signature
from types import FunctionType
from typing import Any

import numpy as np
from numpy import ndarray

from pages._shared.exports.modules import OURS
from pages._shared.session.cache import Later, digest
from viz.core.scene import Call, Run

WIDTH = 100
BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.VAR_POSITIONAL)


class Unwritable(ValueError):
    """A value that cannot be written down; the message is a sentence for the user."""


class Source:
    """Collects the imports and variables of a script, in the order in which they are needed."""

    def __init__(self) -> None:
        """Start without variables; NumPy is imported in any case."""
        self.imports: list[str] = []
        self.modules: list[str] = []  # modules from which names are imported
        self.variables: list[str] = []
        self._known: dict[str, str] = {}  # by digest: the variable or the imported name
        self._taken = {"np", *dir(builtins), *keyword.kwlist}

    def reserve(self, *names: str) -> None:
        """Keep names for the script's own use."""
        self._taken |= set(names)

    def call(self, call: Call) -> str:
        """Write a call; its arrays, generators and earlier runs become variables above it."""
        own = names(call)
        given = [self.of(value, name) for value, name in zip(call.args, own, strict=True)]
        given += [f"{name}={self.of(value, name)}" for name, value in call.how.items()]
        return _called(self._imported(call.function), given)

    def of(self, value: Any, name: str = "") -> str:
        """Write a value. A long one becomes a variable of that name, if a name is given."""
        if isinstance(value, Run | Later):
            return self._made(value)
        if isinstance(value, np.random.Generator):
            return self._generator(value, name or "rng")
        if isinstance(value, ndarray):
            return self._array(value, name)
        if type(value) is dict:
            items = (f"{self.of(key)}: {self.of(inner, name)}" for key, inner in value.items())
            return f"{{{', '.join(items)}}}"
        if type(value) is list:
            return f"[{', '.join(self.of(inner, name) for inner in value)}]"
        if type(value) is tuple:
            inside = ", ".join(self.of(inner, name) for inner in value)
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if is_dataclass(value) and not isinstance(value, type):
            given = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
            return self._record(type(value), given)
        if isinstance(value, tuple) and (named := getattr(value, "_asdict", None)):
            return self._record(type(value), named())
        if isinstance(value, partial):
            return self._bound(value)
        if isinstance(value, FunctionType | type):
            return self._imported(value)
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | float | str):
            return _finite(repr(value)) if isinstance(value, float) else repr(value)
        raise Unwritable(f"A {type(value).__name__} among the arguments cannot be written down.")

    def _record(self, kind: type, given: dict[str, Any]) -> str:
        """Write a dataclass or a named tuple, field by field."""
        arguments = [f"{field}={self.of(inner, field)}" for field, inner in given.items()]
        return _called(self._imported(kind), arguments)

    def _bound(self, value: partial) -> str:
        """Write a function with its first arguments; arrays among them become variables."""
        own = names(Call(value.func, value.args, {}))
        given = [self.of(each, name) for each, name in zip(value.args, own, strict=True)]
        given += [f"{name}={self.of(each, name)}" for name, each in value.keywords.items()]
        return _called(self._imported(partial), [self._imported(value.func), *given])

    def _made(self, value: Run | Later) -> str:
        """Add a variable for an earlier run or a later result, and return its name."""
        if value.call is None:
            raise Unwritable("The call that made one of the arguments is not known.")
        if value.key in self._known:
            return self._known[value.key]
        text = self.call(value.call)
        if isinstance(value, Run):
            text = f"tuple({text})"
        name = self._known[value.key] = self._fresh(f"of_{value.call.function.__name__}")
        self.variables.append(f"{name} = {text}")
        return name

    def _array(self, value: ndarray, name: str) -> str:
        if value.dtype == object:
            raise Unwritable("An array of objects among the arguments cannot be written down.")
        key = digest(value)
        if key not in self._known and name:
            chosen = self._known[key] = self._fresh(name)
            self.variables.append(f"{chosen} = {array(value)}")
        return self._known.get(key) or array(value)

    def _generator(self, rng: np.random.Generator, name: str) -> str:
        """Add a variable for a generator: by its seed if nothing was drawn yet, or by its state.

        Each call has its own generator, because drawing changes it.
        """
        chosen = self._fresh(name)
        state: Any = rng.bit_generator.state
        seed: Any = getattr(rng.bit_generator.seed_seq, "entropy", None)
        if np.random.default_rng(seed).bit_generator.state == state:
            self.variables.append(f"{chosen} = np.random.default_rng({seed})")
        else:
            kind = type(rng.bit_generator).__name__
            self.variables.append(f"{chosen} = np.random.Generator(np.random.{kind}())")
            self.variables.append(f"{chosen}.bit_generator.state = {state!r}")
        return chosen

    def _imported(self, function: Any) -> str:
        module, name = function.__module__, function.__qualname__
        ours = f"{module}.".startswith(OURS) or function is partial
        if not ours or not name.isidentifier():
            raise Unwritable(f"It needs {name}, which is not part of the package “algorithms”.")
        key = f"{module}.{name}"
        if key not in self._known:
            chosen = self._known[key] = self._fresh(name)
            renamed = "" if chosen == name else f" as {chosen}"
            self.imports.append(f"from {module} import {name}{renamed}")
            self.modules.append(module)
        return self._known[key]

    def _fresh(self, wanted: str) -> str:
        """Return a name that is not taken yet."""
        name, count = wanted, 1
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name


def array(value: ndarray) -> str:
    """Write an array with every digit, one row on each line."""
    kind = value.dtype.name
    if value.dtype.kind == "U":
        return f"np.array({value.tolist()!r})"
    if value.size == 0:
        return f"np.zeros({value.shape}, dtype=np.{kind})"
    suffix = "" if kind in ("float64", "int64", "bool") else f", dtype=np.{kind}"
    text = _finite(str(value.tolist()))
    if value.ndim == 2:
        rows = "".join(f"    {_finite(str(row))},\n" for row in value.tolist())
        text = f"[\n{rows}]"
    elif len(text) > WIDTH - 20:
        text = f"[\n{textwrap.indent(textwrap.fill(text[1:-1], WIDTH - 4), '    ')}\n]"
    return f"np.array({text}{suffix})"


def _finite(text: str) -> str:
    """Return a text with nan and inf written as np.nan and np.inf."""
    return re.sub(r"\b(nan|inf)\b", r"np.\1", text)


def _called(function: str, given: list[str]) -> str:
    """Write a call, on one line if it fits."""
    text = f"{function}({', '.join(given)})"
    if len(text) < WIDTH - 20 and "\n" not in text:
        return text
    lines = "".join(textwrap.indent(f"{one},\n", "    ") for one in given)
    return f"{function}(\n{lines})"


def names(call: Call) -> list[str]:
    """Return the names of the function's parameters for the positional arguments of a call.

    For a function that passes its arguments on to another, they are the other function's names.
    """
    own = [each for each in signature(call.function).parameters.values() if each.kind in BY_PLACE]
    first = call.args[0] if call.args else None
    handed = list(signature(first).parameters) if isinstance(first, FunctionType) else []
    found = []
    for i in range(len(call.args)):
        if i < len(own) and own[i].kind is not Parameter.VAR_POSITIONAL:
            found.append(own[i].name)
        else:
            found.append(handed[i - 1] if handed else own[-1].name)
    return found
