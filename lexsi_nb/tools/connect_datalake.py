"""`connect_datalake`: bind files of this machine or of an S3 bucket as the active dataset."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from lexsi_nb.artifacts.observation import Observation, Segment, only_names
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.spec import ToolResult
from lexsi_nb.tools.context import Context

if TYPE_CHECKING:
    from lexsi_nb.data.dataset import Dataset
    from lexsi_nb.data.s3 import Bucket

# Where pyarrow is told another address of the service.
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")


@tool(
    scopes=("data:connect",),
    side_effect="write",
    acts=lambda args: "kernel" if _is_local(args) else "write",
    resumable=True,  # what was copied before is not copied again
    restore=lambda args, ctx, first: _bound_again(ctx, first),
    needs_approval=lambda args: _asks(args),
    thread_safe=True,
    cost_class="slow",
    capabilities=("connect", "files", "bind", "s3", "datalake"),
    returns="The views that can be queried from now on, and the connector's id.",
    check=lambda args, ctx: _problems(args) or _refused(args, ctx),
    effect=lambda args, ctx: _effect(args, ctx),
)
def connect_datalake(
    kind: Literal["s3", "local"] = "s3",
    bucket: str = "",
    prefix: str = "",
    region: str = "us-east-1",
    aws_access_key_id: str | None = None,
    aws_secret_access_key: str | None = None,
    files: list[str] | None = None,
    path: str | None = None,
    profile: str | None = None,
    session_token: str | None = None,
    endpoint_url: str | None = None,
    *,
    ctx: Context,
) -> ToolResult:
    """Bind files as the active dataset of this run: a view a file, named after its stem.

    Use it when the user wants their own files instead of the dataset that is bound: a folder, a glob or a file of this
    machine (path), or a bucket (bucket, prefix, files). Not needed for DataFrames of the kernel. What earlier steps
    made stays, and their labels can be queried beside the new tables. A bucket, and a path outside the working folder,
    need a person's approval. Never ask the user for keys: they are read from the environment or a profile.

    Args:
        kind: s3, or local; a path alone means local.
        bucket: Name of the bucket.
        prefix: Key prefix under the bucket.
        region: Region of the bucket.
        aws_access_key_id: Left out: AWS_ACCESS_KEY_ID of the environment, or the profile.
        aws_secret_access_key: Left out: AWS_SECRET_ACCESS_KEY of the environment, or the profile.
        files: Names or patterns under the prefix or the path. Left out: every file there that can be read.
        path: A folder, a file or a glob of this machine: CSV, TSV, JSON, Parquet, Excel, SQLite, DuckDB.
        profile: A profile of the AWS files.
        session_token: Of temporary keys. Left out: AWS_SESSION_TOKEN of the environment.
        endpoint_url: Address of another service that speaks S3.
    """
    from lexsi_nb.data import s3

    connector = None
    if _local(kind, bucket, path):
        from lexsi_nb.data import sources

        dataset = sources.below(path, files)
    else:
        place = s3.bucket(
            bucket,
            prefix,
            region,
            aws_access_key_id=aws_access_key_id,
            aws_secret_access_key=aws_secret_access_key,
            session_token=session_token,
            profile=profile,
            endpoint_url=endpoint_url,
        )
        ctx.tick(0, None, f"looking in {place.address}")
        wanted = ", ".join(files or ()) or "all files that can be read"
        ctx.sent(place.address, f"list and read: {wanted}")  # before the request: a failed one went out as well
        given = _carried(ctx, place)  # refused before anything is sent
        dataset = s3.fetch(place, list(files or ()), ctx.tick)
        if given is not None:  # after the bucket was read: keys that do not open it are not handed on
            keeper = cast("Any", ctx.run.backend)
            connector = keeper.connect_bucket(given, tick=ctx.tick, cancelled=ctx.run.cancelled)
    ctx.check()  # binding cannot be taken back
    names = ctx.rebind(dataset)
    made = {"dataset": dataset, "connector_id": connector.name if connector else dataset.id, "views": names}
    kept = {} if _local(kind, bucket, path) else {"connected": s3.marks(dataset)}
    told = Segment(
        _said(dataset, names, connector), foreign=not only_names([*names, dataset.title, dataset.id]) or bool(connector)
    )
    return ToolResult(True, Observation.of(told), payload=made, meta=kept)


def _bound_again(ctx: Context, first: ToolResult) -> None:
    """Make the dataset of an earlier call the active one, from the copies in the cache; no request goes out."""
    from lexsi_nb.data import s3

    connected = first.meta.get("connected")
    if connected and ctx.dataset.id != connected["id"]:
        ctx.rebind(s3.kept(connected))


def _connects(ctx: Context | None) -> bool:
    """Return whether the run's backend keeps connectors to buckets."""
    return ctx is not None and hasattr(ctx.run.backend, "connect_bucket")


def _carried(ctx: Context, place: Bucket) -> Any:
    """Return what the backend makes a connector of, None where it keeps none.

    Raises:
        NotSupported: it cannot carry what this bucket is read with.
    """
    if not _connects(ctx):
        return None
    endpoint = place.endpoint_url or next((v for n in _ENDPOINTS if (v := os.environ.get(n, ""))), "")
    keys, keeper = place.keys, cast("Any", ctx.run.backend)
    return keeper.carries(place.region, keys.access_key, keys.secret_key, keys.session_token, endpoint)


def _refused(args: Any, ctx: Context | None) -> list[str]:
    """Return why the backend cannot be given a connector, before a person is asked; a profile is not opened for it."""
    from lexsi_nb.data import s3
    from lexsi_nb.errors import LexsiError

    said = _told(args)
    if ctx is None or not _connects(ctx) or _is_local(args) or said.get("profile"):
        return []
    wanted = ("region", "aws_access_key_id", "aws_secret_access_key", "session_token", "endpoint_url")
    try:
        _carried(ctx, s3.bucket(said["bucket"], **{k: said[k] for k in wanted if said.get(k)}))
    except LexsiError as error:
        return [f"$.bucket: {error}"]
    return []


def _said(dataset: Dataset, names: list[str], connector: Any = None) -> str:
    note = f" ({dataset.note})" if dataset.note else ""
    told = f"Bound {dataset.title}{note}. Connector {connector.name if connector else dataset.id}."
    if connector:
        test = f"Its test says: {connector.said.rstrip('.')}" if connector.said else "Its test said nothing"
        told += f" It {'was made' if connector.made else 'stood already'} at Lexsi. {test}."
        told += " The files were read by this machine: no call of Lexsi returns them."
    return f"{told} Views: {', '.join(names)}."


def _local(kind: str, bucket: str, path: str | None) -> bool:
    return kind == "local" or (bool(path) and not bucket)


def _told(args: Any) -> Mapping[str, Any]:
    return args if isinstance(args, Mapping) else vars(args)


def _is_local(args: Any) -> bool:
    said = _told(args)
    return _local(said.get("kind", "s3"), said.get("bucket", ""), said.get("path"))


def _asks(args: Any) -> bool:
    """Return whether a person is asked first: always for a bucket, and for a path outside the working folder."""
    from lexsi_nb.data.sources import inside

    said = _told(args)
    return not _is_local(args) or not inside(said.get("path"), said.get("files"))


def _effect(args: Any, ctx: Context | None = None) -> Effect:
    """Return what a person is asked about: where requests go and what is copied."""
    said = _told(args)
    if _is_local(args):
        return Effect(note="Reads files outside the working folder; nothing leaves this machine.")
    place = "/".join(p for p in (f"s3://{said.get('bucket')}", str(said.get("prefix") or "").strip("/")) if p)
    at = said.get("endpoint_url") or f"AWS, region {said.get('region', 'us-east-1')}"
    note = "Lists and copies files into the cache of this machine; sends no data."
    if ctx is None or not _connects(ctx):
        return Effect(to=f"{place} at {at}", note=note)
    lexsi = str(getattr(ctx.run.backend, "place", ctx.run.backend.name))
    note += f" Then the AWS key id and secret key are sent to {lexsi}, which keeps them in a connector; it is tested."
    return Effect(to=f"{place} at {at}; the keys: {lexsi}", note=note)


def _problems(args: Any) -> list[str]:
    said = _told(args)
    path, bucket = said.get("path"), said.get("bucket", "")
    spelt = [("path", path or ""), *(("files", f) for f in said.get("files") or ())]
    if address := next((f"$.{name}: {text!r} is an address" for name, text in spelt if "://" in text), ""):
        return [f"{address}; pass a plain path, or for a bucket kind s3 with bucket, prefix and files."]
    if bucket and path:
        return ["$.path: a path of this machine and a bucket exclude each other; pass one of them."]
    if said.get("kind") == "local" and bucket:
        return ["$.bucket: belongs to kind s3."]
    if _local(said.get("kind", "s3"), bucket, path):
        return [] if path or said.get("files") else ["$.path: needed for kind local: a folder, a file or a glob."]
    return [] if bucket else ["$.bucket: needed for kind s3; for files of this machine pass path."]
