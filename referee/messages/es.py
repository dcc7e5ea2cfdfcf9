"""Spanish sentences; how a template is read stands in `referee.messages`."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "rock": "piedra",
    "paper": "papel",
    "scissors": "tijera",
    "seat north": "Norte",
    "seat east": "Este",
    "seat south": "Sur",
    "seat west": "Oeste",
    "and": "y",
    "and before i": "e",
    "nobody": "nadie",
    "silence": "silencio",
    "yes": "sí",
    "no": "no",
    "rule": "regla",
    "house rule": "regla de la casa",
    "decimal": ",",
}

SENTENCES: dict[str, str] = {
    "call.correct": "{seat} dijo primero «{type}», la carta ganadora, y se lleva {n#carta|cartas}.",
    "touch.correct": "{seat} tocó primero «{type}», la carta ganadora, y se lleva {n#carta|cartas}.",
    "call.correct.unknown": "se dijo primero «{type}», la carta ganadora, pero nadie puede decir quién fue.",
    "touch.correct.unknown": "se tocó primero «{type}», la carta ganadora, pero nadie puede decir quién fue.",
    "call.wrong.2": "{seat} dijo «{type}», pero la carta ganadora era «{due}»: {others} se lleva {n#carta|cartas}.",
    "touch.wrong.2": "{seat} tocó «{type}», pero la carta ganadora era «{due}»: {others} se lleva {n#carta|cartas}.",
    "call.wrong.n": (
        "{seat} dijo «{type}», pero la carta ganadora era «{due}»: su carta se queda y los demás recogen la suya."
    ),
    "touch.wrong.n": (
        "{seat} tocó «{type}», pero la carta ganadora era «{due}»: su carta se queda y los demás recogen la suya."
    ),
    "call.wrong.unknown": "se dijo «{type}», pero la carta ganadora era «{due}»; nadie puede decir quién fue.",
    "touch.wrong.unknown": "se tocó «{type}», pero la carta ganadora era «{due}»; nadie puede decir quién fue.",
    "call.wrong_whatever.2": (
        "{seat} dijo «{type}», que es un error sea cual sea la carta que no se pudo leer: {others} se lleva "
        "{n#carta|cartas}."
    ),
    "touch.wrong_whatever.2": (
        "{seat} tocó «{type}», que es un error sea cual sea la carta que no se pudo leer: {others} se lleva "
        "{n#carta|cartas}."
    ),
    "call.wrong_whatever.n": (
        "{seat} dijo «{type}», que es un error sea cual sea la carta que no se pudo leer: su carta se queda y los"
        " demás recogen la suya."
    ),
    "touch.wrong_whatever.n": (
        "{seat} tocó «{type}», que es un error sea cual sea la carta que no se pudo leer: su carta se queda y los"
        " demás recogen la suya."
    ),
    "call.wrong_whatever.unknown": "se dijo «{type}», que es un error en todo caso; nadie puede decir quién fue.",
    "touch.wrong_whatever.unknown": "se tocó «{type}», que es un error en todo caso; nadie puede decir quién fue.",
    "call.in_silence.2": "{seat} dijo «{type}», pero había que callar: {others} se lleva {n#carta|cartas}.",
    "touch.in_silence.2": "{seat} tocó «{type}», pero no había que tocar nada: {others} se lleva {n#carta|cartas}.",
    "call.in_silence.n": (
        "{seat} dijo «{type}», pero había que callar: su carta se queda y los demás recogen la suya."
    ),
    "touch.in_silence.n": (
        "{seat} tocó «{type}», pero no había que tocar nada: su carta se queda y los demás recogen la suya."
    ),
    "call.in_silence.unknown": "se dijo «{type}», pero había que callar; nadie puede decir quién fue.",
    "touch.in_silence.unknown": "se tocó «{type}», pero no había que tocar nada; nadie puede decir quién fue.",
    "call.early.2": (
        "{seat} dijo «{type}» antes de que se vieran todas las cartas: {others} se lleva {n#carta|cartas}."
    ),
    "call.early.n": (
        "{seat} dijo «{type}» antes de que se vieran todas las cartas: su carta se queda y los demás recogen la suya."
    ),
    "call.early.unknown": "Se dijo «{type}» antes de que se vieran todas las cartas; nadie puede decir quién fue.",
    "call.tie.2": "{tied} dijeron «{due}» a la vez: {pot#carta se queda|cartas se quedan} en la mesa.",
    "touch.tie.2": "{tied} tocaron «{due}» a la vez: {pot#carta se queda|cartas se quedan} en la mesa.",
    "call.tie.n": (
        "{tied} dijeron «{due}» a la vez: cada cual recoge su carta y {pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "touch.tie.n": (
        "{tied} tocaron «{due}» a la vez: cada cual recoge su carta y {pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "call.tie.unknown": "Varios a la vez: se dijo «{type}», pero nadie puede decir quiénes fueron.",
    "touch.tie.unknown": "Varios a la vez: se tocó «{type}», pero nadie puede decir quiénes fueron.",
    "call.contested.2": "{wrong} se equivocó y {right} acertó a la vez: {others} se llevaría {n#carta|cartas}.",
    "touch.contested.2": "{wrong} se equivocó y {right} acertó a la vez: {others} se llevaría {n#carta|cartas}.",
    "call.contested.n": (
        "{wrong} {wrong?se equivocó|se equivocaron} y {right} {right?acertó|acertaron} a la vez: nadie ganaría, y"
        " todos menos {wrong} recogerían su carta."
    ),
    "touch.contested.n": (
        "{wrong} {wrong?se equivocó|se equivocaron} y {right} {right?acertó|acertaron} a la vez: nadie ganaría, y"
        " todos menos {wrong} recogerían su carta."
    ),
    "call.contested.somebody": (
        "{wrong} {wrong?se equivocó|se equivocaron} y otro acertó a la vez: nadie ganaría, y todos menos {wrong}"
        " recogerían su carta."
    ),
    "touch.contested.somebody": (
        "{wrong} {wrong?se equivocó|se equivocaron} y otro acertó a la vez: nadie ganaría, y todos menos {wrong}"
        " recogerían su carta."
    ),
    "call.contested.wrong.2": (
        "{wrong} se equivocaron a la vez: {pot#carta se quedaría|cartas se quedarían} en la mesa."
    ),
    "touch.contested.wrong.2": (
        "{wrong} se equivocaron a la vez: {pot#carta se quedaría|cartas se quedarían} en la mesa."
    ),
    "call.contested.wrong.n": (
        "{wrong} se equivocaron a la vez: sus cartas se quedarían y los demás recogerían la suya."
    ),
    "touch.contested.wrong.n": (
        "{wrong} se equivocaron a la vez: sus cartas se quedarían y los demás recogerían la suya."
    ),
    "call.unheard": "No se entendió a nadie, pero {others} {others?recogió|recogieron} {n#carta|cartas}.",
    "silence.kept": "Nadie dijo nada, como debía ser: {pot#carta se queda|cartas se quedan} en la mesa.",
    "silence.missed": (
        "Nadie dijo nada, aunque «{due}» era la carta ganadora: {pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "silence.missed.own": "Nadie dijo nada, aunque «{due}» era la carta ganadora: cada cual recoge su carta.",
    "silence.unread": (
        "Nadie dijo nada y no se pudieron leer todas las cartas: {pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "touch.silence.kept": (
        "Nadie tocó ninguna carta, como debía ser: {pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "touch.silence.missed": (
        "Nadie tocó ninguna carta, aunque «{due}» era la carta ganadora: "
        "{pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "touch.silence.missed.own": (
        "Nadie tocó ninguna carta, aunque «{due}» era la carta ganadora: cada cual recoge su carta."
    ),
    "touch.silence.unread": (
        "Nadie tocó ninguna carta y no se pudieron leer todas: {pot#carta se queda|cartas se quedan} en la mesa."
    ),
    "open.cards": "No se pudieron leer todas las cartas: los jugadores deben decir qué tocaba.",
    "open.order": "No se puede saber quién fue primero: deben decirlo los jugadores.",
    "void": "Los jugadores han anulado esta ronda: las cartas se quedan en la mesa.",
    "withdrawn": "Tras la corrección, la ronda {round} no fue una ronda aparte.",
    "hands.won": (
        "{type} de {seat} gana a {lost}: {seat} conserva su mano, {other} descarta y roba tres cartas, y "
        "{n?queda|quedan} {n#mano|manos} en su mazo."
    ),
    "hands.won.out1": "{type} de {seat} gana a {lost}, y {other} no puede robar tres cartas: {seat} gana la partida.",
    "hands.three_ties": "Tres empates: ambos descartan su mano y roban tres cartas.",
    "hands.three_ties.out1": "Tres empates, y {out} no puede robar tres cartas: {left} gana la partida.",
    "hands.three_ties.out2": "Tres empates, y ninguno puede robar tres cartas: empate, se juega otra vez.",
    "hands.open": "No se pudieron leer todas las cartas: los jugadores deben decir quién ganó.",
    "rorschach.tokens": "{others} {others?recibe|reciben} {n#ficha|fichas} en total.",
    "rorschach.none": "Nadie recibe ninguna ficha.",
    "rorschach.none.removed": (
        "Otra vez nadie recibe ninguna ficha: se retira la mancha {blot} y {blots#mancha se queda|manchas se quedan}."
    ),
    "rorschach.won": "{others} {others?tiene|tienen} una ficha de cada color y {others?gana|ganan} la partida.",
    "review.who_called": "¿Quién dijo «{type}»?",
    "review.who_touched": "¿Quién tocó «{type}»?",
    "review.who_tied": "¿Quién fue primero con «{type}»?",
    "review.same_voice": "¿Fue una persona dos veces o dos a la vez?",
    "review.contested": "Alguien se equivocó en el mismo instante: ¿quién fue primero?",
    "review.too_close": "Demasiado justo: {gap} ms de diferencia, con un error de {error} ms. ¿Fue empate?",
    "review.call_unsure": "¿De verdad se dijo «{type}»?",
    "review.touch_unsure": "¿El dedo tocó de verdad «{type}»?",
    "review.two_voices": "Dos voces se solapan en «{type}»: ¿son correctas la palabra y el orden?",
    "review.early_or_not": "¿«{type}» fue antes o después de verse la última carta?",
    "review.maybe_call": "¿Se dijo «{type}» en el segundo {time}?",
    "review.card_missing": "¿Qué carta mostró {seat}? No se vio ninguna.",
    "review.card_unread": "¿Qué carta mostró {seat}? No se pudo leer.",
    "review.card_unsure": "¿La carta de {seat} es de verdad «{type}»?",
    "review.seats_of_cards": "¿De quién es cada carta?",
    "review.not_playing": "Había algo en {seat}, donde no juega nadie: ¿de quién es?",
    "review.too_few_cards": "Solo {n?queda|quedan} {n#jugador con carta|jugadores con cartas}: ¿se acabó la partida?",
    "review.extra_card": "Hay una carta de más en el centro.",
    "review.double_flip": "{seat} mostró dos cartas; vale la primera.",
    "review.taken_back": "{seat} retiró su carta antes de que la ronda estuviera completa.",
    "review.moved_early": "Se movieron cartas antes de decidirse la ronda.",
    "review.beyond_deal": "{seat} muestra más cartas de las repartidas.",
    "review.cut_short": "La ronda se cortó: ¿habría dicho algo alguien?",
    "review.pot_depends": "Cuántas cartas había depende de {rounds?la ronda abierta|las rondas abiertas} {rounds}.",
    "review.table_says": "Nadie pudo decir quién fue; {others} {others?recogió|recogieron} cartas. ¿Es correcto?",
    "review.table_says_nobody": "Nadie pudo decir quién fue y nadie recogió: varios a la vez. ¿Es correcto?",
    "review.table_says_otherwise": "No está claro quién dijo qué; {others} {others?recogió|recogieron}. ¿Es correcto?",
    "review.table_says_unheard": "No se oyó a nadie, pero {others} {others?recogió|recogieron}. ¿Quién dijo qué?",
    "review.table_says_left": "No está claro quién dijo qué; nadie recogió. ¿Es correcto?",
    "review.collected_by_other": "{others} {others?recogió|recogieron} cartas que la decisión no daba. ¿Es correcta?",
    "review.not_collected": "{others} no {others?recogió|recogieron} las cartas que dio la decisión. ¿Es correcta?",
    "review.impossible_card": "{seat} ya no puede tener «{type}»: ¿está bien leída la carta?",
    "review.die_missing": "¿Qué mancha eligió {seat}? No se vio ningún dado.",
    "review.die_unread": "¿Qué mancha eligió {seat}? No se pudo leer el dado.",
    "review.die_unsure": "¿De verdad eligió {seat} la {value}?",
    "review.die_of_nobody": "Hay un dado que no se sabe de quién es.",
    "review.die_turned": "{seat} giró el dado de {first} a {second} después de mostrarlo; vale la primera respuesta.",
    "review.no_such_blot": "{seat} eligió la {value}, pero solo hay {n#mancha|manchas}: esa respuesta no cuenta.",
    "review.same_colour": (
        "{others} usan el mismo color, {colour}: solo cuenta el primer dado, y alguien necesita otro color."
    ),
    "review.colour_changed": "{seat} muestra un dado de otro color, {colour}.",
    "note.early_call": "Aviso a {seat}: «{type}» fue antes de que se vieran todas las cartas y no cuenta.",
    "note.early_call.unknown": "Aviso: «{type}» fue antes de que se vieran todas las cartas y no cuenta.",
    "note.late_call": "{seat} dijo «{type}» entre dos rondas: no cambia nada.",
    "note.late_call.unknown": "se dijo «{type}» entre dos rondas: no cambia nada.",
    "note.late_flip": "{seat} mostró su carta tarde.",
    "note.seat_inferred": "Lo que quedaba tiene que ser de {seat}.",
    "note.seat_does_not_matter": "Nadie puede decir quién fue, y da igual.",
    "note.card_does_not_matter": "No se pudieron leer todas las cartas, y da igual.",
    "note.piles_depend": "Los montones dependen de {rounds?la ronda abierta|las rondas abiertas} {rounds}.",
    "note.ghost": "Antes de esta ronda había algo que no se pudo leer.",
    "note.pot_counted": "Se vio que se {n?recogió|recogieron} {n} {n?carta|cartas}: eso era lo que había.",
    "note.uneven_deal": "Las cartas no se repartieron por igual.",
    "note.seat_changed": "{seat} ha pasado a {to}.",
    "note.drew_unasked": "{seat} robó una mano que no le tocaba.",
    "note.blot_removed_unasked": "Se retiró la mancha {blot}, aunque ninguna regla lo pedía.",
    "note.blot_replaced_unasked": "Se cambió la mancha {blot}, aunque ninguna regla lo pedía.",
    "note.no_such_blot": "No hay ninguna mancha {blot} que se pueda quitar.",
    "note.table.moved": "La cámara o la mesa se ha movido.",
    "note.table.unsteady": "La cámara se mueve todo el tiempo: ponla en un soporte. "
    "Hasta entonces las cartas se ven tarde o no se ven.",
    "note.table.dark": "La imagen está oscura.",
    "note.table.glare": "Hay reflejos en la mesa.",
    "note.table.far": "Las cartas están lejos.",
    "note.table.blurred": "La imagen está borrosa.",
    "note.table.covered": "Algo tapa la mesa.",
    "note.table.other": "Aviso sobre la imagen: {code}.",
}
