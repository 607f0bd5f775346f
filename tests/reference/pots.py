"""A second settlement of a hand, by winners instead of by pots, in integers: 2520ths of a chip.

The best hand wins from every player as much as it has put in, then the next best hand from the rest. No pots
are formed, and 2520 is divisible by every number of winners from 1 to 10, so there are no odd chips.
"""

PARTS = 2520


def settle(matched, dead, players, ranks):
    """Net amounts by position, in 2520ths of a chip.

    ``matched`` are the chips by position that other players match, ``dead`` those by position that belong to
    the main pot alone; ``players`` are the positions not folded, ``ranks`` their hands, the higher wins.
    """
    left = [PARTS * chips for chips in matched]
    net = [-PARTS * (chips + ante) for chips, ante in zip(matched, dead, strict=True)]

    def share(chips, winners):
        assert chips % len(winners) == 0
        for seat in winners:
            net[seat] += chips // len(winners)

    def best(seats):
        return [seat for seat in seats if ranks[seat] == max(ranks[other] for other in seats)]

    share(PARTS * sum(dead), best(players))
    rest = list(players)
    while rest:
        group = best(rest)
        rest = [seat for seat in rest if seat not in group]
        while group := [seat for seat in group if left[seat]]:
            part = min(left[seat] for seat in group)
            taken = [min(chips, part) for chips in left]
            left = [chips - chip for chips, chip in zip(left, taken, strict=True)]
            share(sum(taken), group)
    richest = max(matched[seat] for seat in players)
    share(sum(left), best([seat for seat in players if matched[seat] == richest]))
    return net


def parts(variant, state):
    """``matched`` and ``dead`` of a state: unequal antes are dead, equal ones are matched."""
    stacks = [behind + paid for behind, paid in zip(state.stacks, state.committed, strict=True)]
    is_dead = len(set(variant.antes)) > 1
    dead = [min(ante, stack) if is_dead else 0 for ante, stack in zip(variant.antes, stacks, strict=True)]
    return [paid - ante for paid, ante in zip(state.committed, dead, strict=True)], dead
