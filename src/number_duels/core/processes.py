"""Worker processes that do not outlive the process that started them."""

from __future__ import annotations

import os
import time
from multiprocessing import parent_process
from signal import SIGKILL, SIGTERM
from threading import Thread

WORKER_EXIT_GRACE_S = 3.0


def exit_with_parent() -> None:
    """End this worker process as soon as its parent process ends."""
    parent = parent_process()
    assert parent is not None, (
        "this process has no parent, because multiprocessing did not start it"
    )

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), SIGTERM)  # the worker can clean up
        # The handler runs in the main thread. That thread may never run it, because it is in a
        # call that no signal interrupts, or holds a lock that the handler waits for.
        time.sleep(WORKER_EXIT_GRACE_S)
        os.kill(os.getpid(), SIGKILL)

    Thread(target=watch, daemon=True).start()
