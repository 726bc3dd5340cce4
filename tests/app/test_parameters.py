from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages._shared.session import values
from pages._shared.session.state import KEY, Session
from pages._shared.stage import fork
from pages._shared.stage.handles import read_places

DEFAULTS = {"k": 3, "noise": 0.5, "n": 20, "init": "k-means++", "method": "newton", "rate": 1.0}
DEFAULTS |= {"power": 2, "standardize": True}


def page() -> None:
    import streamlit as st

    from pages._shared.session import parameters
    from pages._shared.session.parameters import Parameters

    state = st.session_state
    which = state.get("which", "first")
    parameters.begin(which)
    shared = Parameters(parameters.DATA, st.sidebar)
    own = Parameters(which, st.sidebar)
    found = {
        "noise": shared.slider("noise", "Noise", 0.0, 1.0, 0.5, 0.05),
        "k": own.slider("k", "Clusters", 1, state.get("most", 8), 3),
    }
    if which == "first":
        found |= {
            "n": own.number("n", "Points", 1, 100, 20),
            "init": own.choice("init", "Start", ["k-means++", "random"], "k-means++"),
            "method": own.buttons("method", "Method", ["newton", "gradient"], "newton"),
            "rate": own.log_slider("rate", "Rate", [1e-6, 0.1, 1.0, 10.0], 1.0),
            "power": own.buttons("power", "Power", [1, 2, 3], 2),
            "standardize": own.toggle("standardize", "Standardise", True, before="scale"),
        }
    parameters.write_url()
    state.found = found


def session(app: AppTest) -> Session:
    return app.session_state[KEY]


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
        ("rate", "1e-06", 1e-6, "1e-06"),
        ("rate", "0.1000001", 0.1, "0.1"),
        ("standardize", "False", False, "False"),
    ],
)
def test_a_link_sets_what_it_names(name: str, text: str, value: Any, address: str) -> None:
    app = opened(**{name: text})
    assert app.session_state.found == DEFAULTS | {name: value}
    assert type(app.session_state.found[name]) is type(DEFAULTS[name])
    assert app.query_params == {name: address}
    assert session(app).refused == []


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
        ("rate", "0", "Rate: 0 is not between 1e-06 and 10"),
        ("rate", "fast", "Rate: “fast” is not a number"),
        ("standardize", "yes", "Standardise: “yes” is not one of False, True"),
        ("k", "x" * 500, f"Clusters: “{'x' * 40}” is not a number"),
        ("k", "9" * 500, f"Clusters: {'9' * 40} is not between 1 and 8"),
    ],
)
def test_a_bad_link_is_refused_with_a_sentence(name: str, text: str, why: str) -> None:
    app = opened(**{name: text})
    assert app.session_state.found == DEFAULTS
    assert session(app).refused == [why]
    assert app.query_params == {}, "the address is put right"


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [("0.2", 0.1, "0.1"), ("7", 10.0, "10"), ("0.50000001", 0.1, "0.1")],
)
def test_a_value_between_two_of_a_slider_is_corrected_with_a_sentence(
    text: str, value: float, shown: str
) -> None:
    app = opened(rate=text)
    assert app.session_state.found == DEFAULTS | {"rate": value}
    assert app.query_params == {"rate": shown}
    (sentence,) = session(app).refused
    assert sentence.startswith(f"Rate: {text} ") and sentence.endswith(f" {shown}")
    app.run()
    assert app.session_state.found["rate"] == value
    assert session(app).refused == []


def test_the_good_part_of_a_link_counts() -> None:
    app = opened(k="5", noise="loud", unknown="1")
    assert app.session_state.found == DEFAULTS | {"k": 5}
    assert len(session(app).refused) == 1
    assert app.query_params == {"k": "5"}


@given(st.text())
def test_any_text_is_a_value_or_a_sentence(text: str) -> None:
    parsers: list[Callable] = [
        values.number(int, 1, 8),
        values.number(float, 0.0, 1.0),
        values.one_of(["a", "b"]),
    ]
    for parse in parsers:
        try:
            assert parse(text) is not None
        except ValueError as error:
            assert "not" in str(error)
            assert len(str(error)) < 120


def test_widgets_write_the_address() -> None:
    app = opened()
    app.slider(key="first.k").set_value(6).run()
    app.toggle(key="first.standardize").set_value(False).run()
    app.select_slider(key="first.rate").set_value(0.1).run()
    app.button_group(key="first.method").set_value("gradient").run()
    assert not app.exception
    changed = {"k": 6, "standardize": False, "rate": 0.1, "method": "gradient"}
    assert app.session_state.found == DEFAULTS | changed
    assert app.query_params == {name: str(value) for name, value in changed.items()}
    app.slider(key="first.k").set_value(3).run()
    assert "k" not in app.query_params, "defaults are left out"


def test_a_link_puts_what_it_does_not_name_back() -> None:
    app = opened(k="5", init="random")
    app.query_params = {"k": "4"}
    app.run()
    assert app.session_state.found == DEFAULTS | {"k": 4}
    assert app.slider(key="first.k").value == 4
    assert app.selectbox(key="first.init").value == "k-means++"
    assert app.query_params == {"k": "4"}


def test_its_own_address_is_no_link() -> None:
    app = opened(k="5")
    assert session(app).links == 1
    app.slider(key="first.k").set_value(6).run()
    app.run()
    assert session(app).links == 1
    assert app.session_state.found["k"] == 6


def test_shared_parameters_go_from_page_to_page_and_the_others_stay_at_home() -> None:
    app = opened(k="5", noise="0.2", init="random")
    app.session_state.which = "second"
    app.query_params = {}
    app.run()
    assert app.session_state.found == {"noise": 0.2, "k": 3}
    assert app.query_params == {"noise": "0.2"}
    app.slider(key="second.k").set_value(8).run()
    app.session_state.which = "first"
    app.query_params = {}
    app.run()
    assert not app.exception
    assert app.session_state.found == DEFAULTS | {"k": 5, "noise": 0.2, "init": "random"}
    assert app.slider(key="first.k").value == 5
    assert app.query_params == {"k": "5", "noise": "0.2", "init": "random"}


def test_a_link_to_one_page_leaves_the_parameters_of_another() -> None:
    app = opened(k="5")
    app.session_state.which, app.query_params = "second", {"k": "7"}
    app.run()
    assert app.session_state.found["k"] == 7
    app.session_state.which, app.query_params = "first", {}
    app.run()
    assert app.session_state.found["k"] == 5


def test_what_nobody_chose_is_not_kept() -> None:
    app = opened(k="5")
    assert session(app).kept == {"data": {}, "first": {"k": 5}}
    app.toggle(key="first.standardize").set_value(False).run()
    assert session(app).kept["first"] == {"k": 5, "standardize": False}


NAMES = ["page", "link", "table", "kept", "board", "drawn", "stage", "chalkline", "data", "own"]


def test_a_parameter_may_have_any_name() -> None:
    def page(names: list[str]) -> None:
        import streamlit as st

        from pages._shared.session import parameters
        from pages._shared.session.parameters import Parameters

        parameters.begin("lab")
        own = Parameters("lab", st.sidebar)
        st.session_state.found = [own.slider(name, name, 0, 9, 1) for name in names]
        parameters.write_url()

    app = AppTest.from_function(page, kwargs={"names": NAMES})
    app.query_params = dict.fromkeys(NAMES, "4")
    app.run()
    for name in NAMES:
        app.slider(key=f"lab.{name}").set_value(7).run()
    assert not app.exception
    assert app.session_state.found == [7] * len(NAMES)


def test_two_parameters_of_one_name_are_noticed(caplog) -> None:
    def page() -> None:
        import streamlit as st

        from pages._shared.session import parameters
        from pages._shared.session.parameters import Parameters

        parameters.begin("lab")
        Parameters("data", st.sidebar).slider("second", "Second", 0, 9, 1)
        Parameters("lab", st.sidebar).slider("second", "Second", 0, 9, 1)

    app = AppTest.from_function(page)
    app.run()
    assert app.exception
    assert "two parameters of one page are called second" in caplog.text


def test_a_renamed_parameter_is_found_in_links_of_old() -> None:
    app = opened(scale="False")
    assert app.session_state.found == DEFAULTS | {"standardize": False}
    assert app.query_params == {"standardize": "False"}
    assert opened(scale="True", standardize="False").session_state.found["standardize"] is False


def test_what_cannot_be_its_value_is_left_under_the_name_of_old() -> None:
    app = opened(scale="0.3")  # may be another parameter's, in the mode that is shown
    assert app.session_state.found == DEFAULTS
    assert session(app).refused == []


def test_a_kept_value_outside_new_limits_falls_back() -> None:
    app = opened(k="7")
    app.session_state.most = 6
    app.run()
    assert not app.exception
    assert app.session_state.found["k"] == app.slider(key="first.k").value == 3
    assert session(app).refused == []


def test_a_slider_in_the_hand_is_heard_as_it_is_written() -> None:
    app = opened()
    session(app).live = ("first-rate", "1", "10⁻⁶")
    assert app.run().session_state.found == DEFAULTS | {"rate": 1e-6}
    session(app).live = ("first-rate", "10⁻⁶", "0.1")  # another one: it is at 1
    assert app.run().session_state.found == DEFAULTS


@pytest.mark.parametrize("minus", "-−‐‑‒–﹣－")
def test_every_minus_sign_in_a_link_is_a_minus(minus: str) -> None:
    assert values.number(float, -3, 3)(f"{minus}1.5") == -1.5
    assert values.number(float, 0, 3)(f"5e{minus}1") == 0.5
    assert read_places(f"{minus}1,2;3,{minus}4e{minus}1").tolist() == [[-1, 2], [3, -0.4]]
    assert fork.read_moved(f"3,{minus}1,2") == {3: (-1, 2)}
