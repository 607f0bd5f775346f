"""Retrieval by the formula in a plain double loop; and synthetic cases like those of the flop."""

import math

import numpy as np

from baycarp.cases import (
    Aligned,
    CaseBase,
    Exponential,
    Feature,
    Linear,
    Matrix,
    Nested,
    PredictedStates,
    Schema,
)

STATES = tuple(f"type{i}" for i in range(17))

FLOP = Schema(
    name="flop",
    features=(
        Feature("number of players", 5, Linear(max=8)),
        Feature("players in hand", 5, Linear(max=9)),
        Feature("players yet to act", 5, Linear(max=9)),
        Feature("relative position", 5, Linear(max=1)),
        Feature("bets committed", 20, Exponential(k=4, max=6)),
        Feature("bets to call", 20, Exponential(k=2, max=8)),
        Feature("bets total", 5, Linear(max=16)),
        Feature("pot odds", 5, Linear(max=0.5)),
        Feature("relative hand strength", 80, Exponential(k=3, max=1)),
        Feature("opponent hand type", 5, PredictedStates(STATES, slots=3)),
        Feature("positive potential", 80, Exponential(k=2, max=1)),
        Feature("negative potential", 80, Exponential(k=2, max=1)),
    ),
    solutions=("fold", "check", "call", "bet", "raise"),
    threshold=0.93,
    provenance=(
        ("game", "i8", 1),
        ("hand", "i8", 1),
        ("player", "i4", 1),
        ("board", "u1", 5),
        ("hole", "u1", 2),
    ),
)

MERGED = Schema(
    "merged",
    (Feature("x", 1, Linear(max=10)), Feature("child", 1, Aligned("0123456789", 0.1))),
    ("low", "high"),
    0.9,
    merged=True,
)


def exp_nonpositive(x):
    """e^x for x <= 0 by the operations of csrc's exp_nonpositive.h, with equal rounding under IEEE 754."""
    n = round(x * 1.4426950408889634)
    r = x - n * float.fromhex("0x1.62e42fefa0000p-1") - n * float.fromhex("0x1.cf79abc9e3b3ap-40")
    series = 0.0
    for power in range(13, 1, -1):
        series = series * r + 1 / math.factorial(power)
    return 0.0 if x < -708 else (1.0 + (r + r * r * series)) * 2.0**n


def similarity(schema, query, columns, i):
    """The weighted mean of section 5.4.3, numbers first, for case i; ``query`` is values by feature."""
    numbers = [f for f in schema.features if isinstance(f.similarity, Linear | Exponential)]
    total = weights = 0.0
    for row, feature in enumerate(numbers):
        local = feature.similarity
        d = abs(float(columns["numbers"][row, i]) - float(np.float32(query[feature.name])))
        s = exp_nonpositive(-local.k * d / local.max) if local.k else max(0.0, 1 - d / local.max)
        total += feature.weight * s
        weights += feature.weight
    slot = 0
    for feature in schema.features:
        if not isinstance(feature.similarity, PredictedStates):
            continue
        states, chance = feature.similarity.states, query[feature.name]
        likeliest = sorted(
            (s for s in states if chance.get(s, 0) > 0), key=lambda s: (-chance[s], states.index(s))
        )
        top = likeliest[: feature.similarity.slots]
        for place in range(feature.similarity.slots):
            code = int(columns["codes"][slot, i])
            held = None if code == 255 else states[code]
            if place < len(top):
                s = 1 - abs(chance[top[place]] - chance[held]) if held in top else 0.0
            else:
                s = float(held is None)
            total += feature.weight * s
            weights += feature.weight
            slot += 1
    symbol = 0
    for feature in schema.features:
        if isinstance(feature.similarity, Matrix | Nested | Aligned):
            held = str(columns["symbols"][symbol, i])
            total += feature.weight * of_symbols(feature.similarity, query[feature.name], held)
            weights += feature.weight
            symbol += 1
    return total / weights


def of_symbols(local, x, y):
    """The similarity of two symbols, by its definition."""
    if isinstance(local, Matrix):
        return dict(zip(local.symbols, local.table[local.symbols.index(x)], strict=True))[y]
    if isinstance(local, Nested):
        x, y = (keys if isinstance(keys, tuple) else tuple(keys.split("|")) for keys in (x, y))
        equal = [value for value, a, b in zip(local.values, x, y, strict=True) if a == b]
        return max(equal, default=0.0)
    apart = 0
    for a, b in zip(x, y, strict=False):
        if (a in local.order) != (b in local.order) or (a not in local.order and a != b):
            return 0.0
        apart += abs(local.order.find(a) - local.order.find(b))
    return max(0.0, 1.0 - local.step * apart) if len(x) == len(y) else 0.0


def retrieval(schema, query, columns, at_least, at_most=None):
    """(similarity, id) of every case at or above ``at_least``, most similar first, ties by id.

    The default of ``at_most`` is the schema's ``most``; if the schema has ties, those with the last are kept.
    """
    n, at_most = len(columns["ids"]), at_most or schema.most
    scored = [(similarity(schema, query, columns, i), int(columns["ids"][i])) for i in range(n)]
    found = sorted((c for c in scored if c[0] >= at_least), key=lambda c: (-c[0], c[1]))
    if at_most and schema.ties and len(found) > at_most:
        return [c for c in found if c[0] >= found[at_most - 1][0]]
    return found[:at_most]


def draw(n, seed, clumped=True):
    """n synthetic flop cases as columns. Clumped: coarse strengths, narrow potentials, as real cases."""
    rng = np.random.default_rng(seed)
    x = np.zeros((11, n), np.float32)
    x[0] = rng.choice(np.arange(2, 11), n, p=[0.05, 0.05, 0.07, 0.1, 0.15, 0.2, 0.18, 0.12, 0.08])
    x[1] = np.clip(rng.geometric(0.45, n), 1, x[0] - 1)
    x[2] = np.floor(rng.random(n) * (x[1] + 1))
    x[3] = 1 - x[2] / x[1]
    x[4] = rng.choice(5, n, p=[0.62, 0.22, 0.1, 0.04, 0.02])
    x[5] = 2 * rng.choice(5, n, p=[0.5, 0.36, 0.1, 0.03, 0.01])
    x[6] = np.minimum(16, rng.poisson(2.2, n) + 1)
    x[7] = np.where(x[5] == 0, 0, np.round(rng.beta(2, 9, n), 3))
    if clumped:
        x[8] = np.round(rng.beta(2.5, 2.5, n) * 120) / 120
        x[9], x[10] = np.round(rng.beta(2, 16, n), 2), np.round(rng.beta(2, 20, n), 2)
    else:
        x[8] = rng.beta(1.3, 1.3, n)
        x[9] = np.clip(rng.beta(1.6, 7, n) * (1.25 - x[8]), 0, 1)
        x[10] = np.clip(rng.beta(1.6, 9, n) * (0.4 + x[8]), 0, 1)
    chances = np.array([45, 12, 9, 7, 6, 5, 4, 3, 2, 2, 1.5, 1, 1, 0.5, 0.5, 0.3, 0.2])
    codes = np.argsort(-(rng.gumbel(size=(n, 17)) + np.log(chances)), axis=1)[:, :3].T.astype(np.uint8)
    codes[2, rng.random(n) < 0.05] = 255
    provenance = np.zeros(n, FLOP.origin)
    provenance["hand"] = np.arange(n)
    return {
        "numbers": x,
        "codes": np.ascontiguousarray(codes),
        "solutions": rng.integers(0, 5, n).astype(np.uint8),
        "outcomes": rng.integers(-4, 5, n).astype(np.float64),
        "provenance": provenance,
    }


def queries(n, seed, clumped=True):
    """n situations of the same kind, as values by feature."""
    columns, rng = draw(n, seed, clumped), np.random.default_rng(seed + 1)
    names = [feature.name for feature in FLOP.numbers]
    for i in range(n):
        chances = sorted(rng.dirichlet([3, 1.2, 0.8, 2])[:3], reverse=True)
        held = [STATES[code] for code in columns["codes"][:, i] if code != 255]
        posterior = dict(zip(held, map(float, chances), strict=False))
        yield {
            **dict(zip(names, columns["numbers"][:, i].tolist(), strict=True)),
            "opponent hand type": posterior,
        }


def casebase(n, seed=0, clumped=True, indexed=True):
    """A case-base of synthetic cases."""
    base = CaseBase(FLOP)
    base.extend_columns(draw(n, seed, clumped))
    if indexed:
        base.fold_in()
    return base
