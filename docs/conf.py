"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

import re
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Any

from number_duels.core.addresses import address

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Number Duels"
author = "The Number Duels authors"
project_copyright = author
version = release = version_of("number-duels")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_llm.txt",
]
exclude_patterns = ["_build"]

# Markdown
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks are kept with what they show, and tests run them

# Docstrings
default_role = "code"  # a single backtick is code, as in the pages
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

# Looks
html_theme = "furo"
html_title = project
# Icon, font and colours are those of the games' own page.
html_static_path = ["_static", "../src/number_duels/web/static/fonts"]
html_css_files = ["site.css"]
html_logo = html_favicon = "../src/number_duels/web/static/favicon.svg"
FONT = {"font-stack": 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'}
html_theme_options = {
    "light_css_variables": FONT
    | {
        "color-brand-primary": "#1f5fa8",
        "color-brand-content": "#1f5fa8",
        "color-brand-visited": "#a6400f",
        "color-foreground-primary": "#22252a",
        "color-foreground-secondary": "#5d6068",
        "color-background-primary": "#fffefb",
        "color-background-secondary": "#f6f4ef",
        "color-background-border": "#dedad0",
        "color-card-border": "#dedad0",
    },
    "dark_css_variables": {
        "color-brand-primary": "#84b6f4",
        "color-brand-content": "#84b6f4",
        "color-brand-visited": "#f3a277",
        "color-foreground-primary": "#e9e7e2",
        "color-foreground-secondary": "#a5a9b1",
        "color-background-primary": "#15171a",
        "color-background-secondary": "#1d2024",
        "color-background-border": "#353a41",
        "color-card-border": "#353a41",
    },
    "footer_icons": [
        {"name": name, "url": url, "html": name, "class": ""}
        for name in ("Repository", "Issues")
        if (url := address(name))
    ],
}
html_copy_source = False  # each page has a Markdown twin instead
html_show_sphinx = False
copybutton_exclude = ".linenos, .gp, .go"

# llms.txt, and each page as Markdown beside it
llms_txt_description = "Five two-player number games, solved exactly."
llms_txt_suffix_mode = "append"
llms_txt_nested_enabled = False
# Cards and hidden lists of pages have nothing to say there.
llms_txt_suppress_unknown_node_warnings = True

#: Pages that stand in the top folder, where people expect them, and their places on the site.
TOP_PAGES = {"CHANGELOG": "changelog", "CONTRIBUTING": "contributing", "SECURITY": "security"}
LINK = re.compile(rf"\]\((?:\.\./)?({'|'.join(TOP_PAGES)})\.md")
#: A link that is called after the file; here it gets the title of the page.
FILE_NAME = re.compile(r"\[[\w./]+\.(?:md|ipynb)\](?=\([^)]+\.(?:md|ipynb)[#)])")
#: A picture in light colours, which has a twin in dark ones.
LIGHT = re.compile(r"(!\[[^\]]*\]\([^)\s]+)-light\.(png|svg)\)")
BOTH = r"\1-light.\2){.only-light}\1-dark.\2){.only-dark}"
#: In the twins one of them is enough.
DARK_TOO = re.compile(r"(?<=-light\....\))!\[[^\]]*\]\([^)\s]+-dark\....\)")


def fit_the_site(*event: Any) -> None:
    """Make links those of a site, to its pages by their titles, and pictures fit its colours."""
    content: list[str] = event[-1]  # what else an event tells differs
    text = LINK.sub(lambda found: f"]({TOP_PAGES[found[1]]}.md", content[0])
    content[0] = LIGHT.sub(BOTH, FILE_NAME.sub("[]", text))


def mend_twins(app: Sphinx, _error: Exception | None) -> None:
    """Make pictures and files of the Markdown twins those that the pages have.

    sphinx-llm leaves the addresses of pictures as they are in the sources, and those of files
    relative to the top.
    """
    for twin in app.outdir.rglob("*.html.md"):
        top = "../" * len(twin.relative_to(app.outdir).parents[:-1])
        text = DARK_TOO.sub("", twin.read_text(encoding="utf-8"))
        text = text.replace("](_downloads/", f"]({top}_downloads/")
        for source, (_, name) in app.env.images.items():
            text = text.replace(f"]({source})", f"]({top}_images/{name})")
        twin.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Pages are written to be read in the repository, too; twins link as pages do."""
    app.connect("source-read", fit_the_site)
    app.connect("include-read", fit_the_site)
    app.connect("build-finished", mend_twins)
