# Completion for fish.  The words come from the program's own tables.

function __tideline_words
    set -l said (commandline -opc)
    set -l word (commandline -ct)
    set -l command $said[2]
    set -l before $said[-1]
    set -l head ''
    if test (count $said) -eq 1; or test "$command" = help
        tideline help --words 2>/dev/null
        return
    end
    if string match -q -- '--*=*' $word
        set before (string replace -r '=.*' '' -- $word)
        set head $before=
    end
    switch "$command $before"
        case 'check --mcc'
            __fish_complete_suffix $word .xml
            return
        case '* --html'
            __fish_complete_suffix $word .html
            return
    end
    # Names that the option before the cursor takes, if it lists them.
    set -l names
    if string match -q -- '--*' $before
        set names (tideline $command $before=help 2>/dev/null | string replace -r ' +' '\t')
    end
    if test (count $names) -gt 0
        printf '%s\n' $head$names
        return
    end
    tideline help --words $command 2>/dev/null
    test "$command" = example
    or __fish_complete_suffix $word .pnml .net .ndr .lola .lna .tlg .tapn .gspn
end

complete -c tideline -f -a '(__tideline_words)'
