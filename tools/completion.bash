# Completion for bash.  The words come from the program's own tables.

# Names that the option before the cursor takes, if it lists them.
_tideline_values () {
  [[ $1 == --* ]] && tideline "$2" "$1=help" 2>/dev/null | awk '{ print $1 }'
}

# Files of a kind, and folders.
_tideline_files () {
  local kind=$1
  mapfile -t COMPREPLY < <(compgen -d -- "$word"
    compgen -f -X "!*.@($kind)" -- "$word")
  compopt -o filenames
}

_tideline () {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} words model extglob
  model='pnml|xml|net|ndr|lola|llnet|lna|tlg|tapn|gspn|def|gz|xz|zst'
  extglob=$(shopt -p extglob)
  shopt -s extglob
  if [[ $word == = ]]; then word=''; fi
  if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $COMP_CWORD == 1 || $command == help ]]; then
    words=$(tideline help --words 2>/dev/null)
  elif [[ $before == --mcc && $command == check ]]; then
    _tideline_files xml
  elif [[ $before == --html ]]; then
    _tideline_files html
  elif ! words=$(_tideline_values "$before" "$command") || [[ -z $words ]]; then
    words=$(tideline help --words "$command" 2>/dev/null)
    [[ $word == -* || $command == example ]] || _tideline_files "$model"
  fi
  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$words" -- "$word")
  $extglob
}
complete -o bashdefault -o default -F _tideline tideline
