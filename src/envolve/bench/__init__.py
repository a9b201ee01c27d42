"""Measurements that the README quotes. Not part of the tests."""
