"""`referee words`: teach the referee a word of your own by saying it a few times."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands.voices import microphone_options
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from audio.teach import Learned, Saying
    from models.taught import Taught
    from referee.commands.voices import Device
    from referee.events import Type
    from referee.media import AudioBlock

SAYING_S = 2.5
"""How long a microphone is listened to for one saying."""
CONFUSED = 1 / 3
"""Share of the sayings heard as another word from which on a word would be confused."""
NEAR_PHONES = 0.1
"""Nats a row by which another call's phones may fit worse than the word's own and are still said to be near."""


@click.group("words")
def command() -> None:
    """Words of your own that count as calls: a nickname for rock, a word in a language the referee does not know.

    They count only where they are asked for: judge --words WORD. How it works, how good it is: docs/words.md.
    """


@dataclass
class Said:
    """What was said to teach a word, and what the referee's own ear made of it."""

    sayings: list[Saying] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    """Of each saying: its file and time."""
    heard: Counter[tuple[str, str]] = field(default_factory=Counter)
    """In how many sayings the referee heard a call of its own: (word, type)."""


@command.command("add")
@click.argument("word")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--type", "kind", type=click.Choice(["rock", "paper", "scissors"]), required=True, help="What the word calls."
)
@click.option("--language", default="en", show_default=True, metavar="XX", help="Of the word; any two letters.")
@click.option("--times", type=click.IntRange(3, 12), default=5, show_default=True, help="Sayings at the microphone.")
@click.option("--anyway", is_flag=True, help="Also if it would be confused with another word.")
@click.option("--again", is_flag=True, help="Replace a word of that name.")
@microphone_options
def add(
    word: str,
    files: tuple[Path, ...],
    kind: str,
    language: str,
    *,
    times: int,
    anyway: bool,
    again: bool,
    microphone: bool,
    device: Device,
) -> None:
    """Teach WORD from recordings (FILES) in which it is said three times or more, alone, with a pause after each.

    Best said by everybody who plays, twice each, as loud and fast as at the table. One file may hold all sayings.
    """
    from models import taught  # noqa: PLC0415  loads the ear
    from referee.events import Type  # noqa: PLC0415  with the rest

    path = taught.path_of(word)
    if path.exists() and not again:
        raise UsageError(f"there is a word {path.stem!r} already: add --again to teach it anew")
    if bool(files) == microphone:
        raise UsageError("give recordings in which the word is said, or --microphone to say it now")
    if not re.fullmatch(r"[A-Za-z]{2,3}", language):
        raise UsageError(f"--language {language!r}: two letters, as in en, de, fr")
    sounds = _said_now(path.stem, times, device) if microphone else _recorded(files)
    said = _listened(sounds)
    from audio import teach  # noqa: PLC0415  heavy

    learned = teach.learn(path.stem, language.lower(), Type(kind), said.sayings)
    _refuse_confused(learned, said, Type(kind), anyway=anyway)
    taught.write(learned.taught)
    _told(learned, said)


def _recorded(files: tuple[Path, ...]) -> Iterator[tuple[str, Iterable[AudioBlock]]]:
    from audio import decode  # noqa: PLC0415  loads FFmpeg

    for path in files:
        yield path.name, decode.blocks(path)


def _said_now(word: str, times: int, device: Device) -> Iterator[tuple[str, Iterable[AudioBlock]]]:
    from referee.microphone import record  # noqa: PLC0415  only with a microphone

    for number in range(1, times + 1):
        click.echo(f"{number} of {times}: say {word!r} now", err=True)
        yield f"saying {number}", record(device, SAYING_S)


def _listened(sounds: Iterable[tuple[str, Iterable[AudioBlock]]]) -> Said:
    """Every saying, as the network sees it and as the referee's own ear hears it."""
    from audio import takes, teach  # noqa: PLC0415  heavy
    from models import LANGUAGES, open_call_model  # noqa: PLC0415  the same

    model = open_call_model(LANGUAGES)
    said = Said()
    for name, blocks in sounds:
        try:
            sound = takes.mono(blocks)
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from None
        found = takes.utterances(sound)
        if not found:
            click.echo(f"{name}: no single word was found in it", err=True)
        said.sayings += teach.sayings(model.network, sound, found)
        said.where += [f"{name} at {take.at_s:.1f} s" for take in found]
        for take in found:
            said.heard.update(_own_words(model, take.samples))
    return said


def _own_words(model: Any, samples: Any) -> set[tuple[str, str]]:
    """The calls of its own that the referee hears in one saying."""
    import numpy as np  # noqa: PLC0415  heavy

    from audio.recogniser import Spotter  # noqa: PLC0415  the same

    spotter = Spotter(model)
    quiet = np.zeros(16000, np.float32)
    found = [*spotter.accept(np.concatenate([quiet, samples, quiet])), *spotter.flush()]
    return {(one.word, one.type.value) for one in found if one.accepted and one.type is not None}


def _refuse_confused(learned: Learned, said: Said, kind: Type, *, anyway: bool) -> None:
    """Say which words it would be confused with.

    Raises:
        UsageError: one of another type, and that was not wanted anyway.
    """
    word = learned.taught.word
    count = len(said.sayings)
    problems = [
        f"the referee's own {own!r} ({other}) is heard in {number} of {count} sayings"
        for (own, other), number in sorted(said.heard.items())
        if other != kind.value and number >= CONFUSED * count
    ]
    problems += [
        f"it sounds like {other.word!r}, which calls {other.type.value}"
        for other in _others(word)
        if other.type != kind and _alike(learned.taught, other)
    ]
    if problems and not anyway:
        raise UsageError(f"{word} would be confused: {'; '.join(problems)}. Take another word, or add --anyway")
    for problem in [*problems, *_near_phones(learned, said, kind)]:
        click.echo(f"warning: {problem}", err=True)


def _near_phones(learned: Learned, said: Said, kind: Type) -> list[str]:
    """Own calls of another type whose phones fit the sayings about as well as those that were found."""
    from audio import teach  # noqa: PLC0415  heavy
    from models import LANGUAGES  # noqa: PLC0415  the same
    from models.lexicon import load_all  # noqa: PLC0415  the same

    calls = [one for one in load_all(LANGUAGES) if one.type is not None and one.type != kind]
    near = teach.nearest_call(said.sayings, learned.taught.pronunciations, calls)
    if near is None or near[1] > NEAR_PHONES:
        return []
    own = near[0]
    return [f"its phones are near those of {own.word!r} ({own.type.value if own.type else ''}): try it before you play"]


def _others(word: str) -> list[Taught]:
    from models import taught  # noqa: PLC0415  heavy

    return [taught.read(name) for name in taught.names() if name != word]


def _alike(one: Taught, other: Taught) -> bool:
    from audio import teach  # noqa: PLC0415  heavy

    near = sum(teach.apart(other.examples, rows) < other.limit for rows in one.examples)
    return near >= CONFUSED * len(one.examples)


def _told(learned: Learned, said: Said) -> None:
    one = learned.taught
    click.echo(f"learned {one.word!r} ({one.type.value}, {one.language}) from {len(one.examples)} sayings")
    click.echo(f"phones: {' | '.join(one.pronunciations)}")
    for number in learned.odd:
        click.echo(f"left out, not like the others: {said.where[number]}", err=True)
    if learned.common:
        click.echo("warning: it sounds like much of ordinary talk and will often be missed; a longer word is surer")
    again = f'"{one.word}"' if " " in one.word else one.word
    click.echo(f"it counts with: referee judge RECORDING --words {again}")


@command.command("list")
def list_words() -> None:
    """Show the words that were taught."""
    from models import taught  # noqa: PLC0415  heavy

    for name in taught.names():
        try:
            one = taught.read(name)
        except UsageError as error:
            click.echo(str(error))
            continue
        spoken = " | ".join(one.pronunciations)
        about = f"{one.word:15} {one.type.value:9} {one.language:3} {len(one.examples)} sayings"
        click.echo(f"{about}  phones {spoken}")
    if not taught.names():
        click.echo("no word has been taught: referee words add WORD --type rock FILE, or --microphone")


@command.command("remove")
@click.argument("word")
def remove(word: str) -> None:
    """Forget WORD."""
    from models import taught  # noqa: PLC0415  heavy

    taught.remove(word)
    click.echo(f"forgot {word!r}")
