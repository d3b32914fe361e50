# What does not have to be in memory goes to temporary files.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  "$TIDELINE" example kanban 5 -o kanban.pnml
}

# explored FILTER: what a run in each order says, which must find every state.
explored () {
  for order in bfs dfs; do
    tideline explore kanban.pnml --store table --order $order --json
    equals "$status" 0
    equals "$(jq -r '[.states, .arcs] | join(" ")' <<<"$output")" "2546432 24460016"
    equals "$(jq "$1" <<<"$output")" true
  done
}

# The stack is too short for that here.
@test "queue and log go to the disk and leave nothing there" {
  mkdir files
  TMPDIR=$PWD/files explored '.order == "dfs" or .spilled_bytes > 10000'
  equals "$(ls -A files)" ""
}

@test "without a folder for them" {
  TMPDIR=$PWD/none explored '.spilled_bytes == 0'
}

@test "without room for them" {
  ulimit -f 1
  explored '.spilled_bytes <= 1024'
}

@test "the process needs little besides the store" {
  [ -n "$LONG" ] || skip "takes long"
  [[ $TIDELINE != */debug/* ]] || skip "sanitizers take memory"
  "$TIDELINE" example kanban 6 -o kanban.pnml
  for order in bfs dfs; do
    tideline explore kanban.pnml --store table --order $order --json
    equals "$(jq '.states > 10000000 and .peak_rss_bytes < 1.6 * .store_bytes' <<<"$output")" true
  done
}
