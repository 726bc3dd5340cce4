"""The running app and sessions that speak its protocol, without a browser.

A session sends what the browser sends when a page opens or a slider moves, and reads the answer to
its end. Loopback only.
"""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[1]
INTERRUPTED = 2  # script_finished: a newer rerun follows
PATIENCE = 120  # seconds


class Server(NamedTuple):
    """An app that is being served on this machine."""

    port: int
    process: subprocess.Popen

    def megabytes(self) -> float:
        """Return the resident memory, with that of the processes it has started."""
        main = self.process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        status = "".join(Path(f"/proc/{pid}/status").read_text() for pid in (main, *children))
        return sum(map(int, re.findall(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE))) / 1024


def free_ports(count: int) -> list[int]:
    """Return successive ports of this machine on which nobody listens."""
    while True:
        with ExitStack() as probes:
            probe = probes.enter_context(socket.socket())
            probe.bind(("127.0.0.1", 0))
            first = probe.getsockname()[1]
            try:
                for port in range(first + 1, first + count):
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return list(range(first, first + count))


@contextmanager
def serve(script: Path = ROOT / "app.py", *, processes: int = 0) -> Iterator[Server]:
    """Serve a script as `streamlit run` does, with the settings in its folder.

    processes : if given, the number of processes behind nginx, as deploy/serve.py starts them.
    """
    port, *others = free_ports(1 + processes)
    settings = TemporaryDirectory()
    if processes:
        command = [str(ROOT / "deploy" / "serve.py"), f"--processes={processes}"]
        command += [f"--port={port}", f"--first={others[0]}", f"--folder={settings.name}"]
    else:
        command = ["-m", "streamlit", "run", str(script), "--server.headless=true"]
        command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=script.parent,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for one in (port, *others):
            wait_until_healthy(one)
        yield Server(port, process)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        settings.cleanup()


def wait_until_healthy(port: int) -> None:
    """Wait until the app answers on a port."""
    for _ in range(1200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health").close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the app did not start")


class Answer(NamedTuple):
    """The seconds that a rerun took, and the size of its answer."""

    seconds: float
    size: int  # bytes
    exceptions: list[str]


class Slider(NamedTuple):
    """A slider on the page, or a number box."""

    id: str
    kind: str
    low: float
    high: float
    value: float  # what the page would show it at


class Session:
    """One visitor. `sliders` are those of the page, by label; number boxes are among them.

    `stage` is what the stage was sent last, as JSON, and `frames` the answer to `ask_frames`.
    `alerts` are the sentences in coloured boxes, such as errors, of the last answer.
    """

    def __init__(self, server: Server, page: str = "", query: str = "") -> None:
        """Prepare a visit to a page, such as "k_means"."""
        self.port, self.page, self.query = server.port, page, query
        self.sliders: dict[str, Slider] = {}
        self.stage, self.frames = "", ""
        self.alerts: list[str] = []
        self._asking = ("", "")  # the component that asks for frames, and its fragment
        self._stage = ""  # the component that is the stage
        self._hash = ""
        self._set: dict[str, tuple[str, float]] = {}
        self._known: set[str] = set()  # messages the server need not send again, as in the browser
        self.cookie = ""  # behind nginx: to which process it belongs

    async def open(self) -> Answer:
        """Connect and wait for the whole page."""
        start = time.perf_counter()
        self.socket = await websockets.connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            subprotocols=[websockets.Subprotocol("streamlit")],
            origin=websockets.Origin(f"http://127.0.0.1:{self.port}"),
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            compression=None,
            proxy=None,
            additional_headers={"Cookie": self.cookie},
        )
        assert self.socket.response
        for given in self.socket.response.headers.get_all("Set-Cookie"):
            if given.startswith("chalkline="):
                self.cookie = given.split(";")[0]
        answer = await self.rerun()
        return answer._replace(seconds=time.perf_counter() - start)

    async def move(self, label: str, value: float) -> Answer:
        """Move a slider, or set a number box, and wait for the whole answer."""
        slider = self.sliders[label]
        self.set(slider, min(max(value, slider.low), slider.high))
        return await self.rerun()

    async def vary(self, noise: float) -> Answer:
        """Move the noise of the data; a lab without data is only asked for again."""
        return await (self.move("Noise", noise) if "Noise" in self.sliders else self.rerun())

    def set(self, slider: Slider, value: float) -> None:
        """Set a slider for the next request, also to values that no browser would send."""
        self._set[slider.id] = (slider.kind, value)

    async def ask(self, wanted: dict | None = None, said: str | None = None) -> None:
        """Ask for the page as it is, or for frames only, without reading the answer.

        said : what the stage tells along with it, as JSON.
        """
        message = BackMsg()
        ask = message.rerun_script
        ask.query_string = self.query
        ask.page_script_hash = self._hash
        if not self._hash:
            ask.page_name = self.page
        ask.cached_message_hashes.extend(self._known)
        if wanted is not None:
            component, ask.fragment_id = self._asking
            state = ask.widget_states.widgets.add(id=component)
            state.json_value = json.dumps({"wanted": wanted})
        if said is not None:
            ask.widget_states.widgets.add(id=self._stage).json_value = said
        for name, (kind, value) in self._set.items():
            state = ask.widget_states.widgets.add(id=name)
            if kind == "slider":
                state.double_array_value.data.append(value)
            else:
                state.double_value = value
        await self.socket.send(message.SerializeToString())

    async def ask_frames(self, steps: list[int], number: int = 1) -> Answer:
        """Ask for frames of the run that is shown, as the player does, and wait for them."""
        start = time.perf_counter()
        scene = json.loads(self.stage)["scene"]
        await self.ask({"scene": scene, "steps": steps, "at": steps[0], "number": number})
        answer = await self.answer()
        return answer._replace(seconds=time.perf_counter() - start)

    async def rerun(self) -> Answer:
        """Ask for the page as it is and read the answer to its end."""
        start = time.perf_counter()
        await self.ask()
        answer = await self.answer()
        return answer._replace(seconds=time.perf_counter() - start)

    async def answer(self) -> Answer:
        """Read what comes to the end of a run that no newer one has interrupted."""
        start, size = time.perf_counter(), 0
        exceptions: list[str] = []
        self.alerts = []
        while True:
            raw = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            size += len(raw)
            found = ForwardMsg.FromString(raw)
            match found.WhichOneof("type"):
                case "script_finished" if found.script_finished != INTERRUPTED:
                    return Answer(time.perf_counter() - start, size, exceptions)
                case "navigation":
                    self._hash = found.navigation.page_script_hash
                case "page_info_changed":
                    self.query = found.page_info_changed.query_string
                case "delta":
                    self._note(found, exceptions)

    def _note(self, found: ForwardMsg, exceptions: list[str]) -> None:
        if found.hash and found.metadata.cacheable:
            self._known.add(found.hash)
        element = found.delta.new_element
        match kind := element.WhichOneof("type"):
            case "slider" | "number_input":
                widget = getattr(element, kind)
                default, value = widget.default, widget.value
                if kind == "slider":
                    default, value = default[0], value[0] if value else default[0]
                if widget.set_value:  # the page has put it back: the browser takes that over
                    self._set.pop(widget.id, None)
                shown = value if widget.set_value else self._set.get(widget.id, (kind, default))[1]
                self.sliders[widget.label] = Slider(widget.id, kind, widget.min, widget.max, shown)
            case "bidi_component":
                component = element.bidi_component
                if component.component_name == "stage":
                    self.stage, self._stage = component.json, component.id
                elif component.component_name == "frames":
                    self.frames = component.json
                    self._asking = (component.id, found.delta.fragment_id)
            case "alert":
                self.alerts.append(element.alert.body)
            case "exception":
                exceptions.append(f"{element.exception.type}: {element.exception.message}")

    async def close(self) -> None:
        """Go away."""
        await self.socket.close()

    def drop(self) -> None:
        """Break the connection without closing it."""
        self.socket.transport.abort()
