"""Build hook: puts the prebuilt JupyterLab extension into the wheel where it has been built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "lexsi-nb-labextension"
BUILT = Path("lexsi_nb/labextension_dist")
SHARE = f"share/jupyter/labextensions/{NAME}"


class LabExtensionHook(BuildHookInterface):
    """Adds the built extension as shared data. Users need no Node, and a checkout without Node still installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # `make labextension` links the folder itself, so that a rebuild is seen
        built = Path(self.root) / BUILT
        if not (built / "package.json").is_file():
            self.app.display_info(f"{BUILT} is not built: the wheel carries no JupyterLab extension")
            return
        shared: dict[str, str] = build_data.setdefault("shared_data", {})
        shared[str(built)] = SHARE
        shared[str(Path(self.root) / "labextension" / "install.json")] = f"{SHARE}/install.json"
