"""The reference has signatures that a person can read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: How types and values that take a line each are shown instead.
SHORTER = {
    r"~?numpy\.ndarray\[tuple\[.*?\], ~?numpy\.dtype\[[^][]*(?:\[[^]]*\])?\]\]": "~numpy.ndarray",
    r"npt\.NDArray\[[^]]*\]": "~numpy.ndarray",
    r"~numpy\._typing\S*_Buffer \| .*?\[complex \| bytes \| str\]": "~numpy.typing.ArrayLike",
    r"\[~(typing\.Any|collections\.abc\.Hashable)(, ~\1){2}\]": "",
    r"\bAnyMatch\b": "~number_duels.core.match.Match",
    r"(?<![\w.])Policy\b": "~number_duels.solvers.policies.Policy",
    r"\b(ModelOptions|Resources)\([^()]*\)": r"\1()",
    r"\(Person\(.*?\), Person\(.*?\)\)|<factory>": "...",
}
#: The first of them, once it is set.
SHOWN_ARRAY = re.compile(r"ndarray\[tuple\[.*?\], dtype\[[^][]*(?:\[[^]]*\])?\]\]")
#: Modules whose functions are clearer in one signature than in all their overloads.
ONE_SIGNATURE = ("games", "adapters.batch", "adapters.batch.random_games")


def shorten_signature(*event: Any) -> tuple[str, str] | None:
    """Make a signature short; a page that gives a class no arguments shows none."""
    what, *shown = event[1], *event[-2:]
    if what == "class" and shown[0] == "()":  # people are handed such objects
        return "", ""
    arguments, returned = (shorter(text or "") for text in shown)
    return (arguments, returned) if arguments else None


def shorten_properties(_: Sphinx, document: nodes.document, __: str) -> None:
    """Make the types of properties short as well: no event tells of them before."""
    for part in document.findall(addnodes.desc_annotation):
        text = part.astext()
        if (short := SHOWN_ARRAY.sub("ndarray", text)) != text:
            part.children = [nodes.Text(short)]


def shorter(text: str) -> str:
    for pattern, instead in SHORTER.items():
        text = re.sub(pattern, instead, text)
    return text


def setup(app: Sphinx) -> None:
    """Make signatures short as they are found."""
    for name in ONE_SIGNATURE:
        analyzer = ModuleAnalyzer.for_module(f"number_duels.{name}")
        analyzer.analyze()
        analyzer.overloads.clear()
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("doctree-resolved", shorten_properties)
