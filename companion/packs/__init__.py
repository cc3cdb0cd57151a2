"""The games: folders of TOML, what lies over them, their sentences compiled, and the proof that they are sound."""

from companion.packs.pack import (
    NOT_TABLES as NOT_TABLES,
)
from companion.packs.pack import (
    Pack as Pack,
)
from companion.packs.pack import (
    beginning as beginning,
)
from companion.packs.pack import (
    games as games,
)
from companion.packs.pack import (
    players_folder as players_folder,
)
from companion.packs.pack import (
    read_file as read_file,
)
from companion.packs.pack import (
    tables_folder as tables_folder,
)
