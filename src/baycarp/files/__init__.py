"""Files: the one package that opens a file to be read, and the writers of whole files.

    regular    bytes and texts of regular files, within a size
    data       JSON and TOML
    table      CSV
    arrays     ``.npz`` and ``.npy`` of NumPy
    zips       members of zip archives
    archives   texts in gzip, tar, zip and 7z
    database   SQLite
    modules    code that a user names
    library    what the standard library reads for others
    standard   standard streams that the caller closed
    escaped    text from strangers as it is printed
    forms      what a format declares of its content; the readers verify it
    written    files that are written whole or not at all

A file that is read is not trusted. A format declares limits, types, shapes and ranges as data
(``forms``) in its own room, and calls a reader of this package; nothing else in ``baycarp`` opens a file to
be read, and ``tests/test_one_reader.py`` holds it.
"""

from baycarp.files.arrays import mapped_array, read_arrays, read_headed_arrays
from baycarp.files.data import as_plain, decimal_text, parse_json, parse_toml, read_json
from baycarp.files.escaped import plain_text, plain_values
from baycarp.files.forms import (
    AnyForm,
    ArrayForm,
    FileForm,
    Form,
    ListForm,
    MapForm,
    NullForm,
    NumberForm,
    RecordForm,
    TextForm,
    TupleForm,
    verify,
    verify_arrays,
    verify_as_written,
)
from baycarp.files.regular import decoded_lines, open_regular, packaged, packaged_names, read_bytes, read_text
from baycarp.files.table import parse_csv, read_csv
from baycarp.files.written import (
    as_csv,
    claimed,
    inert,
    locked,
    packed,
    part_of,
    sync_folder,
    text_writer,
    write_arrays,
    write_whole,
    written_together,
)

__all__ = [
    "AnyForm",
    "ArrayForm",
    "FileForm",
    "Form",
    "ListForm",
    "MapForm",
    "NullForm",
    "NumberForm",
    "RecordForm",
    "TextForm",
    "TupleForm",
    "as_csv",
    "as_plain",
    "claimed",
    "decimal_text",
    "decoded_lines",
    "inert",
    "locked",
    "mapped_array",
    "open_regular",
    "packaged",
    "packaged_names",
    "packed",
    "parse_csv",
    "parse_json",
    "parse_toml",
    "part_of",
    "plain_text",
    "plain_values",
    "read_arrays",
    "read_bytes",
    "read_csv",
    "read_headed_arrays",
    "read_json",
    "read_text",
    "sync_folder",
    "text_writer",
    "verify",
    "verify_arrays",
    "verify_as_written",
    "write_arrays",
    "write_whole",
    "written_together",
]
