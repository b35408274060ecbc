"""Google's and Amazon's wire formats for `tests/model_server.py`: Gemini's SSE, and Converse with AWS event streams."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from typing import Any
from zlib import crc32

from tests.model_server import ASIDES, SIGNATURE, Asked, Reply, pieces


class Gemini:
    """`generateContent` and `streamGenerateContent`. The reason to stop: `MAX_TOKENS`, `SAFETY`."""

    content_type = "text/event-stream"

    @staticmethod
    def streams(body: dict[str, Any], path: str) -> bool:
        return ":streamGenerateContent" in path

    @staticmethod
    def read(body: dict[str, Any], headers: dict[str, str], path: str) -> Asked:
        question, results = "", []
        for content in body["contents"]:
            for part in content["parts"]:
                if "functionResponse" in part:
                    answer = part["functionResponse"]
                    results.append((answer["name"], _said(answer["response"])))
                elif "text" in part and content["role"] == "user" and not part["text"].startswith(ASIDES):
                    question, results = part["text"], []
        tools = [d["name"] for t in body.get("tools", []) for d in t["functionDeclarations"]]
        mode = body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode")
        system = "\n".join(p["text"] for p in body.get("systemInstruction", {}).get("parts", []))
        return Asked(system, tools, question, results, mode != "NONE", body, headers, path)

    @staticmethod
    def error(code: str, said: str) -> tuple[int, dict[str, Any], dict[str, str]]:
        status, name, details = int(code) if code.isdigit() else 400, "INVALID_ARGUMENT", []
        names = {429: "RESOURCE_EXHAUSTED", 404: "NOT_FOUND", 500: "INTERNAL"}
        if code == "401":  # what Google says of a wrong key
            status = 400
            info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            said, details = f"API key not valid: {said}", [info]
        elif code == "529":
            status, name = 503, "UNAVAILABLE"
        elif code == "404":
            said = "models/test-model is not found for API version v1beta"
        elif code == "long":
            said = "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."
        body = {"code": status, "message": said, "status": names.get(status, name), "details": details}
        return status, {"error": body}, {}

    @staticmethod
    def parts(reply: Reply) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = [{"text": p, "thought": True} for p in pieces(reply.thought)]
        out += [{"text": p} for p in pieces(reply.text)]
        for i, (name, args) in enumerate(reply.calls):
            call = {"functionCall": {"id": reply.id or f"call_{i}_{name}", "name": name, "args": args}}
            out.append({**call, "thoughtSignature": SIGNATURE} if i == 0 else call)
        return out

    @classmethod
    def whole(cls, reply: Reply, model: str) -> dict[str, Any]:
        return cls._chunk(cls.parts(reply), reply.stop or "STOP", 10)

    @staticmethod
    def _chunk(parts: list[dict[str, Any]], finish: str = "", tokens: int = 0) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        used = {"promptTokenCount": tokens, "candidatesTokenCount": 20, "totalTokenCount": tokens + 20,
                "cachedContentTokenCount": 7}  # fmt: skip
        end: dict[str, Any] = {}
        if finish:
            candidate["finishReason"] = finish
            end = {"usageMetadata": used}
        return {"candidates": [candidate], "modelVersion": "test-model", "responseId": "r1", **end}

    @classmethod
    def events(cls, reply: Reply, model: str, tokens: int) -> Iterator[bytes]:
        for part in cls.parts(reply):
            yield _sse(cls._chunk([part]))
        yield _sse(cls._chunk([{"text": ""}], reply.stop or "STOP", tokens))


class Converse:
    """Bedrock's `converse` and `converse-stream`. The reason to stop: `max_tokens`, `content_filtered`."""

    content_type = "application/vnd.amazon.eventstream"

    @staticmethod
    def streams(body: dict[str, Any], path: str) -> bool:
        return path.endswith("/converse-stream")

    @staticmethod
    def read(body: dict[str, Any], headers: dict[str, str], path: str) -> Asked:
        question, results, names = "", [], {}
        for message in body["messages"]:
            for block in message["content"]:
                if "toolUse" in block:
                    names[block["toolUse"]["toolUseId"]] = block["toolUse"]["name"]
                elif "toolResult" in block:
                    result = block["toolResult"]
                    text = "\n".join(c.get("text") or _said(c.get("json", "")) for c in result["content"])
                    results.append((names[result["toolUseId"]], text))
                elif "text" in block and message["role"] == "user" and not block["text"].startswith(ASIDES):
                    question, results = block["text"], []
        config = body.get("toolConfig", {})
        tools = [t["toolSpec"]["name"] for t in config.get("tools", []) if "toolSpec" in t]
        none = (body.get("additionalModelRequestFields") or {}).get("tool_choice") == {"type": "none"}
        system = "\n".join(s["text"] for s in body.get("system", []) if "text" in s)
        return Asked(system, tools, question, results, bool(tools) and not none, body, headers, path)

    @staticmethod
    def error(code: str, said: str) -> tuple[int, dict[str, Any], dict[str, str]]:
        known = {
            "401": (403, "UnrecognizedClientException", f"The security token is invalid: {said}"),
            "402": (402, "ServiceQuotaExceededException", said),
            "404": (400, "ValidationException", "The provided model identifier is invalid."),
            "429": (429, "ThrottlingException", "Too many requests, please wait before trying again."),
            "500": (500, "InternalServerException", said),
            "529": (503, "ServiceUnavailableException", said),
            "long": (400, "ValidationException", "Input is too long for requested model."),
        }
        status, name, words = known.get(code, (int(code) if code.isdigit() else 400, "ValidationException", said))
        return status, {"message": words}, {"x-amzn-ErrorType": name}

    @staticmethod
    def blocks(reply: Reply) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        if reply.thought:
            out.append({"reasoningContent": {"reasoningText": {"text": reply.thought, "signature": SIGNATURE}}})
        if reply.text:
            out.append({"text": reply.text})
        out += [
            {"toolUse": {"toolUseId": reply.id or f"tooluse_{i}_{name}", "name": name, "input": args}}
            for i, (name, args) in enumerate(reply.calls)
        ]
        return out

    @classmethod
    def whole(cls, reply: Reply, model: str) -> dict[str, Any]:
        return {
            "output": {"message": {"role": "assistant", "content": cls.blocks(reply)}},
            "stopReason": reply.stop or ("tool_use" if reply.calls else "end_turn"),
            "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15},
            "metrics": {"latencyMs": 1},
        }

    @classmethod
    def events(cls, reply: Reply, model: str, tokens: int) -> Iterator[bytes]:
        yield _event("messageStart", {"role": "assistant"})
        for i, block in enumerate(cls.blocks(reply)):
            deltas: list[dict[str, Any]]
            if "toolUse" in block:
                use = block["toolUse"]
                start = {"toolUse": {"toolUseId": use["toolUseId"], "name": use["name"]}}
                yield _event("contentBlockStart", {"start": start, "contentBlockIndex": i})
                written = json.dumps(use["input"]) if reply.raw is None else reply.raw
                deltas = [{"toolUse": {"input": p}} for p in pieces(written, 40)]
            elif "text" in block:
                deltas = [{"text": p} for p in pieces(block["text"])]
            else:
                thought = block["reasoningContent"]["reasoningText"]
                deltas = [{"reasoningContent": {"text": p}} for p in pieces(thought["text"])]
                deltas.append({"reasoningContent": {"signature": SIGNATURE}})
            for delta in deltas:
                yield _event("contentBlockDelta", {"delta": delta, "contentBlockIndex": i})
            yield _event("contentBlockStop", {"contentBlockIndex": i})
        yield _event("messageStop", {"stopReason": cls.whole(reply, model)["stopReason"]})
        used = {"inputTokens": tokens, "outputTokens": 20, "totalTokens": tokens + 20}
        yield _event("metadata", {"usage": used, "metrics": {"latencyMs": 1}})

    @staticmethod
    def failing(name: str, said: str) -> bytes:
        """Return an exception that arrives in the middle of a stream."""
        return _frame({":exception-type": name, ":content-type": "application/json", ":message-type": "exception"},
                      json.dumps({"message": said}).encode())  # fmt: skip


def _said(value: Any) -> str:
    """Return what a tool said, whichever key it is wrapped in."""
    if isinstance(value, dict):
        return "\n".join(map(_said, value.values()))
    return value if isinstance(value, str) else json.dumps(value)


def _sse(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\r\n\r\n".encode()


def _event(name: str, payload: dict[str, Any]) -> bytes:
    headers = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    return _frame(headers, json.dumps(payload).encode())


def _frame(headers: dict[str, str], payload: bytes) -> bytes:
    """Return one message of an AWS event stream: lengths, headers, payload, and a checksum of each part."""
    head = b"".join(
        struct.pack("!B", len(name)) + name.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()
        for name, value in headers.items()
    )
    prelude = struct.pack("!II", 16 + len(head) + len(payload), len(head))
    message = prelude + struct.pack("!I", crc32(prelude)) + head + payload
    return message + struct.pack("!I", crc32(message))


assert base64.b64decode(SIGNATURE)  # Google's client reads signatures as base64
