"""Measurements that the README quotes, a room each. Not part of the tests."""
