# Budgets and interrupts: exit code 3, what is known is reported, and marked.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  large_model
}

# The report of the last run is one of an incomplete run.
incomplete () {
  equals "$status" 3
  contains "$output" "states            at least "
  case ${lines[-1]} in
  "INCOMPLETE: "*) ;;
  *) echo "last line: ${lines[-1]}"; return 1 ;;
  esac
}

@test "--max-states" {
  tideline explore large.pnml --max-states 5000
  incomplete
  tideline explore large.pnml --max-states 5000 --json
  equals "$status" 3
  equals "$(jq -r '[.complete, .stopped] | join(" ")' <<<"$output")" "false states"
  # A batch may go a little beyond it.
  [ "$(jq .states <<<"$output")" -le 8000 ]
  tideline explore large.pnml --max-states 5000 --mcc
  equals "$status:$output" "3:CANNOT_COMPUTE"
}

@test "--timeout" {
  tideline explore large.pnml --timeout 0.5
  incomplete
  tideline explore large.pnml --timeout 0.5 --json
  equals "$(jq -r .stopped <<<"$output")" "time"
}

@test "--memory" {
  for order in bfs dfs; do
    tideline explore large.pnml --memory 32M --order $order
    incomplete
    tideline explore large.pnml --memory 32M --order $order --json
    equals "$status" 3
    equals "$(jq -r .stopped <<<"$output")" "memory"
    # The program itself and its libraries are not in the budget, nor is what
    # sanitizers take.
    [[ $TIDELINE == */debug/* ]] || [ "$(jq .peak_rss_bytes <<<"$output")" -le $((64 << 20)) ]
  done
}

@test "--memory too small for anything" {
  for size in 1 1K 100K 1M; do
    tideline explore large.pnml --memory $size
    equals "$status" 3
  done
}

# Address space is reserved in parts that leave room for others.
@test "ulimit -v and -d" {
  [[ $TIDELINE != */debug/* ]] || skip "sanitizers reserve address space"
  "$TIDELINE" example kanban 3 -o kanban.pnml
  for limit in "-v 4000000" "-v 300000" "-d 300000"; do
    for words in "" "--order dfs" "--order sweep" "--store tree" "--store plain"; do
      run bash -c "ulimit $limit; '$TIDELINE' explore kanban.pnml --json $words"
      equals "$limit $words: $status" "$limit $words: 0"
      equals "$(jq .states <<<"$output")" 58400
    done
  done
  for limit in "-v 100000" "-d 100000"; do
    run bash -c "ulimit $limit; '$TIDELINE' explore large.pnml --timeout 60"
    incomplete
    contains "$output" "the memory budget was reached"
  done
}

@test "check within a budget" {
  tideline check large.pnml 'AG NOT DEADLOCK' --memory 32M
  equals "$status" 3
  contains "$output" "unknown   AG NOT DEADLOCK"
}

interrupt () {
  local signal=$1
  shift
  "$TIDELINE" "$@" >out 2>err &
  local pid=$!
  sleep 1
  kill -"$signal" $pid
  status=0
  wait $pid || status=$?
  output=$(cat out) stderr=$(cat err)
  mapfile -t lines <out
}

@test "SIGINT and SIGTERM in the middle of a run" {
  for signal in INT TERM; do
    interrupt $signal explore large.pnml
    incomplete
    interrupt $signal explore large.pnml --json
    equals "$status" 3
    equals "$(jq -r '[.complete, .stopped] | join(" ")' <<<"$output")" "false interrupt"
  done
}

@test "SIGINT during a check" {
  interrupt INT check large.pnml 'AG NOT DEADLOCK'
  equals "$status" 3
  contains "$output" "unknown   AG NOT DEADLOCK"
}

@test "SIGINT before there is a net" {
  mkfifo pipe
  sleep 10 >pipe &
  writer=$!
  interrupt INT explore pipe
  kill $writer
  equals "$status:$output" "3:INCOMPLETE: it was interrupted while reading the net"
  equals "$stderr" "tideline: pipe: it was interrupted while reading the net"
}

@test "SIGUSR1 prints a row of progress, --json stays clean" {
  "$TIDELINE" explore large.pnml --json --timeout 2 >out 2>err &
  pid=$!
  sleep 1
  kill -USR1 $pid
  wait $pid || true
  contains "$(cat err)" " states "
  jq . out >/dev/null
}

@test "no progress on a pipe" {
  tideline explore large.pnml --timeout 1.5
  equals "$stderr" ""
}

@test "progress on a terminal, unless it is not wanted" {
  script -qec true typed </dev/null >/dev/null 2>&1 || skip "there are no terminals here"
  export TERM=xterm
  script -qec "$TIDELINE explore large.pnml --timeout 2.5 >out" typed </dev/null >/dev/null || true
  contains "$(cat typed)" " states "
  for option in --quiet --no-progress; do
    script -qec "$TIDELINE explore large.pnml --timeout 2.5 $option >out" typed </dev/null >/dev/null || true
    case $(cat typed) in *states*) return 1 ;; esac
  done
}
