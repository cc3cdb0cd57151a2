"""Words and sheets: a result described, the log sheets drawn, a mission told."""
