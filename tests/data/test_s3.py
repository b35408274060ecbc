"""Files of an S3 bucket: copied once, bound as tables, and no key in any text. The service runs on this machine."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pandas as pd
import pytest

from lexsi_nb import datasets
from lexsi_nb.data import s3 as source
from lexsi_nb.data.engine import Engine
from lexsi_nb.errors import BadData, Cancelled

ID, SECRET, TOKEN = "AKIAQQQQQQQQQQQQQQQQ", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY99", "FwoGZXIvYXdzEXAMPLETOKENTOKEN"


def put(system: Any, **files: bytes) -> None:
    """Write objects below bank/raw; `__` in a name stands for a dot."""
    system.create_dir("bank")
    for name, content in files.items():
        with system.open_output_stream(f"bank/raw/{name.replace('__', '.')}") as out:
            out.write(content)


def parquet(**columns: list[Any]) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(columns).to_parquet(out)
    return out.getvalue()


@pytest.fixture
def raw(s3: tuple[str, Any]) -> str:
    address, system = s3
    put(system, loan__parquet=parquet(x=[1, 2]), card__csv=b"x\n10\n", note__md=b"no data")
    return address


def place(address: str, **more: Any) -> source.Bucket:
    keys = {"aws_access_key_id": ID, "aws_secret_access_key": SECRET}
    return source.bucket("bank", "raw", endpoint_url=address, **{**keys, **more})


def total(dataset: Any) -> int:
    engine = Engine(dataset)
    value = engine.query("SELECT sum(loan.x) + max(card.x) AS t FROM loan, card").t[0]
    engine.close()
    return int(value)


def test_named_files_become_tables_after_their_stems(raw: str) -> None:
    dataset = source.fetch(place(raw), ["loan.parquet", "card.csv"])
    assert dataset.table_names() == ["loan", "card"]
    assert dataset.title == "s3://bank/raw"
    assert total(dataset) == 13


def test_without_names_all_that_can_be_read_is_bound_and_patterns_choose(raw: str) -> None:
    assert source.fetch(place(raw), []).table_names() == ["card", "loan"]
    assert source.fetch(place(raw), ["*.csv"]).table_names() == ["card"]


def test_what_is_there_is_not_copied_again_and_a_new_version_is(raw: str, s3: tuple[str, Any]) -> None:
    ticks: list[tuple[float, float, str]] = []
    first = source.fetch(place(raw), [], lambda *t: ticks.append(t))
    assert ticks[0][0] == 0
    assert ticks[0][2].startswith("2 files, ")
    assert ticks[-1][0] == ticks[-1][1] > 0
    ticks.clear()
    assert source.fetch(place(raw), [], lambda *t: ticks.append(t)).fingerprint() == first.fingerprint()
    assert ticks == []
    put(s3[1], card__csv=b"x\n10\n20\n")
    second = source.fetch(place(raw), [])
    assert (second.id, second.fingerprint()) != (first.id, first.fingerprint())
    assert total(second) == 2 * 3 + 20


def test_the_cell_alone_copies_and_reads_with_keys_of_the_environment(raw: str, monkeypatch, tmp_path: Path) -> None:
    dataset = source.fetch(place(raw, session_token=TOKEN), ["loan.parquet", "card.csv"])
    cell = dataset.setup_cell()
    assert "lexsi_nb" not in cell.source.replace("lexsi-nb", "")
    assert not any(key in cell.source for key in (ID, SECRET, TOKEN))
    elsewhere = tmp_path / "elsewhere"
    text = cell.source.replace(str(dataset.root), str(elsewhere))
    assert text != cell.source
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    names: dict[str, Any] = {}
    exec(text, names)
    assert sorted(p.name for p in elsewhere.iterdir()) == ["card.csv", "loan.parquet"]
    assert names["con"].sql("SELECT sum(x) FROM loan").fetchall() == [(3,)]


def test_a_copy_that_is_stopped_leaves_no_half_file(raw: str, tmp_path: Path) -> None:
    def stop(done: float, total: float, stage: str) -> None:
        if done:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        source.fetch(place(raw), [], stop)
    assert [p for p in (tmp_path / "cache").rglob("*") if p.is_file()] == []
    assert total(source.fetch(place(raw), [])) == 13


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no mode there")
def test_the_copies_are_the_users_alone(raw: str) -> None:
    dataset = source.fetch(place(raw), [])
    assert dataset.root is not None
    assert dataset.root.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lone.parquet", r"No file 'lone\.parquet' in s3://bank/raw\. There is: loan\.parquet"),
        ("*.xlsx", r"No file in s3://bank/raw matches '\*\.xlsx'"),
        ("note.md", "not a file that can be read"),
    ],
)
def test_a_file_that_is_not_there_names_the_nearest(raw: str, name: str, words: str) -> None:
    with pytest.raises(BadData, match=words):
        source.fetch(place(raw), [name])


def test_empty_objects_and_two_of_one_name_are_refused(s3: tuple[str, Any]) -> None:
    put(s3[1], **{"none__csv": b"", "a/x__csv": b"x\n1\n", "b/x__csv": b"x\n1\n"})
    with pytest.raises(BadData, match=r"none\.csv in s3://bank/raw is empty"):
        source.fetch(place(s3[0]), ["none.csv"])
    with pytest.raises(BadData, match="one name"):
        source.fetch(place(s3[0]), ["a/x.csv", "b/x.csv"])
    assert source.fetch(place(s3[0]), ["a/x.csv"]).table_names() == ["x"]


def test_unknown_bucket_and_unreachable_service_say_so(raw: str) -> None:
    elsewhere = source.bucket("bunk", endpoint_url=raw, aws_access_key_id=ID, aws_secret_access_key=SECRET)
    with pytest.raises(BadData, match="There is no such bucket"):
        source.fetch(elsewhere, [])
    closed = source.bucket(
        "bank", endpoint_url="http://127.0.0.1:9", aws_access_key_id=ID, aws_secret_access_key=SECRET
    )
    with pytest.raises(BadData, match="cannot be reached"):
        source.fetch(closed, [])


def checks_keys(address: str, *, after: int) -> None:
    """Make the service look at keys after so many requests; it knows none."""
    head = {"Content-Type": "text/plain"}
    urlopen(Request(f"{address}/moto-api/reset-auth", data=str(after).encode(), headers=head, method="POST")).close()


def test_refused_keys_are_an_error_that_tells_none_of_them(raw: str) -> None:
    checks_keys(raw, after=0)
    try:
        with pytest.raises(BadData) as caught:
            source.fetch(place(raw, session_token=TOKEN), [])
    finally:
        checks_keys(raw, after=10**9)
    said = f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"
    assert "keys" in said
    assert not any(key in said for key in (ID, SECRET, TOKEN))


def test_no_repr_tells_a_key(raw: str) -> None:
    here = place(raw, session_token=TOKEN)
    dataset = source.fetch(here, [])
    said = f"{here!r} {here.keys!r} {dataset!r}"
    assert not any(key in said for key in (ID, SECRET, TOKEN))


def test_keys_come_from_arguments_then_profile_then_environment(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(os.environ["AWS_SHARED_CREDENTIALS_FILE"])
    file.parent.mkdir()
    file.write_text(
        f"[bank]\naws_access_key_id = {ID}\naws_secret_access_key = {SECRET}\naws_session_token = {TOKEN}\n"
    )
    given = {"access_key": ID, "secret_key": SECRET, "session_token": TOKEN}
    for installed in (True, False):
        if not installed:
            monkeypatch.setitem(sys.modules, "boto3", None)
        assert source.bucket("bank", profile="bank").keys.given() == given
        with pytest.raises(BadData, match="'bonk'"):
            source.bucket("bank", profile="bonk")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "env-id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "env-secret")
    assert source.bucket("bank").keys.access_key == "env-id"
    assert source.bucket("bank", profile="bank").keys.access_key == ID
    other = source.bucket("bank", aws_access_key_id="a", aws_secret_access_key="b", profile="bank")
    assert other.keys.given() == {"access_key": "a", "secret_key": "b"}
    with pytest.raises(BadData, match="aws_secret_access_key is missing"):
        source.bucket("bank", aws_access_key_id="a")


def test_a_profile_that_is_a_role_needs_boto3_and_says_so(s3: tuple[str, Any], monkeypatch) -> None:
    file = Path(os.environ["AWS_CONFIG_FILE"])
    file.parent.mkdir()
    file.write_text("[profile role]\nrole_arn = arn:aws:iam::1:role/x\n")
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(BadData, match=r"pip install .*aws"):
        source.bucket("bank", profile="role")


def test_the_cell_names_the_profile_but_no_key(raw: str) -> None:
    file = Path(os.environ["AWS_SHARED_CREDENTIALS_FILE"])
    file.parent.mkdir()
    file.write_text(f"[bank]\naws_access_key_id = {ID}\naws_secret_access_key = {SECRET}\n")
    here = source.bucket("bank", "raw", endpoint_url=raw, profile="bank")
    cell = source.fetch(here, []).setup_cell()
    assert 'os.environ.setdefault("AWS_PROFILE", "bank")' in cell.source
    assert SECRET not in cell.source
    compile(cell.source, "cell", "exec")


def test_open_takes_an_address_of_a_bucket(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_ENDPOINT_URL", raw)
    assert datasets.open("s3://bank/raw/").table_names() == ["card", "loan"]
    assert datasets.open("s3://bank/raw").table_names() == ["card", "loan"]
    assert datasets.open("s3://bank/raw/loan.parquet").table_names() == ["loan"]
    assert datasets.open("s3://bank/raw/*.csv").table_names() == ["card"]


def test_a_full_disk_is_said_before_anything_is_copied(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil
    from types import SimpleNamespace

    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=3))
    with pytest.raises(BadData, match="3 bytes are free"):
        source.fetch(place(raw), [])


@pytest.fixture
def proxy() -> Any:
    """Return (address, requests seen) of a proxy on this machine that passes on what it is asked."""
    import threading
    from http.client import HTTPConnection
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from urllib.parse import urlsplit

    seen: list[str] = []

    class Pass(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(f"{self.command} {self.path} {self.headers.get('Proxy-Authorization', '')}")
            there = urlsplit(self.path)
            on = HTTPConnection(there.netloc)
            kept = {k: v for k, v in self.headers.items() if not k.lower().startswith("proxy-")}
            on.request(self.command, self.path.split(there.netloc, 1)[1] or "/", headers=kept)
            answer = on.getresponse()
            body = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                    self.send_header(name, value)
            length = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(body))
            self.send_header("Content-Length", length or "0")
            self.end_headers()
            self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *args: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pass)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", seen
    server.shutdown()
    server.server_close()


def test_requests_go_through_the_proxy_of_the_environment(
    raw: str, proxy: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    address, seen = proxy
    for name in ("NO_PROXY", "no_proxy", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", f"http://user:hunter2@{address}")
    dataset = source.fetch(place(raw), ["loan.parquet", "card.csv"])
    assert total(dataset) == 13
    assert any(line.startswith("GET ") and "loan.parquet" in line for line in seen)
    assert all("Basic" in line for line in seen)
    cell = dataset.setup_cell()
    assert 'proxy_options=getproxies()["http"]' in cell.source
    assert "hunter2" not in cell.source
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    seen.clear()
    copied = cell.source.replace(str(dataset.files[0].parent), str(tmp_path / "copies"))
    names: dict[str, Any] = {}
    exec(copied, names)
    assert names["con"].sql("SELECT count(*) FROM loan").fetchall() == [(2,)]


def test_hosts_of_no_proxy_are_reached_directly(
    raw: str, proxy: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, seen = proxy
    monkeypatch.setenv("HTTP_PROXY", f"http://{address}")
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")
    dataset = source.fetch(place(raw), ["loan.parquet"])
    assert not seen
    assert "getproxies" not in dataset.setup_cell().source


def test_a_proxy_that_is_not_there_is_an_error_without_its_password(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://user:hunter2@127.0.0.1:9")
    with pytest.raises(BadData) as caught:
        source.fetch(place(raw), ["loan.parquet"])
    assert "hunter2" not in str(caught.value)
    assert "PROXY" in str(caught.value)
