import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._shared.text import JOINER, plain

# What Streamlit's Markdown reads: CommonMark and GitHub's, LaTeX, colours, icons, HTML.
MEANING = set("\\`*_{}[]()<>#+-.!|~$:&")


@given(st.text())
def test_only_backslashes_and_what_has_no_width_are_added(text: str) -> None:
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text))
    assert unescaped.replace(JOINER, "") == text.replace(JOINER, "")


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
        ("https://a", f"https\\:{JOINER}//a"),
        ("HTTP://a", f"HTTP\\:{JOINER}//a"),
        ("http: a", r"http\: a"),
        ("www.a", f"www{JOINER}\\.a"),
        ("a@b", f"a@{JOINER}b"),
    ],
)
def test_user_text_shows_as_it_is(text: str, shown: str) -> None:
    assert plain(text) == shown
