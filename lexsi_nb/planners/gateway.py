"""Models behind the chat gateway of the Lexsi platform: text in, text out, through the session's gate."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import UsageReport
from lexsi_nb.egress.gate import Gate, Outgoing
from lexsi_nb.errors import MissingExtra
from lexsi_nb.planners import keys
from lexsi_nb.planners.choice import BadModel, ModelChoice
from lexsi_nb.planners.failures import ModelFailed
from lexsi_nb.planners.provider import form_of, parsed

if TYPE_CHECKING:
    from lexsi_nb.modeling.lexsi.account import Account

CHAT = "gateway/v1/chat/completions"


def check(choice: ModelChoice, gate: Gate) -> None:
    """Raise what would keep a model of the gateway from working. Nothing is sent; in a dry run no token is needed.

    Raises:
        MissingExtra: lexsi-sdk is not installed; the exact %pip line.
        BadModel: the project or the model's own provider is not named.
        NoKey: where the access token is looked for.
    """
    from lexsi_nb.modeling.lexsi import sdk

    if not sdk.installed():
        raise MissingExtra.of("lexsi-sdk", "lexsi", "Models behind the Lexsi gateway need it.")
    provider, slash, name = choice.model.partition("/")
    if not (provider and slash and name):
        raise BadModel(
            f"{choice.name} does not say whose model it is.",
            "",
            "Write lexsi:PROVIDER/MODEL --project WORKSPACE/PROJECT",
        )
    if not choice.project or len(choice.project.split("/")) != 2 or not all(choice.project.split("/")):
        raise BadModel(
            f"{choice.name} needs a text project of the platform.", "The gateway answers within one.",
            f"Write lexsi:{choice.model} --project WORKSPACE/PROJECT",
        )  # fmt: skip
    keys.find(choice, needed=not gate.is_shut)


def body_of(model: str, messages: list[dict[str, str]], project: str, provider: str) -> str:
    """Return the body of a question as the SDK sends it, which writes the project by the name the platform gave it."""
    fields = {"model": model, "messages": messages, "stream": False, "project_name": project, "provider": provider}
    return json.dumps({**fields, "api_key": None, "session_id": None}, separators=(",", ":"), ensure_ascii=False)


@dataclass
class GatewayModel:
    """One model behind the gateway. It has no tool calls, so a planner speaks JSON decisions with it."""

    choice: ModelChoice
    gate: Gate = field(repr=False)
    local: bool = False
    last_usage: UsageReport | None = field(default=None, repr=False)
    name: str = field(init=False)
    _account: Account | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.name = self.choice.name

    async def complete(self, prompt: str, *, system: str = "", output_type: type[Any] = str) -> Any:
        """Return the reply to one prompt: text, or an object of a pydantic model class.

        Raises:
            ModelFailed, PlatformFailed: no usable reply; one line with the remedy.
        """
        form = "" if output_type is str else form_of(output_type)
        framing = "\n\n".join(t for t in (system, form) if t)
        messages = [*([{"role": "system", "content": framing}] if framing else []), {"role": "user", "content": prompt}]
        stop = threading.Event()
        try:
            said = await asyncio.to_thread(self._ask, messages, stop)
        finally:
            stop.set()  # where nobody waits any more, its thread sends nothing more
        text = self._read(said)
        return text if output_type is str else parsed(text, output_type, self.name)

    def _ask(self, messages: list[dict[str, str]], stop: threading.Event) -> Any:
        account, choice = self.account(), self.choice
        provider, _, model = choice.model.partition("/")
        project_name = str(choice.project).partition("/")[2]
        if self.gate.is_shut:  # looked at is what the model would read, not the sign-in and the look-up before it
            self.gate.admit(
                "POST", f"{choice.address.rstrip('/')}/{CHAT}", body_of(model, messages, project_name, provider)
            )
        limits = {} if choice.max_tokens is None else {"max_tokens": choice.max_tokens}

        def act() -> Any:
            project = account.workspace().project(project_name)
            if not hasattr(project, "chat_completion"):
                raise ModelFailed(
                    f"Project {project_name} at Lexsi has no models to talk to.", "It is no text project.",
                    "Name a text project whose model was set up in the Lexsi console.",
                )  # fmt: skip
            asked = Outgoing(self.name, "POST", choice.address, "".join(m["content"] for m in messages))
            with self.gate.pace_here(asked, stop.is_set):
                return project.chat_completion(model=model, messages=messages, provider=provider, **limits)

        return account.calls.run(act, f"asking {self.name}", tick=lambda *_: None, cancelled=stop.is_set)

    def account(self) -> Account:
        """Return the account that requests are made with."""
        from lexsi_nb.egress.transport import sync_client
        from lexsi_nb.modeling.lexsi.account import Account, Place

        if self._account is None:
            choice, gate = self.choice, self.gate
            url, seconds = choice.address, choice.timeout
            place = Place(url=url, workspace=str(choice.project).partition("/")[0], seconds=seconds, limit=2 * seconds)
            gate.allow(url, self.name)

            def key() -> str:
                found = keys.find(choice)
                assert found is not None
                gate.guard("the Lexsi access token", found.value)
                return found.value

            self._account = Account(place, lambda s, own: sync_client(gate, url, timeout=s, own=own), key)
        return self._account

    def _read(self, said: Any) -> str:
        choices = said.get("choices") if isinstance(said, dict) else None
        message = choices[0].get("message") if choices else None
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str) or not text.strip():
            raise ModelFailed(f"{self.name} sent an empty reply.", "", "Ask again, or choose another: %lexsi model")
        used = said.get("usage") or {}
        self.last_usage = UsageReport(
            1, int(used.get("prompt_tokens") or 0), int(used.get("completion_tokens") or 0), model=self.name
        )
        return text
