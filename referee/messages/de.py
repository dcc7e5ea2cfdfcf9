"""German sentences; how a template is read stands in `referee.messages`."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "rock": "Stein",
    "paper": "Papier",
    "scissors": "Schere",
    "seat north": "Nord",
    "seat east": "Ost",
    "seat south": "Süd",
    "seat west": "West",
    "and": "und",
    "and before i": "und",
    "nobody": "niemand",
    "silence": "Schweigen",
    "yes": "ja",
    "no": "nein",
    "rule": "Regel",
    "house rule": "Hausregel",
    "decimal": ",",
}

SENTENCES: dict[str, str] = {
    "call.correct": "{seat} rief zuerst „{type}“, die Gewinnerkarte, und nimmt {n#Karte|Karten}.",
    "touch.correct": "{seat} berührte zuerst „{type}“, die Gewinnerkarte, und nimmt {n#Karte|Karten}.",
    "call.correct.unknown": "„{type}“, die Gewinnerkarte, wurde zuerst gerufen, aber niemand kann sagen, von wem.",
    "touch.correct.unknown": "„{type}“, die Gewinnerkarte, wurde zuerst berührt, aber niemand kann sagen, von wem.",
    "call.wrong.2": "{seat} rief „{type}“, aber die Gewinnerkarte war „{due}“: {others} nimmt {n#Karte|Karten}.",
    "touch.wrong.2": "{seat} berührte „{type}“, aber die Gewinnerkarte war „{due}“: {others} nimmt {n#Karte|Karten}.",
    "call.wrong.n": (
        "{seat} rief „{type}“, aber die Gewinnerkarte war „{due}“: die eigene Karte bleibt liegen, die anderen "
        "nehmen ihre zurück."
    ),
    "touch.wrong.n": (
        "{seat} berührte „{type}“, aber die Gewinnerkarte war „{due}“: die eigene Karte bleibt liegen, die "
        "anderen nehmen ihre zurück."
    ),
    "call.wrong.unknown": "„{type}“ wurde gerufen, aber die Gewinnerkarte war „{due}“; niemand kann sagen, von wem.",
    "touch.wrong.unknown": "„{type}“ wurde berührt, aber die Gewinnerkarte war „{due}“; niemand kann sagen, von wem.",
    "call.wrong_whatever.2": (
        "{seat} rief „{type}“, was in jedem Fall falsch ist, gleich welche Karte nicht zu lesen war: {others} "
        "nimmt {n#Karte|Karten}."
    ),
    "touch.wrong_whatever.2": (
        "{seat} berührte „{type}“, was in jedem Fall falsch ist, gleich welche Karte nicht zu lesen war: {others}"
        " nimmt {n#Karte|Karten}."
    ),
    "call.wrong_whatever.n": (
        "{seat} rief „{type}“, was in jedem Fall falsch ist, gleich welche Karte nicht zu lesen war: die eigene "
        "Karte bleibt liegen, die anderen nehmen ihre zurück."
    ),
    "touch.wrong_whatever.n": (
        "{seat} berührte „{type}“, was in jedem Fall falsch ist, gleich welche Karte nicht zu lesen war: die "
        "eigene Karte bleibt liegen, die anderen nehmen ihre zurück."
    ),
    "call.wrong_whatever.unknown": (
        "„{type}“ wurde gerufen, was in jedem Fall falsch ist; niemand kann sagen, von wem."
    ),
    "touch.wrong_whatever.unknown": (
        "„{type}“ wurde berührt, was in jedem Fall falsch ist; niemand kann sagen, von wem."
    ),
    "call.in_silence.2": "{seat} rief „{type}“, aber es galt zu schweigen: {others} nimmt {n#Karte|Karten}.",
    "touch.in_silence.2": (
        "{seat} berührte „{type}“, aber keine Karte durfte berührt werden: {others} nimmt {n#Karte|Karten}."
    ),
    "call.in_silence.n": (
        "{seat} rief „{type}“, aber es galt zu schweigen: die eigene Karte bleibt liegen, die anderen nehmen ihre"
        " zurück."
    ),
    "touch.in_silence.n": (
        "{seat} berührte „{type}“, aber keine Karte durfte berührt werden: die eigene Karte bleibt liegen, die "
        "anderen nehmen ihre zurück."
    ),
    "call.in_silence.unknown": "„{type}“ wurde gerufen, aber es galt zu schweigen; niemand kann sagen, von wem.",
    "touch.in_silence.unknown": (
        "„{type}“ wurde berührt, aber keine Karte durfte berührt werden; niemand kann sagen, von wem."
    ),
    "call.early.2": "{seat} rief „{type}“, bevor alle Karten zu sehen waren: {others} nimmt {n#Karte|Karten}.",
    "call.early.n": (
        "{seat} rief „{type}“, bevor alle Karten zu sehen waren: die eigene Karte bleibt liegen, die anderen "
        "nehmen ihre zurück."
    ),
    "call.early.unknown": "„{type}“ wurde gerufen, bevor alle Karten zu sehen waren; niemand kann sagen, von wem.",
    "call.tie.2": "{tied} riefen gleichzeitig „{due}“: {pot#Karte bleibt|Karten bleiben} liegen.",
    "touch.tie.2": "{tied} berührten gleichzeitig „{due}“: {pot#Karte bleibt|Karten bleiben} liegen.",
    "call.tie.n": (
        "{tied} riefen gleichzeitig „{due}“: sie nehmen ihre eigene Karte zurück, {pot#Karte bleibt|Karten "
        "bleiben} liegen."
    ),
    "touch.tie.n": (
        "{tied} berührten gleichzeitig „{due}“: sie nehmen ihre eigene Karte zurück, {pot#Karte bleibt|Karten "
        "bleiben} liegen."
    ),
    "call.tie.unknown": "„{type}“ wurde von mehreren gleichzeitig gerufen, aber niemand kann sagen, von wem.",
    "touch.tie.unknown": "„{type}“ wurde von mehreren gleichzeitig berührt, aber niemand kann sagen, von wem.",
    "call.contested.2": (
        "{wrong} lag falsch und {right} richtig, beide gleichzeitig: {others} würde {n#Karte|Karten} nehmen."
    ),
    "touch.contested.2": (
        "{wrong} lag falsch und {right} richtig, beide gleichzeitig: {others} würde {n#Karte|Karten} nehmen."
    ),
    "call.contested.n": (
        "{wrong} {wrong?lag|lagen} falsch und {right} richtig, alle gleichzeitig: niemand würde gewinnen, und "
        "alle außer {wrong} würden ihre Karte zurücknehmen."
    ),
    "touch.contested.n": (
        "{wrong} {wrong?lag|lagen} falsch und {right} richtig, alle gleichzeitig: niemand würde gewinnen, und "
        "alle außer {wrong} würden ihre Karte zurücknehmen."
    ),
    "call.contested.somebody": (
        "{wrong} {wrong?lag|lagen} falsch und jemand anders richtig, alle gleichzeitig: niemand würde gewinnen, und "
        "alle außer {wrong} würden ihre Karte zurücknehmen."
    ),
    "touch.contested.somebody": (
        "{wrong} {wrong?lag|lagen} falsch und jemand anders richtig, alle gleichzeitig: niemand würde gewinnen, und "
        "alle außer {wrong} würden ihre Karte zurücknehmen."
    ),
    "call.contested.wrong.2": "{wrong} lagen gleichzeitig falsch: {pot#Karte würde|Karten würden} liegen bleiben.",
    "touch.contested.wrong.2": "{wrong} lagen gleichzeitig falsch: {pot#Karte würde|Karten würden} liegen bleiben.",
    "call.contested.wrong.n": (
        "{wrong} lagen gleichzeitig falsch: ihre Karten würden liegen bleiben, die anderen würden ihre zurücknehmen."
    ),
    "touch.contested.wrong.n": (
        "{wrong} lagen gleichzeitig falsch: ihre Karten würden liegen bleiben, die anderen würden ihre zurücknehmen."
    ),
    "call.unheard": "Kein Ruf wurde verstanden, aber {others} nahm{others?|en} {n#Karte|Karten}.",
    "silence.kept": "Zu Recht hat niemand gerufen: {pot#Karte bleibt|Karten bleiben} liegen.",
    "silence.missed": (
        "Niemand hat gerufen, obwohl „{due}“ die Gewinnerkarte war: {pot#Karte bleibt|Karten bleiben} liegen."
    ),
    "silence.missed.own": "Niemand hat gerufen, obwohl „{due}“ die Gewinnerkarte war: alle nehmen ihre Karte zurück.",
    "silence.unread": (
        "Niemand hat gerufen, und nicht jede Karte war zu lesen: {pot#Karte bleibt|Karten bleiben} liegen."
    ),
    "touch.silence.kept": "Zu Recht hat niemand eine Karte berührt: {pot#Karte bleibt|Karten bleiben} liegen.",
    "touch.silence.missed": (
        "Niemand hat eine Karte berührt, obwohl „{due}“ die Gewinnerkarte war: "
        "{pot#Karte bleibt|Karten bleiben} liegen."
    ),
    "touch.silence.missed.own": (
        "Niemand hat eine Karte berührt, obwohl „{due}“ die Gewinnerkarte war: alle nehmen ihre Karte zurück."
    ),
    "touch.silence.unread": (
        "Niemand hat eine Karte berührt, und nicht jede Karte war zu lesen: {pot#Karte bleibt|Karten bleiben} liegen."
    ),
    "open.cards": "Nicht jede Karte war zu lesen: Die Spieler müssen sagen, was galt.",
    "open.order": "Wer zuerst war, ist nicht zu erkennen: Die Spieler müssen es sagen.",
    "void": "Die Spieler haben diese Runde für ungültig erklärt: Die Karten bleiben liegen.",
    "withdrawn": "Nach der Korrektur war Runde {round} keine eigene Runde.",
    "hands.won": (
        "{type} von {seat} schlägt {lost}: {seat} behält die Hand, {other} legt ab und zieht drei Karten, danach "
        "{n?bleibt|bleiben} {n#Hand|Hände} im Stapel."
    ),
    "hands.won.out1": (
        "{type} von {seat} schlägt {lost}, und {other} kann keine drei Karten mehr ziehen: {seat} gewinnt das Spiel."
    ),
    "hands.three_ties": "Dreimal unentschieden: Beide legen ihre Hand ab und ziehen drei Karten.",
    "hands.three_ties.out1": (
        "Dreimal unentschieden, und {out} kann keine drei Karten mehr ziehen: {left} gewinnt das Spiel."
    ),
    "hands.three_ties.out2": (
        "Dreimal unentschieden, und beide können keine drei Karten mehr ziehen: unentschieden, noch einmal spielen."
    ),
    "hands.open": "Nicht jede Karte war zu lesen: Die Spieler müssen sagen, wer gewonnen hat.",
    "rorschach.tokens": "{others} {others?nimmt|nehmen} zusammen {n#Marke|Marken}.",
    "rorschach.none": "Niemand nimmt eine Marke.",
    "rorschach.none.removed": (
        "Wieder nimmt niemand eine Marke: Klecks {blot} kommt weg, {blots#Klecks bleibt|Kleckse bleiben}."
    ),
    "rorschach.won": "{others} {others?hat|haben} eine Marke jeder Farbe und {others?gewinnt|gewinnen} das Spiel.",
    "review.who_called": "Wer rief „{type}“?",
    "review.who_touched": "Wer berührte „{type}“?",
    "review.who_tied": "Wer war mit „{type}“ zuerst?",
    "review.same_voice": "War das eine Person zweimal oder zwei gleichzeitig?",
    "review.contested": "Jemand lag im selben Moment falsch: Wer war zuerst?",
    "review.too_close": "Zu knapp: {gap} ms Abstand, gemessen auf {error} ms. War es gleichzeitig?",
    "review.call_unsure": "Wurde wirklich „{type}“ gerufen?",
    "review.touch_unsure": "Hat der Finger „{type}“ wirklich berührt?",
    "review.two_voices": "Zwei Stimmen überlagern sich bei „{type}“: Stimmen Wort und Reihenfolge?",
    "review.early_or_not": "Kam „{type}“ vor oder nach dem Aufdecken der letzten Karte?",
    "review.maybe_call": "Wurde bei {time} s „{type}“ gerufen?",
    "review.card_missing": "Welche Karte hat {seat} aufgedeckt? Es war keine zu sehen.",
    "review.card_unread": "Welche Karte hat {seat} aufgedeckt? Sie war nicht zu lesen.",
    "review.card_unsure": "Ist die Karte von {seat} wirklich „{type}“?",
    "review.seats_of_cards": "Welche Karte gehört wem?",
    "review.not_playing": "Bei {seat} lag etwas, dort spielt aber niemand: Wem gehört es?",
    "review.too_few_cards": "Nur noch {n#Person hat|Personen haben} Karten: Ist das Spiel aus?",
    "review.extra_card": "In der Mitte liegt eine Karte zu viel.",
    "review.double_flip": "{seat} hat zwei Karten aufgedeckt; die erste zählt.",
    "review.taken_back": "{seat} nahm die Karte zurück, bevor die Runde vollständig war.",
    "review.moved_early": "Karten wurden bewegt, bevor die Runde entschieden war.",
    "review.beyond_deal": "{seat} deckt mehr Karten auf, als ausgeteilt wurden.",
    "review.cut_short": "Die Runde wurde abgebrochen: Hätte noch jemand gerufen?",
    "review.pot_depends": (
        "Wie viele Karten dort lagen, hängt von {rounds?der offenen Runde|den offenen Runden} {rounds} ab."
    ),
    "review.table_says": "Niemand konnte sagen, wer es war; {others} nahm{others?|en} Karten. Stimmt das?",
    "review.table_says_nobody": "Niemand konnte sagen, wer es war, und niemand nahm: mehrere zugleich. Stimmt das?",
    "review.table_says_otherwise": "Unklar, wer was rief; {others} nahm{others?|en} die Karten. Stimmt das?",
    "review.table_says_unheard": "Kein Ruf war zu hören, aber {others} nahm{others?|en} Karten. Wer rief was?",
    "review.table_says_left": "Unklar, wer was rief; niemand nahm die Karten. Stimmt das?",
    "review.collected_by_other": "{others} nahm{others?|en} Karten, die der Entscheid nicht zusprach. Stimmt er so?",
    "review.not_collected": "{others} {others?hat|haben} die zugesprochenen Karten nicht genommen. Stimmt das so?",
    "review.impossible_card": "{seat} kann „{type}“ nicht mehr haben: Ist die Karte richtig gelesen?",
    "review.die_missing": "Welchen Klecks hat {seat} gewählt? Es war kein Würfel zu sehen.",
    "review.die_unread": "Welchen Klecks hat {seat} gewählt? Der Würfel war nicht zu lesen.",
    "review.die_unsure": "Hat {seat} wirklich {value} gewählt?",
    "review.die_of_nobody": "Ein Würfel ist niemandem zuzuordnen.",
    "review.die_turned": (
        "{seat} hat den Würfel nach dem Aufdecken von {first} auf {second} gedreht; die erste Antwort zählt."
    ),
    "review.no_such_blot": (
        "{seat} hat {value} gewählt, es gibt aber nur {n#Klecks|Kleckse}: Die Antwort zählt nicht."
    ),
    "review.same_colour": (
        "{others} benutzen dieselbe Farbe, {colour}: Nur der erste Würfel zählt, und jemand braucht eine andere Farbe."
    ),
    "review.colour_changed": "{seat} zeigt einen Würfel anderer Farbe, {colour}.",
    "note.early_call": "Verwarnung für {seat}: „{type}“ kam, bevor alle Karten zu sehen waren, und zählt nicht.",
    "note.early_call.unknown": "Verwarnung: „{type}“ kam, bevor alle Karten zu sehen waren, und zählt nicht.",
    "note.late_call": "{seat} rief „{type}“ zwischen den Runden: Das ändert nichts.",
    "note.late_call.unknown": "„{type}“ wurde zwischen den Runden gerufen: Das ändert nichts.",
    "note.late_flip": "{seat} hat die Karte spät aufgedeckt.",
    "note.seat_inferred": "Was übrig war, muss {seat} gehören.",
    "note.seat_does_not_matter": "Niemand kann sagen, wer es war, und es spielt keine Rolle.",
    "note.card_does_not_matter": "Nicht jede Karte war zu lesen, und es spielt keine Rolle.",
    "note.piles_depend": "Die Stapel hängen von {rounds?der offenen Runde|den offenen Runden} {rounds} ab.",
    "note.ghost": "Vor dieser Runde lag etwas da, das nicht zu lesen war.",
    "note.pot_counted": "{n} {n?Karte wurde|Karten wurden} sichtbar genommen: so viele lagen da.",
    "note.uneven_deal": "Die Karten wurden nicht gleichmäßig ausgeteilt.",
    "note.seat_changed": "{seat} sitzt jetzt bei {to}.",
    "note.drew_unasked": "{seat} hat eine Hand gezogen, die nicht fällig war.",
    "note.blot_removed_unasked": "Klecks {blot} wurde entfernt, obwohl keine Regel es verlangt.",
    "note.blot_replaced_unasked": "Klecks {blot} wurde ersetzt, obwohl keine Regel es verlangt.",
    "note.no_such_blot": "Es gibt keinen Klecks {blot}, der wegkann.",
    "note.table.moved": "Kamera oder Tisch haben sich bewegt.",
    "note.table.unsteady": "Die Kamera bewegt sich dauernd: Stell sie auf ein Stativ. "
    "Bis dahin werden Karten spät oder gar nicht gesehen.",
    "note.table.dark": "Das Bild ist dunkel.",
    "note.table.glare": "Auf dem Tisch spiegelt Licht.",
    "note.table.far": "Die Karten sind weit weg.",
    "note.table.blurred": "Das Bild ist unscharf.",
    "note.table.covered": "Etwas verdeckt den Tisch.",
    "note.table.other": "Hinweis zum Bild: {code}.",
}
