"""The command `duels serve`, which runs the web server."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import replace
from errno import EADDRNOTAVAIL
from socket import gaierror
from typing import TYPE_CHECKING

from number_duels.terminal.errors import DONE, FAILED, CommandError, refusing_usage
from number_duels.terminal.line.console import note

if TYPE_CHECKING:
    from number_duels.web.config import Config


def serve(args: Namespace) -> int:
    try:
        from number_duels.web.config import Config, limits_table, unknown_variables
        from number_duels.web.db.engine import driver_url
        from number_duels.web.server import DatabaseUnusable
    except ModuleNotFoundError as error:
        raise CommandError(
            f"The server needs the package {error.name}: pip install 'number-duels[web]'"
        ) from None
    with refusing_usage():
        config = Config.read(vars(args))
        driver_url(config.database)
    if args.show_limits:
        print(limits_table(config))
        return DONE
    for name in unknown_variables(os.environ):
        note(f"{name} is ignored, because it is not an option of duels serve.")
    # Requests may also name the host that the server listens at.
    config = replace(config, public_host=f"{config.public_host},{config.host}")
    try:
        return DONE if listen_and_run(config) else FAILED
    except DatabaseUnusable as error:
        raise CommandError(str(error)) from None
    except ModuleNotFoundError as error:
        raise CommandError(
            f"This database needs the package {error.name}: pip install 'number-duels[distributed]'"
        ) from None


def listen_and_run(config: Config) -> bool:
    from number_duels.web.network import EVERYWHERE, addresses_for_others, url_of
    from number_duels.web.server import listen, run

    host = config.host
    try:
        listening = listen(host, config.port)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        if isinstance(error, UnicodeError | gaierror) or error.errno == EADDRNOTAVAIL:
            raise CommandError(
                f"--host {host} is not an address of this machine: {reason};"
                " choose another, such as 127.0.0.1."
            ) from None
        raise CommandError(
            f"{host} port {config.port} cannot be used: {reason}; choose another with --port."
        ) from None
    port = listening.getsockname()[1]
    others = addresses_for_others(host, port)

    def ready() -> None:
        here = url_of("localhost" if host in EVERYWHERE else host, port)
        print("\n".join(dict.fromkeys([here, *others])), flush=True)
        if sys.stderr.isatty():
            if not others:
                note(
                    "Only this machine can open this address; add --host 0.0.0.0 to let others in."
                )
            note("Open an address in a browser. Ctrl-C stops the server; games stay saved.")

    with listening:
        return run(listening, config, ready)
