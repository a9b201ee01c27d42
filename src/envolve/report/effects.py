"""What operators did to difficulty, pooled over their applications."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from envolve.eval.effects import Difference, difference
from envolve.eval.intervals import Interval, wilson
from envolve.memory.records import EffectRecord


@dataclass(frozen=True)
class OperatorEffect:
    """`change` is the children's pass rate minus their parents', with Newcombe's interval; None without rollouts.

    `moved` counts applications whose child's rate differs from its parent's in the declared direction.
    """

    operator: str
    declared: str
    applications: int
    moved: int
    moved_interval: Interval
    change: Difference | None


def operator_effects(effects: Sequence[EffectRecord]) -> list[OperatorEffect]:
    """By operator and direction; placebos last, which only reword."""
    groups = defaultdict[tuple[bool, str, str], list[EffectRecord]](list)
    for effect in effects:
        groups[effect.placebo, effect.operator, "placebo" if effect.placebo else effect.declared].append(effect)
    return [_pooled(operator, declared, groups[key]) for key in sorted(groups) for _, operator, declared in [key]]


def _pooled(operator: str, declared: str, group: Sequence[EffectRecord]) -> OperatorEffect:
    parents, parent_n = sum(e.parent_passes for e in group), sum(e.parent_n for e in group)
    children, child_n = sum(e.child_passes for e in group), sum(e.child_n for e in group)
    moved = sum(_moved(effect) for effect in group)
    return OperatorEffect(
        operator=operator,
        declared=declared,
        applications=len(group),
        moved=moved,
        moved_interval=wilson(moved, len(group)),
        change=difference(parents, parent_n, children, child_n) if parent_n and child_n else None,
    )


def _moved(effect: EffectRecord) -> bool:
    if not effect.child_n or not effect.parent_n:
        return False
    shift = effect.child_passes / effect.child_n - effect.parent_passes / effect.parent_n
    return shift < 0 if effect.declared == "harden" else shift > 0
