"""The registry: the only way to run a tool. Each call passes every gate, in order."""

from __future__ import annotations

import concurrent.futures
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexsi_nb.artifacts.observation import Observation, Segment
from lexsi_nb.errors import Cancelled, UnknownTool
from lexsi_nb.toolkit.call import Approver, Call, CellThread
from lexsi_nb.toolkit.declare import Tool, has_tools, is_toolset, tool_of, tools_of
from lexsi_nb.toolkit.effect import Effect
from lexsi_nb.toolkit.finished import FinishedCalls, MemoryFinishedCalls
from lexsi_nb.toolkit.gates import chain
from lexsi_nb.toolkit.redaction import hiding, mask
from lexsi_nb.toolkit.running import Runner, failure
from lexsi_nb.toolkit.schema import Shape
from lexsi_nb.toolkit.signature import BadTool, NameClash
from lexsi_nb.toolkit.spec import Outcome, ToolSpec


class Registry:
    """Named tools behind gates. Registries share nothing: a tool added to or removed from one is not in another.

    `executor` runs thread-safe synchronous tools (without one, each call has a thread of its own); `finished` keeps
    idempotency keys; `redact` takes secrets out of what tools give back, print and fail with.
    """

    def __init__(
        self,
        tools: Iterable[Any] = (),
        *,
        finished: FinishedCalls | None = None,
        executor: concurrent.futures.Executor | None = None,
        redact: Callable[[str], str] = mask,
    ) -> None:
        self._tools: dict[str, Tool] = {}
        self._toolsets: list[Any] = []
        self._redact = redact
        self.finished = finished if finished is not None else MemoryFinishedCalls()
        self._runner = Runner(executor=executor, redact=redact)
        self._enter = chain(self._tools, self.finished, self._runner)
        for thing in tools:
            self.add(thing)

    def add(self, thing: Any, *, replace: bool | None = None) -> tuple[str, ...]:
        """Return the names added for a tool, a function or a toolset object.

        A name that is taken is replaced by the same function, or a toolset of the same class, defined again (a re-run
        cell); by another only with `replace=True`. On an error nothing is added.

        Raises:
            NameClash: the name belongs to another tool; says which.
            BadTool: it cannot be a tool.
        """
        found = _tools_in(thing)
        for tool in found:
            taken = self._tools.get(tool.name)
            if taken is None or replace or (replace is None and _same_tool(taken, tool)):
                continue
            raise NameClash(
                f"There is a tool {tool.name!r} already.",
                f"It is {'.'.join(taken.origin)}.",
                'Give another @tool(name="..."), remove the first, or add with replace=True.',
            )
        if is_toolset(thing):
            self._toolsets = [t for t in self._toolsets if not _same_class(t, thing)] + [thing]
            named = {tool.name for tool in found}
            for name, tool in list(self._tools.items()):
                if name not in named and _same_class(tool.receiver, thing):  # its class has it no more
                    del self._tools[name]
        for tool in found:
            # A replaced tool keeps its place, so that what a provider has cached of the list still fits.
            self._tools[tool.name] = tool
        return tuple(tool.name for tool in found)

    def remove(self, name: str | Any) -> tuple[str, ...]:
        """Return the names removed: one tool by name or function, or all tools of a toolset object.

        Raises:
            UnknownTool: no such tool; lists the nearest names.
        """
        names = [name] if isinstance(name, str) else [tool.name for tool in _tools_in(name)]
        for n in names:
            if n not in self._tools:
                raise UnknownTool.among(n, self._tools)
        for n in names:
            del self._tools[n]
        receivers = [t.receiver for t in self._tools.values()]
        self._toolsets = [t for t in self._toolsets if any(r is t for r in receivers)]
        return tuple(names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order the tools were added."""
        return tuple(self._tools)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The specs, in the order the tools were added."""
        return tuple(tool.spec for tool in self._tools.values())

    def spec(self, name: str) -> ToolSpec:
        """Return the spec of a tool.

        Raises:
            UnknownTool: no such tool; lists the nearest names.
        """
        return self.tool(name).spec

    def tool(self, name: str) -> Tool:
        """Return a tool, to look at; it is run by `call`.

        Raises:
            UnknownTool: no such tool; lists the nearest names.
        """
        if name not in self._tools:
            raise UnknownTool.among(name, self._tools)
        return self._tools[name]

    def definitions(self, shape: Shape = "anthropic", *, only: Collection[str] | None = None) -> list[dict[str, Any]]:
        """Return the definitions a planner reads, in a provider's shape; `only` keeps some names."""
        kept = (tool for name, tool in self._tools.items() if only is None or name in only)
        return [tool.schema.definition(tool.spec.description, shape) for tool in kept]

    def subset(self, names: Collection[str]) -> Registry:
        """Return a registry of some of the tools; finished calls are shared, so that a key acts once in both."""
        made = Registry(finished=self.finished, redact=self._redact)
        made._tools.update({n: t for n, t in self._tools.items() if n in names})
        made._toolsets = [t for t in self._toolsets if any(tool.receiver is t for tool in made)]
        made._runner = self._runner
        made._enter = chain(made._tools, self.finished, self._runner)
        return made

    async def framing(self) -> Observation:
        """Return what the toolsets add to the planner's framing, as `rows` segments that the data policy may cut."""
        segments: list[Segment] = []
        for one in self._toolsets:
            context = getattr(one, "context", None)
            if not callable(context):
                continue
            try:
                text = context()
                text = await text if inspect.isawaitable(text) else text
            except Exception as error:  # noqa: BLE001 - a toolset without state yet must not keep the run from starting
                text = failure(f"context() of {type(one).__name__}", error, self._redact).error
            if text:
                segments.append(Segment(self._redact(str(text)), "rows"))
        return Observation(tuple(segments))

    async def call(
        self,
        name: str,
        args: Mapping[str, Any] | None = None,
        *,
        context: Any = None,
        injected: Mapping[str, Any] | None = None,
        principal: str = "user",
        scopes: Collection[str] | None = None,
        idempotency_key: str | Callable[[Call], str | None] | None = None,
        dry_run: bool = False,
        approver: Approver | None = None,
        cell_thread: CellThread | None = None,
        cautious: bool = False,
        withdrawn: Collection[str] = (),
        describe: Callable[[Call], Effect] | None = None,
        media: Callable[[str], Any] | None = None,
        insists: Callable[[Call], bool] | None = None,
    ) -> Outcome:
        """Return how a call left the gates, and its result. Only a cancellation is raised.

        `context` goes to ContextRef; `injected` has `agent` and `loop_controller`. No scopes given, no scopes held.
        `approver(request)` returns True, False, None (not now) or an Approval. `cell_thread(fn)` runs a synchronous
        tool that is not thread-safe on the cell's thread. `cautious`: text from data was read before, so what acts
        outside the kernel asks; `withdrawn`: scopes held until then. `describe(call)` tells the effect of a call where
        its tool does not. `media(name)`: the picture or PDF a variable holds. A key may be a function of the call.
        `insists(call)`: whether a person has a say in this very call, whatever its tool says.
        """
        call = Call(
            name, args, context, injected or {}, principal, frozenset(scopes or ()), idempotency_key, dry_run, approver,
            cell_thread, cautious, frozenset(withdrawn), describe, media, insists,
        )  # fmt: skip
        try:
            outcome = await self._enter(call)
            return outcome if call.tool is None else replace(outcome, side_effect=call.side_effect)
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - a check, an approver or a late schema; the call has not run
            hide = hiding(args, self._redact)
            result = failure(name, error, hide, call.tool.spec.reveals if call.tool else "rows")
            return Outcome("failed", result, tool=name, args=dict(args) if isinstance(args, dict) else {})

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(tuple(self._tools.values()))

    def __len__(self) -> int:
        return len(self._tools)


def _tools_in(thing: Any) -> list[Tool]:
    if is_toolset(thing):
        return tools_of(thing)
    if inspect.isclass(thing):
        raise BadTool(
            f"{thing.__name__} is a class.",
            "Tools of a set share one object's state.",
            f"Add {thing.__name__}() instead.",
        )
    if not callable(thing) and has_tools(thing):
        kind = type(thing).__name__
        raise BadTool(f"{kind} has tools and is no set of them.", "", f"Write @lx.toolset before class {kind}.")
    return [tool_of(thing)]


def _same_tool(a: Tool, b: Tool) -> bool:
    """Return whether b is a defined again: the same function, and where they belong to sets, of the same class.

    A tool that two classes inherit is two tools: each works on its own object.
    """
    return a.origin == b.origin and _same_class(a.receiver, b.receiver)


def _same_class(a: Any, b: Any) -> bool:
    # A class defined again in a re-run cell is another object with the same name.
    return (type(a).__module__, type(a).__qualname__) == (type(b).__module__, type(b).__qualname__)
