"""Fixtures of the extension's tests in a browser: a real JupyterLab, shared with `tests/browser`."""

from __future__ import annotations

import pytest

from tests.conftest import bank, bank_cache, project_root, state_folder

__all__ = ["bank", "bank_cache", "project_root", "state_folder"]


def pytest_configure(config: pytest.Config) -> None:
    """One Lab and one browser for both folders, however pytest was told of them."""
    config.pluginmanager.import_plugin("tests.browser.fixtures")
