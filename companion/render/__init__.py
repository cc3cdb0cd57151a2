"""Output: descriptions of results, log sheets, and mission stories."""
