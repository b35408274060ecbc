"""`%lexsi backend` and `%lexsi lexsi`: where models are made, and the projects of runs on the Lexsi platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexsi_nb.errors import RunFailed, UnknownName

if TYPE_CHECKING:
    from lexsi_nb.magics.lexsi import LexsiMagics


class UnknownAct(UnknownName):
    """No such command of `%lexsi lexsi`."""

    kind = "%lexsi lexsi command"


def backend(magics: LexsiMagics, line: str) -> None:
    """Show or set where models are trained.

    Raises:
        UnknownBackend, UnknownOption: what there is.
        MissingExtra: the exact %pip line.
    """
    session = magics.session
    if line:
        session.use(backend=line)
    now = session.backend()
    if getattr(now, "local", False):
        print("Models are trained on this machine; nothing of your data leaves it for them.")
        return
    print(f"Models are trained at: {getattr(now, 'place', now.name)}.")
    print("Each call that sends rows is shown first, with its rows, columns and compute, and waits for your approval.")
    print("%lexsi sent shows every request; %lexsi backend embedded goes back; %lexsi lexsi cleanup deletes projects.")


def lexsi(magics: LexsiMagics, line: str) -> None:
    """Carry out a command about the account: `projects` lists what runs made there, `cleanup` deletes it.

    Raises:
        UnknownAct: lists the commands.
        RunFailed: models are made on this machine.
    """
    act, _, rest = line.partition(" ")
    if act not in ("projects", "cleanup"):
        raise UnknownAct.among(act, ("projects", "cleanup"))
    found = magics.session.backend()
    account = getattr(found, "account", None)
    if account is None:
        raise RunFailed("Models are made on this machine.", "", "Choose the platform first: %lexsi backend lexsi")
    if act == "projects":
        names, lakes = _asked(account, lambda: (account.ours(), account.lakes()), "listing projects")
        lines = [*names, *(f"{lake}  (connector)" for lake in lakes)]
        print("\n".join(lines) or "Runs have left no project there.")
        return
    gone, kept = _asked(account, lambda: account.clean(rest.split()), "deleting projects")
    print(f"Deleted: {', '.join(gone)}." if gone else "There was nothing of this session to delete.")
    for line_ in kept:
        print(f"Still there: {line_}")


def _asked(account: Any, act: Any, what: str) -> Any:
    return account.calls.run(act, what, tick=lambda *_: None, cancelled=lambda: False)
