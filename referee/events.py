"""What eye, ear and hand tell the referee: small frozen events, one class a kind.

Every event has `time_s`, in seconds on the recording's own clock (audio: sample count / rate; video: the frame's
presentation time). Every measured time has an uncertainty `sigma_ms`, one standard deviation in milliseconds.
Probabilities are between 0 and 1. Nothing here knows pixels, samples or rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Seat = str
"""A place at the table as the picture shows it: `north` is its top edge. Typed records may use any name."""

SEATS: tuple[Seat, ...] = ("north", "east", "south", "west")
"""The four sides of the picture, clockwise from the top edge."""


class Type(StrEnum):
    """The three types of card."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"


UNSURE = "unsure"
"""Why a word was not accepted: it sounds like a call, but not clearly enough."""
SAME_SOUND = "same sound"
"""Why a word was not accepted: it was heard in the sound of a call that was."""
ONE_SOUND_S = 0.1
"""Two words of one player that begin this near are one sound: nobody says two at once."""
NOT_UNDERSTOOD = "not understood"
"""Why a voice, heard beside a call, is none: no word was recognised in it."""
READ_OTHERWISE = "read otherwise"
"""Why a word that was heard as a call is none: the hands that took the cards say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at `time_s`."""

    time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CardShown(Event):
    """A card's face became visible on the table; `time_s` is the reveal: the first moment it could be seen."""

    sigma_ms: float = 17.0
    seat: Seat | None
    """Whose card it is, by where it lies and by the hand that brought it; None when that cannot be told."""
    card: int
    """A running number that identifies this card among the events of one recording."""
    type: Type | None
    """None when the face cannot be read, or is no type of this game: see `reason`."""
    confidence: float = 1.0
    """Calibrated probability that `type` is right (0 when type is None)."""
    corners: tuple[tuple[float, float], ...] = ()
    """Four corners of the card at rest, in pixels of the upright raw picture, clockwise."""
    rest_s: float | None = None
    """A moment at which the card lay still and was read: the frame that shows the evidence."""
    reason: str = ""
    """Why it could not be read: `covered`, `glare`, `blurred`, `far`, `not in play`, `unsure`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsGone(Event):
    """Cards left the centre; `time_s` is when they began to move away."""

    sigma_ms: float = 100.0
    cards: tuple[int, ...]
    """The running numbers of `CardShown`."""
    to_seat: Seat | None = None
    """Who took them, by the edge they left towards; None when that cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTouched(Event):
    """A finger met the face of a card in the centre (Tournament ROCK!)."""

    sigma_ms: float = 17.0
    seat: Seat | None
    card: int
    confidence: float = 1.0
    """Probability that this was a touch and not a hand hovering above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNotice(Event):
    """Something about the picture that people should know: `moved`, `dark`, `glare`, `far`, `blurred`, `covered`.

    `unsteady`: the camera moves all the time, for it is held in the hand.
    """

    code: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallHeard(Event):
    """A word was heard; `time_s` is its onset: the first energy of the word, at the microphone it reached first."""

    sigma_ms: float
    """Of the onset. Two calls are ordered only if their difference is certain at both sigmas."""
    end_s: float
    type: Type | None
    """The type that the word names; None for a word that is no type (kept as evidence)."""
    word: str
    language: str = ""
    probability: float
    """Calibrated probability that this was a call of this type."""
    seats: Mapping[Seat, float] = field(default_factory=dict)
    """Probability that each seat called; what is missing to 1 is "nobody can tell"."""
    tier: str = "none"
    """What `seats` rests on: `own` (a microphone a player), `stereo`, `voice` (enrolled voices), `none`."""
    levels_db: tuple[float, ...] = ()
    """Level of the word at each microphone, dB relative to full scale."""
    accepted: bool = True
    """False for what was heard and judged not to be a call; see `reason`."""
    contested: bool = False
    """True if another voice began inside this word on the only microphone, so that order or word is in doubt."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTo:
    """A promise of a source: every event that it will still give has a time of `time_s` or later. Never recorded."""

    time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingEnded(Event):
    """The recording ends here; `reason` says so if it was cut short or damaged."""

    reason: str = ""


# What other games, people at the table and people afterwards add. Every one of them is optional.


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment(Event):
    """Time has come to here, and nothing happened. Recorded before what people say while a game is played.

    What was over by then is ruled on first, in the game and from its record alike.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(Event):
    """Cards were dealt: how many each seat has in its draw pile now. Starts the count; nothing else depends on it."""

    cards: Mapping[Seat, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffled(Event):
    """All cards were gathered, shuffled and dealt again: a new game begins and every count starts afresh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChanged(Event):
    """A player moved from one side of the table to another; if somebody sat there, the two changed places."""

    seat: Seat
    to_seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDrawn(Event):
    """A player drew a new hand (three-card hands); the referee checks that it was that player's to draw."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRead(Event):
    """A question was read aloud (Rorschach): a new round begins."""

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DieShown(Event):
    """A player revealed their die (Rorschach)."""

    sigma_ms: float = 17.0
    seat: Seat | None
    """Who: by where it lies. Typed records often use the colour itself."""
    value: int | None
    """What lies on top, 1 to 8; None when it cannot be read."""
    colour: str = ""
    """The die's colour; empty means that the seat is named by its colour."""
    confidence: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlotRemoved(Event):
    """An inkblot was taken off the table (Rorschach, speed rounds)."""

    blot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlotReplaced(Event):
    """An inkblot was exchanged for a new one under the same number (Rorschach, rotating inkblots)."""

    blot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Event):
    """People correct what was seen or heard (docs/record.md). Appended, never an edit; `time_s` is when it was said.

    `kind` is one of: `caller` (call was made by seat), `card` (card was of this type, or played by this seat),
    `not_a_call` (call counts for nothing), `call` (seat called type at `at_s`, and it was not heard), `void` (the round
    of `card` counts for nothing: its cards stay), `as_ruled` (the round of `card` is right as it is: this `outcome`,
    seat and type first), `die` (the die that seat showed at `at_s` had this `value` on top, also where none was seen),
    `undo` (correction number `target` is taken back).
    """

    kind: str
    card: int | None = None
    call: int | None = None
    """The call's running number in the match: `call` in the ruling line's `calls`."""
    seat: Seat | None = None
    type: Type | None = None
    at_s: float | None = None
    target: int | None = None
    """Number of the correction that is undone, counting from 1."""
    outcome: str = ""
    """The outcome that people confirm."""
    value: int | None = None
    """What lay on top of a die, 1 to 8."""
    by: str = ""
    """Who said so, for the record."""
