"""When two states are the same (≈): the one definition, for gates, `allow` and every comparison.

Ignored are clock and code columns, log tables, the values of the task's free columns, and the ids of new rows;
ordering columns are compared by rank within their group. A row that changed only in ignored columns did not change.
What stands in free text (an id in a message) is compared as it stands.
"""

from .comparison import Comparison as Comparison
from .comparison import comparison as comparison
from .equality import comparison_of as comparison_of
from .equality import state_signature as state_signature
from .ordering import Group as Group
from .ordering import touched_groups as touched_groups
from .rows import ConnectionRows as ConnectionRows
