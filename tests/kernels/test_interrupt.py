"""Ctrl-C stops every kernel that may run for more than a tenth of a second, within the call."""

import signal
import subprocess
import sys

import pytest

SETUP = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent may ignore it
import numpy as np
weights = np.linspace(0.5, 1, 1326)
def network(nodes, states):
    from baycarp.bn import Network, Structure
    names = [f"n{i}" for i in range(nodes)]
    structure = Structure({name: [str(s) for s in range(states)] for name in names},
                          {b: [a] for a, b in zip(names, names[1:])})
    return Network(structure, {name: np.full(structure.shape(name), 1 / states) for name in names})
"""

WALKS = """
from types import SimpleNamespace as Values
from baycarp.kernels.mccfr import DEAL, Sampling
line = np.arange(500)  # decisions: to go on, or to end the hand
to = np.stack([np.append(line[1:], -1), np.full(500, -1)], axis=1).ravel()
ends = dict(chips=[1], folded=[-1])
tree = Values(edges=2 * np.arange(501), children=to, actors=0 * line, streets=0 * line, **ends)
sampling, deals = Sampling(tree, (1, 1, 1, 1)), np.zeros(400_000, DEAL)
"""

KERNELS = {
    "pot shares": "from baycarp.kernels.sweeps import share\ncall = lambda: share('AhAd', 6, 10**12, 1)",
    "sampled deals": (
        "from baycarp.kernels.sampling import Sampler\n"
        "sampler = Sampler([weights] * 6, '', 1)\ncall = lambda: sampler.deal(10**12)"
    ),
    "sampled deals that clash": (
        "from baycarp.kernels.sampling import Sampler\n"
        "few = np.zeros(1326); few[:21] = 1e-12; few[5] = 1\n"
        "sampler = Sampler([few] * 3, '', 1)\n"
        "def call():\n"
        "    while True:\n"
        "        try: sampler.deal(10**9)\n"
        "        except ValueError: pass"
    ),
    "a best response": (
        "from types import SimpleNamespace as Values\n"
        "from baycarp.card import HOLDINGS\n"
        "from baycarp.kernels.response import Street\n"
        "rows = np.arange(1326)\n"
        "same = 0 * rows\n"
        "board = Values(holdings=1326, holding=rows, cards=HOLDINGS, cell=same, rank=same, image=[rows])\n"
        "betting = Values(policy=np.full((99, 5, 1, 3, 8), 1 / 3), paid=np.ones((99, 8)), bet=1, bets=4)\n"
        "street, reach = Street(board, betting, True), np.ones((99, 1326, 8))\n"
        "value = np.zeros((99, 1326, 8))\n"
        "def call():\n    while True: street.add_value(reach, None, value)"
    ),
    "census": "from baycarp.kernels.hands import census\ndef call():\n    while True: census(7)",
    "ranks": (
        "from baycarp.kernels.hands import rank\n"
        "hands = np.tile(np.arange(7, dtype=np.uint8), (10**7, 1))\n"
        "def call():\n    while True: rank(hands)"
    ),
    "sampled runout": (
        "from baycarp.kernels.runout import runout\n"
        "call = lambda: runout([[0, 1], [2, 3]], [], [3], boards=10**12, seed=1)"
    ),
    "exact runout": (
        "from baycarp.kernels.runout import runout\n"
        "call = lambda: runout([[0, 1], [2, 3], [5, 6]], [], [7] * 60000)"
    ),
    "equity before the flop": (
        "from baycarp.kernels.strength import equity\ndef call():\n    while True: equity(weights, weights)"
    ),
    "expected strength before the flop": (
        "from baycarp.kernels.sweeps import sweep_expected\ndef call():\n    while True: sweep_expected('')"
    ),
    "expected strength on many boards": (
        "from baycarp.kernels.sweeps import sweep_expected_batch\n"
        "boards = np.tile([1, 9, 20], (4000, 1))\ncall = lambda: sweep_expected_batch(boards, weights)"
    ),
    "simulation": (
        "from baycarp import State, Variant\n"
        "from baycarp.kernels.simulation import Simulation\n"
        "from baycarp.rules.betting.context import Rules\n"
        "state = State(Variant.ring(3), deck=list(range(11)))\n"
        "for _ in range(3): state.apply(state.named('call' if _ < 2 else 'check'))\n"
        "state.deal(board=[20, 33, 46]) if len(state.board) == 0 else None\n"
        "zero = np.zeros(1326)\n"
        "hole = state.holes[state.to_act]\n"
        "made = Simulation(state, hole, np.ones((3, 1326)), [Rules()] * 3, zero, zero, 1)\n"
        "def call():\n    while True: made.run(2**31 - 1)"
    ),
    "posteriors": (
        "from baycarp.bn import Inference\n"
        "plan = Inference(network(40, 3)).plan(['n0', 'n39'], ['n20'])\n"
        "rows = np.zeros((10**7, 2), np.int64)\ndef call():\n    while True: plan.posteriors(rows)"
    ),
    "expected counts": (
        "from baycarp.bn import Sample\n"
        "from baycarp.bn.em_rows import Data, Part\n"
        "made = network(12, 3)\n"
        "data = Data(made.structure, Sample({'n0': np.zeros(10**6, int), 'n11': np.ones(10**6, int)}))\n"
        "part = Part(made, made.tables.copy(), data, np.arange(10**6))\n"
        "totals = np.zeros_like(made.tables)\n"
        "def call():\n    while True: part.expect(totals)"
    ),
    "explanations": (
        "from baycarp.bn import Explainer\n"
        "explainer = Explainer(network(40, 3), ('n0',))\n"
        "rows = np.zeros((10**6, 1), np.int64)\n"
        "def call():\n    while True: explainer.explain_rows(rows)"
    ),
    "sampled walks": (
        f"{WALKS}sums = np.zeros((2, sampling.cells), np.float32)\n"
        "call = lambda: sampling.learn(deals, 0, *sums, Values(seed=1, step=1))"
    ),
    "values of strategies": (
        f"{WALKS}cells = np.ones(sampling.cells, np.float32)\n"
        "call = lambda: sampling.values(deals, cells, cells)"
    ),
    "counts": (
        "from baycarp.kernels.counting import Column, count\n"
        "columns = [Column(np.zeros(3 * 10**7, int), 5) for _ in range(4)]\n"
        "def call():\n    while True: count(columns)"
    ),
    "exponentials": (
        "from baycarp.kernels.similarity import exp_nonpositive_all\n"
        "x = np.full(10**7, -1.0)\ndef call():\n    while True: exp_nonpositive_all(x)"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_ctrl_c_stops_the_kernel(kernel):
    program = f"{SETUP}\n{KERNELS[kernel]}\nprint('ready', flush=True)\ncall()\n"
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "ready\n", child.stderr.read()
        with pytest.raises(subprocess.TimeoutExpired):  # the kernel is running
            child.wait(0.5)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    *_, place, last = (line for line in errors.splitlines() if line.lstrip().startswith(("File", "Keyboard")))
    assert last == "KeyboardInterrupt"
    assert ".pyx" in place  # raised within the call, not after it
