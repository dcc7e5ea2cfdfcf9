"""What people at the table may say by tapping, checked against their role and against what is possible now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError
from referee.live import challenge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.live.hub import Hub
    from referee.live.table import Table
    from referee.live.tournament import Tournament

ALLOWED = {
    "camera": frozenset({"pause", "go_on", "end"}),
    "screen": frozenset({"spoke"}),
    "scorer": frozenset(
        {"spoke", "challenge", "close", "answer", "undo", "pause", "go_on", "new_game", "end", "voice", "forget"}
    ),
}
LONGEST_SPEECH_S = 8.0


def obey(table: Table, role: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Do what was asked; gives what the asker should be told, if anything.

    What the role may not ask, and what makes no sense now, is told and not done.
    """
    order = given.get("do")
    if not isinstance(order, str) or order not in ALLOWED.get(role, frozenset()):
        return {"type": "refused", "do": str(order)[:40], "why": "refused.role"}
    try:
        why = _ORDERS[order](table, given)
    except (RefereeError, ValueError, TypeError) as error:
        return {"type": "refused", "do": order, "why": "refused.now", "detail": str(error)[:300]}
    return {"type": "refused", "do": order, "why": why} if why else None


def direct(hub: Hub, role: str, given: Mapping[str, Any]) -> str:
    """What the scorer of any table asks of the tournament; gives why not, if not."""
    order, tournament = given.get("do"), hub.tournament
    if role != "scorer" or order not in ("start_round", "result"):
        return "refused.role"
    if tournament is None:
        return "refused.now"
    try:
        why = tournament.start_round() if order == "start_round" else _result(tournament, given)
    except (RefereeError, ValueError, TypeError):
        why = "refused.now"
    if not why:
        hub.changed()
    return why


def _result(tournament: Tournament, given: Mapping[str, Any]) -> str:
    number, order = given.get("number"), given.get("order")
    if isinstance(number, bool) or not isinstance(number, int) or not isinstance(order, list):
        return "refused.now"
    if not all(isinstance(one, list) and one and all(isinstance(name, str) for name in one) for one in order):
        return "refused.now"
    return tournament.say(number, order)


def _spoke(table: Table, given: Mapping[str, Any]) -> str:
    table.spoke(min(max(float(given.get("seconds", 0)), 0.0), LONGEST_SPEECH_S))
    return ""


def _challenge(table: Table, given: Mapping[str, Any]) -> str:
    """Show the photo finish of a round (the last one by default) and what people may say instead."""
    asked = given.get("round")
    number = asked if isinstance(asked, int) and not isinstance(asked, bool) else None
    found = challenge.of_round(table.game.match if table.game else None, number)
    if found is None:
        return "refused.no_ruling"
    table.challenge = found
    table.tell()
    return ""


def _close(table: Table, _: Mapping[str, Any]) -> str:
    """The ruling stands."""
    table.challenge = None
    table.tell()
    return ""


def _answer(table: Table, given: Mapping[str, Any]) -> str:
    """People have said what happened: the choice of that number becomes a correction."""
    choice, game = int(given.get("choice", 0)), table.game
    if table.challenge is None or game is None or game.match is None or table.phase == "ended":
        return "refused.now"
    said = challenge.correction(table.challenge, choice, game.session.said_s)
    if said is None:
        return "refused.now"
    table.challenge = None
    table.say(said)
    table.tell()
    return ""


def _undo(table: Table, _: Mapping[str, Any]) -> str:
    """Take back what people said last."""
    game = table.game
    if game is None or game.match is None or table.phase == "ended":
        return "refused.now"
    said = challenge.undo(game.match, game.session.said_s)
    if said is None:
        return "refused.nothing"
    table.say(said)
    return ""


def _voice(table: Table, given: Mapping[str, Any]) -> str:
    seat = given.get("seat", "")
    return table.voice(seat) if isinstance(seat, str) else "refused.now"


def _forget(table: Table, _: Mapping[str, Any]) -> str:
    return table.forget_voices()


def _pause(table: Table, _: Mapping[str, Any]) -> str:
    return table.pause(paused=True)


def _go_on(table: Table, _: Mapping[str, Any]) -> str:
    return table.pause(paused=False)


def _new_game(table: Table, _: Mapping[str, Any]) -> str:
    return table.new_game()


def _end(table: Table, _: Mapping[str, Any]) -> str:
    table.finish()
    return ""


_ORDERS: dict[str, Callable[[Table, Mapping[str, Any]], str]] = {
    "spoke": _spoke,
    "challenge": _challenge,
    "close": _close,
    "answer": _answer,
    "undo": _undo,
    "pause": _pause,
    "go_on": _go_on,
    "new_game": _new_game,
    "end": _end,
    "voice": _voice,
    "forget": _forget,
}
