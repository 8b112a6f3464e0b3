"""The options of `duels serve`, from the table in `web/config.py`."""

from __future__ import annotations

from argparse import ArgumentParser


def add_serve(serve: ArgumentParser) -> None:
    """Add every option of the server."""
    from number_duels.web.config import OPTIONS, flag_of

    serve.description = (
        f"{serve.description} Each option is also a line of the --config FILE,"
        " such as public_host = 'games.example.org', and a variable, such as DUELS_PUBLIC_HOST."
    )
    for name, one in OPTIONS.items():
        default = str(one.default).removesuffix(".0")
        about = one.metadata["meaning"] + (f" (default {default})" if default else "")
        kind = "TEXT" if isinstance(one.default, str) else "N"
        metavar = "|".join(one.metadata.get("choices", ())) or kind
        serve.add_argument(flag_of(name), metavar=metavar, help=about)
    serve.add_argument("--config", metavar="FILE", help="TOML file with any of these options")
    serve.add_argument(
        "--show-limits", action="store_true", help="print the limits that are no options, and exit"
    )
