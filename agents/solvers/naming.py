"""Solvers by name: `gold`, `null`, `random:CALLS`, `slip:ABILITY`, `search:BUDGET`, a model, an installed plug-in, or
`module:attr`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

from ...environments.errors import InputError
from ...eval.base import Solver, SolverProfile
from ...eval.foreign import foreign
from ..attributes import attribute_at, instance_of, offered_at, refuse_path

GROUP = "envolve.solvers"
"""Entry points of this group are solvers, or callables that make one (given what follows the colon, if anything)."""

MOST_SEARCHED = 100_000
"""The largest budget of `search`."""
_MODEL_FORM = "openai:MODEL[@URL][?turns=N&temperature=T…]"

Maker = Callable[[str | None], Solver]


def solver_named(text: str) -> Solver:
    """The solver that `text` names. Raises InputError that lists what exists."""
    name, colon, argument = text.partition(":")
    given = argument if colon else None
    if name in _MAKERS:
        return _MAKERS[name](given)
    plug_in = next(iter(entry_points(group=GROUP, name=name)), None)
    if plug_in is not None:
        return _solver(offered_at(plug_in, "solver"), text, given)
    if colon and _is_model(text):
        from .llm import llm_solver

        return llm_solver(text)
    refuse_path(text, "solver")
    if colon and _is_path(name) and _is_path(argument):
        return _solver(attribute_at(text, "solver"), text, None)
    raise _unknown(text)


def known_solvers() -> tuple[str, ...]:
    """The forms of names that `solver_named` takes."""
    plug_ins = sorted({point.name for point in entry_points(group=GROUP)})
    return ("gold", "null", "random[:CALLS]", "slip:ABILITY", "search:BUDGET", _MODEL_FORM, *plug_ins, "module:attr")


def _gold(argument: str | None) -> Solver:
    from .gold import GoldSolver

    _refuse("gold", argument)
    return GoldSolver()


def _null(argument: str | None) -> Solver:
    from .controls import NullSolver

    _refuse("null", argument)
    return NullSolver()


def _random(argument: str | None) -> Solver:
    from .controls import RandomSolver

    if argument is None:
        return RandomSolver()
    if not argument.isdecimal() or not 0 < int(argument) <= 1000:
        raise InputError(f"random:{argument} is no number of calls.", remedy="Write random:12, from 1 to 1000.")
    return RandomSolver(int(argument), name=f"random:{int(argument)}")


def _slip(argument: str | None) -> Solver:
    from .slip import SlipSolver

    try:
        ability = float(argument or "")
    except ValueError:
        ability = math.nan
    if not math.isfinite(ability):
        raise InputError(
            f"slip needs an ability{_not(argument)}.",
            remedy="Write slip:0.5, a number in logits; -2 is weak, 4 strong.",
        )
    return SlipSolver(ability)


def _search(argument: str | None) -> Solver:
    from .search import SearchSolver

    if not (argument or "").isdecimal() or not 0 < int(argument or 0) <= MOST_SEARCHED:
        raise InputError(
            f"search needs a budget of calls{_not(argument)}.",
            remedy=f"Write search:300, from 1 to {MOST_SEARCHED}.",
        )
    return SearchSolver(int(argument or 0))


_MAKERS: Mapping[str, Maker] = {"gold": _gold, "null": _null, "random": _random, "slip": _slip, "search": _search}


def _not(argument: str | None) -> str:
    return f", not {argument!r}" if argument else ""


def _refuse(name: str, argument: str | None) -> None:
    if argument is not None:
        raise InputError(f"{name} takes nothing after a colon, not {argument!r}.", remedy=f"Write {name}.")


def _is_model(text: str) -> bool:
    # Imported here: what talks to models takes a while to import.
    from ..llm.names import is_model_name

    return is_model_name(text.partition("?")[0])


def _is_path(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _solver(found: Any, text: str, argument: str | None) -> Solver:
    """A solver from what a plug-in or path leads to: itself, or what calling it gives."""
    arguments = () if argument is None else (argument,)
    solver = instance_of(found, text, "solver", *arguments)
    with foreign("solver", text):
        if callable(solver) and not isinstance(solver, Solver):
            solver = solver(*arguments)
        solves = isinstance(solver, Solver)
        profile = solver.profile if solves else None
    if not isinstance(profile, SolverProfile):
        told = "a solver whose profile is none" if solves else f"{type(solver).__name__}, which is no solver"
        raise InputError(
            f"{text!r} leads to {told}.",
            remedy="A solver has `profile` (a SolverProfile) and `async def solve(self, episode)`.",
        )
    named: Solver = solver
    if not _is_asynchronous(named.solve):
        raise InputError(
            f"The solver {text!r} has a `solve` that is not asynchronous.",
            remedy="Write `async def solve(self, episode)`; nothing in it has to be awaited.",
        )
    return named


def _is_asynchronous(solve: Any) -> bool:
    """Whether a call may be awaited. Of what is no plain function nothing is known until it is called."""
    plain = inspect.unwrap(solve)
    return not inspect.isroutine(plain) or inspect.iscoroutinefunction(plain)


def _unknown(text: str, reason: str = "") -> InputError:
    because = f": {reason}" if reason else ""
    return InputError(f"no solver is called {text!r}{because}.", remedy=f"Known: {', '.join(known_solvers())}.")
