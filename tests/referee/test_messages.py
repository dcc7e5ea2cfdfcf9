"""Sentences: the same catalogue in every language, right plurals, nothing forgotten."""

import re

import pytest
from helpers_rules import P, R, Table

from audio.own import PERHAPS_STRAY
from referee.errors import UsageError
from referee.events import NOT_UNDERSTOOD, SAME_SOUND, UNSURE
from referee.live.judging import MASKED
from referee.messages import CATALOGUES, LANGUAGES, Message, check_language, say, sentence, why
from referee.messages.labels import LABELS, label
from referee.messages.meanings import MEANINGS, meaning
from referee.messages.reasons import REASONS, reason
from referee.options import OPTIONS

FIELD = re.compile(r"\{(\w+)[^{}]*\}")
CODES = sorted(CATALOGUES["en"].SENTENCES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sentences_and_words(language):
    assert set(CATALOGUES[language].SENTENCES) == set(CODES)
    assert set(CATALOGUES[language].WORDS) == set(CATALOGUES["en"].WORDS)


@pytest.mark.parametrize("language", [lang for lang in LANGUAGES if lang != "en"])
@pytest.mark.parametrize("code", CODES)
def test_a_translation_says_the_same_things(language, code):
    english = CATALOGUES["en"].SENTENCES[code]
    other = CATALOGUES[language].SENTENCES[code]
    assert other != english
    assert set(FIELD.findall(other)) <= set(FIELD.findall(english)) | {"n", "seat"}
    assert set(FIELD.findall(english)) - set(FIELD.findall(other)) <= {"others", "type"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_sentence_is_one_sentence(language, code):
    template = CATALOGUES[language].SENTENCES[code]
    names = set(re.findall(r"\{(\w+)", template))
    values = dict.fromkeys(names, 2) | dict.fromkeys(names & {"others", "tied", "wrong", "right"}, ("north", "south"))
    said = sentence(Message(code, values), language)
    assert said[-1] in ".?"
    assert not re.search(r"[{}|#]|\s\s|\s[.,:?]", said)
    assert said[0] in "¿„«" or said[0].isupper() or said[0].isdigit()


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "Nobody called, rightly: 1 card stays.", "Nobody called, rightly: 2 cards stay."),
        ("de", "Zu Recht hat niemand gerufen: 1 Karte bleibt liegen.", None),
        ("es", "Nadie dijo nada, como debía ser: 1 carta se queda en la mesa.", None),
    ],
)
def test_plural_forms_are_right(language, one, two):
    assert sentence(Message("silence.kept", {"pot": 1}), language) == one
    several = sentence(Message("silence.kept", {"pot": 2}), language)
    assert several == two or any(word in several for word in ("2 Karten bleiben", "2 cartas se quedan"))


def test_who_is_several_gets_a_plural_verb():
    single = Message("review.collected_by_other", {"others": ("north",)})
    several = Message("review.collected_by_other", {"others": ("north", "east", "south")})
    assert sentence(single, "de") == "Nord nahm Karten, die der Entscheid nicht zusprach. Stimmt er so?"
    assert sentence(several, "de") == "Nord, Ost und Süd nahmen Karten, die der Entscheid nicht zusprach. Stimmt er so?"
    assert sentence(single, "es") == "Norte recogió cartas que la decisión no daba. ¿Es correcta?"
    assert sentence(several, "es") == "Norte, Este y Sur recogieron cartas que la decisión no daba. ¿Es correcta?"


@pytest.mark.parametrize(
    ("value", "language", "said"),
    [
        (R, "de", "Stein"),
        (P, "es", "papel"),
        ("north", "es", "Norte"),
        ("anna", "de", "anna"),
        (None, "de", "niemand"),
        (True, "es", "sí"),
        (False, "de", "nein"),
        (2.5, "de", "2,5"),
        (2.0, "en", "2"),
        ((), "en", "nobody"),
        (("north",), "en", "north"),
        ((1, 2, 3), "es", "1, 2 y 3"),
        (("Ana", "Inés"), "es", "Ana e Inés"),
        (("Ana", "Hierro"), "es", "Ana y Hierro"),
        (("Ana", "Inge"), "de", "Ana und Inge"),
    ],
)
def test_values_are_said_in_the_language(value, language, said):
    assert say(value, language) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            (
                "North called paper, but rock was the winning type: south takes 4 cards "
                "(rule rock.2p.call.wrong, house rule two_player_penalty_takes_pot = yes)."
            ),
        ),
        (
            "de",
            (
                "Nord rief „Papier“, aber die Gewinnerkarte war „Stein“: Süd nimmt 4 Karten "
                "(Regel rock.2p.call.wrong, Hausregel two_player_penalty_takes_pot = ja)."
            ),
        ),
        (
            "es",
            (
                "Norte dijo «papel», pero la carta ganadora era «piedra»: Sur se lleva 4 cartas "
                "(regla rock.2p.call.wrong, regla de la casa two_player_penalty_takes_pot = sí)."
            ),
        ),
    ],
)
def test_a_ruling_explains_itself_with_rule_and_house_rule(language, said):
    table = Table(language=language).cards("PP").cards("RS").call("north", "P")
    assert table.judge()[-1].why == said


def test_an_option_with_a_number_is_said_as_people_write_it():
    text = why(Message("open.order"), "rock.2p.tie", {"tie_window_ms": 12.5}, "de")
    assert text.endswith("(Regel rock.2p.tie, Hausregel tie_window_ms = 12,5).")


def test_an_unknown_language_is_refused():
    assert check_language("de") == "de"
    with pytest.raises(UsageError, match="the languages are en, de, es"):
        check_language("fr")


@pytest.mark.parametrize("key", LABELS)
def test_every_label_is_there_in_every_language_with_the_same_values(key):
    told = LABELS[key]
    assert len(told) == len(LANGUAGES)
    assert all(told)
    assert len({frozenset(FIELD.findall(text)) for text in told}) == 1
    assert all(text[:1].isspace() == told[0][:1].isspace() for text in told)


def test_labels_count_and_name_seats_in_the_language():
    assert label("rounds.count", "de", n=1) == "1 Runde"
    assert label("rounds.count", "es", n=3) == "3 rondas"
    assert label("wins.round", "de", who="south") == "Süd gewinnt die Runde"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_house_rule_has_a_meaning_in_every_language(language):
    said = {option.name: meaning(option, language) for option in OPTIONS}
    assert all(said.values())
    assert set(MEANINGS) == set(said)
    assert language == "en" or not set(said.values()) & {option.meaning for option in OPTIONS}


def test_reasons_are_said_in_the_language_and_unknown_ones_as_they_stand():
    assert reason("after the deciding call", "de") == "nach dem entscheidenden Ruf"
    assert reason("after the deciding call", "en") == "after the deciding call"
    assert reason("the cat sat on it", "es") == "the cat sat on it"
    known = {UNSURE, SAME_SOUND, NOT_UNDERSTOOD, PERHAPS_STRAY, MASKED, "decides", "tied", "read otherwise"}
    assert known <= set(REASONS)
