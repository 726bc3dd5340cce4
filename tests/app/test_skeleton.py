"""The page that a server sends first: a title, an outline, and where the server is."""

from pathlib import Path

import pytest
import streamlit as st

from pages._shared.lab.catalogue import LABS
from pages._shared.site.skeleton import outlined, titles

PAGE = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")


def test_streamlits_page_gets_a_title_and_an_outline() -> None:
    text = outlined(PAGE, "<Trees> & co")
    assert "<title>&lt;Trees&gt; &amp; co · Chalkline</title>" in text
    assert text.index("BACKEND_BASE_URL") < text.index('type="module"')
    assert text.index('id="root"') < text.index('id="skeleton"') < text.index("</body>")


def test_another_form_of_streamlits_page_is_noticed() -> None:
    with pytest.raises(ValueError, match="another form"):
        outlined(PAGE.replace('id="root"', 'id="app"'), "k-means")


def test_every_page_has_its_title() -> None:
    found = titles()
    assert found[""] == "Chalkline" and {"course", "glossary"} <= found.keys()
    assert all(found[lab.name] == lab.title for lab in LABS)
