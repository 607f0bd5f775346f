"""Outcomes by other values: ``python -m experiments.couplings.values FOLDER``, of a table of ``couplings``.

The best outcome by G-bucks loses to the majority. Each model here has the cases of ``network``, in their
order; the outcomes alone differ, in one thing from those of ``g-bucks``:

saved       a fold is worth what the call would have lost
joint       the share of the pot against all ranges together, not the product of the shares against each
continued   and what the later streets brought: a decision sums that over its similar cases
look-ahead  the value of the action by the look-ahead of the default agent, with its own opponent models
groups      the ranges are the thesis': the four most probable hand groups, every holding at weight 1

Played by ``cases(model='FOLDER/RULE', policy='best outcome', learning=False)``; without the policy it is the
majority.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.registry import load
from baycarp.agents.value.lookahead import look_ahead
from baycarp.agents.value.pricing import share_of
from baycarp.arena.decks import LEARNED, numbers
from baycarp.cases import CaseBase
from baycarp.cli.output import console, grid
from baycarp.files import read_arrays, write_arrays
from baycarp.game import HandOver
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from baycarp.opponents.network.model import ByNetwork
from baycarp.rules.outcome import HandResult, Stake, g_bucks, played_for
from baycarp.strategies.model import Model, load_model, save_model
from baycarp.training.casebases import cases_of_session
from baycarp.training.watch import folder_of, hands_of, log_path
from experiments.couplings.beside import Beside, changed, held_out, observed
from experiments.couplings.study import CouplingStudy

__all__ = ["BY_WEIGHTS", "VALUES", "Valuation", "by_groups", "main", "outcomes_of", "revalued"]

BY_WEIGHTS = ("g-bucks", "saved", "joint", "continued", "look-ahead")
VALUES = (*BY_WEIGHTS, "groups")

PLAYOUTS = 32
"""Of a look-ahead: its error is averaged over the similar cases."""


class Valuation:
    """Values the actions of one session by every rule.

    Parameters
    ----------
    playouts
        Of each look-ahead.
    """

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self.playouts = playouts
        self.opponents = PlayerModels(load_styles())

    def watched(self, hands: Iterable[Hand]) -> Iterator[Hand]:
        """The hands; the opponent models learn from each once it has been valued."""
        for hand in hands:
            yield hand
            self.opponents.learn(HandOver(replay(hand).observe(None, hand.players), ()))

    def __call__(self, stake: Stake, result: HandResult) -> dict[str, float]:
        """The outcome of an action by each of ``BY_WEIGHTS``, in small bets."""
        own, small_bet = g_bucks(stake, result), stake.observation.variant.small_bet
        found = dict.fromkeys(BY_WEIGHTS, own)
        if stake.act.action.name == "fold":
            return found | {"saved": -self._called(stake, result)}
        observation, act = stake.observation, stake.act
        share = share_of(observation, stake.ranges, observation.hand).mean
        later = sum(result.streets[act.street + 1 :])
        values = look_ahead(observation, self.opponents, self.playouts, observation.hand)
        ahead = next(value.chips for value in values if value.action == act.action)
        return found | {
            "joint": (share * played_for(observation, act) - act.paid) / small_bet,
            "continued": own + later / small_bet,
            "look-ahead": (ahead if np.isfinite(ahead) else small_bet * own) / small_bet,
        }

    @staticmethod
    def _called(stake: Stake, result: HandResult) -> float:
        """What a call would have been worth, where the player folded."""
        state = stake.observation.state.copy()
        call = state.apply(state.named("call" if state.owed else "check"))
        return g_bucks(replace(stake, act=call), result)


def outcomes_of(
    model: Model, hands: Sequence[Hand], session: int, playouts: int = PLAYOUTS
) -> dict[str, NDArray[np.float64]]:
    """By case-base the values of a session's actions: float64, shape (rules, cases), cases in their order."""
    valuation = Valuation(playouts)
    valued: list[tuple[float, ...]] = []

    def outcome(stake: Stake, result: HandResult) -> float:
        valued.append(tuple(valuation(stake, result).values()))
        return 0.0

    every = replace(model.strategy, outcome=outcome, believed=frozenset(range(4)))
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in model.casebases}
    settled = list(cases_of_session(valuation.watched(hands), session, every, model.network))
    for each, values, own in zip(settled, valued, by_groups(model, hands, session), strict=True):
        found[each.base].append((*values, own))
    return {name: np.array(rows).reshape(-1, len(VALUES)).T for name, rows in found.items()}


def by_groups(model: Model, hands: Sequence[Hand], session: int) -> list[float]:
    """The G-bucks of a session's actions against the ranges of the thesis, in the order of its cases."""
    believed = frozenset(range(4))
    thesis = replace(model.strategy, outcome=g_bucks, opponents=ByNetwork(), believed=believed)
    return [each.case.outcome for each in cases_of_session(hands, session, thesis, model.network)]


def revalued(model: Model, outcomes: Mapping[str, NDArray[np.float64]]) -> Model:
    """The same cases with other outcomes, by case-base and in order."""
    casebases = {}
    for name, casebase in model.casebases.items():
        columns = {each: column for each, column in casebase.columns().items() if each != "ids"}
        casebases[name] = CaseBase(casebase.schema)
        casebases[name].extend_columns(columns | {"outcomes": outcomes[name]})
        casebases[name].fold_in()
    return replace(model, casebases=casebases)


def main(argv: Sequence[str] | None = None) -> None:
    """Value what the folder lacks, session by session, write a model a rule, and print what it changes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hands", type=int, default=10_000, help="the first of the 10,000 watched hands")
    parser.add_argument("--beside", type=int, default=500, help="held-out hands that every rule decides")
    given = parser.parse_args(argv)
    folder: Path = given.folder
    study, model = CouplingStudy(folder.name, folder), load_model(folder / "network")
    watched = study.hands_watched()
    curriculum, sessions = watched.curriculum, watched.sessions
    assert sessions is not None
    logs = folder_of(sessions, curriculum, study.hands)
    files = []
    for number in numbers(LEARNED, given.hands // study.hands):
        files.append(folder / "values" / f"session-{number:05}.npz")
        if not files[-1].exists():
            hands = list(hands_of(log_path(logs, number), curriculum.table(number)))
            files[-1].parent.mkdir(exist_ok=True)
            write_arrays(files[-1], outcomes_of(model, hands, number))
        print(files[-1], flush=True)
    valued = [read_arrays(file) for file in files]
    cases = model.of_first(given.hands)
    for place, rule in enumerate(VALUES):
        outcomes = {name: np.concatenate([each[name][place] for each in valued]) for name in cases.casebases}
        command = f"python -m experiments.couplings.values {folder.name} --hands {given.hands}: {rule}"
        save_model(folder / rule, revalued(cases, outcomes), command, curriculum.seed)
    _show(folder, held_out(study)[: given.beside])


def _show(folder: Path, hands: Sequence[Hand]) -> None:
    """Print what each rule changes, and what it does, in the place of a player of held-out hands."""
    spec = "cases(model={!r}, policy='best outcome', learning=False)"
    majority = observed(load(f"cases(model={str(folder / VALUES[0])!r}, learning=False)"), hands)
    out, table = console(100), grid("outcome", "other than the majority", "folds")
    table.add_row("majority", "-", f"{_folds(majority):.0%}")
    for rule in VALUES:
        seen = observed(load(spec.format(str(folder / rule))), hands)
        table.add_row(rule, f"{changed(seen, majority):.0%}", f"{_folds(seen):.0%}")
    out.print(table)


def _folds(seen: Beside) -> float:
    return seen.actions.count("fold") / len(seen.actions)


if __name__ == "__main__":
    main()
