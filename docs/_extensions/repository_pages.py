"""Pages are written to be read in the repository, too; here they become those of a site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: Pages that stand in the top folder, where people expect them, and their places on the site.
TOP_PAGES = {"CHANGELOG": "changelog", "CONTRIBUTING": "contributing", "SECURITY": "security"}
LINK = re.compile(rf"\]\((?:\.\./)?({'|'.join(TOP_PAGES)})\.md")
#: A link that is called after the file; here it gets the title of the page.
FILE_NAME = re.compile(r"\[[\w./]+\.(?:md|ipynb)\](?=\([^)]+\.(?:md|ipynb)[#)])")
#: A picture in light colors, which has a twin in dark ones.
LIGHT = re.compile(r"(!\[[^\]]*\]\([^)\s]+)-light\.(png|svg)\)")
BOTH = r"\1-light.\2){.only-light}\1-dark.\2){.only-dark}"


def fit_the_site(*event: Any) -> None:
    """Make links those of a site, to its pages by their titles, and pictures fit its colors."""
    content: list[str] = event[-1]  # what else an event tells differs
    text = LINK.sub(lambda found: f"]({TOP_PAGES[found[1]]}.md", content[0])
    content[0] = LIGHT.sub(BOTH, FILE_NAME.sub("[]", text))


def setup(app: Sphinx) -> None:
    """Read every page like this."""
    app.connect("source-read", fit_the_site)
    app.connect("include-read", fit_the_site)
