"""The tables of a trained model: its sizes, the accuracy of its network, and what the imported hands gave."""

from collections.abc import Iterator
from math import isnan

from rich.console import RenderableType
from rich.table import Table as Grid

from baycarp.api.printing import counted, grid
from baycarp.game import STREETS
from baycarp.training.account import Account
from baycarp.training.agreement import Agreement, Prediction
from baycarp.training.imitate import Imitated
from baycarp.training.model import Trained
from baycarp.training.networks import Accuracy, Measured

__all__ = ["imitation_parts", "model_parts"]

PUBLISHED = {
    "HandGroup": "32/50/65/77",
    "HandType": "50/67/78",
    "HandTypeTurn": "44/61/72",
    "HandTypeFinal": "42/59/72",
}
"""The published shares, %, of the first k: Unger (2011), tables 7.1 and 7.3."""


def imitation_parts(made: Imitated) -> Iterator[RenderableType]:
    """The numbers of used and skipped hands, and how often the model agrees with the imitated players."""
    yield from _account(made.account)
    yield _agreed(made.agreement)
    yield _predicted(made.prediction)


def model_parts(trained: Trained) -> Iterator[RenderableType]:
    """The sizes of the case-bases and the accuracy of the network."""
    for name, casebase in trained.model.casebases.items():
        yield f"{name:<8} {counted(len(casebase), 'case')}"
    if trained.measured is not None:
        yield f"network  fitted on {counted(trained.showdowns, 'showdown row')}\n"
        yield _accuracies(trained.measured.accuracies)
        yield _faults(trained.measured)


def _account(account: Account) -> Iterator[str]:
    yield f"hands    {account.hands} used, {account.skipped.total()} skipped"
    for reason, number in account.skipped.most_common():
        yield f"         {number} {reason}; the first: {account.first[reason]}"
    imitated, hidden = account.decisions["cases"], account.decisions["cards or end unknown"]
    yield f"actions  {imitated} of those imitated"
    if hidden:
        yield f"         no cases: {counted(hidden, 'other')}, since their cards or the winner are not known:"
        yield "         what was folded unseen cannot be imitated (Rubin and Watson 2012, section 5.2.6)"


def _agreed(agreement: Agreement) -> str:
    """The share of held-out actions on which model and player agree."""
    same = [agreement[street, True] for street in range(len(STREETS))]
    asked = [agreement[street, False] + count for street, count in enumerate(same)]
    shares = [f"{name} {n / of:.0%}" for name, n, of in zip(STREETS, same, asked, strict=True) if of]
    actions = counted(agreement.total(), "held-out action")
    return f"agrees   on {sum(same)} of {actions}: {', '.join(shares) or '-'}"


def _predicted(prediction: Prediction) -> str:
    """The log loss of the held-out actions, and what the frequencies of the actions alone predict."""
    count = prediction.decisions
    if not count:
        return "predicts -"
    loss, base = prediction.loss / count, prediction.loss_of_frequencies / count
    hits = prediction.hits_of_frequencies
    return (
        f"predicts them with log loss {loss:.3f}; frequencies of the actions: "
        f"{base:.3f}, {hits} hits ({hits / count:.0%})"
    )


def _accuracies(accuracies: tuple[Accuracy, ...]) -> Grid:
    titles = ("node", "players", "rows", "1", "2", "3", "4", "unseen", "published")
    table = grid(
        *titles,
        words=titles[:2],
        title="held-out hands: the truth among the first k (tables 7.1, 7.3)",
    )
    for line in accuracies:
        published = PUBLISHED[line.node] if line.players == "active" else ""
        shares = (*map(_percent, line.top), _percent(line.unseen, 1))
        table.add_row(line.node, line.players, str(line.rows), *shares, published)
    return table


def _percent(share: float, digits: int = 0) -> str:
    """A share in print; "-" where no row was held out."""
    return "-" if isnan(share) else f"{share:.{digits}%}"


def _faults(measured: Measured) -> Grid:
    """Figures 7.1, 7.2 and table 7.2: where the true group was not among the four."""
    actions = sorted({action for action, _ in measured.totals})
    positions = ("Blinds", "Early", "Middle", "Late")
    total = sum(measured.faults.values()) or 1
    table = grid(
        "action",
        *positions,
        "all",
        "asked",
        title="faults: hand group below the top four (figures 7.1, 7.2, table 7.2)",
    )
    for action in actions:
        shares = [measured.faults[action, position] / total for position in positions]
        asked = sum(count for (name, _), count in measured.totals.items() if name == action)
        table.add_row(action, *(f"{share:.0%}" for share in (*shares, sum(shares))), str(asked))
    columns = [sum(measured.faults[action, position] for action in actions) / total for position in positions]
    table.add_row("all", *(f"{share:.0%}" for share in (*columns, 1)), str(sum(measured.totals.values())))
    return table
