"""The command line: every command by name, with its module in this package (`NAME_command`).

A module is loaded only when its command is called.
"""

# `companion --help`: the commands with one line each, corrections, and the others by purpose
FIRST = ("fly", "roll", "next", "status", "set", "fields", "undo", "why")
GROUPS = {
    "More": "show  mark  erase  done  skip  redo  log",
    "Campaign": "new  campaigns  use  mission  campaign  crew  bomber",
    "Paper": "sheet  story  snapshot  restore",
    "Odds": "odds  forecast  luck",
    "Phone": "serve",
    "Your rules": "tables  games  rulings",
    "Files": "export  import  doctor  completions",
    "New here": "demo  guide",
}

# the examples at the end of each command's help, without `companion`
EXAMPLES = {
    "fly": ("fly", "fly --auto --seed 7"),
    "roll": ("roll 5-9", "roll 5-9 44 --fighter 'zeke 6 level ace'"),
    "next": ("next",),
    "status": ("status", "status --all"),
    "set": ("set engine 2 out", "set zone 5, weather poor"),
    "fields": ("fields", "fields engine"),
    "undo": ("undo", "undo 3"),
    "why": ("why", "why 5-9"),
    "show": ("show 5-9", "show flak over the target"),
    "mark": ("mark wing tanks 2", "mark oxygen, pilot"),
    "erase": ("erase wing tanks 1",),
    "done": ("done", "done 2"),
    "skip": ("skip",),
    "redo": ("redo",),
    "log": ("log", "log --last 5"),
    "new": ('new "Lucky Thirteen" --game b29', 'new "Memphis Gal" --game b17 --at-mission 12'),
    "campaigns": ("campaigns",),
    "use": ('use "Lucky Thirteen"',),
    "mission start": ("mission start", "mission start --with target.city=Tokyo"),
    "campaign": ("campaign", "campaign --chart"),
    "crew": ("crew", "crew tail gunner", 'crew --set "tail gunner=Sam Reed"'),
    "bomber": ("bomber", 'bomber "Second Chance"'),
    "sheet mission": ("sheet mission", "sheet mission -o mission.pdf"),
    "sheet campaign": ("sheet campaign -o campaign.pdf",),
    "sheet crew": ("sheet crew -o crew.pdf",),
    "sheet poster": ("sheet poster -o poster.pdf",),
    "sheet damage": ("sheet damage -o damage.pdf",),
    "story": ("story -o mission.md", "story --card mission.png"),
    "snapshot": ("snapshot --qr", "snapshot --text"),
    "restore": ("restore mission.png",),
    "odds": ("odds 5-9", "odds 5-9 --compare evasive=yes"),
    "forecast": ("forecast", "forecast --assume even"),
    "luck": ("luck", "luck --mission 3"),
    "serve": ("serve", "serve --lan"),
    "tables list": ("tables list",),
    "tables edit": ("tables edit 5-9",),
    "tables change": (
        'tables change 5-9 --modifier ace --add 2 --reason "club rule 3"',
        "tables change 8-1 --row 2-5=wrecked --row 6+=safe",
    ),
    "tables reset": ("tables reset 5-9",),
    "tables diff": ("tables diff",),
    "tables check": ("tables check b29",),
    "tables schema": ("tables schema",),
    "tables facts": ("tables facts", "tables facts wound"),
    "games list": ("games list",),
    "games new": ("games new night-raid",),
    "games check": ("games check night-raid",),
    "games install": ("games install night-raid.zip",),
    "games remove": ("games remove night-raid",),
    "games export": ("games export night-raid",),
    "games box": ("games box", "games box 1995"),
    "rulings": ("rulings", "rulings --game b17"),
    "export": ("export --json > campaign.json",),
    "import": ("import campaign.json",),
    "doctor": ("doctor", "doctor --repair"),
    "completions": ("completions bash",),
    "help": ("help engine", "help 5-9"),
    "guide": ("guide", "guide flying"),
    "demo": ("demo", "demo --seed 3 --fast"),
}

MODULES = {
    "fly": "fly",
    "entries": "roll set undo mark erase done skip redo log",
    "status": "next status",
    "fields": "fields help guide",
    "show": "why show rulings",
    "campaigns": "new campaigns use mission doctor",
    "campaign_log": "campaign crew bomber",
    "sheets": "sheet story snapshot restore export import",
    "odds": "odds luck",
    "forecast": "forecast",
    "serve": "serve demo",
    "games": "tables games",
    "commands": "completions",
}
_modules = {name: module for module, names in MODULES.items() for name in names.split()}
COMMANDS = {name: _modules[name] for name in dict.fromkeys(call.partition(" ")[0] for call in EXAMPLES)}
