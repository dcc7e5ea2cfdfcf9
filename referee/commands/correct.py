"""`referee correct RECORD`: people say what happened; what follows is ruled again, and nothing is overwritten."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.events import Correction
    from referee.record import Record
    from referee.report.challenge import Changes

_OF_A_ROUND = ("caller", "card", "die", "no_call", "void", "as_ruled", "call", "choose")
DIE = tuple(map(str, range(1, 9)))
_HEARD = re.compile(r"(?P<seat>[^=]+)=(?P<type>\w+)(?:@(?P<time>[\d:.]+))?")


@click.command("correct")
@click.argument("record", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--round", "number", type=click.IntRange(min=1), help="The round that is meant.")
@click.option("--caller", metavar="SEAT", help="Somebody else called: SEAT.")
@click.option("--card", metavar="SEAT=TYPE", help="That seat's card was of this type.")
@click.option("--die", metavar="SEAT=NUMBER", help="Rorschach: that player's die had this number on top.")
@click.option("--no-call", is_flag=True, help="That was no call.")
@click.option(
    "--call", type=int, metavar="N", help="Which call of the round is meant, if not the deciding one (see --show)."
)
@click.option(
    "--heard",
    metavar="SEAT=TYPE[@TIME]",
    help="A call that was not heard, at seconds or minutes:seconds; with --round N the time may be left out.",
)
@click.option("--as-ruled", is_flag=True, help="The ruling is right as it is: what was asked about it is answered.")
@click.option("--void", is_flag=True, help="The round counts for nothing: its cards stay.")
@click.option(
    "--undo",
    type=int,
    is_flag=False,
    flag_value=0,
    metavar="[N]",
    help="Take correction N back; the last one by default.",
)
@click.option(
    "--choose", type=click.IntRange(min=1), metavar="K", help="Take the K-th of the alternatives that are offered."
)
@click.option("--show", is_flag=True, help="Only show the round, its calls and the alternatives; write nothing.")
@click.option("--by", default="", metavar="NAME", help="Who says so, for the record.")
@click.option(
    "--json", "as_json", is_flag=True, help="The ruling lines that changed on standard output, nothing else there."
)
def command(
    record: Path, *, number: int | None, show: bool, choose: int | None, by: str, as_json: bool, **said: Any
) -> int:
    """Append a correction to RECORD and rule again on what follows.

    With a round and nothing else, the likeliest alternatives are offered with what each would change. Nothing in the
    record is overwritten: every correction can be taken back with --undo.
    """
    from dataclasses import replace  # noqa: PLC0415  light, but only needed here

    from referee.messages.labels import label  # noqa: PLC0415
    from referee.record import read_record  # noqa: PLC0415
    from referee.report import telling  # noqa: PLC0415
    from referee.report.mending import mend  # noqa: PLC0415

    mended = not show and mend(record)
    given = read_record(record)
    if mended:
        click.echo(label("offer.mended", telling.language_of(given)), err=True)
    if number is None and said["undo"] is None and not said["heard"]:
        asked = {**said, "choose": choose}
        if wanting := [f"--{name.replace('_', '-')}" for name in _OF_A_ROUND if asked[name]]:
            raise UsageError(f"{wanting[0]} needs the round that is meant: --round N")
        _tell(telling.overview(given))
        return 0
    correction = _correction(given, number, said)
    if correction is None:
        correction = _chosen(given, number or 0, choose, ask=not show and _asks())
        if correction is None:
            return 0
    if show:
        _tell(telling.changed_lines(_preview(given, correction), telling.language_of(given)))
        return 0
    return _append(record, given, replace(correction, by=by), as_json=as_json)


def _asks() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty()


def _correction(record: Record, number: int | None, said: dict[str, Any]) -> Correction | None:
    """The correction that the options say; None when they only name a round."""
    from referee.corrections import ruled_as  # noqa: PLC0415
    from referee.events import Correction  # noqa: PLC0415
    from referee.replay import correction_for  # noqa: PLC0415
    from referee.report.challenge import ruling_of, said_at  # noqa: PLC0415

    named = [name for name in ("caller", "card", "die", "no_call", "heard", "void", "as_ruled") if said[name]]
    named += ["undo"] if said["undo"] is not None else []
    if len(named) > 1:
        raise UsageError(f"one correction at a time, not {' and '.join('--' + n.replace('_', '-') for n in named)}")
    now = said_at(record)
    if said["undo"] is not None:
        return Correction(time_s=now, kind="undo", target=said["undo"] or _last_in_force(record))
    if said["heard"]:
        return _heard(record, said["heard"], number, now)
    if not named or number is None:
        return None
    line = ruling_of(record, number)
    if said["call"] is not None and (said["caller"] or said["no_call"]):
        if said["no_call"]:
            return Correction(time_s=now, kind="not_a_call", call=said["call"])
        kept = ruled_as(line, said["call"])
        return Correction(time_s=now, kind="caller", call=said["call"], seat=said["caller"], type=kept)
    card = _seat_and_type(said["card"]) if said["card"] else None
    die = _seat_and_number(said["die"]) if said["die"] else None
    plain = {name: said[name] for name in ("caller", "no_call", "void", "as_ruled")}
    return correction_for(record, number, card=card, die=die, **plain)


def _last_in_force(record: Record) -> int:
    from referee.corrections import in_force  # noqa: PLC0415

    holding = in_force(record.corrections)
    if not holding:
        raise UsageError("there is no correction to take back")
    return holding[-1][0]


def _type(word: str) -> Any:
    """A type, in any language that a typed game may be in."""
    from referee.typed_lines import WORDS  # noqa: PLC0415

    kind = WORDS.get(word.strip().lower())
    if kind is None:
        raise UsageError(f"{word!r} is no type; the types are rock, paper, scissors")
    return kind


def _seat_and_type(text: str) -> dict[str, Any]:
    seat, equals, word = text.partition("=")
    if not equals or not seat.strip():
        raise UsageError(f"--card {text!r} must be written SEAT=TYPE, for example north=paper")
    return {"seat": seat.strip(), "type": _type(word)}


def _seat_and_number(text: str) -> dict[str, Any]:
    seat, _, number = (part.strip() for part in text.partition("="))
    if not seat or number not in DIE:
        raise UsageError(f"--die {text!r} must be written SEAT=NUMBER, for example red=3, with a number from 1 to 8")
    return {"seat": seat, "value": int(number)}


def _heard(record: Record, text: str, number: int | None, now: float) -> Correction:
    from referee.events import Correction  # noqa: PLC0415
    from referee.replay import match_for  # noqa: PLC0415
    from referee.report.challenge import ruling_of  # noqa: PLC0415
    from referee.unheard import unheard_call  # noqa: PLC0415

    parts = _HEARD.fullmatch(text.strip())
    if parts is None:
        raise UsageError(
            f"--heard {text!r} must be written SEAT=TYPE@TIME, for example north=paper@41.27 or north=paper@0:41.27"
        )
    seat, kind = parts["seat"].strip(), _type(parts["type"])
    if parts["time"] is None:
        if number is None:
            raise UsageError(f"--heard {text!r}: say when (SEAT=TYPE@TIME), or in which round (--round N)")
        return unheard_call(ruling_of(record, number), seat, kind, match_for(record).options, said_s=now)
    minutes, _, seconds = parts["time"].rpartition(":")
    try:
        at = 60 * float(minutes or 0) + float(seconds)
    except ValueError:
        raise UsageError(f"--heard {text!r}: {parts['time']!r} is no time") from None
    return Correction(time_s=now, kind="call", seat=seat, type=kind, at_s=at)


def _chosen(record: Record, number: int, choose: int | None, *, ask: bool) -> Correction | None:
    """Offer the alternatives; the one that was chosen, if any."""
    from referee.confirming import confirmation, is_confirmable  # noqa: PLC0415
    from referee.report import telling  # noqa: PLC0415
    from referee.report.challenge import alternatives, ruling_of, said_at  # noqa: PLC0415

    line, language = ruling_of(record, number), telling.language_of(record)
    offered, right = alternatives(record, number, language), is_confirmable(line)
    if choose is None:
        _tell(telling.offer(line, offered, language, right=right))
        if not ask or not (offered or right):
            return None
        answer = _asked(len(offered), language, right=right)
        if answer == "y":
            return confirmation(line, said_at(record))
        choose = int(answer)
    if choose == 0:
        return None
    if choose > len(offered):
        raise UsageError(f"--choose {choose}: only {len(offered)} alternatives are offered for round {number}")
    return offered[choose - 1].correction


def _asked(offered: int, language: str, *, right: bool) -> str:
    """What somebody answers: the number of an alternative, 0 for none, y where the ruling can be confirmed."""
    from referee.messages.labels import label  # noqa: PLC0415

    keys = ["0", *(["y"] if right else []), *map(str, range(1, offered + 1))]
    words = label("offer.which_or_right" if right else "offer.which", language)
    return str(click.prompt(words, type=click.Choice(keys), show_choices=False, err=True))


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _preview(record: Record, correction: Correction) -> Changes:
    from referee.report import telling  # noqa: PLC0415
    from referee.report.challenge import check, preview  # noqa: PLC0415

    check(record, correction)
    return preview(record, correction, telling.language_of(record))


def _append(path: Path, before: Record, correction: Correction, *, as_json: bool) -> int:
    """Write it down and say what changed."""
    from referee.console import score_words  # noqa: PLC0415
    from referee.messages.labels import label  # noqa: PLC0415
    from referee.record import dump, read_record  # noqa: PLC0415
    from referee.replay import correct  # noqa: PLC0415
    from referee.report import telling  # noqa: PLC0415
    from referee.report.challenge import check  # noqa: PLC0415
    from referee.report.changes import all_differences, correction_words  # noqa: PLC0415
    from referee.report.reading import newest_rulings  # noqa: PLC0415

    check(before, correction)
    changed = correct(path, correction)
    after = read_record(path)
    if as_json:
        for ruling in changed:
            click.echo(dump(ruling.to_json()))
        return 0
    old, new, language = newest_rulings(before.rulings)[0], newest_rulings(after.rulings)[0], telling.language_of(after)
    said = correction_words(correction, new, language, game=after.header.game)
    click.echo(label("offer.correction", language, n=len(after.corrections), words=said))
    _tell(telling.changed_lines(all_differences(old, new, language), language))
    last = after.result or {}
    click.echo(score_words(dict(last.get("piles") or {}), int(last.get("pot") or 0), language))
    return 0
