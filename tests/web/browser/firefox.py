"""Debian's Firefox, driven over Marionette: the protocol that it listens to by itself.

Every message is `length:JSON`: a command `[0, id, name, parameters]`, an answer `[1, id, error,
result]`. Visitors are containers of one browser (`userContextId`): each has cookies and storage
of its own, and a window, so that no page is in the background.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.people import Json

FIREFOX = Path("/usr/bin/firefox-esr")
#: The last lets a test reach the browser around the page: settings, containers, sizes.
ARGUMENTS = ("--headless", "--no-remote", "--marionette", "-remote-allow-system-access")
START_LIMIT_S = 90.0
#: The longest that one command may take; waiting is done by asking again.
ANSWER_LIMIT_S = 60.0
#: How often something that is waited for is looked at.
LOOK_EVERY_S = 0.02
Preferences = Mapping[str, bool | int | str]
#: What a browser does of its own accord is switched off: no test may reach another host.
QUIET: Preferences = {
    "marionette.port": 0,
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.tabs.remote.separatePrivilegedContentProcess": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.disable_open_during_load": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "privacy.userContext.enabled": True,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "data:,",
}
#: As a person's system says it; each can be changed while the browser runs.
REDUCED_MOTION: Preferences = {"ui.prefersReducedMotion": 1}
FULL_MOTION: Preferences = {"ui.prefersReducedMotion": 0}
DARK: Preferences = {"layout.css.prefers-color-scheme.content-override": 0}
LIGHT: Preferences = {"layout.css.prefers-color-scheme.content-override": 1}
FORCED_COLOURS: Preferences = {"browser.display.document_color_use": 2}
#: Cookies and storage are refused, as by a person who blocks them.
BLOCKED_STORAGE: Preferences = {"network.cookie.cookieBehavior": 2}

SET_PREFERENCES = """
const old = {};
for (const [name, value] of Object.entries(arguments[0])) {
  const kind = Services.prefs.getPrefType(name);
  const { PREF_BOOL, PREF_INT } = Services.prefs;
  if (kind === 0) old[name] = null;
  else if (kind === PREF_BOOL) old[name] = Services.prefs.getBoolPref(name);
  else if (kind === PREF_INT) old[name] = Services.prefs.getIntPref(name);
  else old[name] = Services.prefs.getStringPref(name);
  if (value === null) Services.prefs.clearUserPref(name);
  else if (typeof value === "boolean") Services.prefs.setBoolPref(name, value);
  else if (typeof value === "number") Services.prefs.setIntPref(name, value);
  else Services.prefs.setStringPref(name, value);
}
return old;"""
OPEN_WINDOW = """
const [container, done] = arguments;
const opened = (subject) => {
  const found = subject.browsingContext?.topChromeWindow ?? subject;
  found.addEventListener("load", () => {
    if (!found.gBrowser) return;
    Services.ww.unregisterNotification(watcher);
    found.delayedStartupPromise.then(() => done(null));
  }, { once: true });
};
const watcher = { observe: (subject, topic) => topic === "domwindowopened" && opened(subject) };
Services.ww.registerNotification(watcher);
openTrustedLinkIn("about:blank", "window", { userContextId: container });"""
#: What went wrong in pages, and what they asked of others: heard by the first window.
LISTEN = """
window.heard = { errors: [], asked: [] };
Services.console.registerListener({
  observe(message) {
    if (!(message instanceof Ci.nsIScriptError) || !message.category.startsWith("content")) return;
    if (message.flags & Ci.nsIScriptError.warningFlag) return;
    const { errorMessage, sourceName, lineNumber } = message;
    window.heard.errors.push(`${errorMessage} (${sourceName}:${lineNumber})`);
  },
});
Services.obs.addObserver((subject) => {
  const channel = subject.QueryInterface(Ci.nsIHttpChannel);
  if (channel.loadInfo.browsingContextID) window.heard.asked.push(channel.URI.spec);
}, "http-on-modify-request");"""
#: The page alone is made as large as it is to be: no window of Firefox is as narrow as a phone.
RESIZE = """
const browser = gBrowser.selectedBrowser;
for (const [side, length] of Object.entries(arguments[0])) {
  for (const limit of ["", "min-", "max-"]) {
    browser.style.setProperty(limit + side, `${length}px`, "important");
  }
}"""
ZOOM = "FullZoom.setZoom(arguments[0], gBrowser.selectedBrowser);"


class MarionetteError(Exception):
    """What Firefox said it could not do; `kind` is WebDriver's name for it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class Firefox:
    """One running browser; who wants to see things move says so."""

    def __init__(self, preferences: Preferences = {}) -> None:  # noqa: B006 (never written to)
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        profile = Path(self._folder.name)
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in {**QUIET, **REDUCED_MOTION, **preferences}.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        self._process = subprocess.Popen(
            [FIREFOX, *ARGUMENTS, "--profile", profile],
            env={**os.environ, "HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._count = 0
        self._containers = 0
        self._current: tuple[str, bool] | None = None
        try:
            self._socket = self._connect(profile / "MarionetteActivePort")
            self._input = self._socket.makefile("rb")
            self._read()
            self.command("WebDriver:NewSession", {"acceptInsecureCerts": True})
            self._first: str = self.command("WebDriver:GetWindowHandle")["value"]
            self.command("WebDriver:SetTimeouts", {"script": int(ANSWER_LIMIT_S * 1000)})
            self.chrome(LISTEN)
        except BaseException:
            self.close()
            raise

    def _connect(self, port_file: Path) -> socket.socket:
        end = time.monotonic() + START_LIMIT_S
        while time.monotonic() < end and self._process.poll() is None:
            try:
                port = int(port_file.read_text())
                return socket.create_connection(("127.0.0.1", port), ANSWER_LIMIT_S)
            except (OSError, ValueError):
                time.sleep(LOOK_EVERY_S)
        raise AssertionError("Firefox did not start.")

    def _read(self) -> Json:
        length = b""
        while (byte := self._input.read(1)) not in (b":", b""):
            length += byte
        return json.loads(self._input.read(int(length)))

    def command(self, name: str, parameters: Json = None) -> Json:
        """Say something to the browser; what it answers."""
        self._count += 1
        text = json.dumps([0, self._count, name, parameters or {}]).encode()
        self._socket.sendall(b"%d:%b" % (len(text), text))
        _, number, error, result = self._read()
        assert number == self._count
        if error:
            raise MarionetteError(error["error"], error["message"])
        return result

    def switch(self, handle: str, *, chrome: bool = False) -> None:
        """Turn to a window: to its page, or to the browser around it."""
        if self._current == (handle, chrome):
            return
        self.command("Marionette:SetContext", {"value": "chrome" if chrome else "content"})
        self.command("WebDriver:SwitchToWindow", {"handle": handle, "focus": False})
        self._current = (handle, chrome)

    def chrome(self, script: str, *arguments: Json, handle: str = "") -> Json:
        """Run a script in the browser itself; where it takes a callback, until that is called."""
        content = handle or self._first
        self.switch(content)
        self.command("Marionette:SetContext", {"value": "chrome"})
        kind = "Async" if "done" in script else ""
        try:
            return self.command(
                f"WebDriver:Execute{kind}Script",
                {"script": script, "args": list(arguments), "sandbox": "system"},
            )["value"]
        finally:
            self.command("Marionette:SetContext", {"value": "content"})

    def set_preferences(self, preferences: Mapping[str, bool | int | str | None]) -> Json:
        """Change settings while it runs; what they were, to be set again."""
        return self.chrome(SET_PREFERENCES, dict(preferences))

    def new_container(self) -> int:
        """A number for somebody with cookies and storage of their own."""
        self._containers += 1
        return self._containers

    def new_window(self, container: int) -> str:
        """A window for somebody; its handle."""
        before = set(self.command("WebDriver:GetWindowHandles"))
        self.chrome(OPEN_WINDOW, container)
        (handle,) = set(self.command("WebDriver:GetWindowHandles")) - before
        return str(handle)

    def close_window(self, handle: str) -> None:
        self.switch(handle)
        self.command("WebDriver:CloseWindow")
        self._current = None

    def heard(self) -> Json:
        """The errors of pages and the addresses that they asked for, since this was last asked."""
        return self.chrome(
            "const heard = window.heard; window.heard = { errors: [], asked: [] }; return heard;"
        )

    def close(self) -> None:
        """End it, with all processes of its own."""
        if hasattr(self, "_socket"):
            self._socket.close()
        if hasattr(self, "_input"):
            self._input.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._folder.cleanup()
