"""Files of an S3 bucket, copied into the user's cache and bound as tables."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

from lexsi_nb.data.bank import cache_folder
from lexsi_nb.data.dataset import Dataset, py_string
from lexsi_nb.data.files import endings, readable
from lexsi_nb.data.proxy import masked, proxy_for
from lexsi_nb.data.s3_keys import Keys, keys_for
from lexsi_nb.errors import BadData, LexsiError, nearest

CHUNK = 4 * 2**20  # bytes between two progress reports, and two chances to stop
Tick = Callable[[float, float, str], None]

# What the service says -> what it means for the user.
_REASONS = {
    "ACCESS_DENIED": (
        "These keys may not read it.",
        "Check the keys, or ask for s3:ListBucket and s3:GetObject on it.",
    ),
    "INVALID_ACCESS_KEY_ID": ("The service does not know the access key id.", "Check the keys and the endpoint."),
    "SIGNATURE_DOES_NOT_MATCH": ("The secret does not belong to the access key id.", "Check the keys."),
    "EXPIRED": ("The session token has expired.", "Get new keys."),
    "TOKEN": ("The session token is not accepted.", "Get new keys."),
    "NO_SUCH_BUCKET": ("There is no such bucket.", "Check the name and the endpoint."),
    "PermanentRedirect": ("The bucket is in another region.", "Pass its region."),
    "NETWORK_CONNECTION": (
        "The service cannot be reached.",
        "Check the endpoint, the network, and HTTPS_PROXY and NO_PROXY.",
    ),
    "curlCode": ("The service cannot be reached.", "Check the endpoint, the network, and HTTPS_PROXY and NO_PROXY."),
}


@dataclass(frozen=True)
class Bucket:
    """Where the files are. The keys are in no repr, and no error tells them."""

    name: str
    prefix: str = ""
    region: str = "us-east-1"
    endpoint_url: str | None = None
    profile: str | None = None
    keys: Keys = field(default_factory=Keys, repr=False, compare=False)

    @property
    def address(self) -> str:
        """The place in words: `s3://bucket/prefix`."""
        return f"s3://{self.name}/{self.prefix}".rstrip("/")

    @property
    def proxy(self) -> tuple[str, str] | None:
        """The proxy that the environment names for the service."""
        spelt = _address(self.endpoint_url) or {
            "endpoint_override": f"s3.{self.region}.amazonaws.com", "scheme": "https",
        }  # fmt: skip
        return proxy_for(spelt["endpoint_override"], spelt["scheme"])

    def path(self, key: str) -> str:
        """Return bucket and key as pyarrow spells them."""
        return str(PurePosixPath(self.name, self.prefix.strip("/"), key))

    def open(self) -> Any:
        """Return pyarrow's filesystem of the service.

        Raises:
            BadData: this pyarrow was built without S3, or the settings are no good.
        """
        try:
            from pyarrow import fs

            return fs.S3FileSystem(
                region=self.region,
                connect_timeout=10,
                request_timeout=60,
                **_address(self.endpoint_url),
                **({"proxy_options": self.proxy[1]} if self.proxy else {}),
                **self.keys.given(),
            )
        except ImportError as e:
            raise BadData(
                "This pyarrow cannot read S3.", str(e).splitlines()[0][:120], "Install pyarrow's wheel."
            ) from e
        except (OSError, ValueError) as e:
            raise self.failed(f"{self.address} cannot be opened.", e) from None

    def failed(self, what: str, error: Exception) -> BadData:
        """Return the error for what the service said, without any key in it."""
        said = self.keys.without(str(error))
        said = masked(said, self.proxy[1]) if self.proxy else said
        for mark, (why, next) in _REASONS.items():
            if mark in said:
                return BadData(what, why, next)
        line = said.splitlines()[0][:200] if said else type(error).__name__
        return BadData(what, line if line.endswith(".") else f"{line}.", "Check bucket, prefix and keys.")


@dataclass(frozen=True)
class Found:
    """One object: key below the prefix, bytes, and when it was written (nanoseconds)."""

    key: str
    size: int
    written: int


def bucket(
    name: str,
    prefix: str = "",
    region: str = "us-east-1",
    *,
    aws_access_key_id: str | None = None,
    aws_secret_access_key: str | None = None,
    session_token: str | None = None,
    profile: str | None = None,
    endpoint_url: str | None = None,
) -> Bucket:
    """Return the place with its keys: those given, else the profile's, else the environment's, else none of ours.

    Raises:
        BadData: half a key pair, or a profile that is not there or holds no keys.
    """
    keys = keys_for(aws_access_key_id, aws_secret_access_key, session_token, profile)
    return Bucket(name, prefix.strip("/"), region, endpoint_url, profile, keys)


def find(place: Bucket, files: list[str]) -> list[Found]:
    """Return the objects of the names and patterns in `files`, or all below the prefix that can be read.

    Raises:
        BadData: no such bucket, prefix or file (lists the nearest names), or no right to read it.
    """
    system = place.open()
    listed: list[Found] | None = None
    found: dict[str, Found] = {}
    for name in files or ["*"]:
        if any(c in name for c in "*?["):
            listed = _listing(place, system) if listed is None else listed
            matching = [f for f in listed if fnmatch(f.key, name) and readable(f.key, named=bool(files))]
            if not matching:
                there = ", ".join(f.key for f in listed[:8]) or "nothing"
                raise BadData(
                    f"No file in {place.address} matches {name!r}.", f"There is: {there}.", f"Endings: {endings()}."
                )
            found.update({f.key: f for f in matching})
        else:
            found[name] = _one(place, system, name)
    empty = [f.key for f in found.values() if f.size == 0]
    if empty:
        raise BadData(
            f"{empty[0]} in {place.address} is empty.", "It has no bytes.", "Leave it out, or write it again."
        )
    return list(found.values())


def _listing(place: Bucket, system: Any) -> list[Found]:
    from pyarrow import fs

    root = place.path("")
    try:
        infos = system.get_file_info(fs.FileSelector(root, allow_not_found=False, recursive=False))
    except OSError as e:
        raise place.failed(f"{place.address} cannot be listed.", e) from None
    return [
        Found(i.base_name, i.size, i.mtime_ns)
        for i in sorted(infos, key=lambda i: i.path)
        if i.type == fs.FileType.File and not i.base_name.startswith(".")
    ]


def _one(place: Bucket, system: Any, name: str) -> Found:
    from pyarrow import fs

    if not readable(name):
        raise BadData(f"{name} is not a file that can be read.", f"Known endings: {endings()}.", "Convert it first.")
    try:
        info = system.get_file_info(place.path(name))
    except OSError as e:
        raise place.failed(f"{name} in {place.address} cannot be read.", e) from None
    if info.type == fs.FileType.File:
        return Found(name, info.size, info.mtime_ns)
    there = [f.key for f in _listing(place, system)]
    near = nearest(name, there) or there[:8]
    raise BadData(
        f"No file {name!r} in {place.address}.", f"There is: {', '.join(near)}." if near else "", "Check the name."
    )


def fetch(place: Bucket, files: list[str], tick: Tick = lambda done, total, stage: None) -> Dataset:
    """Return the dataset of the named files, copied into the cache first; what is there already is not read again.

    `tick(done, total, stage)` hears bytes; what it raises stops the copy, and nothing of a half copy stays.

    Raises:
        BadData: as `find`, or the copy failed, or the disk is too full.
    """
    from lexsi_nb.data.sources import several

    found = find(place, files)
    clash = {PurePosixPath(f.key).name: f for f in found}
    if len(clash) != len(found):
        raise BadData("Two of the files have one name.", "They would be one table.", "Name them one by one.")
    folder = _folder(place, found)
    total = sum(f.size for f in found)
    missing = [f for f in found if not _there(folder, f)]
    if missing:
        _copy(place, missing, folder, total - sum(f.size for f in missing), total, tick)
    local = [folder / PurePosixPath(f.key).name for f in found]
    return several(
        local,
        id=f"s3-{folder.name}",
        title=place.address,
        note=f"{_count(found)}, {size(total)}, copied from {place.address}",
        fetch=_source(place, found),
    )


def kept(meta: Mapping[str, Any]) -> Dataset:
    """Return the dataset that `fetch` made before, from what `marks` noted of it: no request goes out.

    Raises:
        BadData: the copies are not in the cache any more.
    """
    from lexsi_nb.data.sources import several

    files = [Path(f) for f in meta["files"]]
    gone = [f.name for f in files if not f.is_file()]
    if gone:
        raise BadData(
            f"{meta['title']} was connected before, and its copies are not in the cache any more.",
            f"Missing: {', '.join(gone[:5])}.",
            "Ask with again=True (--again) to copy them anew.",
        )
    return several(files, id=meta["id"], title=meta["title"], note=meta["note"], fetch=meta["fetch"])


def marks(dataset: Dataset) -> dict[str, Any]:
    """Return what `kept` needs to bind the dataset again, as JSON values; no keys are among them."""
    return {
        "id": dataset.id, "title": dataset.title, "note": dataset.note, "fetch": dataset.fetch,
        "files": [str(f) for f in dataset.files],
    }  # fmt: skip


def _folder(place: Bucket, found: list[Found]) -> Path:
    """Return the cache folder of exactly this content: another version of an object goes to another folder."""
    parts = [place.endpoint_url or "", place.name, place.prefix]
    parts += [f"{f.key}:{f.size}:{f.written}" for f in sorted(found, key=lambda f: f.key)]
    digest = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:10]
    return cache_folder() / "s3" / _plain(place.name) / digest


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-._" else "_" for c in name).strip(".") or "bucket"


def _there(folder: Path, one: Found) -> bool:
    file = folder / PurePosixPath(one.key).name
    return file.is_file() and file.stat().st_size == one.size


def _copy(place: Bucket, missing: list[Found], folder: Path, done: int, total: int, tick: Tick) -> None:
    wanted = sum(f.size for f in missing)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        free = shutil.disk_usage(folder).free
    except OSError as e:
        raise BadData(f"{folder} cannot be written.", f"{e.strerror}.", "Set LEXSI_NB_CACHE to another folder.") from e
    if wanted > free:
        raise BadData(
            f"{_count(missing)} of {size(wanted)} do not fit on the disk.",
            f"{size(free)} are free in {folder}.",
            "Set LEXSI_NB_CACHE to another disk, or name fewer files.",
        )
    tick(done, total, f"{_count(missing)}, {size(wanted)}, from {place.address}")
    system = place.open()
    for one in missing:
        done = _copy_one(place, system, one, folder, done, total, tick)


def _copy_one(place: Bucket, system: Any, one: Found, folder: Path, done: int, total: int, tick: Tick) -> int:
    """Copy one object under a name of its own, then rename: a reader never meets half a file."""
    name = PurePosixPath(one.key).name
    handle, part = tempfile.mkstemp(prefix=f".{name}-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as out, system.open_input_stream(place.path(one.key)) as source:
            while data := source.read(CHUNK):
                out.write(data)
                done += len(data)
                tick(done, total, f"{name}, {size(done)} of {size(total)}")
        if os.path.getsize(part) != one.size:
            raise BadData(f"{one.key} changed while it was copied.", "Its size is another now.", "Call it again.")
        os.utime(part, ns=(one.written, one.written))
        os.replace(part, folder / name)
    except LexsiError:
        raise
    except OSError as e:
        raise place.failed(f"{one.key} in {place.address} could not be copied.", e) from None
    finally:
        Path(part).unlink(missing_ok=True)
    return done


def _source(place: Bucket, found: list[Found]) -> str:
    """Return the plain source that copies the files to DATA where they are not there; keys come from outside."""
    settings = [f"region={py_string(place.region)}"]
    settings += [f"{k}={py_string(v)}" for k, v in _address(place.endpoint_url).items()]
    if place.proxy:
        settings.append(f"proxy_options=getproxies()[{py_string(place.proxy[0])}]")
    lines = ["# Keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN of the environment, or a profile."]
    if place.profile:
        lines.append(f'os.environ.setdefault("AWS_PROFILE", {py_string(place.profile)})')
    lines.append(f"s3 = fs.S3FileSystem({', '.join(settings)})")
    lines.append("DATA.mkdir(parents=True, exist_ok=True)")
    keys = ",\n".join(f"    {py_string(place.path(f.key))}" for f in found)
    lines.append(f"for key in [\n{keys},\n]:")
    lines += [
        "    file = DATA / Path(key).name",
        "    if not file.exists():",
        '        part = file.with_suffix(".part")',
        "        fs.copy_files(key, str(part), source_filesystem=s3, destination_filesystem=fs.LocalFileSystem())",
        "        part.rename(file)",
    ]
    return "\n".join(lines) + "\n"


def _address(endpoint_url: str | None) -> dict[str, str]:
    """Return an endpoint as pyarrow wants it: host and scheme apart."""
    if not endpoint_url:
        return {}
    scheme, found, rest = endpoint_url.partition("://")
    if not found:
        scheme, rest = "https", endpoint_url
    return {"endpoint_override": rest.rstrip("/"), "scheme": scheme}


def _count(found: list[Found]) -> str:
    return f"{len(found)} file{'' if len(found) == 1 else 's'}"


def size(number: float) -> str:
    """Return a number of bytes in words: 12.4 MB."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
