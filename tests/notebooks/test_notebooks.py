"""The notebooks run from top to bottom, and show what is kept in them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from write_notebooks import NOTEBOOKS, kept, run

ROOT = Path(__file__).parents[2]

Notebook = Any  # nbformat's nodes have no types of their own


def shown(notebook: Notebook) -> list[str]:
    """What the cells of a notebook show, as text; of a plot, that it is there."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [
        output["data"]["text/plain"] if "data" in output else output["text"]
        for output in outputs
        if output.get("name") != "stderr"  # where a library says that it takes its time
    ]


@pytest.mark.slow
def test_every_notebook_runs_and_shows_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    # Matplotlib's list of fonts takes longer to make than all plots; tests share one.
    fonts = Path(tempfile.gettempdir()) / f"number-duels-matplotlib-{os.getuid()}"
    monkeypatch.setenv("MPLCONFIGDIR", str(fonts))
    for path, notebook in zip(NOTEBOOKS, run(NOTEBOOKS), strict=True):
        assert shown(notebook) == shown(kept(path)) != [], path.name


def test_the_list_of_notebooks_has_every_notebook() -> None:
    listed = (ROOT / "docs" / "notebooks" / "index.md").read_text(encoding="utf-8")
    assert NOTEBOOKS
    assert all(f"]({path.name})" in listed for path in NOTEBOOKS)
