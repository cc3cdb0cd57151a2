"""The command line: every command by name, and the module of this room that holds it (`NAME_command`).

A module is loaded only when its command is called.
"""

COMMANDS = {
    "fly": "fly",
    "roll": "roll",
    "show": "show",
    "odds": "odds",
    "status": "status",
    "next": "status",
    "set": "edit",
    "mark": "edit",
    "erase": "edit",
    "done": "edit",
    "undo": "edit",
    "redo": "edit",
    "log": "edit",
    "why": "why",
    "rulings": "rulings",
    "new": "campaigns",
    "campaigns": "campaigns",
    "use": "campaigns",
    "mission": "campaigns",
    "campaign": "campaign_log",
    "crew": "crew",
    "bomber": "bomber",
    "sheet": "sheets",
    "snapshot": "snapshots",
    "restore": "snapshots",
    "export": "snapshots",
    "import": "snapshots",
    "completions": "completions",
    "tables": "tables",
    "doctor": "doctor",
}
