"""The run of show: what a teacher does with a week in 50 minutes, on two printed pages.

At most ten situations have room. They are taken lab by lab in turn, so that every lab of the week
has its share, and stand in the order of the week. Each gets the same whole minutes; those that
remain go to the failure cases first, because there is most to discuss.
"""

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

import streamlit as st

from pages._shared.lab import way
from pages._shared.lab.course import Situation, Week, weeks
from pages._shared.session.cache import digest, once
from pages._shared.session.qr import qr_code
from pages._shared.session.reach import reach, reachable

STYLE = Path(__file__).with_name("run_of_show.css").read_text(encoding="utf-8")
MINUTES, MOST = 50, 10  # of a lesson; situations in it


class Slot(NamedTuple):
    """A situation of a lesson. at : its place in the week. start, end : minutes."""

    situation: Situation
    at: int
    start: int
    end: int


def planned(week: Week) -> list[Slot]:
    """Return the situations of a lesson with their minutes."""
    chosen = _in_turn(week)
    each, left = divmod(MINUTES, len(chosen))
    first = sorted(chosen, key=lambda at: not week.situations[at].fails)[:left]
    slots, now = [], 0
    for at in chosen:
        end = now + each + (at in first)
        slots.append(Slot(week.situations[at], at, now, end))
        now = end
    return slots


def _in_turn(week: Week) -> list[int]:
    """Return the places of the first situation of every lab, then of every second, and so on."""
    turns: dict[str, int] = {}
    rank = []
    for at, situation in enumerate(week.situations):
        turn = turns[situation.lab.name] = turns.get(situation.lab.name, -1) + 1
        rank.append((turn, at))
    return sorted(at for _, at in sorted(rank)[:MOST])


def show(week: Week) -> None:
    """Show a week's run of show."""
    st.html(f"<style>{STYLE}</style>")
    with st.container(key="weeks", horizontal=True, gap="small"):
        st.page_link("pages/course.py", label="All situations", icon=":material/arrow_back:")
        for other in weeks():
            if other is not week:
                link_to(other, f"Week {other.number}")
    st.title(f"Week {week.number}: {week.title}", anchor=False)
    slots = planned(week)
    st.markdown(
        f"Run of show for {MINUTES} minutes. Open a situation, let the class answer, then press T "
        "for the answer and `.` for the next situation of the week. This page prints on two sheets."
    )
    address = st.context.url or ""
    if note := reach(urlsplit(address).hostname or "")[1]:
        st.caption(note)
    for slot in slots:
        _show_slot(week, slot, address)
    used = {slot.at for slot in slots}
    if rest := [each for at, each in enumerate(week.situations) if at not in used]:
        named = "; ".join(f"{each.lab.title}: {each.experiment.title}" for each in rest)
        st.html(f'<p class="rest"><b>At home, or another time</b> {escape(named)}.</p>')


def link_to(week: Week, label: str) -> None:
    """Show a link to the run of show of a week."""
    st.page_link("pages/course.py", label=label, query_params={"week": str(week.number)})


def _show_slot(week: Week, slot: Slot, address: str) -> None:
    """Show the minutes, the link, the question with its answer, and the code for phones."""
    situation, place = slot.situation, (week.number, slot.at)
    experiment = situation.experiment
    with st.container(key=f"slot {slot.at + 1}", border=True):
        minutes, words, code = st.columns([2, 11, 3])
        minutes.html(
            f'<p class="minutes"><b>{slot.start}–{slot.end}</b> {slot.end - slot.start} min</p>'
        )
        with words:
            label = f"**{experiment.title}** ({situation.lab.title})"
            way.link(place, label, ":material/play_circle:")
            fails = '<p class="fails">Failure case</p>' if situation.fails else ""
            st.html(
                f'<div class="slot">{fails}<p><b>{escape(experiment.question)}</b></p>'
                f"<p><b>Do</b> {escape(experiment.todo)}</p>"
                f"<p><b>Answer</b> {escape(experiment.answer)}</p></div>"
            )
        link = urljoin(address, f"{situation.lab.name}?{urlencode(way.parameters(place))}")
        code.html(_code(reachable(link), experiment.title))


def _code(link: str, title: str) -> str:
    """Return the QR code of a link as a picture."""
    name = f"QR code: {title}"
    svg = once(digest(("code", link, name)), lambda: qr_code(link, name))
    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    return f'<img class="code" src="{source}" alt="{escape(name)}">'
