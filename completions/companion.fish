# fish completion for companion; written by: companion completions fish
function __companion_complete
    set -l words (commandline -opc) (commandline -ct)
    command $words[1] complete -- $words[2..-1] 2>/dev/null
end
complete -c companion -f -a '(__companion_complete)'
complete -c companion -n '__fish_seen_subcommand_from restore import export' -F
complete -c companion -n '__fish_seen_subcommand_from sheet' -s o -l out -r -F
complete -c companion -n '__fish_seen_subcommand_from fly' -l dice-from -r -F
