#!/bin/sh
# Start the bot mybot/mybot.py in a sandbox without network.
exec bwrap --unshare-all --die-with-parent --clearenv --setenv PATH /usr/bin \
    --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
    --proc /proc --dev /dev --tmpfs /tmp --ro-bind mybot /bot --chdir /bot \
    python3 mybot.py
