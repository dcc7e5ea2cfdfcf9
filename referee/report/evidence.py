"""Cuts the evidence of every round out of the recording and makes its picture and its clip."""

from __future__ import annotations

import json
from collections import deque
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from referee.many.pool import Pool, cores
from referee.report import photofinish
from referee.report.drawing import Moments, span
from referee.report.footage import Clip, Footage, Sound, Still, Tap, clip, sounds
from referee.report.tracks import webvtt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.report.game import Game, Round

CLIP_S = 3.0
FEWEST = 5
"""Rounds that are worth a process of their own, which takes about two seconds to start."""
EDGE_S = 0.2
"""A frame this near to an end of the clip may have a nearer one outside it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the page shows of one round."""

    round: Round
    picture: bytes
    """The photo finish, WebP."""
    size: tuple[int, int]
    """Its width and height in pixels."""
    print: bytes
    """The same as PNG, when it was asked for."""
    alt: str
    clip: Clip | None
    poster: bytes
    """What the clip shows before it is played, WebP; empty without one."""
    subtitles: str
    """WebVTT for the clip; empty without one."""


def clip_span(r: Round) -> tuple[float, float]:
    """Three seconds around the moment of decision: the deciding onset, else just after the last card."""
    first, reveal = r.first, r.reveal_s
    middle = first.onset_s if first is not None else (reveal + 0.5 if reveal is not None else r.time_s - 0.5)
    start = max(0.0, middle - CLIP_S / 2)
    return start, start + CLIP_S


def gather(
    game: Game,
    *,
    clips: bool = True,
    prints: bool = False,
    drawn: dict[str, Evidence] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Evidence]:
    """The evidence of each round, in order. Without a recording the pictures show calls and times alone.

    Args:
        game: the game; its `recording` may be None.
        clips: whether clips are made.
        prints: whether each picture is made as PNG too.
        drawn: what was drawn before, by ruling; what is drawn now is added.
        progress: told (rounds done, rounds in all).

    Raises:
        InputError: the recording is given and cannot be opened.
    """
    drawn = {} if drawn is None else drawn
    missing = [r for r in game.rounds if _key(r) not in drawn]
    before = len(game.rounds) - len(missing)
    for done, one in enumerate(_side_by_side(game, missing, clips, prints), 1):
        drawn[_key(one.round)] = one
        if progress is not None:
            progress(before + done, len(game.rounds))
    yield from (replace(drawn[_key(r)], round=r) for r in game.rounds)


def _side_by_side(game: Game, rounds: list[Round], clips: bool, prints: bool) -> Iterator[Evidence]:
    """The evidence of many rounds, made by several processes; of a few rounds by this one, which is faster."""
    processes = min(cores(), len(rounds) // FEWEST)
    if processes < 2:
        yield from _made(game, rounds, clips=clips, prints=prints)
        return
    size = -(-len(rounds) // (2 * processes))
    chunks = [rounds[k : k + size] for k in range(0, len(rounds), size)]
    make = partial(_listed, game, clips=clips, prints=prints)
    with closing(Pool(chunks, make, make, processes).run()) as made:  # what a process died of is tried here
        for _, some in made:
            yield from some


def _listed(game: Game, rounds: list[Round], _: object, *, clips: bool, prints: bool) -> list[Evidence]:
    return list(_made(game, rounds, clips=clips, prints=prints))


def _made(game: Game, rounds: list[Round], *, clips: bool, prints: bool) -> Iterator[Evidence]:
    """The evidence of some rounds, one after the other."""
    spans = [_both(span(r), clip_span(r) if clips else None) for r in rounds]
    heard = deque(sounds(game.recording, spans) if game.recording and rounds else [None] * len(spans))
    with Footage(game.recording) if game.recording and rounds else nullcontext() as footage:
        for r in rounds:
            yield _of(game, r, footage, heard.popleft(), clips=clips, prints=prints)


def _key(r: Round) -> str:
    """The same for the same ruling, and so for the same picture."""
    return json.dumps(r.line, sort_keys=True, default=str)


def _both(a: tuple[float, float], b: tuple[float, float] | None) -> tuple[float, float]:
    return a if b is None else (min(a[0], b[0]), max(a[1], b[1]))


def _of(game: Game, r: Round, footage: Footage | None, sound: Sound | None, *, clips: bool, prints: bool) -> Evidence:
    made, tap = None, None
    wanted = photofinish.wanted(r, game.language)
    if clips and footage is not None:
        start, end = clip_span(r)
        tap = Tap(t for _, t in wanted if start + EDGE_S <= t <= end - EDGE_S)
        made = clip(footage, sound.cut(start, end) if sound is not None else None, start, end, tap)
    subtitles = webvtt(game, start_s=made.start_s, end_s=made.start_s + CLIP_S) if made is not None else ""
    moments = _moments(game, r, _stills(footage, wanted, tap), sound)
    image = photofinish.painted(photofinish.draw(game, r, moments))
    printed = photofinish.encode(image, "png") if prints else b""
    alt = photofinish.alt_text(game, r, moments)
    return Evidence(r, photofinish.encode(image), image.size, printed, alt, made, _poster(made, tap, wanted), subtitles)


def _poster(made: Clip | None, tap: Tap | None, wanted: Sequence[tuple[str, float]]) -> bytes:
    """The frame of the moment that was decided on, out of those that came by with the clip."""
    shown = [still for _, t in wanted[1:2] if tap is not None and (still := tap.still(t)) is not None]
    return photofinish.small(shown[0].image) if made is not None and shown else b""


def _stills(
    footage: Footage | None, wanted: Sequence[tuple[str, float]], tap: Tap | None
) -> tuple[tuple[str, Still], ...]:
    """The frames of the picture: those that came by with the clip, and the others looked up."""
    if footage is None:
        return ()
    found = {t: tap.still(t) if tap is not None else None for _, t in wanted}
    missing = [t for t, still in found.items() if still is None]
    found.update(zip(missing, footage.stills(missing), strict=True))
    return tuple((what, still) for what, t in wanted if (still := found[t]) is not None)


def _moments(game: Game, r: Round, stills: tuple[tuple[str, Still], ...], sound: Sound | None) -> Moments:
    part = sound.cut(*span(r)) if sound is not None else None
    return Moments(stills, part if part is not None and part.samples.size else None, game.microphones)
