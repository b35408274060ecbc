"""`%%lexsi` and `%lexsi`: registration in an IPython shell."""

from __future__ import annotations

from typing import Any

ATTRIBUTE = "_lexsi_magics"


def load(shell: Any) -> None:
    """Register the magics once; loading again changes nothing."""
    if getattr(shell, ATTRIBUTE, None) is not None:
        return
    from traitlets import TraitError

    from lexsi_nb.magics.body import pad_empty_body
    from lexsi_nb.magics.lexsi import LexsiMagics

    try:
        magics = LexsiMagics(shell)
    except TraitError as error:
        # A wrong %config value would otherwise keep the magics away until the kernel restarts.
        shell.config.pop("LexsiMagics", None)
        print(f"Settings of LexsiMagics are back to their defaults: {error}")
        magics = LexsiMagics(shell)
    shell.register_magics(magics)
    # First, so that IPython's own cell-magic transformer sees the padded body.
    shell.input_transformers_cleanup.insert(0, pad_empty_body)
    setattr(shell, ATTRIBUTE, magics)
    magics.watch_cells()
    from lexsi_nb.kernel.lab_channel import channel_of
    from lexsi_nb.magics import completion, frames
    from lexsi_nb.magics.current import state_of

    completion.register(magics)
    frames.register(magics)
    channel = channel_of(shell)
    if channel is not None:
        channel.on_state = lambda: state_of(magics)


def unload(shell: Any) -> None:
    """Take the magics, the transformer and the hooks away; variables stay."""
    magics = getattr(shell, ATTRIBUTE, None)
    if magics is None:
        return
    from lexsi_nb.kernel.lab_channel import close
    from lexsi_nb.magics import completion, frames
    from lexsi_nb.magics.body import pad_empty_body

    close(shell)
    completion.unregister(magics)
    frames.unregister(magics)
    magics.close()
    shell.magics_manager.magics["cell"].pop("lexsi", None)
    shell.magics_manager.magics["line"].pop("lexsi", None)
    if pad_empty_body in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.remove(pad_empty_body)
    if magics in shell.configurables:
        shell.configurables.remove(magics)
    setattr(shell, ATTRIBUTE, None)
