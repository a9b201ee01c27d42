"""Envolve."""
