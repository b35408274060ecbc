"""A conversation that outlives its kernel, if the user asks for it: kept after each run, taken up by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lexsi_nb.agent.planner import ToolCall
from lexsi_nb.app import parking
from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.egress.redaction import redact
from lexsi_nb.store.folder import StoreFailed
from lexsi_nb.store.messages import MessageStore
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.spec import Outcome

if TYPE_CHECKING:
    from lexsi_nb.app.session import Session

READ = "read_message"
RESTARTED = (
    "The kernel was started anew since the messages above. Variables they name are there only where their cells ran "
    "again; results read before may be out of date."
)
CUT = "[cut:"
SHOWN = 8_000


class Kept:
    """Keeps the conversation of a session under a name, and whole what was cut for a planner."""

    def __init__(self, session: Session, name: str) -> None:
        self.session, self.store = session, MessageStore(name)

    def take_up(self) -> int:
        """Return how many messages of an earlier kernel were taken up, before those of this one.

        Raises:
            StoreFailed: they cannot be read.
        """
        self._add_tool()
        held = self.store.conversation()
        if not held:
            return 0
        try:
            earlier = parking.messages_from(held)
        except (TypeError, KeyError, AttributeError) as error:
            raise StoreFailed(f"The conversation {self.store.name} is of another version.", f"{error}.") from error
        now = list(self.session.history.messages)
        self.session.history.messages[:] = earlier
        self.session.history.note_event(RESTARTED)
        self.session.history.messages.extend(now)
        return len(earlier)

    def save(self) -> None:
        """Keep the conversation as it is now."""
        fields = parking.messages_fields(self.session.history.messages)
        self.store.keep_conversation(redact(json.dumps(fields, ensure_ascii=True)))

    def note(self, call: ToolCall, number: int, outcome: Outcome) -> None:
        """Store whole what a planner is shown in part, and tell it how to read on."""
        observation, whole = outcome.result.observation, outcome.result.payload
        if not isinstance(whole, str) or not any(s.text.startswith(CUT) for s in observation.segments):
            return
        try:
            text = redact(whole)
            id = self.store.put("tool_return", text, tool_name=call.name, tool_call_id=call.id, agent_id="main")
        except StoreFailed:
            return  # it stays as it was cut
        more = Segment(f'[message_id={id}: {len(whole):,} characters; {READ}(message_id="{id}", offset=...) reads on]')
        outcome.result.summary = Observation((*observation.segments, more))

    def _add_tool(self) -> None:
        store = self.store

        @tool(name=READ, scopes=("data:read",), thread_safe=True, returns="The part, and where the next one begins.")
        def read_message(message_id: str, offset: int = 0) -> str:
            """Read on in a tool result that was cut. Use it with the message_id that stands at the cut; not for frames.

            Args:
                message_id: As M12.
                offset: Characters to skip.
            """
            page = store.page(message_id, offset, SHOWN)
            more = f"\n[{page.total:,} characters; the next part: offset={page.next}]" if page.next is not None else ""
            return page.text + more

        self.session.registry.add(read_message, replace=True)


def keep(session: Session, name: str) -> tuple[Kept, int]:
    """Return what keeps the session's conversation from now on, and how many messages it took up."""
    kept = Kept(session, name)
    return kept, kept.take_up()


def listed(store: MessageStore) -> list[str]:
    """Return the stored messages, a line each."""
    rows: list[dict[str, Any]] = store.listing()
    return [f"{r['id']:>6}  {r['kind']}  {r['tool_name'] or ''}  {r['length']:,} characters" for r in rows]
