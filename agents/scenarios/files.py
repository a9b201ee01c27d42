"""Scenarios from texts and files, and those that ship with Envolve."""

from __future__ import annotations

import re
import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from ...environments.canonical import sha256
from ...environments.errors import InputError, ServiceError
from ..base import Scenario

LONGEST = 4000
"""Characters of a scenario that are used; the rest says nothing more."""

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,95}")
_NAME_WORDS = 6
_DANGLING = ("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to")
"""Words with which no name ends."""


def shipped_scenarios() -> list[Scenario]:
    """The scenarios of the package, in the order of its file."""
    text = (files(__package__) / "data" / "scenarios.yaml").read_text(encoding="utf-8")
    return read_scenarios(text, "scenarios.yaml")


def scenario_of(given: Any) -> Scenario:
    """A scenario from a text, or from a mapping with `text` and perhaps `name`, `category` and `id`.

    Errors: InputError for one that says nothing, or whose id is no slug.
    """
    if isinstance(given, str):
        given = {"text": given}
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise InputError(f"{given!r:.80} is no scenario.", remedy="Give a text, or a mapping with `text`.")
    text = _clean(given["text"])
    if not any(char.isalnum() for char in text):
        raise InputError(
            f"The scenario {given['text']!r:.80} says nothing.",
            remedy='Describe a service in a sentence or two: "A bike shop that rents, repairs and sells bikes".',
        )
    name = _clean(str(given.get("name") or "")) or _name_from(text)
    return Scenario(
        id=_id_of(given.get("id"), name, text),
        name=name[:80],
        category=str(given.get("category") or ""),
        text=text[:LONGEST],
    )


def _id_of(given: Any, name: str, text: str) -> str:
    """The id that a run gave it, which its random choices depend on; else one from its name."""
    if given is None:
        return _slug(name, text)
    if not isinstance(given, str) or not _ID.fullmatch(given):
        raise InputError(
            f"{given!r:.80} is no id of a scenario.", remedy="Use small letters, digits and hyphens, or leave it out."
        )
    return given


def read_scenarios(text: str, source: str) -> list[Scenario]:
    """From YAML (a list, or a mapping with `scenarios`) or from plain lines; `source` names the file in errors."""
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError:
        loaded = text
    if isinstance(loaded, dict):
        loaded = loaded.get("scenarios")
    if isinstance(loaded, str):
        loaded = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not isinstance(loaded, list) or not loaded:
        raise InputError(
            f"{source} holds no scenarios.", remedy="Write one a line, or YAML: `scenarios: [{text: …}]`."
        )
    return [scenario_of(entry) for entry in loaded]


def write_scenarios(path: Path, scenarios: list[Scenario]) -> None:
    """As YAML that `read_scenarios` reads. Errors: ServiceError if the disk refuses."""
    entries = [scenario.model_dump(include={"name", "category", "text"}) for scenario in scenarios]
    text = yaml.safe_dump({"format": 1, "scenarios": entries}, allow_unicode=True, sort_keys=False, width=100)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ServiceError(f"{path}: {error.strerror}.", remedy="Choose a place that can be written to.") from error


def _clean(text: str) -> str:
    """One line, without control characters."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())


def _name_from(text: str) -> str:
    """The beginning of the text, as far as it names the service."""
    first = re.split(r"[.,;:!?()]|\b(?:where|that|which|who|with)\b", text, maxsplit=1)[0]
    words = (first if any(char.isalnum() for char in first) else text).split()[:_NAME_WORDS]
    while len(words) > 1 and words[-1].lower() in _DANGLING:
        words.pop()
    return " ".join(words)


def _slug(name: str, text: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))[:60].strip("-")
    return words or f"scenario-{sha256(text)[:8]}"
