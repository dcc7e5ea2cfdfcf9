"""The catalogue of the live pages: complete, and without words that a microphone could take for a call."""

import re
import string

import pytest

from models.lexicon import load_all
from referee.live import pagefiles
from referee.live.orders import ALLOWED
from referee.live.words import WORDS
from referee.messages import LANGUAGES

FILES = {name: body.decode() for name, (body, _) in pagefiles.load().items()}


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", WORDS)
def test_each_sentence_is_there_in_every_language_with_the_same_values(key):
    told = WORDS[key]
    assert len(told) == len(LANGUAGES)
    assert all(told)
    assert len({frozenset(fields(text)) for text in told}) == 1 or key == "spoken.won"


def used():
    for name, text in FILES.items():
        for key in re.findall(r'data-(?:word|label)="([^"]+)"', text) + re.findall(r'word\("([\w.]+)"', text):
            yield name, key


def test_pages_use_no_sentence_that_is_not_in_the_catalogue():
    missing = {(name, key) for name, key in used() if key not in WORDS}
    assert missing == set()


def test_every_order_can_be_tapped_and_every_refusal_said():
    assert {key.removeprefix("order.") for key in WORDS if key.startswith("order.")} >= ALLOWED["scorer"] - {
        "answer",
        "spoke",
    }
    assert {"refused.role", "refused.now", "refused.nothing", "refused.no_ruling"} <= set(WORDS)


def test_what_the_referee_says_aloud_names_no_type():
    calls = {w.lower() for word in load_all(LANGUAGES) if word.type for w in word.spellings}
    assert {"rock", "papier", "tijera"} <= calls
    for key, told in WORDS.items():
        if key.startswith("spoken."):
            said = {w for text in told for w in re.findall(r"\w+", text.lower())}
            assert not said & calls, key


def test_pages_hold_no_text_of_their_own():
    for name, text in FILES.items():
        if name.endswith(".html"):
            body = re.sub(r"<(script|style|title|code)[^>]*>.*?</\1>", "", text, flags=re.DOTALL)
            shown = {t.strip() for t in re.findall(r">([^<]+)<", body) if t.strip()}
            assert shown <= {"Referee", "iPhone, iPad", "Android"}, name
