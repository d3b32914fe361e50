# States that memory does not take are in a file of a folder.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  mkdir states
}

@test "the figures are those of a search in memory" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  for threads in 1 3; do
    tideline explore kanban.pnml --disk states --memory 1M --threads $threads --json
    equals "$status" 0
    equals "$(jq -c '[.complete, .states, .arcs, .deadlocks, .depth, .store, .order]' <<<"$output")" \
      '[true,454475,3979850,0,56,"disk","bfs"]'
    equals "$(jq -c '.disk | [.written > 1000000, .read > .written, .peak_bytes > 0, .runs > 0, .merges > 0]' <<<"$output")" \
      '[true,true,true,true,true]'
    equals "$(jq -c '[.memory[].used] | add < 1048576' <<<"$output")" true
    equals "$(ls -A states)" ""
  done
  tideline explore kanban.pnml --disk states --memory 1M
  contains "$output" "store             disk: sorted runs"
  contains "$output" "read from disk"
}

@test "questions are answered, with shortest traces" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  ask () { # OPTION...
    "$TIDELINE" check kanban.pnml 'EF (done_1 = 3 AND rework_2 = 2 AND done_3 = 1)' \
      'AG (done_1 != 3 OR rework_2 != 3 OR done_3 + rework_4 != 5)' --json "$@" |
      jq -c '[.store, (.properties[] | .verdict, (.trace.transitions | length))]'
  }
  equals "$(ask --threads 1)" '["table","true",15,"false",32]'
  for threads in 1 2; do
    equals "$(ask --disk states --memory 2M --threads $threads)" '["disk","true",15,"false",32]'
  done
  "$TIDELINE" example philosophers 7 -o philosophers.pnml
  tideline explore philosophers.pnml --disk states --json
  equals "$(jq -c '[.deadlocks, (.deadlock_trace.transitions | length)]' <<<"$output")" '[1,7]'
}

@test "what is not for the disk" {
  "$TIDELINE" example philosophers 4 -o philosophers.pnml
  fails 2 "--disk goes with --order bfs, not with dfs" explore philosophers.pnml --disk states --order dfs
  tideline check philosophers.pnml live --disk states --json
  equals "$(jq -c '[.store, .disk_why, .properties[].verdict]' <<<"$output")" \
    '["table","components are looked for in memory","false"]'
  tideline check philosophers.pnml 'MAX (eating_1 + eating_2)' 'EF (eating_1 = 1 AND eating_2 = 1)' \
    --disk states --engine guided -q
  equals "$status" 1
  contains "$output" "1         MAX (eating_1 + eating_2)"
}

@test "a folder that is not there, and one that is none" {
  "$TIDELINE" example philosophers 4 -o philosophers.pnml
  fails 2 "states cannot be kept in nowhere: No such file or directory" explore philosophers.pnml --disk nowhere
  fails 2 "states cannot be kept in philosophers.pnml: Not a directory" explore philosophers.pnml --disk philosophers.pnml
}

@test "a disk that is full" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  ulimit -f 400
  tideline explore kanban.pnml --disk states --memory 1M
  equals "$status" 4
  equals "$output" ""
  contains "$stderr" "states cannot be kept in states: File too large, after "
  equals "$(ls -A states)" ""
}

@test "budgets, interrupts and kill leave nothing behind" {
  large_model
  tideline explore large.pnml --disk states --memory 8M --timeout 1 --json
  equals "$status" 3
  equals "$(jq -c '[.complete, .stopped]' <<<"$output")" '[false,"time"]'
  tideline explore large.pnml --disk states --memory 8M --max-states 200000 --json
  equals "$(jq -c '[.complete, .stopped, .states > 200000]' <<<"$output")" '[false,"states",true]'
  for signal in INT KILL; do
    "$TIDELINE" explore large.pnml --disk states --memory 8M --threads 2 --json >out 2>err &
    sleep 1
    kill -$signal $!
    code=0
    wait $! || code=$?
    equals "$(ls -A states)" ""
    [ $signal = KILL ] || equals "$code $(jq -c '[.complete, .stopped]' out)" '3 [false,"interrupt"]'
  done
}
