"""A pilot that waits until the application has nothing left to do."""

from __future__ import annotations

import pytest

from tests.terminal.app.idle import wait_for_idle


@pytest.fixture(autouse=True)
def patient_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.app.wait_for_idle", wait_for_idle)
    monkeypatch.setattr("textual.pilot.wait_for_idle", wait_for_idle)
