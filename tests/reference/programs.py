"""What every program of commands must do."""

import pytest


def verify_help(main, capsys, name, names):
    """The help of a command, or of the program where ``name`` is None, names what there is."""
    with pytest.raises(SystemExit) as status:
        main([name, "--help"] if name else ["--help"])
    assert status.value.code == 0
    out = capsys.readouterr().out
    assert all(each in out for each in ((name,) if name else names))
    assert "%(" not in out
