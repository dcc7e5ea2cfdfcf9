"""Words of the terminal, in English, German and Spanish; see `labels`."""

from __future__ import annotations

TERMINAL: dict[str, tuple[str, str, str]] = {
    # the table of rounds
    "table.round": ("round", "Runde", "ronda"),
    "table.time": ("time", "Zeit", "tiempo"),
    "table.cards": ("cards", "Karten", "cartas"),
    "table.due": ("due", "richtig", "válida"),
    "table.first": ("first", "zuerst", "primero"),
    "table.outcome": ("outcome", "Ausgang", "resultado"),
    "table.to": ("cards to", "Karten an", "para"),
    "table.pot": ("pot", "Mitte", "centro"),
    "table.review": ("(review)", "(prüfen)", "(revisar)"),
    "table.lead": ("{said}, by {lead} ms", "{said}, {lead} ms voraus", "{said}, por {lead} ms"),
    "told.interrupted": (
        "referee: interrupted; what was judged so far is in {path}",
        "referee: unterbrochen; was bis dahin entschieden wurde, steht in {path}",
        "referee: interrumpido; lo decidido hasta ahora está en {path}",
    ),
    # what stands below it
    "told.none": ("No round was ruled.", "Keine Runde wurde entschieden.", "No se decidió ninguna ronda."),
    "told.nothing": ("No cards were won.", "Niemand hat Karten gewonnen.", "Nadie ganó cartas."),
    "told.leads": ("{who} leads: {score}.", "{who} führt: {score}.", "{who} va por delante: {score}."),
    "told.level": (
        "Level between {who}: {score}.",
        "Gleichstand zwischen {who}: {score}.",
        "Empate entre {who}: {score}.",
    ),
    "told.pot": ("{score} (pot {n})", "{score} (Mitte {n})", "{score} (centro {n})"),
    "told.reviews": (
        "{n} {n?round needs|rounds need} your eyes:",
        "{n} {n?Runde braucht|Runden brauchen} eure Augen:",
        "{n} {n?ronda|rondas} por revisar:",
    ),
    "told.review": (
        "round {n} at {at}: {reasons}",
        "Runde {n} bei {at}: {reasons}",
        "ronda {n} en {at}: {reasons}",
    ),
    "told.hint": (
        (
            "In {n} rounds cards were taken and no call was understood. If another language is spoken at this table, "
            "say so: --languages {other}, for example."
        ),
        (
            "In {n} Runden wurden Karten genommen, und kein Ruf wurde verstanden. Wird an diesem Tisch eine andere "
            "Sprache gesprochen, so sagt es: zum Beispiel --languages {other}."
        ),
        (
            "En {n} rondas se recogieron cartas y no se entendió ninguna palabra. Si en esta mesa se habla otro "
            "idioma, decidlo: por ejemplo, --languages {other}."
        ),
    ),
    "told.record": ("record: {path}", "Protokoll: {path}", "acta: {path}"),
    # what people may say of a record
    "offer.correction": ("correction {n}: {words}", "Korrektur {n}: {words}", "corrección {n}: {words}"),
    "offer.round": ("round {n}: {words}", "Runde {n}: {words}", "ronda {n}: {words}"),
    "offer.no_review": ("no round is to be reviewed", "keine Runde ist zu prüfen", "ninguna ronda está por revisar"),
    "offer.name": (
        "name a round with --round N to see what could be said of it",
        "nennt eine Runde mit --round N, um zu sehen, was sich von ihr sagen lässt",
        "nombrad una ronda con --round N para ver qué se podría decir de ella",
    ),
    "offer.call": (
        "call {n}: {who}, {word}, {at} s ({fate})",
        "Ruf {n}: {who}, {word}, {at} s ({fate})",
        "palabra {n}: {who}, {word}, {at} s ({fate})",
    ),
    "offer.asked": ("asked: {words}", "gefragt: {words}", "se pregunta: {words}"),
    "offer.right": (
        "if the ruling is right as it is, say so: --as-ruled",
        "ist der Entscheid richtig, so sagt es: --as-ruled",
        "si la decisión es correcta, decidlo: --as-ruled",
    ),
    "offer.otherwise": (
        "what else may have happened, likeliest first:",
        "was sonst geschehen sein kann, das Wahrscheinlichste zuerst:",
        "qué otra cosa pudo pasar, primero lo más probable:",
    ),
    "offer.nothing": (
        "nothing that could be said would change it",
        "nichts, was sich sagen ließe, würde etwas ändern",
        "nada de lo que se podría decir la cambiaría",
    ),
    "offer.which": ("Which one (0: none)", "Was davon (0: nichts)", "Cuál (0: ninguna)"),
    "offer.which_or_right": (
        "Which one (0: none, y: right as it is)",
        "Was davon (0: nichts, y: richtig, wie es ist)",
        "Cuál (0: ninguna, y: es correcta)",
    ),
    "offer.same": ("no ruling changes", "kein Entscheid ändert sich", "no cambia ninguna decisión"),
    "offer.mended": (
        "note: the last correction had been cut short; its rulings are written down now",
        "Hinweis: die letzte Korrektur war abgebrochen; ihre Entscheide sind jetzt aufgeschrieben",
        "nota: la última corrección quedó a medias; sus decisiones están ahora anotadas",
    ),
    # words of calls that have none
    "word.touch": ("a touch", "eine Berührung", "un toque"),
    "word.unheard": ("not understood", "nicht verstanden", "no se entendió"),
    # a record that is ruled again
    "again.same": (
        "The same rulings as in the record, byte for byte.",
        "Dieselben Entscheide wie im Protokoll, Byte für Byte.",
        "Las mismas decisiones que en el acta, byte a byte.",
    ),
    "again.words": (
        "The same rulings as in the record, in other words.",
        "Dieselben Entscheide wie im Protokoll, in anderen Worten.",
        "Las mismas decisiones que en el acta, con otras palabras.",
    ),
    "again.differs": (
        "What differs from the record:",
        "Was anders ist als im Protokoll:",
        "Lo que difiere del acta:",
    ),
    "again.one": (
        "round {n}: {what}: {old} -> {new}",
        "Runde {n}: {what}: {old} -> {new}",
        "ronda {n}: {what}: {old} -> {new}",
    ),
}
