"""Official models are fetched from a server of these tests: whole, checked, resumed, or a clear line."""

import hashlib
import io
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from models import fetch, official, store
from models.call_model import open_call_model
from models.unpack import unpack
from referee import cli
from referee.errors import ModelError

NAME = "vosk-model-small-en-us-0.15"


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return out.getvalue()


def noise(count: int, seed: int = 1) -> bytes:
    return b"".join(hashlib.sha256(bytes([seed, i % 256, i // 256])).digest() for i in range(count // 32))


ZIP = zipped({f"{NAME}/am/final.mdl": noise(300_000), f"{NAME}/graph/Gr.fst": b"fst", f"{NAME}/conf/model.conf": b""})


class Server:
    """Serves one zip; may break off, change the file, or answer with an error."""

    def __init__(self) -> None:
        self.content, self.tag, self.stop_at, self.status, self.ranges = ZIP, '"one"', None, 200, True
        self.asked: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                outer.answer(self)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        self.asked.append(to.headers.get("Range"))
        if self.status != 200:
            to.send_error(self.status)
            return
        first = 0
        asked, same = to.headers.get("Range"), to.headers.get("If-Range") == self.tag
        if asked and same and self.ranges:
            first = int(asked.removeprefix("bytes=").rstrip("-"))
            to.send_response(206)
            to.send_header("Content-Range", f"bytes {first}-{len(self.content) - 1}/{len(self.content)}")
        else:
            to.send_response(200)
        to.send_header("ETag", self.tag)
        to.send_header("Content-Length", str(len(self.content) - first))
        to.end_headers()
        body = self.content[first : self.stop_at]
        to.wfile.write(body)
        to.wfile.flush()
        to.close_connection = True


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture
def home(monkeypatch, tmp_path):
    """The user's data folder, and the table of official models with one that these tests can serve."""
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    known(monkeypatch)
    return tmp_path / "data" / "models"


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def known(monkeypatch, sha256: str | None = "right", content: bytes = ZIP) -> None:
    sha = hashlib.sha256(content).hexdigest() if sha256 == "right" else sha256
    one = official.Official(NAME, "en", "US English", len(content), sha, md5(content))
    monkeypatch.setattr(official, "models", lambda: (one,))
    monkeypatch.setattr(store, "models", lambda: (one,))


def run(*words: str) -> int:
    return cli.run(["models", *words])


def test_the_table_of_official_models_is_whole():
    assert {model.tag for model in official.models()} >= {"en-us", "de", "es", "ko"}
    for model in official.models():
        assert model.size > 1e7
        assert model.sha256 is None or len(bytes.fromhex(model.sha256)) == 32
        assert len(bytes.fromhex(model.md5)) == 16
    assert official.find("de").name == official.find("vosk-model-small-de-0.15").name


def test_a_model_is_downloaded_checked_listed_found_and_removed(server, home, capsys):
    assert run("download", "en-us", "--from", server.url) == 0
    assert (home / NAME / "am" / "final.mdl").stat().st_size == 300_000 // 32 * 32
    assert sorted(path.name for path in home.iterdir()) == ["checksums.json", NAME]
    assert store.locate(Path("en-us")) == store.locate(Path(NAME)) == home / NAME
    assert run("list") == 0
    assert "here   en-us" in capsys.readouterr().out
    assert run("download", "en-us", "--from", server.url) == 0
    assert len(server.asked) == 1
    assert run("remove", "en-us") == 0
    assert not (home / NAME).exists()
    assert run("remove", "en-us") == 2


def test_a_broken_download_goes_on_where_it_stopped(server, home, capsys):
    server.stop_at = 100_000
    assert run("download", "en-us", "--from", server.url) == 3
    said = capsys.readouterr().err
    assert "0.1 MB are kept" in said
    assert len(said.splitlines()) == 1
    assert not (home / NAME).exists()
    server.stop_at = None
    assert run("download", "en-us", "--from", server.url) == 0
    assert server.asked == [None, "bytes=100000-"]


@pytest.mark.parametrize("changed", ["tag", "no ranges"])
def test_another_file_or_a_server_without_ranges_begins_again(server, home, changed):
    server.stop_at = 100_000
    run("download", "en-us", "--from", server.url)
    server.stop_at = None
    server.tag, server.ranges = ('"two"', True) if changed == "tag" else ('"one"', False)
    assert run("download", "en-us", "--from", server.url) == 0
    assert store.is_model(home / NAME)


def test_wrong_bytes_are_not_kept(server, home, capsys):
    server.content = ZIP[:-1] + b"!"
    assert run("download", "en-us", "--from", server.url) == 3
    assert "sha256" in capsys.readouterr().err
    assert list(home.iterdir()) == []


def test_a_checksum_nobody_wrote_down_is_said_kept_and_must_stay(server, home, capsys, monkeypatch):
    known(monkeypatch, None)
    assert run("download", "en-us", "--from", server.url) == 0
    assert hashlib.sha256(ZIP).hexdigest() in capsys.readouterr().err
    other = zipped({"other/am/final.mdl": noise(300_000, 2), "other/graph/Gr.fst": b"fst"})
    known(monkeypatch, None, other)
    server.content = other
    assert run("download", "en-us", "--from", server.url, "--again") == 3
    assert "sha256" in capsys.readouterr().err
    assert store.is_model(home / NAME)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("status", [404, 503])
def test_an_error_of_the_server_is_one_line(server, capsys, status):
    server.status = status
    assert run("download", "en-us", "--from", server.url) == 3
    assert f"the server says {status}" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_no_network_is_one_line(capsys):
    assert run("download", "en-us", "--from", "http://127.0.0.1:9") == 3
    said = capsys.readouterr().err
    assert "cannot be reached" in said
    assert len(said.splitlines()) == 1


@pytest.mark.usefixtures("home")
def test_a_full_disk_is_one_line(server, capsys, monkeypatch):
    usage = type("Usage", (), {"free": 10})
    monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: usage)
    assert run("download", "en-us", "--from", server.url) == 3
    assert "no room" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_ctrl_c_keeps_what_came(server, capsys, monkeypatch):
    plain = fetch._room

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fetch, "_room", interrupted)
    assert run("download", "en-us", "--from", server.url) == 130
    assert "the same command goes on" in capsys.readouterr().err
    monkeypatch.setattr(fetch, "_room", plain)
    assert run("download", "en-us", "--from", server.url) == 0


@pytest.mark.usefixtures("home")
def test_a_zip_from_this_computer_is_taken_too(tmp_path):
    (tmp_path / "mine.zip").write_bytes(ZIP)
    assert run("download", "en-us", "--from", str(tmp_path / "mine.zip")) == 0
    assert (tmp_path / "mine.zip").exists()


@pytest.mark.parametrize("evil", ["../outside", "/outside", "C:/outside", "a/../../outside"])
def test_a_zip_that_wants_out_of_its_folder_is_refused(tmp_path, evil):
    (tmp_path / "evil.zip").write_bytes(zipped({evil: b"x", "m/am/final.mdl": b"x", "m/graph/Gr.fst": b"x"}))
    (tmp_path / "models").mkdir()
    with pytest.raises(ModelError, match="outside"):
        unpack(tmp_path / "evil.zip", tmp_path / "models" / "m")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_zip_without_a_model_or_no_zip_is_refused(tmp_path):
    for content in (zipped({"readme": b"x"}), b"PK no zip"):
        (tmp_path / "bad.zip").write_bytes(content)
        with pytest.raises(ModelError):
            unpack(tmp_path / "bad.zip", tmp_path / "m")


@pytest.mark.usefixtures("home")
def test_a_name_that_is_not_downloaded_says_how_to_get_it():
    with pytest.raises(ModelError, match="referee models download en-us"):
        open_call_model(("en",), Path("en-us"))
    with pytest.raises(ModelError, match="no such folder"):
        open_call_model(("en",), Path("/no/such/model"))


def test_a_downloaded_model_is_opened_by_its_name(home):
    from models.call_model import package_directory

    home.mkdir(parents=True)
    try:
        (home / "vosk-model-small-xx-0.1").symlink_to(package_directory(), target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here, and the model is too large to copy")
    model = open_call_model(("ko",), Path("vosk-model-small-xx-0.1"))
    assert model.identity["model"] == "vosk-model-small-xx-0.1"
    assert model.grammar is not None
