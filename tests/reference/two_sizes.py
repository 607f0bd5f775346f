"""A no-limit agent whose policy has two bet sizes."""

from baycarp.agents.base import Decision
from baycarp.agents.policy import smallest
from baycarp.agents.sampling import draw, generator
from baycarp.game.action import Action
from baycarp.game.plays import Plays


class TwoSizes:
    """Bets or raises half the time, the smallest size or a middle one; else checks, calls or folds."""

    plays = Plays(frozenset({"no-limit"}))

    def __init__(self, large=0.25, folds=0.125):
        self.large, self.folds, self.seed = large, folds, 0

    def sit(self, seat, variant, seed):
        self.seed = seed

    def policy(self, observation):
        legal = smallest(observation)
        stay = legal.get("check") or legal["call"]
        bet = legal.get("bet") or legal.get("raise")
        policy = {legal["fold"]: self.folds} if "fold" in legal else {}
        left = 1 - sum(policy.values())
        if bet is None:
            return policy | {stay: left}
        _, least, most, _ = observation.state.bounds()
        middle = Action(bet.name, min(most, 3 * least))
        policy |= {stay: left / 2, bet: left / 2}
        if middle != bet:
            policy |= {bet: (1 - self.large) * left / 2, middle: self.large * left / 2}
        return policy

    def decide(self, observation, time_limit=None, budget=None):
        policy = self.policy(observation)
        return Decision(draw(policy, generator(self.seed, observation).random()), policy, reason="two sizes")

    def learn(self, event):
        pass
