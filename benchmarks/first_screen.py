"""How soon a program that takes the whole terminal shows something."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence
from fcntl import ioctl

import pyte

#: The least that Textual can show.
HELLO_WORLD = """
from textual.app import App
from textual.widgets import Label

class Hello(App):
    def compose(self):
        yield Label("Hello, world!")

Hello().run()
"""
ROWS, COLUMNS = 24, 80
GIVE_UP_SECONDS = 60.0


def seconds_to_first_screen(command: Sequence[str]) -> float:
    """From the start of a program until a terminal shows the first of its words."""
    begin = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command[0], command)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    try:
        while not any(line.strip() for line in screen.display):
            if not select.select([terminal], [], [], GIVE_UP_SECONDS)[0]:
                sys.exit(f"{command} shows nothing in {GIVE_UP_SECONDS:.0f} seconds.")
            # pyte would print the end of a code that it does not know.
            stream.feed(os.read(terminal, 65536).replace(b"\x1b[>25u", b""))
        return time.perf_counter() - begin
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
