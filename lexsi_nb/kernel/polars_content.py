"""Digests of polars objects, by their Arrow form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.kernel.content import joined

if TYPE_CHECKING:
    import polars as pl

    from lexsi_nb.kernel.content import Content


def digest(content: Content, value: Any) -> bytes | None:
    """Return the digest of a frame, a series or a type; None for others (lazy frames, expressions)."""
    import polars as pl

    if isinstance(value, pl.DataFrame):
        names = joined("polars", str(value.height), *value.columns)
        return joined(names, *(_series(content, s) for s in value.get_columns()))
    if isinstance(value, pl.Series):
        return joined("polars.Series", value.name, _series(content, value))
    if isinstance(value, pl.DataType):
        return joined("polars.dtype", repr(value))
    return None


def _series(content: Content, series: pl.Series) -> bytes:
    import polars as pl

    kind = repr(series.dtype)
    if isinstance(series.dtype, (pl.Categorical, pl.Enum)):
        series = series.cast(pl.String)  # codes depend on what else the process has read
    if not isinstance(series.dtype, pl.Object):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            pass  # polars works without it; the slow way below gives a right, if other, fingerprint
        else:
            from lexsi_nb.kernel import arrow_content

            return joined(kind, arrow_content.column_digest(content, series.to_arrow()))
    return joined(kind, content.digest_all(series.to_list(), tag="objects"))
