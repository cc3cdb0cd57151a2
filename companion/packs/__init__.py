"""The games: TOML folders with overlays, compiled sentences, and validation."""

from companion.packs.folders import beginning as beginning
from companion.packs.folders import game_named as game_named
from companion.packs.folders import games as games
from companion.packs.folders import players_folder as players_folder
from companion.packs.folders import tables_folder as tables_folder
from companion.packs.pack import NOT_TABLES as NOT_TABLES
from companion.packs.pack import Pack as Pack
