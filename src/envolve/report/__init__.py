"""The run as one HTML file that needs nothing else."""

from .writing import write_report as write_report
