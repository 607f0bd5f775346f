"""Damaged files of every kind that the package reads.

A format with a checksum must refuse a damaged file or give the same content. A text without one may read as
another text: a changed digit is another number.
"""

import tarfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from operator import eq, ge
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from robustness.parsers import IRC, LIMIT, random_played

from baycarp.agents.value.continuations import load_continuations, save_continuations
from baycarp.api.solve_spot import solve_spot
from baycarp.arena.journal import Journal
from baycarp.bn import Network, Structure, io
from baycarp.cases.casebase import CaseBase
from baycarp.cases.exchange import export_csv, import_csv
from baycarp.cases.salvage import salvage
from baycarp.cases.schema import Case, Feature, Schema
from baycarp.cases.similarity import Linear, PredictedStates
from baycarp.cases.store import CaseStore
from baycarp.cases.symbols import Aligned
from baycarp.files import write_arrays
from baycarp.game.notation import acpc, irc, phh
from baycarp.game.variant import Variant, shipped
from baycarp.kernels.lookahead import Learned
from baycarp.kernels.search import CHOICES
from baycarp.kernels.trees import NODE
from baycarp.opponents.actions.hand_actions import sensible
from baycarp.opponents.actions.styles import Styles, load_styles, save_styles
from baycarp.opponents.moves.players import Players, load_players, save_players
from baycarp.rules.features import SITUATIONS
from baycarp.solvers import Kuhn, SolvedBy, StrategyProfile, flatten, load_strategy, save_strategy
from baycarp.solvers.buckets.abstraction import Abstraction
from baycarp.solvers.buckets.tables import BucketTables, bucket_tables
from baycarp.solvers.checkpoint import read_plan, save
from baycarp.solvers.limit.run import LimitRun
from baycarp.solvers.nolimit.run import NoLimitRun
from baycarp.solvers.plan import SolvePlan
from baycarp.solvers.solution import SHIPPED_LIMIT, SolvedStrategy, betting_of, load_solution, save_solution
from baycarp.solvers.spots.locks import Lock
from baycarp.solvers.spots.solution import Solution as SpotSolution
from baycarp.solvers.spots.spot import Spot
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.model import Model, load_model, save_model, shipped_model
from baycarp.strategies.weights import Weights, load_weights, save_weights
from baycarp.trees import DecisionTree
from experiments.beliefs.columns import Judged
from experiments.beliefs.measure import judge_session
from experiments.beliefs.stored_sessions import load_judged, save_judged
from experiments.players.holding_policy import HoldingPolicy, load_holding_policy, save_holding_policy
from experiments.players.holding_rows import HoldingRows, Memberships
from experiments.players.holdings_em import HoldingsEM, learn_given
from experiments.players.street_buckets import StreetBuckets

__all__ = ["KINDS", "Kind"]

CASES = 1500
"""Cases of a case-base that is damaged."""

SCHEMA = Schema(
    "damaged",
    (
        Feature("x", 5, Linear(max=1)),
        Feature("pot odds", 3, Linear(max=10)),
        Feature("kind", 5, PredictedStates(("low", "middle", "high"), slots=2)),
        Feature("board", 1, Aligned("abcdef", 0.1)),
    ),
    ("fold", "call", "raise"),
    0.9,
    provenance=(("hand", "i8", 1), ("cards", "u1", 2)),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file.

    Parameters
    ----------
    name
        Of the file.
    write
        Writes a good file to a path of that name, in an empty folder.
    read
        What the package reads from the path, as values that ``same`` compares.
    checked
        Whether the format has a checksum, so that other content is a finding.
    same
        Whether (good, read) are the same content.
    """

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], Any]
    checked: bool = True
    same: Callable[[Any, Any], bool] = eq

    def make(self, folder: Path) -> Path:
        """A good file in an empty folder."""
        self.write(folder / self.name)
        return folder / self.name


def _case(number: int) -> Case:
    draw = Random(number)
    kind = {"low": draw.random() / 2, "middle": draw.random() / 2}
    board = "".join(draw.choices("abcdef", k=3))
    values = {"x": draw.random(), "pot odds": 10 * draw.random(), "kind": kind, "board": board}
    where: dict[str, int | list[int]] = {"hand": number, "cards": [number % 52, 51]}
    return Case(SCHEMA.situation(values), draw.choice(SCHEMA.solutions), draw.gauss(0, 3), where)


def _casebase() -> CaseBase:
    casebase = CaseBase(SCHEMA)
    casebase.extend([_case(number) for number in range(CASES)])
    return casebase


def _content(casebase: CaseBase) -> list[Any]:
    """All columns, as bytes or text."""
    columns = {name: np.asarray(column) for name, column in casebase.columns().items()}
    return [
        (name, column.shape, column.tolist() if column.dtype == object else column.tobytes())
        for name, column in sorted(columns.items())
    ]


def _save_store(path: Path) -> None:
    CaseStore.create(path, [_casebase()]).close()


def _read_store(path: Path) -> Any:
    with CaseStore(path, [SCHEMA]) as store:
        return _content(store.load(SCHEMA.name))


def _salvaged(path: Path) -> set[str]:
    """The cases that are read from a damaged store, which must be some of those that were written."""
    columns = [np.asarray(column).T.tolist() for column in salvage(path, SCHEMA)[0].columns().values()]
    return {repr(case) for case in zip(*columns, strict=True)}


def _save_model(path: Path) -> None:
    model = shipped_model(BAYCARP2).of_first(30)
    weighed = model.weighed(Weights.of(BAYCARP2.schemas, {"source": "tests"}))
    save_model(path.parent, weighed, "baycarp train", 1)


def _read_model(path: Path) -> Any:
    """What it plays with."""
    model: Model = load_model(path.parent)
    network, weights = model.network, model.weights
    cases = [(name, _content(casebase)) for name, casebase in model.casebases.items()]
    made = (network and network.digest(), weights and weights.streets)
    return model.strategy.name, model.manifest.get("game"), model.outcome, made, cases


def _network() -> Network:
    states = {"Hand": ["weak", "fair", "strong"], "Act": ["call", "raise"]}
    tables: dict[str, Any] = {"Hand": [0.5, 0.3, 0.2], "Act": [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]}
    return Network(Structure(states, {"Act": ["Hand"]}), tables)


def _save_bif(path: Path) -> None:
    from baycarp.bn.bif import write_bif

    write_bif(_network(), path)


def _read_bif(path: Path) -> Any:
    from baycarp.bn.bif import read_bif

    return read_bif(path).digest()


def _save_journal(path: Path) -> None:
    with Journal(path, {"seed": 1}) as journal:
        for unit in range(40):
            journal.append((unit, 0), {"net": [[unit, -unit]] * 5})


def _read_journal(path: Path) -> Any:
    with Journal(path, {"seed": 1}) as journal:
        return journal.records


def _is_begun(good: Mapping[Any, Any], found: Mapping[Any, Any]) -> bool:
    """Whether a journal holds a beginning of its records: what follows is played again."""
    return list(found.items()) == list(good.items())[: len(found)]


def _save_strategy(path: Path) -> None:
    save_strategy(StrategyProfile.uniform(flatten(Kuhn())), SolvedBy("cfr+", 10, 1, 0.25), path)


def _read_strategy(path: Path) -> Any:
    saved = load_strategy(path, flatten(Kuhn()))
    return saved.strategy.tables(), saved.origin, saved.digest


def _save_irc(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in zip(irc.TABLES, IRC[0].split("\f"), strict=True):
            entry = tarfile.TarInfo(f"holdem/{name}")
            entry.size = len(text)
            archive.addfile(entry, BytesIO(text.encode()))


def _text(text: str) -> Callable[[Path], object]:
    """Writes a text to a path."""
    return lambda path: path.write_text(text, "utf-8")


def _read_game(path: Path) -> Any:
    game = Variant.load(path)
    return game.blinds, game.stacks, game.raise_sizes, game.max_raises, game.first


def _hands(read: Callable[[Path], Any], path: Path) -> Any:
    return [str(hand) for hand in read(path)]


_MODEL = (_save_model, _read_model)
_LIMIT_PLAN = SolvePlan.of(LIMIT.name, "p2,p2,p2")
_NO_LIMIT_PLAN = SolvePlan.of("holdem.nolimit.2p.100bb", "p2,p2,p2")


def _players() -> Players:
    """Two clusters and the own policy, each of one leaf."""
    leaf = np.full((1, CHOICES), 1 / CHOICES)
    row = (DecisionTree(np.array([(0.0, -1, 0)], NODE), leaf),) * len(SITUATIONS)
    return Players((row, row, row), (0.5, 0.5))


def _holding_policy() -> HoldingPolicy:
    """A policy that was fitted to a few hands."""
    rows = HoldingRows.of(random_played(LIMIT, 40))
    settings = HoldingsEM(buckets=StreetBuckets((2, 2, 2, 2)))
    return learn_given(rows, rows.holding >= 0, settings, Memberships(settings.buckets)).policy


def _judged() -> Judged:
    """Two models at the decision points of a few hands."""
    return judge_session(random_played(LIMIT, 5), dict.fromkeys(("one", "two"), lambda view, street: _EVEN))


def _columns(judged: Judged) -> str:
    """All columns by name, as text."""
    return str((judged.scores, asdict(judged.points), asdict(judged.actions), judged.known))


def _tables(abstraction: Abstraction) -> BucketTables:
    return BucketTables(abstraction, np.zeros((1755, 1326), np.uint16), np.zeros((16432, 1326), np.uint16))


def _save_buckets(path: Path) -> None:
    made, names = _tables(_LIMIT_PLAN.abstraction), ("abstraction", "digest")
    digests = (made.abstraction.digest, made.digest)
    heads = {name: np.array(digest) for name, digest in zip(names, digests, strict=True)}
    write_arrays(path, {**heads, "flops": made.flops, "turns": made.turns})


def _read_buckets(path: Path) -> str:
    return bucket_tables(_LIMIT_PLAN.abstraction, path).digest


def _save_checkpoint(plan: SolvePlan, run: type[LimitRun] | type[NoLimitRun], path: Path) -> None:
    solver = run(plan, _tables(plan.abstraction)).solver
    save(path.parent, plan, solver.iterations, solver.sums)


_EVEN = np.full(1326, 1 / 1326)
_JUDGED = (lambda path: save_judged(_judged(), path), lambda path: _columns(load_judged(path)))


def _save_solution(path: Path) -> None:
    """Every action of the betting is as likely."""
    betting = betting_of(_NO_LIMIT_PLAN.game)
    blocks = betting.blocks(_NO_LIMIT_PLAN.abstraction.counts)
    policy = np.concatenate([np.full(shape, 1 / shape[1], np.float32).ravel() for shape in blocks])
    save_solution(SolvedStrategy.of(betting, _NO_LIMIT_PLAN.abstraction, policy, {"command": "-"}), path)


def _read_plan(path: Path) -> SolvePlan:
    return read_plan(path.parent)


def _read_solution(path: Path) -> str:
    return load_solution(path).digest


_SPOT = Spot("Td9d6hQc2s", 20, 50, oop="QQ,54s", ip="TT", sizes="60%, a", raises="a")


def _save_spot(path: Path) -> None:
    solve_spot(_SPOT, target=0, iterations=3, locks=[Lock("check", {"check": 0.5})]).save(path)


def _read_spot(path: Path) -> str:
    found = SpotSolution.load(path)
    return f"{found} {found.tree} {found.spot!r} {found.solver.given.fixed[0].shares}"


_ACPC = (
    lambda path: acpc.write_log(path, random_played(LIMIT, 40)),
    partial(_hands, partial(acpc.read_log, variant=LIMIT)),
)
_PHH = (lambda path: phh.write_phhs(path, random_played(LIMIT, 10)), partial(_hands, phh.read_phhs))
_CASES = (lambda path: _casebase().save(path), lambda path: _content(CaseBase.load(path, SCHEMA)))
_CSV = (lambda path: export_csv(_casebase(), path), lambda path: _content(import_csv(path, SCHEMA)))
_PLAYERS = (
    lambda path: save_players(_players(), path, "tests"),
    lambda path: load_players(path).digest,
)
_STYLES = (
    lambda path: save_styles(Styles((sensible(), sensible()), (0.5, 0.5)), path, "tests"),
    lambda path: load_styles(path).digest,
)
_LEARNED = Learned(np.array([3, 77]), np.ones((2, 12), np.float32), np.full((2, 12), 9, np.uint32))
_CONTINUATIONS = (
    lambda path: save_continuations(dict.fromkeys(("limit", "no-limit"), _LEARNED), path, "tests"),
    lambda path: [part.tobytes() for each in load_continuations(path).values() for part in each.learned()],
)
_HOLDINGS = (
    lambda path: save_holding_policy(_holding_policy(), path),
    lambda path: load_holding_policy(path).to_arrays()["digest"].tobytes(),
)
_WEIGHTS = (
    lambda path: save_weights(path, Weights.of(BAYCARP2.schemas, {"source": "tests"})),
    lambda path: load_weights(path, BAYCARP2.schemas).streets,
)
_NETWORK = (lambda path: io.save(_network(), path), lambda path: io.load(path).digest())
_GAME = (_text(shipped()["holdem.nolimit.3p"]), _read_game)

KINDS: Mapping[str, Kind] = {
    "case-base": Kind("cases.npz", *_CASES),
    "case store": Kind("cases.sqlite", _save_store, _read_store),
    "case store, salvaged": Kind("cases.sqlite", _save_store, _salvaged, same=ge),
    "model, case-base": Kind("flop.npz", *_MODEL),
    "model, network": Kind("network.npz", *_MODEL),
    "model, manifest": Kind("manifest.json", *_MODEL),
    "network": Kind("network.npz", *_NETWORK),
    "strategy of a small game": Kind("kuhn.npz", _save_strategy, _read_strategy),
    "players": Kind("players.npz", *_PLAYERS),
    "styles": Kind("styles.npz", *_STYLES),
    "continuations": Kind("continuations.npz", *_CONTINUATIONS),
    "policy by holdings": Kind("holdings.npz", *_HOLDINGS),
    "judged session": Kind("0000.npz", *_JUDGED),
    "solve, buckets": Kind("buckets.npz", _save_buckets, _read_buckets),
    "solve, checkpoint": Kind("checkpoint.npz", partial(_save_checkpoint, _LIMIT_PLAN, LimitRun), _read_plan),
    "solve, strategy": Kind(
        "solution.npz", lambda path: save_solution(load_solution(SHIPPED_LIMIT), path), _read_solution
    ),
    "no-limit solve, checkpoint": Kind(
        "checkpoint.npz", partial(_save_checkpoint, _NO_LIMIT_PLAN, NoLimitRun), _read_plan
    ),
    "no-limit solve, strategy": Kind("solution.npz", _save_solution, _read_solution),
    "solution of a spot": Kind("spot.npz", _save_spot, _read_spot),
    "journal": Kind("match.journal", _save_journal, _read_journal, same=_is_begun),
    "ACPC log, packed": Kind("hands.log.gz", *_ACPC),
    "PHH, packed": Kind("hands.phhs.gz", *_PHH),
    "IRC archive": Kind("irc.tgz", _save_irc, partial(_hands, irc.read_archive)),
    "weights": Kind("weights.json", *_WEIGHTS, checked=False),
    "cases as CSV": Kind("cases.csv", *_CSV, checked=False),
    "ACPC log": Kind("hands.log", *_ACPC, checked=False),
    "PHH": Kind("hands.phhs", *_PHH, checked=False),
    "game file": Kind("one.game", *_GAME, checked=False),
    "network as BIF": Kind("network.bif", _save_bif, _read_bif, checked=False),
}
"""By name."""
