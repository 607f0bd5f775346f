"""Damaged command lines: each ends in an answer or in one line about what is wrong, never in a traceback."""

from collections.abc import Mapping
from functools import partial
from random import Random
from tempfile import TemporaryDirectory

from experiments.gates.damage import damaged
from experiments.gates.gate import Result, Share
from experiments.gates.programs import Origin, python

__all__ = ["CALLS", "damaged_commands"]

SECONDS = 20.0
"""After which a command that works is interrupted."""

CALLS: Mapping[str, str] = {
    "table": "call random sizer --game holdem.nolimit.3p --hands 9 --workers 1 --out here",
    "match": "random B=call --deals 10 --seed 3 --workers 1 --until B>random@95% --out here",
    "tournament": "random B=call C=rule --deals 4 --seats 2 --groups 1 --workers 1 --out here",
    "play": "rule --game holdem.limit.2p.reverse_blinds --port 0 --no-open --time 1 --out here",
    "review": "hands.log --player Ann --judge rule --rest rule --deals 10 --workers 1 --game holdem.limit.3p",
    "watch": "frequency rule --hands 20 --seed 3 --format acpc --workers 1 --out here --json",
    "train": "here --hands 10 --workers 1 --from hands.log --player Ann --game holdem.limit.3p",
    "memory coverage": "here --most 3 --ask 4 --out there",
    "memory import": "mine here --model there",
    "exploit": "random --hands 20 --seed 3 --workers 1 --out here --json",
    "decide": "MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c --agent rule --game holdem.limit.2p.reverse_blinds --json",
    "serve acpc": "127.0.0.1 9 --agent call --game holdem.limit.3p --time 0.5 --wait 0",
    "serve engine": "--agent call --seed 3 --time 0.5 --playouts 10",
    "serve dealer": "holdem.limit.2p.reverse_blinds 10 3 Ann Bob --wait 1 --port 0,0",
    "solve": "leduc --iterations 20 --algorithm mccfr --seed 3 --out there.npz --json",
    "inspect cases": "here --street flop",
    "agents": "rule formula --json",
    "doctor": "--model here",
}
"""Arguments of every command, or of its parts, that end soon: the damaged ones are made of them."""


def damaged_commands(share: Share) -> Result:
    """A share of the calls, of each command in turn."""
    result, names = Result(), list(CALLS)
    with Origin(f"baycarp.cli.{name.split()[0]}" for name in names) as origin:
        for number in share:
            name = names[number % len(names)]
            words = _words(name, Random(f"{share.seed} {number}"))
            with TemporaryDirectory() as folder:
                _call(origin, [*name.split(), *words], folder, result)
            result.done += 1
    return result


def _words(name: str, draw: Random) -> list[str]:
    """The arguments of a good call after one or two accidents, as a shell can pass them."""
    words = CALLS[name].split()
    for _ in range(draw.randint(1, 2)):
        at = draw.randrange(len(words))
        accident = draw.randrange(5)
        if accident == 0 and len(words) > 1:
            del words[at]
        elif accident == 1:
            words.insert(at, draw.choice(words))
        else:
            word = damaged(words if accident == 2 else words[at : at + 1], str(draw.random()))
            words[at] = word.replace("\0", "").encode("utf-8", "replace").decode()[:5000]
    return words


def _call(origin: Origin, words: list[str], folder: str, result: Result) -> None:
    call = partial(origin.program, group=True, folder=folder, BAYCARP_HOME=folder)
    with call(python, "-m", "baycarp", *words) as program:
        program.wait(SECONDS)
        status = program.status
        program.kill()
        error = program.err
    if status is None:
        result.counts[f"still at work after {SECONDS:.0f} s"] += 1
    else:
        result.counts[f"exit status {status}"] += 1
        if status < 0:
            result.find("crashes", f"{words}: signal {-status}")
    if "Traceback" in error:
        result.find("untyped", f"{words}: {error.splitlines()[-1:]}")
