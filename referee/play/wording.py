"""Which sentence of the catalogue says what a decision means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.messages import Message
from referee.rules.claims import possible_callers

if TYPE_CHECKING:
    from referee.play.setting import Setting
    from referee.rules.claims import Claim
    from referee.rules.facts import Facts
    from referee.rules.judgement import Decision
    from referee.rules.rock import Verdict


def headline(facts: Facts, decision: Decision, pot: int) -> Message:
    """The one sentence of a ROCK! ruling."""
    if decision.deciding is None:
        return _silent(decision, {"pot": pot, "due": decision.due}, "touch." if facts.timing.touch else "")
    values = _values(decision, pot)
    if decision.verdict is None:
        return _open(facts, decision, values)
    if decision.verdict.outcome == "contested" and not decision.tied:
        values |= _by_the_cards(facts, decision.verdict)
    tail, verb = decision.verdict.tail, "touch" if facts.timing.touch else "call"
    size = "2" if len(facts.players) == 2 else "n"
    if tail == "call.correct":
        return Message(f"{verb}.correct", values)
    if not decision.due_known:
        return Message(f"{verb}.wrong_whatever.{size}", values)
    name = tail.removeprefix("call.")
    if name == "contested" and size == "n" and not values["right"]:
        size = "somebody"
    return Message(f"{verb}.{name}.{size}", values)


def _by_the_cards(facts: Facts, chosen: Verdict) -> dict[str, Any]:
    """Who must have been wrong, and of two who was right, if only who gets which cards is known."""
    wrong = tuple(seat for seat in facts.cards if seat not in chosen.awards)
    return {"wrong": wrong, "right": tuple(chosen.awards) if len(facts.players) == 2 else ()}


def _silent(decision: Decision, values: dict[str, Any], touch: str) -> Message:
    if decision.verdict is None:
        return Message("open.cards", values)
    if decision.verdict.tail == "void":
        return Message("void", values)
    if not decision.due_known:
        return Message(f"{touch}silence.unread", values)
    if decision.verdict.tail == "call.unheard":
        return Message(
            "call.unheard", values | {"others": tuple(awards := decision.verdict.awards), "n": sum(awards.values())}
        )
    own = ".own" if decision.verdict.awards else ""
    return Message(f"{touch}{decision.verdict.tail}{own}", values)


def _values(decision: Decision, pot: int) -> dict[str, Any]:
    first = decision.deciding
    awards = decision.verdict.awards if decision.verdict else {}
    several = decision.callers if decision.tied else ()
    wrong = tuple(seat for seat, kind in several if kind is not decision.due) if several else ()
    return {
        "seat": decision.seat,
        "type": first.type if first else None,
        "due": decision.due,
        "n": sum(awards.values()),
        "others": tuple(awards),
        "tied": decision.tied,
        "wrong": wrong,
        "right": tuple(seat for seat, _ in several if seat not in wrong) if several else (),
        "pot": pot,
    }


def _open(facts: Facts, decision: Decision, values: dict[str, Any]) -> Message:
    verb = "touch" if facts.timing.touch else "call"
    if not decision.due_known:
        return Message("open.cards", values)
    outcomes = {v.outcome for v in decision.alternatives}
    if outcomes == {"won"}:
        return Message(f"{verb}.correct.unknown", values)
    if outcomes == {"penalty"}:
        tail = decision.alternatives[0].tail.removeprefix("call.")
        return Message(f"{verb}.{tail}.unknown", values)
    if outcomes == {"tie"}:
        return Message(f"{verb}.tie.unknown", values)
    return Message("open.order", values)


def late_call(claim: Claim, setting: Setting) -> Message:
    """What is said of a call after one ruling and before the next round."""
    who = possible_callers(claim, setting.seats, setting.options.seat_certainty)
    if len(who) == 1:
        return Message("note.late_call", {"seat": who[0], "type": claim.type})
    return Message("note.late_call.unknown", {"type": claim.type})
