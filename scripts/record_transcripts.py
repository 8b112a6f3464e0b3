"""Play every transcript again and write down what the program says now.

Run it after words were changed on purpose, and read the difference:

    python scripts/record_transcripts.py && git diff tests/transcripts

A new transcript begins as two lines: the command, and what is typed in «marks».
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.terminal.transcript import FOLDER, record


def main() -> None:
    """Record all transcripts, or those that are named."""
    wanted = sys.argv[1:] or [path.stem for path in sorted(FOLDER.glob("*.txt"))]
    for name in wanted:
        path = FOLDER / f"{name}.txt"
        first, _, rest = path.read_text(encoding="utf-8").partition("\n")
        with TemporaryDirectory() as folder:
            transcript = record(
                first.removeprefix("$ duels "), re.findall("«(.*?)»", rest), Path(folder)
            )
        transcript.write(path)
        print(f"{name}: exit {transcript.status}")


if __name__ == "__main__":
    main()
