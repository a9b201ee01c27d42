"""Seed data: plausible rows, full of near misses, made consistent by SQL, written as INSERT statements."""

from .seeder import seed_sql as seed_sql
