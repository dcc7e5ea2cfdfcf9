"""Why a word or a card did not count, in German and Spanish: a record says it in English, whatever its language."""

from __future__ import annotations

REASONS: dict[str, tuple[str, str]] = {
    # words and touches
    "decides": ("entscheidet", "decide"),
    "tied": ("gleichzeitig", "a la vez"),
    "after the deciding call": ("nach dem entscheidenden Ruf", "después de la palabra decisiva"),
    "before all cards could be seen": (
        "bevor alle Karten zu sehen waren",
        "antes de que se vieran todas las cartas",
    ),
    "the same player again": ("noch einmal derselbe Spieler", "otra vez el mismo jugador"),
    "nobody can tell who it was": ("niemand kann sagen, wer es war", "nadie puede decir quién fue"),
    "no type": ("keine Kartenart", "no es ningún tipo"),
    "not a call": ("kein Ruf", "no es una palabra de juego"),
    "read otherwise": ("anders gedeutet", "interpretada de otro modo"),
    "only touches count": ("nur Berührungen zählen", "solo cuentan los toques"),
    "not a card in the centre": ("keine Karte in der Mitte", "no es una carta del centro"),
    "unsure": ("unsicher", "dudosa"),
    "same sound": ("derselbe Laut", "el mismo sonido"),
    "not understood": ("nicht verstanden", "no se entendió"),
    "perhaps another's call": ("vielleicht der Ruf eines anderen", "quizá la palabra de otro"),
    "referee speaks": ("der Schiedsrichter spricht", "habla el árbitro"),
    "people said so": ("Menschen sagten es", "lo dijeron personas"),
    # cards
    "far": ("zu weit entfernt", "demasiado lejos"),
    "not in play": ("nicht im Spiel", "fuera del juego"),
    "face down": ("verdeckt", "boca abajo"),
}


def reason(text: str, language: str) -> str:
    """A record's reason in a language; one that is not known, as of a typed game, is said as it stands."""
    known = {"de": 0, "es": 1}
    if language not in known or text not in REASONS:
        return text
    return REASONS[text][known[language]]
