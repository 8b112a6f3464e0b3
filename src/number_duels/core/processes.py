"""Worker processes that do not outlive the process that started them."""

from __future__ import annotations

import os
import time
from multiprocessing import parent_process
from signal import SIGKILL, SIGTERM
from threading import Thread

#: How long a worker without a parent has to close what it has open.
WORKER_EXIT_GRACE_S = 3.0


def exit_with_parent() -> None:
    """End this worker as soon as its parent has ended, however that ended."""
    parent = parent_process()
    assert parent is not None, "only a process of multiprocessing has a parent to watch"

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), SIGTERM)  # a worker that has something to close can do so
        # Its handler runs in the main thread, which may be deaf: in a call that no signal ends,
        # on its way into one, or in a lock that the handler itself would wait for.
        time.sleep(WORKER_EXIT_GRACE_S)
        os.kill(os.getpid(), SIGKILL)

    Thread(target=watch, daemon=True).start()
