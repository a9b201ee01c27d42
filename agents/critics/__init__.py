"""Critics: reviewers that claim faults and bring probes. The tester decides what is confirmed.

critic = critic_named("rules")               # or "openai:gpt-5", "module:attr", an entry point of envolve.critics
panel = panel_of(["rules", "my.critics:Careful"])
findings = await panel.review(Dossier(environment, evidence))
"""

from .loading import GROUP as GROUP
from .loading import as_critic as as_critic
from .loading import critic_named as critic_named
from .loading import panel_of as panel_of
from .panel import FAILED as FAILED
from .panel import Panel as Panel
