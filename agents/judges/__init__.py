"""Judges of rollouts, and how far they agree with verifiers."""

from .agreement import Agreement as Agreement
from .agreement import Share as Share
from .agreement import agreement as agreement
from .base import Case as Case
from .base import Judge as Judge
from .base import Judgement as Judgement
from .case import case_of as case_of
