"""Gold: a task's reference solution as a program of calls and picks, and its execution."""

from .program import run_gold as run_gold
from .records import ExecutedCall as ExecutedCall
from .records import ExecutedPick as ExecutedPick
from .records import GoldFailure as GoldFailure
from .records import GoldRun as GoldRun
from .references import names_in as names_in
from .references import names_in_sql as names_in_sql
from .references import written as written
