"""`python -m referee` is the console script `referee`."""

from referee.cli import main

main()
