"""`python -m referee` is the console script `referee`."""

if __name__ == "__main__":  # processes that it starts load this too, and not the command line
    from referee.cli import main

    main()
