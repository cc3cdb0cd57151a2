"""A companion for people who play cardboard bomber games with real dice."""

__version__ = "0.1.0"
