"""Print the notes of a release, for its tag: `python scripts/release_notes.py v0.2.0`.

They are the newest section of CHANGELOG.md. Unless that section, the version of the code and the
tag agree, there is one sentence and a failing status instead.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: A link to a page of the repository, which leads nowhere from a release.
INNER_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


def notes(tag: str, code: str, changelog: str) -> str:
    """What the newest section of a changelog says, if it is the section of this tag."""
    (version,) = re.findall(r'^__version__ = "(.+)"$', code, re.M)
    if tag != f"v{version}":
        raise ValueError(f"The tag is {tag}, but the code has version {version}.")
    _, newest, *_ = re.split(r"^## ", changelog, maxsplit=2, flags=re.M)
    heading, _, text = newest.partition("\n")
    if heading.split()[:1] != [version]:
        raise ValueError(f'CHANGELOG.md begins with "{heading}", not with {version}.')
    return INNER_LINK.sub(r"\1", text).strip() + "\n"


if __name__ == "__main__":
    try:
        print(
            notes(
                sys.argv[1],
                (ROOT / "src" / "number_duels" / "__init__.py").read_text(encoding="utf-8"),
                (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
            ),
            end="",
        )
    except ValueError as error:
        sys.exit(str(error))
