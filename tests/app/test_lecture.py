"""My lecture: collected in labs, ordered, given away as a link and as a file, and presented."""

import json
import zlib
from base64 import urlsafe_b64encode
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from pages._shared.data.table import ReadError
from pages._shared.lab import lecture as lectures
from pages._shared.lab.catalogue import LABS, Experiment
from pages._shared.lab.course import weeks
from pages._shared.lab.lecture import FORM, LONGEST, MAX_BYTES, MOST, Lecture, Stop
from tests.app.session import Session

K_MEANS, DBSCAN = (next(lab for lab in LABS if lab.name == name) for name in ("k_means", "dbscan"))
ONE = {"lab": "k_means", "title": "a", "question": "b?", "answer": "c", "link": "k=3&step=2"}


def stop(title: str, **link: str) -> Stop:
    return Stop(K_MEANS, Experiment(title, link, f"{title}?", "", ""))


def in_json(*situations: object, **about: object) -> bytes:
    return json.dumps({FORM: 1, "situations": situations, **about}).encode()


def at_lecture(session: Session, **query: str) -> Session:
    session.app.switch_page("pages/lecture.py")
    session.app.query_params = query
    session.run()
    return session


def mine(session: Session) -> list[Stop]:
    return session.state.part(Lecture).stops


def titles(session: Session) -> list[str]:
    return [each.experiment.title for each in mine(session)]


words = some.text(min_size=1, max_size=120).map(lambda text: lectures._text(text, "title", "it"))


@given(
    some.lists(
        some.tuples(words, words, words, some.booleans(), some.sampled_from(LABS)), max_size=5
    )
)
@example([("a", "b", lectures._text("\x00 c", "title", "it"), True, K_MEANS)])
def test_a_lecture_is_read_as_it_was_written(found: list) -> None:
    stops = [
        Stop(lab, Experiment(title, {"k": "3", "view": title}, question, "", answer, None, hides))
        for title, question, answer, hides, lab in found
        if title and question
    ]
    assert lectures.read(lectures.written(stops).encode(), "it") == stops
    text = lectures.packed(stops)
    assert text is not None and lectures.unpacked(text) == stops


@given(
    some.binary(max_size=300)
    | some.text(max_size=300).map(lambda text: text.encode("utf-8", "ignore"))
)
def test_any_bytes_are_read_or_refused_with_a_sentence(raw: bytes) -> None:
    for reader, given_text in (
        (lectures.read, (raw, "it")),
        (lectures.unpacked, (raw.decode("latin-1"),)),
    ):
        try:
            reader(*given_text)
        except ReadError as error:
            assert str(error).endswith(".")


BAD = {
    "no JSON": (b"x,y\n1,2\n", "is not a lecture, or is damaged"),
    "no text": (b"\xff\xfe\x00", "is not a lecture, or is damaged"),
    "deep": (b"[" * 400_000, "is not a lecture, or is damaged"),
    "a long number": (b"9" * 900_000, "is not a lecture, or is damaged"),
    "too large": (b" " * (MAX_BYTES + 1), "is too large, 1.0 MB"),
    "another JSON": (b'{"a": 1}', "is not a lecture."),
    "of another version": (in_json(**{FORM: 2}), "is not a lecture."),
    "no list": (in_json(situations={}), "has no list"),
    "too many": (in_json(*[ONE] * (MOST + 1)), "has 61 situations; a lecture has at most 60"),
    "no situation": (in_json(ONE, 3), "Situation 2 of 'it' has no lab"),
    "no such lab": (in_json(ONE | {"lab": "<b>x"}), "there is no lab '<b>x'"),
    "a lab that is no text": (in_json(ONE | {"lab": [1]}), "there is no lab '[1]'"),
    "no title": (in_json(ONE | {"title": " \n"}), "has no title"),
    "no question": (in_json({**ONE, "question": ""}), "has no question"),
    "a title that is no text": (in_json(ONE | {"title": 3}), "its title is no text but 3"),
    "a long title": (in_json(ONE | {"title": "x" * 121}), "its title has 121 characters"),
    "a long link": (in_json(ONE | {"link": "x" * 9001}), "its link has 9,001 characters"),
    "many parameters": (in_json(ONE | {"link": "&".join(["a=1"] * 101)}), "than 100 parameters"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_with_a_sentence(what: str) -> None:
    raw, expected = BAD[what]
    with pytest.raises(ReadError) as error:
        lectures.read(raw, "'it'")
    assert expected in str(error.value) and str(error.value).endswith(".")


def test_a_link_that_unpacks_to_more_than_is_read_is_refused() -> None:
    bomb = urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()
    with pytest.raises(ReadError, match=r"too large, 1\.0 MB"):
        lectures.unpacked(bomb)
    whole = lectures.packed([stop("a")])
    assert whole is not None
    with pytest.raises(ReadError, match="damaged"):
        lectures.unpacked(whole[:-8])


def test_what_would_change_the_page_is_not_in_a_link() -> None:
    link = "embed=true&embed_options=dark_theme&present=1&situation=1.1&hide=player&k=3"
    (found,) = lectures.read(in_json(ONE | {"link": link, "title": "a\u202e\x00b"}), "it")
    assert found.experiment.link == {"k": "3"} and found.experiment.title == "ab"


def test_a_lab_is_collected_with_its_words_and_presented(session: Session) -> None:
    (week, *_) = weeks()
    here = week.situations[0]
    at_lecture(session).state.part(Lecture).change(
        [stop("first", k="2"), Stop(here.lab, here.experiment)]
    )
    session.open(K_MEANS, situation="0.1", k="2")
    lesson = session.stage["lesson"]
    assert (lesson["place"], lesson["question"]) == ("My lecture: 1 of 2", "first?")
    assert lesson["next"] == f"{here.lab.title}: {here.experiment.title}" and not lesson["answer"]
    assert session.value("k") == 2 and not session.state.refused
    session.open(here.lab, situation="0.2", **here.experiment.link)
    lesson = session.stage["lesson"]
    assert (lesson["question"], lesson["next"]) == (here.experiment.question, "")
    at_lecture(session)
    session.app.button(key="remove 0").click()
    session.run()
    assert session.state.trial is None and titles(session) == [here.experiment.title]
    session.open(K_MEANS, situation="0.1")
    assert session.stage["lesson"] is None and len(session.state.refused) == 1


def test_the_list_is_ordered_and_given_away(session: Session) -> None:
    at_lecture(session).state.part(Lecture).change([stop(title) for title in ("*a*", "<b>", "c")])
    at_lecture(session)
    session.app.button(key="up 2").click()
    session.run()
    session.app.button(key="down 0").click()
    session.run()
    assert titles(session) == ["c", "*a*", "<b>"]
    session.app.button(key="remove 0").click()
    session.run()
    labels = [each.proto.label for each in session.app.get("page_link")]
    assert labels[1] == rf"**1. \*a\*** ({K_MEANS.title})"
    assert not any("<b>" in label or "*a*" in label for label in labels)
    link = dict(parse_qsl(urlsplit(session.app.code[0].value).query))
    other = at_lecture(Session(), **link)
    assert mine(other) == mine(session)
    other.app.button(key="remove 0").click()
    other.run()
    assert titles(other) == ["<b>"], "the link is opened once"
    other.app.file_uploader(key="lecture file").set_value(
        ("it.json", lectures.written(mine(session)).encode(), "application/json")
    )
    other.run()
    assert mine(other) == mine(session)
    other.app.file_uploader(key="lecture file").set_value(("<b>*.json", b"{}", "text/plain"))
    other.run()
    assert mine(other) == mine(session), "a bad file changes nothing"
    (error,) = other.app.error
    assert "<b>" not in error.value and "not a lecture" in error.value.replace("\\", "")


def test_the_words_can_be_changed(session: Session) -> None:
    at_lecture(session).state.part(Lecture).change([stop("first", k="2"), stop("c")])
    session.run()

    def save(**words: str) -> None:
        for field in session.app.text_input:
            for name, text in words.items():
                if str(field.key).startswith(f"words 0 {name}"):
                    field.set_value(text)
        next(button for button in session.app.button if button.label == "Save").click()
        session.run()

    save(title="", question="x?")
    assert "no title" in session.app.error[0].value and titles(session) == ["first", "c"]
    save(title="a", question="b?", answer="d")
    assert titles(session) == ["a", "c"]
    assert mine(session)[0].experiment == Experiment("a", {"k": "2"}, "b?", "", "d")


def test_a_damaged_link_gets_a_sentence(session: Session) -> None:
    at_lecture(session, show="abc")
    (error,) = session.app.error
    assert "damaged" in error.value and not mine(session)


def test_a_long_lecture_is_only_a_file(session: Session) -> None:
    drawn = np.random.default_rng(0).integers(0x4E00, 0x9000, (6, LONGEST["answer"]))
    answers = ["".join(map(chr, row)) for row in drawn]
    stops = [Stop(K_MEANS, Experiment("t", {}, "q", "", answer)) for answer in answers]
    assert lectures.packed(stops) is None
    at_lecture(session).state.part(Lecture).change(stops)
    at_lecture(session)
    assert not session.app.code
    assert lectures.read(lectures.written(stops).encode(), "it") == stops
