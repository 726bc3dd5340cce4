"""Chalkline: watch machine-learning algorithms take their steps.

Every pages/<section>/<name>.py is a lab; there is no list of them.
"""

import os

# Before NumPy is imported: more threads than one slow a shared classroom server down.
for pool in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(pool, "1")

import streamlit as st

from pages._shared.lab.catalogue import LABS
from pages._shared.room import routes as rooms
from pages._shared.session import allocator, memory
from pages._shared.session.cache import turn
from pages._shared.session.parameters import write_url
from pages._shared.session.server import disregard_pages_folder, open_browser, prepare_server
from pages._shared.site import menu, skeleton
from pages._shared.site.names import give_names
from pages._shared.stage import scripts

ABOUT = """**Chalkline** shows machine-learning algorithms at work, one step at a time.

In a lab, press `?` for all keys. Every view opens as a table of its numbers. What works with which
aid, and how to report a barrier: `docs/accessibility.md` in the source."""


@turn()
def show() -> None:
    """Show a visitor the requested page."""
    prepare_server()
    page = st.navigation(menu.pages(), position="top")
    st.set_page_config(
        page_title="Chalkline" if page.url_path == "" else f"{page.title} · Chalkline",
        page_icon="📐",
        layout="wide",
        initial_sidebar_state=280,
        menu_items={"About": ABOUT},
    )
    st.html(menu.STYLE)
    give_names(menu.section(page.url_path))
    page.run()
    write_url()


if __name__ == "__main__":  # for a visitor
    memory.drop_shown()
    show()
else:  # before anybody comes: `streamlit run` imports this file, and serves the app it finds in it
    allocator.bound()
    disregard_pages_folder()
    routes = [*scripts.routes(), *rooms.routes({lab.name for lab in LABS}), *skeleton.routes()]
    app = st.App(__file__, lifespan=open_browser, routes=routes)
