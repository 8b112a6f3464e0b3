"""Write a suite of `duels bench` to its file, once: a suite that has a name is never changed.

    python scripts/write_bench_suite.py core-1 > src/number_duels/bench/data/core-1.json

The seed and the salt follow from the name; the positions are drawn from them.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256

import number_duels as nd
from number_duels.arena.schedule import SALT_BYTES
from number_duels.bench.suite import SIZES, draw_positions
from number_duels.core.randomness import stream
from number_duels.players.registry import BUILT_IN


def main() -> None:
    (name,) = sys.argv[1:]
    digest = sha256(f"number-duels bench {name}".encode()).hexdigest()
    seed, salt = int(digest[:8], 16), digest[-2 * SALT_BYTES :]
    most = max(size.positions for size in SIZES.values())
    games, positions = {}, []
    for game in map(nd.load, nd.games()):
        rng = stream(seed, "positions", game.name, salt)
        games[game.name] = game.settings
        positions += [spot.to_json() for spot in draw_positions(nd.solve(game), most, rng)]
    ladder = list(BUILT_IN)
    data = {"seed": seed, "salt": salt, "ladder": ladder, "games": games, "positions": positions}
    print(json.dumps(data, indent=1))


if __name__ == "__main__":
    main()
