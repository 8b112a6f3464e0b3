"""Run the notebooks and keep what they show: `python scripts/write_notebooks.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
#: Nobody's own kernel or Python version is kept in a notebook.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def kept(path: Path) -> nbformat.NotebookNode:
    """A notebook as it is kept."""
    return nbformat.read(path, as_version=4)


def run(paths: list[Path]) -> list[nbformat.NotebookNode]:
    """Notebooks as they look when a kernel has run them; an error in a cell is raised.

    One kernel runs them all, since starting one takes longer than most cells; it forgets all
    names in between.
    """
    notebooks = [kept(path) for path in paths]
    joined = nbformat.v4.new_notebook()
    for notebook in notebooks:
        joined.cells += [nbformat.v4.new_code_cell("%reset -f"), *notebook.cells]
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            joined,
            kernel_name="python3",
            timeout=300,
            record_timing=False,
            resources={"metadata": {"path": folder}},
        ).execute()
    for notebook in notebooks:
        notebook.metadata = nbformat.from_dict(METADATA)
        code = (cell for cell in notebook.cells if cell.cell_type == "code")
        for count, cell in enumerate(code, start=1):
            for node in (cell, *cell.outputs):
                if "execution_count" in node:
                    node.execution_count = count
    return notebooks


if __name__ == "__main__":
    for path, notebook in zip(NOTEBOOKS, run(NOTEBOOKS), strict=True):
        nbformat.write(notebook, path)
        print(path.relative_to(ROOT))
