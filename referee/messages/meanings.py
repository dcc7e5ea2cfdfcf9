"""What each house rule decides, in German and Spanish; in English `referee.options` says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.option_spec import OptionSpec

MEANINGS: dict[str, tuple[str, str]] = {
    "cards": (
        "mit wie vielen Karten gespielt wird; ein Rest, der sich nicht gleich verteilen lässt, wird beiseitegelegt",
        "con cuántas cartas se juega; las que no se pueden repartir por igual se apartan",
    ),
    "two_player_penalty_takes_pot": (
        "ob nach einem falschen Ruf zu zweit der andere Spieler auch die Karten nimmt, die darunter liegen",
        "si, tras una palabra falsa entre dos, el otro jugador se lleva también las cartas que hay debajo",
    ),
    "missed": (
        "was geschieht, wenn niemand ruft, obwohl eine Art gewinnt: die Karten bleiben, oder jeder nimmt seine zurück",
        "qué pasa si nadie habla aunque un tipo gane: las cartas se quedan, o cada cual recupera la suya",
    ),
    "early_call": (
        "ein Ruf, bevor alle Karten zu sehen sind: nur eine Verwarnung, oder ein falscher Ruf",
        "una palabra antes de que se vean todas las cartas: solo un aviso, o una palabra falsa",
    ),
    "end_pot": (
        "wem die Karten gehören, die am Ende in der Mitte liegen: niemandem, oder sie werden geteilt",
        "de quién son las cartas que quedan en el centro al final: de nadie, o se reparten por igual",
    ),
    "tie_window_ms": (
        "kürzere Vorsprünge sind immer gleichzeitig; längere auch, wenn die Reihenfolge nicht sicher gemessen ist",
        "las ventajas más cortas son siempre empate; las más largas también, si la medida no está segura del orden",
    ),
    "certainty": (
        "wie sicher eine Reihenfolge sein muss, um zu gelten",
        "qué certeza debe tener un orden para contar",
    ),
    "perceptible_ms": (
        "der kürzeste Vorsprung, den Menschen bemerken; kann ein Gleichstand einen solchen verbergen, wird geprüft",
        "la ventaja más corta que notan las personas; un empate que pueda esconder una se revisa",
    ),
    "seat_certainty": (
        "wie sicher sein muss, wer gerufen hat; darunter werden Menschen gefragt",
        "con qué certeza se debe saber quién habló; por debajo se pregunta a las personas",
    ),
    "call_certainty": (
        "wie wahrscheinlich ein entscheidendes Wort ein Ruf sein muss; darunter wird die Runde geprüft",
        "con qué probabilidad una palabra decisiva debe ser de juego; por debajo la ronda se revisa",
    ),
    "doubt": (
        "ab dieser Wahrscheinlichkeit lässt ein Wort, das nicht als Ruf galt, die Runde prüfen, die es geändert hätte",
        "desde esta probabilidad, una palabra que no contó hace revisar la ronda que habría cambiado",
    ),
    "card_certainty": (
        "wie sicher das Bild einer Karte oder ein Würfel sein muss; darunter wird die Runde geprüft",
        "con qué certeza se debe leer una carta o un dado; por debajo la ronda se revisa",
    ),
    "touch_certainty": (
        "wie sicher eine Berührung sein muss; darunter wird die Runde geprüft",
        "qué certeza debe tener un toque; por debajo la ronda se revisa",
    ),
    "settle_s": (
        "wie lange nach dem entscheidenden Ruf, der Berührung oder dem Aufdecken noch zugehört wird",
        "cuánto se sigue escuchando tras la palabra decisiva, el toque o el descubrimiento",
    ),
    "silence_s": (
        "das kürzeste Schweigen nach der letzten Karte, das als solches gilt; kürzeres wird geprüft",
        "el silencio más corto tras la última carta que cuenta como tal; uno más corto se revisa",
    ),
    "gap_s": (
        "Karten, die weiter auseinander aufgedeckt werden, sind nicht eine Runde, wenn ein Platz davon noch eine zeigt",
        "las cartas descubiertas con más distancia no son una misma ronda si uno de sus asientos muestra otra",
    ),
    "double_flip_s": (
        "eine zweite Karte eines Platzes in dieser Zeit ist doppelt aufgedeckt und nicht die nächste Runde",
        "una segunda carta de un asiento en este tiempo es doble y no la ronda siguiente",
    ),
    "collection": (
        "wenn niemand sagen kann, wer rief, aber zu sehen war, wer nahm: das vorschlagen, annehmen oder übergehen",
        "si nadie puede decir quién habló, pero se vio quién recogió: proponerlo, aceptarlo o pasarlo por alto",
    ),
    "hand_cards": (
        "wie viele Karten beide Spieler zusammen haben, gleich viele von jeder Art",
        "cuántas cartas tienen los dos jugadores juntos, las mismas de cada tipo",
    ),
    "two_players": (
        "ob zu zweit gespielt werden darf, mit einem einzigen Klecks",
        "si pueden jugar dos, con una sola mancha",
    ),
    "speed_rounds": ("die Spielart mit schnellen Runden", "la variante con rondas rápidas"),
    "speed_after": (
        "nach wie vielen Runden ohne Marke ein Klecks weggenommen wird",
        "tras cuántas rondas sin ficha se retira una mancha",
    ),
    "rotating_blots": (
        "die Spielart, in der nach jeder Runde ein Klecks ersetzt wird",
        "la variante en que tras cada ronda se cambia una mancha",
    ),
}


def meaning(option: OptionSpec, language: str) -> str:
    """What a house rule decides, in a language."""
    if language not in ("de", "es"):
        return option.meaning
    return MEANINGS[option.name][("de", "es").index(language)]
