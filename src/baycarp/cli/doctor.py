"""Print versions and the model in use, and self-test."""

import platform
from argparse import Namespace
from importlib.metadata import PackageNotFoundError, version

import baycarp
from baycarp.cli.options import option
from baycarp.cli.output import print_text
from baycarp.kernels import simd
from baycarp.strategies.memory import home
from baycarp.strategies.model import DEFAULT_AGENT, load_model

LIBRARIES = ("numpy", "faiss-cpu", "pgmpy", "rich", "matplotlib", "pokerkit", "cma")


add = option("--model", default=str(DEFAULT_AGENT), help="folder of the model (default: the default agent's)")


def run(args: Namespace) -> int:
    """Report, then test; 1 when a test fails."""
    print(f"baycarp     {version('baycarp')}")
    print(f"python      {platform.python_version()} on {platform.machine()} {platform.system()}")
    print(f"simd        {simd.active()} (this processor has {', '.join(simd.AVAILABLE)})")
    for library in LIBRARIES:
        try:
            print(f"{library:<11} {version(library)}")
        except PackageNotFoundError:
            print(f"{library:<11} not installed")
    print(f"home        {home()}")
    print(f"model       {args.model}")
    for name, value in load_model(args.model).about().items():
        print_text(f"  {name:<10} {value}")
    failed = [name for name, passed in _tests(args.model) if not passed]
    print("self-test   " + ("failed: " + ", ".join(failed) if failed else "passed"))
    return 1 if failed else 0


def _tests(model: str) -> list[tuple[str, bool]]:
    """Known results: a royal flush beats all, and Billings' example of strength and potential."""
    hs, ppot, npot = baycarp.strength("AdQc", "3h4cJh")
    observation = baycarp.observe("MATCHSTATE:0:0:c:AhKd|", game="holdem.limit.2p.reverse_blinds")
    decision = baycarp.load(f"cases(model={str(model)!r})").decide(observation, time_limit=1.0)
    return [
        ("rank", baycarp.rank("AsKsQsJsTs2c2d") > baycarp.rank("9s8s7s6s5s4c3d")),
        ("strength", (round(hs, 4), round(ppot, 4), round(npot, 4)) == (0.5851, 0.2083, 0.2737)),
        ("decide", decision.action in observation.legal_actions()),
    ]
