import re

import pytest

from pages._shared.lab.catalogue import LABS, PAGES
from pages._shared.site.glossary import anchor, read_glossary
from tests.app.session import ROOT, Session

TERMS = read_glossary()
ANCHORS = {anchor(term) for term in TERMS}
EVERY_TERM = pytest.mark.parametrize("term", TERMS)


def test_the_terms_are_in_order_and_no_term_stands_twice() -> None:
    headings = re.findall(
        r"^#+ (.+)$", (PAGES / "_shared" / "site" / "glossary.md").read_text(), re.M
    )
    assert headings == list(TERMS) == sorted(TERMS, key=anchor)
    assert len(ANCHORS) == len(TERMS) > 150


@EVERY_TERM
def test_a_definition_is_one_to_three_sentences(term: str) -> None:
    definition = TERMS[term]
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 -]*", term), "what else may stand in an address?"
    assert definition.endswith(".")
    assert 20 < len(definition) < 450
    assert "\n" not in definition
    assert definition.count("$") % 2 == 0
    formulas = re.findall(r"\$(.+?)\$", definition)
    for open_, close in ("{}", "()"):
        assert all(formula.count(open_) == formula.count(close) for formula in formulas)


def test_every_link_to_the_glossary_finds_its_term() -> None:
    linked = {
        name
        for lab in LABS
        for text in lab.texts.values()
        for name in re.findall(r"\]\(glossary#(.*?)\)", text)
    }
    linked |= set(re.findall(r"\]\(#(.*?)\)", " ".join(TERMS.values())))
    assert linked <= ANCHORS, f"the glossary lacks {sorted(linked - ANCHORS)}"


def test_the_page_shows_all_terms_or_those_looked_for() -> None:
    session = Session()
    session.app.switch_page(str((PAGES / "glossary.py").relative_to(ROOT)))
    session.run()
    (shown,) = session.app.markdown
    assert re.findall(r"^##### (.+)$", shown.value, re.M) == list(TERMS)
    session.app.text_input[0].set_value(" karush ").run()
    (shown,) = session.app.markdown
    assert re.findall(r"^##### (.+)$", shown.value, re.M) == ["KKT conditions"]
    session.app.text_input[0].set_value("*bread*").run()
    assert session.app.markdown[0].value == r"No word here has to do with “\*bread\*”."
