"""Bounds what a visitor's uploads take: Streamlit keeps all that is sent until one leaves."""

from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

MOST_FILES = 2  # of a visitor: the one that was read, and the one that takes its place


def watch() -> None:
    """Bound the uploads of this server, unless it is what stands for one in tests of pages."""
    if runtime.exists() and type(server := runtime.get_instance()) is Runtime:
        files = server.uploaded_file_mgr
        if isinstance(files, MemoryUploadedFileManager):
            bound(files)


def bound(files: MemoryUploadedFileManager) -> None:
    """Have a visitor's oldest file make room for a further one."""
    add = files.add_file

    def add_file(session_id: str, file: UploadedFileRec) -> None:
        add(session_id, file)
        for old in list(files.file_storage.get(session_id, ()))[:-MOST_FILES]:
            files.remove_file(session_id, old)

    files.add_file = add_file
