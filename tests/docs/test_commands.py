"""The page of the magic has every command."""

from __future__ import annotations

import re
from pathlib import Path

from lexsi_nb.magics.commands import COMMANDS


def test_the_page_of_the_magic_lists_each_command_once(project_root: Path) -> None:
    page = (project_root / "docs" / "magic.md").read_text("utf-8")
    listed = re.findall(r"^\| `%lexsi(?:` or `%lexsi)? ?(\w+)", page, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)
