"""Small recordings made on the spot, good and bad, for tests of the command line."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

SIZE = (320, 240)
RATE = 48000


def write(path, *, seconds=2.0, picture=True, sound=True, times=None, rate=RATE, frame=None):
    """A recording of an empty table and quiet noise; `times` gives the frames' presentation times in seconds.

    `frame` is one picture, or gives the picture at a time.
    """
    random = np.random.default_rng(1)
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=30, options={"preset": "ultrafast"}) if picture else None
        audio = out.add_stream("aac", rate=rate, layout="mono") if sound else None
        if video is not None:
            video.width, video.height = SIZE
            video.pix_fmt = "yuv420p"
            video.time_base = video.codec_context.time_base = Fraction(1, 90000)
        if audio is not None:
            _write_sound(out, audio, rate, seconds, random)
        if video is not None:
            _write_picture(out, video, times if times is not None else np.arange(0, seconds, 1 / 30), frame)
    return Path(path)


def _write_sound(out, stream, rate, seconds, random):
    samples = (random.standard_normal((1, round(seconds * rate))) * 1e-3).astype(np.float32)
    frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout="mono")
    frame.rate = rate
    for packet in [*stream.encode(frame), *stream.encode(None)]:
        out.mux(packet)


def _write_picture(out, stream, times, image):
    wood = np.full((SIZE[1], SIZE[0], 3), (90, 120, 150), np.uint8) if image is None else image
    for time_s in times:
        frame = av.VideoFrame.from_ndarray(wood(time_s) if callable(wood) else wood, format="bgr24")
        frame.pts, frame.time_base = round(time_s * 90000), Fraction(1, 90000)
        for packet in stream.encode(frame):
            out.mux(packet)
    for packet in stream.encode(None):
        out.mux(packet)
