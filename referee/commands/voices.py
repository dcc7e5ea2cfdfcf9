"""`referee voices`: know players by their voice where one microphone hears all; and forget them again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands.judge import names, seated, split
from referee.commands.live import number_or_name
from referee.errors import RefereeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audio.takes import Take
    from referee.media import AudioBlock

    Device = int | str | None

ROUND_S = 6.0
"""How long a microphone is listened to for the three words."""
_SPOKEN = {
    "en": "rock, paper, scissors",
    "de": "Stein, Papier, Schere",
    "es": "piedra, papel, tijera",
    "ko": "bawi, bo, gawi",
}


@click.group("voices")
def command() -> None:
    """Tell by voice who called, where one microphone hears everybody.

    What is kept of a voice are tables of numbers of its words, no sound, on this computer alone: docs/voices.md.
    """


def microphone_options(function: Any) -> Any:
    """`--microphone` and `--device`, for what can be said instead of given as a file."""
    which = "Which microphone, by number or part of its name; by default the system's own."
    function = click.option("--device", callback=number_or_name, metavar="N|NAME", help=which)(function)
    return click.option("--microphone", is_flag=True, help="Say it now, into this computer's microphone.")(function)


@command.command("enroll")
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--languages", callback=split, default="en", show_default=True, metavar="en,de,...", help="Of the words said."
)
@click.option("--words", callback=names, metavar="WORD,...|all", help="Words of your own (referee words) said too.")
@click.option("--times", type=click.IntRange(1, 10), default=3, show_default=True, help="Rounds at the microphone.")
@click.option("--anew", is_flag=True, help="Forget what was kept of this voice before.")
@microphone_options
def enroll(
    name: str,
    files: tuple[Path, ...],
    languages: tuple[str, ...],
    words: tuple[str, ...],
    *,
    times: int,
    anew: bool,
    microphone: bool,
    device: Device,
) -> int:
    """Learn NAME's voice from recordings in which NAME alone says the three words, twice or more each.

    Say them as at the table, best into the microphone of the game. Enrolling again adds to what is kept.
    Exit status 1: it was kept, but not all three words are.
    """
    from audio import voice_store  # noqa: PLC0415  loads the ear
    from audio.voices import Voices  # noqa: PLC0415  the same
    from models import open_call_model  # noqa: PLC0415  the same

    person = voice_store.path_of(name).stem
    if bool(files) == microphone:
        raise UsageError("give recordings in which the three words are said, or --microphone to say them now")
    model = open_call_model(languages, taught=words)
    kept = Voices({person: {}}) if anew or person not in voice_store.names() else voice_store.load(person)
    said = _SPOKEN.get(languages[0], "your three words")
    sounds = _said_now(person, said, times, device) if microphone else _recorded(files)
    heard = [take for where, blocks in sounds for take in _calls(where, blocks, model)]
    added = _added(kept, person, heard)
    if not added:
        raise UsageError(f"no call was heard: say {said}, one after the other with a pause between, close and clear")
    path = voice_store.save(kept)
    return _told(person, kept, added, model, path)


def _recorded(files: tuple[Path, ...]) -> Iterable[tuple[str, Iterable[AudioBlock]]]:
    from audio import decode  # noqa: PLC0415  loads FFmpeg

    return ((str(path), decode.blocks(path)) for path in files)


def _said_now(name: str, said: str, times: int, device: Device) -> Iterable[tuple[str, Iterable[AudioBlock]]]:
    from referee.microphone import record  # noqa: PLC0415  only with a microphone

    for number in range(1, times + 1):
        click.echo(f"{name}, {number} of {times}: say {said} now, a second between ({ROUND_S:.0f} s)", err=True)
        yield "the microphone", record(device, ROUND_S)


def _calls(where: str, blocks: Iterable[AudioBlock], model: Any) -> list[Take]:
    from audio.takes import calls  # noqa: PLC0415  loads the ear

    try:
        return calls(blocks, model)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _added(kept: Any, person: str, heard: list[Take]) -> Counter[str]:
    added: Counter[str] = Counter()
    for take in heard:
        try:
            kept.enroll(person, take.word, take.samples, take.rate)
        except RefereeError:  # hardly any sound in it: another take will do
            continue
        added[take.word] += 1
    return added


def _told(person: str, kept: Any, added: Counter[str], model: Any, path: Path) -> int:
    from referee.events import Type  # noqa: PLC0415  with the rest

    heard = ", ".join(f"{word} {count} time{'' if count == 1 else 's'}" for word, count in sorted(added.items()))
    click.echo(f"{person}: heard {heard}; kept in {path}")
    _warn(kept, person)
    types = {word.type for word in (*model.words.values(), *model.taught) if word.word in kept.takes[person]}
    missing = [kind.value for kind in Type if kind not in types]
    if missing:
        click.echo(f"still missing is a word for {', '.join(missing)}: enroll again with it", err=True)
        return 1
    thin = sorted(word for word, takes in kept.takes[person].items() if len(takes) < 2)
    if thin:
        click.echo(f"once only: {', '.join(thin)}; a second time makes it surer", err=True)
    return 0


def _warn(kept: Any, person: str) -> None:
    """Say it if what is kept as one person's voice sounds like two people's."""
    if kept.mixed(person):
        click.echo(
            f"{person}: these takes differ as much as two people's; if somebody else said some of them, "
            f"let {person} alone say them again with --anew",
            err=True,
        )


@command.command("learn")
@click.argument("record", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--players", callback=seated, metavar="SEAT=NAME,...", help="Who sat where, if the record does not say it."
)
def learn(record: Path, players: dict[str, str]) -> int:
    """Learn voices from a game that was judged (RECORD), without anybody enrolling.

    Taken are the first undisputed calls of each player of which it is known who made them: by a microphone of the
    player's own, by a stereo pair, or because you said so (referee correct). The recording must still be there.
    """
    from referee.record import read_record  # noqa: PLC0415  only here
    from referee.undisputed import known_calls  # noqa: PLC0415  the same

    read = read_record(record)
    named = read.header.extra.get("names")
    players = players or ({str(k): str(v) for k, v in named.items()} if isinstance(named, dict) else {})
    if not players:
        raise UsageError(f"{record.name} does not say who played: add --players north=Anna,south=Ben")
    calls = [call for call in known_calls(read) if call.seat in players]
    if not calls:
        raise UsageError(f"{record.name}: no undisputed call of which it is known who made it; say so: referee correct")
    kept = _learned(_recording(record, read), calls, players)
    for name, words in sorted(kept.items()):
        heard = ", ".join(f"{word} {count} time{'' if count == 1 else 's'}" for word, count in sorted(words.items()))
        click.echo(f"{name}: learned {heard}")
    missing = sorted(set(players.values()) - set(kept))
    if missing:
        click.echo(f"no undisputed call of {', '.join(missing)}", err=True)
    return 1 if missing else 0


def _recording(record: Path, read: Any) -> Path:
    """The recording that a record is of, unchanged."""
    from referee.judge import sha256  # noqa: PLC0415  only here

    about = read.header.recording
    found = [p for p in (Path(str(about.get("path", ""))), record.parent / str(about.get("name", ""))) if p.is_file()]
    if not found:
        raise UsageError(f"{record.name}: its recording {about.get('name', '')} is not here any more")
    if about.get("sha256") and sha256(found[0]) != about["sha256"]:
        raise UsageError(f"{found[0]} is not the recording that {record.name} is of: it was changed since")
    return found[0]


def _learned(recording: Path, calls: list[Any], players: dict[str, str]) -> dict[str, Counter[str]]:
    """Add the calls to the voices of who made them, and give what was added."""
    from audio import decode, voice_store  # noqa: PLC0415  loads the ear
    from audio.takes import Take  # noqa: PLC0415  the same
    from audio.voices import Voices  # noqa: PLC0415  the same
    from referee.undisputed import cut  # noqa: PLC0415  only here

    by_name: dict[str, list[Take]] = {}
    for call, samples, rate in cut(decode.blocks(recording), calls):
        by_name.setdefault(players[call.seat], []).append(Take(samples, rate, call.from_s, call.word))
    added: dict[str, Counter[str]] = {}
    for name, takes in by_name.items():
        person = voice_store.path_of(name).stem
        kept = voice_store.load(person) if person in voice_store.names() else Voices({person: {}})
        if words := _added(kept, person, takes):
            voice_store.save(kept)
            _warn(kept, person)
            added[name] = words
    return added


@command.command("list")
def list_voices() -> None:
    """Show whose voices are kept, and how often they said each word."""
    from audio import voice_store  # noqa: PLC0415  loads the ear

    for name in voice_store.names():
        try:
            words = next(iter(voice_store.load(name).takes.values()))
        except UsageError as error:
            click.echo(str(error))
            continue
        click.echo(f"{name}: " + ", ".join(f"{word} {len(takes)}" for word, takes in sorted(words.items())))
    if not voice_store.names():
        click.echo("no voice is kept: referee voices enroll NAME FILE, or --microphone")


@command.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(name: str, *, yes: bool) -> None:
    """Forget NAME's voice for good. Games in the history stay: see `referee history delete-player`."""
    from audio import voice_store  # noqa: PLC0415  loads the ear

    person = voice_store.path_of(name).stem
    if person not in voice_store.names():
        raise UsageError(f"no voice of {name} is kept; kept: {', '.join(voice_store.names()) or 'nobody'}")
    if not yes:
        click.confirm(f"Forget the voice of {person} for good? This cannot be taken back", abort=True, err=True)
    voice_store.delete(person)
    click.echo(f"forgot the voice of {person}")
