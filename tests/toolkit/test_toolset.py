"""Group 2: classes of tools that share state."""

from __future__ import annotations

import asyncio

import pytest

from lexsi_nb.toolkit.declare import tool, tool_of, tools_of, toolset
from lexsi_nb.toolkit.registry import Registry
from lexsi_nb.toolkit.signature import BadTool, NameClash


@toolset
class Counter:
    """Counts."""

    def __init__(self, start: int = 0) -> None:
        self.n = start

    def context(self) -> str:
        return f"The counter stands at {self.n}."

    @tool
    def up(self, by: int = 1) -> int:
        """Count up."""
        self.n += by
        return self.n

    @tool(name="zero")
    def reset(self) -> None:
        """Begin again."""
        self.n = 0

    @tool
    @staticmethod
    def twice(a: int) -> int:
        """Double."""
        return 2 * a

    @classmethod
    @tool
    def kind(cls) -> str:
        """Name the class."""
        return cls.__name__

    def hidden(self) -> None:
        """No tool."""


def run(registry: Registry, name: str, args=None):
    return asyncio.run(registry.call(name, args))


def test_the_tools_of_an_object_share_its_state_and_stay_methods():
    counter = Counter(5)
    registry = Registry([counter])
    assert registry.names == ("up", "zero", "twice", "kind")
    assert run(registry, "up", {"by": 2}).result.observation.text == "7"
    assert counter.up() == 8
    assert run(registry, "zero").status == "ok"
    assert counter.n == 0
    assert run(registry, "twice", {"a": 4}).result.observation.text == "8"
    assert run(registry, "kind").result.observation.text == "Counter"


def test_two_objects_do_not_share_state():
    a, b = Counter(), Counter()
    run(Registry([a]), "up")
    assert (a.n, b.n) == (1, 0)


def test_inherited_tools_are_included_and_a_decorated_override_wins():
    @toolset()
    class Fast(Counter):
        @tool
        def up(self, by: int = 10) -> int:
            """Count up fast."""
            return super().up(by)

        @tool
        def down(self) -> int:
            """Count down."""
            self.n -= 1
            return self.n

    registry = Registry([Fast()])
    assert registry.names == ("up", "zero", "twice", "kind", "down")
    assert run(registry, "up").result.observation.text == "10"
    assert registry.spec("up").description == "Count up fast."


def test_an_undecorated_override_takes_the_tool_away():
    @toolset
    class Quiet(Counter):
        def up(self, by: int = 1) -> int:
            return 0

    assert "up" not in [t.name for t in tools_of(Quiet())]
    assert "up" in [t.name for t in tools_of(Counter())]


def test_two_methods_with_one_tool_name_are_an_error_that_names_both():
    with pytest.raises(NameClash, match="first and second"):

        @toolset
        class Clash:
            @tool(name="same")
            def first(self) -> None:
                """Do."""

            @tool(name="same")
            def second(self) -> None:
                """Do."""


def test_a_tool_that_two_sets_inherit_is_a_clash_and_not_silently_the_later_one():
    @toolset
    class Other(Counter):
        pass

    registry = Registry([Counter()])
    mine = registry.tool("up").receiver
    with pytest.raises(NameClash, match="up"):
        registry.add(Other())
    assert registry.tool("up").receiver is mine


def test_a_set_defined_again_without_a_tool_takes_it_away():
    def version(more: bool):
        @toolset
        class Pair:
            @tool
            def one(self) -> int:
                """One."""
                return 1

            if more:

                @tool
                def two(self) -> int:
                    """Two."""
                    return 2

        return Pair()

    registry = Registry([version(True), Counter()])
    others = registry.names[2:]
    registry.add(version(False))
    assert registry.names == ("one", *others)


def test_a_clash_with_another_tool_adds_nothing():
    @tool
    def zero() -> int:
        """Zero."""
        return 0

    registry = Registry([zero])
    with pytest.raises(NameClash, match="zero"):
        registry.add(Counter())
    assert registry.names == ("zero",)
    registry.add(Counter(), replace=True)
    assert registry.names == ("zero", "up", "twice", "kind")


def test_context_adds_to_the_framing_as_rows_so_that_the_policy_can_cut_it():
    counter = Counter(3)
    registry = Registry([counter])
    observation = asyncio.run(registry.framing())
    assert [(s.text, s.kind) for s in observation.segments] == [("The counter stands at 3.", "rows")]
    registry.remove(counter)
    assert asyncio.run(registry.framing()).segments == ()
    assert len(registry) == 0


def test_a_context_that_fails_is_said_and_stops_nothing():
    @toolset
    class Empty:
        def context(self) -> str:
            raise AttributeError("no frame yet")

        @tool
        def load(self) -> None:
            """Load."""

    text = asyncio.run(Registry([Empty()]).framing()).text
    assert "no frame yet" in text
    assert "Traceback" not in text


def test_a_class_instead_of_an_object_is_an_error_that_says_what_to_add():
    with pytest.raises(BadTool, match=r"Add Counter\(\) instead"):
        Registry([Counter])
    with pytest.raises(BadTool, match="before a class"):
        toolset(lambda: None)


def test_a_bound_method_is_a_tool_of_its_object():
    counter = Counter(1)
    assert tool_of(counter.up).receiver is counter
    assert run(Registry([counter.up]), "up").result.observation.text == "2"
