"""What if a step went otherwise: in every lab that asks, from the button to the exported script."""

import pytest

from pages._shared.exports.program import as_script, program
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import accepted_by_plotly

BY_NAME = {lab.name: lab for lab in LABS}
FORKS = {  # the link, the step that is shown, how the next one is changed, and what is said of it
    "k_means": ({"data": "outlier", "k": "2"}, 1, {"centers": "-1,0;2,2"},
                "By hand: centre 1 goes to (−1.000, 0.000), centre 2 goes to (2.000, 2.000); "),
    "gaussian_mixture": ({"data": "outlier", "k": "2"}, 2, {"centers": "-1,0;2,2"},
                         "By hand: mean 1 goes to (−1.000, 0.000), mean 2 goes to (2.000, 2.000)"),
    "decision_tree": ({"data": "xor", "held": "20"}, 0, {"feature": "0", "cut": "0,0"},
                      "Split 1, by hand: x ≤ "),
    "perceptron": ({"data": "gates", "n": "4", "noise": "0", "second": "1"}, 0, {},
                   "but its update is skipped"),
    "logistic_regression": ({"data": "outlier", "steps": "10"}, 2, {"rate": "0.1"},
                            "From here on η = 0.1. "),
    "linear_regression": ({"view": "descent", "steps": "10"}, 2, {"rate": "0.03"},
                          "From here on η = 0.03, and not 0.1. "),
    "multilayer_perceptron": ({"data": "outlier", "epochs": "30"}, 2, {"rate": "0.3"},
                              "From here on η = 0.3. "),
}  # fmt: skip


def caption(session: Session, step: int) -> list[str]:
    return session.opening["frames"][str(step)]["caption"].split("\n")


def test_a_step_goes_otherwise_and_the_link_and_the_script_hold_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session().watch(monkeypatch)
    for name, (link, at, ways, said) in FORKS.items():
        session.open(BY_NAME[name], **link, step=str(at + 1))
        was = session.stage
        assert was["forks"] and was["fork"] == 0, name
        plainly = caption(session, at + 1)[0]
        session.fork(at)
        step = at + 1
        assert session.stage["fork"] == session.value("fork") == step, name
        address = session.state.address | {f"if.{way}": text for way, text in ways.items()}
        session.open(BY_NAME[name], **address, step=str(step))
        assert session.state.refused == [] and session.state.address == address, name
        first, before, *_ = caption(session, step)
        assert said in first and before == f"As it was, dash-dotted: {plainly}", name
        assert f"step {step} is done otherwise" in session.captions[0]
        *old, key = session.figure(step)["layout"]["annotations"]
        assert key["text"] == "faint, dash-dotted: as it was" and not old
        accepted_by_plotly(session.figure(step))
        drawn, before = (session.figure(at)["data"] for at in (step, 0))
        more = slice(1, 1 + len(drawn) - len(was["opening"]["views"][0]["first"]["data"]))
        assert drawn[more] and all(ghost["visible"] for ghost in drawn[more])
        assert not any(ghost["visible"] for ghost in before[more])
        exec(compile(as_script(program(session.run_shown, ["what if"])), "script", "exec"), {})
        session.fork(step)
        assert session.stage["fork"] == 0 and session.stage["run"] == was["run"], name
        assert not any(way.startswith("if.") for way in session.state.address)


def test_what_a_fork_was_told_is_forgotten_with_it() -> None:
    session = Session().open(BY_NAME["k_means"], k="2", fork="2", **{"if.centers": "-1,0;2,2"})
    assert session.stage["handles"][-1]["places"] == [[-1, 0], [2, 2]]
    session.press("As it was")
    assert session.stage["fork"] == 0
    total = session.opening["total"]
    session.fork(total - 1)  # after the last step
    assert session.value("fork") == total
    assert "now all are where they were" in caption(session, total)[0]
    session.set("slider", "k", 3)  # other centres, each where it is
    assert len(session.stage["handles"][-1]["places"]) == 3 and session.state.refused == []


def test_a_damaged_fork_is_refused_with_a_sentence() -> None:
    session = Session()
    for damaged, sentence in {
        "abc": "“abc” is not a number",
        "-1": "-1 is not between 0 and 1e+06",
        "999": "999 is not between 0 and ",
    }.items():
        session.open(BY_NAME["decision_tree"], fork=damaged)
        (refused,) = session.state.refused
        assert f"Step done otherwise: {sentence}" in refused
        assert session.stage["fork"] == 0 and "fork" not in session.state.address
    session.open(BY_NAME["decision_tree"], fork="1", **{"if.cut": "x", "if.feature": "7"})
    assert len(session.state.refused) == 2 and session.stage["fork"] == 1
    session.open(BY_NAME["decision_tree"], fork="1", **{"if.feature": "0", "if.cut": "99,99"})
    assert session.state.refused == [] and session.stage["error"] is None
    session.open(BY_NAME["decision_tree"], fork="9", data="xor")
    assert session.state.refused and session.stage["fork"] == 0


def test_a_fork_waits_while_the_run_is_too_short_for_it() -> None:
    session = Session().open(BY_NAME["decision_tree"], data="xor", fork="5")
    session.set("slider", "depth", 1)
    assert session.stage["fork"] == 0 and session.value("fork") == 5
    assert any("this run has no step 5" in each.value for each in session.app.sidebar.caption)
    session.set("slider", "depth", 5)
    assert session.stage["fork"] == 5


def test_a_mode_without_such_steps_is_left_alone() -> None:
    session = Session().open(BY_NAME["decision_tree"], view="ID3")
    assert session.stage["forks"] is False
    session.fork(2)
    assert session.stage["fork"] == 0
    session.open(BY_NAME["decision_tree"], view="ID3", fork="2")
    assert session.state.refused == ["It names what cannot be set here: “fork”"]


def test_two_settings_side_by_side_can_be_forked_too() -> None:
    session = Session().open(
        BY_NAME["perceptron"], beside="perceptron", order="cyclic",
        **{"right.order": "cyclic", "right.fork": "1"},
    )  # fmt: skip
    assert session.stage["error"] is None and session.state.refused == []
    assert "its update is skipped" in session.captions[1]
