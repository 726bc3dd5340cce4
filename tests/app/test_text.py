import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._shared.text import plain

# What Streamlit's Markdown reads: CommonMark and GitHub's, LaTeX, colours, icons, HTML.
MEANING = set("\\`*_{}[]()<>#+-.!|~$:&")


@given(st.text())
def test_only_backslashes_are_added(text: str) -> None:
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text)) == text


@given(st.text("\\`*_{}[]()<>#+-.!|~$:& ab1"))
def test_nothing_with_a_meaning_is_left(text: str) -> None:
    left = re.sub(r"\\.", "", plain(text))
    assert not MEANING & set(left)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("petal length", "petal length"),
        ("größe", "größe"),
        ("**bold**", r"\*\*bold\*\*"),
        ("$x$", r"\$x\$"),
        (":red[x]", r"\:red\[x\]"),
        (":material/home:", r"\:material/home\:"),
        ("[a](javascript:b)", r"\[a\]\(javascript\:b\)"),
        ("<img src=x>", r"\<img src=x\>"),
        ("&lt;", r"\&lt;"),
        ("1. a", r"1\. a"),
        ("a\\", "a\\\\"),
    ],
)
def test_user_text_shows_as_it_is(text: str, shown: str) -> None:
    assert plain(text) == shown
