"""The one door: formats by their content, archives within bounds, and what is not read by name."""

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import tracemalloc
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from robustness.parsers import IRC, random_played

from baycarp.errors import NotationError
from baycarp.files import archives
from baycarp.game import Variant
from baycarp.game.notation import door, sources
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Refused, replay
from baycarp.game.notation.phh import format_phh

HANDS = random_played(Variant.load("holdem.limit.3p"), 6)
EIGHT = random_played(Variant.ring(8, 10), 12)
LOG = "".join(format_state(hand) + "\n" for hand in HANDS)
PHH = "".join(f"[{number}]\n{format_phh(hand)}\n" for number, hand in enumerate(HANDS, 1))
MEERKAT = "# two bots\n7; Ann{0.0 0.5 -0.5} Bob{0.0 1.0 0.5}; 0d{Jh Ad} 1d{6s Th} 0f.\n"


def every(source, game=None):
    """The actions of all hands, and the refusals."""
    refused = []
    hands = list(door.read(source, refused.append, game))
    for hand in hands:
        replay(hand)
    return [hand.actions for hand in hands], refused


def reasons(source):
    return [refused.reason for refused in every(source)[1]]


ACTIONS = [hand.actions for hand in HANDS]


@pytest.mark.parametrize(
    "text", [LOG, PHH, f"\n\n# a comment\n{LOG}", "\ufeff" + PHH, PHH.replace("\n", "\r\n")]
)
def test_a_text_is_read_whatever_its_format(text, tmp_path):
    assert every(text) == (ACTIONS, [])
    path = tmp_path / "any.name"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"):
        path.write_bytes(text.removeprefix("\ufeff").encode(encoding))
        assert every(path) == (ACTIONS, [])


def test_names_in_windows_code_page_are_read(tmp_path):
    path = tmp_path / "old.phhs"
    path.write_bytes(PHH.replace("Player0", "Zoé €").encode("cp1252"))
    assert {hand.players[0] for hand in door.read(path)} == {"Zoé €"}


def test_meerkat_and_irc_are_read(tmp_path):
    assert len(every(MEERKAT)[0]) == 1
    tables = dict(zip(("hdb", "hroster", "pdb"), IRC[0].split("\f"), strict=True))
    with tarfile.open(tmp_path / "irc.tgz", "w:gz") as archive:
        for name, text in tables.items():
            info = tarfile.TarInfo(f"holdem/199504/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    folder = tmp_path / "irc"
    (folder / "pdb").mkdir(parents=True)
    for name in ("hdb", "hroster"):
        (folder / name).write_text(tables[name])
    for row in tables["pdb"].splitlines():  # as the database has it: a file a player
        (folder / "pdb" / f"pdb.{row.split()[0]}").write_text(row + "\n")
    assert every(tmp_path / "irc.tgz") == every(folder) != ([], [])


def test_a_log_shows_its_game():
    """Findings, fault 9: eight holdings a line are a table of eight."""
    log = "".join(format_state(hand) + "\n" for hand in EIGHT)
    (found, *_) = door.read(log)
    assert (found.variant.seats, found.variant.name) == (8, "holdem.limit.8p")
    named = "# name/game/hands/seed any holdem.limit.3p.game 6 1\n" + LOG
    assert next(door.read(named)).variant.name == "holdem.limit.3p"
    assert every(LOG, "holdem.limit.3p")[0] == ACTIONS


@pytest.mark.parametrize("seats", [2, 5])
def test_a_log_of_other_blinds_shows_its_game(seats):
    game = Variant.ring(seats, 100)
    hands = random_played(game, 20)
    found = list(door.read("".join(format_state(hand) + "\n" for hand in hands)))
    assert {hand.variant.small_bet for hand in found} == {100}
    with pytest.raises(Refused, match="game of a log unknown: 0 of 1 lines fit"):
        list(door.read("STATE:0:rrrrrrrrrf:AhKd|:-7|7:Ann|Bob\n"))


def packed(name, data):
    """An archive with one file."""
    file = io.BytesIO()
    if name == "gz":
        return gzip.compress(data)
    if name == "zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("in/hands.txt", data)
        return file.getvalue()
    if name == "7z":
        py7zr = pytest.importorskip("py7zr")
        with py7zr.SevenZipFile(file, "w") as archive:
            archive.writestr(data, "in/hands.txt")
        return file.getvalue()
    with tarfile.open(fileobj=file, mode=f"w:{name.partition('.')[2]}") as archive:
        info = tarfile.TarInfo("in/hands.txt")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


@pytest.mark.parametrize(
    "names", [["gz"], ["zip"], ["tar"], ["tar.gz"], ["7z"], ["gz", "zip"], ["7z", "tar.gz"]]
)
def test_an_archive_is_recognised_by_its_bytes(names, tmp_path):
    data = LOG.encode()
    for name in names:
        data = packed(name, data)
    (tmp_path / "hands").write_bytes(data)
    assert every(tmp_path / "hands") == (ACTIONS, [])


def test_standard_input_is_read(monkeypatch):
    for data in (LOG.encode(), packed("zip", PHH.encode()), packed("tar.gz", LOG.encode())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        assert every("-") == (ACTIONS, [])


def test_a_folder_is_all_its_files(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.xyz").write_text(LOG)
    (tmp_path / "b.zip").write_bytes(packed("zip", PHH.encode()))
    (tmp_path / "notes.md").write_text("# Notes\n\nno hands\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / ".hidden").write_text(LOG)
    (tmp_path / "picture").write_bytes(bytes(range(256)))
    found, refused = every(tmp_path)
    assert found == ACTIONS * 2
    assert sorted(each.reason for each in refused) == ["no text", "unknown format"]
    assert str(tmp_path / "notes.md") in str(refused[0])
    with pytest.raises(NotationError, match="unknown format"):
        list(door.read(tmp_path))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"ohh": {"spec_version": "1.4.6"}}', "the Open Hand History format: not read"),
        ("0123456789abcdef {}\n", "a journal of results"),
        ("***** History for hand R5-1 *****\n", "Ongame's"),
        ("GAMEDEF\nlimit\n", "an ACPC game file"),
        ("MATCHSTATE:0:0::AhKd|\n", "MATCHSTATE lines"),
        ("dear diary\n", "'dear diary': expected hands of PHH, ACPC log, Meerkat"),
    ],
)
def test_an_unknown_format_is_named(text, name):
    """Row 1: one line for a file, not one for each of its lines."""
    (refused,) = every(text + "more\n" * 30)[1]
    assert refused.reason == "unknown format"
    assert name in refused.detail


def test_links_and_names_outside_an_archive_are_refused(tmp_path):
    with tarfile.open(tmp_path / "links.tar", "w") as archive:
        for name, kind in (("a", tarfile.SYMTYPE), ("b", tarfile.LNKTYPE), ("c", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        for name in ("../out.log", "/etc/out.log", "in.log"):
            info = tarfile.TarInfo(name)
            info.size = len(LOG)
            archive.addfile(info, io.BytesIO(LOG.encode()))
    found, refused = every(tmp_path / "links.tar")
    assert found == ACTIONS
    assert [each.reason for each in refused] == ["link in an archive"] * 3 + ["path outside the archive"] * 2
    with zipfile.ZipFile(tmp_path / "links.zip", "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("..\\..\\out.log", LOG)
    assert reasons(tmp_path / "links.zip") == ["link in an archive", "path outside the archive"]


@pytest.mark.parametrize("name", [".", "", "./", ".//."])
def test_a_part_without_a_name_is_refused(name, tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        info = tarfile.TarInfo("x")
        info.size, info.name = len(LOG), name
        archive.addfile(info, io.BytesIO(LOG.encode()))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("x"), LOG)
        archive.infolist()[0].filename = name
    for path in (tmp_path / "a.tar", tmp_path / "a.zip"):
        found, refused = every(path)
        assert (found, len(refused)) in (([], 1), ([], 0))  # "./" is a folder


def test_a_name_of_two_lines_is_one_in_a_message(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../\n\x07x", LOG)
    (refused,) = every(tmp_path / "a.zip")[1]
    assert "\n" not in str(refused)
    assert "\x07" not in str(refused)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, bytes])
@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_a_long_header_of_a_tar_is_not_read_into_memory(kind, pack, tmp_path):
    """A header that is a name of 64 MB of zeros, in every packing that ``tarfile`` knows."""
    header = tarfile.TarInfo("x")
    header.type, header.size = kind, 1 << 26
    (tmp_path / "bomb").write_bytes(pack(header.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 26)))
    tracemalloc.start()
    try:
        every(tmp_path / "bomb")
        with suppress(ValueError, OSError):
            list(archives.tar_members(tmp_path / "bomb", lambda name: True, 1 << 24))
        assert tracemalloc.get_traced_memory()[1] < 1 << 24  # the window of xz has half of it
    finally:
        tracemalloc.stop()
    assert not archives.is_tar_of(tmp_path / "bomb", lambda name: True)


def test_a_damaged_part_that_lzma_packed_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "good.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.log", LOG * 50)
    data = (tmp_path / "good.zip").read_bytes()
    for at in range(30, 80):
        (tmp_path / "bad.zip").write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) + data[at + 1 :])
        every(tmp_path / "bad.zip")


def peak(call):
    """The greatest memory that was allocated during a call."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_of_methods_without_a_bound_are_not_unpacked(method, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("a.log", bytes(1 << 26))
        archive.writestr("b.log", LOG, zipfile.ZIP_DEFLATED)
    assert peak(lambda: every(tmp_path / "a.zip")) < 1 << 25
    found, (refused,) = every(tmp_path / "a.zip")
    assert found == ACTIONS
    assert refused.reason == "packed by another method"


@pytest.mark.parametrize("cut", [0, 1])
def test_a_member_that_is_longer_than_declared_is_refused(cut, tmp_path):
    data = bytearray(packed("zip", LOG.encode() * 100))
    declared = len(LOG) * 50
    checksum = zlib.crc32(LOG.encode() * 50 + LOG.encode()[:cut])
    for at in (14, data.index(b"PK\1\2") + 16):
        data[at : at + 4] = checksum.to_bytes(4, "little")
        data[at + 8 : at + 12] = declared.to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(data)
    assert reasons(tmp_path / "a.zip") == ["file is cut short"]


def test_members_of_a_zip_do_not_overlap(tmp_path):
    """One member that the directory lists twice."""
    data = packed("zip", LOG.encode())
    at, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    entries = 2 * data[at:end]
    tail = bytearray(data[end:])
    for place, value in ((8, 2), (10, 2)):
        tail[place : place + 2] = value.to_bytes(2, "little")
    tail[12:16] = len(entries).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(data[:at] + entries + tail)
    found, (refused,) = every(tmp_path / "a.zip")
    assert found == []
    assert "overlaps" in refused.detail


def with_dictionary(data, size):
    """A stream of xz whose first block declares a dictionary of another size, by its number."""
    at = data.index(b"\x21\x01", 12)
    header = bytearray(data[12 : 12 + 4 * (data[12] + 1)])
    header[at + 2 - 12] = size
    header[-4:] = zlib.crc32(header[:-4]).to_bytes(4, "little")
    return data[:12] + bytes(header) + data[12 + len(header) :]


def members(path):
    return list(archives.tar_members(path, lambda name: True, 1 << 24))


def test_a_dictionary_of_xz_is_bounded(tmp_path):
    data = packed("tar.xz", LOG.encode())
    for number, fits in ((28, True), (40, False)):  # 64 MiB, 4 GiB
        forged = with_dictionary(data, number)
        for streams in (forged, lzma.compress(b"") + bytes(8) + forged):
            (tmp_path / "a").write_bytes(streams)
            if fits:
                assert members(tmp_path / "a") == [("in/hands.txt", LOG.encode())]
            else:
                with pytest.raises(ValueError, match="Memory usage limit"):
                    members(tmp_path / "a")
    (tmp_path / "a").write_bytes(data + bytes(1 << 17) + lzma.compress(b""))
    assert members(tmp_path / "a") == [("in/hands.txt", LOG.encode())]
    for cut in (-1, -20, 40):
        (tmp_path / "a").write_bytes(data[:cut])
        with pytest.raises(ValueError, match=r"no end|unexpected end|read"):
            members(tmp_path / "a")


def seven_zip(filters):
    py7zr = pytest.importorskip("py7zr")
    file = io.BytesIO()
    with py7zr.SevenZipFile(file, "w", filters=filters(py7zr)) as archive:
        archive.writestr(LOG.encode(), "hands.txt")
    return file.getvalue()


def test_methods_of_7z_without_a_bound_are_refused(tmp_path):
    for filters, detail in (
        (lambda py7zr: [{"id": py7zr.FILTER_LZMA, "dict_size": 1 << 20}], ""),
        (lambda py7zr: [{"id": py7zr.FILTER_BZIP2}], ""),
        (lambda py7zr: [{"id": py7zr.FILTER_PPMD, "order": 6, "mem": 24}], ""),
        (lambda py7zr: [{"id": py7zr.FILTER_PPMD, "order": 6, "mem": 30}], "a dictionary of 1073741824"),
        (lambda py7zr: [{"id": py7zr.FILTER_DEFLATE}], "packed by 040108"),
        (lambda py7zr: [{"id": py7zr.FILTER_ZSTD, "level": 3}], "packed by 04f71101"),
    ):
        (tmp_path / "a").write_bytes(seven_zip(filters))
        found, refused = every(tmp_path / "a")
        assert found == ([] if detail else ACTIONS)
        assert [detail in str(each) for each in refused] == [True] * bool(detail)


@pytest.mark.parametrize("properties", [b"\x28", b"\x26"])
def test_a_dictionary_of_7z_is_bounded_before_the_header_is_unpacked(properties, tmp_path):
    """The coder of the packed header, whose checksums are made anew."""
    data = bytearray(seven_zip(lambda py7zr: [{"id": py7zr.FILTER_LZMA2, "preset": 1}]))
    start = 32 + int.from_bytes(data[12:20], "little")
    at = data.index(b"\x21\x21\x01", start) + 3
    data[at : at + 1] = properties
    data[28:32] = zlib.crc32(data[start:]).to_bytes(4, "little")
    data[8:12] = zlib.crc32(data[12:32]).to_bytes(4, "little")
    (tmp_path / "a").write_bytes(data)
    (refused,) = every(tmp_path / "a")[1]
    assert "a dictionary of" in refused.detail


def test_maps_of_holes_and_global_headers_are_bounded(tmp_path):
    """Numbers of a map are kept one by one, and global headers once more with each member."""
    sparse = tarfile.TarInfo("x")
    sparse.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
    content = b"4000000\n" + b"7777\n" * 2_000_000
    sparse.size = len(content)
    with tarfile.open(tmp_path / "holes", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(sparse, io.BytesIO(content))
    many = {f"key{number}": "" for number in range(4000)}
    with tarfile.open(tmp_path / "many", "w:gz", format=tarfile.PAX_FORMAT, pax_headers=many) as archive:
        for number in range(300):
            member = tarfile.TarInfo(f"{number}.txt")
            member.pax_headers = {"comment": "x"}
            archive.addfile(member)
    for name in ("holes", "many"):
        assert peak(lambda name=name: every(tmp_path / name)) < 1 << 23
        with suppress(ValueError):
            assert peak(lambda name=name: members(tmp_path / name)) < 1 << 23


def test_a_link_out_of_a_folder_is_not_followed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text(LOG)
    os.symlink(tmp_path / "secret", tmp_path / "in" / "hands")
    assert every(tmp_path / "in") == ([], [])
    assert every(tmp_path / "in" / "hands")[0] == ACTIONS  # named by its user


@pytest.mark.parametrize("name", ["gz", "zip", "tar.gz", "7z"])
def test_an_archive_has_bounds(name, tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LEAST", 1 << 12)
    monkeypatch.setattr(archives, "RATIO", 2)
    (tmp_path / "bomb").write_bytes(packed(name, b"STATE:" + b" " * (1 << 22)))
    refused = every(tmp_path / "bomb")[1]
    assert any("more bytes unpacked" in str(each) for each in refused)


def test_archives_within_archives_have_a_depth(tmp_path):
    data = LOG.encode()
    for _ in range(4):
        data = packed("gz", data)
    (tmp_path / "deep").write_bytes(data)
    assert reasons(tmp_path / "deep") == ["archive too deep"]


def test_a_file_that_is_cut_short_is_named_as_such(tmp_path):
    (tmp_path / "cut").write_bytes(gzip.compress(PHH.encode())[:-300])
    with pytest.raises(Refused, match="file is cut short"):
        list(door.read(tmp_path / "cut"))


@pytest.mark.parametrize("name", ["gz", "zip", "tar.gz", "tar", "7z"])
def test_damaged_archives_are_refused(name, tmp_path):
    data = packed(name, LOG.encode() * 50)
    for cut in (len(data) // 2, len(data) - 3, 40):
        (tmp_path / "cut").write_bytes(data[:cut])
        found, refused = every(tmp_path / "cut")
        assert refused or len(found) == 300  # of a tar the end is padding
    for at in range(0, len(data), max(1, len(data) // 30)):
        (tmp_path / "bad").write_bytes(data[:at] + bytes([data[at] ^ 0x5A]) + data[at + 1 :])
        every(tmp_path / "bad")


def test_a_file_may_be_named_like_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("STATE:0").write_text(LOG)
    assert every("STATE:0") == (ACTIONS, [])


def test_a_missing_path_is_named(tmp_path):
    for source in (tmp_path / "none", str(tmp_path / "none"), "no such file " * 400):
        with pytest.raises(NotationError, match=r"no such file or folder|cannot be read"):
            list(door.read(source))


def test_room_files_are_recognised_by_at_most_one_format():
    folder = Path(os.environ.get("BAYCARP_DATA", "/nowhere")) / "rooms.tar.gz"
    if not folder.exists():
        pytest.skip("no real hands: set BAYCARP_DATA to the folder that holds them")
    for text in sources.texts(folder, lambda refused: None):
        beginning = "".join(text.lines())[:8192]
        assert sum(each.recognises(beginning) for each in door.formats()) <= 1, text.where
