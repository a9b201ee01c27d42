"""The text that stands for a thing in memory: what is embedded, searched and shown as its summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..environments.models import EnvironmentSpec, Finding, Task, ToolsFile

if TYPE_CHECKING:
    from ..environments.package import Environment

_TOOL_WORDS = 8
_SUMMARY = 240


def environment_text(environment: Environment) -> str:
    return text_of(environment.spec, environment.tools_file)


def text_of(spec: EnvironmentSpec, tools: ToolsFile) -> str:
    """What it is about, then what can be done in it: each tool by name and the first words of its description."""
    about = [spec.scenario.rstrip("."), spec.summary, *spec.requirements]
    actions = [f"{tool.name.replace('_', ' ')}: {_first_words(tool.description)}" for tool in tools.tools]
    return "\n".join([*(line for line in about if line), *actions])


def task_text(task: Task) -> str:
    return " ".join(task.instruction.split())


def defect_text(finding: Finding) -> str:
    """The kind and what was said; places and names of one environment help little in another."""
    return f"{finding.kind.replace('_', ' ')}: {' '.join(finding.message.split())}"


def summary(text: str) -> str:
    """One line for people and prompts."""
    line = " ".join(text.split())
    return line if len(line) <= _SUMMARY else f"{line[: _SUMMARY - 1].rstrip()}…"


def _first_words(text: str) -> str:
    return " ".join(text.split()[:_TOOL_WORDS])
