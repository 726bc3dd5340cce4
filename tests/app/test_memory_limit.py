"""A server that runs out of memory says so, and serves again."""

import re
import resource
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchmarks.app import Server, Session, serve
from benchmarks.hostile import points
from pages._shared.session.cache import NO_MEMORY
from tests.app.test_sessions import run

SPARE = 80 * 2**20  # bytes: enough for a lab, too little for the distances between 5,000 points
HEAVY = urlencode({"linkage": "complete", "points": points(1)})

pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux has it")


def data_bytes(server: Server) -> int:
    """Return the private data of a process, as RLIMIT_DATA counts it."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return 1024 * int(re.findall(r"^VmData:\s+(\d+) kB$", status, re.MULTILINE)[0])


@pytest.mark.thorough
def test_missing_memory_is_a_sentence_and_the_server_goes_on() -> None:
    async def visit() -> None:
        with serve() as server:
            light, heavy = Session(server, "k_means"), Session(server, "hierarchical_clustering")
            assert not (await light.open()).exceptions
            assert not (await heavy.open()).exceptions
            most = data_bytes(server) + SPARE
            resource.prlimit(server.process.pid, resource.RLIMIT_DATA, (most, most))
            heavy.query = HEAVY
            assert not (await heavy.rerun()).exceptions
            assert heavy.alerts == [NO_MEMORY]
            for noise in (0.2, 0.4, 0.6):
                assert not (await light.vary(noise)).exceptions
                assert not light.alerts
            await heavy.close()
            await light.close()

    run(visit())
