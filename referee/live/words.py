"""Every sentence of the live pages, in English, German and Spanish (the order of `referee.messages.LANGUAGES`)."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str, str]] = {
    "language": ("Language", "Sprache", "Idioma"),
    "nobody": ("nobody", "niemand", "nadie"),
    "everybody": ("everybody", "alle", "todos"),
    "silence": ("silence", "Stille", "silencio"),
    "seat.north": ("North", "Nord", "Norte"),
    "seat.east": ("East", "Ost", "Este"),
    "seat.south": ("South", "Süd", "Sur"),
    "seat.west": ("West", "West", "Oeste"),
    "type.rock": ("rock", "Stein", "piedra"),
    "type.paper": ("paper", "Papier", "papel"),
    "type.scissors": ("scissors", "Schere", "tijera"),
    "privacy": (
        "Picture and sound go to the computer of this table and stay there: nothing is sent to the internet.",
        "Bild und Ton gehen an den Computer dieses Tisches und bleiben dort: nichts geht ins Internet.",
        "La imagen y el sonido van al ordenador de esta mesa y se quedan allí: nada va a internet.",
    ),
    # the entrance
    "enter.wait": ("One moment …", "Einen Moment …", "Un momento …"),
    "enter.none": (
        "Scan the QR code of your table, or type its key.",
        "Scanne den QR-Code des Tisches oder gib seinen Schlüssel ein.",
        "Escanea el código QR de tu mesa o escribe su clave.",
    ),
    "enter.wrong": (
        "This key opens nothing here. Perhaps it was replaced: scan the code again.",
        "Dieser Schlüssel öffnet hier nichts. Vielleicht wurde er ersetzt: scanne den Code noch einmal.",
        "Esta clave no abre nada aquí. Quizá fue cambiada: escanea el código otra vez.",
    ),
    "enter.slow": (
        "Too many attempts. Wait a minute.",
        "Zu viele Versuche. Warte eine Minute.",
        "Demasiados intentos. Espera un minuto.",
    ),
    "enter.unreachable": (
        "The table's computer does not answer. Are you in the same network?",
        "Der Computer des Tisches antwortet nicht. Bist du im selben Netz?",
        "El ordenador de la mesa no responde. ¿Estás en la misma red?",
    ),
    "enter.label": ("Key", "Schlüssel", "Clave"),
    "enter.go": ("Go", "Los", "Entrar"),
    # the camera
    "camera.title": ("The eye above the table", "Das Auge über dem Tisch", "El ojo sobre la mesa"),
    "camera.start": ("Start the game", "Spiel beginnen", "Empezar la partida"),
    "camera.how": (
        "Put the phone above the table so that it sees all cards, and start while the table is empty.",
        "Halte das Telefon fest über dem Tisch, so dass es alle Karten sieht, und beginne mit leerem Tisch.",
        "Coloca el teléfono sobre la mesa de modo que vea todas las cartas y empieza con la mesa vacía.",
    ),
    "camera.level": ("Loudness", "Lautstärke", "Volumen"),
    "camera.denied": (
        "Camera and microphone were refused. Allow both for this page in the browser's settings and start again.",
        "Kamera und Mikrofon wurden verweigert. Erlaube beides für diese Seite in den Einstellungen des Browsers.",
        "Se denegaron la cámara y el micrófono. Permite ambos para esta página en los ajustes del navegador.",
    ),
    "camera.none": (
        "This device has no camera or no microphone.",
        "Dieses Gerät hat keine Kamera oder kein Mikrofon.",
        "Este dispositivo no tiene cámara o micrófono.",
    ),
    "camera.busy": (
        "Another program uses the camera or the microphone. Close it and start again.",
        "Ein anderes Programm benutzt Kamera oder Mikrofon. Schließe es und beginne neu.",
        "Otro programa usa la cámara o el micrófono. Ciérralo y empieza de nuevo.",
    ),
    "camera.failed": ("It did not work: {why}", "Es ging nicht: {why}", "No funcionó: {why}"),
    "camera.insecure": (
        "This page needs HTTPS to use the camera.",
        "Diese Seite braucht HTTPS, um die Kamera zu benutzen.",
        "Esta página necesita HTTPS para usar la cámara.",
    ),
    "camera.old": (
        "This browser is too old to stream: Safari 16.4 (sound and picture), Chrome 94 or later is needed.",
        "Dieser Browser ist zu alt: nötig ist Safari ab 16.4 oder Chrome ab 94.",
        "Este navegador es demasiado antiguo: hace falta Safari 16.4 o Chrome 94 o posterior.",
    ),
    "camera.connected": ("Connected", "Verbunden", "Conectado"),
    "camera.lost": (
        "Connection lost; {count} MB wait and will be sent",
        "Verbindung verloren; {count} MB warten und werden gesendet",
        "Conexión perdida; {count} MB esperan y se enviarán",
    ),
    "camera.taken": (
        "Another phone already films this table. End its game first.",
        "Ein anderes Telefon filmt diesen Tisch schon. Beende erst dessen Spiel.",
        "Otro teléfono ya graba esta mesa. Termina antes su partida.",
    ),
    "camera.raw": ("Sound is unaltered", "Der Ton ist unverändert", "El sonido está sin alterar"),
    "camera.altered": (
        "This browser alters the sound ({what}): a second voice may be lost, so this game is not ranked",
        (
            "Dieser Browser verändert den Ton ({what}): eine zweite Stimme kann verloren gehen, das Spiel "
            "wird nicht gewertet"
        ),
        "Este navegador altera el sonido ({what}): puede perderse una segunda voz, la partida no es clasificatoria",
    ),
    "camera.unranked": (
        (
            "Not in a ranked game: this browser keeps {what} on, and a second voice may be lost. Use another "
            "browser, or play without ranking."
        ),
        (
            "Nicht in einem gewerteten Spiel: dieser Browser lässt {what} an, eine zweite Stimme kann verloren "
            "gehen. Nimm einen anderen Browser, oder spielt ohne Wertung."
        ),
        (
            "No en una partida clasificatoria: este navegador deja {what}, y puede perderse una segunda voz. Usa "
            "otro navegador o jugad sin clasificación."
        ),
    ),
    "camera.friendly": ("Play without ranking", "Ohne Wertung spielen", "Jugar sin clasificación"),
    "player.unranked": (
        (
            "Not in a ranked game: this browser keeps {what} on, and a second voice may be lost. The table's "
            "microphone listens instead; or use another browser."
        ),
        (
            "Nicht in einem gewerteten Spiel: dieser Browser lässt {what} an, eine zweite Stimme kann verloren "
            "gehen. Das Mikrofon des Tisches hört stattdessen; oder nimm einen anderen Browser."
        ),
        (
            "No en una partida clasificatoria: este navegador deja {what}, y puede perderse una segunda voz. "
            "Escucha el micrófono de la mesa; o usa otro navegador."
        ),
    ),
    "altered.echoCancellation": ("echo cancelling", "Echounterdrückung", "la cancelación de eco"),
    "altered.noiseSuppression": ("noise suppression", "Rauschunterdrückung", "la supresión de ruido"),
    "altered.autoGainControl": ("gain control", "Pegelautomatik", "el control de ganancia"),
    "check.say": (
        "Before the first cards: everybody says the three words once, so that you see who is heard",
        "Vor den ersten Karten: jeder sagt einmal die drei Wörter, dann seht ihr, wer gehört wird",
        "Antes de las primeras cartas: cada uno dice una vez las tres palabras, y veréis a quién se oye",
    ),
    "order.voice": (
        "One microphone: tap a seat, then that player alone says the three words, twice",
        "Ein Mikrofon: Platz antippen, dann sagt diese Person allein die drei Wörter, zweimal",
        "Un solo micrófono: tocad un asiento, y esa persona sola dice las tres palabras, dos veces",
    ),
    "check.known": ("{who}: {count} of 3", "{who}: {count} von 3", "{who}: {count} de 3"),
    "check.heard": ("{who} was heard: {words}", "{who} war zu hören: {words}", "Se ha oído a {who}: {words}"),
    "check.side": ("Voice {number}", "Stimme {number}", "Voz {number}"),
    "check.voice": ("Somebody", "Jemand", "Alguien"),
    "check.unheard": (
        "Not heard in this game yet: {who}",
        "In diesem Spiel noch nicht gehört: {who}",
        "Aún no oído en esta partida: {who}",
    ),
    "camera.mono": (
        "One microphone only: who called can not be told from its sound",
        "Nur ein Mikrofon: wer gerufen hat, ist daraus nicht zu erkennen",
        "Un solo micrófono: no se puede saber quién ha cantado",
    ),
    "camera.turned": (
        "The phone was turned: turn it back",
        "Das Telefon wurde gedreht: drehe es zurück",
        "El teléfono se ha girado: gíralo de nuevo",
    ),
    "camera.slowed": (
        "This computer is slow: {rate} pictures a second instead of 30",
        "Dieser Computer ist langsam: {rate} Bilder je Sekunde statt 30",
        "Este ordenador es lento: {rate} imágenes por segundo en lugar de 30",
    ),
    "camera.behind": (
        "The referee is {seconds} s behind",
        "Der Schiedsrichter hinkt {seconds} s nach",
        "El árbitro va {seconds} s por detrás",
    ),
    "camera.ended": (
        "The game has ended and is kept",
        "Das Spiel ist beendet und aufbewahrt",
        "La partida ha terminado y está guardada",
    ),
    "trouble.nothing": (
        "The game ended before a card was seen",
        "Das Spiel endete, bevor eine Karte zu sehen war",
        "La partida terminó antes de verse una carta",
    ),
    "camera.missing.sound": (
        "No sound arrives any more: the referee waits for it",
        "Es kommt kein Ton mehr an: der Schiedsrichter wartet darauf",
        "Ya no llega sonido: el árbitro lo espera",
    ),
    "camera.missing.picture": (
        "No pictures arrive any more: the referee waits for them",
        "Es kommen keine Bilder mehr an: der Schiedsrichter wartet darauf",
        "Ya no llegan imágenes: el árbitro las espera",
    ),
    "disk.media": (
        "The disk is full: picture and sound are not kept any more; rulings go on",
        "Die Platte ist voll: Bild und Ton werden nicht mehr aufbewahrt; es wird weiter entschieden",
        "El disco está lleno: ya no se guardan imagen y sonido; se sigue arbitrando",
    ),
    "disk.record": (
        "The disk is full: rulings wait in memory until there is room",
        "Die Platte ist voll: Entscheide warten im Speicher, bis Platz ist",
        "El disco está lleno: las decisiones esperan en memoria hasta que haya espacio",
    ),
    "notice.moved": (
        "The camera or the table moved",
        "Kamera oder Tisch haben sich bewegt",
        "La cámara o la mesa se movieron",
    ),
    "notice.dark": ("It is too dark", "Es ist zu dunkel", "Está demasiado oscuro"),
    "notice.glare": ("Glare lies on the table", "Der Tisch spiegelt", "Hay reflejos en la mesa"),
    "notice.far": (
        "The cards are too far away: move closer",
        "Die Karten sind zu weit weg: näher heran",
        "Las cartas están demasiado lejos: acércate",
    ),
    "notice.blurred": ("The picture is blurred", "Das Bild ist unscharf", "La imagen está borrosa"),
    "notice.covered": ("Something covers the table", "Etwas verdeckt den Tisch", "Algo tapa la mesa"),
    # a player's phone
    "player.title": ("Your microphone", "Dein Mikrofon", "Tu micrófono"),
    "player.choose": (
        "Where do you sit, as the camera sees it?",
        "Wo sitzt du, von der Kamera aus?",
        "¿Dónde te sientas, visto desde la cámara?",
    ),
    "player.leave": ("Leave", "Gehen", "Salir"),
    "player.how": (
        "Put the phone on the table in front of you and keep this page open.",
        "Lege das Telefon vor dich auf den Tisch und lass diese Seite offen.",
        "Deja el teléfono en la mesa delante de ti y mantén esta página abierta.",
    ),
    "player.denied": (
        "The microphone was refused. Allow it for this page in the browser's settings.",
        "Das Mikrofon wurde verweigert. Erlaube es für diese Seite in den Einstellungen des Browsers.",
        "Se denegó el micrófono. Permítelo para esta página en los ajustes del navegador.",
    ),
    "player.none": (
        "This device has no microphone.",
        "Dieses Gerät hat kein Mikrofon.",
        "Este dispositivo no tiene micrófono.",
    ),
    "player.taken": (
        "Another phone already sits there. Choose your own seat.",
        "Dort sitzt schon ein anderes Telefon. Wähle deinen eigenen Platz.",
        "Ya hay otro teléfono ahí. Elige tu propio sitio.",
    ),
    "player.lost": (
        "Connection lost; the table goes on without your microphone",
        "Verbindung verloren; der Tisch spielt ohne dein Mikrofon weiter",
        "Conexión perdida; la mesa sigue sin tu micrófono",
    ),
    "player.aligned": (
        "In step with the table (± {error} ms)",
        "Im Takt mit dem Tisch (± {error} ms)",
        "Sincronizado con la mesa (± {error} ms)",
    ),
    "player.aligning": (
        "Listening for the table: talk for a few seconds while the camera runs",
        "Hört auf den Tisch: redet ein paar Sekunden, während die Kamera läuft",
        "Escuchando la mesa: hablad unos segundos mientras la cámara graba",
    ),
    "screen.own": ("Each player has a microphone", "Jeder hat ein eigenes Mikrofon", "Cada jugador tiene micrófono"),
    "screen.noown": (
        "Phone of {who} is missing or not in step: the camera's microphone listens instead",
        "Das Telefon von {who} fehlt oder ist nicht im Takt: das Mikrofon der Kamera hört stattdessen",
        "Falta el teléfono de {who} o no está sincronizado: escucha el micrófono de la cámara",
    ),
    # practice
    "practice.title": ("Practice", "Üben", "Práctica"),
    "practice.start": ("Start", "Los", "Empezar"),
    "practice.stop": ("Stop", "Aufhören", "Parar"),
    "practice.how": (
        (
            "Two cards appear: call the winning type, or keep silent when they are alike. Your screen's "
            "delay is part of the time."
        ),
        (
            "Zwei Karten erscheinen: rufe die Gewinnerkarte, oder schweige, wenn sie gleich sind. Die "
            "Verzögerung des Bildschirms steckt in der Zeit."
        ),
        (
            "Aparecen dos cartas: canta la ganadora, o calla si son iguales. El retraso de la pantalla forma"
            " parte del tiempo."
        ),
    ),
    "practice.right": ("Right!", "Richtig!", "¡Bien!"),
    "practice.wrong": ("Wrong", "Falsch", "Mal"),
    "practice.missed": ("Too late", "Zu spät", "Demasiado tarde"),
    "practice.early": ("Guessed", "Geraten", "Adivinado"),
    "practice.right.more": ("{due} was right", "{due} war richtig", "{due} era lo correcto"),
    "practice.wrong.more": (
        "{called}, but {due} was right",
        "{called}, aber {due} war richtig",
        "{called}, pero lo correcto era {due}",
    ),
    "practice.missed.more": ("{due} was right", "{due} war richtig", "{due} era lo correcto"),
    "practice.early.more": (
        "Faster than 0.1 s: nobody reacts so fast",
        "Schneller als 0,1 s: so schnell reagiert niemand",
        "Más rápido que 0,1 s: nadie reacciona tan rápido",
    ),
    "practice.sum": (
        "{right} of {count} right · median {median} ms · best {best} ms",
        "{right} von {count} richtig · Median {median} ms · Bestzeit {best} ms",
        "{right} de {count} bien · mediana {median} ms · mejor {best} ms",
    ),
    "player.practice": ("Practise alone", "Allein üben", "Practicar a solas"),
    # the screen
    "screen.verdict": ("Ruling", "Entscheid", "Decisión"),
    "screen.cards": ("Cards", "Karten", "Cartas"),
    "screen.piles": ("Piles", "Stapel", "Montones"),
    "screen.pot": ("Centre", "Mitte", "Centro"),
    "screen.draw": ("{count} left to play", "noch {count} zu spielen", "quedan {count}"),
    "screen.unread": ("not read", "nicht gelesen", "no leída"),
    "screen.rounds": ("Rounds", "Runden", "Rondas"),
    "screen.round": ("Round", "Runde", "Ronda"),
    "screen.due": ("Due", "Richtig", "Correcto"),
    "screen.what": ("What happened", "Was geschah", "Qué pasó"),
    "screen.lead": (
        "{lead} ms ahead (± {error})",
        "{lead} ms Vorsprung (± {error})",
        "{lead} ms de ventaja (± {error})",
    ),
    "screen.revised": (
        "Round {round} is ruled anew: {says}",
        "Runde {round} ist neu entschieden: {says}",
        "La ronda {round} se decide de nuevo: {says}",
    ),
    "screen.asked": ("Round {round}: {asks}", "Runde {round}: {asks}", "Ronda {round}: {asks}"),
    "screen.early": ("first impression", "erster Eindruck", "primera impresión"),
    "screen.theme": ("Light / dark", "Hell / dunkel", "Claro / oscuro"),
    "screen.lost": ("No connection to the table", "Keine Verbindung zum Tisch", "Sin conexión con la mesa"),
    "screen.nocamera": (
        "The camera is gone; waiting for it",
        "Die Kamera ist weg; es wird gewartet",
        "La cámara se ha ido; se la espera",
    ),
    "screen.winner": ("{who} wins the game", "{who} gewinnt das Spiel", "{who} gana la partida"),
    "screen.nowinner": ("Nobody wins: play again", "Niemand gewinnt: noch einmal", "Nadie gana: a jugar otra vez"),
    "voice.on": ("Voice: on", "Stimme: an", "Voz: sí"),
    "voice.off": ("Voice: off", "Stimme: aus", "Voz: no"),
    "phase.waiting": ("Waiting for a camera", "Es wird auf eine Kamera gewartet", "Esperando una cámara"),
    "phase.playing": ("Playing", "Es wird gespielt", "En juego"),
    "phase.paused": ("Paused", "Pause", "En pausa"),
    "phase.ended": ("The game has ended", "Das Spiel ist zu Ende", "La partida ha terminado"),
    "waiting.players": ("Play your first cards", "Spielt eure ersten Karten", "Jugad vuestras primeras cartas"),
    "waiting.reveal": ("Next cards", "Nächste Karten", "Siguientes cartas"),
    "waiting.call": ("Call!", "Ruft!", "¡Cantad!"),
    "waiting.touch": ("Touch!", "Berührt!", "¡Tocad!"),
    "waiting.ruling": ("…", "…", "…"),
    "waiting.collect": ("{who}: take the cards", "{who}: nimm die Karten", "{who}: recoge las cartas"),
    "waiting.reshuffle": ("All cards are played", "Alle Karten sind gespielt", "Se han jugado todas las cartas"),
    "waiting.draw": ("{who}: draw", "{who}: ziehen", "{who}: robar"),
    "waiting.deal": ("Deal", "Gebt aus", "Repartid"),
    "waiting.end": ("The game is over", "Das Spiel ist aus", "La partida ha terminado"),
    "headline.won": ("Won", "Gewonnen", "Ganada"),
    "headline.penalty": ("{who}: wrong!", "{who}: falsch!", "{who}: ¡mal!"),
    "headline.tie": ("Tie", "Gleichzeitig", "Empate"),
    "headline.stays": ("Cards stay", "Karten bleiben", "Las cartas se quedan"),
    "headline.contested": ("Look again", "Noch einmal ansehen", "Hay que revisar"),
    "headline.open": ("You decide", "Ihr entscheidet", "Decidid vosotros"),
    "headline.review": ("Please check", "Bitte prüfen", "Comprobad, por favor"),
    "headline.withdrawn": ("Withdrawn", "Zurückgenommen", "Retirada"),
    # what the referee says aloud: no word that names a type
    "spoken.won": ("{who}, {count}.", "{who}, {count}.", "{who}, {count}."),
    "spoken.penalty": ("{first} was wrong.", "{first} lag falsch.", "{first}, incorrecto."),
    "spoken.tie": ("A tie.", "Gleichzeitig.", "Empate."),
    "spoken.stays": ("Cards stay.", "Karten bleiben.", "Las cartas se quedan."),
    "spoken.review": (
        "I cannot tell. Please check.",
        "Das kann ich nicht sagen. Bitte prüfen.",
        "No puedo decirlo. Comprobad.",
    ),
    "spoken.taken": ("{asked}", "{asked}", "{asked}"),
    "spoken.table": (
        "Ruled as the cards were taken: {who}. Is that right?",
        "Gewertet, wie die Karten genommen wurden: {who}. Stimmt das?",
        "Decidido según quién recogió las cartas: {who}. ¿Es correcto?",
    ),
    # all tables
    "overview.title": ("All tables", "Alle Tische", "Todas las mesas"),
    "overview.tables": ("Tables", "Tische", "Mesas"),
    "overview.round": ("Round {round}", "Runde {round}", "Ronda {round}"),
    "overview.none": (
        "The tournament has not begun",
        "Das Turnier hat noch nicht begonnen",
        "El torneo no ha empezado",
    ),
    "overview.start": ("Start the next round", "Nächste Runde beginnen", "Empezar la siguiente ronda"),
    "overview.bye": ("{who} has a bye", "{who} hat spielfrei", "{who} descansa"),
    "overview.wait": ("waits for a table", "wartet auf einen Tisch", "espera una mesa"),
    "overview.draw": ("Draw", "Unentschieden", "Empate"),
    "overview.amend": ("Amend", "Ändern", "Cambiar"),
    "overview.place.of": ("Place {place}:", "Platz {place}:", "Puesto {place}:"),
    "overview.open.review": (
        "Rounds of this game wait to be checked: say the result",
        "Runden dieses Spiels warten auf Prüfung: sag das Ergebnis",
        "Hay rondas de esta partida por comprobar: di el resultado",
    ),
    "overview.open.unfinished": (
        "The game was not played to its end: say the result",
        "Das Spiel wurde nicht zu Ende gespielt: sag das Ergebnis",
        "La partida no se jugó hasta el final: di el resultado",
    ),
    "overview.open.seats": (
        "The players sat elsewhere than they should: say the result",
        "Die Spieler saßen anders als vorgesehen: sag das Ergebnis",
        "Los jugadores se sentaron en otros sitios: di el resultado",
    ),
    "overview.standings": ("Standings", "Tabelle", "Clasificación"),
    "overview.place": ("Place", "Platz", "Puesto"),
    "overview.name": ("Player", "Spieler", "Jugador"),
    "overview.points": ("Points", "Punkte", "Puntos"),
    "overview.opposition": ("Opponents' points", "Punkte der Gegner", "Puntos de rivales"),
    "overview.games": ("Games", "Spiele", "Partidas"),
    "overview.checks": ("Rounds to check: {count}", "Zu prüfende Runden: {count}", "Rondas por comprobar: {count}"),
    "refused.round_open": (
        "The round is not over: a result is missing.",
        "Die Runde ist nicht vorbei: ein Ergebnis fehlt.",
        "La ronda no ha terminado: falta un resultado.",
    ),
    # orders
    "order.challenge": ("Challenge", "Einspruch", "Reclamar"),
    "order.undo": ("Undo", "Zurücknehmen", "Deshacer"),
    "order.pause": ("Pause", "Pause", "Pausa"),
    "order.go_on": ("Go on", "Weiter", "Continuar"),
    "order.new_game": ("New game", "Neues Spiel", "Nueva partida"),
    "order.end": ("End the game", "Spiel beenden", "Terminar la partida"),
    "order.forget": ("Forget the voices", "Stimmen vergessen", "Olvidar las voces"),
    "order.close": ("The ruling stands", "Der Entscheid gilt", "La decisión se mantiene"),
    "refused.role": (
        "This screen may not do that.",
        "Dieser Bildschirm darf das nicht.",
        "Esta pantalla no puede hacer eso.",
    ),
    "refused.now": ("That is not possible now.", "Das geht jetzt nicht.", "Eso no es posible ahora."),
    "refused.nothing": (
        "There is nothing to take back.",
        "Es gibt nichts zurückzunehmen.",
        "No hay nada que deshacer.",
    ),
    "refused.no_ruling": (
        "Nothing was ruled yet.",
        "Es wurde noch nichts entschieden.",
        "Aún no se ha decidido nada.",
    ),
    "finish.title": (
        "Photo finish of round {round}",
        "Zielfoto der Runde {round}",
        "Foto de llegada de la ronda {round}",
    ),
    "finish.sure": ("{percent} % sure", "{percent} % sicher", "{percent} % seguro"),
    "finish.at": (
        "at {time} s, error {error} ms",
        "bei {time} s, Fehler {error} ms",
        "a los {time} s, error {error} ms",
    ),
    "choice.caller": ("{who} called {what}", "{who} hat {what} gerufen", "{who} cantó {what}"),
    "choice.not_a_call": ("That was no call ({what})", "Das war kein Ruf ({what})", "Eso no fue un canto ({what})"),
    "choice.caller.was": (
        "{who}, not {was}, called {what}",
        "{who}, nicht {was}, hat {what} gerufen",
        "{who}, y no {was}, cantó {what}",
    ),
    "choice.not_a_call.was": (
        "What {was} said was no call ({what})",
        "Was {was} sagte, war kein Ruf ({what})",
        "Lo que dijo {was} no fue un canto ({what})",
    ),
    "choice.call": (
        "{who} called {what}, not heard",
        "{who} hat {what} gerufen, ungehört",
        "{who} cantó {what} y no se oyó",
    ),
    "choice.touch": (
        "{who} touched {what}, not seen",
        "{who} hat {what} berührt, ungesehen",
        "{who} tocó {what} y no se vio",
    ),
    "choice.card": ("{who}'s card was {what}", "Die Karte von {who} war {what}", "La carta de {who} era {what}"),
    "choice.seat": ("That card was {who}'s", "Diese Karte war von {who}", "Esa carta era de {who}"),
    "choice.as_ruled": ("The ruling is right", "Der Entscheid ist richtig", "La decisión es correcta"),
    "choice.void": ("The round does not count", "Die Runde zählt nicht", "La ronda no cuenta"),
    # codes and the first time
    "codes.show": ("QR codes", "QR-Codes", "Códigos QR"),
    "codes.camera": ("Camera above the table", "Kamera über dem Tisch", "Cámara sobre la mesa"),
    "codes.player": ("A player's phone", "Telefon eines Spielers", "Teléfono de un jugador"),
    "codes.screen": ("Another screen", "Weiterer Bildschirm", "Otra pantalla"),
    "codes.first": (
        "First time on this phone: certificate",
        "Erstes Mal auf diesem Telefon: Zertifikat",
        "Primera vez en este teléfono: certificado",
    ),
    "first.title": (
        "The first time on this phone",
        "Das erste Mal auf diesem Telefon",
        "La primera vez en este teléfono",
    ),
    "first.why": (
        (
            "Phones give their camera to secure pages only. The table's computer made its own certificate "
            "for that; install it once."
        ),
        (
            "Telefone geben ihre Kamera nur sicheren Seiten. Der Computer des Tisches hat dafür ein eigenes "
            "Zertifikat gemacht; installiere es einmal."
        ),
        (
            "Los teléfonos solo dan su cámara a páginas seguras. El ordenador de la mesa hizo para ello su "
            "propio certificado; instálalo una vez."
        ),
    ),
    "first.get": ("Get the certificate", "Zertifikat holen", "Obtener el certificado"),
    "first.ios1": (
        "Open this page in Safari, tap the button, and allow the profile to be loaded.",
        "Öffne diese Seite in Safari, tippe auf den Knopf und erlaube das Laden des Profils.",
        "Abre esta página en Safari, toca el botón y permite descargar el perfil.",
    ),
    "first.ios2": (
        "Settings > Profile Downloaded > Install.",
        "Einstellungen > Profil geladen > Installieren.",
        "Ajustes > Perfil descargado > Instalar.",
    ),
    "first.ios3": (
        "Settings > General > About > Certificate Trust Settings: switch “Referee at home” on.",
        "Einstellungen > Allgemein > Info > Zertifikatsvertrauenseinstellungen: „Referee at home“ einschalten.",
        "Ajustes > General > Información > Configuración de confianza de los certificados: activa “Referee at home”.",
    ),
    "first.android1": (
        "Tap the button; the file referee.crt is saved.",
        "Tippe auf den Knopf; die Datei referee.crt wird gespeichert.",
        "Toca el botón; se guarda el archivo referee.crt.",
    ),
    "first.android2": (
        (
            "Settings > Security > More > Encryption and credentials > Install a certificate > CA "
            "certificate: choose referee.crt."
        ),
        (
            "Einstellungen > Sicherheit > Mehr > Verschlüsselung und Anmeldedaten > Zertifikat installieren "
            "> CA-Zertifikat: referee.crt wählen."
        ),
        (
            "Ajustes > Seguridad > Más > Cifrado y credenciales > Instalar un certificado > Certificado de "
            "CA: elige referee.crt."
        ),
    ),
    "first.then": (
        "Then scan the code of the camera or of your seat.",
        "Scanne dann den Code der Kamera oder deines Platzes.",
        "Después escanea el código de la cámara o de tu sitio.",
    ),
    "first.limits": (
        "It can speak for addresses of home networks only, never for a site of the internet.",
        "Es kann nur für Adressen von Heimnetzen sprechen, nie für eine Seite des Internets.",
        "Solo sirve para direcciones de redes domésticas, nunca para un sitio de internet.",
    ),
    "first.print": (
        "Its SHA-256 fingerprint, also shown in the terminal:",
        "Sein SHA-256-Fingerabdruck, er steht auch im Terminal:",
        "Su huella SHA-256, que también aparece en el terminal:",
    ),
    "first.remove": (
        "To remove it: the same settings, “Remove profile” or “Trusted credentials > User”.",
        "Entfernen: dieselben Einstellungen, „Profil entfernen“ oder „Vertrauenswürdige Anmeldedaten > Nutzer“.",
        "Para quitarlo: los mismos ajustes, “Eliminar perfil” o “Credenciales de confianza > Usuario”.",
    ),
}
