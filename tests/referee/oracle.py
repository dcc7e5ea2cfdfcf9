"""The winning type of every combination of cards, written by hand from the rule sheet."""

from itertools import permutations

# Written by hand from "Playing the Game", step 3. Cards in any order; the winning type, or - for silence.
BY_HAND = """
RR -   RP P   RS R   PP -   PS S   SS -
RRR -  RRP P  RRS R  RPP P  RPS -  RSS R  PPP -  PPS S  PSS S  SSS -
RRRR -  RRRP P  RRRS R  RRPP P  RRPS R  RRSS R  RPPP P  RPPS P  RPSS S  RSSS R
PPPP -  PPPS S  PPSS S  PSSS S  SSSS -
"""
ORACLE = {
    "".join(order): due
    for cards, due in zip(BY_HAND.split()[::2], BY_HAND.split()[1::2], strict=True)
    for order in permutations(cards)
}
