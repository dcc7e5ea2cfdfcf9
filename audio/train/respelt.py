"""German and Spanish written as a Czech or a Finn would write what they hear: their voices read no other spelling."""

from __future__ import annotations

import re

_CZECH = {
    "de": (
        ("tsch", "č"), ("sch", "š"), (r"\bst", "št"), (r"\bsp", "šp"), ("chs", "ks"), ("ck", "k"),
        (r"e(?=[bdfgklmnprstvwz][ae]\b)", "é"), (r"a(?=[bdfgklmnprstvwz][ae]\b)", "á"),
        (r"o(?=[bdfgklmnprstvwz][ae]\b)", "ó"),
        ("ei|ai", "aj"), ("eu|äu", "oj"), ("ie|ih", "í"), ("ah|aa", "á"), ("eh|ee|äh", "é"), ("oh|oo", "ó"),
        ("uh|üh", "ú"), ("ö", "e"), ("ü", "y"), ("ä", "e"), ("ß", "s"), ("z", "c"), ("v", "f"), ("w", "v"),
        ("qu", "kv"), (r"\bs(?=[aeiouáéíóú])", "z"), (r"er\b", "r"), ("pier", "pír"), ("ll", "l"), ("nn", "n"),
        ("ss", "s"), ("tt", "t"),
    ),
    "es": (
        ("ch", "č"), ("ñ", "ň"), ("j|g(?=[eiéí])", "x"), ("ll|y(?=[aeiouáéíóú])", "j"), ("h", ""), ("x", "ch"),
        ("qu", "k"), ("gu(?=[eiéí])", "g"), ("c(?=[eiéí])|z", "s"), ("(?<!č)c(?!h)", "k"), ("v", "b"), ("rr", "r"),
        ("ie", "je"), ("ia", "ja"), ("ue", "ue"), ("(?<=[dtn])i", "y"), ("(?<=[dtn])í", "ý"),
    ),
}  # fmt: skip
"""Pattern and what it becomes, in this order."""
_FINNISH = str.maketrans({
    "š": "s", "č": "ts", "ň": "nj", "á": "aa", "é": "ee", "í": "ii", "ó": "oo", "ú": "uu", "ý": "ii", "c": "ts",
    "x": "h", "z": "s", "b": "p", "w": "v",
})  # fmt: skip


def czech(text: str, language: str) -> str:
    """As a Czech writes it."""
    said = text.lower()
    for pattern, written in _CZECH[language]:
        said = re.sub(pattern, written, said)
    return re.sub(r"[^a-záéíóúýčďěňřšťžů ,.!?]", "", said)


def finnish(text: str, language: str) -> str:
    """As a Finn writes it."""
    return czech(text, language).replace("ch", "h").translate(_FINNISH)
