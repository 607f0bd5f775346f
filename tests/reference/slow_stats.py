"""The statistics of players, counted slowly from the letters of the actions."""

from collections import Counter

from baycarp.game.notation.hand import replay


def slow_counts(hand):
    """Counts by (player, statistic, "made" or "of") of a finished hand; its cards are known."""
    found, seats = Counter(), hand.variant.seats
    over = replay(hand)
    acts = _acts(hand, over)
    for at, name in enumerate(hand.players):

        def add(statistic, made, of=1, name=name):
            found[name, statistic, "made"] += int(made)
            found[name, statistic, "of"] += int(of)

        own = [(number, *act) for number, act in enumerate(acts) if act[1] == at]
        pre = [(number, letter) for number, street, _, letter in own if street == 0]
        letters = [letter for _, letter in pre]
        if pre:
            add("vpip", "c" in letters or "r" in letters)
            add("pfr", "r" in letters)
        three, fold = [], []
        for number, letter in pre:
            before = [seat for street, seat, done in acts[:number] if done == "r"]
            if len(before) == 1 and before[0] != at:
                three.append(letter == "r")
            if len(before) == 2 and before.count(at) == 1 and before[0] == at:
                fold.append(letter == "f")
        if three:
            add("three_bet", three[0])
        if fold:
            add("fold_to_three_bet", fold[0])
        for street in (1, 2, 3):
            now = [(number, letter) for number, where, _, letter in own if where == street]
            raisers = [seat for where, seat, letter in acts if where == street - 1 and letter == "r"]
            last = raisers[-1] if raisers else None
            first_bet, faced, caught = [], [], []
            for number, letter in now:
                here = [(seat, done) for where, seat, done in acts[:number] if where == street]
                bets = [seat for seat, done in here if done == "r"]
                if not bets and last == at:
                    first_bet.append(letter == "r")
                if len(bets) == 1 and bets[0] == last != at:
                    faced.append(letter == "f")
                if bets and (at, "k") in here:
                    caught.append(letter == "r")
            for statistic, seen in (
                ("continuation_bet", first_bet),
                ("fold_to_continuation_bet", faced),
                ("check_raise", caught),
            ):
                if seen:
                    add(statistic, seen[0])
            done = Counter(letter for _, letter in now)
            add("aggression_factor", done["r"], done["c"])
            add("aggression_frequency", done["r"], done["r"] + done["c"] + done["f"])
        inside = "f" not in [letter for *_, letter in own]
        flop = len(over.board) >= 3 and ("f" not in letters)
        shown = inside and sum("f" not in [d for _, s, d in acts if s == seat] for seat in range(seats)) > 1
        add("went_to_showdown", flop and shown, flop)
        if shown:
            add("won_at_showdown", over.payoffs()[at] > -min(over.committed[at], sorted(over.committed)[-2]))
    return found


def _acts(hand, over):
    """(street, seat, letter) of each action: f, k (check), c (call), r."""
    letters = {"fold": "f", "check": "k", "call": "c", "bet": "r", "raise": "r"}
    seats = [act.seat for act in over.acts]
    streets = [act.street for act in over.acts]
    words = [letters[action.name] for action in hand.actions]
    return list(zip(streets, seats, words, strict=True))
