"""Check JSON against a TypedDict, to any depth."""

from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict


def check(value: Any, kind: Any, where: str = "") -> None:
    """Raise AssertionError, with the place, if JSON is not what a type declares."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        _check_fields(value, kind, where or kind.__name__)
    elif kind is Any:
        pass
    elif origin is NotRequired:
        check(value, inner[0], where)
    elif origin is UnionType:
        rest = [each for each in inner if each is not NoneType]
        assert len(rest) == 1, f"{where}: this check knows unions with None only"
        if value is not None:
            check(value, rest[0], where)
    elif origin is Literal:
        assert value in inner, f"{where}: {value!r} is none of {inner}"
    elif origin is list:
        _check_type(value, list, where)
        for i, each in enumerate(value):
            check(each, inner[0], f"{where}[{i}]")
    elif origin is tuple:
        _check_type(value, list, where)
        assert len(value) == len(inner), f"{where}: {value!r} has not {len(inner)} parts"
        for i, (each, one) in enumerate(zip(value, inner, strict=True)):
            check(each, one, f"{where}[{i}]")
    elif origin is dict:
        _check_type(value, dict, where)
        for name, each in value.items():
            check(name, inner[0], f"{where}: the key")
            check(each, inner[1], f"{where}[{name!r}]")
    else:
        allowed = (int, float) if kind is float else (kind,)
        fits = type(value) in allowed  # True is no number
        assert fits, f"{where}: {value!r} is no {kind.__name__}"


def _check_type(value: Any, kind: type, where: str) -> None:
    assert type(value) is kind, f"{where}: {value!r:.80} is no {kind.__name__}"


def _check_fields(value: Any, kind: Any, where: str) -> None:
    _check_type(value, dict, where)
    declared = get_type_hints(kind, include_extras=True)
    assert value.keys() <= declared.keys(), f"{where}: {value.keys() - declared.keys()} undeclared"
    missing = kind.__required_keys__ - value.keys()
    assert not missing, f"{where}: {missing} missing"
    for name, each in value.items():
        check(each, declared[name], f"{where}.{name}")
