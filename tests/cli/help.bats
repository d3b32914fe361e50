load common

@test "no command is bad usage" {
  fails 2 "what to do? see tideline help"
}

@test "--version" {
  tideline --version
  equals "$status" 0
  equals "$output" "tideline $(cat "$BATS_TEST_DIRNAME/../../VERSION")"
}

@test "help lists the commands that are there" {
  for words in help --help -h; do
    tideline $words
    equals "$status" 0
    for name in explore check info convert example help; do
      contains "$output" "  $name "
    done
  done
}

@test "each command has help, in three ways" {
  for name in explore check info convert example; do
    tideline help $name
    equals "$status" 0
    contains "$output" "usage: tideline $name "
    first=$output
    tideline $name --help
    equals "$status:$output" "0:$first"
    tideline $name -h
    equals "$status:$output" "0:$first"
  done
}

@test "help keeps to 79 columns" {
  for name in "" explore check info convert example graph progress help; do
    tideline help $name
    equals "$status" 0
    long=$(echo "$output" | grep -E '.{80}' || true)
    equals "$long" ""
  done
}

@test "help check names the properties" {
  tideline help check
  for name in deadlock one-safe quasi-live live stable-marking bounds home; do
    contains "$output" "$name"
  done
}

@test "help example names the families of the contract" {
  tideline help example
  for name in "philosophers N" "philosophers-both N" "dining N" "dbm N" \
    "kanban N" "fms N" "token-ring N" "peterson N" "leader N" \
    "stop-and-wait PACKETS" "sliding-window PACKETS WINDOW" "chains M K" \
    "client-server CLIENTS" "timed PACKETS"; do
    contains "$output" "  $name"
  done
}

@test "help of nothing known" {
  fails 2 "there is no command 'nothing'; see tideline help" help nothing
}

@test "unknown command, with the nearest one" {
  fails 2 "unknown command 'explor'; did you mean 'explore'?" explor x
  fails 2 "unknown command 'xyzzy'; see tideline help" xyzzy
}

@test "an option before the command" {
  fails 2 "the command comes first; see tideline help" --json explore x
}

@test "completion and man page come from the tables" {
  tideline help --words explore
  contains "$output" "--max-states"
  tideline help --words
  contains "$output" "convert"
  tideline help --words example
  contains "$output" "kanban"
  tideline help --roff
  contains "$output" "max-states"
}

# complete WORD...: what bash offers for the last one.
complete_words () {
  bash -c 'PATH=$(dirname "$TIDELINE"):$PATH
    compopt () { :; }
    . "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _tideline &&
      printf "%s " "${COMPREPLY[@]}"' \
    "$BATS_TEST_DIRNAME/../../tools/completion.bash" "$@"
}

@test "completion of bash offers values, files and names" {
  cd "$BATS_TEST_TMPDIR"
  touch some.pnml some.xml some.html some.txt
  is () { [ "$1" = "$2" ] || { echo "offered: $1"; return 1; }; }
  is "$(complete_words tideline exp)" "explore "
  is "$(complete_words tideline help gr)" "graph "
  is "$(complete_words tideline explore --store p)" "plain "
  is "$(complete_words tideline explore --store = t)" "table tree "
  is "$(complete_words tideline check some.p)" "some.pnml "
  is "$(complete_words tideline check some.pnml dead)" "deadlock deadlock-free "
  is "$(complete_words tideline check some.pnml --mcc so)" "some.xml "
  is "$(complete_words tideline explore some.pnml --html so)" "some.html "
  is "$(complete_words tideline example kan)" "kanban "
}

@test "completion of zsh and fish can be read" {
  for shell in zsh fish; do
    ! command -v $shell || $shell -n "$BATS_TEST_DIRNAME/../../tools/completion.$shell"
  done
}

@test "help and the man page know what there is" {
  page=$(sed 's/\\//g' "$BATS_TEST_DIRNAME/../../docs/tideline.1")
  for what in "tideline graph" CTL LTL 'CTL*' "of a timed net" "fBhome" "deadlock-free" "bounded"; do
    contains "$page" "$what"
  done
  tideline help check
  for what in CTL: LTL: 'CTL*:' "home 'PREDICATE'" deadlock-free bounded @FILE; do
    contains "$output" "$what"
  done
  tideline explore --progress help
  contains "$output" "time "
}
