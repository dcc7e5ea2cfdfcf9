"""A small evening for the tests of report, corrections and history: a record, and a recording made on the spot.

The recording is drawn here, frame by frame: its rate varies, every frame's brightness tells its time, and every call is
a tone that begins at a known sample. Nothing of it is a real game.
"""

import hashlib
from fractions import Fraction

import av
import numpy as np

from referee.events import CallHeard, CardsGone, CardShown, RecordingEnded, Type
from referee.match import Match
from referee.record import Header
from referee.record_writer import RecordWriter

RATE = 48_000
LENGTH_S = 16.0
SIZE = (320, 240)
CARDS = {
    "north": ((130, 20), (190, 20), (190, 100), (130, 100)),
    "south": ((130, 140), (190, 140), (190, 220), (130, 220)),
}
CALLS = (
    (2.0, "south", "paper"),
    (2.05, "north", "paper"),
    (7.0, "north", "rock"),
    (12.0, "south", "rock"),
    (12.004, "north", "rock"),
)
"""Onset, seat, word."""
ROUNDS = (
    (1.2, {"north": "rock", "south": "paper"}),
    (6.2, {"north": "rock", "south": "rock"}),
    (11.2, {"north": "rock", "south": "scissors"}),
)
"""Reveal of the last card, cards: won by south, a silence broken by north, a tie."""


def events(calls=CALLS, rounds=ROUNDS, sigma_ms=4.0):
    """What eye and ear would have said."""
    out, number = [], 0
    for reveal, cards in rounds:
        ids = []
        for k, (seat, kind) in enumerate(cards.items()):
            number += 1
            ids.append(number)
            out.append(
                CardShown(
                    time_s=reveal - 0.1 * (1 - k),
                    seat=seat,
                    card=number,
                    type=Type(kind),
                    confidence=0.98 if seat == "north" else 0.95,
                    corners=CARDS.get(seat, ()),
                    rest_s=reveal + 0.3,
                )
            )
        out.append(CardsGone(time_s=reveal + 3, cards=tuple(ids)))
    out += [heard(onset, seat, word, sigma_ms) for onset, seat, word in calls]
    out.append(RecordingEnded(time_s=LENGTH_S))
    return sorted(out, key=lambda e: e.time_s)


def heard(onset, seat, word, sigma_ms=4.0, probability=0.97):
    return CallHeard(
        time_s=onset,
        sigma_ms=sigma_ms,
        end_s=onset + 0.4,
        type=Type(word),
        word=word,
        language="en",
        probability=probability,
        seats={seat: 0.98} if seat else {},
        tier="own",
    )


def write_record(path, given=None, *, recording=None, seats=("north", "south"), extra=None, game="rock"):
    """Judge events and keep the record, as `referee judge` does."""
    named = {}
    if recording is not None:
        named = {"name": recording.name, "sha256": hashlib.sha256(recording.read_bytes()).hexdigest()}
    header = Header(game=game, seats=seats, recording=named, models={"call model": "a1" * 32}, extra=extra or {})
    match = Match(game=game, seats=seats)
    with RecordWriter(path, header) as writer:
        for event in given if given is not None else events():
            writer.event(event)
            for ruling in match.feed(event):
                writer.ruling(ruling)
        writer.result(match.result())
    return path


def frame_times():
    """Presentation times of the recording's frames: 25 a second, every third one left out in the second half."""
    times = [k / 25 for k in range(int(LENGTH_S * 25))]
    return [t for k, t in enumerate(times) if t < LENGTH_S / 2 or k % 3]


def brightness(time_s):
    """Of the left strip of the frame shown at a time: it tells frames 40 ms apart from one another."""
    return 40 + round(time_s * 25) % 20 * 9


def write_recording(path):
    """Two microphones: the first hears north louder, the second south; each call is a tone from its onset on."""
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=25, options={"crf": "12", "preset": "ultrafast", "g": "25"})
        video.width, video.height = SIZE
        video.pix_fmt = "yuv420p"
        video.time_base = video.codec_context.time_base = Fraction(1, 90_000)
        audio = out.add_stream("aac", rate=RATE, layout="stereo")
        audio.bit_rate = 192_000
        out.mux(audio.encode(_sound()))
        out.mux(audio.encode(None))
        for t in frame_times():
            picture = av.VideoFrame.from_ndarray(_picture(t), format="gray")
            picture.time_base, picture.pts = Fraction(1, 90_000), round(t * 90_000)
            out.mux(video.encode(picture.reformat(format="yuv420p")))
        out.mux(video.encode(None))
    return path


def _picture(time_s):
    image = np.full((SIZE[1], SIZE[0]), 90, np.uint8)
    image[:, :64] = brightness(time_s)
    for reveal, _ in ROUNDS:
        if reveal <= time_s < reveal + 3:
            image[20:100, 130:190] = image[140:220, 130:190] = 235
    return image


def _sound():
    times = np.arange(int(LENGTH_S * RATE)) / RATE
    noise = np.random.default_rng(5).normal(0, 0.0005, (2, len(times)))
    for onset, seat, _ in CALLS:
        tone = 0.4 * np.sin(2 * np.pi * 700 * (times - onset)) * ((times >= onset) & (times < onset + 0.3))
        noise[0 if seat == "north" else 1] += tone
        noise[1 if seat == "north" else 0] += 0.2 * tone
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(noise, np.float32), format="fltp", layout="stereo")
    frame.sample_rate, frame.pts, frame.time_base = RATE, 0, Fraction(1, RATE)
    return frame
