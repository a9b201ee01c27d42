"""Running a verifier: the verdict on an end state, and the reader that all checking SQL runs on."""

from ..sql_text import SqlProblem as SqlProblem
from .checks import Bound as Bound
from .checks import bind as bind
from .checks import expected_answer as expected_answer
from .reader import StateReader as StateReader
from .reader import is_true as is_true
from .verdicts import partial_reward as partial_reward
from .verdicts import verifier_broke as verifier_broke
from .verdicts import verify as verify
