"""A table now: a phone's or this computer's camera and microphone, judged while people play (docs/live.md)."""
