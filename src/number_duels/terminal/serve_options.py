"""The options of `duels serve`."""

from __future__ import annotations

from argparse import ArgumentParser

from number_duels.terminal.config import whole_number


def add_serve(serve: ArgumentParser) -> None:
    """Where to serve."""
    serve.add_argument("--host", default="127.0.0.1", help="default: this machine only")
    serve.add_argument("--port", type=whole_number, default=8000, help="default: 8000")
    serve.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE (default: in the data folder) or postgresql://…",
    )


def add_limits(serve: ArgumentParser) -> None:
    """Every limit of the server."""
    from dataclasses import fields

    from number_duels.web.config import Config, flag_of

    limits = serve.add_argument_group(
        "limits", "Each is also read from the environment, as DUELS_ and its name."
    )
    for one in fields(Config):
        about = f"{one.metadata['meaning']}; default: {shown(one.default)}"
        limits.add_argument(flag_of(one.name), metavar="VALUE", help=about)


def shown(default: object) -> str:
    """A default as it would be typed.

    >>> shown(604800.0), shown("text")
    ('604800', 'text')
    """
    return str(default).removesuffix(".0")
