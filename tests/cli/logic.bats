# Questions about time, as people type them.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

# asked FORMULA: verdict, engine and kind of trace.
asked () {
  tideline check small.pnml "$1" --json
  jq -r '.properties[] | [.verdict, .engine, .trace.kind // "-"] | join(" ")' <<<"$output"
}

@test "CTL: verdict, engine and trace" {
  equals "$(asked 'EG eating_1 = 0')" "true ctl-graph lasso"
  equals "$(asked 'AF (eating_1 = 1 OR eating_2 = 1)')" "false ctl-graph path"
  equals "$(asked 'EF EG waiting_1 = 1')" "true ctl-graph path"
  equals "$(asked 'AG EF EG waiting_1 = 1')" "true ctl-graph -"
}

@test "LTL: verdict, engine and trace" {
  equals "$(asked 'G (eating_1 = 1 -> F eating_1 = 0)')" "true ltl-graph -"
  equals "$(asked 'G (waiting_1 = 1 -> F eating_1 = 1)')" "false ltl-graph path"
  equals "$(asked 'G F (waiting_1 = 1 OR eating_1 = 1)')" "false ltl-graph lasso"
}

@test "CTL*: verdict, engine and trace" {
  equals "$(asked 'E (G F eating_1 = 1 AND G F eating_2 = 1)')" "true ctl*-graph lasso"
  equals "$(asked 'AG E (X X X eating_1 = 1 OR G F DEADLOCK)')" "true ctl*-graph -"
}

@test "where a run ends, CTL and LTL mean different things by X" {
  echo 'net dead pl p (1)' >dead.net
  tideline check dead.net 'AX p = 0' 'X p = 1' 'A (X p = 1 AND X p >= 1)' -q
  equals "$status" 0
  tideline check dead.net 'EX p = 1' 'X p = 0' 'A (X p = 0 AND X p <= 0)' -q
  equals "$status" 1
  equals "$(grep -c ^false <<<"$output")" 3
}

@test "a lasso says where its loop begins" {
  tideline check small.pnml 'EG eating_1 = 0' --json
  equals "$(jq '.properties[0].trace | .loop_from < (.transitions | length)' <<<"$output")" true
}

@test "a lasso in the report for people" {
  tideline check small.pnml 'EG NOT DEADLOCK'
  equals "$status" 0
  contains "$output" "for ever:"
}
