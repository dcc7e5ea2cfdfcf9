"""The tournament of simulated games: a small one here, the whole one by `referee bench rules`."""

from referee.bench.rules import RULE_SETS, run


def test_simulated_games_of_every_rule_set_end_and_conserve_cards():
    result = run(count=3 * len(RULE_SETS), seed=5)
    assert result.cases == 3 * len(RULE_SETS)
    assert (result.figures["unfinished"], result.figures["cards_made_or_lost"]) == (0, 0)
    assert result.figures["rulings"] > 700
    assert len(result.table) == len(RULE_SETS) + 1


def test_the_same_seed_plays_the_same_games():
    one, other = (run(count=len(RULE_SETS), seed=7) for _ in range(2))
    assert [row[:7] for row in one.table] == [row[:7] for row in other.table]
