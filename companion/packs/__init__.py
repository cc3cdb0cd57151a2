"""The games: TOML folders with overlays, compiled sentences, and validation."""

from companion.packs.layers import NOT_TABLES as NOT_TABLES
from companion.packs.layers import beginning as beginning
from companion.packs.layers import game_named as game_named
from companion.packs.layers import games as games
from companion.packs.layers import players_folder as players_folder
from companion.packs.layers import tables_folder as tables_folder
from companion.packs.pack import Pack as Pack
