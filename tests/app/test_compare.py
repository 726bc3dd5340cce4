from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.lab.compare import RIGHT
from tests.app.session import Session, on_board
from tests.house.every_lab import EVERY_LAB

BY_NAME = {lab.name: lab for lab in LABS}


def titles(session: Session) -> list[str]:
    return [view["title"] for view in session.opening["views"]]


def test_two_labs_of_one_kind_stand_side_by_side(session: Session) -> None:
    session.open(BY_NAME["k_means"], data="moons", beside="gaussian_mixture", k="3",
                 **{"right.k": "4"})  # fmt: skip
    stage = session.stage
    assert stage["error"] is None and stage["opening"]["equal"]
    assert titles(session) == ["k-means", "EM for mixtures"]
    assert (session.value("k"), session.value("right.k")) == (3, 4)
    first, left, right = session.captions[-1].split("\n")
    assert first.startswith(("Ringed: the ", "They put the same points together."))
    assert left.startswith("k-means") and right.startswith("EM for mixtures")
    alone = [
        Session().open(BY_NAME[name], data="moons", k=k).opening["total"]
        for name, k in (("k_means", "3"), ("gaussian_mixture", "4"))
    ]
    assert stage["opening"]["total"] == max(alone)


def test_two_settings_of_one_lab_are_named_by_what_they_differ_in(session: Session) -> None:
    session.open(BY_NAME["k_means"], beside="k_means", **{"right.k": "2"})
    assert titles(session) == ["Clusters k 4", "Clusters k 2"]
    session.set("slider", "k", 2)
    assert titles(session) == ["Left", "Right"]
    assert "They put the same points together." in session.captions[-1]


def test_the_right_side_has_a_mode_and_handles_of_its_own(session: Session) -> None:
    session.open(BY_NAME["gaussian_discriminant"], beside="gaussian_discriminant",
                 **{"right.view": "naive", "right.query": "0.5,0.25"})  # fmt: skip
    assert titles(session) == ["Gaussian", "naive"]
    assert session.captions[-1].startswith(("Hatched: ", "They predict the same class everywhere."))
    handles = {each["name"]: each for each in session.stage["handles"]}
    assert {name: each["view"] for name, each in handles.items()} == {"query": 0, "right.query": 1}
    assert handles["right.query"]["places"] == [[0.5, 0.25]]
    assert handles["query"]["places"] != [[0.5, 0.25]]


def test_another_link_ends_the_comparison_and_forgets_its_parameters(session: Session) -> None:
    lab = BY_NAME["k_means"]
    session.open(lab, beside="k_means", **{"right.k": "7"})
    session.open(lab, k="3")
    assert not session.opening["equal"] and len(session.opening["views"]) > 2
    session.app.session_state["compare"] = True  # the menu is opened
    session.run()
    session.set("selectbox", "beside", "k_means")
    assert session.value("right.k") == 4


def test_densities_are_no_groups(session: Session) -> None:
    session.open(BY_NAME["densities"], beside="k_means")
    assert not session.opening["equal"] and len(session.state.refused) == 1
    for other in ("width", "histogram"):
        session.open(BY_NAME["densities"], beside="densities", **{"right.view": other})
        assert session.captions[-1].startswith("bumps")
    session.open(BY_NAME["densities"], view="one class", beside="densities",
                 data="blobs", width="15", **{"right.nu": "0.3"})  # fmt: skip
    assert "points that only one of them has outside." in session.captions[-1]


def test_what_fails_on_one_side_is_said(session: Session) -> None:
    session.open(BY_NAME["perceptron"], data="blobs", classes="3", beside="random_forest")
    assert "exactly two classes" in session.stage["error"]


@EVERY_LAB
def test_every_lab_stands_beside_another(session: Session, lab: LabFile) -> None:
    partners = [other for other in LABS if other.section.gives == lab.section.gives]
    if lab.section.gives == "something else":
        partners = [lab]
    session.open(lab, beside=partners[partners.index(lab) - 1].name, **on_board(lab))
    assert session.stage["error"] is None
    assert len(session.opening["views"]) == 2
    assert session.state.refused == []
    assert any(name.startswith(RIGHT) for name in session.state.declared)
    if lab.section.gives in ("numbers", "places"):
        assert session.captions[-1].startswith(("Grey: between the two ", "Their curves are "))
