"""The recogniser's graph: call words, decoy words, any-phone filler and silence over the acoustic model's phones.

After every phone there is a hub: from it a word, a filler word or silence may begin. What the first phone of a word
sounds like depends on the phone before it, so there is one hub for each last phone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.kaldi import Arc, Contexts
from models.phones import GROUPS, SILENCE, phone_id, word_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.lexicon import Word

FILLER = "[unk]"
_HALF = math.log(2)


@dataclass(frozen=True, slots=True)
class Costs:
    """Negative natural logarithms of what a path pays: the recogniser's operating point."""

    word: float = 1.0
    decoy: float = 4.0
    filler: float = 6.0
    """For every phone of a filler word: higher hears more calls, and more in other talk."""
    silence: float = 0.7


@dataclass(frozen=True, slots=True)
class Graph:
    """Arcs of every state, the final states, and the words by their output label."""

    states: list[list[Arc]]
    finals: set[int]
    symbols: list[str]


class _Builder:
    def __init__(self, words: Sequence[Word], contexts: Contexts, costs: Costs) -> None:
        self.words, self.contexts, self.costs = words, contexts, costs
        self.states: list[list[Arc]] = [[]]
        self.hubs = {0: 0}
        self.insides: dict[int, int] = {}

    def build(self) -> Graph:
        for position, table in (("S", self.hubs), ("E", self.hubs), ("B", self.insides), ("I", self.insides)):
            for phone in self._phones(position):
                table[phone] = self._state()
        self.hubs[SILENCE] = self._state()
        for left, state in list(self.hubs.items()):
            self._leave_hub(left, state)
        for left, state in list(self.insides.items()):
            self._go_on_inside(left, state)
        symbols = ["<eps>", FILLER, *(word.symbol for word in self.words)]
        return Graph(self.states, set(self.hubs.values()), symbols)

    def _phones(self, positions: str) -> list[int]:
        ids = [phone_id(name, position) for name in GROUPS for position in positions]
        return [phone for phone in ids if self.contexts.knows(phone)]

    def _state(self) -> int:
        self.states.append([])
        return len(self.states) - 1

    def _emit(self, state: int, left: int, phone: int, out: int, cost: float) -> int:
        """Add one phone: its forward transition first, then self-loops, as the package's own graph has it."""
        number, after = self.contexts.tuple_for(left, phone), self._state()
        self.states[state].append(Arc(2 * number + 2, out, cost + _HALF, after))
        self.states[after].append(Arc(2 * number + 1, 0, _HALF, after))
        return after

    def _join(self, state: int, target: int) -> None:
        self.states[state].append(Arc(0, 0, 0.0, target))

    def _leave_hub(self, left: int, hub: int) -> None:
        if left != SILENCE:
            self._join(self._emit(hub, left, SILENCE, 0, self.costs.silence), self.hubs[SILENCE])
        for label, word in enumerate(self.words, 2):
            for names in word.pronunciations:
                self._say(hub, left, word_ids(list(names)), label, self.costs.word if word.type else self.costs.decoy)
        for phone in self._phones("S"):
            self._join(self._emit(hub, left, phone, 1, self.costs.filler), self.hubs[phone])
        for phone in self._phones("B"):
            self._join(self._emit(hub, left, phone, 1, self.costs.filler), self.insides[phone])

    def _say(self, state: int, left: int, phones: list[int], label: int, cost: float) -> None:
        if not all(self.contexts.knows(phone) for phone in phones):
            return  # a phone that never stands there would not align; `unpronounceable` names such words
        for phone in phones:
            state, left, label, cost = self._emit(state, left, phone, label, cost), phone, 0, 0.0
        self._join(state, self.hubs[left])

    def _go_on_inside(self, left: int, inside: int) -> None:
        for phone in self._phones("I"):
            self._join(self._emit(inside, left, phone, 0, self.costs.filler), self.insides[phone])
        for phone in self._phones("E"):
            self._join(self._emit(inside, left, phone, 0, self.costs.filler), self.hubs[phone])


def unpronounceable(words: Sequence[Word], contexts: Contexts) -> list[str]:
    """Pronunciations with a phone in a position where the acoustic model never met it, as `word: PHONES`."""
    return [
        f"{word.symbol}: {' '.join(names)}"
        for word in words
        for names in word.pronunciations
        if not all(contexts.knows(phone) for phone in word_ids(list(names)))
    ]


def build(words: Sequence[Word], contexts: Contexts, costs: Costs) -> Graph:
    """Build the graph that hears `words` at the operating point `costs`."""
    return _Builder(words, contexts, costs).build()
