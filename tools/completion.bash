# Completion for bash.  The words come from the program's own tables.
_tideline () {
  local word=${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" = 1 ]; then
    words=$(tideline help --words 2>/dev/null)
  else
    words=$(tideline help --words "${COMP_WORDS[1]}" 2>/dev/null)
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _tideline tideline
