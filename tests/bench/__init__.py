"""Benchmarks: `python -m tests.bench` prints ratios measured in one run. This is not a test."""
