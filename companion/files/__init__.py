"""Where data lives, writing that survives a crash, reading what a player wrote."""
