"""What may stand in the files of a pack, declared once, and what follows from that: strict checking, the schema."""
