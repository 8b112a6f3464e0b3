"""A shell in a real tmux, which has two screens and a scrollback."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.patience import PATIENCE_S
from tests.terminal.app.emulator import SEEN_SECONDS
from tests.terminal.streams import Closing

POLL_SECONDS = 0.05


class Tmux(Closing):
    """One pane of 80 by 24, on a server of its own."""

    def __init__(self, socket: Path, folder: Path, environment: Mapping[str, str]) -> None:
        self.command = ["tmux", "-f", "/dev/null", "-S", str(socket)]
        shell = "env PS1='$ ' bash --norc --noprofile -i"
        size = ["-x", "80", "-y", "24"]
        subprocess.run(
            [*self.command, "new-session", "-d", *size, "-c", str(folder), shell],
            env=dict(environment),
            check=True,
            timeout=PATIENCE_S,
        )

    def close(self) -> None:
        self.run("kill-server")

    def run(self, *words: str) -> str:
        done = subprocess.run(
            [*self.command, *words], capture_output=True, check=True, text=True, timeout=PATIENCE_S
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        """Keys by tmux's names, or texts."""
        self.run("send-keys", *keys)

    def enter(self) -> None:
        """Press Enter at a screen that has stood still for a moment."""
        shown, since = "", time.monotonic()
        while time.monotonic() < since + SEEN_SECONDS:
            if (now := self.run("capture-pane", "-p", "-e")) != shown:
                shown, since = now, time.monotonic()
            time.sleep(POLL_SECONDS)
        self.press("Enter")

    def wait_for(self, text: str) -> str:
        """Until a text is on the screen; the whole screen and all that scrolled off it."""
        return self.wait_until(lambda shown: text in shown)

    def wait_for_prompt(self) -> str:
        """Until the shell waits: what is typed before that is shown twice."""
        return self.wait_until(lambda shown: shown.rstrip().endswith("$"))

    def wait_until(self, enough: Callable[[str], bool]) -> str:
        deadline = time.monotonic() + PATIENCE_S
        while not enough(shown := self.run("capture-pane", "-p", "-e", "-S", "-")):
            assert time.monotonic() < deadline, f"there is only\n{shown}"
            time.sleep(POLL_SECONDS)
        return shown
