"""The recipes of the data that the package ships: ``python -m experiments recipes`` lists them.

Models of agents are made by ``baycarp train``: their manifests name the commands.
"""

__all__ = ["RECIPES"]

RECIPES = {
    "calibrate": "src/baycarp/agents/table.py, the default table; five minutes",
    "people_table": "src/baycarp/agents/table.py, the people's table; a minute",
    "bpp": "src/baycarp/data/bpp.npz, the tables of bpp; a minute",
    "income": "src/baycarp/data/income_rates.csv; a minute",
    "continuations": "src/baycarp/data/models/continuations.npz, what look-aheads begin with; five minutes",
    "dealt_counts": "src/baycarp/data/dealt.npz",
    "learned_players": "src/baycarp/data/models/mcts-learned.npz, the published models of mcts; five minutes",
    "styles": "src/baycarp/data/models/styles.npz; takes two archives of people",
}
"""By name: the file that it makes, and the time on one core."""
