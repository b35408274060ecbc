"""The commands by which a person answers an approval, sees what waits, and reads the log of decisions."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import BadData

if TYPE_CHECKING:
    from lexsi_nb.app.run import Run
    from lexsi_nb.magics.lexsi import LexsiMagics


def approve(magics: LexsiMagics, rest: str) -> None:
    """Run what was shown under an id, and show what the run came to."""
    _resumed(magics, _id(rest), approve=True)


def decline(magics: LexsiMagics, rest: str) -> None:
    """Say no, with a reason where one follows the id."""
    name, _, reason = rest.partition(" ")
    _resumed(magics, _id(name), decline=reason.strip())


def edit(magics: LexsiMagics, rest: str) -> None:
    """Ask again with other arguments, written as JSON after the id."""
    name, _, text = rest.partition(" ")
    try:
        args = json.loads(text)
    except ValueError as error:
        raise BadData(
            "The arguments are no JSON.", f"{error}.", f'Write: %lexsi edit {name or "ID"} {{"amount": 5}}'
        ) from error
    if not isinstance(args, dict):
        raise BadData("The arguments are no JSON object.", "", 'Write them as {"name": value}.')
    _resumed(magics, _id(name), args=args)


def parked(magics: LexsiMagics, rest: str) -> None:
    """List what waits for a person; with an id the card and the code cells of that run; `discard ID` forgets one."""
    from lexsi_nb.kernel.frontends import joined

    desk = magics.session.desk
    word, _, name = rest.partition(" ")
    if word == "discard":
        approval = desk.discard(_id(name))
        print(f"The run that wanted {approval.tool} is forgotten; nothing ran.")
        return
    waiting = desk.waiting()
    if word:
        from lexsi_nb.app.parking import approval_from, cells_from
        from lexsi_nb.widgets.approval import approval_text

        row = desk.parked.get(word)
        if not row.body:
            raise BadData(f"Approval {word} was {row.state}.", "What it showed is not kept.", "See: %lexsi audit")
        print(approval_text(approval_from(row.body)))
        if cells := cells_from(row.body):
            print(f"\n# what the run had made\n{joined(cells)}")
        return
    if not waiting:
        print("Nothing waits.")
    for approval, row, here in waiting:
        where = "" if here else ", parked by another kernel"
        at = f"{datetime.fromtimestamp(row.at):%Y-%m-%d %H:%M}"
        print(f"{approval.id}  {at}  {approval.tool}{where}: {approval.question}")
    if waiting:
        print("\n%lexsi approve ID   %lexsi decline ID reason   %lexsi parked ID   %lexsi parked discard ID")


def audit(magics: LexsiMagics, rest: str) -> None:
    """Print who decided what, when; `export FILE` writes the log, `verify [HASH]` checks that it is whole."""
    log = magics.session.desk.audit
    word, _, value = rest.partition(" ")
    if word == "export":
        path = log.export(value.strip() or "audit.jsonl")
        print(f"Wrote {path}. To check it anywhere: python -m lexsi_nb audit {path}")
        return
    if word and word != "verify":
        raise BadData(f"No audit command {word!r}.", "There is: verify, export.", "Write: %lexsi audit export FILE")
    whole = log.verify(value.strip() or None)
    if not word:
        for entry in log.entries():
            print(line(entry))
    print(f"{whole.entries} entries, the chain is whole. Head {whole.head[:16]}.")
    if not word and whole.entries:
        print(f"Note the head; %lexsi audit verify {whole.head[:16]} then shows that nothing was cut off.")


def line(entry: dict[str, Any]) -> str:
    """Return an entry of the log in a line."""
    more = "".join(f", {k} {entry[k]}" for k in ("approval", "status", "reason") if entry.get(k))
    return f"{entry['n']:>4}  {entry['at']}  {entry['who']}  {entry['event']}  {entry['tool']}({entry['args']}){more}"


def tools(magics: LexsiMagics, rest: str) -> None:
    """List the tools; `add NAME` and `remove NAME` change them; with a tool's name, all that is known of it."""
    session = magics.session
    word, _, name = rest.partition(" ")
    name = name.strip()
    if word == "add":
        if name not in magics.namespace:
            raise BadData(f"No variable {name!r}.", "", "Define the tool in a cell, then add it by its name.")
        print(f"Added {', '.join(session.add_tool(magics.namespace[name]))}.")
        return
    if word == "remove":
        print(f"Removed {', '.join(session.remove_tool(name))}.")
        return
    if word:
        print(card(session.registry, word, session.scopes))
        return
    from lexsi_nb.widgets.listing import tools_text

    print(tools_text(session.registry.specs, session.scopes))


def card(registry: Any, name: str, scopes: frozenset[str]) -> str:
    """Return all that is known of a tool, in lines.

    Raises:
        UnknownTool: no such tool; lists the nearest names.
    """
    spec = registry.spec(name)
    missing = sorted(spec.scopes - scopes)
    asks = "always" if spec.side_effect == "irreversible" else "depends on the arguments" if spec.needs_approval else ""
    rows = [
        ("returns", spec.returns),
        ("side effect", spec.side_effect + (", at most: it depends on the call" if spec.acts else "")),
        ("approval", asks or ("after text from data was read" if spec.side_effect == "write" else "none")),
        ("scopes", ", ".join(sorted(spec.scopes)) + (f" (missing: {', '.join(missing)})" if missing else "")),
        ("cost", spec.cost_class),
        ("reads", ", ".join(spec.requires)),
        ("makes", ", ".join(spec.produces)),
        ("time limit", f"{spec.timeout:g} s" if spec.timeout else ""),
    ]
    width = max(len(h) for h, _ in rows)
    lines = [spec.name, "", spec.description.strip(), ""]
    lines += [f"{h:<{width}}  {w}" for h, w in rows if w]
    schema = registry.tool(name).schema.json_schema
    return "\n".join([*lines, "", "arguments:", json.dumps(schema, indent=2)])


def resume_here(magics: LexsiMagics, id: str, **answer: Any) -> Run:
    """Return the run after it went on, shown in this output; a card that shows the approval says what was decided."""
    from lexsi_nb.kernel.frontends import detect
    from lexsi_nb.magics.deciding import settle_elsewhere
    from lexsi_nb.magics.progress import progress_of
    from lexsi_nb.magics.showing import show

    environment = detect(magics.shell, override=magics.frontend)
    progress = progress_of(magics, environment)
    try:
        run = magics.session.resume(id, on_event=progress, **answer)
    finally:
        progress.clear()
    said = "Approved" if answer.get("approve") else "Declined" if "decline" in answer else "Changed"
    settle_elsewhere(magics, id, said)
    if run.status not in ("failed", "interrupted"):
        show(run, environment, magics=magics)
    return run


def _resumed(magics: LexsiMagics, id: str, **answer: Any) -> None:
    resume_here(magics, id, **answer).raise_if_stopped()


def _id(text: str) -> str:
    found = text.strip()
    if not found:
        raise BadData("No approval was named.", "", "%lexsi parked lists what waits.")
    return found
