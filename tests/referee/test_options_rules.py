"""House rules: validated, listed, and tied to the sentence of the sheet that they interpret."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROFILE

from referee.errors import UsageError
from referee.options import BY_NAME, GAMES, OPTIONS, as_dict, options_for, parse_assignments, resolve

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_every_house_rule_describes_itself_and_accepts_its_default(spec):
    assert spec.meaning
    assert spec.type in ("yes/no", "whole number", "number", "word")
    assert spec.values
    assert spec.parse(spec.default) == spec.default
    assert spec.parse(str(spec.default)) == spec.default
    assert set(spec.games) <= set(GAMES)


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_every_house_rule_is_in_the_documentation_with_its_default(spec):
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    plain = spec.default if isinstance(spec.default, str) else f"{spec.default:g}"
    default = ("yes" if spec.default else "no") if isinstance(spec.default, bool) else plain
    row = next(line for line in text.splitlines() if line.startswith(f"| `{spec.name}` |"))
    assert f"| {default} |" in row
    assert spec.sentence in row


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_every_sentence_that_a_house_rule_interprets_is_on_a_sheet(spec):
    sheets = ROOT / ".." / "shared" / "seeds"
    if not sheets.is_dir():
        pytest.skip("the rule sheets are not here")
    texts = [path.read_text(encoding="utf-8") for path in sheets.glob("*.txt")]
    assert any(spec.sentence in text for text in texts)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_lists_its_house_rules_and_takes_their_defaults(game):
    given_options = {spec.name: spec.default for spec in options_for(game)}
    assert as_dict(game, resolve(game, given_options)) == given_options
    json.dumps(given_options)


@pytest.mark.parametrize(
    ("game", "name", "value", "said"),
    [
        ("rock", "luck", 1, "option 'luck' is not known for game rock"),
        ("rock", "speed_rounds", "yes", "is not known for game rock"),
        ("tournament", "early_call", "warn", "is not known for game tournament"),
        ("rock", "early_call", "maybe", "use warn | penalty"),
        ("rock", "two_player_penalty_takes_pot", "perhaps", "use yes | no"),
        ("rock", "two_player_penalty_takes_pot", 1, "use yes | no"),
        ("rock", "tie_window_ms", "soon", "use 0 to 500 ms"),
        ("rock", "tie_window_ms", "-1", "use 0 to 500 ms"),
        ("rock", "tie_window_ms", "nan", "use 0 to 500 ms"),
        ("rock", "tie_window_ms", "1e9999", "use 0 to 500 ms"),
        ("rock", "tie_window_ms", "9" * 5000, "use 0 to 500 ms"),
        ("rock", "tie_window_ms", None, "use 0 to 500 ms"),
        ("rock", "tie_window_ms", True, "use 0 to 500 ms"),
        ("rock", "cards", "60.5", "use 2 to 1000 cards"),
        ("rock", "cards", [60], "use 2 to 1000 cards"),
        ("rorschach", "speed_after", "0", "use 1 to 20 rounds"),
        ("hands", "hand_cards", "49", "multiple of 6"),
        ("chess", "cards", 60, "game 'chess' is not known"),
    ],
)
def test_what_is_not_allowed_is_refused_in_one_line(game, name, value, said):
    with pytest.raises(UsageError) as caught:
        resolve(game, {name: value})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_tie_window_longer_than_the_referee_listens_is_refused():
    with pytest.raises(UsageError, match="must not be longer than settle_s"):
        resolve("rock", {"tie_window_ms": 500, "settle_s": 0.4})


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("ON", True), (" no ", False), ("0", False), (True, True)])
def test_yes_and_no_may_be_typed_in_many_ways(text, value):
    assert resolve("rock", {"two_player_penalty_takes_pot": text}).two_player_penalty_takes_pot is value


def test_assignments_are_read_from_a_command_line():
    assert parse_assignments(["a=1", " b = x=y "]) == {"a": "1", "b": "x=y"}
    for bad, said in ((["a"], "name=value"), (["=1"], "name=value"), (["a=1", "a=2"], "given twice")):
        with pytest.raises(UsageError, match=said):
            parse_assignments(bad)


@PROFILE
@given(st.sampled_from(sorted(BY_NAME)), st.one_of(st.text(max_size=8), st.integers(), st.floats(), st.booleans()))
def test_any_value_is_refused_or_becomes_one_that_is_allowed(name, value):
    spec = BY_NAME[name]
    try:
        parsed = spec.parse(value)
    except UsageError as error:
        assert name in str(error)  # noqa: PT017  (some values are fine)
    else:
        assert type(parsed) is type(spec.default)
        assert spec.parse(parsed) == parsed
