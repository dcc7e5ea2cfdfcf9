"""Decks of one's own, from the command line: shown in pictures, listed, checked, judged with, forgotten."""

import cv2
import pytest
from test_decks import DRAWN, picture_of

from referee import cli
from referee.errors import UsageError
from referee.events import Type
from vision import deck_store, showing
from vision.decks import load_deck


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Three photographs of each type, in other light and turned otherwise."""
    folder = tmp_path_factory.mktemp("photos")
    for kind, draw in DRAWN.items():
        for i in range(3):
            cv2.imwrite(str(folder / f"{kind.value}-{i}.png"), picture_of(draw, 0.8 + 0.1 * i, seed=10 * i)[0])
        cv2.imwrite(str(folder / f"new {kind.value}.png"), picture_of(draw, 0.65, seed=91)[0])
    return folder


def run(*words: object) -> int:
    return cli.run(["deck", *(str(word) for word in words)])


def test_a_deck_is_learned_listed_checked_and_forgotten(photos, capsys):
    assert run("enroll", "Grandma's deck", "--folder", photos) == 0
    assert "3 of rock" in capsys.readouterr().out
    assert deck_store.names() == ["Grandma's deck"]
    assert load_deck("Grandma's deck").name == "Grandma's deck"
    assert run("list") == 0
    assert "Grandma's deck yours" in capsys.readouterr().out
    assert run("check", "Grandma's deck", *sorted(photos.glob("new*"))) == 0
    lines = capsys.readouterr().out.splitlines()
    for kind in ("paper", "rock", "scissors"):
        assert any(line.startswith(f"new {kind}.png: {kind} (") for line in lines)
    assert run("remove", "Grandma's deck") == 0
    assert deck_store.names() == []
    with pytest.raises(UsageError, match="neither one of"):
        load_deck("Grandma's deck")


def test_a_deck_of_that_name_is_not_replaced_unasked(photos, capsys):
    assert run("enroll", "mine", "--folder", photos) == 0
    assert run("enroll", "mine", "--folder", photos) == 2
    assert "--again" in capsys.readouterr().err
    assert run("enroll", "mine", "--folder", photos, "--again") == 0


def test_two_types_that_look_alike_are_said(tmp_path, capsys):
    files = {"rock": DRAWN, "scissors": DRAWN}
    args = []
    for kind, draw in {**{k.value: d for k, d in DRAWN.items()}, "scissors": next(iter(DRAWN.values()))}.items():
        for i in range(2):
            path = tmp_path / f"{kind}{i}.png"
            cv2.imwrite(str(path), picture_of(draw, 1.0, seed=i)[0])
            args += [f"--{kind}", path]
    assert len(files) == 2
    assert run("enroll", "twins", *args) == 1
    assert "rock and scissors look so alike" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["enroll", "mine"], "no pictures of rock, paper, scissors"),
        (["enroll", "mine", "--rock", "no.png", "--paper", "no.png", "--scissors", "no.png"], "no such file"),
        (["enroll", "poker", "--rock", "a.png"], "the referee's own"),
        (["enroll", "a/b", "--rock", "a.png"], "use letters"),
        (["enroll", "con", "--rock", "a.png"], "use letters"),
        (["enroll", "mine", "--camera", "0"], "in a terminal"),
        (["check", "poker"], "nothing to look at"),
        (["check", "nobody's", "a.png"], "neither one of"),
        (["remove", "nothing"], "no deck is called"),
    ],
)
def test_what_cannot_be_done_is_one_line(words, complaint, capsys):
    assert run(*words) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert len(said.splitlines()) == 1


def test_a_file_that_is_no_picture_is_named(tmp_path, capsys):
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    assert run("check", "poker", tmp_path / "bad.jpg") == 2
    assert "bad.jpg: no picture" in capsys.readouterr().err


def test_no_deck_yet_says_how_to_make_one(capsys):
    assert run("list") == 0
    assert "referee deck enroll" in capsys.readouterr().out


def test_of_a_video_the_sharpest_picture_of_each_still_moment_is_taken():
    one, two = picture_of(DRAWN[Type.ROCK], seed=1)[0], picture_of(DRAWN[Type.PAPER], seed=2)[0]
    soft = cv2.GaussianBlur(one, (0, 0), 1.0)
    found = list(showing.still([soft, one, soft, two, one, two, two, two]))
    assert len(found) == 2
    assert found[0] is one
    assert found[1] is two


def test_a_video_of_the_cards_is_as_good_as_pictures(tmp_path):
    for kind, draw in DRAWN.items():
        writer = cv2.VideoWriter(str(tmp_path / f"{kind.value}.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
        for seed in (1, 2, 3):
            for _ in range(12):
                writer.write(picture_of(draw, 0.9, seed=seed)[0])
        writer.release()
    assert run("enroll", "filmed", "--folder", tmp_path) == 0
    assert len(showing.pictures(tmp_path / "rock.avi")) == 3


class Capture:
    """A camera that shows some pictures and then no more."""

    def __init__(self, pictures):
        self._pictures, self.released = list(pictures), False

    def grab(self):
        return True

    def read(self):
        return (True, self._pictures.pop(0)) if self._pictures else (False, None)

    def release(self):
        self.released = True


def test_a_deck_is_shown_to_a_camera_and_checked_live(monkeypatch, capsys):
    bare = picture_of(DRAWN[Type.ROCK], seed=1)[0] * 0 + 90
    shown = [picture_of(draw, 0.9, seed=10 * i)[0] for draw in DRAWN.values() for i in range(3)]
    camera = Capture([bare, *shown])
    monkeypatch.setattr("referee.live.local.open_camera", lambda _: camera)
    monkeypatch.setattr("referee.commands.deck._needs_people", lambda: None)
    monkeypatch.setattr("click.prompt", lambda *_, **__: "")
    assert run("enroll", "shown", "--camera", "0") == 0
    assert camera.released
    live = Capture([picture_of(DRAWN[Type.PAPER], 0.7, seed=5)[0]] * 2)
    monkeypatch.setattr("referee.live.local.open_camera", lambda _: live)
    capsys.readouterr()
    assert run("check", "shown", "--camera", "0") == 2
    out = capsys.readouterr()
    assert out.out.startswith("paper (")
    assert len(out.out.splitlines()) == 1
    assert "no picture any more" in out.err
    assert live.released
