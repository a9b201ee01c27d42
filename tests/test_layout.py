"""The folders import one way, and never by a bare top-level name."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "environments": set[str](),
    "eval": {"environments"},
    "memory": {"environments"},
    "agents": {"environments", "eval", "memory"},
    "graph": {"environments", "eval", "memory", "agents"},
}
FILES = [path for folder in MAY_IMPORT for path in sorted((ROOT / folder).rglob("*.py"))]


def imported_folders(path: Path) -> set[str]:
    """The component folders that a file imports from, its own aside."""
    package = path.relative_to(ROOT).parent.parts
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = list(package[: len(package) - node.level + 1])
            above = node.level > len(package)
            target = (node.module or "").split(".") if node.module else [alias.name for alias in node.names]
            if above or not base:
                found.add(target[0])
            else:
                found.add(base[0])
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            found |= {name.split(".")[0] for name in names if name.split(".")[0] in {*MAY_IMPORT, "envolve"}}
    return found - {package[0]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    folder = path.relative_to(ROOT).parts[0]
    assert imported_folders(path) <= MAY_IMPORT[folder]
