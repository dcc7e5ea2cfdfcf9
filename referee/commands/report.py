"""`referee report RECORD`: one page that shows why every round was ruled as it was."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import click

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("report")
@click.argument("record", type=_FILE)
@click.option("--recording", type=_FILE, help="The recording that was judged, if it does not lie beside the record.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder of the files; by default the record's own."
)
@click.option("--clips/--no-clips", default=True, show_default=True, help="A clip of 3 s with sound for each round.")
@click.option("--pictures", is_flag=True, help="Also write each photo finish as a PNG file, for print.")
@click.option("--video", is_flag=True, help="Also write the whole recording with the rulings on it, with its sound.")
@click.option("--serve", is_flag=True, help="Serve the report on this computer, where people can say what happened.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="With --serve: the port; any free one by default."
)
def command(
    record: Path,
    *,
    recording: Path | None,
    out: Path | None,
    clips: bool,
    pictures: bool,
    video: bool,
    serve: bool,
    port: int,
) -> int:
    """Write the report of RECORD: one HTML file that needs nothing else, subtitles, labels and tables.

    Everything about a round is on the page: the photo finish, a clip with sound, every call with its fate.
    """
    from referee.report.writing import write_report  # noqa: PLC0415  heavy

    if serve:
        return _serve(record, recording, clips, port)

    written = write_report(
        record, recording=recording, out=out, clips=clips, pictures=pictures, video=video, progress=_progress()
    )
    for note in written.notes:
        click.echo(f"note: {note}", err=True)
    for path in written.others:
        click.echo(f"{path}  {path.stat().st_size / 1e6:.1f} MB" if path == written.page else str(path))
    return 0


def _serve(record: Path, recording: Path | None, clips: bool, port: int) -> int:
    """Serve until interrupted."""
    from referee.report.writing import check_extra  # noqa: PLC0415

    check_extra()
    from referee.report.serving import Desk, server  # noqa: PLC0415  needs the extra

    desk = Desk(record, recording, clips)
    click.echo("drawing the report ...", err=True)
    desk.report()  # what cannot be shown is said now, and the first page comes at once
    with server(desk, port) as serving:
        click.echo(f"http://localhost:{serving.server_address[1]}/  (stop with Ctrl-C)")
        with suppress(KeyboardInterrupt):  # that is how it is to end
            serving.serve_forever()
    return 0


class _Bar:
    """Rounds done, on a terminal only."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._shown:
            click.echo(f"\r{done} of {total}" + ("\n" if done == total else ""), nl=False, err=True)


def _progress() -> _Bar:
    return _Bar()
