"""The games that have documents: a page of rules, exact figures, a line in the README."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTED: tuple[str, ...] = tuple(
    json.loads((ROOT / "docs" / "data" / "solutions.json").read_text(encoding="utf-8"))
)
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts),
]
