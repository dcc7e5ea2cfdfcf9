"""The ear: a recording's samples become calls with their onset, its error and their seat. It knows no rules and no picture."""
