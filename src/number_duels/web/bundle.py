"""One script and one style for a page, made when the server starts: not a request a module.

Modules stay files that import each other. They say no more than `import { a, b as c } from
"./x.js"`, the same with `export`, and `export` before a declaration. In a bundle each becomes a
function that runs once, after those that it imports. The style of a module has its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

NAMES_FROM = r'\s*\{([^}]*)\}\s*from\s*"\./(\w+)\.js";?$'
IMPORT = re.compile(f"^import{NAMES_FROM}", re.MULTILINE)
PASSED_ON = re.compile(f"^export{NAMES_FROM}", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
UNKNOWN = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class BundleError(ValueError):
    """A module that says more than a bundle understands; the message says where."""


def imports(source: str) -> list[str]:
    """The modules that a module names."""
    return [name for _, name in (*IMPORT.findall(source), *PASSED_ON.findall(source))]


def order(name: str, sources: Mapping[str, str], above: tuple[str, ...] = ()) -> list[str]:
    """A module after all that it imports, each once."""
    if name in above:
        raise BundleError(f"{name}.js imports itself by way of {', '.join(above)}.")
    if name not in sources:
        raise BundleError(f"{', '.join(above)}: there is no {name}.js.")
    found: dict[str, None] = {}
    for each in imports(sources[name]):
        found.update(dict.fromkeys(order(each, sources, (*above, name))))
    return [*found, name]


def bundle_script(name: str, sources: Mapping[str, str]) -> str:
    """A module and all that it needs, as one module."""
    return "\n".join(wrap(each, sources[each]) for each in order(name, sources))


def bundle_style(name: str, sources: Mapping[str, str], styles: Mapping[str, str]) -> str:
    """What every page has, the styles of a module and of all that it needs, and how to print."""
    used = ["base", *(each for each in order(name, sources) if each in styles)]
    return "\n".join([*(styles[each] for each in used), f"@media print {{\n{styles['print']}}}\n"])


def wrap(name: str, source: str) -> str:
    """A module as a function that gives what it exports."""
    exports = EXPORT.findall(source)
    for names, _ in PASSED_ON.findall(source):
        exports += [each.strip() for each in names.split(",") if each.strip()]
    body = EXPORT.sub("", PASSED_ON.sub(take, IMPORT.sub(take, source)))
    if left := UNKNOWN.search(body):
        raise BundleError(f"{name}.js: web/bundle.py does not understand {left[0]!r}.")
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();"


def take(found: re.Match[str]) -> str:
    """What stands for an import: the same names, out of what the other module gave."""
    names = re.sub(r"\s+as\s+", ": ", found[1])
    return f"const {{{names}}} = module_{found[2]};"
