"""What sphinx-llm leaves to be mended in the Markdown twins of the pages, and in llms.txt."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: Of a picture in light and in dark colors one is enough.
DARK_TOO = re.compile(r"(?<=-light\....\))!\[[^\]]*\]\([^)\s]+-dark\....\)")

#: Wherever a picture came from, the site has it in one folder.
PICTURE = re.compile(r"\]\((?:[^()\s]+/)?([^()\s/]+\.(?:png|svg|webp))\)")


def mark_internal(_: Sphinx, document: nodes.document, __: str) -> None:
    """Say of links within a page what they are; else their twins lead nowhere."""
    for link in document.findall(nodes.reference):
        if "refid" in link:
            link["internal"] = True


def mend_twins(app: Sphinx, _error: Exception | None) -> None:
    """Make pictures and files those of the pages, and the list of pages plain text.

    The addresses of pictures are as in the sources, and those of files relative to the top.
    """
    for twin in app.outdir.rglob("*.html.md"):
        top = "../" * len(twin.relative_to(app.outdir).parents[:-1])
        text = DARK_TOO.sub("", twin.read_text(encoding="utf-8"))
        text = text.replace("](_downloads/", f"]({top}_downloads/")
        text = PICTURE.sub(rf"]({top}_images/\1)", text)
        twin.write_text(text, encoding="utf-8")
    listed = app.outdir / "llms.txt"
    if listed.exists():
        listed.write_text(html.unescape(listed.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Mend them when everything is written."""
    app.connect("doctree-resolved", mark_internal)
    app.connect("build-finished", mend_twins)
