"""From what a user typed to a run's configuration: command line over config file over a kept run over defaults."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envolve.environments.errors import InputError

if TYPE_CHECKING:
    from envolve.agents.base import Scenario
    from envolve.graph.config import RunConfig

TEAM_OPTIONS = frozenset({"scout", "architect", "coder", "task_writer", "evolver", "critics", "fault_rate"})
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_LARGEST_FILE = 5_000_000


def run_config(
    folder: Path,
    given: dict[str, Any],
    *,
    texts: list[str],
    scenarios: Path | None,
    file: Path | None,
) -> RunConfig:
    """The configuration of a run that is started or resumed.

    A run that exists keeps what is not given anew. Errors: InputError naming the option and what to do.
    """
    from envolve.agents.procedural.scout import round_robin
    from envolve.agents.scenarios import shipped_scenarios
    from envolve.graph.config import RunConfig
    from envolve.graph.run import kept_config

    kept = kept_config(folder)
    values = kept.model_dump(mode="json") if kept else {}
    if kept is None:
        values["jobs"] = max(1, min(os.cpu_count() or 1, 8))
    options = {**(_from_file(file) if file else {}), **given}
    listed = [*texts, *options.pop("scenarios", ())]
    chosen = _scenarios(listed, scenarios)
    if chosen or kept is None:
        values["scenarios"] = [
            scenario.model_dump()
            for scenario in (chosen or round_robin(shipped_scenarios(), int(given.get("seed", 0))))
        ]
    if "max_time" in options:
        options["max_time"] = seconds(options["max_time"])
    elif kept is not None:
        values["max_time"] = None
    team = {name: options.pop(name) for name in list(options) if name in TEAM_OPTIONS}
    values["team"] = {**values.get("team", {}), **team}
    return validated(RunConfig, {**values, **options})


def seconds(text: Any) -> float:
    """`90s`, `45m`, `8h`, `2d` or plain seconds. Errors: InputError."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhd]?)\s*", str(text))
    if match is None or float(match[1]) <= 0:
        raise InputError(f"--max-time {text!r} is not a time.", remedy="Write it like 90s, 45m or 8h.")
    return float(match[1]) * _UNITS[match[2] or "s"]


def validated(model: type[RunConfig], values: dict[str, Any]) -> RunConfig:
    """The configuration, or an InputError that names the first wrong option."""
    from pydantic import ValidationError

    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "configuration"
        raise InputError(
            f"Option {name!r}: {first['msg']} (got {first.get('input')!r:.80}).",
            remedy="See `envolve run --help`.",
        ) from error


def _from_file(path: Path) -> dict[str, Any]:
    import yaml

    text = _read(path)
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not YAML: {str(error).splitlines()[0]}", remedy="Mend the file.") from error
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded):
        raise InputError(f"{path} is not a mapping of options.", remedy="Write `environments: 5` and the like.")
    options = {name.replace("-", "_"): value for name, value in loaded.items()}
    team = options.pop("team", None)
    return {**options, **(team if isinstance(team, dict) else {})}


def read_scenario_file(path: Path) -> list[Scenario]:
    """Errors: InputError for a file without scenarios."""
    return _scenarios([], path)


def _scenarios(texts: list[Any], file: Path | None) -> list[Scenario]:
    from envolve.agents.scenarios import read_scenarios, scenario_of

    found = [scenario_of(text) for text in texts]
    if file is not None:
        found += read_scenarios(_read(file), str(file))
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


def _read(path: Path) -> str:
    if path.is_dir():
        raise InputError(f"{path} is a folder.", remedy="Give a file.")
    if path.exists() and path.stat().st_size > _LARGEST_FILE:
        raise InputError(f"{path} is larger than {_LARGEST_FILE // 1_000_000} MB.", remedy="Split it.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start}).", remedy="Save it as UTF-8.") from error
