"""Digests of Arrow data: the same for every chunking, slice offset and null padding of equal content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.kernel.array_content import feed
from lexsi_nb.kernel.content import hasher, joined

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from lexsi_nb.kernel.content import Content


def digest(content: Content, value: Any) -> bytes | None:
    """Return the digest of a table, a record batch, a (chunked) array, a scalar or a type; None for others."""
    import pyarrow as pa

    if isinstance(value, (pa.Table, pa.RecordBatch)):
        parts = [f"arrow.{type(value).__name__} {value.num_rows}"]
        digests = []
        for field, column in zip(value.schema, value.columns, strict=True):
            parts += [field.name]
            digests.append(column_digest(content, column))
        return joined(joined(*parts), *digests)
    if isinstance(value, (pa.ChunkedArray, pa.Array)):
        return joined("arrow.Array", column_digest(content, value))
    if isinstance(value, pa.Scalar):
        return joined("arrow.Scalar", str(value.type), content.digest(value.as_py()))
    if isinstance(value, (pa.DataType, pa.Schema, pa.Field)):
        return joined(f"arrow.{type(value).__name__}", str(value))
    return None


def column_digest(content: Content, column: pa.ChunkedArray | pa.Array) -> bytes:
    """Return the digest of a column: type, length, which values are null, the values."""
    import pyarrow as pa

    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return joined(str(column.type), str(len(column)), _values(content, column.type, chunks))


def _values(content: Content, kind: Any, chunks: list[Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.types as t

    chunks = [c for c in chunks if len(c)]
    if isinstance(kind, pa.BaseExtensionType):
        return _values(content, kind.storage_type, [c.storage for c in chunks])
    if t.is_null(kind):
        return b"null"
    if t.is_dictionary(kind):
        return _dictionary(content, kind, chunks)
    if t.is_string(kind) or t.is_large_string(kind) or t.is_binary(kind) or t.is_large_binary(kind):
        return _strings(chunks, wide=t.is_large_string(kind) or t.is_large_binary(kind))
    if str(kind) in ("string_view", "binary_view"):
        wide = pa.large_string() if str(kind) == "string_view" else pa.large_binary()
        return _strings([_widened(c, wide) for c in chunks], wide=True)
    if t.is_boolean(kind):
        return _booleans(chunks)
    if t.is_struct(kind):
        fields = [_values_of(content, [c.flatten()[i] for c in chunks], kind.field(i)) for i in range(kind.num_fields)]
        return joined(_validity(chunks), *fields)
    if t.is_list(kind) or t.is_large_list(kind) or t.is_fixed_size_list(kind):
        return _lists(content, kind, chunks)
    if t.is_primitive(kind) or t.is_decimal(kind) or t.is_fixed_size_binary(kind):
        return _fixed_width(kind, chunks)
    # maps, unions, run-end encoding, list views: rare enough for the slow way
    return content.digest_all((v for c in chunks for v in c.to_pylist()), tag="values")


def _widened(chunk: Any, kind: Any) -> Any:
    import pyarrow as pa

    try:
        return chunk.cast(kind)
    except NotImplementedError:  # pyarrow before 18
        return pa.array(chunk.to_pylist(), kind)


def _values_of(content: Content, chunks: list[Any], field: Any) -> bytes:
    return joined(field.name, str(field.type), _values(content, field.type, chunks))


def _valid(chunk: Any) -> np.ndarray[Any, Any]:
    """Return which values are there: uint8, (n,), 0 or 1."""
    return _bits(chunk.is_valid())


def _bits(chunk: Any) -> np.ndarray[Any, Any]:
    import numpy as np

    packed = _view(chunk.buffers()[1], np.uint8)
    first = chunk.offset // 8
    skip = chunk.offset - first * 8
    bits = np.unpackbits(packed[first : (chunk.offset + len(chunk) + 7) // 8], bitorder="little")
    return bits[skip : skip + len(chunk)]


def _view(buffer: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """Return a buffer as an array, without copying."""
    import numpy as np

    if buffer is None or not buffer.size:
        return np.empty(0, dtype)
    return np.frombuffer(buffer, dtype)


def _validity(chunks: list[Any]) -> bytes:
    if not any(c.null_count for c in chunks):
        return b"all"
    h = hasher()
    for c in chunks:
        feed(h, _valid(c))
    return h.digest()


def _booleans(chunks: list[Any]) -> bytes:
    h = hasher()
    for c in chunks:
        bits = _bits(c)
        feed(h, bits & _valid(c) if c.null_count else bits)
    return joined(_validity(chunks), h.digest())


def _fixed_width(kind: Any, chunks: list[Any]) -> bytes:
    import numpy as np

    width = kind.byte_width if hasattr(kind, "byte_width") else kind.bit_width // 8
    h = hasher()
    for c in chunks:
        if not width:
            continue
        values = _view(c.buffers()[1], np.uint8)[c.offset * width : (c.offset + len(c)) * width]
        if c.null_count:  # what lies under a null is arbitrary
            values = values.reshape(len(c), width).copy()
            values[_valid(c) == 0] = 0
        feed(h, values)
    return joined(_validity(chunks), h.digest())


def _strings(chunks: list[Any], *, wide: bool) -> bytes:
    """Return the digest of ends and bytes; ends count from the first value on, as in one unsliced array."""
    import numpy as np

    ends, data = hasher(), hasher()
    base = 0
    for c in chunks:
        offsets = _offsets(c, wide)
        if c.null_count and bool(np.any(np.diff(offsets)[_valid(c) == 0])):
            import pyarrow as pa

            c = pa.array(c.to_pylist(), c.type)  # text lies under a null: build it anew, without
            offsets = _offsets(c, wide)
        first, last = int(offsets[0]), int(offsets[-1])
        tail = offsets[1:]
        feed(ends, tail if tail.dtype == np.int64 and first == base else tail.astype(np.int64) + (base - first))
        if last > first:
            feed(data, _view(c.buffers()[2], np.uint8)[first:last])
        base += last - first
    return joined(_validity(chunks), ends.digest(), data.digest())


def _offsets(chunk: Any, wide: bool) -> np.ndarray[Any, Any]:
    import numpy as np

    offsets = _view(chunk.buffers()[1], np.int64 if wide else np.int32)
    return offsets[chunk.offset : chunk.offset + len(chunk) + 1]


def _lists(content: Content, kind: Any, chunks: list[Any]) -> bytes:
    import numpy as np
    import pyarrow.compute as pc

    lengths = hasher()
    for c in chunks:
        counts = pc.fill_null(pc.list_value_length(c), 0)  # pyright: ignore[reportAttributeAccessIssue]
        feed(lengths, np.asarray(counts).astype(np.int64))
    # flatten() leaves out what lies under a null or outside a slice
    inner = _values_of(content, [c.flatten() for c in chunks], kind.value_field)
    return joined(_validity(chunks), lengths.digest(), inner)


def _dictionary(content: Content, kind: Any, chunks: list[Any]) -> bytes:
    import pyarrow as pa

    if not chunks:
        return b"empty"
    first = chunks[0].dictionary
    if len(chunks) > 1 and not all(c.dictionary.equals(first) for c in chunks[1:]):
        chunks = pa.chunked_array(chunks).unify_dictionaries().chunks
        first = chunks[0].dictionary
    codes = _fixed_width(kind.index_type, [c.indices for c in chunks])
    return joined("ordered" if kind.ordered else "", codes, column_digest(content, first))
