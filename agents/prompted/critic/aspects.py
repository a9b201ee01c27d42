"""The aspects that an environment is reviewed under, from their file."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from pydantic import TypeAdapter

from ....environments.models import Frozen

Shown = Literal["evidence", "requirements", "tasks"]


class Aspect(Frozen):
    """One question about an environment, and what is shown for it besides world, policy, schema, tools and rows."""

    name: str
    question: str
    look_for: tuple[str, ...]
    kinds: tuple[str, ...]
    shows: tuple[Shown, ...] = ()


@cache
def aspects() -> tuple[Aspect, ...]:
    text = (files(__package__) / "aspects.yaml").read_text(encoding="utf-8")
    return TypeAdapter(tuple[Aspect, ...]).validate_python(yaml.safe_load(text))
