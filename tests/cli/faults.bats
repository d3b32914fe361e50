# Bad input and a machine that fails: exit codes 2 and 4, a message, nothing
# on standard output, and nothing half-written.
load common

# refused CODE PATTERN WORD...: as `fails`, with a pattern for the message.  A
# line of the file may follow, with a caret below.
refused () {
  local code=$1 pattern=$2
  shift 2
  tideline "$@"
  [ "$status" = "$code" ] || { echo "exit code $status: $stderr"; return 1; }
  [ -z "$output" ] || { echo "output: $output"; return 1; }
  [[ $stderr =~ ^tideline:\ $pattern ]] || { echo "message: $stderr"; return 1; }
  case $(wc -l <<<"$stderr") in
  1) ;;
  3) [[ $(tail -n 1 <<<"$stderr") =~ ^[[:blank:]]+\^$ ]] ;;
  *) return 1 ;;
  esac
}

@test "a missing file" {
  refused 2 'none.pnml: .*No such file' explore none.pnml
  refused 2 'none.pnml: .*No such file' check none.pnml deadlock
  refused 2 'none.pnml: .*No such file' info none.pnml
  refused 2 'none.pnml: .*No such file' convert none.pnml -o x.lola
  [ ! -e x.lola ]
}

@test "a folder" {
  mkdir folder
  refused 2 'folder: ' explore folder
}

@test "a file that may not be read" {
  [ "$(id -u)" != 0 ] || skip "root may read everything"
  small_model
  chmod 0 small.pnml
  refused 2 'small.pnml: .*denied' explore small.pnml
}

@test "an empty file and one of noise" {
  : >empty
  refused 2 'empty' explore empty
  head -c 10000 /dev/urandom >noise
  refused 2 'noise' explore noise
}

@test "truncated PNML: file and line" {
  small_model
  head -c 1500 small.pnml >cut.pnml
  refused 2 "cut.pnml:[0-9]+: " explore cut.pnml
  refused 2 "cut.pnml:[0-9]+: " convert cut.pnml -o x.lola
  [ ! -e x.lola ]
}

@test "an arc weight of 10^30, in each format" {
  small_model
  weight=1000000000000000000000000000000
  "$TIDELINE" example kanban 7 --format tina | sed "s/(7)/($weight)/" >big.net
  refused 2 'big.net:[0-9]+: ' explore big.net
  "$TIDELINE" example kanban 7 --format lola | sed "s/7/$weight/" >big.lola
  refused 2 'big.lola:[0-9]+: ' explore big.lola
  "$TIDELINE" example kanban 7 --format pnml | sed "s|<text>7</text>|<text>$weight</text>|" >big.pnml
  refused 2 'big.pnml:[0-9]+: ' explore big.pnml
}

@test "a line of 1 GB" {
  refused_quickly () {
    run --separate-stderr timeout 60 bash -c "$1 | '$TIDELINE' explore -"
    equals "$status:$output" "2:"
    contains "$stderr" "tideline: "
  }
  refused_quickly 'head -c 1000000000 /dev/zero | tr "\0" a'
  refused_quickly '{ printf "<?xml version=\"1.0\"?>\n<pnml "; head -c 1000000000 /dev/zero | tr "\0" a; }'
  refused_quickly '{ printf "PLACE "; head -c 1000000000 /dev/zero | tr "\0" a; }'
  refused_quickly '{ printf "tr "; head -c 1000000000 /dev/zero | tr "\0" a; }'
}

@test "a full disk for -o, --trace, --dot" {
  small_model
  refused 4 '/dev/full: .*No space left' example kanban 3 -o /dev/full --format pnml
  refused 4 '/dev/full: .*No space left' convert small.pnml -o /dev/full --format lola
  tideline explore small.pnml -q --trace /dev/full
  equals "$status" 4
  contains "$stderr" "/dev/full"
  tideline explore small.pnml -q --dot /dev/full
  equals "$status" 4
  contains "$stderr" "/dev/full"
}

@test "a full disk for standard output" {
  small_model
  for words in "explore small.pnml" "explore small.pnml --json" \
    "check small.pnml deadlock" "info small.pnml" "example kanban 2" \
    "convert small.pnml --format lola" "help" "--version" "explore --store=help"; do
    run --separate-stderr bash -c "'$TIDELINE' $words >/dev/full"
    equals "$words: $status" "$words: 4"
    contains "$stderr" "tideline: standard output"
  done
}

@test "a closed pipe" {
  run --separate-stderr bash -c "'$TIDELINE' example kanban 200 | true; exit \${PIPESTATUS[0]}"
  [ "$status" = 4 ] || [ "$status" = 0 ] # all of it may fit into the pipe
  small_model
  run --separate-stderr bash -c "{ sleep 0.5; '$TIDELINE' explore small.pnml; } | true; exit \${PIPESTATUS[0]}"
  equals "$status" 4
}

@test "an output that cannot be written" {
  small_model
  refused 2 'none/x.lola: ' convert small.pnml -o none/x.lola
  mkdir folder
  refused 2 'folder: ' convert small.pnml -o folder --format lola
}

@test "a failed conversion leaves the old file and nothing else" {
  small_model
  mkdir out
  "$TIDELINE" convert small.pnml -o out/x.lola
  cp out/x.lola before
  head -c 1500 small.pnml >cut.pnml
  tideline convert cut.pnml -o out/x.lola
  equals "$status" 2
  cmp before out/x.lola
  equals "$(ls -A out)" "x.lola"
}

@test "an output over its own input" {
  small_model
  "$TIDELINE" convert small.pnml -o small.pnml
  tideline explore small.pnml -q
  equals "$status" 0
}

@test "killed while it writes: nothing is left" {
  mkdir out
  "$TIDELINE" example dbm 250 -o out/dbm.pnml &
  pid=$!
  sleep 0.2
  kill -KILL $pid || true
  wait $pid || true
  [ ! -e out/dbm.pnml ] || tail -n 1 out/dbm.pnml | grep -q '</pnml>'
  equals "$(ls -A out | grep -v '^dbm.pnml$' || true)" ""
}

@test "a mistake in a net: its line, and a caret below" {
  printf 'n {\n\tplace p { dom : nope; }\n}\n' >wrong.lna
  tideline explore wrong.lna
  [ "$status" = 2 ]
  [ "$stderr" = "tideline: wrong.lna:2: there is no type 'nope' (column 18)
  $(printf '\tplace p { dom : nope; }')
  $(printf '\t                ^')" ]
}

@test "no caret where the line cannot be shown" {
  { printf 'n { place p { dom :'; printf ' %.0s' {1..200}; echo 'nope; } }'; } >long.lna
  tideline explore long.lna
  [ "$stderr" = "tideline: long.lna:1: there is no type 'nope' (column 220)" ]
  tideline explore - <<<'n { place p { dom : nope; } }'
  [ "$stderr" = "tideline: <stdin>:1: there is no type 'nope' (column 21)" ]
}

@test "a file that may not get longer" {
  small_model
  "$TIDELINE" example kanban 200 -o kanban.pnml
  run --separate-stderr bash -c "ulimit -f 1; '$TIDELINE' convert kanban.pnml -o x.lola; exit"
  equals "$status" 4
  contains "$stderr" "x.lola: "
  contains "$stderr" "File too large"
  [ ! -e x.lola ]
}

# What is opened later must not be taken for one of them.
@test "standard streams that are closed" {
  small_model
  run bash -c "'$TIDELINE' explore small.pnml -q <&- >&-"
  equals "$status" 0
  run bash -c "'$TIDELINE' explore none.pnml <&- 2>&-"
  equals "$status:$output" "2:"
  large_model
  "$TIDELINE" explore large.pnml --timeout 20 >out 2>&- <&- &
  pid=$!
  for i in {1..50}; do
    [ "$(readlink /proc/$pid/exe)" = "$(readlink -f "$TIDELINE")" ] &&
      [ -e /proc/$pid/fd/2 ] && break
    sleep 0.1
  done
  equals "$(readlink /proc/$pid/fd/0)" /dev/null
  equals "$(readlink /proc/$pid/fd/2)" /dev/null
  kill $pid
  wait $pid || true
}

@test "a folder that is not there is bad usage, everywhere" {
  small_model
  for command in "convert small.pnml --format lola" "example kanban 3" "example dbm 3 --format lna" \
    "graph small.pnml" "graph small.pnml --aut"; do
    fails 2 "missing/x: cannot write: No such file or directory" $command -o missing/x
    mkdir -p folder
    fails 2 "folder: cannot write: Is a directory" $command -o folder
  done
  for option in --trace --dot --plot; do
    fails 2 "missing/x: cannot write: No such file or directory" explore small.pnml $option missing/x
  done
}

@test "a full disk is a fault of the machine, everywhere" {
  small_model
  for command in "convert small.pnml --format lola" "example kanban 3" "example dbm 3 --format lna" \
    "graph small.pnml" "graph small.pnml --aut" "graph small.pnml --path 3"; do
    fails 4 "/dev/full: cannot write: No space left on device" $command -o /dev/full
  done
  for command in "explore small.pnml" "check small.pnml deadlock --json" "info small.pnml" \
    "progress small.pnml" "graph small.pnml" "help" "--version"; do
    "$TIDELINE" $command >/dev/full 2>err && return 1
    status=0
    "$TIDELINE" $command >/dev/full 2>err || status=$?
    equals "$status" 4
  done
}

@test "graph -o FILE --json prints its object" {
  small_model
  tideline graph small.pnml -o small.tlg --json
  equals "$status" 0
  equals "$(jq .states <<<"$output")" 14
  [ -s small.tlg ]
  tideline graph small.tlg --aut -o small.aut --json
  equals "$(jq .states <<<"$output")" 14
  fails 2 "--json: where should the rest go? give -o FILE" graph small.tlg --aut --json
}

@test "an example that is too large is refused" {
  fails 2 "philosophers of that size has more than 10000000 places and transitions" example philosophers 100000000
}

@test "controls in names do not reach a terminal" {
  printf 'net h\ntr t {a\xc2\x9bb} -> c\npl {a\xc2\x9bb} (1)\n' >c1.net
  fails 2 "formula:1: unknown place 'a??c'; did you mean 'a??b'? (column 1)" check c1.net $'"a\xc2\x9bc" = 1'
  equals "$("$TIDELINE" check c1.net bounds -q | head -1)" $'1         a\xc2\x9bb'
  script -qec true typed </dev/null >/dev/null 2>&1 || skip "there are no terminals here"
  script -qec "$TIDELINE check c1.net bounds -q" typed </dev/null >/dev/null
  grep -q 'a\\u009bb' typed
}
