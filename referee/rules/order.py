"""Who was first is a measurement: how certain an order is, given each time's own error."""

from __future__ import annotations

from math import erf, hypot, inf, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.options import Options


def probability_first(lead_s: float, sigma_s: float) -> float:
    """Probability that the earlier-looking event really was earlier.

    Args:
        lead_s: measured lead in seconds, positive when the event in question looks earlier.
        sigma_s: one standard deviation of that lead, in seconds; both errors are taken as normal and independent.
    """
    if sigma_s <= 0:
        return 0.5 * (1 + (lead_s > 0) - (lead_s < 0))
    return 0.5 * (1 + erf(lead_s / sigma_s / sqrt(2)))


def lead_sigma_s(one_ms: float, other_ms: float) -> float:
    """Standard deviation of a difference of two times, in seconds, from their sigmas in milliseconds."""
    return hypot(one_ms, other_ms) / 1000


def is_ordered(lead_s: float, sigma_s: float, *, certainty: float, window_s: float) -> bool:
    """Whether a lead counts: certain enough at the measurement's own error, and not inside the tie window."""
    return lead_s >= window_s and probability_first(lead_s, sigma_s) >= certainty


def probability_clearly_first(lead_s: float, sigma_s: float, perceptible_s: float) -> float:
    """Probability that the earlier-looking event was earlier by what people can tell: `perceptible_s` or more."""
    return probability_first(lead_s - perceptible_s, sigma_s)


def probability_perceptible(lead_s: float, sigma_s: float, perceptible_s: float) -> float:
    """Probability that the true lead, either way, was one that people could have told: `perceptible_s` or more."""
    one, other = (probability_clearly_first(lead, sigma_s, perceptible_s) for lead in (lead_s, -lead_s))
    return one + other


def perceptible_s(options: Options) -> float:
    """The least lead that people can tell, seconds; less is a tie to them."""
    return max(options.perceptible_ms, options.tie_window_ms) / 1000


NEVER_S = inf
"""A time that no event has."""
