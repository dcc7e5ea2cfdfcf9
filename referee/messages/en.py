"""English sentences. Codes and values are explained in `docs/rules.md`; templates in `referee.messages`."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "rock": "rock",
    "paper": "paper",
    "scissors": "scissors",
    "seat north": "north",
    "seat east": "east",
    "seat south": "south",
    "seat west": "west",
    "and": "and",
    "nobody": "nobody",
    "yes": "yes",
    "no": "no",
    "rule": "rule",
    "house rule": "house rule",
    "decimal": ".",
}

SENTENCES: dict[str, str] = {
    "call.correct": "{seat} was first to call {type}, which was due, and takes {n#card|cards}.",
    "call.correct.unknown": "{type} was called first and was due, but nobody can tell by whom.",
    "call.wrong.2": "{seat} called {type}, but {due} was due: {others} takes {n#card|cards}.",
    "call.wrong.n": "{seat} called {type}, but {due} was due: that card stays, the others take back their own.",
    "call.wrong.unknown": "{type} was called, but {due} was due; nobody can tell by whom.",
    "call.wrong_whatever.2": "{seat} called {type}, which is wrong whatever the unread card is: "
    "{others} takes {n#card|cards}.",
    "call.wrong_whatever.n": "{seat} called {type}, which is wrong whatever the unread card is: that card stays, "
    "the others take back their own.",
    "call.in_silence.2": "{seat} called {type}, but silence was due: {others} takes {n#card|cards}.",
    "call.in_silence.n": "{seat} called {type}, but silence was due: that card stays, the others take back their own.",
    "call.in_silence.unknown": "{type} was called, but silence was due; nobody can tell by whom.",
    "call.early.2": "{seat} called {type} before all cards could be seen: {others} takes {n#card|cards}.",
    "call.early.n": "{seat} called {type} before all cards could be seen: "
    "that card stays, the others take back their own.",
    "call.early.unknown": "{type} was called before all cards could be seen; nobody can tell by whom.",
    "call.tie.2": "{tied} called {due} at the same time: all {pot#card stays|cards stay}.",
    "call.tie.n": "{tied} called {due} at the same time: each takes back their own card, {pot#card stays|cards stay}.",
    "call.tie.unknown": "{type} was called by two at the same time, but nobody can tell by whom.",
    "call.contested.2": "{wrong} called wrongly and {right} rightly at the same time: "
    "{others} would take {n#card|cards}.",
    "call.contested.n": "{wrong} called wrongly and {right} rightly at the same time: nobody wins, "
    "all but the wrong caller would take back their own card.",
    "call.contested.wrong.2": "{wrong} both called wrongly at the same time: {pot#card would stay|cards would stay}.",
    "call.contested.wrong.n": "{wrong} called wrongly at the same time: "
    "their cards would stay, the others take back their own.",
    "touch.correct": "{seat} was first to touch {type}, which was due, and takes {n#card|cards}.",
    "touch.correct.unknown": "{type} was touched first and was due, but nobody can tell by whom.",
    "touch.wrong.2": "{seat} touched {type}, but {due} was due: {others} takes {n#card|cards}.",
    "touch.wrong.n": "{seat} touched {type}, but {due} was due: "
    "that player's card stays, the others take back their own.",
    "touch.wrong.unknown": "{type} was touched, but {due} was due; nobody can tell by whom.",
    "touch.wrong_whatever.2": "{seat} touched {type}, which is wrong whatever the unread card is: "
    "{others} takes {n#card|cards}.",
    "touch.wrong_whatever.n": "{seat} touched {type}, which is wrong whatever the unread card is: "
    "that player's card stays, the others take back their own.",
    "touch.in_silence.2": "{seat} touched {type}, but nothing was to be touched: {others} takes {n#card|cards}.",
    "touch.in_silence.n": "{seat} touched {type}, but nothing was to be touched: that player's card stays, "
    "the others take back their own.",
    "touch.in_silence.unknown": "{type} was touched, but nothing was to be touched; nobody can tell by whom.",
    "touch.tie.2": "{tied} touched {due} at the same time: all {pot#card stays|cards stay}.",
    "touch.tie.n": "{tied} touched {due} at the same time: "
    "each takes back their own card, {pot#card stays|cards stay}.",
    "touch.tie.unknown": "{type} was touched by two at the same time, but nobody can tell by whom.",
    "touch.contested.2": "{wrong} touched wrongly and {right} rightly at the same time: "
    "{others} would take {n#card|cards}.",
    "touch.contested.n": "{wrong} touched wrongly and {right} rightly at the same time: nobody wins, "
    "all but the wrong one would take back their own card.",
    "touch.contested.wrong.2": "{wrong} both touched wrongly at the same time: {pot#card would stay|cards would stay}.",
    "touch.contested.wrong.n": "{wrong} touched wrongly at the same time: their cards would stay, "
    "the others take back their own.",
    "silence.kept": "Nobody called, rightly: {pot#card stays|cards stay}.",
    "silence.missed": "Nobody called, though {due} was due: {pot#card stays|cards stay}.",
    "silence.missed.own": "Nobody called, though {due} was due: each takes back their own card.",
    "silence.unread": "Nobody called, and not every card could be read: {pot#card stays|cards stay}.",
    "open.cards": "Not every card could be read, so people must say what was due.",
    "open.order": "Who was first cannot be told, so people must say.",
    "review.who_called": "Who called {type}?",
    "review.who_tied": "Who called {type} first?",
    "review.same_voice": "Was that one player calling twice, or two players at once?",
    "review.contested": "A wrong call came at the same time: who was first?",
    "review.too_close": "Too close to call: {gap} ms apart, measured to {error} ms. Was it a tie?",
    "review.call_unsure": "Was “{type}” really called?",
    "review.touch_unsure": "Did the finger really touch {type}?",
    "review.two_voices": "Two voices overlap in “{type}”: is word and order right?",
    "review.early_or_not": "Was {type} called before or after the last card could be seen?",
    "review.maybe_call": "Was there a call of {type} at {time} s?",
    "review.card_missing": "Which card did {seat} show? None was seen.",
    "review.card_unread": "Which card did {seat} show? It could not be read.",
    "review.card_unsure": "Is the card of {seat} really {type}?",
    "review.seats_of_cards": "Whose card is whose?",
    "review.not_playing": "A card lay at {seat}, where nobody plays: whose is it?",
    "review.extra_card": "There is a card too many in the centre.",
    "review.double_flip": "{seat} turned two cards; the first one counts.",
    "review.taken_back": "{seat} took the card back before the round was complete.",
    "review.moved_early": "Cards were moved before the round was decided.",
    "review.beyond_deal": "{seat} shows more cards than were dealt.",
    "review.cut_short": "The round was cut short: would somebody still have called?",
    "review.pot_depends": "How many cards were taken depends on the open {rounds?round|rounds} {rounds}.",
    "review.table_says": "Nobody could tell who called; {others} took the cards. Is that right?",
    "review.collected_by_other": "{others} took cards that the ruling did not give.",
    "note.early_call": "Warning to {seat}: {type} was called before all cards could be seen and does not count.",
    "note.early_call.unknown": "Warning: {type} was called before all cards could be seen and does not count.",
    "note.late_flip": "{seat} showed their card late.",
    "note.seat_inferred": "The only card left must be that of {seat}.",
    "note.seat_does_not_matter": "Nobody can tell who called, and it does not matter.",
    "note.card_does_not_matter": "Not every card could be read, and it does not matter.",
    "note.piles_depend": "The piles depend on the open {rounds?round|rounds} {rounds}.",
    "note.table.moved": "The camera or the table moved.",
    "note.table.dark": "The picture is dark.",
    "note.table.glare": "Glare lies on the table.",
    "note.table.far": "The cards are far away.",
    "note.table.blurred": "The picture is blurred.",
    "note.table.covered": "Something covers the table.",
}
