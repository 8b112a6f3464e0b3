"""How Sphinx builds the site: `make docs`."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

from number_duels.core.bug_reports import address

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "Number Duels"
author = "The Number Duels authors"
project_copyright = author
version = release = version_of("number-duels")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_llm.txt",
    "encoding_tables",
    "command_tables",
    "markdown_twins",
    "program_facts",
    "repository_pages",
    "short_signatures",
]
exclude_patterns = ["_build", "includes"]  # what pages include is no page
smartquotes_action = "qe"  # two hyphens are an option, not a dash

# Markdown
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks are kept with what they show, and tests run them
nb_mime_priority_overrides = [
    ("llms-markdown", "image/png", 10),
    ("llms-markdown", "text/plain", 20),
]

# Docstrings
default_role = "py:obj"  # a single backtick is code, and a link where it names something
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_mock_imports = ["inspect_ai", "openenv", "verifiers"]  # in environments of their own
autodoc_preserve_defaults = True
autodoc_type_aliases = {"PlayerLike": "PlayerLike"}  # a word is clearer than six types
autodoc_typehints_format = "short"
add_module_names = False
toc_object_entries_show_parents = "hide"
maximum_signature_line_length = 120
python_use_unqualified_type_names = True

# Every type of ours that a signature names is in the reference, too.
nitpicky = True
nitpick_ignore_regex = [
    (r"py:.*", r"(?!number_duels\.).*"),  # other people's
    (r"py:class", r"number_duels\.core\.\w+\.[SME](_co)?"),  # type variables
    # The base of `Tables` and of a policy that is read from a file.
    (r"py:class", r"number_duels\.solvers\.strategy_arrays\.ArrayPolicy"),
    # What is read, in a results file or in a lesson, and nobody makes.
    (r"py:class", r"number_duels\.(arena\.results\.GameResult|trainer\.lessons\.LessonStep)"),
]

# Looks
html_theme = "furo"
html_title = project
# Icon, font and colors are those of the games' own page.
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
html_search_scorer = str(Path(__file__).parent / "_static" / "search_scorer.js")
html_copy_source = False  # each page has a Markdown twin instead
html_show_sphinx = False
copybutton_exclude = ".linenos, .gp, .go"

# llms.txt, and each page as Markdown beside it
llms_txt_description = "Five two-player number games, solved exactly."
llms_txt_suffix_mode = "append"
llms_txt_nested_enabled = False
# Cards and hidden lists of pages have nothing to say there.
llms_txt_suppress_unknown_node_warnings = True
