"""Takes from visitors who have left what takes room, and gives it back to the system.

Streamlit keeps the state of a broken connection for a while, so that who comes back finds it. The
data and the parameters stay that long; the steps back, the files that were loaded and the results
that nobody else has asked for do not.
"""

import gc
import sys
import threading
import time
from contextlib import suppress

from streamlit import runtime
from streamlit.runtime import Runtime

from pages._shared.session.cache import store
from pages._shared.session.state import KEY, OwnTable, Session

EVERY = 20.0  # seconds


def watch() -> None:
    """Look for those who have left, again and again; where there are no threads, nobody leaves."""
    if sys.platform == "emscripten" or not runtime.exists():
        return
    server = runtime.get_instance()
    if type(server) is Runtime:  # and not what stands for it in tests of pages
        threading.Thread(target=_watch, args=(server,), daemon=True).start()


def _watch(server: Runtime) -> None:
    gone: set[str] = set()
    while True:
        time.sleep(EVERY)
        with suppress(RuntimeError):  # somebody came while all were looked at
            gone = sweep(server, gone)


def sweep(server: Runtime, gone: set[str]) -> set[str]:
    """Take from those who were gone before; return all who are gone now."""
    manager = server._session_mgr
    known = {info.session.id: info.session for info in manager.list_sessions()}
    away = {name: known[name] for name in known if not manager.is_active_session(name)}
    taken = store().keep_for(known.keys() - (away.keys() & gone))
    for name in away.keys() & gone:
        state = away[name].session_state
        if KEY in state:
            taken |= forget(state[KEY])
        away[name]._fragment_storage.clear()  # they hold what was shown; who comes back gets new
        server._uploaded_file_mgr.remove_session_files(name)
    if taken or away.keys() != gone:  # somebody has come or gone since
        gc.collect()
        _give_back()
    return set(away)


def forget(here: Session) -> bool:
    """Forget what the lab can be shown without; tell whether there was anything."""
    taken = bool(here.board.past or here.board.future or here.own.raw or here.yours)
    here.board.past, here.board.future = [], []
    here.own, here.yours = OwnTable(), None
    return taken


def _give_back() -> None:
    """Have the allocator return what is free to the system; on other systems it does so itself."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
