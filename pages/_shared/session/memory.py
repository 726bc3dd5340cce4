"""Frees memory when visitors leave.

Streamlit keeps the state of a broken connection for a while, in case the visitor comes back. The
data and the parameters stay that long. The undo history, the uploaded files and the results that
nobody else has asked for are dropped.
"""

import sys
import threading
import time
from contextlib import suppress

from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._shared.session.allocator import give_back, trim
from pages._shared.session.cache import store
from pages._shared.session.state import KEY, Session

EVERY = 20.0  # seconds


def watch() -> None:
    """Start a thread that looks for visitors who have left, unless the app runs in the browser."""
    if sys.platform == "emscripten" or not runtime.exists():
        return
    server = runtime.get_instance()
    if type(server) is Runtime:  # not its replacement in tests of pages
        threading.Thread(target=_watch, args=(server,), daemon=True).start()


def _watch(server: Runtime) -> None:
    gone: set[str] = set()
    while True:
        time.sleep(EVERY)
        trim()  # long runs leave holes between the results that are kept
        with suppress(RuntimeError):  # somebody came during the sweep
            gone = sweep(server, gone)


def sweep(server: Runtime, gone: set[str]) -> set[str]:
    """Free memory of visitors who were `gone` at the last sweep and still are; return all gone."""
    manager = server._session_mgr
    known = {info.session.id: info.session for info in manager.list_sessions()}
    away = {name: known[name] for name in known if not manager.is_active_session(name)}
    taken = store().keep_for(known.keys() - (away.keys() & gone))
    for name in away.keys() & gone:
        state = away[name].session_state
        if KEY in state:
            taken |= forget(state[KEY])
        away[name]._fragment_storage.clear()  # the shown scene; a visitor who comes back gets a new
        server._uploaded_file_mgr.remove_session_files(name)
    store().gate.use.forget()
    if taken or away.keys() != gone:  # somebody has come or gone since
        give_back()
    return set(away)


def drop_shown() -> None:
    """Drop the scene that is shown to this visitor, which the page's fragments hold.

    Call it when the whole page runs again, before it waits for its turn. Otherwise a visitor who
    waits for a long run would still hold the result of the previous one.
    """
    if context := get_script_run_ctx(suppress_warning=True):
        context.fragment_storage.clear()


def forget(here: Session) -> bool:
    """Drop what is not needed to show the lab; return whether there was anything."""
    return any([part.forget() for part in here.parts.values()])
