"""The command line: finds the command, runs it, and turns every known error into one line and an exit status.

Exit status: 0 judged; 1 judged but with rounds put to review; 2 usage; 3 the input cannot be judged; 70 a fault of
this program; 130 interrupted.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import traceback
from itertools import pairwise
from pathlib import Path

import click

import referee
from referee import arithmetic
from referee.errors import RefereeError

COMMANDS = {
    "judge": "judge",
    "serve": "serve",
    "live": "live",
    "replay": "replay",
    "correct": "correct",
    "report": "report",
    "history": "history",
    "bench": "bench",
    "deck": "deck",
    "words": "words",
    "voices": "voices",
    "models": "models",
    "doctor": "doctor",
}
"""Command name -> module in `referee.commands`, imported only when it is used: starting stays fast."""


class LazyGroup(click.Group):
    """A group whose commands are modules, imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's own signature
        """All names, in the order people need them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's own signature
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"referee.commands.{COMMANDS[cmd_name]}").command
        return command if isinstance(command, click.Command) else None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(referee.__version__, prog_name="referee")
def cli() -> None:
    """A referee for real tables: ROCK! and its relatives, by eye and ear, offline."""


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line and return the exit status; errors are one line on standard error."""
    arithmetic.one_thread()
    try:
        status = cli.main(args, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except RefereeError as error:
        click.echo(f"referee: {_in_language(str(error), sys.argv[1:] if args is None else args)}", err=True)
        return error.exit_status
    except (KeyboardInterrupt, click.Abort):
        click.echo("referee: interrupted", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001  a fault of ours: people get one line, and the whole of it for a report
        click.echo(f"referee: a fault in this program ({type(error).__name__}: {error}); {_kept_fault()}", err=True)
        return 70
    return status if isinstance(status, int) else 0


def _in_language(said: str, args: list[str]) -> str:
    """An error in the language that `--language` asks for, as everything else is said."""
    from referee.messages.failures import failure  # noqa: PLC0415  only after an error

    words = [word for one in args for word in one.split("=", 1)]
    asked = next((value for name, value in pairwise(words) if name == "--language"), "en")
    return failure(said, asked)


def _kept_fault() -> str:
    """Keep the traceback of the current exception in a file, and say where."""
    path = Path(tempfile.gettempdir()) / "referee-fault.txt"
    try:
        path.write_text(traceback.format_exc(), encoding="utf-8")
    except OSError:
        return "its details could not be kept"
    return f"please report it with {path}; what was judged before is in the record"
