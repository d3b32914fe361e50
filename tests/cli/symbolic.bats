load common

@test "the symbolic engine counts what nobody can visit" {
  "$TIDELINE" example kanban 100 -o kanban.pnml
  tideline explore kanban.pnml --engine symbolic --timeout 60
  equals "$status" 0
  contains "$output" "states            17,263,002,294,682,342,171"
  contains "$output" "arcs              267,046,378,214,105,145,370"
  contains "$output" "deadlocks         none"
  contains "$output" "most tokens       100 in a place, 400 in a marking"
}

@test "large counts are strings of digits in JSON, and say so" {
  "$TIDELINE" example philosophers 100 -o net.pnml
  tideline explore net.pnml --engine symbolic --json --timeout 60
  equals "$status" 0
  equals "$(jq -r .states <<<"$output")" 189482250299273866835746159841800035874
  equals "$(jq -c '[.big, .complete, .deadlocks, .engine, .depth, (.states | type)]' <<<"$output")" \
    '[true,true,1,"symbolic",null,"string"]'
  tideline explore net.pnml --engine symbolic --mcc --timeout 60
  equals "${lines[0]}" "STATE_SPACE STATES 189482250299273866835746159841800035874 TECHNIQUES DECISION_DIAGRAMS"
}

@test "both engines find the same" {
  for net in "kanban 3" "philosophers 8" "fms 3" "token-ring 6" "peterson 2" "dbm 5"; do
    "$TIDELINE" example $net -o net.pnml
    figures='[.states, .arcs, .deadlocks, .dead_transitions, .max_tokens_in_place, .max_tokens_per_marking, .big]'
    tideline explore net.pnml --engine symbolic --json
    found=$(jq -c "$figures" <<<"$output")
    tideline explore net.pnml --engine explicit --json
    equals "$found" "$(jq -c "$figures" <<<"$output")"
  done
}

@test "what ends the symbolic engine is told, and no count is shown as final" {
  "$TIDELINE" example philosophers-both 400 -o net.pnml
  tideline explore net.pnml --engine symbolic --memory 1M
  equals "$status" 3
  contains "$output" "INCOMPLETE: the memory budget was reached"
  contains "$output" "states            at least 1"
  contains "$output" "try: more --memory, or --engine explicit"
  tideline explore net.pnml --engine symbolic --timeout 1ms --json
  equals "$status" 3
  equals "$(jq -c '[.complete, .stopped]' <<<"$output")" '[false,"time"]'
}

@test "the symbolic engine has no traces and no order of states" {
  small_model
  fails 2 "--order: states have no order with --engine symbolic" \
    explore small.pnml --engine symbolic --order dfs
  for option in --monotone --plot=p.svg --window=2; do
    fails 2 "${option%%=*}: states have no order with --engine symbolic" explore small.pnml --engine symbolic $option
  done
  fails 2 "--stubborn: --engine symbolic leaves out no states" \
    explore small.pnml --engine symbolic --stubborn deadlock
  fails 2 "--trace: there are no traces with --engine symbolic" \
    explore small.pnml --engine symbolic --trace out
  fails 2 "--max-states: --engine symbolic finds all states at once" \
    explore small.pnml --engine symbolic --max-states 5
}

@test "questions are answered on the set of all markings" {
  "$TIDELINE" example philosophers-both 100 -o net.pnml
  tideline check net.pnml deadlock live quasi-live home-state 'EF AG DEADLOCK' \
    'A (NOT DEADLOCK U EX EX DEADLOCK)' --engine symbolic --json --timeout 120
  equals "$status" 1
  equals "$(jq -c '[.properties[] | [.verdict, .engine, (.trace.transitions | length)]]' <<<"$output")" \
    '[["true","symbolic",100],["false","symbolic",100],["true","symbolic",0],["false","symbolic",0],["true","symbolic",100],["false","symbolic",3]]'
  equals "$(jq -r .search.states <<<"$output")" 515377520732011331036461129765621272702107522001
  tideline check net.pnml live --engine symbolic --timeout 120
  contains "$output" "states            515,377,520,732,011,331,036,461,129,765,621,272,702,107,522,001"
  tideline check net.pnml live --engine symbolic --memory 500K
  equals "$status" 3
}

@test "runs without end are found on the set of all markings" {
  "$TIDELINE" example philosophers-both 100 -o net.pnml
  tideline check net.pnml 'A (G (F FIREABLE(put_1)))' 'A (F (G DEADLOCK))' \
    'E (G (F (eating_1 = 1) AND F (eating_50 = 1)))' 'E (X (X (X (G FIREABLE(put_1)))))' \
    'E F EG (eating_1 = 1)' --engine symbolic --json --timeout 120
  equals "$status" 1
  equals "$(jq -c '[.properties[] | [.verdict, .engine, .trace.kind, .trace.loop_from]]' <<<"$output")" \
    '[["false","symbolic","lasso",1],["false","symbolic","lasso",0],["true","symbolic","lasso",0],["true","symbolic","lasso",3],["true","symbolic","lasso",2]]'
}

@test "contest lines say that a diagram decided" {
  "$TIDELINE" example kanban 50 -o net.pnml
  cat >bound.xml <<EOF
<property-set xmlns="http://mcc.lip6.fr/">
  <property><id>bound</id><description>two places</description><formula>
    <place-bound><place>machining_1</place><place>done_2</place></place-bound>
  </formula></property>
</property-set>
EOF
  tideline check net.pnml --mcc bound.xml --engine symbolic --timeout 60
  contains "$output" "FORMULA bound 100 TECHNIQUES DECISION_DIAGRAMS"
}

@test "the order of the variables can be given" {
  "$TIDELINE" example kanban 3 -o net.pnml
  order=$(seq 4 | sed 's/.*/card_& machining_& rework_& done_&/')
  printf '# from the top\n%s\n' "$order" >good
  tideline explore net.pnml --engine symbolic --variables good --json
  equals "$(jq -c '[.states, .symbolic.order]' <<<"$output")" '[58400,"given"]'
  good=$(jq .symbolic.nodes <<<"$output")
  tr ' ' '\n' <good | grep _ | sort >bad # all cards, then all that is done
  tideline explore net.pnml --engine symbolic --variables bad --json
  equals "$(jq .states <<<"$output")" 58400
  [ "$(jq .symbolic.nodes <<<"$output")" -gt $((2 * good)) ]
  echo card_2 >few # all others come below
  tideline check net.pnml quasi-live --engine symbolic --variables few
  equals "$status" 0
  printf 'card_1\nno_place # there is none\n' >wrong
  fails 2 "wrong:2: there is no place 'no_place'" \
    explore net.pnml --engine symbolic --variables wrong
  fails 2 "missing: cannot open: No such file or directory" \
    explore net.pnml --engine symbolic --variables missing
  fails 2 "--variables goes with --engine symbolic or auto" explore net.pnml --variables good
}

@test "the engines of explore are listed" {
  tideline explore --engine=help
  equals "$status" 0
  contains "$output" "symbolic"
}

@test "auto: who ends first has won, and the report says who" {
  large_model
  tideline explore large.pnml --engine auto --json --timeout 60
  equals "$status" 0
  equals "$(jq -c '[.engine, .states]' <<<"$output")" '["symbolic",205891132094649]'
  small_model
  tideline explore small.pnml --engine auto --json
  equals "$(jq -c '[.engine, .states, .depth]' <<<"$output")" '["explicit",14,3]'
}

@test "diagrams answer beside a search that takes long" {
  "$TIDELINE" example philosophers-both 50 -o net.pnml
  tideline check net.pnml home-state --timeout 120 --json
  equals "$status" 1
  equals "$(jq -c '[.properties[0] | .verdict, .engine]' <<<"$output")" '["false","symbolic"]'
}
