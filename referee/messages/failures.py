"""What players meet when a recording cannot be judged, in German and Spanish.

Errors are raised in English, where they happen, by parts of the program that know no language of the table. Here the
sentences that a player may meet are found again by their English wording; all others stay English.
"""

from __future__ import annotations

import re
from functools import cache

from referee.messages import LANGUAGES

_STAND = "the camera moves all the time, so that {seen} face-up cards were seen: put it on a stand"

FAILURES: tuple[tuple[str, str, str], ...] = (
    # the file
    (
        "{path} is not there: check the path",
        "{path} gibt es nicht: stimmt der Pfad?",
        "{path} no existe: ¿es correcta la ruta?",
    ),
    ("{path} is not a file", "{path} ist keine Datei", "{path} no es un archivo"),
    ("{path}: there is no such file", "{path}: diese Datei gibt es nicht", "{path}: ese archivo no existe"),
    ("{path} cannot be read: {why}", "{path} ist nicht lesbar: {why}", "{path} no se puede leer: {why}"),
    (
        "{path} holds no recording ({kinds})",
        "{path} enthält keine Aufnahme ({kinds})",
        "{path} no contiene ninguna grabación ({kinds})",
    ),
    (
        "{path}: this is no recording that can be opened ({why})",
        "{path}: das ist keine Aufnahme, die sich öffnen lässt ({why})",
        "{path}: no es una grabación que se pueda abrir ({why})",
    ),
    (
        "{path}: this is not a recording that can be read ({why})",
        "{path}: das ist keine Aufnahme, die sich lesen lässt ({why})",
        "{path}: no es una grabación que se pueda leer ({why})",
    ),
    # the picture
    (
        "{path}: the recording has no picture; record video of the table",
        "{path}: die Aufnahme hat kein Bild; nehmt den Tisch als Video auf",
        "{path}: la grabación no tiene imagen; grabad la mesa en vídeo",
    ),
    (
        "{path}: the picture cannot be decoded ({why})",
        "{path}: das Bild lässt sich nicht entschlüsseln ({why})",
        "{path}: la imagen no se puede decodificar ({why})",
    ),
    (
        "{path}: the picture is damaged after {at} s ({why})",
        "{path}: das Bild ist nach {at} s beschädigt ({why})",
        "{path}: la imagen está dañada a partir de {at} s ({why})",
    ),
    (
        "{path}: the picture breaks off at {at} s of {end} s",
        "{path}: das Bild bricht bei {at} s von {end} s ab",
        "{path}: la imagen se interrumpe a los {at} s de {end} s",
    ),
    # the sound
    (
        "{path}: the recording has no sound; record with the microphone on",
        "{path}: die Aufnahme hat keinen Ton; nehmt mit eingeschaltetem Mikrofon auf",
        "{path}: la grabación no tiene sonido; grabad con el micrófono encendido",
    ),
    (
        "{path}: no sound could be decoded ({why})",
        "{path}: der Ton lässt sich nicht entschlüsseln ({why})",
        "{path}: el sonido no se pudo decodificar ({why})",
    ),
    (
        "{path}: the sound is damaged from {at} s on ({why}); judged up to there",
        "{path}: der Ton ist ab {at} s beschädigt ({why}); entschieden wurde bis dorthin",
        "{path}: el sonido está dañado desde {at} s ({why}); se decidió hasta ahí",
    ),
    (
        "{failure}; {n} rounds judged before that are in {record}",
        "{failure}; die {n} davor entschiedenen Runden stehen in {record}",
        "{failure}; las {n} rondas decididas antes están en {record}",
    ),
    # the cards
    (
        f"{{path}}: {_STAND.replace('{seen}', 'no')}",
        "{path}: die Kamera bewegt sich ständig, sodass keine offenen Karten zu sehen waren: stellt sie auf ein Stativ",
        "{path}: la cámara se mueve todo el tiempo y no se vio ninguna carta descubierta: ponedla en un soporte",
    ),
    (
        f"{{path}}: {_STAND.replace('{seen}', 'too few')}",
        (
            "{path}: die Kamera bewegt sich ständig, sodass zu wenige offene Karten zu sehen waren: "
            "stellt sie auf ein Stativ"
        ),
        "{path}: la cámara se mueve todo el tiempo y se vieron muy pocas cartas descubiertas: ponedla en un soporte",
    ),
    (
        "{path}: cards were seen from one seat only, so no round was played: show the cards of all players",
        (
            "{path}: nur von einem Platz waren Karten zu sehen, also wurde keine Runde gespielt: "
            "zeigt die Karten aller Spieler"
        ),
        (
            "{path}: solo se vieron cartas de un sitio, así que no se jugó ninguna ronda: "
            "mostrad las cartas de todos los jugadores"
        ),
    ),
    (
        (
            "{path}: no face-up cards were seen: "
            "put the camera above the table, closer, in more light, or name another deck with --deck"
        ),
        (
            "{path}: keine offenen Karten waren zu sehen: bringt die Kamera über den Tisch, näher heran, sorgt für "
            "mehr Licht, oder nennt mit --deck andere Karten"
        ),
        (
            "{path}: no se vio ninguna carta descubierta: poned la cámara sobre la mesa, más cerca, con más luz, "
            "o indicad otra baraja con --deck"
        ),
    ),
    (
        (
            "{path}: no face-up cards of the deck {deck} were seen: "
            "put the camera above the table, closer, in more light, or name another deck with --deck"
        ),
        (
            "{path}: keine offenen Karten von {deck} waren zu sehen: bringt die Kamera über den Tisch, näher heran, "
            "sorgt für mehr Licht, oder nennt mit --deck andere Karten"
        ),
        (
            "{path}: no se vio ninguna carta descubierta de {deck}: poned la cámara sobre la mesa, más cerca, "
            "con más luz, o indicad otra baraja con --deck"
        ),
    ),
    # who plays, and where the record goes
    (
        "game {game} is for {least} to {most} players, not {n}",
        "das Spiel {game} ist für {least} bis {most} Spieler, nicht für {n}",
        "el juego {game} es para {least} a {most} jugadores, no para {n}",
    ),
    (
        "game {game} is for {count} players, not {n}",
        "das Spiel {game} ist für {count} Spieler, nicht für {n}",
        "el juego {game} es para {count} jugadores, no para {n}",
    ),
    (
        "cannot write into {folder}: {why}; choose another folder with --out",
        "in {folder} lässt sich nicht schreiben: {why}; wählt mit --out einen anderen Ordner",
        "no se puede escribir en {folder}: {why}; elegid otra carpeta con --out",
    ),
)
"""English as it is raised, German, Spanish; names in braces stand for what differs."""


def failure(text: str, language: str) -> str:
    """An error's sentence in a language; English where none is known."""
    place = LANGUAGES.index(language) if language in LANGUAGES else 0
    for pattern, told in _patterns() if place else ():
        if found := pattern.fullmatch(text):
            return told[place].format(**{name: failure(part, language) for name, part in found.groupdict().items()})
    return text


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, str, str]], ...]:
    return tuple((re.compile(_expression(told[0]), re.DOTALL), told) for told in FAILURES)


def _expression(english: str) -> str:
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(english))
