"""Reading the run store, one module a subject."""

from .agents import AgentQueries as AgentQueries
from .environments import EnvironmentCard as EnvironmentCard
from .environments import EnvironmentQueries as EnvironmentQueries
from .findings import FindingQueries as FindingQueries
from .findings import StoredFinding as StoredFinding
from .operators import OperatorQueries as OperatorQueries
from .operators import OperatorSummary as OperatorSummary
from .progress import Progress as Progress
from .progress import Status as Status
from .progress import Totals as Totals
from .rollouts import RolloutQueries as RolloutQueries
from .rollouts import RolloutSummary as RolloutSummary
from .rollouts import Tally as Tally
from .tasks import TaskQueries as TaskQueries
from .tasks import TaskStanding as TaskStanding
from .vectors import VectorKind as VectorKind
from .vectors import VectorQueries as VectorQueries
from .vectors import VectorRow as VectorRow
