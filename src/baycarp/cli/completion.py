"""Shell completion: a script for bash, zsh or fish, made from the parser of every command."""

from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote

from baycarp.agents.catalogue import LINES
from baycarp.game.variant import shipped

__all__ = ["script"]

_AGENTS = ("--agent", "--adviser", "--decider", "--against", "--players")
"""Options whose values are agents; arguments are recognised by their metavar."""


@dataclass(frozen=True, slots=True)
class _Option:
    """An option, or an argument without a name: its texts, its help, what it may be given."""

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...]
    has_value: bool


@dataclass(frozen=True, slots=True)
class _Command:
    """The words up to a command (``()`` = the program), its options and arguments, the commands within."""

    words: tuple[str, ...]
    options: tuple[_Option, ...]
    parts: tuple[tuple[str, str], ...]


def script(shell: str, parser: ArgumentParser) -> str:
    """The completion script of a shell.

    Parameters
    ----------
    shell
        "bash", "zsh" or "fish".
    parser
        With all commands.

    Returns
    -------
    str
        For bash and zsh to be run by ``eval``, for fish to be read by ``source``.
    """
    commands = list(_commands(parser, ()))
    if shell == "fish":
        return _fish(commands)
    loaded = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return loaded + _bash(commands)


def _commands(parser: ArgumentParser, words: tuple[str, ...]) -> Iterator[_Command]:
    parts: list[tuple[str, str]] = []
    options, within = [], []
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            parts += [(name, helps.get(name, "")) for name in action.choices]
            within += [(name, each) for name, each in action.choices.items()]
        elif action.help != SUPPRESS:
            options.append(_option(action))
    yield _Command(words, tuple(options), tuple(parts))
    for name, each in within:
        yield from _commands(each, (*words, name))


def _option(action: Action) -> _Option:
    names = tuple(action.option_strings)
    values = tuple(str(choice) for choice in action.choices or ())
    if not values and "--game" in names:
        values = tuple(shipped())
    elif not values and (action.metavar == "AGENT" or set(names) & {*_AGENTS}):
        values = tuple(LINES)
    return _Option(names, (action.help or "").split(" (default")[0], values, action.nargs != 0)


def _bash(commands: list[_Command]) -> str:
    """A function that finds the command on the line, then completes a value of an option or a word."""
    paths = [" ".join(command.words) for command in commands if command.words]
    values, words = [], []
    for command in commands:
        path = " ".join(command.words)
        own = [name for name, _ in command.parts]
        for option in command.options:
            own += option.names or option.values
            if option.has_value:
                texts = " ".join(option.values)
                values += [
                    f"    {quote(f'{path}|{name}')}) words={quote(texts)}; value=1;;" for name in option.names
                ]
        words.append(f"    {quote(path)}) words={quote(' '.join(own))};;")
    return "\n".join(
        [
            "_baycarp() {",
            '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
            '  local at="" words="" value="" i',
            "  for ((i = 1; i < COMP_CWORD; i++)); do",
            '    case "${at:+$at }${COMP_WORDS[i]}" in',
            *[f"    {quote(path)}) at={quote(path)};;" for path in paths],
            "    esac",
            "  done",
            '  case "$at|$prev" in',
            *values,
            "  esac",
            '  [ -n "$value" ] || case "$at" in',
            *words,
            "  esac",
            '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
            "}",
            "complete -o default -F _baycarp baycarp",
            "",
        ]
    )


def _fish(commands: list[_Command]) -> str:
    lines = ["complete -c baycarp -e"]
    for command in commands:
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.words)
        names = [name for name, _ in command.parts]
        if names:
            missing = f"not __fish_seen_subcommand_from {' '.join(names)}"
            seen = f"{seen}; and {missing}" if seen else missing
        head = f"complete -c baycarp -n {_single(seen)}"
        lines += [f"{head} -f -a {name} -d {_single(help)}" for name, help in command.parts]
        for option in command.options:
            given = f" -a {_single(' '.join(option.values))}" if option.values else ""
            flags = "".join(
                f" -l {name[2:]}" if name[:2] == "--" else f" -s {name[1:]}" for name in option.names
            )
            if flags or given:
                taken = (" -x" if given else " -r") if option.has_value and flags else ""
                lines.append(f"{head}{flags}{taken}{given} -d {_single(option.help)}")
    return "\n".join([*lines, ""])


def _single(text: str) -> str:
    """A text between the single quotes of fish."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
