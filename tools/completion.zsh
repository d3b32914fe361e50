#compdef tideline
# Completion for zsh.  The words come from the program's own tables.

local command=$words[2] before=$words[CURRENT-1]
local model='*.(pnml|xml|net|ndr|lola|llnet|lna|tlg|tapn|gspn|def|gz|xz|zst)(-.)'
local -a known

if (( CURRENT == 2 )) || [[ $command == help ]]; then
  known=(${(f)"$(tideline help --words 2>/dev/null)"})
  compadd -a known
  return
fi
case $before in
--mcc) [[ $command != check ]] || { _files -g '*.xml(-.)'; return; } ;;
--html) _files -g '*.html(-.)'; return ;;
esac
# Names that the option before the cursor takes, if it lists them.
if [[ $PREFIX == --*=* ]]; then
  before=${PREFIX%%=*}
  compset -P '*='
fi
[[ $before != --* ]] ||
  known=(${${(f)"$(tideline $command $before=help 2>/dev/null)"}%% *})
if (( $#known )); then
  compadd -a known
  return
fi
known=(${(f)"$(tideline help --words $command 2>/dev/null)"})
compadd -a known
[[ $PREFIX == -* || $command == example ]] || _files -g $model
