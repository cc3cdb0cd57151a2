# bash completion for companion; written by: companion completions bash
_companion() {
    local line="${COMP_LINE:0:COMP_POINT}" IFS=$' \t\n' words typed reply word
    read -r -a words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    typed="${words[${#words[@]}-1]}"
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        [[ -n $word ]] && COMPREPLY+=("$word")
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        case "${words[${#words[@]}-2]} ${words[1]}" in
            -o\ *|--out\ *|--dice-from\ *|*\ restore|*\ import)
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$typed");;
        esac
        return
    fi
    # bash breaks words at = and :, so only what follows the last of them is put in
    local kept="" at
    for (( at = ${#typed}; at > 0; at-- )); do
        if [[ $COMP_WORDBREAKS == *"${typed:at-1:1}"* ]]; then kept="${typed:0:at}"; break; fi
    done
    [[ -n $kept ]] && COMPREPLY=("${COMPREPLY[@]#"$kept"}")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _companion companion
