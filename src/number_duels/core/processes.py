"""Worker processes that do not outlive the process that started them."""

from __future__ import annotations

import os
from multiprocessing import parent_process
from signal import SIGTERM
from threading import Thread


def exit_with_parent() -> None:
    """End this worker as soon as its parent has ended, however that ended."""
    parent = parent_process()
    assert parent is not None, "only a process of multiprocessing has a parent to watch"

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), SIGTERM)  # a worker that has something to close can do so

    Thread(target=watch, daemon=True).start()
