"""What a screen was told in real time, beside the truth; and how far a record's picture and sound are apart."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from referee.events import CallHeard, CardShown
from referee.record import read_record

if TYPE_CHECKING:
    from pathlib import Path

    from referee.bench.games import Game
    from referee.bench.phone import Phone

SETTLES_S = 0.07
"""A staged card slides on for so long after it lands."""
AFTER_S = 9.0
"""A round's last state may come so long after the game that it is of."""
OVER_S = 3.0
"""A round is timed if the stream went on for so long after it."""
NEAR_S = 1.5
"""A card belongs to what is in the truth within this."""
ONSET_S = 0.2
"""A call does."""


class Seen:
    """States of one screen; each repetition of the game is timed when it is over, and forgotten."""

    def __init__(self, game: Game, phone: Phone) -> None:
        self.game, self.phone = game, phone
        self.zero: float | None = None
        """When the stream began, on the machine's clock."""
        self.delays: dict[str, list[float]] = {n: [] for n in ("noticed", "read", "impression", "stands", "recorded")}
        self.changed: list[str] = []
        """Rounds whose early ruling the record changed."""
        self.behind: list[float] = []
        self.turn = 0
        self._states: list[tuple[float, dict[str, Any]]] = []

    def state(self, at_s: float, given: dict[str, Any]) -> None:
        """A screen was told this at this true time."""
        self._states.append((at_s, given))
        if "behind_s" in given["camera"]:
            self.behind.append(given["camera"]["behind_s"])
        if at_s > (self.turn + 1) * self.phone.game.lasts_s + AFTER_S:
            self.finish()

    def finish(self) -> None:
        """Time the repetition that is over."""
        begin = self.turn * self.phone.game.lasts_s
        for truth in self.game.truth:
            if self._states and begin + truth["end_s"] + OVER_S < self._states[-1][0]:
                self._cards(truth, begin)
                self._round(truth, begin)
        self.turn += 1
        until = self.turn * self.phone.game.lasts_s - 1
        self._states = [(at, s) for at, s in self._states if at > until]

    def _cards(self, truth: dict[str, Any], begin: float) -> None:
        drift = 1 + 1e-6 * self.phone.sound_ppm
        for seat, land_s in truth["land_s"].items():
            rest_s, kind = begin + land_s + SETTLES_S, truth["cards"][seat]
            near = [(at, s) for at, s in self._states if rest_s - 0.2 < at < rest_s + 4]
            read = [
                at
                for at, s in near
                if any(
                    c["seat"] == seat and c["type"] == kind and abs(c["time_s"] - drift * begin - land_s) < NEAR_S
                    for c in s["cards"]
                )
            ]
            early = [at for at, s in near if any(c["type"] == kind for c in s["noticed"])]
            if read:
                self.delays["read"].append(read[0] - rest_s)
                self.delays["noticed"].append(min([read[0], *early]) - rest_s)

    def _round(self, truth: dict[str, Any], begin: float) -> None:
        if truth["decided_by"] != "call" or truth["first"] is None:
            return
        call = min(truth["calls"], key=lambda c: abs(c["onset_s"] - truth["first"]["onset_s"]))
        end_s = begin + call["onset_s"] + call["speech_s"]
        before = {s["last"]["round"] for at, s in self._states if s["last"] and at <= end_s - 0.3}
        after = [(at, s) for at, s in self._states if end_s - 0.3 < at < end_s + 8]
        final = [(at, s["last"]) for at, s in after if s["last"] and s["last"]["round"] not in before]
        final = [(at, last) for at, last in final if last["decided_by"] == "call" and last["first"]]
        if not final:
            self.changed.append(f"turn {self.turn}: round {truth['round']} was not ruled by a call")
            return
        number = final[0][1]["round"]
        early = [(at, s["early"]) for at, s in after if s["early"] and s["early"]["round"] == number]
        stands = [(at, one) for at, one in early if one["stands"]]
        self.delays["recorded"].append(final[0][0] - end_s)
        self.delays["impression"].append((early or final)[0][0] - end_s)
        self.delays["stands"].append((stands or final)[0][0] - end_s)
        for what, said in (("impression", early), ("stands", stands)):
            if said and any(said[0][1][key] != final[0][1][key] for key in ("outcome", "awards")):
                was, now = (f"{one['outcome']} {one['awards']}" for one in (said[0][1], final[0][1]))
                self.changed.append(f"turn {self.turn}: {what} of round {truth['round']} was {was}, then {now}")


def drift_ms(game: Game, phone: Phone, record: Path, lasts_s: float) -> float | None:
    """By how much cards moved against calls from the first tenth of the stream to the last; None if there are too few.

    Cards that are seen late, behind hands, are as late in every repetition: only what has changed counts.
    """
    events = read_record(record).events
    turns = max(1, int(lasts_s / phone.game.lasts_s))
    tenth = max(1, turns // 10)
    apart: list[float] = []
    for chosen in (range(tenth), range(turns - tenth, turns)):
        late: dict[str, list[float]] = {"card": [], "call": []}
        for turn in chosen:
            begin = phone.begins_s(turn)
            here = [e for e in events if begin <= e.time_s < begin + phone.game.lasts_s]
            for truth in game.truth:
                for seat, land_s in truth["land_s"].items():
                    cards = [e.time_s - begin - land_s for e in here if isinstance(e, CardShown) and e.seat == seat]
                    late["card"] += [value for value in cards if abs(value) < NEAR_S]
                for call in truth["calls"]:
                    at_s = begin + call["onset_s"]
                    calls = [e.time_s - at_s for e in here if isinstance(e, CallHeard) and e.accepted]
                    late["call"] += [value for value in calls if abs(value) < ONSET_S]
        if not all(late.values()):
            return None
        apart.append(1000 * (median(late["card"]) - median(late["call"])))
    return round(apart[1] - apart[0], 1)
