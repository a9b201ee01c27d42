"""What a bench of the memory is run with, and what one build of it came to."""

from __future__ import annotations

from typing import Literal, NamedTuple

Arm = Literal["without", "probes", "with"]
ARMS: tuple[Arm, ...] = ("without", "probes", "with")


class Settings(NamedTuple):
    """`calls`: of the tester, for each tool (a run makes 80). `heed`: the probability that the simulated coder, told of
    a defect of a kind at a like place, does not write it again. `habits`: kinds of faults that it is prone to."""

    rounds: int = 4
    builds: int = 3
    calls: int = 4
    heed: float = 0.5
    habits: int = 4


class Build(NamedTuple):
    """One environment. `prone`: the kind of fault that the coder was about to write ("" if none applied); `warned`:
    whether it was told of one like it; `written`: whether the first draft has it; `repeat`: whether the kind had been
    confirmed before; `admitted` and `left`: what became of it, and whether the fault is still in it. `found_by` are the
    sources of findings that blocked it; `false_alarms` counts those on a draft without a fault."""

    seed: int
    arm: Arm
    round: int
    prone: str
    repeat: bool
    warned: bool
    written: bool
    admitted: bool
    left: bool
    found_by: tuple[str, ...]
    false_alarms: int

    @property
    def written_repeat(self) -> bool:
        return self.written and self.repeat

    @property
    def escaped_repeat(self) -> bool:
        return self.admitted and self.left and self.repeat
