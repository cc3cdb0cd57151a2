"""Campaigns on disk: documents, snapshots, the log, the roster, and repairs."""
