"""Serve a lecture hall: several processes behind nginx on this machine, started again if they die.

    .venv/bin/pip install -r deploy/requirements.txt
    .venv/bin/python deploy/serve.py --port 8080

It writes the settings of nginx and of Supervisor into a folder, and becomes Supervisor. SIGTERM or
Ctrl+C stops all of it.
"""

import argparse
import getpass
import os
import resource
import secrets
import shutil
import socket
import sys
import tempfile
from pathlib import Path
from string import Template

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BIN = Path(sys.executable).parent  # of the environment that this runs in


class Settings(Template):
    """Text in which @name stands for a value."""

    delimiter = "@"


# Every process has the others as its deputies. One that is away is asked again each time: to be
# refused by one's own machine takes no time.
UPSTREAM = """
    upstream {name} {{
        zone {name} 64k;
{servers}
    }}"""
SERVER = "        server 127.0.0.1:{port} max_fails=0{role};"

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
    """Stop where somebody else listens: visitors would be passed to that."""
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                sys.exit(f"Port {port} cannot be used: {error}. See --port and --first.")


def upstreams(ports: list[int]) -> str:
    """Write the groups of processes that nginx passes visitors to."""
    groups = {"all": [(port, "") for port in ports]}
    for own in ports:
        deputies = [(port, " backup") for port in ports if port != own]
        groups[f"of_{own}"] = [(own, ""), *deputies]
    return "".join(
        UPSTREAM.format(
            name=name,
            servers="\n".join(SERVER.format(port=port, role=role) for port, role in servers),
        )
        for name, servers in groups.items()
    )


def write_settings(folder: Path, port: int, ports: list[int]) -> None:
    """Write what nginx and Supervisor read."""
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
        "seats": "\n".join(f"        {own} of_{own};" for own in ports),
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
    given = arguments.parse_args()
    if not (BIN / "supervisord").exists():
        sys.exit(f"Supervisor is missing: {BIN}/pip install -r deploy/requirements.txt")
    ports = [given.first + i for i in range(given.processes)]
    check_free([given.port, *ports])
    folder = given.folder or Path(tempfile.mkdtemp(prefix="chalkline-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)  # nginx's workers have another user where this one is root
    write_settings(folder, given.port, ports)
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
