"""Critics: reviewers that claim faults and bring probes. The tester decides what is confirmed.

critic = load_critic("rules")               # or "module:attr", or an entry point of envolve.critics
panel = load_panel(["rules", "my.critics:Careful"])
findings = await panel.review(Dossier(environment, evidence))
"""

from .loading import GROUP as GROUP
from .loading import as_critic as as_critic
from .loading import load_critic as load_critic
from .loading import load_panel as load_panel
from .panel import FAILED as FAILED
from .panel import Panel as Panel
