"""The layer order of ARCHITECTURE.md, read from the imports of a source tree without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# A part imports itself and parts on earlier lines; parts on one line never import each other.
ORDER: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("artifacts",),
    ("toolkit", "data", "modeling", "kernel", "store", "egress"),
    ("datasets",),  # `lx.datasets`: names of data under one roof
    ("grounding",),
    ("tools",),
    ("agent",),
    ("planners",),
    ("app",),
    ("widgets",),
    ("magics",),
)
# Inside the grounding, the same: folders and the modules beside them, from the words of a question to its reading.
GROUNDING: tuple[tuple[str, ...], ...] = (
    ("language", "reading"),
    ("words", "grains"),
    ("deviations", "schema"),
    ("mentions",),
    ("rendering", "for_models"),
    ("wordings", "notes"),
    ("parsing", "checks", "everyday", "option_questions"),
    ("options",),
    ("forms",),
    ("predictions",),
    ("conversation", "unknown_words"),
    ("reader",),
    ("grounder",),
    ("knowledge",),
)
LEVEL = {part: level for level, parts in enumerate(ORDER) for part in parts}
# What modules beside the parts may import. The package itself and the command line put everything together.
FACADES: dict[str, frozenset[str]] = {
    "__init__": frozenset(LEVEL),
    "__main__": frozenset({*LEVEL, "__init__"}),
    "datasets": frozenset({"errors", "artifacts", "data"}),
}


@dataclass(frozen=True)
class Import:
    """One import of a module of the package, where it stands and what it reaches."""

    file: str
    line: int
    source: str  # part the file belongs to
    target: str  # part it imports; "__init__" for a name of the package itself

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.source} imports {self.target}"


def part_of(file: Path, package: Path) -> str:
    """Return the part that a file of the package belongs to."""
    return file.relative_to(package).with_suffix("").parts[0]


def imports(package: Path) -> Iterator[Import]:
    """Yield every import of the package's own modules, those inside functions and under TYPE_CHECKING included."""
    name = package.name
    known = {p.stem for p in package.iterdir() if p.suffix == ".py" or p.is_dir()} - {"__init__"}
    for file in sorted(package.rglob("*.py")):
        module = (name, *file.relative_to(package).with_suffix("").parts)
        where = f"{name}/{file.relative_to(package).as_posix()}"
        source = part_of(file, package)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
            for dotted in _targets(node, module, known):
                if dotted[0] == name:
                    target = dotted[1] if len(dotted) > 1 else "__init__"
                    yield Import(where, node.lineno, source, target)  # type: ignore[attr-defined]


def _targets(node: ast.AST, module: tuple[str, ...], known: set[str]) -> Iterator[tuple[str, ...]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield tuple(alias.name.split("."))
    elif isinstance(node, ast.ImportFrom):
        base = tuple(node.module.split(".")) if node.module else ()
        if node.level:
            base = module[: len(module) - node.level] + base
        if len(base) != 1:
            yield base
            return
        for alias in node.names:  # `from lexsi_nb import data` reaches data, `from lexsi_nb import Session` the package
            if alias.name != "__version__":  # a constant; every part may say which version it is
                yield (*base, alias.name) if alias.name in known else base


def violations(package: Path) -> list[str]:
    """Return one line for each import that points the wrong way and each part that has no layer."""
    found = []
    for one in imports(package):
        if one.source == one.target:
            continue
        if one.source in FACADES:
            if one.target not in FACADES[one.source]:
                found.append(f"{one}, which it may not")
        elif one.source not in LEVEL:
            found.append(f"{one.file}: {one.source} has no layer; give it one in ORDER")
        elif one.target not in LEVEL:
            found.append(f"{one}; a part imports parts, not the package's face or what has no layer")
        elif LEVEL[one.target] == LEVEL[one.source]:
            found.append(f"{one}; both stand on one level")
        elif LEVEL[one.target] > LEVEL[one.source]:
            found.append(f"{one}, which stands below it")
    named = LEVEL.keys() | FACADES.keys()
    for entry in sorted(package.iterdir()):
        is_part = (entry.is_dir() and any(entry.rglob("*.py"))) or entry.suffix == ".py"
        if is_part and entry.stem not in named:
            found.append(f"{package.name}/{entry.name}: has no layer; give it one in ORDER")
    return list(dict.fromkeys(found))


def grounding_violations(folder: Path) -> list[str]:
    """Return one line for each import inside the grounding that points the wrong way, and each part without a place."""
    level = {part: at for at, parts in enumerate(GROUNDING) for part in parts}
    found = []
    for file in sorted(folder.rglob("*.py")):
        source = part_of(file, folder)
        if source == "__init__":
            continue
        if source not in level:
            found.append(f"{file.relative_to(folder)}: {source} has no place; give it one in GROUNDING")
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("lexsi_nb.grounding"):
                continue
            dotted = (node.module or "").split(".")[2:]
            for target in dotted[:1] or [alias.name for alias in node.names]:
                if target != source and level.get(target, len(GROUNDING)) >= level[source]:
                    found.append(f"{file.relative_to(folder)}:{node.lineno}: {source} imports {target}")
    return found
