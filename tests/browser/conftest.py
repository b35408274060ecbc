"""Fixtures of the browser tests; those of `labextension/ui-tests` are the very same."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """One Lab and one browser for both folders, however pytest was told of them."""
    config.pluginmanager.import_plugin("tests.browser.fixtures")
