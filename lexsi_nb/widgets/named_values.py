"""NAME=VALUE on a `%lexsi` line: how a person writes it, and how it is shown to be written."""

from __future__ import annotations

import shlex

from lexsi_nb.errors import LexsiError


def named_values(line: str) -> tuple[list[str], dict[str, str]]:
    """Return (the words before the first NAME=VALUE, the values by name).

    >>> named_values('5314 amount=50,000 "amount due=a b" rate=')
    (['5314'], {'amount': '50,000', 'amount due': 'a b', 'rate': ''})

    Raises:
        LexsiError: a quote that is not closed, or a word without = after the first that has one.
    """
    try:
        parts = shlex.split(line)
    except ValueError as error:
        raise LexsiError(
            f"{line!r} cannot be read: {str(error).lower()}.", "", 'Quote the whole of it, as in "it\'s=yes".'
        ) from error
    first = next((i for i, part in enumerate(parts) if part.partition("=")[1] and part[0] != "="), len(parts))
    values = {}
    for part in parts[first:]:
        name, sign, value = part.partition("=")
        if not sign or not name.strip():
            raise LexsiError(f"{part!r} has no name and value.", "", 'Write NAME=VALUE; with spaces: "NAME=A B".')
        values[name.strip()] = value
    return parts[:first], values


def quoted(name: str, value: str) -> str:
    """Return NAME=VALUE as a `%lexsi` line takes it, in quotes where they are needed.

    >>> quoted("amount", "5"), quoted("it's", "a b")
    ('amount=5', '"it\\'s=a b"')
    """
    said = f"{name}={value}"
    if said == shlex.quote(said) or not any(c.isspace() or c in "'\"\\" for c in said):
        return said
    return shlex.quote(said) if any(c in '"\\' for c in said) else f'"{said}"'
