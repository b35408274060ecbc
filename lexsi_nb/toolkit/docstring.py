"""A tool's docstring, read in Google, NumPy or reST form."""

from __future__ import annotations

import inspect
from dataclasses import dataclass


@dataclass(frozen=True)
class Docstring:
    """What a docstring says: of the tool, of each parameter, of the result. Types in it are ignored."""

    description: str
    parameters: dict[str, str]
    returns: str


def parse(text: str) -> Docstring:
    """Return the parts of a docstring.

    Raises:
        ValueError: the text cannot be read in any of the three forms; the message says where.
    """
    import docstring_parser

    try:
        doc = docstring_parser.parse(inspect.cleandoc(text))
    except docstring_parser.ParseError as error:
        raise ValueError(str(error)) from error
    parts = [doc.short_description or "", doc.long_description or ""]
    returns = doc.returns.description if doc.returns and doc.returns.description else ""
    return Docstring(
        description="\n\n".join(p.strip() for p in parts if p and p.strip()),
        # "*rest" and "name, optional" are spellings of a name in the NumPy form.
        parameters={_name(p.arg_name): " ".join((p.description or "").split()) for p in doc.params},
        returns=" ".join(returns.split()),
    )


def _name(written: str) -> str:
    return written.split(",")[0].strip().lstrip("*")
