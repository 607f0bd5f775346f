"""BIF as other programs write it, and our own of any names, read back."""

import random
from contextlib import suppress

import numpy as np
import pytest

from baycarp.bn import Network, Structure, read_bif, write_bif
from baycarp.bn.bif import parse_bif
from baycarp.errors import ModelError, SchemaError

# R's bnlearn 4.9, `write.bif` of discretised data: made by hand after its documentation
BNLEARN = """network unknown {
}
variable Dose {
  type discrete [ 3 ] { (0,5], (5,10], (10,Inf] };
}
variable V1.x {
  type discrete [ 2 ] { [-1.5e+00,0), [0,2] };
}
probability ( Dose ) {
  table 0.25, 0.5, 0.25;
}
probability ( V1.x | Dose ) {
  ((0,5]) 0.1, 0.9;
  ((5,10]) 0.4, 0.6;
  ((10,Inf]) 0.5, 0.5;
}
"""

# JavaBayes, whose form GeNIe 4 and SamIam 3 import and export: made by hand after its documentation
JAVABAYES = """// Bayesian network
network "Dog; // a problem" { //2 variables and 2 probability distributions
\tproperty "credal-set constant-density-bounded 1.1" ;
}
variable  "light-on" { //2 values
\ttype discrete[2] {  "true"  "property" };
\tproperty "position = (218; 195)" ;
}
variable  "house property" { /* two values */
\ttype discrete[2] {  "no // yes"  "{false}" };
}
probability (  "light-on" ) { //1 variable(s) and 2 values
\ttable 0.3 0.7 ;
}
probability (  "house property"  "light-on" ) { //2 variable(s) and 4 values
\tproperty author; \ttable 0.6 0.05 0.4 0.95 ;
}
"""

# Hugin's and SamIam's states with blanks, without quotation marks: made by hand after their documentation
HUGIN = """network class { property HR_Grid_X = 10; }
variable Stage { type discrete [ 2 ] { very low, not so high }; property label = "a;b"; }
variable Cure { type discrete [ 2 ] { property, none }; }
probability ( Stage ) { default 0.5, 0.5; }
probability ( Cure | Stage ) { (very low) 1e-1, .9; (not so high) 4E-1, 0.6; }
"""


@pytest.mark.parametrize(
    ("text", "nodes", "row"),
    [
        (BNLEARN, {"Dose": ("(0,5]", "(5,10]", "(10,Inf]"), "V1.x": ("[-1.5e+00,0)", "[0,2]")}, [0.4, 0.6]),
        (
            JAVABAYES,
            {"light-on": ("true", "property"), "house property": ("no // yes", "{false}")},
            [0.05, 0.95],
        ),
        (HUGIN, {"Stage": ("very low", "not so high"), "Cure": ("property", "none")}, [0.4, 0.6]),
    ],
    ids=["bnlearn", "JavaBayes, GeNIe", "Hugin, SamIam"],
)
def test_files_of_other_programs_are_read(text, nodes, row, tmp_path):
    network = parse_bif(text)
    assert dict(network.structure.states) == nodes
    assert network.cpt(list(nodes)[1])[1].tolist() == pytest.approx(row)
    write_bif(network, tmp_path / "again.bif")
    assert read_bif(tmp_path / "again.bif") == network


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_ends_of_lines_of_windows_are_read(mark, end, tmp_path):
    path = tmp_path / "a.bif"
    path.write_bytes((mark + BNLEARN.replace("\n", end)).encode())
    assert read_bif(path) == parse_bif(BNLEARN)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_another_encoding_is_refused_by_its_byte(encoding, tmp_path):
    path = tmp_path / "a.bif"
    path.write_bytes(HUGIN.replace("Cure", "Größe").encode(encoding))
    with pytest.raises(ModelError, match=r"a\.bif: no network in BIF: byte \d+: expected UTF-8"):
        read_bif(path)


@pytest.mark.parametrize("word", ["NaN", "nan", "NA"])
def test_a_row_that_was_never_observed_is_named(word):
    with pytest.raises(ModelError, match=r"'V1.x' at \(\(5,10\]\): NaN, .*never observed.*: expected 2"):
        parse_bif(BNLEARN.replace("((5,10]) 0.4, 0.6", f"((5,10]) {word}, {word}"))


def test_a_row_that_is_missing_is_named():
    with pytest.raises(ModelError, match=r"table of 'V1.x' at \(\(5,10\]\): no such row"):
        parse_bif(BNLEARN.replace("  ((5,10]) 0.4, 0.6;\n", ""))


LETTERS = "\"\\'/*;{}[]()|,= \t\n\r\0\x1b\u202e\u2028\ufeff\ud800𝔸ßЖ李 property//table_-.09(0,5]"
WORDS = (
    *("property", "table", "a//b", "/*", "no property", "house_property", '"', "\\", "(0,5]", "\\u0041"),
    *(" ", "NaN"),
)


def hostile_name(draw):
    if draw.random() < 0.3:
        return draw.choice(WORDS)
    return "".join(draw.choices(LETTERS, k=draw.randint(1, 8)))


def random_network(number):
    draw, rng = random.Random(number), np.random.default_rng(number)
    nodes = list(dict.fromkeys(hostile_name(draw) for _ in range(draw.randint(1, 4))))
    states = {
        node: list(dict.fromkeys(hostile_name(draw) for _ in range(draw.randint(1, 4)))) for node in nodes
    }
    parents = {node: draw.sample(nodes[:place], min(place, 2)) for place, node in enumerate(nodes)}
    structure = Structure(states, parents)
    tables = {node: rng.dirichlet(np.ones(len(states[node])), structure.shape(node)[:-1]) for node in nodes}
    return Network(structure, tables)


def read_back(numbers, path):
    for number in numbers:
        network = random_network(number)
        write_bif(network, path)
        assert read_bif(path) == network, number


def test_any_network_is_read_back(tmp_path):
    read_back(range(300), tmp_path / "a.bif")


@pytest.mark.slow
def test_ten_thousand_networks_are_read_back(tmp_path):
    read_back(range(10_000), tmp_path / "a.bif")


@pytest.mark.parametrize("at", range(0, len(JAVABAYES), 7))
def test_a_text_that_is_cut_is_typed(at):
    with suppress(ModelError, SchemaError):
        parse_bif(JAVABAYES[:at])
