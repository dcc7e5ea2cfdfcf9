"""A Vosk model of the user's own: its vocabulary is checked, and a runtime grammar listens for the calls alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from models.acoustic import read_network
from models.call_model import CallModel, checksum, load_vosk, packaged
from models.graph import FILLER
from models.later import Made
from referee.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from models.lexicon import Word


def open_own_model(directory: Path, languages: tuple[str, ...], words: Sequence[Word]) -> CallModel:
    """Open the model in `directory` to hear `words`. Decoys that it does not know are left out.

    Vosk drops words that a model does not know without an error, so each call is looked up first.

    Raises:
        ModelError: no model there, no runtime grammar possible, or a call that the model does not know.
    """
    file = next((path for name in ("am/final.mdl", "final.mdl") if (path := directory / name).is_file()), None)
    if file is None:
        raise ModelError(f"{directory}: no Vosk model here (am/final.mdl is missing); give its unpacked folder")
    if not any((directory / name).is_file() for name in ("graph/Gr.fst", "Gr.fst")):
        raise ModelError(f"{directory}: this model has a fixed graph; take a small one (with graph/Gr.fst)")
    model = load_vosk(directory)
    known: dict[str, Word] = {}
    missing = []
    for word in words:
        spelling = next((one for one in word.spellings if model.vosk_model_find_word(one) >= 0), None)
        if spelling is not None:
            known[spelling] = word
        elif word.type:
            missing.append(word.spellings[0])
    if missing:
        raise ModelError(f"{directory}: this model does not know {', '.join(missing)}; is it of another language?")
    grammar = json.dumps([*known, FILLER], ensure_ascii=False)
    identity = {"model": directory.name, "acoustic": checksum(file)}
    network = read_network(packaged("am/final.mdl"))
    return CallModel(languages, known, identity, Made(model), network, grammar)
