"""The commands that keep a conversation over restarts, and read what was cut for a planner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics


def keep(magics: LexsiMagics, rest: str) -> None:
    """Keep the conversation under a name, else the notebook's; `NAME forget` deletes what was kept."""
    from lexsi_nb.app.recordings import notebook_name
    from lexsi_nb.store.messages import MessageStore

    name, _, word = rest.partition(" ")
    name = name or notebook_name() or "default"
    if word.strip() == "forget":
        print(f"{MessageStore(name).forget()} messages and the conversation of {name} are deleted.")
        return
    if word.strip():
        raise BadData(f"No word {word.strip()!r} here.", "There is: forget.", f"Write: %lexsi keep {name} forget")
    taken = magics.session.keep(name)
    print(f"The conversation is kept as {name}, on this machine." + (f" {taken} messages taken up." if taken else ""))


def messages(magics: LexsiMagics, rest: str) -> None:
    """List the stored messages; with an id print it from an offset."""
    from lexsi_nb.app.keeping import listed

    kept = magics.session.kept
    if kept is None:
        raise BadData("No conversation is kept.", "", "Write: %lexsi keep NAME")
    id, _, offset = rest.partition(" ")
    if not id:
        print("\n".join(listed(kept.store)) or "Nothing was cut.")
        return
    if offset.strip() and not offset.strip().isdigit():
        raise BadData(f"{offset.strip()!r} is no offset.", "", f"Write: %lexsi messages {id} 16000")
    page = kept.store.page(id, int(offset or 0))
    print(page.text)
    if page.next is not None:
        print(f"[{page.total:,} characters; the rest: %lexsi messages {id} {page.next}]")
