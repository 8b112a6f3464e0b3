"""Look at a built site as a reader would: `python scripts/check_site.py docs/_build/html`.

Every link leads to a page and to a place on it, every page has its Markdown twin and is in
llms.txt, and nothing is asked of another host.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: What Sphinx makes without a source has no twin.
MADE = {"genindex", "py-modindex", "search"}
MARKDOWN_LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
STYLE_ADDRESS = re.compile(r"""(?:url\(|@import\s+)\s*["']?([^"')\s]+)""")
#: Attributes by which a page asks for something as it is shown; a link waits to be followed.
LOADED = {("img", "src"), ("script", "src"), ("source", "src"), ("iframe", "src"), ("use", "href")}
#: Of these kinds a `<link>` is followed by readers and programs, not loaded.
FOLLOWED = {"alternate", "author", "copyright", "describedby", "index", "next", "prev", "search"}


@dataclass
class Page(HTMLParser):
    """The places of a page, where it leads, and what it loads."""

    path: Path
    places: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of one element."""
        said = {name: value for name, value in attrs if value is not None}
        self.places |= {said[name] for name in ("id", "name") if name in said}
        waits = tag == "a" or set(said.get("rel", "").split()) & FOLLOWED
        for name in ("href", "src"):
            if name in said:
                follows = waits or ((tag, name) not in LOADED and tag != "link")
                (self.links if follows else self.loaded).append(said[name])


def is_elsewhere(address: str) -> bool:
    """Whether an address is not one of this site.

    >>> [is_elsewhere(a) for a in ("https://example.org/", "//example.org/x", "arena.html#how")]
    [True, True, False]
    """
    return bool(urlsplit(address).netloc)


def broken(site: Path) -> Iterator[str]:
    """Everything that is wrong with a site, one line each."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for address in page.loaded:
            if is_elsewhere(address):
                yield f"{name} asks another host: {address}"
        for address in page.links + page.loaded:
            if not leads_somewhere(address, path, pages):
                yield f"{name} links to nothing: {address}"
    for path in sorted(site.rglob("*.css")):
        for address in STYLE_ADDRESS.findall(path.read_text(encoding="utf-8")):
            if is_elsewhere(address):
                yield f"{path.relative_to(site)} asks another host: {address}"
    yield from lacking_twins(site, pages)


def leads_somewhere(address: str, path: Path, pages: dict[Path, Page]) -> bool:
    """Whether a link of this site leads to a file, and to a place in it; others are not asked."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if target not in pages:
        return target.is_file()
    return not parts.fragment or unquote(parts.fragment) in pages[target].places


def lacking_twins(site: Path, pages: dict[Path, Page]) -> Iterator[str]:
    """Pages without a Markdown twin or not in llms.txt, and links of twins that lead nowhere."""
    listed = (site / "llms.txt").read_text(encoding="utf-8")
    twins = [site / "llms.txt"]
    for path in pages:
        name = path.relative_to(site)
        if name.parts[0] == "_modules" or name.stem in MADE:
            continue
        twins.append(path.with_name(f"{path.name}.md"))
        if f"]({name}.md)" not in listed:
            yield f"{name} is not in llms.txt"
    for twin in twins:
        if not twin.exists():
            yield f"{twin.relative_to(site)} is missing"
            continue
        for address in MARKDOWN_LINK.findall(CODE.sub("", twin.read_text(encoding="utf-8"))):
            parts = urlsplit(address)
            if not parts.netloc and not (twin.parent / unquote(parts.path)).exists():
                yield f"{twin.relative_to(site)} links to nothing: {address}"


def main() -> int:
    """Say what is wrong, or how large the site is."""
    site = Path(sys.argv[1]).resolve()
    found = list(broken(site))
    print(*found, sep="\n", end="\n" if found else "")
    files = [path for path in site.rglob("*") if path.is_file() and ".doctrees" not in path.parts]
    size = sum(path.stat().st_size for path in files) / 2**20
    pages = sum(path.suffix == ".html" for path in files)
    print(f"{pages} pages, {size:.1f} MB; {len(found)} faults.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
