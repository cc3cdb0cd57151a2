"""The bench: `python -m tests.bench`. It prints ratios measured in one run and is no test."""
