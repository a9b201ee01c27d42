"""Models as solvers, by name: `openai:gpt-5`, `openai:qwen3@http://127.0.0.1:8000/v1?temperature=0.7&turns=20`."""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError

from ....environments.errors import InputError
from ...llm import ModelSettings
from .solver import LlmSolver, SolverSettings

_OPTIONS: Final = {
    "temperature": ("0 to 2; 1 if not given, `default` for the provider's own", "temperature"),
    "effort": ("the reasoning effort, where the model has one", "effort"),
    "output": ("tokens of one reply, 8192 if not given", "max_output_tokens"),
    "turns": ("replies of the model, 30 if not given", "turns"),
    "context": ("tokens of a request and its reply, 64000 if not given", "context"),
    "tools": ("`required` for a call in every reply, `auto` for servers that must be told", "tool_choice"),
}
"""What can follow the question mark, in the order in which names give it; and the setting that it is."""
_DEFAULTS: Final[dict[str, Any]] = {"temperature": 1.0, "max_output_tokens": 8192}


def llm_solver(text: str) -> LlmSolver:
    """The model that `text` names, as a solver. Its name has the options in one order, defaults left out, so that
    two ways to type the same are one solver. Raises InputError."""
    from ...llm import chat_with
    from ...llm.names import ModelName

    model, _, options = text.strip().partition("?")
    ModelName.parse(model)
    given = _given(model, options)
    try:
        asked = ModelSettings(**_DEFAULTS | _of(ModelSettings, given))
        settings = SolverSettings(**_of(SolverSettings, given))
    except ValidationError as error:
        raise _wrong(model, _said(error)) from None
    if settings.context < 2 * asked.max_output_tokens:
        if "max_output_tokens" in given:
            raise _wrong(model, f"output may be at most half of context, which is {settings.context}")
        asked = asked.model_copy(update={"max_output_tokens": settings.context // 4})
    return LlmSolver(chat_with(model, asked), settings, name=_name(model, asked, settings, given))


def asked_model(text: str, settings: ModelSettings | None = None) -> tuple[str, ModelSettings | None]:
    """The model that `text` names, a solver's options cut off, and `settings` with those of the options that say how it
    is asked. Raises InputError."""
    model, mark, options = text.strip().partition("?")
    if not mark:
        return model, settings
    given = _given(model, options)
    usual = (settings or ModelSettings()).model_dump()
    try:
        SolverSettings(**_of(SolverSettings, given))
        return model, ModelSettings(**usual | _of(ModelSettings, given))
    except ValidationError as error:
        raise _wrong(model, _said(error)) from None


def _given(model: str, options: str) -> dict[str, Any]:
    """The settings that the options give. Values of unknown ones, which may be keys, are never shown."""
    given: dict[str, Any] = {}
    for option in filter(None, options.split("&")):
        name, equals, value = option.partition("=")
        if name not in _OPTIONS:
            raise _wrong(model, f"{name!r:.40} is no option")
        if not equals or not value:
            raise _wrong(model, f"{name} has no value")
        setting = _OPTIONS[name][1]
        if setting in given:
            raise _wrong(model, f"{name} is given twice")
        given[setting] = None if (name, value) == ("temperature", "default") else value
    return given


def _of(model: type[ModelSettings | SolverSettings], given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in model.model_fields}


def _name(model: str, asked: ModelSettings, settings: SolverSettings, given: dict[str, Any]) -> str:
    usual = _DEFAULTS | SolverSettings().model_dump()
    values = asked.model_dump() | settings.model_dump()
    shown = [
        f"{option}={_value(values[setting])}"
        for option, (_, setting) in _OPTIONS.items()
        if setting in given and values[setting] != usual.get(setting)
    ]
    return f"{model}?{'&'.join(shown)}" if shown else model


def _value(value: Any) -> str:
    if value is None:
        return "default"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _said(error: ValidationError) -> str:
    first = error.errors()[0]
    names = {setting: option for option, (_, setting) in _OPTIONS.items()}
    return f"{names[str(first['loc'][0])]}: {first['msg']}"


def _wrong(model: str, problem: str) -> InputError:
    listed = "; ".join(f"{name} ({meaning})" for name, (meaning, _) in _OPTIONS.items())
    return InputError(
        f"Options of the solver {model}: {problem}.",
        remedy=f"Write {model}?temperature=0.7&turns=20. Options: {listed}.",
    )
