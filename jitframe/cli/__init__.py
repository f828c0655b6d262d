"""The command line: `jitframe cache …`, `jitframe devices` and `jitframe explain`."""

from __future__ import annotations

import sys

import typer

from ..errors import JitframeError
from .cache import app as cache_app
from .devices import devices
from .explain import explain
from .output import complain

app = typer.Typer(
    name="jitframe",
    help="A JIT array compiler: look into its kernel cache, at its devices, at how it compiles.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(cache_app, name="cache")
app.command()(devices)
app.command()(explain)


def main() -> None:
    """Run the command line; a mistake is one message on stderr and exit status 2."""
    try:
        app()
    except JitframeError as error:
        complain(error.message)
        sys.exit(2)
    except BrokenPipeError:
        # `jitframe cache ls | head` is no mistake; keep the interpreter from complaining when it flushes.
        sys.stderr.close()
        sys.exit(0)
