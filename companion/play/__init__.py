"""Missions and journals, conversations with the player, scripts, and automatic play."""
