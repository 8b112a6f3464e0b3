"""How long a test waits for what must come.

A test goes on as soon as it is there. Only a hang takes so long, also on a machine that is busy
with other things, or that compiles everything for the first time.
"""

from __future__ import annotations

PATIENCE_S = 300.0
