"""A way to a server that can go dead without a word: nothing is closed, nothing gets through."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from tests.web.serving import HOST


class Proxy:
    """Passes on what either side sends, until it hangs."""

    def __init__(self, port: int) -> None:
        self.target = (HOST, port)
        self.listening = socket.create_server((HOST, 0))
        self.open = Event()
        self.open.set()
        self.sockets: list[socket.socket] = []
        self.threads: list[Thread] = []
        self.accepting = Thread(target=self._accept, daemon=True)
        self.accepting.start()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.listening.getsockname()[1]}"

    def hang(self) -> None:
        """From now on nothing arrives, on connections old or new."""
        self.open.clear()

    def go_on(self) -> None:
        """New connections work again; what hung has been lost."""
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self.sockets.clear()
        self.open.set()

    def close(self) -> None:
        """End every connection, and wait for that."""
        with suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.accepting.join()
        self.listening.close()
        self.go_on()
        for thread in self.threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                self._start(self._serve, self.listening.accept()[0])

    def _start(self, work: Callable[..., None], *sockets: socket.socket) -> Thread:
        thread = Thread(target=work, args=sockets, daemon=True)
        self.threads.append(thread)
        thread.start()
        return thread

    def _serve(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(self.target) as far:
            self.sockets += [near, far]
            back = self._start(self._pass, far, near)
            self._pass(near, far)
            back.join()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while said := source.recv(65536):
                self.open.wait()
                sink.sendall(said)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
