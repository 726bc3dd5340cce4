import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from PIL import Image

from algorithms.data.presets import DATASETS
from pages._shared.lab.catalogue import LABS, PAGES, LabFile, read_lab
from pages._shared.lab.lesson import prose
from tests.house.readme import labs_in_readme
from tests.house.test_views import modes

ROOT = Path(__file__).parents[2]
EVERY_LAB = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)


def test_every_file_in_a_section_is_a_lab() -> None:
    files = {path for path in PAGES.rglob("*.py") if "_shared" not in path.parts}
    files -= {*PAGES.glob("*.py"), *PAGES.glob("*/__init__.py")}
    assert {lab.path for lab in LABS} == files
    assert {path.with_suffix(".md") for path in files} == {*PAGES.glob("[!_]*/*.md")}
    for what in ("name", "title"):
        found = [getattr(lab, what) for lab in LABS]
        assert len(found) == len(set(found)), f"two labs have one {what}"


@EVERY_LAB
def test_a_lab_says_what_it_is(lab: LabFile) -> None:
    assert 3 <= len(lab.title) <= 40
    assert not lab.title.startswith("#")
    assert 20 <= len(lab.lead) <= 110
    assert lab.lead.endswith(".")


@EVERY_LAB
def test_a_lab_has_its_chapters(lab: LabFile) -> None:
    assert list(lab.texts) == ["Idea", "Maths", "Try this"]
    assert len(lab.texts["Idea"]) > 400
    assert lab.texts["Maths"].count("$") >= 4
    assert lab.texts["Maths"].count("$") % 2 == 0
    assert "*Source" in lab.texts["Maths"]
    lines = lab.texts["Maths"].splitlines()
    assert all(line == "$$" for line in lines if "$$" in line), "else formulas of two lines fail"


@EVERY_LAB
def test_the_links_of_a_lesson_are_links_in_markdown_and_keep_their_settings(lab: LabFile) -> None:
    link = r"\]\((\?[^)]*)\)"
    for name in ("Idea", "Maths"):
        written = re.findall(link, lab.texts[name])
        shown = re.findall(link, prose(lab.texts[name]))
        assert not [each for each in shown if re.search(r"\s", each)]
        assert [parse_qsl(each[1:]) for each in shown] == [parse_qsl(each[1:]) for each in written]


@EVERY_LAB
def test_a_lab_has_three_to_six_experiments_or_one_more_than_three_per_mode(lab: LabFile) -> None:
    most = max(6, 3 * len(modes(lab)) + 1)
    assert 3 <= len(lab.experiments) <= most
    assert len(lab.experiments) == lab.texts["Try this"].count("\n- ") + 1, "one is not understood"
    for experiment in lab.experiments:
        assert experiment.title and experiment.link
        assert experiment.question.endswith("?"), experiment.title
        assert experiment.todo.endswith(".") and len(experiment.todo) > 10, experiment.title
        assert experiment.answer.endswith(".") and len(experiment.answer) > 30, experiment.title


def test_sections_say_what_they_are_and_where_they_stand() -> None:
    sections = {lab.section for lab in LABS}
    subjects = {(section.title, section.place) for section in sections}
    assert len({place for _, place in subjects}) == len(subjects)
    assert len({title for title, _ in subjects}) == len(subjects)
    kinds = {preset.kind for preset in DATASETS.values()}
    for section in sections:
        names = {lab.name for lab in LABS if lab.section.title == section.title}
        assert {*section.first, *section.numbers, *section.alone, *section.drawings} <= names
        assert set(section.presets) == kinds
        assert section.labelled or not section.two_classes


def test_the_readme_lists_the_labs() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sorted(labs_in_readme()) == sorted(str(lab.path.relative_to(ROOT)) for lab in LABS)
    assert [lab.title for lab in LABS if lab.title not in text] == []


def test_a_lesson_is_split_into_its_chapters_and_experiments(tmp_path: Path) -> None:
    path = tmp_path / "clustering" / "my_lab.py"
    path.parent.mkdir()
    path.write_text("open_lab(__file__, data=None).show(MODES)\n")
    path.with_suffix(".md").write_text(
        "# Title\n\nOne\nsentence.\n\n## Idea\nWords\n\n- and more.\n\n## Maths\n$x$\n\n"
        "## Try this\n- [First one](?k=3&init=k-means%2B%2B) Where is it?\n  Do: Look\n  here.\n"
        "  Hides: the number of steps.\n"
        "  Answer: There.\n"
        "- [Second](?data=a%20b) And now? Do: Look on.\n  Answer: Nowhere.\n  Goal: Be there.\n"
        "  Judged: `last.x > 1`\n  Hint: Go on.\n  Way: ?k=2\n"
    )
    lab = read_lab(path)
    assert (lab.title, lab.lead) == ("Title", "One sentence.")
    assert (lab.name, lab.section.title) == ("my_lab", "Clustering")
    assert not lab.board and not lab.section.labelled
    assert lab.texts["Idea"] == "Words\n\n- and more."
    assert lab.experiments == [
        (
            "First one",
            {"k": "3", "init": "k-means++"},
            "Where is it?",
            "Look here.",
            "There.",
            None,
            True,
        ),
        (
            "Second",
            {"data": "a b"},
            "And now?",
            "Look on.",
            "Nowhere.",
            ("Be there.", "last.x > 1", "Go on.", {"k": "2"}),
            False,
        ),
    ]


def test_a_page_without_a_lesson_does_not_stop_the_app(tmp_path: Path) -> None:
    lab = read_lab(tmp_path / "half_written.py")
    assert (lab.title, lab.lead, lab.texts) == ("half_written", "", {})


def test_labs_stand_in_teaching_order() -> None:
    names = [lab.name for lab in LABS]
    assert names.index("k_means") < names.index("gaussian_mixture")
    assert names.index("linear_regression") < names.index("linear_paths")
    assert names.index("linear_paths") < names.index("bias_variance")
    places = [lab.section.place for lab in LABS]
    assert places == sorted(places)


@EVERY_LAB
def test_the_gallery_has_a_picture_of_every_lab_in_either_theme(lab: LabFile) -> None:
    for theme in ("light", "dark"):
        with Image.open(lab.picture(theme)) as picture:
            assert picture.size == (400, 300)
