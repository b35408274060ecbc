"""The HTTP side of the stand-in."""

from __future__ import annotations

import email
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.lexsi_server.faults import Faults
from tests.lexsi_server.platform import Job, Platform, Refused
from tests.lexsi_server.routes import ROUTES, ok

UPLOAD, POLL, DOWNLOAD = "v2/project/uploadfile_with_info", "v2/events/poll", "v2/ai-models/download_tag_data"
CHAT, LOGIN = "gateway/v1/chat/completions", "v2/access-token/authorize"


@dataclass
class Seen:
    """One request that arrived."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    authorization: str = ""


@dataclass
class LexsiServer:
    """A running stand-in."""

    url: str
    platform: Platform
    seen: list[Seen] = field(default_factory=list)

    @property
    def faults(self) -> Faults:
        """What goes wrong."""
        return self.platform.faults

    def to(self, path: str) -> list[Seen]:
        """Return the requests to one path."""
        return [s for s in self.seen if s.path == path]


class Handler(BaseHTTPRequestHandler):
    """Reads a request, finds its route, answers."""

    protocol_version = "HTTP/1.1"
    lexsi: LexsiServer

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        """Answer one request."""
        size, stalled = int(self.headers.get("content-length") or 0), self.lexsi.faults.stalled
        parts = urlsplit(self.path)
        if stalled and stalled in parts.path:
            self.stall(size)
            return
        raw = self.rfile.read(size)
        path, query = parts.path.lstrip("/"), dict(parse_qsl(parts.query))
        kind = self.headers.get("content-type", "")
        body = raw if kind.startswith("multipart/") else json.loads(raw or b"{}")
        bearer = self.headers.get("authorization", "")
        self.lexsi.seen.append(Seen(self.command, path, query, body, bearer))
        platform, faults = self.lexsi.platform, self.lexsi.faults
        if faults.silent and faults.silent in path:
            platform.closing.wait()
            return
        if status := faults.html_for(path):
            self.send(status, b"<html><body>Bad gateway</body></html>", "text/html")
            return
        if faults.empty_details and faults.empty_details in path:
            self.json({"success": False, "details": ""})
            return
        if path != LOGIN and not bearer.startswith("Bearer "):
            self.json({"details": "Unauthorized"}, 401)
            return
        try:
            self.routed(path, query, body, kind)
        except Refused as error:
            self.json({"success": False, "details": str(error)})
        except PermissionError as error:
            self.json({"details": str(error)}, 401)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        except Exception as error:  # noqa: BLE001  (a service answers 500, whatever happened)
            self.json({"success": False, "details": f"{type(error).__name__}: {error}"}, 500)

    def stall(self, size: int) -> None:
        """Let a request wait, then count what came of its body before it was cut."""
        platform = self.lexsi.platform
        platform.stalled.set()
        while not platform.unstall.wait(0.05) and not platform.closing.is_set():
            pass
        try:
            while chunk := self.rfile.read1(65536):
                platform.bytes_came += len(chunk)
                if platform.bytes_came >= size:
                    break
        except OSError:  # the other side has gone
            pass
        platform.came.set()
        self.close_connection = True

    def routed(self, path: str, query: dict[str, str], body: Any, kind: str) -> None:
        """Answer by the route."""
        platform = self.lexsi.platform
        if path == UPLOAD:
            self.json(self.uploaded(query, body, kind))
        elif path == POLL:
            self.poll(platform.jobs[query["event_id"]])
        elif path == DOWNLOAD:
            if self.lexsi.faults.csv_is_json:
                self.json({"success": False, "details": "Tag not found"})
            else:
                csv = platform.project(query["project_name"]).inferences[query["tag"]].to_csv(index=False)
                self.send(200, csv.encode(), "text/csv")
        elif path == CHAT:
            text = platform.chat.pop(0) if platform.chat else json.dumps({"final_answer": "No answer was set."})
            if body.get("stream"):
                self.speak(text)
                return
            self.json({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                       "usage": {"prompt_tokens": 11, "completion_tokens": 7}})  # fmt: skip
        else:
            self.json(ROUTES[self.command, path](platform, query, body))

    def uploaded(self, query: dict[str, str], body: bytes, kind: str) -> Any:
        """Keep an uploaded file."""
        message = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
        part = message.get_payload()[0]
        project = self.lexsi.platform.project(query["project_name"])
        path = f"files/{part.get_filename()}_{len(self.lexsi.seen)}"
        project.files[path] = part.get_payload(decode=True)
        return ok(metadata={"filepath": path})

    def poll(self, job: Job) -> None:
        """Stream what a job says, until it has ended."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        platform, faults = self.lexsi.platform, self.lexsi.faults
        self.event(job, 10)
        if faults.cut_streams > 0:
            faults.cut_streams -= 1
            return
        while not job.done.wait(0.02) and not platform.closing.is_set():
            self.wfile.write(b": still there\n\n")
        if faults.job_never_made:
            return
        self.event(job, 100)
        self.wfile.write(b"data: [DONE]\n\n")

    def speak(self, text: str) -> None:
        """Stream a model's reply in three parts."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        third = len(text) // 3 + 1
        for i in range(0, len(text), third):
            part = {"choices": [{"delta": {"content": text[i : i + third]}}]}
            self.wfile.write(f"data: {json.dumps(part)}\n\n".encode())
            if self.lexsi.faults.cut_streams > 0:
                self.lexsi.faults.cut_streams -= 1
                return
        self.wfile.write(b"data: [DONE]\n\n")

    def event(self, job: Job, progress: int) -> None:
        """Send one event."""
        said = {"status": job.status, "message": job.message, "progress": progress, "event_logs": job.logs}
        self.wfile.write(f"data: {json.dumps(ok(details=said))}\n\n".encode())
        self.wfile.flush()

    def json(self, value: Any, status: int = 200) -> None:
        """Answer with JSON."""
        self.send(status, json.dumps(value, default=str).encode(), "application/json")

    def send(self, status: int, body: bytes, kind: str) -> None:
        """Answer with bytes."""
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def running(port: int = 0) -> Iterator[LexsiServer]:
    """Return a stand-in on a port of this machine, a free one where none is named; closed afterwards."""
    lexsi = LexsiServer("", Platform())
    http = ThreadingHTTPServer(("127.0.0.1", port), type("Bound", (Handler,), {"lexsi": lexsi}))
    http.daemon_threads = True
    lexsi.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield lexsi
    finally:
        lexsi.platform.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()
