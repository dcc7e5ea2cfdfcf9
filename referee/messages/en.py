"""English sentences; how a template is read stands in `referee.messages`."""

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
    "and before i": "and",
    "nobody": "nobody",
    "silence": "silence",
    "yes": "yes",
    "no": "no",
    "rule": "rule",
    "house rule": "house rule",
    "decimal": ".",
}

SENTENCES: dict[str, str] = {
    "call.correct": "{seat} was first to call {type}, the winning type, and takes {n#card|cards}.",
    "touch.correct": "{seat} was first to touch {type}, the winning type, and takes {n#card|cards}.",
    "call.correct.unknown": "{type}, the winning type, was called first, but nobody can tell by whom.",
    "touch.correct.unknown": "{type}, the winning type, was touched first, but nobody can tell by whom.",
    "call.wrong.2": "{seat} called {type}, but {due} was the winning type: {others} takes {n#card|cards}.",
    "touch.wrong.2": "{seat} touched {type}, but {due} was the winning type: {others} takes {n#card|cards}.",
    "call.wrong.n": (
        "{seat} called {type}, but {due} was the winning type: that player's card stays, the others take back "
        "their own."
    ),
    "touch.wrong.n": (
        "{seat} touched {type}, but {due} was the winning type: that player's card stays, the others take back "
        "their own."
    ),
    "call.wrong.unknown": "{type} was called, but {due} was the winning type; nobody can tell by whom.",
    "touch.wrong.unknown": "{type} was touched, but {due} was the winning type; nobody can tell by whom.",
    "call.wrong_whatever.2": (
        "{seat} called {type}, which is wrong whatever the unread card is: {others} takes {n#card|cards}."
    ),
    "touch.wrong_whatever.2": (
        "{seat} touched {type}, which is wrong whatever the unread card is: {others} takes {n#card|cards}."
    ),
    "call.wrong_whatever.n": (
        "{seat} called {type}, which is wrong whatever the unread card is: that player's card stays, the others "
        "take back their own."
    ),
    "touch.wrong_whatever.n": (
        "{seat} touched {type}, which is wrong whatever the unread card is: that player's card stays, the others "
        "take back their own."
    ),
    "call.wrong_whatever.unknown": (
        "{type} was called, which is wrong whatever the unread card is; nobody can tell by whom."
    ),
    "touch.wrong_whatever.unknown": (
        "{type} was touched, which is wrong whatever the unread card is; nobody can tell by whom."
    ),
    "call.in_silence.2": "{seat} called {type}, but silence was due: {others} takes {n#card|cards}.",
    "touch.in_silence.2": "{seat} touched {type}, but nothing was to be touched: {others} takes {n#card|cards}.",
    "call.in_silence.n": (
        "{seat} called {type}, but silence was due: that player's card stays, the others take back their own."
    ),
    "touch.in_silence.n": (
        "{seat} touched {type}, but nothing was to be touched: that player's card stays, the others take back "
        "their own."
    ),
    "call.in_silence.unknown": "{type} was called, but silence was due; nobody can tell by whom.",
    "touch.in_silence.unknown": "{type} was touched, but nothing was to be touched; nobody can tell by whom.",
    "call.early.2": "{seat} called {type} before all cards could be seen: {others} takes {n#card|cards}.",
    "call.early.n": (
        "{seat} called {type} before all cards could be seen: that player's card stays, the others take back their own."
    ),
    "call.early.unknown": "{type} was called before all cards could be seen; nobody can tell by whom.",
    "call.tie.2": "{tied} called {due} at the same time: {pot#card stays|cards stay}.",
    "touch.tie.2": "{tied} touched {due} at the same time: {pot#card stays|cards stay}.",
    "call.tie.n": (
        "{tied} called {due} at the same time: each takes back their own card, {pot#card stays|cards stay}."
    ),
    "touch.tie.n": (
        "{tied} touched {due} at the same time: each takes back their own card, {pot#card stays|cards stay}."
    ),
    "call.tie.unknown": "{type} was called by several players at the same time, but nobody can tell by whom.",
    "touch.tie.unknown": "{type} was touched by several players at the same time, but nobody can tell by whom.",
    "call.contested.2": "{wrong} was wrong and {right} right at the same time: {others} would take {n#card|cards}.",
    "touch.contested.2": "{wrong} was wrong and {right} right at the same time: {others} would take {n#card|cards}.",
    "call.contested.n": (
        "{wrong} {wrong?was|were} wrong and {right} right at the same time: nobody would win, and all but {wrong}"
        " would take back their own card."
    ),
    "touch.contested.n": (
        "{wrong} {wrong?was|were} wrong and {right} right at the same time: nobody would win, and all but {wrong}"
        " would take back their own card."
    ),
    "call.contested.somebody": (
        "{wrong} {wrong?was|were} wrong and somebody else right at the same time: nobody would win, and all but"
        " {wrong} would take back their own card."
    ),
    "touch.contested.somebody": (
        "{wrong} {wrong?was|were} wrong and somebody else right at the same time: nobody would win, and all but"
        " {wrong} would take back their own card."
    ),
    "call.contested.wrong.2": "{wrong} were both wrong at the same time: {pot#card would stay|cards would stay}.",
    "touch.contested.wrong.2": "{wrong} were both wrong at the same time: {pot#card would stay|cards would stay}.",
    "call.contested.wrong.n": (
        "{wrong} were wrong at the same time: their cards would stay, the others would take back their own."
    ),
    "touch.contested.wrong.n": (
        "{wrong} were wrong at the same time: their cards would stay, the others would take back their own."
    ),
    "call.unheard": "No call was understood, but {others} took {n#card|cards}.",
    "silence.kept": "Nobody called, rightly: {pot#card stays|cards stay}.",
    "silence.missed": "Nobody called, though {due} was the winning type: {pot#card stays|cards stay}.",
    "silence.missed.own": "Nobody called, though {due} was the winning type: all take back their own card.",
    "silence.unread": "Nobody called, and not every card could be read: {pot#card stays|cards stay}.",
    "touch.silence.kept": "Nobody touched a card, rightly: {pot#card stays|cards stay}.",
    "touch.silence.missed": "Nobody touched a card, though {due} was the winning type: {pot#card stays|cards stay}.",
    "touch.silence.missed.own": (
        "Nobody touched a card, though {due} was the winning type: all take back their own card."
    ),
    "touch.silence.unread": "Nobody touched a card, and not every card could be read: {pot#card stays|cards stay}.",
    "open.cards": "Not every card could be read, so people must say what was due.",
    "open.order": "Who was first cannot be told, so people must say.",
    "void": "The players declared this round void: its cards stay.",
    "withdrawn": "As corrected, round {round} was no round of its own.",
    "hands.won": (
        "{seat}'s {type} beats {lost}: {seat} keeps the hand, {other} discards and draws three, with "
        "{n#hand|hands} left to draw."
    ),
    "hands.won.out1": "{seat}'s {type} beats {lost}, and {other} cannot draw three cards: {seat} wins the game.",
    "hands.three_ties": "Three ties: both players discard their hands and draw three cards.",
    "hands.three_ties.out1": "Three ties, and {out} cannot draw three cards: {left} wins the game.",
    "hands.three_ties.out2": "Three ties, and neither player can draw three cards: a draw, play again.",
    "hands.open": "Not every card could be read, so people must say who won.",
    "rorschach.tokens": "{others} {others?takes|take} {n#token|tokens} in all.",
    "rorschach.none": "Nobody takes a token.",
    "rorschach.none.removed": (
        "Nobody takes a token once more: inkblot {blot} goes, {blots#inkblot stays|inkblots stay}."
    ),
    "rorschach.won": "{others} {others?holds|hold} a token of every colour and {others?wins|win} the game.",
    "review.who_called": "Who called {type}?",
    "review.who_touched": "Who touched {type}?",
    "review.who_tied": "Who was first with {type}?",
    "review.same_voice": "Was that one player twice, or two players at once?",
    "review.contested": "Somebody was wrong at the same moment: who was first?",
    "review.too_close": "Too close to call: {gap} ms apart, measured to {error} ms. Was it a tie?",
    "review.call_unsure": "Was {type} really called?",
    "review.touch_unsure": "Did the finger really touch {type}?",
    "review.two_voices": "Two voices overlap in {type}: are word and order right?",
    "review.early_or_not": "Did {type} come before or after the last card could be seen?",
    "review.maybe_call": "Was there a call of {type} at {time} s?",
    "review.card_missing": "Which card did {seat} show? None was seen.",
    "review.card_unread": "Which card did {seat} show? It could not be read.",
    "review.card_unsure": "Is the card of {seat} really {type}?",
    "review.seats_of_cards": "Whose card is whose?",
    "review.not_playing": "Something lay at {seat}, where nobody plays: whose is it?",
    "review.too_few_cards": "Only {n#player has a card|players have cards} left: is the game over?",
    "review.extra_card": "There is a card too many in the centre.",
    "review.double_flip": "{seat} turned two cards; the first one counts.",
    "review.taken_back": "{seat} took the card back before the round was complete.",
    "review.moved_early": "Cards were moved before the round was decided.",
    "review.beyond_deal": "{seat} shows more cards than were dealt.",
    "review.cut_short": "The round was cut short: would somebody still have called?",
    "review.pot_depends": "How many cards lay there depends on the open {rounds?round|rounds} {rounds}.",
    "review.table_says": "Nobody could tell who it was; {others} took cards. Is that right?",
    "review.table_says_nobody": "Nobody could tell who it was, and nobody took cards: several at once. Is that right?",
    "review.table_says_otherwise": "Unclear who called what; it is ruled as {others} took the cards. Is that right?",
    "review.table_says_unheard": "No call was heard, but {others} took cards. Who called what?",
    "review.table_says_left": "Unclear who called what; it is ruled as nobody took the cards. Is that right?",
    "review.collected_by_other": "{others} took cards that the ruling did not give. Is the ruling right?",
    "review.not_collected": "{others} did not take the cards that the ruling gave. Is the ruling right?",
    "review.impossible_card": "{seat} cannot hold {type} any more: is the card read rightly?",
    "review.die_missing": "Which inkblot did {seat} choose? No die was seen.",
    "review.die_unread": "Which inkblot did {seat} choose? The die could not be read.",
    "review.die_unsure": "Did {seat} really choose {value}?",
    "review.die_of_nobody": "There is a die that nobody is known to have shown.",
    "review.die_turned": "{seat} turned the die from {first} to {second} after it was seen; the first answer counts.",
    "review.no_such_blot": (
        "{seat} chose {value}, but there {n?is|are} only {n#inkblot|inkblots}: that answer counts for nothing."
    ),
    "review.same_colour": (
        "{others} use the same colour, {colour}: only the first die counts, and one of them needs another colour."
    ),
    "review.colour_changed": "{seat} shows a die of another colour, {colour}.",
    "note.early_call": "Warning to {seat}: {type} was called before all cards could be seen and does not count.",
    "note.early_call.unknown": "Warning: {type} was called before all cards could be seen and does not count.",
    "note.late_call": "{seat} called {type} between the rounds: that changes nothing.",
    "note.late_call.unknown": "{type} was called between the rounds: that changes nothing.",
    "note.late_flip": "{seat} showed their card late.",
    "note.seat_inferred": "What was left must belong to {seat}.",
    "note.seat_does_not_matter": "Nobody can tell who it was, and it does not matter.",
    "note.card_does_not_matter": "Not every card could be read, and it does not matter.",
    "note.piles_depend": "The piles depend on the open {rounds?round|rounds} {rounds}.",
    "note.ghost": "Something that could not be read lay there before this round.",
    "note.pot_counted": "{n} {n?card was|cards were} seen to be taken: that many lay there.",
    "note.uneven_deal": "The cards were not dealt equally.",
    "note.seat_changed": "{seat} moved to {to}.",
    "note.drew_unasked": "{seat} drew a hand that was not due.",
    "note.blot_removed_unasked": "Inkblot {blot} was taken away, though no rule asked for it.",
    "note.blot_replaced_unasked": "Inkblot {blot} was replaced, though no rule asked for it.",
    "note.no_such_blot": "There is no inkblot {blot} that can go.",
    "note.table.moved": "The camera or the table moved.",
    "note.table.unsteady": "The camera moves all the time: put it on a stand. "
    "Until then cards are seen late or missed.",
    "note.table.dark": "The picture is dark.",
    "note.table.glare": "Glare lies on the table.",
    "note.table.far": "The cards are far away.",
    "note.table.blurred": "The picture is blurred.",
    "note.table.covered": "Something covers the table.",
    "note.table.other": "Notice about the picture: {code}.",
}
