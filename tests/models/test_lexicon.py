"""Lexicons are data that users may edit: every mistake is named with its line."""

import pytest

from models import lexicon
from referee.errors import UsageError
from referee.events import Type


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_every_language_names_all_three_types_and_has_decoys(language):
    words = lexicon.load(language)
    assert {word.type for word in words} == {*Type, None}
    assert len({word.symbol for word in words}) == len(words)


def test_order_of_languages_does_not_matter():
    assert lexicon.load_all(["de", "en"]) == lexicon.load_all(["en", "de"])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("rock\trock\trock", "expected type, word, spelling and pronunciations"),
        ("lizard\tlizard\tlizard\tL I", "'lizard' is no type"),
        ("rock\trock\trock\tL A Q", "'Q' is no phone"),
        ("rock\trock\trock\tL A | ", "a pronunciation is empty"),
    ],
)
def test_a_bad_line_is_named(line, complaint):
    with pytest.raises(UsageError, match=r"mine\.tsv, line 2") as error:
        lexicon.parse(f"# mine\n{line}\n", "en", "mine.tsv")
    assert complaint in str(error.value)


@pytest.mark.parametrize("languages", [[], ["fr"], ["en", "xx"]])
def test_a_language_without_a_lexicon_is_refused(languages):
    with pytest.raises(UsageError, match="choose from en, de, es, ko"):
        lexicon.load_all(languages)
