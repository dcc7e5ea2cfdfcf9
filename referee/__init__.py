"""A referee for real tables: it hears the calls, reads the cards and rules."""

__version__ = "0.1.0"
