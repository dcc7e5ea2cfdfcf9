"""What phones say: the camera above the table, a player's own, and practice; see `words`."""

from __future__ import annotations

PHONES: dict[str, tuple[str, str, str]] = {
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
    "notice.unsteady": (
        "The camera moves all the time: put it on a stand",
        "Die Kamera bewegt sich dauernd: auf ein Stativ stellen",
        "La cámara se mueve todo el tiempo: ponla en un soporte",
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
}
