"""Sections that every lesson has: when it is the wrong tool, and what it was checked against."""

import re
from math import log10

import pytest

from pages._shared.lab.catalogue import LABS, LabFile
from tests.house.checked import Found, all_checked

CHECKED = list(all_checked())
WRONG_TOOL = "**When this is the wrong tool.**"
LINK = re.compile(r"\[([^\]]+)\]\((\w*)\?([^)]+)\)")


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_what_a_lesson_was_checked_against_is_what_its_tests_check(lab: LabFile) -> None:
    _, _, section = lab.texts["Maths"].partition("**Checked against**\n\n")
    items, _, _ = section.partition("\n\n")
    lines = [" ".join(item.split()) for item in f"\n{items}".split("\n- ")[1:]]
    assert lines and sorted(lines) == sorted(str(e.line) for e in CHECKED if e.line.lab == lab.name)


@pytest.mark.parametrize("found", CHECKED, ids=lambda found: f"{found.file}: {found.line.against}")
def test_a_check_uses_the_numbers_it_states(found: Found) -> None:
    assert found.line.lab in {lab.name for lab in LABS}
    assert "cases" in found.used
    if found.line.within is not None:
        assert "within" in found.used
        assert log10(found.line.within) == pytest.approx(round(log10(found.line.within)))


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_a_lesson_says_when_it_is_the_wrong_tool_and_links_an_experiment(lab: LabFile) -> None:
    """The experiment shows it failing; that it does is tested with the lesson's claims."""
    _, found, rest = lab.texts["Idea"].partition(WRONG_TOOL)
    links = LINK.findall(" ".join(rest.partition("\n\n")[0].split()))
    assert found and links
    for title, name, link in links:
        texts = next(each for each in LABS if each.name == (name or lab.name)).texts["Try this"]
        assert f"[{title}](?{link})" in " ".join(texts.split())
