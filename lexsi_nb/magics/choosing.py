"""`%lexsi model`: who decides, which models there are, choosing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexsi_nb.errors import BadData, LexsiError

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics

OFF = ("off", "embedded", "auto")
HELPER = "--helper"  # before the model of side queries
SAME = ("same", "auto")
ONLY_HELPER = "The embedded planner decides; only side queries leave this machine."
# What a policy lets a model see, in words.
SEES = {
    "schema": "names, types and counts",
    "stats": "names, types, counts, ranges and frequent values",
    "rows": "names, types, counts, ranges, values and previews of rows",
}


def model(magics: LexsiMagics, line: str) -> None:
    """Show or set who decides, and after --helper who answers side queries: both, or neither where one cannot work.

    Raises:
        UnknownProvider: lists the nearest providers.
        MissingExtra: the exact %pip line.
        NoKey: where a key is looked for.
    """
    if not line:
        _show(magics)
        return
    session = magics.session
    main, named, helper = (part.strip() for part in line.partition(HELPER))
    if main in OFF:
        session.use(planner="auto", model=helper or "same")
        magics.planner, magics.helper = "auto", helper
        print("The embedded planner decides; nothing leaves this machine." if not helper else ONLY_HELPER)
        return
    from lexsi_nb.planners.choice import parse

    choice = parse(main) if main else None
    if named and not helper:
        raise BadData(f"{HELPER} names no model.", "", f"Write: %lexsi model {main} {HELPER} provider:NAME, or same")
    session.use(planner=choice, model=(helper or "same") if choice is not None or helper else None)
    magics.helper = "" if helper in SAME else helper
    if choice is None:
        print(f"{helper} answers side queries from now on.")
        return
    magics.planner = str(choice)
    where = choice.address or "AWS, in the region of your profile"
    print(f"{choice.name} decides from now on. Requests go to {where}.")
    if magics.helper:
        print(f"Side queries go to {magics.helper}.")
    print(f"It sees your questions and, by policy {session.policy.level}, {SEES[session.policy.level]} of the data.")
    print("%lexsi sent shows every request; %lexsi model off goes back.")
    try:
        session.planner()
    except LexsiError as error:
        print(f"Only recorded questions run for now. {error}")


def _show(magics: LexsiMagics) -> None:
    from lexsi_nb.egress.gate import OFFLINE, offline
    from lexsi_nb.planners import clients, keys
    from lexsi_nb.planners.choice import PROVIDERS

    print(f"planner: {'embedded' if magics.planner in OFF else magics.planner}")
    if magics.helper:
        print(f"side queries: {magics.helper}")
    width = max(map(len, PROVIDERS))
    for name, provider in PROVIDERS.items():
        needed = (provider.module,) if name == "lexsi" else ("pydantic_ai", provider.module)
        if not all(map(clients.is_there, needed)):
            state = f'not installed: %pip install "lexsi-nb[{provider.extra}]"'
        elif not provider.needs_key:
            state = "installed, needs no key" if name == "ollama" else "installed, uses your AWS profile"
        else:
            found = keys.where(name)
            state = f"installed, key in {found}" if found else f"installed, no key in {' or '.join(provider.key_names)}"
        print(f"  {name:<{width}}  {state}")
    print("A key chooses nothing by itself. Choose with: %lexsi model provider:NAME")
    if offline():
        print(f"{OFFLINE} is set: no request leaves this machine.")
