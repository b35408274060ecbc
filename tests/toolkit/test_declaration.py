# ruff: noqa: UP045 - old and new spellings are compared here
"""Groups 1, 3, 4, 5: how a function becomes a tool, and what is refused."""

from __future__ import annotations

import subprocess
import sys
import types
from typing import Any, Optional

import pytest

from lexsi_nb.toolkit.declare import tool, tool_of
from lexsi_nb.toolkit.refs import AgentRef, LoopControllerRef
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.signature import BadTool


def test_every_form_of_the_decorator_declares_and_a_custom_name_wins():
    @tool
    def bare(a: int) -> int:
        """Double."""
        return 2 * a

    @tool()
    def called(a: int) -> int:
        """Double."""
        return 2 * a

    @tool(name="twice", scopes="math", side_effect="kernel", requires="x", produces=["y"], timeout=3, cost_class="free")
    def named(a: int) -> int:
        """Double."""
        return 2 * a

    assert [tool_of(f).name for f in (bare, called, named)] == ["bare", "called", "twice"]
    assert [bare(2), called(3), named(a=4)] == [4, 6, 8]
    spec = tool_of(named).spec
    assert (spec.scopes, spec.requires, spec.produces, spec.timeout) == (frozenset({"math"}), ("x",), ("y",), 3)
    assert (spec.side_effect, spec.cost_class, spec.description) == ("kernel", "free", "Double.")


def test_a_missing_docstring_is_an_error_unless_a_description_is_given():
    def silent(a: int) -> int:
        return a

    with pytest.raises(BadTool, match="no docstring"):
        tool(silent)
    assert tool_of(tool(description="Give it back.")(silent)).spec.description == "Give it back."


def test_a_docstring_of_other_parameters_is_an_error_that_lists_both_sides():
    def extra(a: int, b: int) -> int:
        """Add.

        Args:
            a: first
            c: second
        """
        return a + b

    def missing(a: int, b: int) -> int:
        """Add.

        Args:
            a: first
        """
        return a + b

    with pytest.raises(BadTool, match=r"Docstring: a, c\. Signature: a, b\."):
        tool(extra)
    with pytest.raises(BadTool, match=r"Docstring: a\. Signature: a, b\."):
        tool(missing)


GOOGLE = """Count rows.

    Use it for whole tables.

    Args:
        table (str): the table
        limit: how many
            at most

    Returns:
        int: the count
    """
NUMPY = """Count rows.

    Use it for whole tables.

    Parameters
    ----------
    table : str
        the table
    limit : int, optional
        how many
        at most

    Returns
    -------
    int
        the count
    """
REST = """Count rows.

    Use it for whole tables.

    :param table: the table
    :param int limit: how many
        at most
    :returns: the count
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_docstrings_of_three_styles_give_the_same_descriptions(text):
    def count(table: str, limit: int = 5) -> int:
        return 0

    count.__doc__ = text
    declared = tool_of(tool(count))
    assert declared.spec.description == "Count rows.\n\nUse it for whole tables."
    assert declared.spec.returns == "the count"
    fields = declared.schema.json_schema["properties"]
    assert fields["table"] == {"type": "string", "description": "the table"}
    assert fields["limit"] == {"type": "integer", "default": 5, "description": "how many at most"}


def test_types_of_the_docstring_are_ignored():
    def f(a: int) -> int:
        """Do.

        Args:
            a (str): a number
        """
        return a

    assert tool_of(tool(f)).schema.json_schema["properties"]["a"]["type"] == "integer"


def test_parameters_a_planner_could_not_fill_in_are_all_named():
    def loose(a, *rest: int, **more: int) -> None:
        """Do."""

    with pytest.raises(BadTool) as caught:
        tool(loose)
    for part in ("a has no type annotation", "*rest has no names", "**more has no names"):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("annotation", "why"),
    [
        (Any, "Any says nothing"),
        (object, "object says nothing"),
        (list[Any], "Any says nothing"),
        (dict[str, object], "object says nothing"),
        (Optional[Any], "Any says nothing"),
        (types.FunctionType, "cannot write a function"),
        (AgentRef | None, "reference stands alone"),
        (Optional[LoopControllerRef], "reference stands alone"),
        (list[AgentRef], "reference stands alone"),
    ],
)
def test_annotations_that_say_nothing_are_refused_with_the_parameter_and_the_reason(annotation, why):
    def f(value) -> None:
        """Do."""

    f.__annotations__["value"] = annotation
    with pytest.raises(BadTool, match=f"value: .*{why}"):
        tool(f)


def test_a_class_that_json_cannot_express_is_refused_at_declaration():
    class Opaque:
        pass

    def f(value: Opaque) -> None:
        """Do."""

    with pytest.raises(BadTool, match="value: a planner cannot write a Opaque"):
        tool(f)


@pytest.mark.parametrize("name", ["two words", "", "é", "x" * 65, "a.b"])
def test_a_name_no_provider_takes_is_refused(name):
    with pytest.raises(BadTool):

        @tool(name=name or " ")
        def f() -> None:
            """Do."""


def test_what_is_no_function_and_what_yields_are_refused():
    def stream() -> Any:
        """Do."""
        yield 1

    for wrong in (int, 5, stream, len):
        with pytest.raises(BadTool):
            tool(wrong)  # type: ignore[call-overload]


def test_an_unknown_option_is_an_error_that_names_it():
    with pytest.raises(BadTool, match="colour"):

        @tool(colour="red")  # type: ignore[call-overload]
        def f() -> None:
            """Do."""


@pytest.mark.parametrize(
    "option", [{"side_effect": "irreversable"}, {"cost_class": "dear"}, {"reveals": "x"}, {"timeout": 0}]
)
def test_a_misspelt_option_value_is_an_error_and_never_switches_a_gate_off(option):
    with pytest.raises(BadTool, match=next(iter(option))):

        @tool(**option)
        def f() -> None:
            """Do."""


def test_a_function_of_a_notebook_cell_is_declared_with_the_names_of_the_notebook(call):
    cell = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from lexsi_nb.toolkit.declare import tool\n"
        "@dataclass\n"
        "class Box:\n    side: int\n"
        "@tool\n"
        "def area(box: Box, late: list[Later] = []) -> int:\n"
        "    'Area of the box.'\n"
        "    return box.side ** 2\n"
    )
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(cell, namespace)
    # `Later` comes from a cell run after this one; the declaration waits for it.
    exec("from dataclasses import dataclass\n@dataclass\nclass Later:\n    x: int\n", namespace)
    assert call(namespace["area"], {"box": {"side": 3}}).result.observation.text == "9"


def test_a_type_that_never_gets_defined_fails_the_call_and_says_so(call):
    namespace: dict[str, Any] = {"__name__": "__main__", "tool": tool}
    exec("@tool\ndef f(a: 'Nowhere') -> int:\n    'Do.'\n    return 1\n", namespace)
    outcome = call(namespace["f"], {"a": 1})
    assert outcome.status == "failed"
    assert "undefined type" in outcome.result.observation.text


def test_local_types_resolve_under_postponed_annotations(call):
    from dataclasses import dataclass

    @dataclass
    class Local:
        x: int

    @tool
    def f(a: Local) -> int:
        """Do."""
        return a.x

    class Holder:
        @tool
        def g(self, a: Local) -> int:
            """Do."""
            return a.x

    def bare(a: Local) -> int:
        """Do."""
        return a.x

    assert call(bare, {"a": {"x": 3}}).result.observation.text == "3"
    assert call(f, {"a": {"x": 4}}).result.observation.text == "4"
    assert call(Holder().g, {"a": {"x": 5}}).result.observation.text == "5"


def test_declaring_a_tool_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from lexsi_nb.toolkit.declare import tool, toolset\n"
        "from lexsi_nb.toolkit.registry import Registry\n"
        "from lexsi_nb.toolkit.refs import AgentRef\n"
        "@tool\n"
        "def f(a: int, b: list[str] | None = None, *, agent: AgentRef) -> int:\n"
        "    'Do.'\n    return a\n"
        "Registry([f])\n"
        "heavy = {'pydantic', 'pandas', 'numpy', 'duckdb', 'polars', 'pyarrow'} & set(sys.modules)\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_undecorated_function_can_be_added_as_it_is(call):
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    assert call(Registry([add]), {"a": 1, "b": 2}).result.observation.text == "3"
