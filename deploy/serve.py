"""Serve a lecture hall: several processes behind nginx on this machine, started again if they die.

    .venv/bin/pip install -r deploy/requirements.txt
    .venv/bin/python deploy/serve.py --port 8080

It writes the settings of nginx and of Supervisor into a folder, and becomes Supervisor. SIGTERM or
Ctrl+C stops all of it.
"""

import argparse
import getpass
import os
import re
import resource
import secrets
import shutil
import socket
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from string import Template

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIN = Path(sys.executable).parent  # of the environment that this runs in


class Settings(Template):
    """A text in which @name is replaced by a value."""

    delimiter = "@"


# Every process has the others as its deputies. A visitor's own process that is away is asked again
# each time: to be refused by one's own machine takes no time. A newcomer has no process yet: one
# that did not answer is left out for a while.
UPSTREAM = """
    upstream {name} {{
        zone {name} 64k;
{servers}
    }}"""
SERVER = "        server 127.0.0.1:{port} {role};"
ASKED_AGAIN, LEFT_OUT = "max_fails=0", "max_fails=1 fail_timeout=15s"
PATIENCE = "4s"  # with a page: then the next process is asked

# Names that cannot belong to somebody else: of this machine, its addresses, and of a local network.
OWN_HOSTS = r"localhost ~^[\d.]+$ ~^\[?[\da-f:]+\]?$ ~^[^.]+$ ~\.local$"

# A client that never reads can hold a process up that is to stop: it is killed after ten seconds.
# Its health is asked for every five seconds, and not in the first ten, while it starts.
PROCESS = """
[program:chalkline-{port}]
command={bin}/python -m streamlit run app.py --server.headless=true --server.address=127.0.0.1
  --server.port={port}
directory={root}
autorestart=true
startsecs=10
startretries=1000000
stopwaitsecs=10
redirect_stderr=true
stdout_logfile=/dev/fd/1
stdout_logfile_maxbytes=0

[eventlistener:health-{port}]
command={bin}/httpok -p chalkline-{port} -t 30 http://127.0.0.1:{port}/_stcore/health
events=TICK_5
stderr_logfile=/dev/fd/2
stderr_logfile_maxbytes=0
"""


def check_free(ports: list[int]) -> None:
    """Stop if another program listens on a port, since visitors would be passed to it."""
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                sys.exit(f"Port {port} cannot be used: {error}. See --port and --first.")


def upstreams(ports: list[int]) -> str:
    """Return the groups of processes to which nginx passes visitors."""
    groups = {"all": [(port, LEFT_OUT) for port in ports]}
    for own in ports:
        deputies = [(port, f"{LEFT_OUT} backup") for port in ports if port != own]
        groups[f"of_{own}"] = [(own, ASKED_AGAIN), *deputies]
    return "".join(
        UPSTREAM.format(
            name=name,
            servers="\n".join(SERVER.format(port=port, role=role) for port, role in servers),
        )
        for name, servers in groups.items()
    )


def rooms(ports: list[int]) -> str:
    """Return the group that a room's code chooses a process from; no other one stands in for it."""
    servers = (SERVER.format(port=port, role=ASKED_AGAIN) for port in ports)
    lines = ["        hash $room consistent;", *servers]
    return UPSTREAM.format(name="rooms", servers="\n".join(lines))


def frames(origins: list[str]) -> dict[str, str]:
    """Write who may show the app in a frame: its own site, and these origins.

    Inside another site's frame a browser sends a cookie back only if it is marked for that, which
    needs https.
    """
    for origin in origins:
        if not re.fullmatch(r"https://[\w.-]+(:\d+)?", origin):
            sys.exit(
                f"--framed-by needs an address such as https://moodle.example.org, got {origin}"
            )
    if not origins:
        header = "        add_header X-Frame-Options SAMEORIGIN always;"
        return {"framed_by": "", "x_frame_options": header, "same_site": "SameSite=Lax"}
    cookie = "SameSite=None; Secure; Partitioned"
    return {"framed_by": f" {' '.join(origins)}", "x_frame_options": "", "same_site": cookie}


def own_hosts(names: list[str]) -> str:
    """Write the names that visitors may use, as nginx matches them."""
    for name in names:
        if not re.fullmatch(r"[\w.-]+", name):
            sys.exit(f"--host needs a name such as chalkline.example.org, got {name}")
    return " ".join([OWN_HOSTS, *names])


def write_settings(folder: Path, port: int, ports: list[int], **more: str) -> None:
    """Write the settings of nginx and Supervisor; `more` is added to those of nginx."""
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if nginx is None:
        sys.exit("nginx is not installed (on Debian and Ubuntu: apt-get install nginx-light)")
    values = {
        "folder": folder,
        "nginx": nginx,
        "user": getpass.getuser(),
        "port": port,
        "descriptors": min(65536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),
        "upstreams": upstreams(ports),
        "rooms": rooms(ports),
        "seats": "\n".join(f"        {own} of_{own};" for own in ports),
        "static": Path(find_spec("streamlit").origin).parent / "static" / "static",
        "patience": PATIENCE,
        **more,
    }
    for name in ("nginx.conf", "supervisord.conf"):
        text = Settings((HERE / name).read_text(encoding="utf-8")).substitute(values)
        if name == "supervisord.conf":
            text += "".join(PROCESS.format(port=own, bin=BIN, root=ROOT) for own in ports)
        (folder / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Read the command line, write the settings and become Supervisor."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--processes", type=int, default=os.cpu_count(), help="one per core")
    arguments.add_argument("--port", type=int, default=8080, help="that visitors come to")
    arguments.add_argument("--first", type=int, default=8501, help="port of the first process")
    arguments.add_argument("--folder", type=Path, help="for the settings; otherwise a new one")
    arguments.add_argument(
        "--host", action="append", default=[], metavar="NAME",
        help="a public name that visitors come by; can be given several times",
    )  # fmt: skip
    arguments.add_argument(
        "--framed-by", action="append", default=[], metavar="ORIGIN",
        help="a site that may show the app in a frame, such as https://moodle.example.org",
    )  # fmt: skip
    given = arguments.parse_args()
    if not (BIN / "supervisord").exists():
        sys.exit(f"Supervisor is missing: {BIN}/pip install -r deploy/requirements.txt")
    ports = [given.first + i for i in range(given.processes)]
    check_free([given.port, *ports])
    folder = given.folder or Path(tempfile.mkdtemp(prefix="chalkline-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)  # nginx's workers have another user where this one is root
    more = frames(given.framed_by) | {"hosts": own_hosts(given.host)}
    write_settings(folder, given.port, ports, **more)
    sys.stdout.write(f"http://localhost:{given.port}, with its settings in {folder}\n")
    sys.stdout.flush()
    environment = {
        "MALLOC_ARENA_MAX": "2",  # every rerun is a thread, and glibc keeps memory for each
        "STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32),  # one for all processes
    }
    command = [str(BIN / "supervisord"), "--configuration", str(folder / "supervisord.conf")]
    os.execve(command[0], command, os.environ | environment)


if __name__ == "__main__":
    main()
