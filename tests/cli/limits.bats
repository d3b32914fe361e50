# Budgets and interrupts: exit code 3, what is known is reported, and marked.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  large_model
}

# The report of the last run is one of an incomplete run, and says so last of
# all, with a hint.
incomplete () {
  equals "$status" 3
  contains "$output" "states            at least "
  case ${lines[-2]},${lines[-1]} in
  "INCOMPLETE: "*,"try: "*) ;;
  *) echo "last lines: ${lines[-2]} ${lines[-1]}"; return 1 ;;
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

@test "a result for programs, however small the budget" {
  small_model
  "$TIDELINE" graph small.pnml -o small.tlg
  for words in "explore small.tlg --order sweep" "progress small.tlg" "check small.tlg live" "graph large.pnml"; do
    for size in 1 1K 20K 100K; do
      tideline $words --memory $size --json
      [ "$status" -le 1 ] || equals "$words $size: $status $(jq -c '[.complete, .stopped]' <<<"$output")" \
        "$words $size: 3 [false,\"memory\"]"
    done
  done
  tideline explore small.tlg --order sweep --memory 20K --mcc
  equals "$status:$output" 3:CANNOT_COMPUTE
}

@test "check within a budget" {
  tideline check large.pnml home-state --engine graph --memory 32M --timeout 20
  equals "$status" 3
  contains "$output" "unknown   home-state"
}

# ended PID: how the run that wrote out and err did.
ended () {
  status=0
  wait "$1" || status=$?
  output=$(cat out) stderr=$(cat err)
  mapfile -t lines <out
}

interrupt () {
  local signal=$1
  shift
  "$TIDELINE" "$@" >out 2>err &
  local pid=$!
  sleep 1
  kill -"$signal" $pid
  ended $pid
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

@test "a signal that is sent to the process and to its group" {
  for gap in 0 0.001 0.003 0.01 0.1; do
    "$TIDELINE" explore large.pnml >out 2>err &
    pid=$!
    sleep 0.5
    kill -TERM $pid
    sleep $gap
    kill -TERM $pid || true # it may be over
    ended $pid
    incomplete
  done
}

@test "SIGINT during a check" {
  interrupt INT check large.pnml home-state
  equals "$status" 3
  contains "$output" "unknown   home-state"
}

@test "SIGINT before there is a net" {
  mkfifo pipe
  sleep 10 >pipe &
  writer=$!
  interrupt INT explore pipe
  kill $writer
  equals "$status:${lines[0]}" "3:INCOMPLETE: it was interrupted while reading the net"
  equals "${lines[1]}" "try: --timeout, which ends it after a time of its own"
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

# The resident bytes of the last run, in MiB at most.
is_within () {
  [[ $TIDELINE == */debug/* ]] || [ "$(jq .peak_rss_bytes <<<"$output")" -le $(($1 << 20)) ]
}

@test "what is known of states that are not unfolded counts as memory" {
  cat >counter.lna <<'LNA'
counter {
  place p { dom : int; init : <( 0 )>; }
  transition t { in { p : <( x )>; } out { p : <( x + 1 )>; } }
}
LNA
  tideline explore counter.lna --memory 30M --json
  [ "$status" = 3 ]
  equals "$(jq -c '[.stopped, .states > 10000]' <<<"$output")" '["memory",true]'
  is_within 80
}

@test "what belongs to forgotten layers is freed" {
  cat >clock.lna <<'LNA'
clock {
  type num : range 1 .. 3;
  place a { dom : num; timed; init : <( 1 )> + <( 2 )>; }
  transition t { in { a : <( x )>; } out { a : <( x )> @+ int (x); } }
}
LNA
  local how
  for how in auto progress; do
    tideline explore clock.lna --order sweep --progress $how --memory 20M --max-states 250000 --json
    [ "$status" = 3 ]
    equals "$(jq -r .stopped <<<"$output")" states
    is_within 48
  done
  # Time never goes back: what lies behind is not kept, however much memory there is.
  tideline explore clock.lna --order sweep --memory 100M --max-states 250000 --json
  equals "$(jq '.sweep.peak_states < 20' <<<"$output")" true
  is_within 40
  # Counts and traces are those of a run that forgets nothing.
  cat >finite.lna <<'LNA'
finite {
  type num : range 1 .. 2;
  place a { dom : num; timed; init : <( 1 )> + <( 2 )>; }
  place c { dom : int; init : <( 0 )>; }
  transition t {
    in { a : <( x )>; c : <( n )>; }
    out { a : <( x )> @+ int (x); c : <( n + 1 )>; }
    guard : n < 10000;
  }
  transition stop { in { a : <( x )>; c : <( n )>; } out { c : <( n )>; } guard : n = 10000; }
}
LNA
  local found='[.complete, .states, .arcs, .deadlocks, (.deadlock_trace.transitions | length)]' all
  tideline explore finite.lna --order bfs --json
  all=$(jq -c "$found" <<<"$output")
  for how in auto collapse plain; do
    tideline explore finite.lna --order sweep --progress progress --store $how --memory 3M --json
    equals "$(jq -c "$found" <<<"$output")" "$all"
  done
}

@test "what goes on before the search is told on a terminal" {
  script -qec true typed </dev/null >/dev/null 2>&1 || skip "there are no terminals here"
  mkfifo slow.pnml
  (sleep 2.5; cat large.pnml) >slow.pnml &
  script -qec "$TIDELINE info slow.pnml >out" typed </dev/null >/dev/null
  grep -q 'reading slow.pnml \.\.\.' typed
}
