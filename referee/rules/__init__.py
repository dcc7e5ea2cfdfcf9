"""The rules of each game, as pure functions over typed facts: no pixels, no samples, no clock, no state."""
