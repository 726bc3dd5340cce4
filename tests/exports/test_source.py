"""Values written as Python code are the same when Python reads them."""

import ast
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.kernels import linear, rbf
from algorithms.core.pipeline import on_features
from algorithms.networks.convolution.convolutional_network import Shape
from pages._shared.exports.source import Source, Unwritable
from pages._shared.session.cache import Later, digest
from viz.core.scene import Call, Run

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=6,
)
KINDS = ["f8", "f4", "i8", "i4", "u1", "?"]


def read(source: Source, text: str) -> Any:
    """Return the value that was written."""
    scope: dict[str, Any] = {}
    exec("\n".join(["import numpy as np", *source.imports, *source.variables]), scope)
    return eval(text, scope)


@given(VALUES)
def test_any_plain_value_is_read_as_it_was(value: Any) -> None:
    source = Source()
    assert digest(read(source, source.of(value))) == digest(value)


@given(st.sampled_from(KINDS).flatmap(lambda kind: arrays.arrays(kind, arrays.array_shapes())))
def test_any_array_is_read_as_it_was(value: np.ndarray) -> None:
    source = Source()
    again = read(source, source.of(value, "X"))
    assert (again.dtype, again.shape) == (value.dtype, value.shape)
    np.testing.assert_array_equal(again, value)
    assert source.variables, "an array with a name is a variable"


@pytest.mark.parametrize("value", [np.zeros((0, 2)), np.array(["a'b", "nan"]), np.float64(0.1)])
def test_rare_arrays_are_read_as_they_were(value: Any) -> None:
    source = Source()
    np.testing.assert_array_equal(read(source, source.of(value)), value)


def test_a_generator_goes_on_where_it_was() -> None:
    fresh, used = np.random.default_rng([3, 2]), np.random.default_rng(7)
    used.random(5)
    source = Source()
    texts = [source.of(rng, "rng") for rng in (fresh, used, np.random.default_rng([3, 2]))]
    assert len(set(texts)) == 3, "each call needs its own, even if two begin alike"
    assert f"{texts[0]} = np.random.default_rng([3, 2])" in source.variables
    for text, rng in zip(texts, (fresh, used), strict=False):
        assert read(source, text).random() == rng.random()


def test_equal_arrays_are_one_variable_and_no_name_is_given_twice() -> None:
    X, y = np.arange(6.0).reshape(3, 2), np.arange(3)
    source = Source()
    assert source.of(X, "X") == source.of(X.copy(), "Z") == "X"
    assert source.of(y, "X") == "X_2"
    assert source.of(y + 1, "list") == "list_2", "what Python calls list stays what it is"


def test_records_and_functions_are_imported() -> None:
    source = Source()
    text = source.of({"kernel": rbf(0.5) + linear(), "rule": k_means, "shape": Shape("tanh")})
    again = read(source, text)
    assert again["kernel"] == rbf(0.5) + linear()
    assert again["shape"] == Shape("tanh") and type(again["shape"]) is Shape
    assert again["rule"] is k_means


def test_a_call_names_its_arguments_as_the_function_does() -> None:
    X = np.arange(8.0).reshape(4, 2)
    call = Call(on_features, (k_means, X, 2), {"rng": np.random.default_rng(0), "degree": 2})
    source = Source()
    text = source.call(call)
    assert [each.partition(" = ")[0] for each in source.variables] == ["X", "rng"]
    written = ast.unparse(ast.parse(text))
    assert written == "on_features(k_means, X, 2, rng=rng, degree=2)"
    assert len(list(read(source, text))) > 1


def test_what_a_call_needs_is_made_first_and_once() -> None:
    X = np.arange(8.0).reshape(4, 2)
    starts = Run("a", (), call=Call(k_means, (X, 2), {"rng": np.random.default_rng(1)}))
    kernel = Later("b", lambda: rbf(2.0), Call(rbf, (2.0,), {}))
    source = Source()
    assert source.of((starts, kernel, starts)) == "(of_k_means, of_rbf, of_k_means)"
    made, value, _ = read(source, "(of_k_means, of_rbf, 0)")
    assert type(made) is tuple and len(made) > 1
    assert value == rbf(2.0)


class Foreign:
    """A class of no package that a script could import from."""


@pytest.mark.parametrize(
    "value",
    [Foreign(), Foreign, test_a_generator_goes_on_where_it_was, np.array([None]), {1, 2},
     Run("a", ()), Call(k_means, (), {})],
    ids=["object", "class", "test", "objects", "set", "run", "call"],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_with_a_sentence(value: Any) -> None:
    with pytest.raises(Unwritable, match=r"^[A-Z].*\.$"):
        Source().of(value)
