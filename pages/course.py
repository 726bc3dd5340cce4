"""The course: situations in twelve weeks, each a link into a lab with a question."""

import streamlit as st

from pages._shared.lab.course import Situation, weeks
from pages._shared.site.cards import STYLE, Card, show_cards
from pages._shared.text import plain

COLUMNS = 4
ALL = "all labs"


def card(each: Situation) -> Card:
    """Return a card with a situation's question, its lab and its place in the course notes."""
    kind = ":material/warning: Failure case · " if each.fails else ""
    words = f"{each.experiment.question}\n\n:small[{kind}{each.lab.title} · {each.notes}]"
    key = f"{each.lab.name} {each.experiment.title}"
    return Card(
        key, each.lab.path, each.experiment.title, words, each.picture, each.experiment.link
    )


course = weeks()
st.html(STYLE)
st.title("A course of twelve weeks", anchor=False)
count = sum(len(week.situations) for week in course)
st.markdown(
    f"{count} ready-made experiments. Each opens with a question; let the class vote before you "
    "press Play. The answer is a click away. The small print names the lecture notes that a "
    "question comes from, such as CS337."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    word = st.text_input("Find a word", key="course.word", width=260).strip().lower()
    labs = dict.fromkeys(each.lab.title for week in course for each in week.situations)
    lab = st.selectbox("Lab", [ALL, *labs], key="course.lab", width=260)
    failures = st.toggle("Failure cases only", key="course.failures")
shown = [
    [
        each
        for each in week.situations
        if word in each.text and lab in (ALL, each.lab.title) and (each.fails or not failures)
    ]
    for week in course
]
found = sum(map(len, shown))
st.html(f'<p role="status">{found} of {count} situations are shown.</p>')
for week, situations in zip(course, shown, strict=True):
    if situations:
        st.header(f"Week {week.number}: {week.title}", anchor=False)
        show_cards([card(each) for each in situations], COLUMNS)
if not found:
    st.info(plain(f"No situation here has to do with “{word}” and the rest of your choice."))
