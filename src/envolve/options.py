"""From what a user typed to a run's configuration: command line over config file over a kept run over defaults."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from envolve.display import shortened
from envolve.environments.errors import InputError

from .user_files import OptionFile, read_options, read_scenarios, scenarios_of, unique
from .world_sizes import completed_size, world_size

if TYPE_CHECKING:
    from envolve.graph.config import RunConfig

FORMAT = 1
_T = TypeVar("_T")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def run_config(
    folder: Path,
    given: Mapping[str, Any],
    *,
    texts: list[str],
    scenarios: Path | None = None,
    file: Path | None = None,
) -> RunConfig:
    """The configuration of a run that is started or resumed.

    A run that exists keeps what is not given anew; its time limit is for one sitting only. A new one without scenarios
    begins with the shipped ones, or with none where a model is the scout, who then is asked first. Errors: InputError
    naming the option, where it was given, and what to do.
    """
    from envolve.agents.team import PROCEDURAL, TeamSpec
    from envolve.graph.run import kept_config

    from .teams import played_by

    kept = kept_config(folder)
    written = read_options(file) if file else OptionFile({}, {})
    options = {**written.options, **given}
    places = {name: place for name, place in written.places.items() if name not in given}
    values: dict[str, Any] = {"jobs": min(os.cpu_count() or 1, 8)}
    if kept is not None:
        values = kept.model_dump(mode="json") | {"max_time": None}
    listed = _scenarios(options.pop("scenarios", []), texts, scenarios, places)
    if options.get("max_time") is not None:
        options["max_time"] = _at("max_time", places, lambda: seconds(options["max_time"]))
    if "size" in options:
        options["size"] = _at("size", places, lambda: world_size(options["size"]))
    everyone = options.pop("model", None)
    team = {name: options.pop(name) for name in list(options) if name in TeamSpec.model_fields}
    if everyone is not None:
        team = played_by(everyone) | team
    merged = {**values, **options, "team": _joined(values.get("team", {}), team)}
    if listed:
        merged["scenarios"] = listed
    config = _validated(merged, places)
    if options.get("size") or "size" not in merged:
        composed = config.team.architect == PROCEDURAL
        config = config.model_copy(update={"size": completed_size(config.size, composed=composed)})
    _check_names(config, places)
    if kept or listed or config.team.scout != PROCEDURAL:
        return config
    return config.model_copy(update={"scenarios": _shipped(config.seed)})


def _joined(kept: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The team that was kept, with what is given anew: of the models' settings those that are named."""
    settings = given.get("model_settings")
    if not isinstance(settings, dict):
        return {**kept, **given}
    return {**kept, **given, "model_settings": {**kept.get("model_settings", {}), **settings}}


def seconds(text: Any) -> float:
    """`90s`, `45m`, `8h`, `2d` or plain seconds. Errors: InputError."""
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d+)?)\s*([smhd]?)\s*", str(text), re.ASCII)
    if match is None or float(match[1]) <= 0:
        raise InputError(f"max-time {shortened(repr(text), 40)} is no time.", remedy="Write it like 90s, 45m or 8h.")
    return float(match[1]) * _UNITS[match[2] or "s"]


def _scenarios(written: Any, texts: list[str], file: Path | None, places: Mapping[str, str]) -> list[dict[str, Any]]:
    if not isinstance(written, list):
        raise InputError(
            f"{places['scenarios']}: scenarios: is no list (got {shortened(repr(written), 40)}).",
            remedy="Write `scenarios: [A bike shop that rents and repairs bikes]`.",
        )
    found = scenarios_of(texts, "--scenario") + scenarios_of(written, places.get("scenarios", ""))
    found += read_scenarios(file) if file else []
    return [scenario.model_dump() for scenario in unique(found)]


def _shipped(seed: int) -> tuple[Any, ...]:
    from envolve.agents.procedural.scout import round_robin
    from envolve.agents.scenarios import shipped_scenarios

    return tuple(round_robin(shipped_scenarios(), seed))


def _validated(values: dict[str, Any], places: Mapping[str, str]) -> RunConfig:
    """The configuration, or an InputError that names the first wrong option and where it was written."""
    from pydantic import ValidationError

    from envolve.graph.config import RunConfig

    if values.get("format", FORMAT) != FORMAT:
        raise InputError(
            f"The configuration has format {values['format']!r}; this version reads format {FORMAT}.",
            remedy="Use the version of Envolve that wrote it, or start a new run.",
        )
    try:
        return _at("band", places, lambda: RunConfig.model_validate(values))
    except ValidationError as error:
        raise _wrong_option(error.errors()[0], places) from error


def _check_names(config: RunConfig, places: Mapping[str, str]) -> None:
    """Unknown names are told before there is a folder, with the place where they were written. Errors: InputError."""
    from envolve.agents.critics import critic_named
    from envolve.agents.solvers import solver_named
    from envolve.agents.team import ROLES, check_role

    _at("target", places, lambda: solver_named(config.target))
    _at("solvers", places, lambda: [solver_named(name) for name in config.solvers])
    _at("critics", places, lambda: [critic_named(name) for name in config.team.critics])
    for role in ROLES:
        _at(role if role in places else "model", places, partial(check_role, role, getattr(config.team, role)))


def _at(option: str, places: Mapping[str, str], work: Callable[[], _T]) -> _T:
    """What `work` gives; an InputError is told with the place where the option was written, if that is a file."""
    try:
        return work()
    except InputError as error:
        if option not in places:
            raise
        raise InputError(f"{places[option]}: {error.message}", remedy=error.remedy) from error


def _wrong_option(problem: Any, places: Mapping[str, str]) -> InputError:
    path = [str(part) for part in problem["loc"] if part != "team"]
    name = path[0] if path else "configuration"
    place = f"{places[name]}: " if name in places else ""
    if problem["type"] == "extra_forbidden":
        known = _known_options()
        near = difflib.get_close_matches(name, known, n=1)
        remedy = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
        return InputError(f"{place}There is no option {name!r}.", remedy=remedy)
    option, given = ".".join(path).replace("_", "-"), shortened(repr(problem.get("input")), 60)
    return InputError(
        f"{place}Option {option!r}: {problem['msg']} (got {given}).",
        remedy="See `envolve run --help`.",
    )


def _known_options() -> list[str]:
    from envolve.agents.team import TeamSpec
    from envolve.graph.config import RunConfig

    return sorted({*RunConfig.model_fields, *TeamSpec.model_fields, "model"} - {"format", "team"})
