# Questions about time, as people type them.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

# asked FORMULA LOGIC WORDS: verdict and kind of trace, by both engines.
asked () {
  for engine in graph fly; do
    tideline check small.pnml "$1" --json --engine $engine
    equals "$(jq -r '.properties[] | [.engine, .verdict, .trace.kind // "-"] | join(" ")' <<<"$output")" "$2-$engine $3"
  done
}

@test "CTL: verdict, engine and trace" {
  asked 'EG eating_1 = 0' 'ctl' 'true lasso'
  asked 'AF (eating_1 = 1 OR eating_2 = 1)' 'ctl' 'false path'
  asked 'EF EG waiting_1 = 1' 'ctl' 'true lasso'
  asked 'AG E (waiting_1 = 0 U waiting_1 = 1)' 'ctl' 'true -'
}

@test "LTL: verdict, engine and trace" {
  asked '(G F eating_1 = 1) -> (G F waiting_1 = 1)' 'ltl' 'true -'
  asked 'G (waiting_1 = 1 -> F eating_1 = 1)' 'ltl' 'false lasso'
  asked 'G F (waiting_1 = 1 OR eating_1 = 1)' 'ltl' 'false lasso'
}

@test "LTL by nested depth-first search, the rest on the fly" {
  tideline check small.pnml --engine nested --json '(G F eating_1 = 1) -> (G F waiting_1 = 1)' \
    'G (waiting_1 = 1 -> F eating_1 = 1)' 'G F (waiting_1 = 1 OR eating_1 = 1)' \
    'AG E (waiting_1 = 0 U waiting_1 = 1)'
  equals "$(jq -r '.properties[] | [.engine, .verdict, .trace.kind // "-"] | join(" ")' <<<"$output")" \
    "ltl-nested true -
ltl-nested false lasso
ltl-nested false lasso
ctl-fly true -"
}

@test "LTL by nested depth-first search on the graph, built or saved" {
  "$TIDELINE" graph small.pnml -o small.tlg
  for how in 'small.pnml --engine nested-graph' 'small.pnml --engine nested-graph --order sweep' \
    'small.tlg --engine nested'; do
    tideline check $how --json '(G F eating_1 = 1) -> (G F waiting_1 = 1)' 'F eating_1 = 1' \
      'G F (waiting_1 = 1 OR eating_1 = 1)' 'AG E (waiting_1 = 0 U waiting_1 = 1)'
    equals "$(jq -r '.properties[] | [.engine, .verdict, .trace.kind // "-"] | join(" ")' <<<"$output")" \
      "ltl-nested-graph true -
ltl-nested-graph false lasso
ltl-nested-graph false lasso
ctl-graph true -"
  done
}

@test "the second of two nested searches finds a lasso" {
  echo 'net ring pl a (1) tr t a -> b tr u b -> c tr v c -> d tr w d -> e tr x e -> a' >ring.net
  tideline check ring.net 'F G c = 0' --engine nested --json
  equals "$(jq -c '.properties[] | [.engine, .verdict, .trace.kind, (.trace.transitions | length)]' <<<"$output")" \
    '["ltl-nested","false","lasso",5]'
}

@test "CTL*: verdict, engine and trace" {
  asked 'E (G F eating_1 = 1 AND G F eating_2 = 1)' 'ctl*' 'true lasso'
  asked 'AG E (X X X eating_1 = 1 OR G F DEADLOCK)' 'ctl*' 'true -'
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

@test "on the fly a question is decided before the limit on states" {
  tideline check small.pnml 'EG eating_1 = 0' --max-states 10 --json
  equals "$(jq -r '.properties[] | [.engine, .verdict] | join(" ")' <<<"$output")" "ctl-fly true"
  for engine in graph fly; do
    tideline check small.pnml 'AG E (waiting_1 = 0 U waiting_1 = 1)' --max-states 5 --engine $engine
    equals "$status" 3
    contains "$output" "the limit on states was reached"
  done
}

@test "engines have names" {
  tideline check --engine help
  equals "$status" 0
  contains "$output" "fly"
  fails 2 "--engine: there is no engine 'mule'; --engine=help lists them" check small.pnml deadlock --engine mule
}

@test "AG EF is decided by the engine that is asked for" {
  for engine in graph fly; do
    tideline check small.pnml 'AG EF eating_1 = 1' 'EF AG waiting_1 = 1' --engine $engine --json
    equals "$(jq -c '[.properties[] | .verdict, .engine, (.trace.transitions | length)]' <<<"$output")" \
      "[\"false\",\"ctl-$engine\",3,\"true\",\"ctl-$engine\",3]"
  done
  for how in '--memory 1G' '--order dfs' '--order sweep' '--store tree'; do
    # shellcheck disable=SC2086
    tideline check small.pnml 'AG EF eating_1 = 1' $how --json
    equals "$(jq -c '.properties[] | [.verdict, .engine]' <<<"$output")" '["false","home"]'
  done
}

@test "paths on the fly end where they show it" {
  for engine in graph fly; do
    tideline check small.pnml 'E (eating_2 = 0 U (waiting_1 = 1 AND AX eating_3 = 0))' --engine $engine --json
    equals "$(jq -c '.properties[].trace.transitions' <<<"$output")" '["take_left_1"]'
  done
}

@test "a run goes on with what shows the inner part" {
  for engine in graph fly; do
    tideline check small.pnml --engine $engine --json 'AG (waiting_1 = 1 -> AF eating_1 = 1)' \
      'EF (eating_1 = 1 AND EX waiting_1 = 0)' 'AG (eating_1 = 1 -> AG eating_2 = 0)'
    equals "$(jq -c '.properties[0] | [.verdict, .trace.kind, .trace.loop_from, .trace.transitions[0]]' <<<"$output")" \
      '["false","lasso",1,"take_left_1"]'
    equals "$(jq -c '.properties[1:][] | [.verdict, .trace.kind, (.trace.transitions | length)]' <<<"$output")" \
      $'["true","path",3]\n["false","path",5]'
  done
}

@test "the graph has a row in the memory table" {
  tideline check small.pnml --engine graph 'AG E (waiting_1 = 0 U waiting_1 = 1)' --json
  equals "$(jq '.memory | .graph.used > 0 and .questions.used > 0' <<<"$output")" true
  tideline check small.pnml 'EF eating_1 = 1' --json
  equals "$(jq -c '.memory.graph' <<<"$output")" null
  tideline graph small.pnml -o small.tlg
  tideline check small.tlg 'AG E (waiting_1 = 0 U waiting_1 = 1)' --json
  equals "$(jq '.memory | .graph.used > 0 and .formulas.used > 0' <<<"$output")" true
}

@test "what one marking decides of runs, in nets that nobody can explore" {
  "$TIDELINE" example kanban 100 -o kanban.pnml
  "$TIDELINE" example philosophers 300 -o philosophers.pnml
  # What can be reached in a net that can always return can be reached again.
  tideline check kanban.pnml 'A F G done_1 <= 5' 'E G F done_4 >= 90' --timeout 60 -q
  equals "$output" "false     A F G done_1 <= 5
true      E G F done_4 >= 90"
  # A run of three steps at least, and one that ends at a dead marking.
  tideline check kanban.pnml 'A X X X G done_4 <= 50' --timeout 60 --json
  equals "$(jq -r '.properties[0] | .verdict, .engine' <<<"$output" | tr '\n' ' ')" "false guided "
  [ "$(jq '.properties[0].trace.transitions | length' <<<"$output")" -ge 51 ]
  tideline check philosophers.pnml 'A G F eating_1 = 1' --timeout 60 --json
  equals "$(jq -r '.properties[0].verdict' <<<"$output")" "false"
}

@test "on the fly, a run that ends soon or closes a short cycle is found at once" {
  "$TIDELINE" example dining 50 -o dining.pnml
  tideline check dining.pnml 'AG X (FIREABLE(take_right_9) U FIREABLE(take_right_8))' \
    --engine fly --max-states 10000 --json
  equals "$(jq -r '.properties[0] | .verdict, .engine' <<<"$output" | tr '\n' ' ')" "false ltl-fly "
  # Twelve counters: a path without a look back goes on nearly for ever.
  {
    echo net counters
    for i in {1..12}; do echo "pl a_$i (60)"; done
    for i in {1..12}; do echo "tr up_$i a_$i -> b_$i"; done
    for i in {1..12}; do echo "tr down_$i b_$i -> a_$i"; done
  } >counters.net
  tideline check counters.net 'A (G F (b_1 >= 1 & b_2 >= 1))' --engine fly --max-states 1000 --json
  equals "$(jq -r '.properties[0] | .verdict, .engine' <<<"$output" | tr '\n' ' ')" "false ltl-fly "
}
