# Stubborn sets as people use them.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  "$TIDELINE" example philosophers 8 -o table.pnml
  "$TIDELINE" example token-ring 8 -o ring.pnml
}

@test "deadlocks: all of them, from fewer states, in every order" {
  for order in bfs dfs sweep; do
    tideline explore table.pnml --stubborn deadlock --order $order --json
    equals "$status" 0
    equals "$(jq -c '[.complete, .states, .stubborn.reduction,
      .stubborn.explored < 500, (.deadlock_trace.transitions | length)]' \
      <<<"$output")" '[true,null,"deadlock",true,8]'
  done
}

@test "no deadlock: the answer is certain" {
  tideline check ring.pnml deadlock --stubborn deadlock -q
  equals "$status" 1
  equals "$output" "false     deadlock"
}

@test "a property keeps its answer" {
  tideline check ring.pnml 'AG critical_1 + critical_2 <= 1' \
    'EF (critical_3 = 1 AND wanting_1 = 1)' --stubborn property -q
  equals "$status" 0
  equals "${#lines[@]}" 2
  tideline check table.pnml 'AG eating_1 = 0' --stubborn property
  equals "$status" 1
  contains "$output" "take_left_1 take_right_1"
}

@test "what they do not keep is refused" {
  fails 2 "stubborn sets that keep deadlocks do not keep the answer to 'one-safe'" check ring.pnml one-safe --stubborn deadlock
  fails 2 "stubborn sets that keep what can be reached do not keep the answer to 'AG EF eating_1 = 1'" check table.pnml 'AG EF eating_1 = 1' --stubborn property
}

@test "formulas about runs: the same answer from fewer states" {
  formula='G (critical_1 = 1 -> ((critical_1 = 1 U idle_1 = 1) OR G critical_1 = 1))'
  for reduction in none property; do
    tideline check ring.pnml "$formula" 'G F critical_1 = 1' --engine fly --stubborn $reduction --json
    equals "$(jq -c '[.properties[] | [.verdict, .engine, .trace.kind]]' <<<"$output")" \
      '[["true","ltl-fly",null],["false","ltl-fly","lasso"]]'
    jq '.search.states // .stubborn.explored' <<<"$output" >$reduction
  done
  [ $((3 * $(<property))) -lt $(<none) ]
}

@test "formulas that can tell interleavings apart do not go with stubborn sets" {
  fails 2 "stubborn sets that keep runs do not keep the answer to 'X critical_1 = 1'" check ring.pnml 'X critical_1 = 1' --stubborn property
  fails 2 "stubborn sets that keep runs do not keep the answer to 'AG EF EG idle_1 = 1'" check ring.pnml 'AG EF EG idle_1 = 1' --stubborn property
}
