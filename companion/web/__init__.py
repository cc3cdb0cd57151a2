"""The page for the phone beside the board."""
