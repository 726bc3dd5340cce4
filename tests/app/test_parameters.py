from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages._shared.session import parameters

DEFAULTS = {"k": 3, "noise": 0.5, "n": 20, "init": "k-means++", "method": "newton", "rate": 1.0}
DEFAULTS |= {"power": 2, "standardize": True}


def page() -> None:
    import streamlit as st

    from pages._shared.session import parameters

    state = st.session_state
    which = state.get("which", "first")
    parameters.begin(which)
    found = {
        "k": parameters.slider("k", "Clusters", 1, state.get("most", 8), 3),
        "noise": parameters.slider("noise", "Noise", 0.0, 1.0, 0.5, 0.05),
    }
    if which == "first":
        found |= {
            "n": parameters.number("n", "Points", 1, 100, 20),
            "init": parameters.choice("init", "Start", ["k-means++", "random"], "k-means++"),
            "method": parameters.buttons("method", "Method", ["newton", "gradient"], "newton"),
            "rate": parameters.log_slider("rate", "Rate", [0.01, 0.1, 1.0, 10.0], 1.0),
            "power": parameters.buttons("power", "Power", [1, 2, 3], 2),
            "standardize": parameters.toggle("standardize", "Standardise", True),
        }
    parameters.write_url()
    state.found = found


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    app.query_params = link
    app.run()
    assert not app.exception
    return app


def test_without_a_link_everything_has_its_default() -> None:
    app = opened()
    assert app.session_state.found == DEFAULTS
    assert app.query_params == {}


@pytest.mark.parametrize(
    ("name", "text", "value", "address"),
    [
        ("k", "5", 5, "5"),
        ("k", "8.0", 8, "8"),
        ("k", "1", 1, "1"),
        ("noise", "0", 0.0, "0"),
        ("noise", "0.35", 0.35, "0.35"),
        ("noise", "1e0", 1.0, "1"),
        ("n", "100", 100, "100"),
        ("init", "random", "random", "random"),
        ("method", "gradient", "gradient", "gradient"),
        ("power", "3", 3, "3"),
        ("rate", "0.01", 0.01, "0.01"),
        ("rate", "0.2", 0.1, "0.1"),
        ("rate", "7", 10.0, "10"),
        ("standardize", "False", False, "False"),
    ],
)
def test_a_link_sets_what_it_names(name: str, text: str, value: Any, address: str) -> None:
    app = opened(**{name: text})
    assert app.session_state.found == DEFAULTS | {name: value}
    assert type(app.session_state.found[name]) is type(DEFAULTS[name])
    assert app.query_params == {name: address}
    assert app.session_state.refused == []


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("k", "0", "Clusters: 0 is not between 1 and 8"),
        ("k", "9", "Clusters: 9 is not between 1 and 8"),
        ("k", "-3", "Clusters: -3 is not between 1 and 8"),
        ("k", "2.5", "Clusters: 2.5 is not a whole number"),
        ("k", "many", "Clusters: “many” is not a number"),
        ("k", "", "Clusters: “” is not a number"),
        ("k", "nan", "Clusters: nan is not between 1 and 8"),
        ("k", "1e999", "Clusters: 1e999 is not between 1 and 8"),
        ("noise", "1.01", "Noise: 1.01 is not between 0 and 1"),
        ("noise", "0,5", "Noise: “0,5” is not a number"),
        ("n", "1e3", "Points: 1e3 is not between 1 and 100"),
        ("init", "Random", "Start: “Random” is not one of k-means++, random"),
        ("method", "", "Method: “” is not one of newton, gradient"),
        ("power", "2.0", "Power: “2.0” is not one of 1, 2, 3"),
        ("rate", "0", "Rate: 0 is not between 0.01 and 10"),
        ("rate", "fast", "Rate: “fast” is not a number"),
        ("standardize", "yes", "Standardise: “yes” is not one of False, True"),
        ("k", "x" * 500, f"Clusters: “{'x' * 40}” is not a number"),
        ("k", "9" * 500, f"Clusters: {'9' * 40} is not between 1 and 8"),
    ],
)
def test_a_bad_link_is_refused_with_a_sentence(name: str, text: str, why: str) -> None:
    app = opened(**{name: text})
    assert app.session_state.found == DEFAULTS
    assert app.session_state.refused == [why]
    assert app.query_params == {}, "the address is put right"


def test_the_good_part_of_a_link_counts() -> None:
    app = opened(k="5", noise="loud", unknown="1")
    assert app.session_state.found == DEFAULTS | {"k": 5}
    assert len(app.session_state.refused) == 1
    assert app.query_params == {"k": "5"}


@given(st.text())
def test_any_text_is_a_value_or_a_sentence(text: str) -> None:
    parsers: list[Callable] = [
        parameters._number(int, 1, 8),
        parameters._number(float, 0.0, 1.0),
        parameters._one_of(["a", "b"]),
    ]
    for parse in parsers:
        try:
            assert parse(text) is not None
        except ValueError as error:
            assert "not" in str(error)
            assert len(str(error)) < 120


def test_widgets_write_the_address() -> None:
    app = opened()
    app.slider(key="k").set_value(6).run()
    app.toggle(key="standardize").set_value(False).run()
    app.select_slider(key="rate").set_value(0.1).run()
    app.button_group(key="method").set_value("gradient").run()
    assert not app.exception
    changed = {"k": 6, "standardize": False, "rate": 0.1, "method": "gradient"}
    assert app.session_state.found == DEFAULTS | changed
    assert app.query_params == {name: str(value) for name, value in changed.items()}
    app.slider(key="k").set_value(3).run()
    assert "k" not in app.query_params, "defaults are left out"


def test_a_link_puts_what_it_does_not_name_back() -> None:
    app = opened(k="5", init="random")
    app.query_params = {"k": "4"}
    app.run()
    assert app.session_state.found == DEFAULTS | {"k": 4}
    assert app.slider(key="k").value == 4
    assert app.selectbox(key="init").value == "k-means++"
    assert app.query_params == {"k": "4"}


def test_its_own_address_is_no_link() -> None:
    app = opened(k="5")
    assert app.session_state.links == 1
    app.slider(key="k").set_value(6).run()
    app.run()
    assert app.session_state.links == 1
    assert app.session_state.found["k"] == 6


def test_values_are_kept_between_pages() -> None:
    app = opened(k="5", init="random")
    for which in ("second", "first"):
        app.session_state.which = which
        app.query_params = {}
        app.run()
        assert not app.exception
        assert app.session_state.found["k"] == 5
        assert app.slider(key="k").value == 5
    assert app.session_state.found["init"] == "random"
    assert app.query_params == {"k": "5", "init": "random"}


def test_a_kept_value_outside_new_limits_falls_back() -> None:
    app = opened(k="7")
    app.session_state.most = 6
    app.run()
    assert not app.exception
    assert app.session_state.found["k"] == app.slider(key="k").value == 3
    assert app.session_state.refused == []
