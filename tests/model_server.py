"""A model provider on this machine: the vendors' wire formats, streaming, with faults on demand.

Anthropic's and OpenAI's stand here, Google's and Amazon's in `tests/model_formats.py`.

A `brain` decides what the model says; the vendor's own SDK is on the other side. Used through the `model_server`
fixture.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SIGNATURE = "c2lnbmF0dXJlLW9mLXRoZS10aG91Z2h0"
ASIDES = ("[event", "No more calls")  # what the client adds to the conversation, no question of a person


@dataclass
class Reply:
    """What the model says: thought, text, and calls as (name, args).

    Of the streams of Anthropic and of Chat Completions: `stop` is another reason to stop, `raw` the arguments of each
    call as they are written, `id` the id of every call.
    """

    text: str = ""
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    thought: str = ""
    stop: str = ""
    raw: str | None = None
    id: str = ""


@dataclass
class Asked:
    """One request as the brain reads it."""

    system: str
    tools: list[str]
    question: str
    results: list[tuple[str, str]]  # (tool, text) since the question
    may_call: bool
    body: dict[str, Any]
    headers: dict[str, str]
    path: str


Brain = Callable[[Asked], Reply]


class ModelServer:
    """A provider at `url`; `requests` holds what it was sent.

    `faults` are taken one a request: 401, 404, 429, 429:SECONDS, 500, 529, 402, long, garbage, half, hang, stall.
    """

    def __init__(self, port: int = 0) -> None:
        self.brain: Brain = lambda asked: Reply("A plain answer.")
        self.requests: list[Asked] = []
        self.faults: list[str] = []
        self.words = _MESSAGES  # of each fault
        self.released = threading.Event()  # what hangs goes on when the server closes
        self.stalled = threading.Event()  # set when a stream stands still
        owner = self

        class Handler(_Handler):
            server_of = owner

        self._http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def choice(self, provider: str, model: str = "test-model", **options: Any) -> str:
        """Return the line that chooses this server."""
        base = self.url if provider in ("anthropic", "google", "bedrock") else f"{self.url}/v1"
        more = "".join(f" --{k.replace('_', '-')} {v}" if v is not True else f" --{k}" for k, v in options.items())
        return f"{provider}:{model} --url {base}{more}"

    def close(self) -> None:
        """Let go of what hangs and stop."""
        self.released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(2)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: ModelServer

    def log_message(self, *args: Any) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(raw)
        fmt = next((f for end, f in formats().items() if self.path.split("?")[0].endswith(end)), None)
        if fmt is None:
            self._json(404, {"error": {"message": f"no such path {self.path}"}})
            return
        asked = fmt.read(body, {k.lower(): v for k, v in self.headers.items()}, self.path)
        self.server_of.requests.append(asked)
        fault = self.server_of.faults.pop(0) if self.server_of.faults else ""
        if fault and self._failed(fault, fmt):
            return
        reply = self.server_of.brain(asked)
        streams = fmt.streams(body, self.path) if hasattr(fmt, "streams") else body.get("stream")
        if not streams:
            self._json(200, fmt.whole(reply, body.get("model", "")))
            return
        events = list(fmt.events(reply, body.get("model", ""), len(raw) // 4))
        self._stream(events, fault, getattr(fmt, "content_type", "text/event-stream"))

    def _failed(self, fault: str, fmt: Any) -> bool:
        code, _, seconds = fault.partition(":")
        if fault == "hang":
            self.server_of.stalled.set()
            self.server_of.released.wait(20)
            self.close_connection = True
            return True
        if fault == "garbage":
            self._send(200, b"<html>proxy says hello</html>", "text/html")
            return True
        if fault == "long" or code.isdigit():
            headers = {"Retry-After": seconds} if seconds else {}
            headers |= {"Location": f"http://127.0.0.1:1{self.path}"} if code.startswith("3") else {}
            status, body = int(code) if code.isdigit() else 400, None
            if hasattr(fmt, "streams"):
                status, body, more = fmt.error(code, _MESSAGES.get(code, code))
                headers |= more
            self._json(status, body or fmt.error(code), headers)
            return True
        return False

    def _stream(self, events: list[str | bytes], fault: str, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        cut = max(1, len(events) // 2) if fault in ("half", "stall") else len(events)
        try:
            for event in events[:cut]:
                self._chunk(event.encode() if isinstance(event, str) else event)
            if fault == "stall":
                self.server_of.stalled.set()
                self.server_of.released.wait(20)
            if fault:
                self.close_connection = True
                return
            self._chunk(b"")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the other side stopped listening

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), "application/json", headers)

    def _send(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(b.get("text", "") for b in content if isinstance(b, dict) and "text" in b)
    return ""


def pieces(text: str, size: int = 12) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def _sse(data: dict[str, Any], event: str = "") -> str:
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(data)}\n\n"


_MESSAGES = {
    "401": "invalid api key", "402": "no credit left", "404": "model: test-model", "429": "too many requests",
    "500": "internal error", "529": "overloaded", "400": "bad request",
}  # fmt: skip


class Anthropic:
    """The Messages API."""

    @staticmethod
    def read(body: dict[str, Any], headers: dict[str, str], path: str) -> Asked:
        question, results, names = "", [], {}
        for message in body["messages"]:
            blocks = message["content"]
            blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
            for block in blocks:
                if block["type"] == "tool_use":
                    names[block["id"]] = block["name"]
                elif block["type"] == "tool_result":
                    results.append((names[block["tool_use_id"]], _text(block.get("content", ""))))
                elif block["type"] == "text" and message["role"] == "user" and not block["text"].startswith(ASIDES):
                    question, results = block["text"], []
        may = (body.get("tool_choice") or {}).get("type") != "none"
        tools = [t["name"] for t in body.get("tools", [])]
        return Asked(_text(body.get("system", "")), tools, question, results, may, body, headers, path)

    @staticmethod
    def error(code: str) -> dict[str, Any]:
        kinds = {"401": "authentication_error", "404": "not_found_error", "429": "rate_limit_error",
                 "500": "api_error", "529": "overloaded_error", "402": "billing_error"}  # fmt: skip
        if code == "long":
            said = "prompt is too long: 300000 tokens > 200000 maximum"
            return {"type": "error", "error": {"type": "invalid_request_error", "message": said}}
        return {"type": "error", "error": {"type": kinds.get(code, "invalid_request_error"),
                                           "message": _MESSAGES.get(code, code)}}  # fmt: skip

    @staticmethod
    def blocks(reply: Reply) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        if reply.thought:
            out.append({"type": "thinking", "thinking": reply.thought, "signature": SIGNATURE})
        if reply.text:
            out.append({"type": "text", "text": reply.text})
        out += [
            {"type": "tool_use", "id": reply.id or f"toolu_{abs(hash((n, str(a), i))):x}", "name": n, "input": a}
            for i, (n, a) in enumerate(reply.calls)
        ]
        return out

    @classmethod
    def whole(cls, reply: Reply, model: str) -> dict[str, Any]:
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": cls.blocks(reply),
            "stop_reason": "tool_use" if reply.calls else "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }  # fmt: skip

    @classmethod
    def events(cls, reply: Reply, model: str, tokens: int) -> Iterator[str]:
        start = {**cls.whole(reply, model), "content": [], "stop_reason": None}
        start["usage"] = {"input_tokens": tokens, "output_tokens": 1, "cache_read_input_tokens": 7}
        yield _sse({"type": "message_start", "message": start}, "message_start")
        for i, block in enumerate(cls.blocks(reply)):
            empty = {"thinking": {"type": "thinking", "thinking": "", "signature": ""},
                     "text": {"type": "text", "text": ""}}.get(block["type"], {**block, "input": {}})  # fmt: skip
            yield _sse({"type": "content_block_start", "index": i, "content_block": empty}, "content_block_start")
            deltas: list[dict[str, Any]]
            if block["type"] == "thinking":
                deltas = [{"type": "thinking_delta", "thinking": p} for p in pieces(block["thinking"])]
                deltas.append({"type": "signature_delta", "signature": SIGNATURE})
            elif block["type"] == "text":
                deltas = [{"type": "text_delta", "text": p} for p in pieces(block["text"])]
            else:
                written = json.dumps(block["input"]) if reply.raw is None else reply.raw
                deltas = [{"type": "input_json_delta", "partial_json": p} for p in pieces(written, 40)]
            for delta in deltas:
                yield _sse({"type": "content_block_delta", "index": i, "delta": delta}, "content_block_delta")
            yield _sse({"type": "content_block_stop", "index": i}, "content_block_stop")
        stop = reply.stop or ("tool_use" if reply.calls else "end_turn")
        yield _sse(
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
             "usage": {"output_tokens": 20}}, "message_delta",
        )  # fmt: skip
        yield _sse({"type": "message_stop"}, "message_stop")


class Chat:
    """The Chat Completions API."""

    @staticmethod
    def read(body: dict[str, Any], headers: dict[str, str], path: str) -> Asked:
        system, question, results, names = [], "", [], {}
        for m in body["messages"]:
            text = _text(m.get("content"))
            if m["role"] in ("system", "developer"):
                system.append(text)
            elif m["role"] == "assistant":
                names.update({c["id"]: c["function"]["name"] for c in m.get("tool_calls") or []})
            elif m["role"] == "tool":
                results.append((names[m["tool_call_id"]], text))
            elif not text.startswith(ASIDES):
                question, results = text, []
        tools = [t["function"]["name"] for t in body.get("tools", [])]
        may = body.get("tool_choice") != "none"
        return Asked("\n".join(system), tools, question, results, may, body, headers, path)

    @staticmethod
    def error(code: str) -> dict[str, Any]:
        known = {"401": "invalid_api_key", "404": "model_not_found", "429": "rate_limit_exceeded",
                 "402": "insufficient_quota"}  # fmt: skip
        if code == "long":
            return {"error": {"message": "maximum context length is 128000 tokens", "type": "invalid_request_error",
                              "code": "context_length_exceeded"}}  # fmt: skip
        return {"error": {"message": _MESSAGES.get(code, code), "type": "error", "code": known.get(code)}}

    @staticmethod
    def _calls(reply: Reply) -> list[dict[str, Any]]:
        return [
            {"index": i, "id": reply.id or f"call_{abs(hash((n, str(a), i))):x}", "type": "function",
             "function": {"name": n, "arguments": json.dumps(a) if reply.raw is None else reply.raw}}
            for i, (n, a) in enumerate(reply.calls)
        ]  # fmt: skip

    @classmethod
    def whole(cls, reply: Reply, model: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": reply.text or None, "tool_calls": cls._calls(reply) or None}
        return {"id": "c1", "object": "chat.completion", "created": 1, "model": model,
                "choices": [{"index": 0, "message": message,
                             "finish_reason": "tool_calls" if reply.calls else "stop"}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}  # fmt: skip

    @classmethod
    def events(cls, reply: Reply, model: str, tokens: int) -> Iterator[str]:
        base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model}

        def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
            return _sse({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

        yield chunk({"role": "assistant", "content": ""})
        for piece in pieces(reply.thought):
            yield chunk({"reasoning_content": piece})
        for piece in pieces(reply.text):
            yield chunk({"content": piece})
        for call in cls._calls(reply):
            whole = call["function"]["arguments"]
            yield chunk({"tool_calls": [{**call, "function": {**call["function"], "arguments": ""}}]})
            for piece in pieces(whole, 40):
                yield chunk({"tool_calls": [{"index": call["index"], "function": {"arguments": piece}}]})
        yield chunk({}, reply.stop or ("tool_calls" if reply.calls else "stop"))
        used = {"prompt_tokens": tokens, "completion_tokens": 20, "total_tokens": tokens + 20}
        yield _sse({**base, "choices": [], "usage": used})
        yield "data: [DONE]\n\n"


class Responses:
    """The Responses API."""

    @staticmethod
    def read(body: dict[str, Any], headers: dict[str, str], path: str) -> Asked:
        system, question, results, names = [body.get("instructions") or ""], "", [], {}
        items = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
        for m in items:
            if m.get("type") == "function_call":
                names[m["call_id"]] = m["name"]
            elif m.get("type") == "function_call_output":
                results.append((names[m["call_id"]], _text(m["output"])))
            elif m.get("role") in ("system", "developer"):
                system.append(_text(m["content"]))
            elif m.get("role") == "user":
                text = _text(m["content"])
                if not text.startswith(ASIDES):
                    question, results = text, []
        tools = [t["name"] for t in body.get("tools", [])]
        may = body.get("tool_choice") != "none"
        return Asked("\n".join(filter(None, system)), tools, question, results, may, body, headers, path)

    error = Chat.error

    @staticmethod
    def items(reply: Reply) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        if reply.thought:
            out.append({"id": "rs_1", "type": "reasoning", "status": "completed", "encrypted_content": SIGNATURE,
                        "summary": [{"type": "summary_text", "text": reply.thought}]})  # fmt: skip
        if reply.text:
            out.append({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
                        "content": [{"type": "output_text", "text": reply.text, "annotations": []}]})  # fmt: skip
        out += [
            {"id": f"fc_{i}", "type": "function_call", "status": "completed", "name": n,
             "call_id": f"call_{abs(hash((n, str(a), i))):x}", "arguments": json.dumps(a)}
            for i, (n, a) in enumerate(reply.calls)
        ]  # fmt: skip
        return out

    @classmethod
    def whole(cls, reply: Reply, model: str, tokens: int = 10) -> dict[str, Any]:
        used = {"input_tokens": tokens, "input_tokens_details": {"cached_tokens": 7}, "output_tokens": 20,
                "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": tokens + 20}  # fmt: skip
        return {"id": "resp_1", "object": "response", "created_at": 1, "model": model, "status": "completed",
                "output": cls.items(reply), "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
                "usage": used}  # fmt: skip

    @classmethod
    def events(cls, reply: Reply, model: str, tokens: int) -> Iterator[str]:
        number = 0

        def event(kind: str, **fields: Any) -> str:
            nonlocal number
            number += 1
            return _sse({"type": kind, "sequence_number": number, **fields}, kind)

        whole = cls.whole(reply, model, tokens)
        begun = {**whole, "status": "in_progress", "output": [], "usage": None}
        yield event("response.created", response=begun)
        for i, item in enumerate(whole["output"]):
            at = {"item_id": item["id"], "output_index": i}
            bare = {**item, "status": "in_progress"}
            if item["type"] == "message":
                yield event("response.output_item.added", output_index=i, item={**bare, "content": []})
                part = {"type": "output_text", "text": "", "annotations": []}
                yield event("response.content_part.added", **at, content_index=0, part=part)
                for piece in pieces(reply.text):
                    yield event("response.output_text.delta", **at, content_index=0, delta=piece, logprobs=[])
                yield event("response.output_text.done", **at, content_index=0, text=reply.text, logprobs=[])
            elif item["type"] == "reasoning":
                yield event("response.output_item.added", output_index=i, item={**bare, "summary": []})
                part = {"type": "summary_text", "text": ""}
                yield event("response.reasoning_summary_part.added", **at, summary_index=0, part=part)
                for piece in pieces(reply.thought):
                    yield event("response.reasoning_summary_text.delta", **at, summary_index=0, delta=piece)
            else:
                yield event("response.output_item.added", output_index=i, item={**bare, "arguments": ""})
                for piece in pieces(item["arguments"], 40):
                    yield event("response.function_call_arguments.delta", **at, delta=piece)
                yield event("response.function_call_arguments.done", **at, arguments=item["arguments"])
            yield event("response.output_item.done", output_index=i, item=item)
        yield event("response.completed", response=whole)


def formats() -> dict[str, Any]:
    """Return the wire format by the end of the path that speaks it."""
    from tests.model_formats import Converse, Gemini

    return {
        "/messages": Anthropic, "/chat/completions": Chat, "/responses": Responses,
        ":generateContent": Gemini, ":streamGenerateContent": Gemini,
        "/converse": Converse, "/converse-stream": Converse,
    }  # fmt: skip
