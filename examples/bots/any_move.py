#!/usr/bin/env python3
"""Plays any of its options, in every game."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "protocol": 1, "name": "any move"}', flush=True)
    elif message["type"] == "start":
        random.seed(message["seed"])
    elif message["type"] == "turn":
        print(json.dumps({"type": "move", "move": random.choice(message["options"])}), flush=True)
