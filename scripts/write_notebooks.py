"""Run the notebooks of examples/ and keep what they show: `python scripts/write_notebooks.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
#: Nobody's own kernel or Python version is kept in a notebook.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def kept(path: Path) -> nbformat.NotebookNode:
    """A notebook as it is kept."""
    return nbformat.read(path, as_version=4)


def run(path: Path) -> nbformat.NotebookNode:
    """A notebook as it looks when a fresh kernel has run it; an error in a cell is raised."""
    notebook = kept(path)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=300,
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


if __name__ == "__main__":
    for path in NOTEBOOKS:
        nbformat.write(run(path), path)
        print(path.relative_to(ROOT))
