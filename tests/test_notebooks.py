"""The notebooks of docs/notebooks: stored without outputs, their cells run in order, their results hold."""

import ast
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))


def code(path):
    """The texts of the code cells."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def executed(path):
    """The names after all cells, which run as in a notebook: the last value of each draws itself."""
    names, shown = {"__name__": "__main__"}, []
    for number, text in enumerate(code(path)):
        tree = ast.parse(text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        where = f"{path.name}, code cell {number}"
        exec(compile(tree, where, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
            shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    return names, shown


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path):
    book = json.loads(path.read_text("utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert book["cells"][0]["cell_type"] == "markdown"
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        assert cell["cell_type"] == "markdown" or (cell["outputs"], cell["execution_count"]) == ([], None)
    page = (FOLDER.parent / "tutorials" / "notebooks.md").read_text("utf-8")
    assert f"(../notebooks/{path.name})" in page


def test_first_decision():
    names, shown = executed(FOLDER / "first-decision.ipynb")
    assert str(names["decision"].action) == "raise to 20"
    assert "You win" in shown[1]
    assert str(names["flips"]["holding"]).startswith("call, ")


def test_network_beliefs():
    names, _ = executed(FOLDER / "network-beliefs.ipynb")
    for belief in (names["prior"], names["tight"], names["loose"]):
        assert sum(belief.values()) == pytest.approx(1, abs=0.01)
    best = names["structure"].states["HandGroup"][0]
    assert names["tight"][best] > 2 * names["prior"][best]
    assert names["tight"][best] > 2 * names["loose"][best]


def test_case_base():
    names, _ = executed(FOLDER / "case-base.ipynb")
    by_hand = [(3 * (1 - abs(0.7 - s)) + board) / 4 for s, board in ((0.9, 1), (0.5, 1), (0.8, 0.25))]
    assert names["similarities"] == [round(each, 4) for each in sorted(by_hand, reverse=True)]
    assert names["decision"].votes == {"check": 1, "bet": 2}


def test_luck(capsys):
    names, _ = executed(FOLDER / "luck.ipynb")
    assert names["factor"] > 1.5
    assert names["raw"].mean - names["raw"].margin < names["reduced"].mean
    assert f"{names['factor']:.1f} times narrower" in capsys.readouterr().out


def test_river_spot(capsys):
    names, shown = executed(FOLDER / "river-spot.ipynb")
    assert shown[0].startswith("<svg")
    assert names["bluffs"] == pytest.approx(1 / 3, abs=0.01)
    assert names["shares"].to_dict() == {
        holding: float(holding[0] == "Q") for holding in names["frame"]["holding"]
    }
    assert "without locks" in capsys.readouterr().out
