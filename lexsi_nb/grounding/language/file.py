"""A language's file read into its tables: `languages/english.toml`, or a file like it.

A table that the file leaves out is empty. A pattern that is left out fits nothing.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from lexsi_nb.errors import LexsiError, nearest
from lexsi_nb.grounding.language.kinds import Regex
from lexsi_nb.grounding.language.tables import Language

VARIABLE = "LEXSI_NB_LANGUAGE"
FOLDER = Path(__file__).parent.parent / "languages"
_NOTHING = "(?!)"  # a pattern that fits nothing
_PIECE = re.compile(r"\{([a-z_]+)\}")


class BadLanguage(LexsiError):
    """A language's file cannot be used: it is not there, is no TOML, or has a table that is not known."""

    reveals = "schema"


def chosen() -> Path:
    """Return the file of the language: the one that LEXSI_NB_LANGUAGE names (a path, or `english`), or else English."""
    name = os.environ.get(VARIABLE, "").strip() or "english"
    ours = FOLDER / f"{name}.toml"
    return ours if ours.is_file() else Path(name).expanduser()


def read(path: Path) -> Language:
    """Return the tables of a file.

    Raises:
        BadLanguage: names what is wrong and where; lists the nearest names for an unknown table.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as e:
        there = ", ".join(sorted(p.stem for p in FOLDER.glob("*.toml")))
        raise BadLanguage(
            f"No language's file {str(path)!r}.", f"{e.strerror}.", f"Set {VARIABLE} to a TOML file, or to: {there}."
        ) from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise BadLanguage(f"{path.name} is no TOML file.", f"{e}.", _LIKE) from e
    return Language(path.stem, **_sections(path, data))


_LIKE = "docs/languages.md says what a language's file holds."


def _sections(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    hints = {name: hint for name, hint in get_type_hints(Language).items() if name != "name"}
    pieces = data.get("pieces", {})
    _known(path, data, ["pieces", *hints], "")
    _acts_known(path, data)
    return {name: _section(path, name, kind, data.get(name, {}), pieces) for name, kind in hints.items()}


def _acts_known(path: Path, data: dict[str, Any]) -> None:
    """Refuse phrases of an act that nothing reads, `avg` for `agg:avg`: they would be accepted and do nothing."""
    phrases = (data.get("lexicon") or {}).get("phrases") if isinstance(data.get("lexicon"), dict) else None
    ours = FOLDER / "english.toml"
    if not isinstance(phrases, dict) or path == ours:
        return
    acts = [*tomllib.loads(ours.read_text("utf-8"))["lexicon"]["phrases"]]
    numbered = {a.rpartition(":")[0] for a in acts if a[-1:].isdigit()}  # `nth:6`, of which English has five
    unknown = {k: v for k, v in phrases.items() if not (k.rpartition(":")[0] in numbered and k[-1:].isdigit())}
    _known(path, unknown, acts, "lexicon.phrases", "phrases of")


def _section(path: Path, section: str, kind: type, data: Any, pieces: dict[str, str]) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    names = [f.name for f in fields(kind)]
    if not isinstance(data, dict):
        raise BadLanguage(f"[{section}] of {path.name} is no section.", "It holds tables by name.", _LIKE)
    _known(path, data, [n.lower() for n in names], section)
    out = {}
    for name in names:
        try:
            key, hint = name.lower(), hints[name]
            out[name] = _made(hint, data[key], pieces) if key in data else _empty(hint)
        except (TypeError, ValueError, AttributeError, re.error) as e:
            raise BadLanguage(f"{section}.{name.lower()} of {path.name} cannot be read.", f"{e}.", _LIKE) from e
    return kind(**out)


def _known(path: Path, data: dict[str, Any], names: list[str], section: str, what: str = "table") -> None:
    where = f"[{section}] of {path.name}" if section else path.name
    for key in data:
        if key not in names:
            near = nearest(key, names)
            why = f"Nearest: {', '.join(near)}." if near else f"There is: {', '.join(names)}."
            raise BadLanguage(f"No {what} {key!r} {'is' if what == 'table' else 'are'} known in {where}.", why, _LIKE)


def _empty(hint: Any) -> Any:
    if hint is Regex:
        return _NOTHING
    kind = get_origin(hint) or hint
    return re.compile(_NOTHING) if kind is re.Pattern else kind()


def _made(hint: Any, value: Any, pieces: dict[str, str]) -> Any:
    """Return a value of the file as the type that its table has. Words in one string stand apart by blanks."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind is dict:
        return {_word(_filled(k, pieces)): _made(inner[1], v, pieces) for k, v in _of(dict, value).items()}
    if kind is re.Pattern:
        return re.compile(_filled(value, pieces), re.IGNORECASE)
    if kind in (frozenset, list, tuple):
        return _collected(kind, inner, value, pieces)
    if kind is Annotated:
        return _filled(value, pieces)
    if hint is str:
        return _word(_filled(value, pieces))
    if isinstance(value, bool) or not isinstance(value, (int, float) if hint is float else hint):
        raise TypeError(f"{value!r} is no {'number' if hint is float else hint.__name__}")
    return value


def _word(text: str) -> str:
    """Return a text as questions are compared with it: `größer` is `grösser`."""
    return text if text.isascii() else text.casefold()


def _collected(kind: type, inner: tuple[Any, ...], value: Any, pieces: dict[str, str]) -> Any:
    if kind is tuple and Ellipsis not in inner:
        if len(_of(list, value)) != len(inner):
            raise ValueError(f"{value!r} has not {len(inner)} parts")
        return tuple(_made(h, v, pieces) for h, v in zip(inner, value, strict=True))
    parts = value.split("|") if isinstance(value, str) and "|" in value else value
    parts = parts.split() if isinstance(parts, str) else _of(list, parts)
    return kind(_made(inner[0], v, pieces) for v in parts)


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {'list' if kind is list else 'table of words'}")
    return value


def _filled(text: Any, pieces: dict[str, str]) -> str:
    """Return a text with the parts named in braces put in: `{month}`."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    for _ in range(3):  # a part may name another one
        if "{" not in text:
            break
        text = _PIECE.sub(lambda m: _piece(m[1], pieces), text)
    return text


def _piece(name: str, pieces: dict[str, str]) -> str:
    if name not in pieces:
        raise ValueError(f"no part {name!r} stands under [pieces]")
    return pieces[name]
