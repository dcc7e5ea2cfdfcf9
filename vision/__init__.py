"""The eye: a recording's frames become typed events of cards on a table. It knows no rules and no sound."""
