"""The course: situations in fourteen weeks, each a link into a lab with a question."""

import streamlit as st

from pages._shared.lab import way
from pages._shared.lab.course import Situation, weeks
from pages._shared.session.values import MOST_QUOTED
from pages._shared.site import run_of_show
from pages._shared.site.cards import STYLE, Card, show_cards
from pages._shared.text import plain

COLUMNS = 4
ALL = "all labs"


def card(each: Situation, at: int) -> Card:
    """Return a card with a situation's question, its lab and its place in the course notes."""
    kind = ":material/warning: Failure case · " if each.fails else ""
    words = f"{each.experiment.question}\n\n:small[{kind}{each.lab.title} · {each.notes}]"
    key = f"{each.lab.name} {each.experiment.title}"
    link = way.parameters((each.week, at))
    return Card(key, each.lab.path, each.experiment.title, words, each.picture, link)


def show_all() -> None:
    """Show the cards of all weeks, or of the situations that are searched for."""
    st.title("A course of fourteen weeks", anchor=False)
    count = sum(len(week.situations) for week in weeks())
    st.markdown(
        f"{count} ready-made experiments. Each opens with a question; let the class vote before "
        "you press Play. The answer is a click away. The small print names the lecture notes that "
        "a question comes from, such as CS337."
    )
    st.page_link(
        "pages/lecture.py", label="My lecture: situations of your own",
        icon=":material/playlist_add:",
    )  # fmt: skip
    list_of_weeks = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        word = st.text_input("Find a word", key="course.word", width=260).strip().lower()
        labs = dict.fromkeys(each.lab.title for week in weeks() for each in week.situations)
        lab = st.selectbox("Lab", [ALL, *labs], key="course.lab", width=260)
        failures = st.toggle("Failure cases only", key="course.failures")
    found, jumps = 0, ""
    message = st.container()
    for week in weeks():
        shown = [
            card(each, at)
            for at, each in enumerate(week.situations)
            if word in each.text and lab in (ALL, each.lab.title) and (each.fails or not failures)
        ]
        found += len(shown)
        if shown:
            name, anchor = f"Week {week.number}: {week.title}", f"week-{week.number}"
            jumps += f'<li><a href="#{anchor}">{name}</a></li>'
            st.header(name, anchor=anchor)
            run_of_show.link_to(week, f"Run of show for {run_of_show.MINUTES} minutes")
            show_cards(shown, COLUMNS)
    list_of_weeks.html(f'<nav class="weeks" aria-label="Weeks"><ul>{jumps}</ul></nav>')
    message.html(f'<p role="status">{found} of {count} situations are shown.</p>')
    if not found:
        st.info(plain(f"No situation here has to do with “{word}” and the rest of your choice."))


st.html(STYLE)
asked = st.query_params.get("week", "")
if week := next((each for each in weeks() if str(each.number) == asked), None):
    run_of_show.show(week)
else:
    if asked:
        st.warning(plain(f"The course has no week “{asked[:MOST_QUOTED]}”."))
    show_all()
