"""The part of the look-ahead runs, and has a row for every street and number of seats."""

import json

from benchmarks.__main__ import main


def test_the_part_has_a_row_for_each_street_and_table(capsys):
    assert main(["lookahead", "--spent", "2", "--seeds", "2", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len({(row["street"], row["seats"]) for row in rows}) == len(rows) == 12
    assert all(row["rate"] > 0 and row["error"] >= 0 for row in rows)
