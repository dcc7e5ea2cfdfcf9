"""The report: what it shows is what was ruled, seen and heard, at true times, in one page that needs nothing else."""

import base64
import csv
import errno
import html
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
import report_evening as evening
from click.testing import CliRunner

from audio.decode import blocks
from referee.cli import cli
from referee.commands.report import command
from referee.errors import InputError, RecordError, UsageError
from referee.events import CardsGone
from referee.messages.labels import LABELS
from referee.record import parse_record, read_record
from referee.report import tracks
from referee.report.footage import Footage, clip, frame_times, nearest_index, sounds
from referee.report.game import Margin
from referee.report.reading import game_of
from referee.report.statistics import statistics
from referee.report.words import clock, headline, verdict
from referee.report.writing import save, stem_of, write_report

pytest.importorskip("jinja2", reason="the extra `report` is not installed")
pytest.importorskip("matplotlib", reason="the extra `report` is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A recording, its record and its report."""
    where = tmp_path_factory.mktemp("evening")
    recording = evening.write_recording(where / "evening.mp4")
    evening.write_record(where / "evening.record.jsonl", recording=recording)
    write_report(where / "evening.record.jsonl", pictures=True)
    return where


@pytest.fixture(scope="module")
def game(folder):
    return game_of(read_record(folder / "evening.record.jsonl"), name="evening", recording=folder / "evening.mp4")


@pytest.fixture(scope="module")
def page(folder):
    return (folder / "evening.report.html").read_text()


class Elements(HTMLParser):
    """Every element of a page with its attributes, in order."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def all(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


# What is shown is what was ruled.


def test_the_evening_is_ruled_as_it_was_made(game):
    assert [r.line["outcome"] for r in game.rounds] == ["won", "penalty", "tie"]


def test_a_round_knows_its_evidence(game):
    first = game.rounds[0]
    assert first.reveal_s == pytest.approx(1.2)
    assert [c.confidence for c in first.cards] == [0.98, 0.95]
    assert first.first.seat == "south"
    assert first.first.sigma_ms == 4.0
    assert first.gone_s == pytest.approx(4.2)


def test_a_clear_lead_names_the_first_caller_with_its_error(game):
    assert headline(game, game.rounds[0]).startswith("south called paper first, by 50 ms ± 13 ms")


def test_a_lead_inside_the_error_is_too_close_to_call(game):
    assert headline(game, game.rounds[2]).startswith("Too close to call: 4.0 ms ± 13 ms")


@pytest.mark.parametrize(
    ("lead", "error", "tied", "close"),
    [
        (50, 13, False, False),
        (12, 13, False, True),
        (13, 13, False, True),
        (50, 13, True, True),
        (50, None, False, False),
    ],
)
def test_too_close_is_decided_by_the_error_alone(lead, error, tied, close):
    assert Margin(lead, error, tied).too_close is close


def test_a_margin_is_certain_at_the_house_rule_certainty(tmp_path):
    record = evening.write_record(tmp_path / "a.jsonl")
    lines = record.read_text().splitlines()
    header = json.loads(lines[0])
    header["options"] = {"certainty": 0.8}
    loose = game_of(parse_record("\n".join([json.dumps(header), *lines[1:]])), name="a")
    strict = game_of(read_record(record), name="a")
    assert loose.rounds[0].margin.error_ms < strict.rounds[0].margin.error_ms / 2


def test_a_late_call_keeps_its_fate(game):
    late = game.rounds[0].calls[1]
    assert (late.seat, late.counted) == ("north", False)
    assert "after" in late.reason


def test_nobody_called_is_said_so(tmp_path):
    record = evening.write_record(tmp_path / "silent.jsonl", evening.events(calls=()))
    silent = game_of(read_record(record), name="silent")
    assert {headline(silent, r) for r in silent.rounds} == {"Nobody called"}
    assert verdict(silent, silent.rounds[0]) == "cards stay, pot 2"


@pytest.mark.parametrize(
    ("language", "told", "column"),
    [
        ("de", ("Zielfoto der Runde 1", "Hausregeln", "Süd rief", "gewonnen, Süd +2"), "due"),
        ("es", ("Foto de llegada de la ronda 1", "Reglas de la casa", "Sur dijo", "ganada, Sur +2"), "due"),
    ],
)
def test_the_page_is_in_the_language_of_the_record(tmp_path, language, told, column):
    record = evening.write_record(tmp_path / "a.jsonl", extra={"language": language})
    write_report(record, clips=False)
    page = (tmp_path / "a.report.html").read_text()
    assert f'<html lang="{language}">' in page
    assert all(text in html.unescape(page) for text in told), [t for t in told if t not in html.unescape(page)]
    headings = re.findall(r"<(?:h[1-3]|th scope=.col.|caption|summary|a href)[^>]*>([^<]+)<", page)
    english = {text for key in LABELS for text in LABELS[key][:1]} - {t for key in LABELS for t in LABELS[key][1:]}
    assert sorted(english & {html.unescape(text).strip() for text in headings}) == []
    labels = (tmp_path / "a.rounds.csv").read_text().splitlines()
    assert column in labels[0]
    assert "rock" in "".join(labels[1:])  # tables for programs stay as they are


def test_a_record_in_a_language_that_nobody_knows_is_told_in_english(tmp_path):
    record = evening.write_record(tmp_path / "a.jsonl", extra={"language": "tlh"})
    told = game_of(read_record(record), name="a")
    assert headline(told, told.rounds[0]).startswith("south called")


def test_words_outside_every_round_are_listed(tmp_path):
    stray = evening.heard(15.5, None, "rock", probability=0.2)
    record = evening.write_record(tmp_path / "stray.jsonl", [*evening.events()[:-1], stray, evening.events()[-1]])
    listed = game_of(read_record(record), name="stray")
    everything = [c.onset_s for r in listed.rounds for c in r.calls] + [c.onset_s for c in listed.stray]
    assert 15.5 in everything


def test_statistics_count_what_each_player_did(game):
    north, south = statistics(game)
    assert (north.deciding, north.right, north.false_calls, north.silences_broken, north.late) == (2, 1, 1, 1, 1)
    assert (south.deciding, south.right, south.false_calls) == (2, 2, 0)
    assert south.reactions_s == pytest.approx((0.8, 0.8))
    assert south.by_type["paper"].right == south.by_type["paper"].made == 1
    assert south.accuracy == 1.0


def unheard(tmp_path):
    """South takes both cards of a round in which nobody was heard; north was hardly heard to say scissors."""
    hardly = replace(evening.heard(2.0, "north", "scissors", probability=0.1), accepted=False, reason="unsure")
    made = [e for e in evening.events(calls=()) if not isinstance(e, CardsGone)]
    made += [hardly, CardsGone(time_s=4.2, cards=(1, 2), to_seat="south")]
    return evening.write_record(tmp_path / "unheard.jsonl", sorted(made, key=lambda e: e.time_s))


def test_a_win_that_nobody_heard_is_a_win_without_a_reaction(tmp_path):
    game = game_of(read_record(unheard(tmp_path)), name="unheard")
    assert game.rounds[0].line["first"] | {"seat": "south", "onset_s": None} == game.rounds[0].line["first"]
    north, south = statistics(game)
    assert (south.won, south.deciding, south.reactions_s) == (1, 0, ())
    assert (north.won, north.reactions_s) == (0, ())  # a word that was no call is no reaction
    assert headline(game, game.rounds[0]) == "Decided at the table"


def test_a_call_that_is_whose_the_hands_say_is_told_as_theirs(tmp_path):
    made = [e for e in evening.events(calls=((2.0, None, "paper"),)) if not isinstance(e, CardsGone)]
    made.append(CardsGone(time_s=4.2, cards=(1, 2), to_seat="south"))
    record = evening.write_record(tmp_path / "whose.jsonl", sorted(made, key=lambda e: e.time_s))
    game = game_of(read_record(record), name="whose")
    assert game.rounds[0].line["calls"][0]["seat"] is None
    assert headline(game, game.rounds[0]) == "south called paper; nobody else did"
    _, south = statistics(game)
    assert (south.won, south.deciding, south.right) == (1, 1, 1)


def test_a_call_that_hands_read_otherwise_is_no_rival(game):
    r = game.rounds[0]
    ours, theirs = r.calls[0], replace(r.calls[1], counted=False, contested=True, reason="read otherwise")
    line = r.line | {"first": r.line["first"] | {"lead_ms": None}}
    assert replace(r, line=line, calls=(ours, theirs)).margin is None
    assert replace(r, line=line, calls=(ours, replace(theirs, reason="same sound"))).margin is not None


def test_what_the_header_leaves_open_is_not_told(tmp_path):
    write_report(evening.write_record(tmp_path / "open.jsonl"), clips=False)
    assert ">None<" not in (tmp_path / "open.report.html").read_text()


def shown(time_s, seat, kind, number):
    from referee.events import CardShown, Type

    return CardShown(time_s=time_s, seat=seat, card=number, type=Type(kind))


def test_three_card_hands_are_told_by_what_was_shown(tmp_path):
    from referee.events import RecordingEnded

    given = [shown(1, "north", "rock", 1), shown(1.1, "south", "rock", 2), shown(4, "north", "paper", 3)]
    given += [shown(4.1, "south", "rock", 4), RecordingEnded(time_s=14)]
    hands = game_of(read_record(evening.write_record(tmp_path / "h.jsonl", given, game="hands")), name="hands")
    assert headline(hands, hands.rounds[0]) == "north wins the round"
    assert [c.card for c in hands.rounds[0].cards] == [3, 4]
    assert [p.won for p in statistics(hands)] == [1, 0]


def test_rorschach_is_told_by_its_dice(tmp_path):
    from referee.events import DieShown, QuestionRead, RecordingEnded

    dice = [
        DieShown(time_s=3 + k / 10, seat=s, value=n) for k, (s, n) in enumerate((("red", 1), ("blue", 1), ("green", 2)))
    ]
    given = [QuestionRead(time_s=1, text="Who?"), *dice, RecordingEnded(time_s=20)]
    record = evening.write_record(tmp_path / "r.jsonl", given, seats=("red", "blue", "green"), game="rorschach")
    blots = game_of(read_record(record), name="blots")
    assert headline(blots, blots.rounds[0]) == "red, blue, green won"
    assert [c.type for c in blots.rounds[0].cards] == ["answer 1", "answer 1", "answer 2"]


def test_touches_are_told_as_touches(tmp_path):
    from referee.events import CardTouched, RecordingEnded

    given = [shown(1, "north", "rock", 1), shown(1.1, "south", "paper", 2), CardTouched(time_s=2, seat="south", card=2)]
    given.append(RecordingEnded(time_s=9))
    touched = game_of(read_record(evening.write_record(tmp_path / "t.jsonl", given, game="tournament")), name="t")
    assert headline(touched, touched.rounds[0]) == "south touched paper; nobody else did"


# Pictures and sound are cut at true times.


@pytest.mark.parametrize("wanted", [0.0, 1.2, 3.999, 9.1, 12.0, 15.9])
def test_a_still_is_the_nearest_frame_by_its_own_time(folder, wanted):
    times = evening.frame_times()
    nearest = min(times, key=lambda t: abs(t - wanted))
    with Footage(folder / "evening.mp4") as footage:
        (still,) = footage.stills([wanted])
    assert still.time_s == pytest.approx(nearest, abs=1e-3)
    assert still.image[:, :40].mean() == pytest.approx(evening.brightness(nearest), abs=4)


def test_no_still_is_made_up_where_there_is_no_frame(folder):
    with Footage(folder / "evening.mp4") as footage:
        assert footage.stills([25.0]) == [None]


def test_frame_numbers_come_from_frame_times(folder):
    times = frame_times(folder / "evening.mp4")
    assert times == pytest.approx(evening.frame_times(), abs=1e-3)
    assert nearest_index(times, 12.0) == min(range(len(times)), key=lambda i: abs(times[i] - 12.0))


def test_sound_is_cut_at_the_sample(folder):
    (sound,) = sounds(folder / "evening.mp4", [(6.9, 7.3)])
    loud = np.flatnonzero(np.abs(sound.samples[0]) > 0.05)[0]
    assert sound.time_s + loud / sound.rate == pytest.approx(7.0, abs=0.004)


def test_a_clip_keeps_picture_and_sound_together(folder, tmp_path):
    start, end = 6.0, 9.0
    (sound,) = sounds(folder / "evening.mp4", [(start, end)])
    with Footage(folder / "evening.mp4") as footage:
        made = clip(footage, sound, start, end)
    path = tmp_path / "clip.mp4"
    path.write_bytes(made.data)
    samples = np.concatenate([b.samples for b in blocks(path)], axis=1)
    onset = np.flatnonzero(np.abs(samples[0]) > 0.05)[0] / 48_000
    assert onset == pytest.approx(1.0, abs=0.004)
    with Footage(path) as inside:
        shown = list(inside.between(0, 4))
    for frame in shown[::7]:
        assert frame.image()[:, :32].mean() == pytest.approx(evening.brightness(start + frame.time_s), abs=6)
    assert len(shown) == len([t for t in evening.frame_times() if start <= t <= end])


def test_a_recording_that_breaks_off_still_gives_a_report(folder, tmp_path):
    from referee.report.evidence import gather

    broken = tmp_path / "evening.mkv"
    _remux(folder / "evening.mp4", broken)
    cut = broken.read_bytes()
    broken.write_bytes(cut[: len(cut) // 2])
    game = game_of(read_record(folder / "evening.record.jsonl"), name="evening", recording=broken)
    pictures = [e.picture for e in gather(game, clips=False)]
    assert len(pictures) == 3
    assert all(p[:4] == b"RIFF" for p in pictures)


def _remux(source, target):
    import av

    with av.open(str(source)) as given, av.open(str(target), "w") as out:
        streams = {s.index: out.add_stream_from_template(s) for s in given.streams}
        for packet in given.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream.index]
                out.mux(packet)


# One page, nothing else.


def test_the_page_loads_nothing(page):
    elements = Elements(page)
    sources = [
        a["src"] for tag in ("img", "source", "track", "script", "iframe") for a in elements.all(tag) if "src" in a
    ]
    assert sources
    assert all(s.startswith("data:") for s in sources)
    assert not elements.all("link")
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert not re.search(r"url\((?!data:)", page)


def test_every_round_has_its_picture_clip_and_captions(page):
    elements = Elements(page)
    assert [a["id"] for a in elements.all("article")] == ["round-1", "round-2", "round-3"]
    assert len(elements.all("video")) == len(elements.all("track")) == 3
    alts = [a["alt"] for a in elements.all("img")]
    assert alts[0].startswith("Photo finish of round 1: south called paper first, by 50 ms")
    assert all("controls" in a and a["poster"].startswith("data:image/webp") for a in elements.all("video"))
    captions = [base64.b64decode(a["src"].partition("base64,")[2]).decode() for a in elements.all("track")]
    assert "south: paper" in captions[0]
    assert "Too close to call" in captions[2]


def test_links_inside_the_page_lead_somewhere(page):
    elements = Elements(page)
    ids = {a["id"] for _, a in elements.found if "id" in a}
    assert len(ids) == len([a for _, a in elements.found if "id" in a])
    assert {a["href"][1:] for a in elements.all("a") if a["href"].startswith("#")} <= ids


def test_headings_go_down_one_at_a_time(page):
    levels = [int(tag[1]) for tag, _ in Elements(page).found if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert levels.count(1) == 1


def test_the_page_shows_rules_versions_and_checksums(page):
    assert "tie_window_ms" in page
    assert "a1" * 32 in page
    assert "referee 0." in page


def test_the_page_tells_nobody_where_files_lie(folder, page):
    assert str(folder) not in page


def test_colours_have_contrast_in_both_themes():
    from importlib import resources

    css = resources.files("referee.report").joinpath("templates", "report.css").read_text()
    themes = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    assert len(themes) == 2
    for theme in themes:
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", theme))
        for ink in ("ink", "soft", "accent", "warn", "s0", "s1", "s2", "s3"):
            for ground in ("paper", "card"):
                assert _contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        assert _contrast(colours["warn"], colours["warnbg"]) >= 4.5


def _contrast(a, b):
    """WCAG 2 contrast ratio."""
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_photo_finish_differs_where_the_evidence_does(folder):
    from PIL import Image

    pictures = [np.asarray(Image.open(folder / f"evening.round-0{n}.png").convert("L"), float) for n in (1, 2, 3)]
    assert all(p.shape[1] == 1080 for p in pictures)
    assert all(p.std() > 20 for p in pictures)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_chromium_opens_the_page(folder, tmp_path):
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path}"]  # fmt: skip
    address = (folder / "evening.report.html").as_uri()
    done = subprocess.run(["chromium", *flags, "--dump-dom", address], capture_output=True, timeout=90, check=True)
    seen = Elements(done.stdout.decode())
    assert len(seen.all("video")) == 3


# Free text cannot break out.

HOSTILE = '<img src=x onerror=alert(1)>--> & "=1+1"'


@pytest.fixture
def hostile(tmp_path):
    call = evening.heard(2.0, "south", "paper")
    from dataclasses import replace

    events = [replace(e, word=HOSTILE) if e == call else e for e in evening.events()]
    assert any(getattr(e, "word", "") == HOSTILE for e in events)
    path = evening.write_record(tmp_path / "x.jsonl", events, extra={"names": {"south": HOSTILE}})
    return game_of(read_record(path), name=HOSTILE)


def test_free_text_is_escaped_on_the_page(hostile):
    from referee.report.evidence import gather
    from referee.report.page import render

    text = render(hostile, gather(hostile), made_by="test")
    images = Elements(text).all("img")
    assert all(a["src"].startswith("data:") for a in images)
    assert not any("onerror" in a for _, a in Elements(text).found)


def test_free_text_is_escaped_in_subtitles(hostile):
    for cue in tracks.webvtt(hostile).split("\n\n")[1:]:
        lines = cue.strip().split("\n")
        assert lines[0].count("-->") == 1
        assert "-->" not in "".join(lines[1:])
        assert "<img" not in cue


def test_no_cell_is_a_formula(hostile):
    from dataclasses import replace

    games = replace(
        hostile, rounds=tuple(replace(r, calls=tuple(replace(c, word="=1+1") for c in r.calls)) for r in hostile.rounds)
    )
    rows = list(csv.reader(io.StringIO(tracks.calls_csv(games))))
    assert {row[3] for row in rows[1:]} == {"'=1+1"}


def test_words_beside_two_cards_do_not_run_into_each_other():
    from referee.report.frames import _narrow

    assert _narrow("West: Papier, über 99%", 3.0) == "West: Papier\nüber 99%"
    assert _narrow("West: Papier, über 99%", 9.0) == "West: Papier, über 99%"


def test_a_command_breaks_between_its_words_alone():
    from referee.report.page import _typed

    assert _typed("referee correct <a> --as-ruled") == (
        "<span>referee</span> <span>correct</span> <span>&lt;a&gt;</span> <span>--as-ruled</span>"
    )


# Tracks lie at the recording's times.


def test_subtitles_follow_one_another(game):
    stamps = re.findall(r"(\d\d):(\d\d):(\d\d\.\d{3}) --> (\d\d):(\d\d):(\d\d\.\d{3})", tracks.webvtt(game))
    spans = [
        (int(a) * 3600 + int(b) * 60 + float(c), int(d) * 3600 + int(e) * 60 + float(f)) for a, b, c, d, e, f in stamps
    ]
    assert len(spans) >= 9
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] + 1e-9 for before, after in pairwise(spans))
    assert spans[0][0] == pytest.approx(1.2)


def test_labels_have_three_columns_in_order(game):
    rows = [line.split("\t") for line in tracks.audacity(game).splitlines()]
    assert all(len(row) == 3 for row in rows)
    assert [float(row[0]) for row in rows] == sorted(float(row[0]) for row in rows)
    (call,) = [row for row in rows if "call south: paper" in row[2]]
    assert (float(call[0]), float(call[1])) == pytest.approx((1.996, 2.004))


def test_moments_name_the_frame_that_shows_them(folder):
    rows = list(csv.DictReader(io.StringIO((folder / "evening.moments.csv").read_text())))
    times = evening.frame_times()
    assert len(rows) > 12
    for row in rows:
        assert float(row["frame_s"]) == pytest.approx(times[int(row["frame"])], abs=1e-3)
        assert abs(float(row["frame_s"]) - float(row["time_s"])) <= 0.04
        assert row["link"] == f"evening.mp4#t={float(row['frame_s']):.3f}"


def test_tables_have_a_row_for_each_round_and_call(game):
    rounds = list(csv.DictReader(io.StringIO(tracks.rounds_csv(game))))
    assert [(r["first_seat"], r["outcome"], r["pile_south"]) for r in rounds] == [
        ("south", "won", "2"),
        ("north", "penalty", "4"),
        ("south", "tie", "4"),
    ]
    assert len(list(csv.DictReader(io.StringIO(tracks.calls_csv(game))))) == len(evening.CALLS)


@pytest.mark.parametrize(
    ("seconds", "digits", "words"),
    [(0, 2, "0:00.00"), (59.999, 2, "1:00.00"), (67.25, 3, "1:07.250"), (3600, 0, "60:00")],
)
def test_clock_rounds_up_into_the_minute(seconds, digits, words):
    assert clock(seconds, digits) == words


# Errors are one line, and nothing is left half written.


def test_without_the_recording_there_is_still_a_report(folder, tmp_path):
    record = evening.write_record(
        tmp_path / "alone.jsonl", evening.events(rounds=evening.ROUNDS[:1]), recording=folder / "evening.mp4"
    )
    written = write_report(record)
    assert "evening.mp4 is not beside the record" in written.notes[0]
    assert len(Elements(written.page.read_text()).all("img")) == 1
    assert not Elements(written.page.read_text()).all("video")


def test_a_record_without_a_round_is_shown_too(tmp_path):
    record = evening.write_record(tmp_path / "empty.jsonl", [], seats=None)
    record.write_text(record.read_text().splitlines()[0] + "\n")
    written = write_report(record)
    assert "0 rounds" in written.page.read_text()


def test_a_record_that_a_crash_cut_short_is_shown_up_to_there(tmp_path):
    record = evening.write_record(tmp_path / "cut.jsonl")
    text = record.read_bytes()
    record.write_bytes(text[: text.index(b'"round": 2') + 40])
    written = write_report(record)
    assert any("unfinished" in note for note in written.notes)
    shown_rounds = [a.get("id") for a in Elements(written.page.read_text()).all("article")]
    assert [i for i in shown_rounds if i] == ["round-1"]


def test_another_recording_is_refused(folder, tmp_path):
    other = tmp_path / "other.mp4"
    other.write_bytes((folder / "evening.mp4").read_bytes() + b"x")
    with pytest.raises(InputError, match="not the recording that was judged"):
        write_report(folder / "evening.record.jsonl", recording=other, out=tmp_path)


def test_a_folder_that_is_a_file_is_said_so(folder, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write into"):
        write_report(folder / "evening.record.jsonl", out=tmp_path / "file" / "x", clips=False)


def test_what_is_no_record_is_said_with_its_line(tmp_path):
    (tmp_path / "x.jsonl").write_text("hello\n")
    with pytest.raises(RecordError, match="line 1"):
        write_report(tmp_path / "x.jsonl")


def test_a_full_disk_leaves_the_old_file_as_it_was(tmp_path, monkeypatch):
    page = save(tmp_path / "a.html", b"old")

    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fdopen", full)
    with pytest.raises(OSError, match="No space left"):
        save(page, b"new")
    assert page.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


def test_a_missing_extra_is_one_line_with_the_command(folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    result = CliRunner().invoke(command, [str(folder / "evening.record.jsonl")])
    assert isinstance(result.exception, UsageError)
    assert "pip install 'referee[report]'" in str(result.exception)


def test_the_command_lists_what_it_wrote(folder, tmp_path):
    result = CliRunner().invoke(
        cli, ["report", str(folder / "evening.record.jsonl"), "--out", str(tmp_path), "--no-clips"]
    )
    assert result.exception is None
    written = sorted(p.name for p in tmp_path.iterdir())
    assert written == [
        "evening.calls.csv",
        "evening.labels.txt",
        "evening.moments.csv",
        "evening.report.html",
        "evening.rounds.csv",
        "evening.vtt",
    ]
    assert all(name in result.output for name in written)


@pytest.mark.parametrize("name", ["a.jsonl", "a.record.jsonl", "a.rulings.jsonl", "a"])
def test_a_game_is_called_by_its_records_name(tmp_path, name):
    assert stem_of(tmp_path / name) == "a"


@pytest.mark.parametrize("heights", [[10.0, 10.0, 200.0, 200.0], [10.0] * 4, [200.0] * 4, [100.0, 101.0], [5.0], []])
def test_labels_of_the_score_lie_apart_and_inside(heights):
    from referee.report.charts import _label_heights

    placed = sorted(_label_heights(heights))
    assert all(b - a >= 15 for a, b in pairwise(placed))
    assert all(8 <= y <= 214 for y in placed)


def test_many_rounds_are_drawn_by_several_processes_as_by_one(game, monkeypatch):
    from referee.report import evidence

    def drawn(**more):
        made = list(evidence.gather(game, **more))
        assert all(len(e.clip.data) > 10_000 for e in made)
        return [replace(e, clip=e.clip.start_s) for e in made]  # an encoder's bytes differ from run to run

    alone = drawn()
    monkeypatch.setattr(evidence, "FEWEST", 1)
    monkeypatch.setattr(evidence, "cores", lambda: 2)
    told = []
    assert drawn(progress=lambda done, of: told.append((done, of))) == alone
    assert told == [(1, 3), (2, 3), (3, 3)]
