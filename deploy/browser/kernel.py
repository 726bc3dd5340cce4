"""Streamlit without a server: one session, in the browser, in the thread of a worker.

What the page says comes in by `receive`, what it uploads by `keep_file`; answers go out through the
function that `start` is given. There are no threads here: a rerun is a turn of the event loop, and
what comes meanwhile waits for it.
"""

import asyncio
import os
import sys
import tarfile
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import js
from pyodide.ffi import to_js

HERE = Path(__file__).parent
os.chdir(HERE)  # Streamlit looks for .streamlit/config.toml here

# Streamlit imports its web server for the sake of one class, which nobody uses here.
sys.modules["streamlit.starlette"] = server = ModuleType("streamlit.starlette")
server.App = None  # type: ignore[attr-defined]

import numpy

# SciPy takes every name of NumPy, and would have these imported, and the tests' tools with them.
numpy.f2py = numpy.testing = ModuleType("left_out")  # type: ignore[attr-defined]

from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.elements.lib import image_utils
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.runtime_util import serialize_forward_msg
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.session_manager import SessionClient
from streamlit.runtime.uploaded_file_manager import UploadedFileRec


class Page(SessionClient):
    """The page that shows the session."""

    def __init__(self, post: Callable[[Any], None]) -> None:
        """Send messages to the page through `post`."""
        self.post = post

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Send a message."""
        self.post(serialize_forward_msg(msg))


class Files(MemoryMediaFileStorage):
    """Files for downloads, at addresses that the browser makes for them."""

    def get_url(self, file_id: str) -> str:
        """Return the address of a file, with its name after the hash."""
        file = self.get_file(file_id)
        content = js.Blob.new([to_js(file.content)], type=file.mimetype)
        return f"{js.URL.createObjectURL(content)}#{quote(file.filename or '')}"


class Components(BidiComponentManager):
    """The components of the app. Streamlit would look for those of other packages in threads."""

    def discover_and_register_components(self, **_: Any) -> None:
        """Do not look for components of other packages."""


def _start_soon(runner: Any) -> None:
    """Run the script in this thread, after all messages so far are handled."""
    runner._script_thread = threading.current_thread()
    asyncio.get_running_loop().call_soon(runner._run_script_thread)


async def _at_once(work: Callable[..., Any], *args: Any, **how: Any) -> Any:
    """Run a function in this thread instead of in another one."""
    return work(*args, **how)


def _picture_address(image: str, *_: Any) -> str:
    """Return the address of one of the app's pictures, which are files next to the page."""
    return f"{root}{Path(image).relative_to(HERE).with_suffix('.avif').as_posix()}"


asyncio.to_thread = _at_once
asyncio.new_event_loop = asyncio.get_running_loop  # the only one there is
asyncio.set_event_loop = lambda _: None
ScriptRunner.start = _start_soon  # type: ignore[method-assign]
PagesManager.uses_pages_directory = False  # the pages are those of app.py, from the first visit on
image_utils.image_to_url = _picture_address

uploads = MemoryUploadedFileManager("/_stcore/upload_file")


async def start(address: str, post: Callable[[Any], None]) -> None:
    """Open the session; `address` is the folder from which everything is loaded."""
    global root, runtime, page, session
    root, page = address, Page(post)
    runtime = Runtime(
        RuntimeConfig(
            script_path=str(HERE / "app.py"),
            media_file_storage=Files("/media"),
            uploaded_file_manager=uploads,
            bidi_component_registry=Components(),
        )
    )
    await runtime.start()
    session = runtime.connect_session(client=page, user_info={})


def receive(message: bytes) -> None:
    """Handle a message of the page."""
    told = BackMsg()
    told.ParseFromString(message)
    runtime.handle_backmsg(session, told, client=page)


def keep_file(file: str, name: str, kind: str, content: bytes) -> None:
    """Keep an uploaded file under the name that Streamlit gave it."""
    uploads.add_file(session, UploadedFileRec(file_id=file, name=name, type=kind, data=content))


def forget_file(file: str) -> None:
    """Forget an uploaded file."""
    uploads.remove_file(session, file)


def count_modules() -> int:
    """Report how many modules have been imported so far."""
    return len(sys.modules)


def compiled() -> bytes:
    """Return the modules that Python has compiled so far, for later visits with the same files."""
    raw = BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder in (HERE, Path(image_utils.__file__).parents[3]):
            for file in folder.rglob("__pycache__/*.pyc"):
                code = file.read_bytes()
                content = code[:4] + b"\1\0\0\0" + bytes(8) + code[16:]  # see PEP 552: unchecked
                entry = tarfile.TarInfo(str(file)[1:])
                entry.size = len(content)
                archive.addfile(entry, BytesIO(content))
    return raw.getvalue()
