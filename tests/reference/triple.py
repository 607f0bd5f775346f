"""Loki's rules after the flop by Papp 1998, chapter 6, with linear ramps for thresholds."""


def ramp(x, threshold, width):
    if x <= threshold - width:
        return 0.0
    if x >= threshold + width:
        return 1.0
    return (x - (threshold - width)) / (2 * width)


def triple(spot, rules, hs, ppot, npot):
    """(fold, call, raise): each of the six rules in turn takes its share of the rest."""
    if spot.street == 3:
        ppot = npot = 0.0
    hsn = hs**spot.opponents
    ehs_optimist = hsn + (1 - hsn) * ppot
    ehs = hsn + (1 - hsn) * ppot - hsn * npot
    fold = call = bold = 0.0
    left = 1.0

    takes = left * ramp(ehs_optimist, rules.strong, 0.10)
    left -= takes
    if spot.bets < 2 and spot.can_raise:
        waits = rules.slow if spot.bets == 0 and spot.behind == spot.opponents >= 2 else 0.0
        bold += takes * (1 - waits)
        call += takes * waits
    else:
        call += takes

    if spot.owed < 2 * spot.bet or spot.invested:
        takes = left * ramp(ehs_optimist, rules.good, 0.10)
        left -= takes
        if spot.bets == 0 and spot.can_raise:
            bold += takes
        else:
            call += takes

    if spot.owed == 0:
        price = rules.bluff * 2 * spot.bet / (spot.pot + 4 * spot.bet + 2 * spot.bet)
        if spot.can_raise:
            takes = left * (1.0 if spot.following else ramp(ppot, price, 0.05))
            left -= takes
            bold += takes
        call += left
    else:
        price = spot.owed / (spot.pot + rules.implied * spot.bet + spot.owed) + rules.odds
        takes = left * ramp(hsn if spot.street == 3 else ppot, price, 0.05)
        left -= takes
        call += takes
        later = 0 if rules.defence else spot.later
        price = (spot.owed + later) / (spot.pot + spot.owed + 2 * later) + rules.odds
        takes = left * ramp(ehs, price, 0.05)
        left -= takes
        call += takes
        fold += left
    return fold, call, bold
