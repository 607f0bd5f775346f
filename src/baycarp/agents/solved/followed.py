"""A real hand in the betting of a solved no-limit game: bets of any size there and back.

A bet of the opponent counts as one of the sizes of the solved game, by soft translation with a draw that is
kept for the hand; a size is translated back into chips of the real pot.
"""

from baycarp.agents.policy import smallest
from baycarp.game import Action, Observation
from baycarp.rules.betting.letters import SessionDraws, act_letter, bet_of
from baycarp.rules.betting.sizes import CALL, FCHPA, BetRange, Sizes, bets
from baycarp.solvers.nolimit.betting import NoLimitBetting

__all__ = ["bet_in_chips", "followed"]


def followed(betting: NoLimitBetting, observation: Observation, draws: SessionDraws) -> tuple[str, bool]:
    """The betting of a hand in letters of the solved game, and whether it is a decision there.

    Parameters
    ----------
    betting
        Of the solved game.
    observation
        The hand, as the position to act observes it.
    draws
        Of the session.

    Returns
    -------
    letters, is_decision
        False where the solved hand is over: all chips are in. The letters end there.
    """
    ranges = bets(observation.state)
    letters, node = "", 0
    for number, act in enumerate(observation.acts):
        actions = betting.actions(node)
        letter = CALL
        if act.action.name in ("bet", "raise"):
            _, legal = next(ranges)
            if FCHPA.all_in not in actions:
                return letters, False
            letter = FCHPA.all_in
            known = tuple(each for each in FCHPA.proportions if each[0] in actions)
            if known:
                sizes = Sizes(known, FCHPA.all_in)
                letter = act_letter(act, legal, sizes, observation, (draws, number, True))
        letters += letter
        node = actions[letter]
        if node < 0:
            return letters, False
    return letters, True


def bet_in_chips(letter: str, observation: Observation, draws: SessionDraws) -> Action:
    """The bet at the table of a size of the solved game; a call where no bet is legal."""
    legal = BetRange.of(observation.state)
    if legal is not None:
        return bet_of(letter, legal, FCHPA, observation, draws)
    least = smallest(observation)
    return least.get("check") or least["call"]
