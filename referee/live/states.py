"""What a table tells its screens: its whole state, and one line of it for the overview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.live import view

if TYPE_CHECKING:
    from referee.live.table import Table


def state(table: Table) -> dict[str, Any]:
    """Everything that a screen shows, JSON-ready."""
    session, shown = table.session, table.shown
    return {
        "type": "state",
        "table": table.name,
        "version": table.version,
        "phase": table.phase,
        "game": table.request.game,
        "languages": list(table.request.spoken),
        **{key: value for key, value in shown.game.items() if key != "history"},
        "cards": view.table_cards(list(shown.cards.values())),
        "noticed": shown.noticed,
        "early": shown.early,
        "last": shown.last,
        "calls": shown.calls,
        "notices": shown.noticed_at(session.newest_s if session else 0.0),
        "challenge": table.challenge,
        "trouble": shown.trouble,
        "again": table.again,
        "ranked": table.ranked and not (session is not None and table.is_friendly(session.greeting)),
        "check": table.check.state(),
        "voicing": table.voicing(),
        "learnt": table.learnt,
        "unheard": table.check.unheard(shown.game["seats"]) if shown.last else [],
        "players": table.players.state(),
        "names": table.named,
        "camera": _camera(table),
    }


def summary(table: Table) -> dict[str, Any]:
    """One line of an overview of all tables."""
    shown = table.shown
    return {
        "name": table.name,
        "phase": table.phase,
        "connected": table.connected,
        "names": table.named,
        "standings": shown.game["standings"],
        "rounds": len(shown.game["history"]),
        "checks": sum(one["review"] for one in shown.game["history"]),
        "says": shown.last["says"] if shown.last else None,
        "trouble": shown.trouble,
    }


def _camera(table: Table) -> dict[str, Any]:
    session = table.session
    if session is None:
        return {"connected": False}
    return {
        "connected": table.connected,
        "behind_s": round(session.waiting_s, 2),
        "slowed": table.pace.rate < table.pace.most,
        "rate": table.pace.rate,
        "level_db": session.level_db,
        "altered": list(session.greeting.altered),
        "channels": session.greeting.channels,
        "size": list(session.greeting.size),
        "kept": session.media.trouble or "yes",
        "missing": session.missing,
        "written": table.written,
    }
