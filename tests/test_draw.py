"""Drawings in characters, and pictures as files."""

import builtins
from contextlib import contextmanager
from xml.etree import ElementTree

import numpy as np
import pytest

from baycarp.draw import (
    curve_as_text,
    decay_as_text,
    mixture_as_svg,
    rates,
    save_cross_table,
    save_curve,
    save_nearest,
    save_network,
    save_spreads,
)
from baycarp.draw.rates import margins, save_shares
from baycarp.errors import PictureError

CURVE = np.linspace(-0.5, 1.0, 400)


def drawing(curve, **size):
    """The characters between the axis and the end of each line."""
    return [line.split("┤", 1)[1] for line in curve_as_text(curve, **size).splitlines() if "┤" in line]


@pytest.mark.parametrize(("width", "height"), [(72, 12), (40, 5), (100, 30)])
def test_a_curve_has_the_requested_size(width, height):
    lines = curve_as_text(CURVE, width, height).splitlines()
    assert len(lines) == height + 2
    assert {len(line) for line in drawing(CURVE, width=width, height=height)} == {width}
    assert len({line.index("┤") for line in lines[:height]}) == 1
    assert lines[-1].split()[-2:] == ["400", "hands"]


def test_a_rising_curve_rises_from_corner_to_corner():
    rows = drawing(CURVE, width=60, height=10)
    column = [next(row for row in range(10) if rows[row][x] == "•") for x in range(60)]
    assert column == sorted(column, reverse=True)
    assert (column[0], column[-1]) == (9, 0)
    assert all(sum(row[x] == "•" for row in rows) == 1 for x in range(60))


def test_the_axis_labels_the_ends_and_zero():
    lines = curve_as_text(CURVE, height=11).splitlines()
    assert float(lines[0].split("┤")[0]) == pytest.approx(1.0, abs=0.001)
    assert float(lines[10].split("┤")[0]) == pytest.approx(
        CURVE[8], abs=0.001
    )  # the first fiftieth is omitted
    zero = [line for line in lines if "─" in line.split("┤")[-1] and "┤" in line]
    assert len(zero) == 1
    assert abs(float(zero[0].split("┤")[0])) < 0.08  # half a row


def test_zero_is_always_shown():
    for curve, row in ((np.full(50, 0.3), -1), (np.full(50, -0.3), 0)):
        assert set(drawing(curve)[row]) == {"─"}
    assert set(drawing(np.zeros(50))[0]) == {"•"}


def test_the_first_hands_do_not_set_the_scale():
    curve = np.concatenate([[50.0], np.full(199, 0.1)])
    assert "50" not in curve_as_text(curve).splitlines()[0]


@pytest.mark.parametrize("hands", [1, 2, 3, 49])
def test_a_curve_of_few_hands_is_drawn(hands):
    rows = drawing(np.full(hands, 0.5), width=30)
    assert rows[0] == "•" * 30


def test_a_picture_is_written_in_the_format_of_its_suffix(tmp_path):
    pytest.importorskip("matplotlib")
    save_curve(CURVE, "BayCaRP", tmp_path / "curve.png")
    data = (tmp_path / "curve.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert data.endswith(b"IEND\xaeB`\x82")
    save_curve(CURVE, "BayCaRP", tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text("utf-8")


TABLE = (
    ("Ann", "Bob"),
    np.array([[np.nan, 0.25], [-0.25, np.nan]]),
    np.array([[np.nan, 0.125], [0.5, np.nan]]),
)


@pytest.mark.parametrize(("unit", "cells"), [("sb/h", ["+0.250", "±0.500"]), ("mbb/h", ["+0", "±0"])])
def test_a_cross_table_shows_its_numbers(tmp_path, monkeypatch, unit, cells):
    pytest.importorskip("matplotlib")
    monkeypatch.setitem(__import__("matplotlib").rcParams, "svg.fonttype", "none")  # text stays text
    save_cross_table(*TABLE, unit, tmp_path / "new" / "table.svg")
    words = (tmp_path / "new" / "table.svg").read_text("utf-8")
    assert all(f">{word}<" in words for word in ("Ann", "Bob", *cells))
    assert "nan" not in words
    save_cross_table(("Ann", "Bob"), np.zeros((2, 2)), np.zeros((2, 2)), unit, tmp_path / "even.png")
    assert (tmp_path / "even.png").read_bytes().startswith(b"\x89PNG")


def test_a_share_of_nothing_is_drawn_where_its_interval_begins_above_it_by_rounding(tmp_path):
    pytest.importorskip("matplotlib")
    save_shares({"Ann": [(0.0, 2e-17, 0.4), (1.0, 0.6, 1.0 - 2e-16)]}, ["3-bet", "fold"], tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_a_hint(tmp_path, monkeypatch):
    there = builtins.__import__

    def absent(name, *rest):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return there(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ImportError, match=r"pip install 'baycarp\[viz\]'"):
        save_cross_table(*TABLE, "sb/h", tmp_path / "table.png")
    with pytest.raises(ImportError, match=r"pip install 'baycarp\[viz\]'"):
        save_curve(CURVE, "BayCaRP", tmp_path / "curve.png")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["curve", "curve.", "curve.jpg", "png", "curve.svg.gz"])
def test_another_suffix_is_refused(tmp_path, name):
    with pytest.raises(PictureError, match=r"expected a name that ends in \.png, \.svg, \.pdf"):
        save_curve(CURVE, "BayCaRP", tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_decay_of_powers_is_a_straight_line():
    at = [10**power for power in range(5)]
    lines = decay_as_text(at, [each**-2 for each in at], "steps", width=41, height=9).splitlines()
    rows = [line.split("┤")[1] for line in lines if "┤" in line]
    columns = [[column for column, dot in enumerate(row) if dot == "•"] for row in rows]
    assert [column for row in columns for column in row] == list(range(41))
    assert {len(row) for row in columns[1:-1]} <= {5, 6}
    assert [float(line.split("┤")[0]) for line in (lines[0], lines[4], lines[8])] == [1, 1e-4, 1e-8]
    assert lines[-1].split() == ["1", "10,000", "steps"]


@pytest.mark.parametrize(("at", "values"), [([1], [0.5]), ([1, 2], [0.0, 0.0]), ([1, 2, 5], [1.0, 0.0, 1.0])])
def test_a_decay_of_few_values_or_to_zero_is_drawn(at, values):
    rows = [line.split("┤")[1] for line in decay_as_text(at, values, "steps").splitlines() if "┤" in line]
    assert sum(row.count("•") for row in rows) == 60


def luminance(color):
    """Relative luminance by WCAG 2."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_number_of_a_cross_table_can_be_read(tmp_path, monkeypatch):
    """A contrast of 4.5 : 1, the least of WCAG 2, also where the result is strongest."""
    colors = pytest.importorskip("matplotlib.colors")
    kept = []

    @contextmanager
    def picture(path, size):
        with drawn(path, size) as axes:
            yield axes
            kept.append(axes)

    drawn = rates.picture
    monkeypatch.setattr(rates, "picture", picture)
    means = np.linspace(-1, 1, 9).reshape(3, 3)
    save_cross_table(("A", "B", "C"), means, np.full((3, 3), 0.3), "sb/h", tmp_path / "it.svg")
    (axes,) = kept
    (image,) = axes.images
    cells = image.to_rgba(image.get_array(), alpha=image.get_alpha())
    for text in axes.texts:
        column, row = map(int, text.get_position())
        alpha = cells[row, column, 3]
        behind = alpha * cells[row, column, :3] + 1 - alpha
        dark, light = sorted((luminance(colors.to_rgb(text.get_color())), luminance(behind)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, text.get_text()


def test_the_interval_of_a_curve_is_that_of_its_hands():
    won = np.random.default_rng(3).normal(0.2, 3, 400)
    found = margins(np.cumsum(won) / np.arange(1, 401))
    assert np.isnan(found[0])
    for hands in (2, 50, 400):
        assert found[hands - 1] == pytest.approx(1.96 * won[:hands].std(ddof=1) / hands**0.5)


HOSTILE = "E\x1b[31mV\u202eI\u200bL\x07 $\\frac$"


def test_names_of_strangers_are_escaped_in_every_picture(tmp_path):
    pytest.importorskip("matplotlib")
    one, two = np.ones((1, 1)), np.ones((2, 2))
    pictures = {
        "curve": lambda path: save_curve(CURVE, HOSTILE, path),
        "rates": lambda path: rates.save_rates({HOSTILE: [(0.1, 0.2)]}, [HOSTILE], path),
        "shares": lambda path: save_shares({HOSTILE: [(0.5, 0.2, 0.8)]}, [HOSTILE], path),
        "table": lambda path: save_cross_table((HOSTILE, "B"), two, two, HOSTILE, path),
        "nearest": lambda path: save_nearest([HOSTILE], {HOSTILE: 1.0}, one, path),
        "spreads": lambda path: save_spreads({HOSTILE: ([HOSTILE], two[:, :1])}, [HOSTILE, "b"], path),
        "network": lambda path: save_network(
            {HOSTILE: [], "b": [HOSTILE]}, {HOSTILE: {HOSTILE: 1.0}}, {"b": HOSTILE}, path
        ),
    }
    for name, save in pictures.items():
        path = tmp_path / f"{name}.svg"
        save(path)
        words = "".join(ElementTree.parse(path).getroot().itertext())
        assert r"E\x1b[31mV\u202eI\u200bL\x07 $\frac$" in words, name
    text = mixture_as_svg([HOSTILE], np.ones((1, 13, 13)), np.ones((13, 13)), [1.0], HOSTILE)
    assert r"E\x1b[31mV\u202eI\u200bL\x07" in "".join(ElementTree.fromstring(text).itertext())
