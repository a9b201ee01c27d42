"""A judge without a model: what a trace alone shows to have gone wrong.

Rules know neither verifier nor gold. They only ever find that a request was not met; where none applies they cannot
tell. The first that applies decides.
"""

from .rules_judge import RULES as RULES
from .rules_judge import RulesJudge as RulesJudge
