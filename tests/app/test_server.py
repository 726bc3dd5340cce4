import gc
import socket
import tomllib
from pathlib import Path

import pytest

from pages._shared.session.server import (
    COLLECT,
    _allow_all_descriptors,
    prepare_server,
)


def test_connections_to_come_and_those_there_are_do_not_wait() -> None:
    with socket.socket() as listener, socket.socket() as early, socket.socket() as late:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        early.connect(listener.getsockname())
        there, _ = listener.accept()
        assert not there.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        prepare_server.clear()
        prepare_server()
        late.connect(listener.getsockname())
        to_come, _ = listener.accept()
        with there, to_come:
            for accepted in (there, to_come):
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_other_sockets_are_left_alone() -> None:
    with socket.socket(type=socket.SOCK_DGRAM):
        closed = socket.socket()
        closed.close()
        prepare_server.clear()
        prepare_server()


def test_all_objects_are_looked_at_seldom() -> None:
    before = gc.get_threshold()
    try:
        prepare_server.clear()
        prepare_server()
        assert gc.get_threshold() == COLLECT
        assert gc.get_freeze_count() > 10_000, "the libraries are left out"
        assert gc.isenabled()
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def test_all_descriptors_that_the_system_allows_are_used() -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before[1] // 2, before[1]))
        _allow_all_descriptors()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_session_has_one_thread_at_a_time() -> None:
    """With fast reruns a callback may still change the data while a newer run reads them."""
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text())
    assert config["runner"]["fastReruns"] is False
