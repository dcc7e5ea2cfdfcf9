"""Swiss pairing: every round puts players of like standing together who have not met. Pure functions over names.

Tables of two are paired by search: the best-placed player meets, of those with nearest points, the one half a score
group further down (as chess does it), as long as the rest can still be paired without a second meeting. Tables of three
and four take neighbours in the standings, exchanged where that spares a second meeting. Who is left over has a bye,
which counts as a win: the lowest-placed player who had the fewest.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_SEARCH = 20_000
"""Steps of the search; what was not found by then is paired with one second meeting more."""


@dataclass(frozen=True, slots=True)
class Result:
    """One table's game: each player's place, 1 the best; equal places are a draw."""

    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One player's standing."""

    name: str
    points: float
    """Of each game the share of opponents who were beaten, a draw counting half; 1 for a bye."""
    opposition: float
    """Points of all opponents together (Buchholz): what breaks a tie."""
    games: int
    place: int


@dataclass(slots=True)
class _Search:
    met: Counter[frozenset[str]]
    points: Mapping[str, float]
    spare: int
    """Second meetings that are allowed."""
    steps: int = field(default=0)


def standings(players: Sequence[str], results: Sequence[Result], byes: Sequence[str] = ()) -> list[Line]:
    """All players, the best first; equal points and opposition share a place, in the order in which they entered."""
    points = dict.fromkeys(players, 0.0)
    met: dict[str, list[str]] = {name: [] for name in players}
    for result in results:
        for name, place in result.places.items():
            others = {o: p for o, p in result.places.items() if o != name}
            beaten = sum(1.0 if place < p else 0.5 if place == p else 0.0 for p in others.values())
            points[name] += beaten / len(others)
            met[name] += others
    for name in byes:
        points[name] += 1.0
    opposition = {name: sum(points[o] for o in met[name]) for name in players}
    games = Counter(name for result in results for name in result.places)
    ordered = sorted(players, key=lambda n: (-points[n], -opposition[n]))
    lines: list[Line] = []
    for n, name in enumerate(ordered):
        tied = bool(lines) and (lines[-1].points, lines[-1].opposition) == (points[name], opposition[name])
        place = lines[-1].place if tied else n + 1
        lines.append(Line(name, points[name], opposition[name], games[name], place))
    return lines


def pair(
    players: Sequence[str], results: Sequence[Result], byes: Sequence[str] = (), *, size: int = 2
) -> tuple[list[tuple[str, ...]], str | None]:
    """The next round: who sits together, the best table first, and who has a bye.

    Args:
        players: everybody who plays on, in the order in which they entered.
        results: all games so far.
        byes: everybody who had a bye, once for each.
        size: most players at a table, two or more.
    """
    if size < 2:
        raise ValueError(f"a table of {size} is no game; two or more")
    lines = {line.name: line for line in standings(_everybody(players, results), results, byes)}
    ranked = [name for name in lines if name in set(players)]
    had, bye = Counter(byes), None
    if len(ranked) == 1 or (size == 2 and len(ranked) % 2):
        bye = min(reversed(ranked), key=lambda name: had[name])
        ranked.remove(bye)
    met = Counter(frozenset(two) for result in results for two in combinations(result.places, 2))
    points = {name: lines[name].points for name in ranked}
    return (_pairs(ranked, points, met) if size == 2 else _tables(ranked, met, size)), bye


def _everybody(players: Sequence[str], results: Sequence[Result]) -> list[str]:
    """Who left has still played."""
    return list(dict.fromkeys([*players, *(name for result in results for name in result.places)]))


def _pairs(ranked: list[str], points: Mapping[str, float], met: Counter[frozenset[str]]) -> list[tuple[str, ...]]:
    for spare in range(len(ranked) // 2 + 1):
        found = _paired(ranked, _Search(met, points, spare))
        if found is not None:
            return found
    return [(ranked[n], ranked[n + 1]) for n in range(0, len(ranked), 2)]


def _paired(ranked: list[str], search: _Search) -> list[tuple[str, ...]] | None:
    """Pair the first with whom suits best, if the rest can be paired too; None if not, or not in time."""
    if not ranked:
        return []
    search.steps += 1
    if search.steps > LONGEST_SEARCH:
        return None
    first, rest = ranked[0], ranked[1:]
    for other in _suiting(first, rest, search.points):
        again = search.met[frozenset((first, other))] > 0
        if again > search.spare:
            continue
        search.spare -= again
        found = _paired([name for name in rest if name != other], search)
        if found is not None:
            return [(first, other), *found]
        search.spare += again
    return None


def _suiting(first: str, rest: list[str], points: Mapping[str, float]) -> list[str]:
    """Opponents in order: nearest points, then nearest to half a score group further down."""
    group = sum(points[name] == points[first] for name in rest) + 1
    ideal = group // 2 - 1
    at = {name: n for n, name in enumerate(rest)}
    return sorted(rest, key=lambda name: (abs(points[name] - points[first]), abs(at[name] - ideal), at[name]))


def _tables(ranked: list[str], met: Counter[frozenset[str]], size: int) -> list[tuple[str, ...]]:
    """Neighbours in the standings, as even as can be; exchanged between tables while that spares second meetings."""
    count = -(-len(ranked) // size)
    groups: list[list[str]] = []
    for n in range(count):
        first, last = (round(k * len(ranked) / count) for k in (n, n + 1))
        groups.append(ranked[first:last])
    while (better := _exchange(groups, met)) is not None:
        groups = better
    return [tuple(group) for group in groups]


def _again(group: Sequence[str], met: Counter[frozenset[str]]) -> int:
    return sum(met[frozenset(two)] for two in combinations(group, 2))


def _exchange(groups: list[list[str]], met: Counter[frozenset[str]]) -> list[list[str]] | None:
    """The first exchange of two players that spares a second meeting, nearest tables first; None if none does."""
    near = sorted(combinations(range(len(groups)), 2), key=lambda two: two[1] - two[0])
    for a, b in near:
        before = _again(groups[a], met) + _again(groups[b], met)
        if not before:
            continue
        for i in range(len(groups[a])):
            for j in range(len(groups[b])):
                one, two = groups[a][:], groups[b][:]
                one[i], two[j] = two[j], one[i]
                if _again(one, met) + _again(two, met) < before:
                    return [one if n == a else two if n == b else group for n, group in enumerate(groups)]
    return None
