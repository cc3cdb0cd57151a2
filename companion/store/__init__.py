"""Campaigns on disk: documents, snapshots, the log, the roster, mending."""
