"""Whoever has seen the cards of a game tries seeds until one gives the same cards."""

from __future__ import annotations

import json

from tests.attacks.frame import Finding, Target, ask

BOUND = "seeds of 128 bits: of a few, the largest has at least 120"
GAMES = 8
LEAST_BITS = 120


def attack(target: Target) -> Finding:
    """Attack."""
    seeds = []
    with target.client() as client:
        for _ in range(GAMES):
            game = json.loads(ask(client, "POST", "/api/games", {"game": "number-bid"}).body)
            path = f"/api/games/{game['id']}"
            headers = {"Authorization": f"Bearer {game['token']}"}
            ask(client, "POST", f"{path}/seats", {"name": "Bo"})
            ask(client, "POST", f"{path}/resign", {}, **headers)
            seeds.append(json.loads(ask(client, "GET", f"{path}/record", **headers).body)["seed"])
    bits = max(seed.bit_length() for seed in seeds)
    return Finding(bits >= LEAST_BITS and len(set(seeds)) == GAMES, f"{bits} bits")
