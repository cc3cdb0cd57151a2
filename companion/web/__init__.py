"""The web page for phones and tablets."""
