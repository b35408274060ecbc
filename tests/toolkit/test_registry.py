"""The registry: names, replacement, removal, definitions; registries share nothing."""

from __future__ import annotations

import pytest

from lexsi_nb.errors import UnknownTool
from lexsi_nb.toolkit.declare import tool
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.signature import NameClash


@tool
def one() -> int:
    """One."""
    return 1


@tool(scopes="x", requires="sql_result:*", produces="last_model_id")
def two(a: int = 2) -> int:
    """Two."""
    return a


def test_names_and_specs_keep_the_order_of_adding():
    registry = Registry([two, one])
    assert registry.names == ("two", "one")
    assert [s.name for s in registry.specs] == ["two", "one"]
    assert "one" in registry
    assert len(registry) == 2
    assert registry.spec("two").requires == ("sql_result:*",)


def test_a_removed_tool_does_not_run_and_is_unknown(call):
    registry = Registry([one, two])
    assert registry.remove("one") == ("one",)
    assert call(registry, {}, name="one").status == "unknown_tool"
    with pytest.raises(UnknownTool, match="two"):
        registry.remove("tow")


def test_registries_share_nothing_and_the_callers_list_stays():
    given = [one, two]
    a, b = Registry(given), Registry(given)
    a.remove("one")
    assert b.names == ("one", "two")
    assert given == [one, two]


def test_a_function_defined_again_in_a_rerun_cell_replaces_itself(call):
    cell = "def f() -> int:\n    'Give {0}.'\n    return {0}\n"
    registry, namespace = Registry([one]), {"__name__": "__main__"}
    for n in (1, 2):
        exec(cell.format(n), namespace)
        registry.add(namespace["f"])
    assert registry.names == ("one", "f")
    assert registry.spec("f").description == "Give 2."
    assert call(registry, {}, name="f").result.observation.text == "2"


def test_another_function_with_a_taken_name_is_a_clash_unless_replacing_is_asked(call):
    @tool(name="one")
    def other() -> int:
        """Another."""
        return 11

    registry = Registry([one, two])
    with pytest.raises(NameClash, match="test_registry"):
        registry.add(other)
    registry.add(other, replace=True)
    assert registry.names == ("one", "two")
    assert call(registry, {}, name="one").result.observation.text == "11"


def test_definitions_list_every_tool_or_some():
    registry = Registry([one, two])
    assert [d["name"] for d in registry.definitions()] == ["one", "two"]
    assert [d["function"]["name"] for d in registry.definitions("openai", only={"two"})] == ["two"]
    with pytest.raises(ValueError, match="openai"):
        registry.definitions("other")  # type: ignore[arg-type]


def test_a_subset_has_its_own_tools_and_the_same_finished_calls(call):
    registry = Registry([one, two])
    some = registry.subset({"one"})
    assert some.names == ("one",)
    assert registry.names == ("one", "two")
    assert call(registry, {}, name="one", idempotency_key="k").status == "ok"
    assert call(some, {}, name="one", idempotency_key="k").status == "duplicate"
    assert some.subset({"one"}).names == ("one",)
