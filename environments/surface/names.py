"""How tools, parameters and fields are spelled. Canonical names are snake case; every spelling can be undone.

What MCP and the wire format of OpenAI both take is drawn from: letters, digits, `_` and `-`, at most 64 of them. MCP
(SEP-986, and its specification since 2025-11-25) allows dots too, OpenAI (`^[a-zA-Z0-9_-]{1,64}$`) does not: noun first
is therefore `bookings_list`, not `bookings.list`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from ..models import Surface

_NAME: Final = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_PARTICLES: Final = frozenset({"in", "out", "up", "off", "on", "down", "back", "over"})
"""They belong to the verb before them: `check_in_guest`."""
RUNTIME: Final = ("submit", "say")
"""Tools of the runtime are spelled alike everywhere."""


def tool_spellings(names: Iterable[str], surface: Surface) -> dict[str, str]:
    """Canonical name → how it is spelled; no two alike."""
    return _spelled(names, _TOOLS[surface.names], taken=RUNTIME)


def field_spellings(names: Iterable[str], surface: Surface) -> dict[str, str]:
    """Of the parameters of one tool, or the fields of one object."""
    return _spelled(names, _camel if surface.names == "camel" else str)


def respelled(text: str, names: Mapping[str, str]) -> str:
    """A text for players with the names in it as they are spelled. Names of one word are left: they are words too."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text) if "_" in text else text


def _spelled(names: Iterable[str], spell: Callable[[str], str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Names whose spellings would be alike keep the canonical one."""
    found = {name: spell(name) for name in names}
    while True:
        counts = Counter([*found.values(), *taken])
        alike = [name for name, spelled in found.items() if counts[spelled] > 1 and spelled != name]
        if not alike:
            return found
        found |= {name: name for name in alike}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _noun_first(name: str) -> str:
    verb, *rest = name.split("_")
    while rest and rest[0] in _PARTICLES:
        verb = f"{verb}_{rest.pop(0)}"
    return "_".join((*rest, verb))


_TOOLS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {"snake": str, "camel": _camel, "kebab": _kebab, "noun_first": _noun_first}
)
