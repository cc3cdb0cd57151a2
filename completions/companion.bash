# bash completion for companion; written by: companion completions bash
_companion() {
    local line="${COMP_LINE:0:COMP_POINT}" IFS=$' \t\n' words typed word told wide=0
    local -a said=()
    read -r -a words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    typed="${words[${#words[@]}-1]}"
    COMPREPLY=()
    while IFS=$'\t' read -r word told; do
        [[ -n $word ]] && COMPREPLY+=("$word") && said+=("$told") && (( ${#word} > wide )) && wide=${#word}
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        case "${words[${#words[@]}-2]} ${words[1]}" in
            -o\ *|--out\ *|--dice-from\ *|*\ restore|*\ import|import\ tables|export\ tables)
                compopt -o filenames 2>/dev/null
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
    compopt -o nosort 2>/dev/null
    # a list that is only looked at says what each word is
    if [[ ${COMP_TYPE:-9} -eq 63 && ${#COMPREPLY[@]} -gt 1 && -z $kept ]]; then
        for at in "${!COMPREPLY[@]}"; do
            [[ -n ${said[at]} ]] && printf -v 'COMPREPLY[at]' "%-${wide}s  %s" "${COMPREPLY[at]}" "${said[at]}"
        done
    fi
    return 0
}
complete -F _companion companion
