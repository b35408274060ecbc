"""Canonical bytes of values: every type has its own tag and every part its length, so that no two contents collide."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import itertools
import os
import pathlib
import pickle
import struct
import sys
import types
import uuid
import weakref
from collections.abc import Iterable
from typing import Any

import xxhash

CHUNK = 1 << 20  # elements copied at a time where data do not lie in one piece

_serials: dict[int, tuple[weakref.ref[Any], int]] = {}
_counter = itertools.count(1)
_PROCESS = f"{os.getpid()}-{uuid.uuid4().hex}"


def hasher() -> Any:
    """Return an empty XXH3 128-bit state: about the speed of memory, 30 times that of blake2b."""
    return xxhash.xxh3_128()


def joined(*parts: bytes | str) -> bytes:
    """Return the 16-byte digest of the parts, each framed by its length."""
    h = hasher()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        h.update(b"%d:" % len(raw))
        h.update(raw)
    return h.digest()


def serial(value: Any) -> int | None:
    """Return a number that this very object alone has in this process, None when it cannot be watched."""
    known = _serials.get(id(value))
    if known is not None and known[0]() is value:
        return known[1]
    key = id(value)
    try:
        ref = weakref.ref(value, lambda _: _serials.pop(key, None))
    except TypeError:
        return None
    number = next(_counter)
    _serials[key] = (ref, number)
    return number


class Content:
    """Digests of values; `exact` turns False when an object could be told by identity only."""

    def __init__(self) -> None:
        self.exact = True
        self._open: list[int] = []  # containers being read, so that one holding itself ends

    def digest(self, value: Any) -> bytes:
        """Return the 16-byte digest of any value."""
        return self.digest_all((value,), tag="value")

    def digest_all(self, values: Iterable[Any], *, tag: str) -> bytes:
        """Return the digest of a sequence of values of any types, in order."""
        h = hasher()
        h.update(tag.encode())
        out: list[bytes] = []
        for value in values:
            self.encode(value, out)
            if len(out) > 100_000:
                h.update(b"".join(out))
                out.clear()
        h.update(b"".join(out))
        return h.digest()

    def encode(self, value: Any, out: list[bytes]) -> None:
        """Append the canonical bytes of `value`."""
        kind = type(value)
        if kind is str:
            raw = value.encode("utf-8", "surrogatepass")
            out += (b"s%d:" % len(raw), raw)
        elif kind is int:
            out.append(b"i%d;" % value)
        elif kind is float:
            out.append(b"f" + struct.pack("<d", value))
        elif value is None:
            out.append(b"N")
        elif kind is bool:
            out.append(b"b1" if value else b"b0")
        elif kind is bytes:
            out += (b"y%d:" % len(value), value)
        elif kind in _AS_TEXT:
            self._text(kind, _AS_TEXT[kind](value), out)
        elif kind in (tuple, list, dict, set, frozenset):
            self._container(value, out)
        else:
            self._other(value, out)

    def _text(self, kind: type, text: str, out: list[bytes]) -> None:
        raw = f"{kind.__module__}.{kind.__qualname__}\0{text}".encode("utf-8", "surrogatepass")
        out += (b"t%d:" % len(raw), raw)

    def _container(self, value: Any, out: list[bytes]) -> None:
        if id(value) in self._open:
            out.append(b"^%d;" % self._open.index(id(value)))
            return
        self._open.append(id(value))
        out.append(f"{type(value).__name__}{len(value)}(".encode())
        if isinstance(value, dict):
            for key, item in value.items():
                self.encode(key, out)
                self.encode(item, out)
        elif isinstance(value, (set, frozenset)):
            out.extend(sorted(self.digest(item) for item in value))
        else:
            for item in value:
                self.encode(item, out)
        out.append(b")")
        self._open.pop()

    def _other(self, value: Any, out: list[bytes]) -> None:
        if id(value) in self._open:
            out.append(b"^%d;" % self._open.index(id(value)))
            return
        self._open.append(id(value))
        digest = self._library(value)
        if digest is not None:
            out += (b"d", digest)
        elif isinstance(value, enum.Enum):
            self._text(type(value), value.name, out)
        elif isinstance(value, (type, types.BuiltinFunctionType)):
            self._text(type(value), f"{value.__module__}.{value.__qualname__}", out)
        elif isinstance(value, types.ModuleType):
            self._text(type(value), value.__name__, out)
        elif dataclasses.is_dataclass(value):
            self._text(type(value), "dataclass", out)
            self._container({f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}, out)
        elif isinstance(value, (tuple, list)):  # named tuples and subclasses
            self._text(type(value), "sequence", out)
            self._container(tuple(value), out)
        elif isinstance(value, (bytearray, memoryview)):
            self._text(type(value), "bytes", out)
            self.encode(bytes(value), out)
        else:
            self._identity(value, out)
        self._open.pop()

    def _library(self, value: Any) -> bytes | None:
        """Return the digest of a value of numpy, pandas, polars or Arrow, None for others; imports none of them."""
        module = type(value).__module__.partition(".")[0]
        if "pandas" in sys.modules and (module == "pandas" or _is_a(value, "pandas", "DataFrame", "Series", "Index")):
            from lexsi_nb.kernel import pandas_content

            return pandas_content.digest(self, value)
        if "numpy" in sys.modules and _is_a(value, "numpy", "ndarray", "generic"):
            from lexsi_nb.kernel import array_content

            return array_content.digest(self, value)
        if module == "polars":
            from lexsi_nb.kernel import polars_content

            return polars_content.digest(self, value)
        if module == "pyarrow":
            from lexsi_nb.kernel import arrow_content

            return arrow_content.digest(self, value)
        # trained trees know their content as text, so an equal model trained again counts as equal
        if "lightgbm" in sys.modules and _is_a(value, "lightgbm", "Booster"):
            return joined("lightgbm.Booster", value.model_to_string(num_iteration=-1))
        if "xgboost" in sys.modules and _is_a(value, "xgboost", "Booster"):
            return joined("xgboost.Booster", bytes(value.save_raw()), value.save_config())
        return None

    def _identity(self, value: Any, out: list[bytes]) -> None:
        self.exact = False
        number = serial(value)
        if number is None:
            try:
                raw = pickle.dumps(value, protocol=5)
            except Exception:  # noqa: BLE001 - any object may refuse, in any way; then it equals nothing, not even itself
                number = next(_counter)
            else:
                out += (b"p%d:" % len(raw), raw)
                return
        self._text(type(value), f"{_PROCESS}-{number}", out)


def _is_a(value: Any, library: str, *classes: str) -> bool:
    module = sys.modules[library]
    known = tuple(c for c in (getattr(module, name, None) for name in classes) if isinstance(c, type))
    return bool(known) and isinstance(value, known)


def _moment(value: Any) -> str:
    return f"{value.isoformat()} {value.fold} {value.tzinfo!r}"


_AS_TEXT: dict[type, Any] = {
    decimal.Decimal: str,
    dt.date: dt.date.isoformat,
    dt.datetime: _moment,
    dt.time: _moment,
    dt.timedelta: lambda v: f"{v.days} {v.seconds} {v.microseconds}",
    uuid.UUID: str,
    complex: lambda v: struct.pack("<dd", v.real, v.imag).hex(),
    fractions.Fraction: str,
    range: repr,
    slice: repr,
    type(Ellipsis): repr,
    type(NotImplemented): repr,
    pathlib.PurePosixPath: str,
    pathlib.PosixPath: str,
    pathlib.WindowsPath: str,
    pathlib.PureWindowsPath: str,
}
