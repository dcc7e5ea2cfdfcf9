"""The flow of each game: events in time order become rounds, rounds become rulings. The rules are in `rules`."""
