"""A surface drawn for an environment."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

from ..canonical import seed_from
from ..models import Surface


def drawn_surface(*seed: Any) -> Surface:
    """One value of each kind, all alike likely; the same for the same seed."""
    drawn = {
        name: Random(seed_from("surface", name, *seed)).choice(get_args(field.annotation))
        for name, field in Surface.model_fields.items()
    }
    return Surface.model_validate(drawn)
