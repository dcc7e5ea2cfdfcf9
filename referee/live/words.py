"""Every sentence of the live pages, in English, German and Spanish (the order of `referee.messages.LANGUAGES`)."""

from __future__ import annotations

from referee.live.words_phones import PHONES
from referee.live.words_screens import SCREENS

WORDS: dict[str, tuple[str, str, str]] = {
    **PHONES,
    **SCREENS,
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
