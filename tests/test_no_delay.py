import socket

from pages._shared.no_delay import send_at_once


def test_connections_to_come_and_those_there_are_do_not_wait() -> None:
    with socket.socket() as listener, socket.socket() as early, socket.socket() as late:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        early.connect(listener.getsockname())
        there, _ = listener.accept()
        assert not there.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        send_at_once.clear()
        send_at_once()
        late.connect(listener.getsockname())
        to_come, _ = listener.accept()
        with there, to_come:
            for accepted in (there, to_come):
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_other_sockets_are_left_alone() -> None:
    with socket.socket(type=socket.SOCK_DGRAM):
        closed = socket.socket()
        closed.close()
        send_at_once.clear()
        send_at_once()
