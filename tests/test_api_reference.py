"""The reference in docs/api is complete, and every public name has an example that runs.

Public is what stands in a page of the reference: names of `number_duels`, and `__all__` of the
modules that have a place there.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import number_duels as nd
from tests.documented import ROOT
from tests.test_code_blocks import BLOCKS

REFERENCE = sorted((ROOT / "docs" / "api").glob("*.md"))
DIRECTIVE = re.compile(
    r"^\.\. (?P<kind>\w+):: (?P<name>[\w.]+).*\n(?P<options>(?:   :.*\n)*)", re.M
)
EXCLUDED = re.compile(r":exclude-members: (.*)")
#: Their libraries are in environments of their own, where `make test-integrations` runs them.
ELSEWHERE = {f"number_duels.adapters.{name}" for name in ("inspect_ai", "openenv", "verifiers")}


@cache
def shown() -> dict[str, set[str]]:
    """The names that the reference has, by the module from which they are imported."""
    found: dict[str, set[str]] = {}
    for page in REFERENCE:
        module = ""
        for directive in DIRECTIVE.finditer(page.read_text(encoding="utf-8")):
            name, kind = directive["name"], directive["kind"]
            if kind in ("currentmodule", "automodule"):
                module = name
            if kind == "automodule":
                excluded = EXCLUDED.search(directive["options"])
                left_out = excluded[1].split(", ") if excluded else []
                found.setdefault(module, set()).update(set(public(module)) - set(left_out))
            elif kind != "currentmodule":
                assert kind in ("autoclass", "autodata", "autoexception", "autofunction")
                found.setdefault(module, set()).add(name)
    return found


def public(module: str) -> list[str]:
    names: list[str] = import_module(module).__all__
    return names


def names() -> list[tuple[str, str]]:
    """Every public name that can be imported here, with its module."""
    return [(m, n) for m in sorted(shown().keys() - ELSEWHERE) for n in sorted(shown()[m])]


def test_every_public_name_is_on_a_page() -> None:
    assert len(set(nd.__all__)) == len(nd.__all__)
    assert [
        f"{module}.{name}"
        for module in sorted(shown().keys() - ELSEWHERE)
        for name in public(module)
        if name not in shown()[module] and not in_another_place(module, name)
    ] == []


def in_another_place(module: str, name: str) -> bool:
    """Whether the front has a name, too, or a folder its page; type variables are on none."""
    thing = getattr(import_module(module), name)
    if isinstance(thing, ModuleType):
        return thing.__name__ in shown()
    return name in shown()["number_duels"] or isinstance(thing, TypeVar)


def test_what_the_pages_show_is_public() -> None:
    assert [f"{m}.{n}" for m, n in names() if n not in public(m)] == []


def is_alias_or_constant(thing: object) -> bool:
    return not (inspect.isclass(thing) or inspect.isroutine(thing) or hasattr(thing, "cache_info"))


def examples(documentation: str | None) -> list[str]:
    return [e.source + e.want for e in doctest.DocTestParser().get_examples(documentation or "")]


def lacking(module: str) -> Iterator[str]:
    """What the names of a module are without; an example may be theirs or their module's."""
    of_module = "".join(examples(import_module(module).__doc__))
    for name in shown()[module]:
        thing = getattr(import_module(module), name)
        if isinstance(thing, ModuleType):  # a folder that can be called
            assert examples(thing.__doc__)
        elif is_alias_or_constant(thing):  # has a comment, and its type an example
            continue
        elif not starts_with_a_sentence(inspect.getdoc(thing)):
            yield f"{module}.{name} has no first sentence"
        elif not examples(inspect.getdoc(thing)) and not re.search(rf"\b{name}\b", of_module):
            yield f"{module}.{name} has no example"


def test_every_public_name_has_a_sentence_and_an_example_that_runs() -> None:
    assert [fault for module in shown().keys() - ELSEWHERE for fault in lacking(module)] == []


def starts_with_a_sentence(documentation: str | None) -> bool:
    first = (documentation or "").partition("\n\n")[0].rstrip()
    return first.endswith((".", ":", "`"))


def members(kind: type) -> Iterator[tuple[str, str | None]]:
    """The public methods and properties that a class has itself, with what is said of them."""
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, cached_property):
            yield name, member.__doc__
        elif isinstance(member, property | classmethod | staticmethod) or inspect.isfunction(
            member
        ):
            yield name, inspect.getdoc(getattr(kind, name))


def test_every_method_of_a_public_class_has_a_sentence() -> None:
    assert [
        f"{module}.{name}.{member}"
        for module, name in names()
        if inspect.isclass(kind := getattr(import_module(module), name))
        for member, documentation in members(kind)
        if not starts_with_a_sentence(documentation)
    ] == []


def test_what_other_environments_run_is_there_and_has_a_sentence() -> None:
    for module in ELSEWHERE:
        path = ROOT / "src" / Path(*module.split(".")).with_suffix(".py")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = {
            node.name: ast.get_docstring(node)
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        assert all(starts_with_a_sentence(said[name]) for name in shown()[module])


# ---- what pages import -----------------------------------------------------------


def code() -> Iterator[tuple[str, ast.AST]]:
    """The parts of all Python in pages and notebooks, with where they stand."""
    texts = [(block.label, block.code) for block in BLOCKS if block.language == "python"]
    for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts += [(path.name, "".join(c["source"])) for c in cells if c["cell_type"] == "code"]
    for label, text in texts:
        yield from ((label, node) for node in ast.walk(ast.parse(text)))


def used() -> Iterator[tuple[str, str, str]]:
    """What pages import of the package or take from `nd`: where, from which module, what."""
    for label, node in code():
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("number_duels"):
            yield from ((label, node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                assert not alias.name.startswith("number_duels."), label
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "nd":
            yield label, "number_duels", node.attr


def test_pages_use_public_names_alone() -> None:
    found = set(used())
    assert len(found) > 50
    assert [
        f"{label}: {module}.{name}"
        for label, module, name in sorted(found)
        if name not in shown().get(module, ()) and name not in getattr_all(module)
    ] == []


def getattr_all(module: str) -> list[str]:
    """`__all__` of a module of the reference, whose names all stand somewhere in it."""
    return public(module) if module in shown().keys() - ELSEWHERE else []
