"""House rules: every point that the printed sheets leave open, with its default and the sentence it interprets.

`OPTIONS` lists them for people, `resolve` turns what was typed into `Options`. A default that a ruling rests on is
named in that ruling.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from referee.errors import UsageError
from referee.option_spec import OptionSpec, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROCK_LIKE = ("rock", "tournament", "de", "es")
CALLED = ("rock", "de", "es")
GAMES: tuple[str, ...] = (*ROCK_LIKE, "hands", "rorschach")
"""Games that can be refereed, by their fixed names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The house rules of one match; see `OPTIONS` for what each means and which games have it."""

    cards: int = 60
    two_player_penalty_takes_pot: bool = True
    missed: str = "stay"
    early_call: str = "warn"
    end_pot: str = "nobody"
    tie_window_ms: float = 10.0
    certainty: float = 0.99
    perceptible_ms: float = 20.0
    seat_certainty: float = 0.95
    call_certainty: float = 0.8
    doubt: float = 0.3
    card_certainty: float = 0.9
    touch_certainty: float = 0.9
    settle_s: float = 1.0
    silence_s: float = 1.5
    gap_s: float = 2.5
    double_flip_s: float = 1.0
    collection: str = "propose"
    hand_cards: int = 48
    two_players: bool = False
    speed_rounds: bool = False
    speed_after: int = 2
    rotating_blots: bool = False


_FIRST = "The first type of card called out, correct or incorrect, determines the results for that round."
_TIE = (
    "If two or more players call out the name of the winning type of card at exactly the same time, "
    "it's considered a tie."
)
_FLIP = (
    "To begin a round, each player simultaneously flips the top card from his or her draw pile, "
    "face up, onto the table."
)
_DEFAULTS = Options()


def _spec(name: str, games: tuple[str, ...], sentence: str, meaning: str, **more: Any) -> OptionSpec:
    return OptionSpec(name, getattr(_DEFAULTS, name), games, sentence, meaning, **more)


OPTIONS: tuple[OptionSpec, ...] = (
    _spec(
        "cards",
        ROCK_LIKE,
        "Shuffle the cards and deal them to all players, so that each has an equal number of cards.",
        "how many cards are dealt from; a remainder that cannot be dealt equally is set aside",
        least=2,
        most=1000,
        unit="cards",
    ),
    _spec(
        "two_player_penalty_takes_pot",
        ROCK_LIKE,
        "In a two-player game, the other player collects both cards.",
        "whether the other player also takes the cards that lie beneath after a wrong call with two players",
    ),
    _spec(
        "missed",
        ROCK_LIKE,
        "",
        "what happens when nobody calls though there is a winning type: the cards stay, or each takes back their own",
        allowed=("stay", "own"),
    ),
    _spec(
        "early_call",
        CALLED,
        "Cards should be flipped outward so that all players see the images on the cards at the same time.",
        "a call before all cards can be seen: a warning and no more, or a wrong call",
        allowed=("warn", "penalty"),
    ),
    _spec(
        "end_pot",
        ROCK_LIKE,
        "Each player counts the cards that he or she has collected.",
        "who owns the cards that lie in the centre at the end: nobody, or split equally",
        allowed=("nobody", "split"),
    ),
    _spec(
        "tie_window_ms",
        ROCK_LIKE,
        _TIE,
        "leads shorter than this are always a tie; longer ones are too, unless the measurement is certain of the order",
        least=0,
        most=500,
        unit="ms",
    ),
    _spec("certainty", ROCK_LIKE, _FIRST, "how certain an order must be to count", least=0.5, most=0.999999),
    _spec(
        "perceptible_ms",
        ROCK_LIKE,
        _TIE,
        "the shortest lead that people can tell; a tie that may hide such a lead is put to review",
        least=0,
        most=500,
        unit="ms",
    ),
    _spec(
        "seat_certainty",
        ROCK_LIKE,
        "the player who called it out wins that round",
        "how certain it must be who called; below it people are asked",
        least=0.5,
        most=0.999999,
    ),
    _spec(
        "call_certainty",
        CALLED,
        _FIRST,
        "how probable a deciding word must be to have been a call; below it the round is put to review",
        least=0,
        most=1,
    ),
    _spec(
        "doubt",
        CALLED,
        _FIRST,
        "a word that was judged no call puts a round that it would have changed to review from this probability on",
        least=0,
        most=1,
    ),
    _spec(
        "card_certainty",
        (*ROCK_LIKE, "hands", "rorschach"),
        "Cards should be placed near the center of the table so that they are in clear view of all players.",
        "how certain a card's face, or a die, must be; below it the round is put to review",
        least=0,
        most=1,
    ),
    _spec(
        "touch_certainty",
        ("tournament",),
        "a player must be the first to actually touch a card of that type",
        "how certain a touch must be; below it the round is put to review",
        least=0,
        most=1,
    ),
    _spec(
        "settle_s",
        (*ROCK_LIKE, "hands", "rorschach"),
        "",
        "how long after the deciding call, touch or reveal the referee listens on before it rules",
        least=0.2,
        most=10,
        unit="s",
    ),
    _spec(
        "silence_s",
        ROCK_LIKE,
        "players must remain silent",
        "the shortest silence after the last card that counts as nobody calling; shorter ones are put to review",
        least=0.2,
        most=60,
        unit="s",
    ),
    _spec(
        "gap_s",
        (*ROCK_LIKE, "hands"),
        _FLIP,
        "cards shown further apart than this are not one round if one of their seats shows another card",
        least=0.2,
        most=60,
        unit="s",
    ),
    _spec(
        "double_flip_s",
        (*ROCK_LIKE, "hands"),
        _FLIP,
        "a seat's second card within this time is a double flip and not the next round",
        least=0.1,
        most=10,
        unit="s",
    ),
    _spec(
        "collection",
        ROCK_LIKE,
        "collects all of the cards in the center of the table",
        "when nobody can tell who called, but it was seen who collected: propose that in review, accept or ignore it",
        allowed=("propose", "accept", "ignore"),
    ),
    _spec(
        "hand_cards",
        ("hands",),
        "Divide each of the types of cards evenly between both players",
        "how many cards both players have together, an equal number of each type",
        least=18,
        most=600,
        unit="cards",
    ),
    _spec(
        "two_players",
        ("rorschach",),
        "Deal one inkblot less than the number of players.",
        "whether two players may play, with a single inkblot",
    ),
    _spec(
        "speed_rounds",
        ("rorschach",),
        "If play goes for a round or two and no one collects a token, remove one of the blots",
        "the variant with speed rounds",
    ),
    _spec(
        "speed_after",
        ("rorschach",),
        "If play goes for a round or two and no one collects a token, remove one of the blots",
        "after how many rounds without a token an inkblot is removed",
        least=1,
        most=20,
        unit="rounds",
    ),
    _spec(
        "rotating_blots",
        ("rorschach",),
        "Choose a blot after every round to discard, and replace it with a new one from the deck.",
        "the variant in which one inkblot is replaced after every round",
    ),
)

BY_NAME: dict[str, OptionSpec] = {spec.name: spec for spec in OPTIONS}


def options_for(game: str) -> tuple[OptionSpec, ...]:
    """The house rules that `game` has.

    Raises:
        UsageError: there is no such game.
    """
    if game not in GAMES:
        raise UsageError(f"game {game!r} is not known; the games are {', '.join(GAMES)}")
    return tuple(spec for spec in OPTIONS if game in spec.games)


def resolve(game: str, given: Mapping[str, object]) -> Options:
    """Check house rules and fill in the defaults.

    Raises:
        UsageError: an unknown game, a name this game does not have, or a value that is not allowed.
    """
    known = {spec.name: spec for spec in options_for(game)}
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"option {name!r} is not known for game {game}; it has: {', '.join(sorted(known))}")
        chosen[name] = known[name].parse(value)
    options = replace(_DEFAULTS, **chosen)
    _check_together(game, options)
    return options


def _check_together(game: str, options: Options) -> None:
    if game == "hands" and options.hand_cards % 6:
        raise UsageError(f"option hand_cards: {options.hand_cards} is not allowed; use a multiple of 6")
    if options.tie_window_ms > options.settle_s * 1000:
        raise UsageError("option tie_window_ms: must not be longer than settle_s")


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """Read `name=value` texts from a command line.

    Raises:
        UsageError: a text without `=`, or a name given twice.
    """
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise UsageError(f"option {text!r} must be written name=value")
        if name in given:
            raise UsageError(f"option {name} is given twice")
        given[name] = value.strip()
    return given


def as_dict(game: str, options: Options) -> dict[str, Value]:
    """The house rules of `game` in force, ready for a record's header."""
    names = {field.name for field in fields(options)}
    return {spec.name: getattr(options, spec.name) for spec in options_for(game) if spec.name in names}
