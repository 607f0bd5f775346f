"""A loaded network equals the saved one bit for bit, or an error is raised."""

import json
import zipfile

import numpy as np
import pytest
from reference.joint import poker_network, random_network

from baycarp.bn import load, save
from baycarp.errors import ModelError


def test_a_loaded_network_equals_the_saved_one(tmp_path):
    rng = np.random.default_rng(1)
    for number in range(20):
        network = random_network(rng, int(rng.integers(1, 8)))
        save(network, tmp_path / f"{number}.npz")
        found = load(tmp_path / f"{number}.npz")
        assert found == network
        assert found.digest() == network.digest()
    assert not list(tmp_path.glob("*.part"))


def test_the_same_network_makes_the_same_file(tmp_path):
    for name in ("a.npz", "b.npz"):
        save(poker_network(), str(tmp_path / name))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_names_may_have_any_characters(tmp_path):
    from baycarp.bn import Network, Structure

    network = Network(Structure({"Tür ♠/../x": ["„ja“", "\n"]}), {"Tür ♠/../x": [0.5, 0.5]})
    save(network, tmp_path / "n.npz")
    assert load(tmp_path / "n.npz") == network


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "network.npz"
    save(random_network(np.random.default_rng(2), 6, states=(2, 4)), path)
    return path


def parts(path):
    with np.load(path, allow_pickle=False) as arrays:
        return json.loads(arrays["structure"].tobytes()), arrays["tables"]


def write(path, head, tables, **more):
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    np.savez_compressed(path, structure=np.frombuffer(text, np.uint8), tables=tables, **more)


def refuses(path, message):
    with pytest.raises(ModelError, match=rf"network\.npz: .*{message}"):
        load(path)


def test_every_truncation_and_every_flipped_byte_is_detected(path):
    whole = path.read_bytes()
    network = load(path)
    for end in range(0, len(whole), 37):
        path.write_bytes(whole[:end])
        refuses(path, "")
    refused = 0
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:  # bytes of the zip without content (dates, attributes) may change
            assert load(path) == network
        except ModelError:
            refused += 1
    assert refused > len(whole) / 3 / 2


def test_missing_and_foreign_files_are_refused(path, tmp_path):
    path.unlink()
    refuses(path, "")
    path.write_text("{}")
    refuses(path, "")
    np.save(path.with_suffix(".npy"), np.zeros(3))
    path.with_suffix(".npy").rename(path)
    refuses(path, "")
    np.savez(path, something=np.zeros(3))
    refuses(path, "expected (structure|tables)")
    path.unlink()
    path.mkdir()
    refuses(path, "")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "format: .*'baycarp.network'"),
        ({"version": 2}, "version: 2: expected 1"),
        ({"digest": "0" * 64}, "digest"),
        ({"nodes": {}}, "nodes: 0 names"),
        ({"nodes": {"n0": {"states": ["a"]}}}, "parents"),
        ({"nodes": {"n0": {"states": ["a", "a"], "parents": []}}}, "states of 'n0'"),
        ({"nodes": {"n0": {"states": ["a"] * 2, "parents": ["n9"]}}}, "n0"),
        (
            {"nodes": {"n0": {"states": [str(i) for i in range(10**5)], "parents": []}}},
            r"100000 values",
        ),
        ({"nodes": []}, ""),
        ({"nodes": {"n0": 3}}, ""),
    ],
)
def test_a_changed_head_is_refused(path, change, message):
    head, tables = parts(path)
    write(path, head | change, tables)
    refuses(path, message)


def test_a_renamed_state_is_refused(path):
    head, tables = parts(path)
    head["nodes"]["n0"]["states"][0] = "other"
    write(path, head, tables)
    refuses(path, "digest")


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100000])
def test_a_head_that_is_not_json_is_refused(path, text):
    _, tables = parts(path)
    write(path, text, tables)
    refuses(path, "")


def test_changed_tables_are_refused(path):
    head, tables = parts(path)
    nudged = tables.copy()
    nudged[0] += 1e-12
    for other, message in [
        (nudged, "digest"),
        (tables * np.nan, "no probability|expected finite"),
        (tables[:-1], "expected"),
        (tables.astype(np.int64), "int64"),
        (tables[None], "shape"),
        (tables.astype(np.float32), "expected"),
    ]:
        write(path, head, other)
        refuses(path, message)


def test_a_pickle_is_never_opened(path, tmp_path):
    class Trap:
        def __reduce__(self):
            return (tmp_path / "sprung").touch, ()

    head, tables = parts(path)
    trap = np.empty(tables.shape, object)
    trap[:] = [Trap() for _ in tables]
    np.savez(path, structure=np.frombuffer(json.dumps(head).encode(), np.uint8), tables=trap)
    refuses(path, "")
    assert not (tmp_path / "sprung").exists()


def test_the_number_of_nodes_is_bounded(path):
    nodes = {f"n{i}": {"states": ["a"], "parents": [f"n{i + 1}"] * (i < 8000)} for i in range(8001)}
    head, _ = parts(path)
    write(path, head | {"nodes": nodes}, np.ones(8001))
    refuses(path, "8001 names: expected 1 to 1000")


def test_a_zip_bomb_is_not_unpacked(path):
    head, _ = parts(path)
    text = json.dumps(head).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("structure.npy", "w") as file:
            np.save(file, np.frombuffer(text, np.uint8))
        with archive.open("tables.npy", "w") as file:
            np.save(file, np.zeros(3_000_000))
    assert path.stat().st_size < 100_000
    refuses(path, "expected at most 16777216")
