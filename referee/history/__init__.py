"""The evenings so far: players, games, who beats whom, ratings, streaks and records, in one SQLite database.

The database can be made anew at any time from the records kept beside it. `library` keeps the records, `store` the
database, `queries` answers, `rating` rates, `transfer` exports and imports, `forget` deletes a person for good.
"""
