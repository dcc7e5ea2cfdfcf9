"""`referee deck`: print the project's own deck, teach it yours, and check either in front of the camera."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from referee.events import Type
    from vision.cards import Sighting

_FILE = click.Path(path_type=Path)
TAKES = 3
"""How often each type is shown to a camera."""
WAIT_S = 20.0
"""How long a card is looked for in front of a camera."""


@click.group("deck")
def command() -> None:
    """Print the deck, or teach the referee your own."""


@command.command("print")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default="rock-deck.pdf")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Paper size.")
@click.option("--mono", is_flag=True, help="For printers with black only.")
def print_deck(file: Path, paper: str, mono: bool) -> int:
    """Write a PDF of 60 cards with backs, crop marks and a calibration card (default: rock-deck.pdf)."""
    from referee.deckprint import write_pdf  # noqa: PLC0415  the PDF library is loaded only here

    write_pdf(file, paper, mono=mono)
    named = "A4" if paper == "a4" else "US letter"
    click.echo(f"{file}: print it on {named} paper at 100 %, both sides, flipped on the long edge.")
    return 0


@command.command("enroll")
@click.argument("name")
@click.option("--rock", multiple=True, type=_FILE, metavar="FILE", help="A picture or video of rock cards; repeat it.")
@click.option("--paper", multiple=True, type=_FILE, metavar="FILE", help="The same for paper.")
@click.option("--scissors", multiple=True, type=_FILE, metavar="FILE", help="The same for scissors.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of pictures whose names (or folders) begin with rock, paper or scissors.",
)
@click.option("--camera", metavar="N", help="Show the cards to this computer's camera N instead (0 is the first).")
@click.option("--again", is_flag=True, help="Replace a deck of that name.")
def enroll(name: str, *, folder: Path | None, camera: str | None, again: bool, **files: tuple[Path, ...]) -> int:
    """Learn your own deck as NAME: two or more pictures of each type, one card alone on a plain table in each.

    Different light and different cards of a type help. Judge with it: referee judge RECORDING --deck NAME.
    Exit status 1: the deck was learned, but two of its types are so alike that they would be confused.
    """
    from vision import deck_store, enroll  # noqa: PLC0415  loads OpenCV

    place = deck_store.folder_of(name)
    if place.name in deck_store.names() and not again:
        raise UsageError(f"there is a deck {name!r} already: add --again to learn it anew, or choose another name")
    shown = _from_camera(camera) if camera is not None else _from_files(files, folder)
    learned = enroll.learn(shown, place.name)
    try:
        enroll.write_deck(learned, place)
    except OSError as error:
        raise UsageError(f"{place} cannot be written ({error.strerror})") from None
    counts = ", ".join(f"{len(shown[kind])} of {kind.value}" for kind in shown)
    click.echo(f"learned the deck {place.name} from {counts}: referee judge RECORDING --deck {_quoted(place.name)}")
    for (one, other), like in sorted(learned.likeness.items(), key=lambda pair: -pair[1]):
        click.echo(f"  {one} and {other}: {like:.0%} alike")
    if learned.confused is None:
        return 0
    one, other = learned.confused
    click.echo(f"warning: {one} and {other} look so alike that they would be confused: show other cards", err=True)
    return 1


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _from_files(files: dict[str, tuple[Path, ...]], folder: Path | None) -> dict[Type, list[Any]]:
    from referee.events import Type  # noqa: PLC0415  with the rest
    from vision.showing import pictures  # noqa: PLC0415  loads OpenCV

    named = {kind: [*files[kind.value], *(_in_folder(folder, kind.value) if folder else ())] for kind in Type}
    missing = [kind.value for kind, paths in named.items() if not paths]
    if missing:
        raise UsageError(
            f"no pictures of {', '.join(missing)}: give --rock FILE, --paper FILE and --scissors FILE, each twice or "
            "more, --folder DIR, or --camera 0"
        )
    return {kind: [picture for path in paths for picture in pictures(path)] for kind, paths in named.items()}


def _in_folder(folder: Path, kind: str) -> list[Path]:
    found = [p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")]
    return sorted(p for p in found if p.relative_to(folder).parts[0].casefold().startswith(kind))


def _from_camera(which: str) -> dict[Type, list[Any]]:
    from referee.events import Type  # noqa: PLC0415  with the rest

    _needs_people()
    shown: dict[Type, list[Any]] = {kind: [] for kind in Type}
    with _Camera(which) as camera:
        for kind in Type:
            for take in range(1, TAKES + 1):
                click.prompt(
                    f"{kind.value} {take} of {TAKES}: lay one {kind.value} card alone on the table, then press Enter",
                    default="",
                    show_default=False,
                    prompt_suffix="",
                )
                shown[kind].append(_card_seen(camera))
    return shown


def _card_seen(camera: _Camera) -> Any:
    from vision.enroll import card_frame  # noqa: PLC0415  loads OpenCV

    end = time.monotonic() + WAIT_S
    for picture in camera.pictures():
        try:
            card_frame(picture)
        except UsageError as error:
            if time.monotonic() > end:
                raise UsageError(f"the camera sees no card: {error}") from None
        else:
            return picture
    raise UsageError("the camera gives no picture any more")


def _needs_people() -> None:
    if not sys.stdin.isatty():
        raise UsageError("--camera asks for one card after the other: run it in a terminal, or give pictures")


class _Camera:
    """This computer's camera, let go of at the end."""

    def __init__(self, which: str) -> None:
        from referee.live.local import open_camera  # noqa: PLC0415  loads the video encoder

        self._capture = open_camera(int(which) if which.isdecimal() else which)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._capture.release()

    def pictures(self) -> Iterator[Any]:
        """Pictures as they come, the ones that waited left out."""
        for _ in range(5):
            self._capture.grab()
        while True:
            ok, picture = self._capture.read()
            if not ok:
                return
            yield picture


@command.command("check")
@click.argument("name")
@click.argument("files", nargs=-1, type=_FILE)
@click.option("--camera", metavar="N", help="Look through this computer's camera N until Ctrl-C.")
def check(name: str, files: tuple[Path, ...], camera: str | None) -> int:
    """Say what the referee reads on cards of the deck NAME (yours, printed or poker), in FILES or live.

    Exit status 1: a card that was seen could not be read.
    """
    from vision.decks import load_deck  # noqa: PLC0415  loads OpenCV
    from vision.showing import pictures  # noqa: PLC0415  the same

    deck = load_deck(name)
    if camera is not None:
        return _check_live(deck, camera)
    if not files:
        raise UsageError("nothing to look at: give pictures or videos with cards of this deck, or --camera 0")
    from vision.cards import find_cards  # noqa: PLC0415  as above

    unread = seen = 0
    for path in files:
        for number, picture in enumerate(pictures(path), 1):
            cards = find_cards(picture, deck)
            click.echo(f"{path.name}{f', moment {number}' if number > 1 else ''}: {_said(cards)}")
            seen += len(cards)
            unread += sum(card.type is None and card.reason != "not in play" for card in cards)
    click.echo(f"{seen} card{'' if seen == 1 else 's'} seen, {unread} not read")
    return 1 if unread or not seen else 0


def _said(cards: list[Sighting]) -> str:
    """What was read, for people."""
    if not cards:
        return "no card of this deck"
    return ", ".join(f"{c.type.value} ({c.confidence:.0%})" if c.type else f"? ({c.reason})" for c in cards)


def _check_live(deck: Any, which: str) -> int:
    from vision.cards import find_cards  # noqa: PLC0415  loads OpenCV

    last = ""
    click.echo("looking; Ctrl-C ends", err=True)
    with _Camera(which) as camera:
        for picture in camera.pictures():
            said = _said(find_cards(picture, deck))
            if said != last:
                click.echo(said)
            last = said
    raise UsageError("the camera gives no picture any more")


@command.command("list")
def list_decks() -> None:
    """Show the decks that can be judged with."""
    from vision import deck_store  # noqa: PLC0415  only here
    from vision.decks import load_deck  # noqa: PLC0415  the same

    click.echo("printed    the project's own (referee deck print)")
    click.echo("poker      diamonds are rock, hearts paper, spades scissors")
    for name in deck_store.names():
        try:
            deck = load_deck(name)
        except UsageError as error:
            click.echo(f"{name:10} {error}")
            continue
        click.echo(f"{name:10} yours, {len(deck.labels)} views of its cards")
    if not deck_store.names():
        click.echo("none of your own yet: referee deck enroll NAME --rock FILE --paper FILE --scissors FILE")


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Forget your deck NAME."""
    from vision import deck_store  # noqa: PLC0415  only here

    deck_store.remove(name)
    click.echo(f"forgot the deck {name}")
