"""The tester: gates that need no model, and the probes that confirm or refute any claim.

    report = run_gates(environment, seed=7)     # findings, coverage, how each gate went
    run_probe(environment, finding)             # does it really happen?
    confirm(environment, findings)              # the same for many, `confirmed` set

Findings come with probes shrunk to the fewest calls. Nothing here repairs anything.
"""

from .base import Gate as Gate
from .base import GateContext as GateContext
from .fuzzing.campaign import Effort as Effort
from .gates import GATES as GATES
from .gates.coverage import out_of_reach as out_of_reach
from .gates.tasks import task_findings as task_findings
from .probes import ProbeResult as ProbeResult
from .probes import confirm as confirm
from .probes import run_probe as run_probe
from .problems import findings_of as findings_of
from .report import Coverage as Coverage
from .report import GateRun as GateRun
from .report import Reach as Reach
from .report import TestReport as TestReport
from .report import ToolCoverage as ToolCoverage
from .runner import run_gates as run_gates
