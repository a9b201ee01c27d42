"""Prompts as files: Jinja2 with StrictUndefined, a name and a hash of all their texts that goes into provenance."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from ...environments.canonical import sha256
from ...environments.errors import InputError

_BREAK = "\n---\n"
"""Stands between the system text and the user text of a prompt file."""
_SHARED = Path(__file__).parent / "shared"
_TEXTS = frozenset({".j2", ".md", ".json", ".jsonl", ".txt", ".yaml", ".sql"})


class Prompt(NamedTuple):
    """A rendered prompt. `name` says which (`architect/requirements`), `hash` which text of it."""

    name: str
    hash: str
    system: str
    user: str

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        return ({"role": "system", "content": self.system}, {"role": "user", "content": self.user})


class PromptFolder:
    """The prompts of one folder: `NAME.md.j2`, system text and user text parted by a line `---`.

    Templates may include others of the folder. What a template names and is not given is an error. `shaped`: replies
    are asked for through `agents.llm.structured`, which adds texts of its own.
    """

    def __init__(self, folder: Path, role: str, *, shaped: bool = True) -> None:
        self._folder = folder
        self._role = role
        self._counted = (folder, _SHARED) if shaped else (folder,)
        self._hashes = dict[str, str]()
        self._jinja = jinja2.Environment(
            loader=jinja2.FileSystemLoader([folder, _SHARED]),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )

    def render(self, name: str, **values: Any) -> Prompt:
        """The prompt with these values. Errors: InputError for a file that is not there or a value not given."""
        try:
            text = self._jinja.get_template(f"{name}.md.j2").render(values)
        except jinja2.TemplateError as error:
            raise InputError(f"Prompt {self._role}/{name}: {error}") from error
        system, found, user = text.partition(_BREAK)
        if not found:
            raise InputError(f"Prompt {self._role}/{name} has no line --- between system and user text.")
        return Prompt(f"{self._role}/{name}", self.hash(name), system.strip(), user.strip())

    def hash(self, name: str) -> str:
        """Of the name and every text of the folder: prompts include others, and roles put rules and examples into
        them. Texts that Envolve shares count where replies are of a wanted shape."""
        if name not in self._hashes:
            self._hashes[name] = sha256([name, *map(_texts, self._counted)])[:12]
        return self._hashes[name]


def _texts(folder: Path) -> dict[str, str]:
    """By path. What editors and systems leave behind, hidden or no text at all, is none of it."""
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in _TEXTS and not path.name.startswith("."):
            texts[path.relative_to(folder).as_posix()] = path.read_text(encoding="utf-8")
    return texts
