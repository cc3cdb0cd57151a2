"""The language of the packs: from a sentence to a tree, and from the trees of a file to Python that is kept."""
