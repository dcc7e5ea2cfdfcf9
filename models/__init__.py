"""The call model: lexicons as data, the recogniser's graph built from them, and a registry of models with checksums."""

from models.call_model import CallModel, open_call_model
from models.lexicon import LANGUAGES, Word

__all__ = ["LANGUAGES", "CallModel", "Word", "open_call_model"]
