"""`duels serve`: the games on a page."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import replace

from number_duels.terminal.arguments import usage
from number_duels.terminal.errors import DONE, FAILED, CommandError
from number_duels.terminal.line.console import note


def serve(args: Namespace) -> int:
    """Serve the games until told to stop; the address to open is the only output."""
    try:
        from number_duels.web.config import Config, default_database
        from number_duels.web.db.engine import driver_url
        from number_duels.web.network import EVERYWHERE, addresses_for_others, url_of
        from number_duels.web.server import DatabaseUnusable, listen, run
    except ModuleNotFoundError as error:
        raise CommandError(
            f"The server needs {error.name}: pip install 'number-duels[web]'"
        ) from None
    if not 0 <= args.port <= 65535:
        raise usage(f"--port must be 0 to 65535, not {args.port}.")
    url = args.database or os.environ.get("DUELS_DATABASE") or default_database()
    try:
        driver_url(url)
        config = Config.read(vars(args))
        # A name to listen at is a name to be reached by.
        config = replace(config, public_host=f"{config.public_host},{args.host}")
    except ValueError as error:
        raise usage(str(error)) from None
    try:
        listening = listen(args.host, args.port)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(
            f"{args.host} port {args.port} cannot be used: {reason}; choose another with --port."
        ) from None
    port = listening.getsockname()[1]
    here = "localhost" if args.host in EVERYWHERE else args.host
    others = addresses_for_others(args.host, port)

    def ready() -> None:
        addresses = dict.fromkeys([url_of(here, port), *others])
        print("\n".join(addresses), flush=True)
        if sys.stderr.isatty():
            if not others:
                note("Only this machine can open this address; --host 0.0.0.0 lets others in.")
            note("Open an address in a browser. Ctrl-C stops the server; games are kept.")

    try:
        started = run(listening, url, config, ready)
    except DatabaseUnusable as error:
        raise CommandError(str(error)) from None
    except ModuleNotFoundError as error:
        raise CommandError(
            f"This database needs {error.name}: pip install 'number-duels[distributed]'"
        ) from None
    finally:
        listening.close()
    return DONE if started else FAILED
