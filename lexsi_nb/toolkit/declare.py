"""`@tool` and `@toolset`: a typed function with a docstring becomes something a planner can call."""

from __future__ import annotations

import functools
import hashlib
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, get_args, overload

from lexsi_nb.artifacts.observation import SegmentClass
from lexsi_nb.toolkit.docstring import Docstring
from lexsi_nb.toolkit.refs import Reference
from lexsi_nb.toolkit.schema import ArgumentSchema
from lexsi_nb.toolkit.signature import (
    BadTool,
    NameClash,
    Signature,
    check_described,
    check_name,
    enclosing_names,
    read_docstring,
    read_signature,
)
from lexsi_nb.toolkit.spec import CostClass, SideEffect, ToolSpec

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)
_MARK = "__lexsi_tool__"
_TOOLSET = "__lexsi_toolset__"
_UNBOUND: Any = object()
_CLOSED: dict[str, tuple[str, ...]] = {
    "side_effect": get_args(SideEffect),
    "cost_class": get_args(CostClass),
    "reveals": get_args(SegmentClass),
}


@dataclass(eq=False)
class Tool:
    """A declared function. `fn` is the plain function; a method's tool is bound to an object before it runs."""

    spec: ToolSpec
    fn: Callable[..., Any]
    doc: Docstring
    scope: Mapping[str, Any] = field(default_factory=dict, repr=False)
    receiver: Any = field(default=_UNBOUND, repr=False)
    _signature: Signature | None = field(default=None, repr=False)
    _schema: ArgumentSchema | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The name a planner calls it by."""
        return self.spec.name

    @property
    def origin(self) -> tuple[str, str]:
        """Where it was defined; a function defined again in a re-run cell has the same origin."""
        return (getattr(self.fn, "__module__", "") or "", self.fn.__qualname__)

    @property
    def callable(self) -> Callable[..., Any]:
        """What to call: the function, or the method of the object it is bound to."""
        return self.fn if self.receiver is _UNBOUND else functools.partial(self.fn, self.receiver)

    @property
    def is_async(self) -> bool:
        """Whether calling it returns an awaitable."""
        return inspect.iscoroutinefunction(self.fn)

    @property
    def signature(self) -> Signature:
        """The checked signature; read now when an annotation named something that was not defined yet.

        Raises:
            BadTool: an annotation still names something undefined.
        """
        if self._signature is None:
            found = read_signature(self.fn, self.name, self.doc, self.scope)
            if found is None:
                raise BadTool(f"The annotations of {self.name} name an undefined type.", "", "Define or import it.")
            check_described(self.name, self.doc, found)
            self._signature = found
        return self._signature

    @property
    def schema(self) -> ArgumentSchema:
        """The argument schema, built on first use."""
        if self._schema is None:
            self._schema = ArgumentSchema(self.name, self.signature.parameters)
        return self._schema

    @functools.cached_property
    def mark(self) -> str:
        """What the tool is, in 16 hex digits: another description or other code is another tool, in any kernel."""
        told = [self.spec.description, *_code(getattr(self.fn, "__code__", None))]
        return hashlib.sha256("\x1f".join(told).encode("utf-8", "replace")).hexdigest()[:16]

    @functools.cached_property
    def check_takes_context(self) -> bool:
        """Whether the tool's check is `check(args, context)` and not `check(args)`."""
        return self.spec.check is not None and _takes_two(self.spec.check)

    @functools.cached_property
    def approval_takes_context(self) -> bool:
        """Whether the tool's rule is `needs_approval(args, context)` and not `needs_approval(args)`."""
        return self.spec.needs_approval is not None and _takes_two(self.spec.needs_approval)

    @functools.cached_property
    def acts_takes_context(self) -> bool:
        """Whether the tool's acts is `acts(args, context)` and not `acts(args)`."""
        return self.spec.acts is not None and _takes_two(self.spec.acts)

    @functools.cached_property
    def effect_takes_context(self) -> bool:
        """Whether the tool's effect is `effect(args, context)` and not `effect(args)`."""
        return self.spec.effect is not None and _takes_two(self.spec.effect)

    @functools.cached_property
    def reads_takes_context(self) -> bool:
        """Whether the tool's reads is `reads(args, context)` and not `reads(args)`."""
        return self.spec.reads is not None and _takes_two(self.spec.reads)

    def bind(self, receiver: Any) -> Tool:
        """Return the same tool as a method of `receiver`; schemas are shared."""
        return replace(self, receiver=receiver)

    def prepared(
        self, values: Mapping[str, Any], injected: Mapping[str, Any], called_as: str
    ) -> functools.partial[Any]:
        """Return the call, ready to make: validated arguments and references in their places.

        Raises:
            LookupError: the run has nothing for a reference; says which.
        """
        kwargs = dict(values)
        for p in self.signature.injected:
            found = self._reference(p.reference, injected, called_as)
            if found is not _UNBOUND:
                kwargs[p.name] = found
            elif not p.optional:
                raise LookupError(f"this run has no {p.reference.kind} for the parameter {p.name!r}")
        args = [kwargs.pop(name) for name in self.signature.positional if name in kwargs]
        return functools.partial(self.callable, *args, **kwargs)

    async def invoke(self, values: Mapping[str, Any], injected: Mapping[str, Any], called_as: str = "") -> Any:
        """Return what the function returns for validated arguments; gates have been passed before."""
        result = self.prepared(values, injected, called_as or self.name)()
        return await result if inspect.isawaitable(result) else result

    def _reference(self, reference: Reference, injected: Mapping[str, Any], called_as: str) -> Any:
        if reference.kind == "tool_name":
            return called_as
        if reference.kind == "tool_fn":
            return self.fn if self.receiver is _UNBOUND else types.MethodType(self.fn, self.receiver)
        # Presence decides, not truth: None and {} are injected like anything else.
        return injected.get(reference.kind, _UNBOUND)


@overload
def tool(fn: F, /) -> F: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    scopes: str | Iterable[str] = (),
    side_effect: SideEffect = "none",
    acts: Callable[..., SideEffect] | None = None,
    resumable: bool = False,
    restore: Callable[..., Any] | None = None,
    needs_approval: bool | Callable[..., bool] | None = None,
    check: Callable[..., Any] | None = None,
    effect: Callable[..., Any] | None = None,
    reads: Callable[..., Iterable[str]] | None = None,
    requires: str | Iterable[str] = (),
    produces: str | Iterable[str] = (),
    parallel_safe: bool = False,
    thread_safe: bool = False,
    cost_class: CostClass = "cheap",
    capabilities: str | Iterable[str] = (),
    timeout: float | None = None,
    returns: str | None = None,
    reveals: SegmentClass = "rows",
    max_output_chars: int | None = 20_000,
) -> Callable[[F], F]: ...


def tool(fn: Any = None, /, **options: Any) -> Any:
    """Return the function, declared as a tool; it stays an ordinary function.

    >>> @tool
    ... def add(a: int, b: int) -> int:
    ...     '''Add two integers.'''
    ...     return a + b
    >>> add(2, 3), tool_of(add).spec.name
    (5, 'add')

    Options: `name`, `description`; `scopes` a caller must hold; `side_effect` (none, kernel, write, irreversible), the
    most it may do, and `acts(args, context)`, what this very call does; `needs_approval(args, context)`;
    `check(args, context)` gives a list of problems; `effect(args, context)` an `lx.Effect` that a person is shown
    before approving; `reads(args, context)`, frames a call reads that its arguments do not name; `resumable`: a call
    stopped half-way may be made again; `restore(args, context, first)` brings back what a call left in the kernel
    that is not made again; `requires`, `produces` cache keys; `parallel_safe`,
    `thread_safe`; `cost_class`; `capabilities`, words it may be found by; `timeout` in seconds; `returns` in one
    line; `reveals`, the class of what it returns (schema, stats, rows); `max_output_chars`.

    Raises:
        BadTool: the signature or the docstring does not do; says every reason.
    """
    if fn is None:
        return lambda f: _marked(f, options)
    return _marked(fn, options)


def toolset(cls: Any = None, /) -> Any:
    """Return the class, marked as a set of tools that share its state: `@toolset` or `@toolset()`.

    Its tools are its `@tool` methods, inherited ones included; an override without `@tool` takes the tool away. A
    method `context()` may return text that is added to what the planner reads.

    Raises:
        NameClash: two methods have the same tool name.
    """
    if cls is None:
        return toolset
    if not inspect.isclass(cls):
        raise BadTool(f"@toolset stands before a class, not {type(cls).__name__}.", "", "Use @tool for a function.")
    setattr(cls, _TOOLSET, True)
    _class_tools(cls)
    return cls


def tool_of(fn: Any) -> Tool:
    """Return the tool of a decorated function or bound method; an undecorated function is declared here.

    Raises:
        BadTool: it cannot be a tool.
    """
    if isinstance(fn, Tool):
        return fn
    found = getattr(fn, _MARK, None)
    receiver = getattr(fn, "__self__", _UNBOUND)
    if found is None:
        plain = getattr(fn, "__func__", fn)
        found = _declared(plain, {})
    found = _outermost(found, getattr(fn, "__func__", fn))
    return found if receiver is _UNBOUND or not inspect.ismethod(fn) else found.bind(receiver)


def is_toolset(thing: Any) -> bool:
    """Return whether it is an object of a `@toolset` class."""
    return not inspect.isclass(thing) and getattr(type(thing), _TOOLSET, False) is True


def has_tools(thing: Any) -> bool:
    """Return whether the class of an object has `@tool` methods."""
    return bool(_class_tools(type(thing)))


def tools_of(instance: Any) -> list[Tool]:
    """Return the tools of a toolset object, bound to it, in the order of definition, inherited ones first.

    Raises:
        NameClash: two methods have the same tool name.
    """
    bound: list[Tool] = []
    for attribute, found in _class_tools(type(instance)):
        raw = inspect.getattr_static(type(instance), attribute)
        if isinstance(raw, staticmethod):
            bound.append(found)
        else:
            bound.append(found.bind(type(instance) if isinstance(raw, classmethod) else instance))
    return bound


def _class_tools(cls: type) -> list[tuple[str, Tool]]:
    names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base))
    found: dict[str, tuple[str, Tool]] = {}
    for attribute in names:
        raw = inspect.getattr_static(cls, attribute)
        declared = getattr(raw, _MARK, None) or getattr(getattr(raw, "__func__", None), _MARK, None)
        if not isinstance(declared, Tool):
            continue
        declared = _outermost(declared, getattr(raw, "__func__", raw))
        if declared.name in found:
            raise NameClash(
                f"{cls.__name__} has two tools named {declared.name!r}.",
                f"They are {found[declared.name][0]} and {attribute}.",
                'Give one of them another @tool(name="...").',
            )
        found[declared.name] = (attribute, declared)
    return list(found.values())


def _outermost(found: Tool, fn: Any) -> Tool:
    """Return the tool, calling what another decorator put around it: `functools.wraps` copies our mark as well."""
    return replace(found, fn=fn) if inspect.isfunction(fn) and found.fn is not fn else found


def _marked(fn: Any, options: dict[str, Any]) -> Any:
    plain = fn.__func__ if isinstance(fn, (staticmethod, classmethod)) else fn
    setattr(plain, _MARK, _declared(plain, options))
    return fn


def _declared(fn: Any, options: Mapping[str, Any]) -> Tool:
    if not inspect.isfunction(fn):
        hint = "Use @toolset for a class." if inspect.isclass(fn) else "Write a function around it."
        raise BadTool(f"@tool stands before a function, not {type(fn).__name__}.", "", hint)
    options = dict(options)
    name = check_name(options.pop("name", None) or fn.__name__)
    if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        raise BadTool(f"{name} cannot be a tool: it yields.", "A call has one result.", "Return a list.")
    doc = read_docstring(fn, name, options.pop("description", None))
    scope = enclosing_names(fn)
    signature = read_signature(fn, name, doc, scope)
    if signature is not None:
        check_described(name, doc, signature)
    spec = _spec(name, doc, options, lambda: made.schema.model)
    made = Tool(spec, fn, doc, {} if signature else scope, _signature=signature)
    return made


def _spec(name: str, doc: Docstring, options: dict[str, Any], args_schema: Callable[[], type[Any]]) -> ToolSpec:
    approval = options.pop("needs_approval", None)
    if isinstance(approval, bool):
        options["needs_approval"] = (lambda args: True) if approval else None
    else:
        options["needs_approval"] = approval
    for key in ("requires", "produces", "capabilities"):
        options[key] = _words(options.get(key, ()))
    options["scopes"] = frozenset(_words(options.get("scopes", ())))
    returns = options.pop("returns", None) or doc.returns
    # A misspelt "irreversible" would switch a gate off without a word.
    for key, allowed in _CLOSED.items():
        if key in options and options[key] not in allowed:
            raise BadTool(f"@tool of {name}: no {key} {options[key]!r}.", "", f"Use one of: {', '.join(allowed)}.")
    if options.get("timeout") is not None and not options["timeout"] > 0:
        raise BadTool(f"@tool of {name}: timeout={options['timeout']!r}.", "", "Give seconds above 0, or None.")
    try:
        return ToolSpec(name=name, description=doc.description, args_schema=args_schema, returns=returns, **options)
    except TypeError as error:
        why = str(error).partition("() ")[2] or str(error)
        raise BadTool(f"@tool of {name}: {why}.", "", "See help(lx.tool).") from error


def _code(code: Any) -> list[str]:
    """Return what a function does, as texts that do not depend on where it stands."""
    if not isinstance(code, types.CodeType):
        return []
    told = [code.co_code.hex(), " ".join(code.co_names)]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            told += _code(constant)
        else:  # a set's order is another in each kernel
            told.append(repr(sorted(constant, key=repr) if isinstance(constant, frozenset) else constant))
    return told


def _takes_two(fn: Callable[..., Any]) -> bool:
    kinds = [p.kind for p in inspect.signature(fn).parameters.values()]
    by_name_only = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    by_place = [k for k in kinds if k not in by_name_only]
    return len(by_place) > 1 or inspect.Parameter.VAR_POSITIONAL in by_place


def _words(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
