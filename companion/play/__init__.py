"""A mission and its journal, the conversation with whoever plays, scripts, chance."""
