"""Files that a user hands in: options and scenarios. What is wrong is told with file and line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from envolve.environments.errors import InputError

if TYPE_CHECKING:
    from envolve.agents.base import Scenario

_LARGEST = 5_000_000
_YAML = {".yaml", ".yml", ".json"}


class OptionFile(NamedTuple):
    """The options of a file, and where each was written (`config.yaml:3`)."""

    options: dict[str, Any]
    places: dict[str, str]


def read_text(path: Path) -> str:
    """Errors: InputError for what is no file, too large or not UTF-8; OSError where the machine refuses."""
    if path.is_dir():
        raise InputError(f"{path} is a folder.", remedy="Give a file.")
    if path.exists() and path.stat().st_size > _LARGEST:
        raise InputError(f"{path} is larger than {_LARGEST // 1_000_000} MB.", remedy="Split it.")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start}).", remedy="Save it as UTF-8.") from error


def read_options(path: Path) -> OptionFile:
    """A YAML mapping; names may be written as on the command line, the team's under `team`. Errors: InputError."""
    from envolve.environments.yaml_text import parse_yaml

    document = parse_yaml(read_text(path), str(path))
    if not isinstance(document.value, dict | None):
        raise InputError(f"{path} is not a mapping of options.", remedy="Write `environments: 5` and the like.")
    options, places = dict[str, Any](), dict[str, str]()
    for name, value in (document.value or {}).items():
        inside = value if name == "team" and isinstance(value, dict) else {name: value}
        for option, given in inside.items():
            key = option.replace("-", "_")
            options[key] = given
            places[key] = f"{path}:{document.line((name,))}"
    return OptionFile(options, places)


def read_scenarios(path: Path) -> list[Scenario]:
    """From YAML or JSON (a list, or a mapping with `scenarios`), or from a text file with one a line.

    Errors: InputError.
    """
    from envolve.environments.yaml_text import parse_yaml

    text = read_text(path)
    if path.suffix.lower() in _YAML:
        value = parse_yaml(text, str(path)).value
        listed = value.get("scenarios") if isinstance(value, dict) else value
    else:
        listed = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not isinstance(listed, list) or not listed:
        raise InputError(
            f"{path} holds no scenarios.",
            remedy="Write one a line, or in a .yaml file `scenarios: [{text: …}]`.",
        )
    return scenarios_of(listed, str(path))


def scenarios_of(listed: list[Any], place: str) -> list[Scenario]:
    """Scenarios from texts or mappings; the same one given twice counts once. Errors: InputError naming `place`."""
    from envolve.agents.scenarios import scenario_of

    found = list[Any]()
    for number, given in enumerate(listed, 1):
        try:
            found.append(scenario_of(given))
        except InputError as error:
            raise InputError(f"{place}, scenario {number}: {error.message}", remedy=error.remedy) from error
    return unique(found)


def unique(scenarios: list[Scenario]) -> list[Scenario]:
    """The scenarios with ids that differ; the same one given twice counts once."""
    seen: dict[str, Scenario] = {}
    for scenario in scenarios:
        name, number = scenario.id, 2
        while name in seen and seen[name].text != scenario.text:
            name, number = f"{scenario.id}-{number}", number + 1
        seen.setdefault(name, scenario.model_copy(update={"id": name}))
    return list(seen.values())
