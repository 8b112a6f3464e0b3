"""A pilot that waits until the application has nothing left to do."""

from __future__ import annotations

import pytest

from tests.patience import PATIENCE_S
from tests.terminal.app.idle import loop_time, wait_for_idle


@pytest.fixture(autouse=True)
def patient_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.app.wait_for_idle", wait_for_idle)
    monkeypatch.setattr("textual.pilot.wait_for_idle", wait_for_idle)
    monkeypatch.setattr("textual._time.get_time", loop_time)
    # Notices leave after five seconds, which a busy machine needs for a key.
    monkeypatch.setattr("textual.app.App.NOTIFICATION_TIMEOUT", PATIENCE_S)
