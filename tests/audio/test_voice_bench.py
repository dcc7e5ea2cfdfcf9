"""The pictures that the bench of voices draws."""

from referee.bench.voice_pictures import first_curve, trade_off
from referee.bench.voice_who import GAPS_MS


def test_both_pictures_are_drawn(tmp_path):
    figures = {
        "det_en": [[0.1, 0.0, 90.0], [0.5, 0.03, 20.0], [0.9, 0.4, 0.0]],
        "calls_en": 34,
        "point_en": [0.03, 28.0],
    }
    for tier in ("own", "stereo"):
        for gap in GAPS_MS:
            figures |= {
                f"first_{kind}_{tier}_{gap}": share for kind, share in (("right", 0.8), ("wrong", 0.0), ("tie", 0.2))
            }
    for path in (trade_off(figures, ("en", "de"), tmp_path), first_curve(figures, GAPS_MS, tmp_path)):
        assert path.read_bytes().startswith(b"\x89PNG")
