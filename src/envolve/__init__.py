"""Envolve grows executable tool-use environments for LLM agents and keeps their tasks in a difficulty band."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from envolve.api import load as load
    from envolve.api import run as run
    from envolve.environments.episode import Episode as Episode
    from envolve.environments.errors import EnvolveError as EnvolveError
    from envolve.environments.errors import InputError as InputError
    from envolve.environments.errors import PackageError as PackageError
    from envolve.environments.errors import ServiceError as ServiceError
    from envolve.environments.package import Environment as Environment
    from envolve.eval.base import SolverProfile as SolverProfile
    from envolve.graph.config import RunConfig as RunConfig

_HOMES = {
    "Environment": "environments.package",
    "EnvolveError": "environments.errors",
    "Episode": "environments.episode",
    "InputError": "environments.errors",
    "PackageError": "environments.errors",
    "RunConfig": "graph.config",
    "ServiceError": "environments.errors",
    "SolverProfile": "eval.base",
    "load": "api",
    "run": "api",
}

__all__ = sorted(_HOMES)
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Names are loaded when they are first used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
