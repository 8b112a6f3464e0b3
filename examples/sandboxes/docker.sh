#!/bin/sh
# Start the bot mybot/mybot.py in a sandbox without network.
exec docker run --rm -i --init --network none --read-only --user 65534 \
    --memory 512m --pids-limit 64 --cpus 1 --volume "$PWD/mybot:/bot:ro" \
    python:3.12-slim python3 /bot/mybot.py
