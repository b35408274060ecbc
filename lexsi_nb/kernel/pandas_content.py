"""Digests of pandas objects: column by column, hashed where the data lie."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from lexsi_nb.kernel import array_content
from lexsi_nb.kernel.content import joined

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from lexsi_nb.kernel.content import Content


def digest(content: Content, value: Any) -> bytes | None:
    """Return the digest of a frame, a series, an index, an extension array or a pandas scalar; None for others."""
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        return _frame(content, value)
    if isinstance(value, pd.Series):
        return joined("series", content.digest(value.name), index(content, value.index), column(content, value.array))
    if isinstance(value, pd.Index):
        return joined("index", index(content, value))
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return joined("array", column(content, value))
    if value is pd.NA or value is pd.NaT:
        return joined("null", str(value))
    if isinstance(value, pd.Timestamp):
        return joined("timestamp", str(value.unit), str(value.value), repr(value.tzinfo), str(value.fold))
    if isinstance(value, pd.Timedelta):
        return joined("timedelta", str(value.unit), str(value.value))
    if isinstance(value, pd.Period):
        return joined("period", value.freqstr, str(value.ordinal))
    if isinstance(value, pd.Interval):
        return joined("interval", value.closed, content.digest(value.left), content.digest(value.right))
    if isinstance(value, (pd.CategoricalDtype,)):
        categories = b"" if value.categories is None else index(content, value.categories)
        return joined("dtype", str(value.ordered), categories)
    if isinstance(value, pd.api.extensions.ExtensionDtype):
        return joined("dtype", repr(value))
    return None


def _frame(content: Content, frame: pd.DataFrame) -> bytes:
    columns = [series.array for _, series in frame.items()]  # by position: names may repeat
    digests: list[bytes | None] = [None] * len(columns)
    plain: list[tuple[int, np.ndarray[Any, Any]]] = []
    for i, values in enumerate(columns):
        numbers = _numbers(values)
        if numbers is None:
            digests[i] = column(content, values)
        else:
            plain.append((i, numbers))
    for (i, numbers), done in zip(plain, array_content.raw_columns([n for _, n in plain]), strict=True):
        digests[i] = _plain(columns[i], numbers, done)
    head = joined("frame", f"{len(frame)} {len(columns)}", index(content, frame.columns), index(content, frame.index))
    return joined(head, *(d for d in digests if d is not None))


def index(content: Content, labels: pd.Index) -> bytes:
    """Return the digest of an index: names, type and labels."""
    import pandas as pd

    names = content.digest_all(list(labels.names), tag="names")
    if isinstance(labels, pd.RangeIndex):
        return joined("range", names, f"{labels.start} {labels.step} {len(labels)}")
    if isinstance(labels, pd.MultiIndex):
        levels = [column(content, labels.get_level_values(i).array) for i in range(labels.nlevels)]
        return joined("multi", names, *levels)
    return joined("labels", names, column(content, labels.array))


def column(content: Content, values: Any) -> bytes:
    """Return the digest of a pandas array: type, length, which are null, values."""
    import pandas as pd

    numbers = _numbers(values)
    if numbers is not None:
        return _plain(values, numbers, array_content.raw(numbers))
    head = f"{values.dtype} {len(values)}"
    if isinstance(values, pd.Categorical):
        codes = array_content.digest(content, values.codes)
        return joined(head, str(values.ordered), index(content, values.categories), codes)
    if isinstance(values, pd.arrays.IntervalArray):
        return joined(head, index(content, values.left), index(content, values.right))
    mask = getattr(values, "_mask", None)
    if isinstance(values, pd.api.extensions.ExtensionArray) and mask is not None and hasattr(values, "_data"):
        return joined(head, *_masked(values._data, mask))  # pyright: ignore[reportAttributeAccessIssue]
    arrow = _arrow(values)
    if arrow is not None:
        from lexsi_nb.kernel import arrow_content

        return joined(head, arrow_content.column_digest(content, arrow))
    if isinstance(values, pd.arrays.SparseArray):
        return joined(head, array_content.digest(content, values.to_numpy()))
    return joined(head, _objects(content, values))


def _numbers(values: Any) -> np.ndarray[Any, Any] | None:
    """Return the fixed-width numpy data of an array without copying, None when there are none."""
    import numpy as np
    import pandas as pd

    if isinstance(values, (pd.arrays.DatetimeArray, pd.arrays.TimedeltaArray, pd.arrays.PeriodArray)):
        return values.asi8
    if isinstance(values, pd.arrays.NumpyExtensionArray):
        data = np.asarray(values)  # to_numpy() looks for nulls first in pandas 2.2
        return None if data.dtype.hasobject or data.dtype.kind == "T" else data
    return None


def _plain(values: Any, numbers: np.ndarray[Any, Any], done: bytes) -> bytes:
    kind = f"{values.dtype}" if numbers.dtype.kind == "i" else array_content.type_text(numbers.dtype)
    return joined("numbers", kind, array_content.type_text(numbers.dtype), str(len(numbers)), done)


def _masked(data: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> tuple[bytes, ...]:
    import numpy as np

    if mask.any():  # what lies under the mask is arbitrary
        data = np.where(mask, np.zeros((), data.dtype), data)
        return array_content.raw(data), array_content.raw(mask)
    return array_content.raw(data), b"all"


def _arrow(values: Any) -> Any:
    """Return the Arrow data of a string or Arrow-backed array, None when it is neither."""
    import pandas as pd

    arrow_backed = isinstance(values, pd.arrays.ArrowExtensionArray) or hasattr(values, "_pa_array")
    strings = isinstance(values.dtype, pd.StringDtype)
    if not (arrow_backed or (strings and "pyarrow" in sys.modules)):
        return None
    try:
        return values.__arrow_array__()
    except ValueError:  # text with lone surrogates has no Arrow form
        if arrow_backed:
            raise
        return None


def _objects(content: Content, values: Any) -> bytes:
    """Return the digest of a column of Python objects; columns of text and nulls take a fast way."""
    import numpy as np
    import pandas as pd

    array = np.asarray(values, dtype=object)
    if "pyarrow" in sys.modules and pd.api.types.infer_dtype(array, skipna=True) == "string":
        import pyarrow as pa

        from lexsi_nb.kernel import arrow_content

        null = np.asarray(pd.isna(array))
        try:
            text = pa.array(array, pa.large_string(), mask=null, from_pandas=False)
        except ValueError:
            text = None  # lone surrogates
        if text is not None:
            kinds = content.digest_all(array[null].tolist(), tag="nulls") if null.any() else b""
            return joined("text", arrow_content.column_digest(content, text), kinds)
    return content.digest_all(array.tolist(), tag="objects")
