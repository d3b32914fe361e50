load common

graph () {
  small_model
  "$TIDELINE" graph small.pnml -o small.tlg
}

@test "graph: sizes of a model's graph, and of a saved one, are the same" {
  small_model
  tideline graph small.pnml -o small.tlg --stats -q
  equals "$status" 0
  equals "${lines[0]}" "states            14"
  equals "${lines[1]}" "arcs              27"
  contains "$output" "published layout  251 B, 17.93 bytes a state"
  before=$output
  tideline graph small.tlg -q
  equals "$output" "$before"
  tideline graph small.tlg --json
  equals "$(jq -c '[.model, .states, .arcs, .published_bytes, .graph_bytes < 50]' <<<"$output")" \
    '["small",14,27,251,true]'
}

@test "graph -o alone prints nothing" {
  small_model
  tideline graph small.pnml -o small.tlg
  equals "$status$output$stderr" 0
  [ -s small.tlg ]
}

@test "graph --aut: every arc with its transition" {
  graph
  tideline graph small.tlg --aut
  equals "$status" 0
  equals "${lines[0]}" "des (0,27,14)"
  equals "${#lines[@]}" 28
  equals "${lines[1]}" '(0,"take_left_1",1)'
  equals "$(sed 1d <<<"$output" | sed 's/,".*",/ /' | tr -d '()' | tr ' ' '\n' | sort -nu | wc -l)" 14
  "$TIDELINE" graph small.pnml --aut -o small.aut
  equals "$(cat small.aut)" "$output"
}

@test "graph --order sweep: the same graph, or unfolded where progress is lost" {
  graph
  tideline graph small.pnml --order sweep --progress none --stats -q -o swept.tlg
  equals "${lines[0]}" "states            14"
  equals "${lines[1]}" "arcs              27"
  tideline graph small.pnml --order sweep --progress eating_1 --window 0 --json -o swept.tlg --stats
  equals "$(jq -c '[.states, .unfolded, .graph_states > 14]' <<<"$output")" '[null,true,true]'
  tideline graph swept.tlg -q
  contains "${lines[0]}" " at most: so many has the unfolded graph"
  tideline check swept.tlg 'A G E F eating_1 = 1' 'E F E G thinking_1 = 1' -q
  before=$output
  tideline check small.tlg 'A G E F eating_1 = 1' 'E F E G thinking_1 = 1' -q
  equals "$output" "$before"
  tideline graph small.pnml --order sweep --progress eating_1 --monotone
  equals "$status:$output" 2:
  contains "$stderr" "small.pnml: the measure is not monotone: transition put_1 takes progress from 1 to 0"
}

@test "graph tells what building it took" {
  tideline example dbm 6 -o dbm.pnml
  tideline graph dbm.pnml -o dbm.tlg --json \
    --progress 'sum(waiting_*, $1), sum(received_*_*) + 2*sum(acknowledged_*_*)'
  equals "$(jq -c '[.states, .order, .sweep.sweeps, .sweep.peak_states < 0.1 * .states, .seconds >= 0,
    .peak_rss_bytes > 1000000, .memory.states.used > 0]' <<<"$output")" '[1459,"sweep",1,true,true,true,true]'
  tideline graph dbm.pnml -o dbm.tlg --stats --order sweep --progress 'sum(waiting_*, $1)'
  contains "$output" "
stored            "
  contains "$output" "
time              "
  tideline graph dbm.tlg --json # nobody knows
  equals "$(jq -c '[.states, .seconds]' <<<"$output")" '[1459,null]'
}

@test "graph --published: a pointer, a header and the arcs of each state" {
  graph
  tideline graph small.tlg --published -o small.bin
  equals "$status$output$stderr" 0
  equals "$(tail -c 24 small.bin | od -A n -t u8 | tr -s ' \n' ' ')" " 14 27 9 "
}

@test "graph --path: a way to a state that can be fired" {
  graph
  tideline graph small.tlg --path 13
  equals "$status" 0
  equals "${lines[0]}" "# state 13: 3 transitions of small"
  equals "${lines[*]:1}" "take_left_2 take_left_3 take_right_3"
  tideline graph small.tlg --path 0
  equals "$output" "# state 0: 0 transitions of small"
  fails 2 "there is no state 14: they are numbered 0 to 13" graph small.tlg --path 14
  fails 2 "--path: 'x' is not a number from 0 to 18446744073709551614" graph small.tlg --path x
}

@test "graph --dot draws, but no large graph" {
  graph
  tideline graph small.tlg --dot
  equals "$(grep -c ' -> ' <<<"$output")" 27
  contains "$output" 's0 -> s1 [label="take_left_1"];'
  "$TIDELINE" example philosophers 9 -o larger.pnml
  fails 2 "--dot: the graph has more than 1000 states; --around STATE draws a part of it" graph larger.pnml --dot
}

@test "every command takes a graph for its model" {
  graph
  tideline explore small.tlg -q
  contains "$output" "states            14"
  tideline check small.tlg deadlock -q
  equals "$status" 0
  tideline info small.tlg --json
  equals "$(jq .net.places <<<"$output")" 12
  tideline convert small.tlg --format lola
  equals "$status" 0
  contains "$output" "TRANSITION take_left_1"
}

@test "graph: what does not go together" {
  graph
  fails 2 "one of --aut, --dot, --graphml, --states, --csv, --published, --path and --state at a time" graph small.tlg --aut --dot
  fails 2 "--stats: where should the rest go? give -o FILE" graph small.tlg --aut --stats
}

@test "graph: no file where the search did not end" {
  small_model
  fails 3 "small.pnml: no graph, the limit on states was reached" \
    graph small.pnml -o small.tlg --max-states 3
  [ ! -e small.tlg ]
  tideline graph small.pnml --max-states 3 --json
  equals "$status" 3
  equals "$(jq -c '[.model, .complete, .stopped]' <<<"$output")" '["small",false,"states"]'
  echo 'bad { type t : range 0 .. 3; place p { dom : t; init : <( 2 )>; }
    transition up { in { p : <( x )>; } out { p : <( x + 1 )>; } } }' >bad.lna
  tideline graph bad.lna --no-unfold --json
  equals "$status:$output" 2:
  contains "$stderr" "expression out of range: 4 is not in 0..3"
  fails 2 "no/x.tlg: cannot write: No such file or directory" graph small.pnml -o no/x.tlg
}

@test "a graph that is cut off, damaged or none" {
  graph
  size=$(stat -c %s small.tlg)
  head -c $((size / 2)) small.tlg >cut.tlg
  fails 2 "cut.tlg: the file is cut off" graph cut.tlg
  fails 2 "cut.tlg: the file is cut off" explore cut.tlg
  { head -c $((size / 2)) small.tlg; echo x; tail -c $((size - size / 2 - 2)) small.tlg; } >bad.tlg
  fails 2 "bad.tlg: the file is damaged" graph bad.tlg
  fails 2 "bad.tlg: the file is damaged" check bad.tlg deadlock
  echo nothing >none.tlg
  fails 2 "none.tlg:1: this is neither a PNML nor a LoLA nor a TINA nor a TAPAAL nor a GreatSPN nor a Helena net" graph none.tlg
}

# answers MODEL: what is said about it, but for the time it took, and for the
# order of transitions on the way to a state: there are several as short.
answers () {
  tideline check "$1" deadlock one-safe quasi-live stable-marking live bounds reversible home-state \
    "home 'thinking_1 = 1'" 'EF eating_2 = 1' 'AG eating_1 + eating_2 <= 1' \
    'EF fork_1 = 2' 'EG eating_1 = 0' 'G F eating_1 = 1' \
    'E (G F eating_1 = 1 AND G F eating_2 = 1)' --engine graph --json
  jq -c '.properties[] | del(.seconds) |
    if .trace.kind == "path" then .trace.transitions |= sort else . end' <<<"$output"
}

@test "check asks the graph, with the same answers and traces as short" {
  graph
  equals "$(answers small.tlg)" "$(answers small.pnml)"
  tideline check small.tlg deadlock
  contains "$output" "search            none: its graph was saved, "
  contains "$output" "take_left_1 take_left_2 take_left_3"
  tideline check small.tlg deadlock --json
  equals "$(jq -c '[.order, .search]' <<<"$output")" \
    '["saved",{"complete":true,"states":14,"arcs":27,"depth":3}]'
}

@test "check of a graph keeps its budgets" {
  "$TIDELINE" example philosophers 11 -o larger.pnml
  "$TIDELINE" graph larger.pnml -o larger.tlg
  tideline check larger.tlg 'G F eating_1 = 1' --memory 500K
  equals "$status" 3
  contains "$output" "the memory budget was reached"
}

@test "a graph comes from a file, not from standard input" {
  graph
  for command in "explore -" "graph -" "check - deadlock" "info -"; do
    fails 2 "<stdin>: this is a condensed graph, which has to be a file: it is used where it lies" \
      $command <small.tlg
  done
}

# The states that DEPTH arcs lead to from STATE, forth or back, of a graph in the
# Aldebaran format.
neighbours () { # FILE STATE DEPTH
  awk -F '[(),]' -v centre="$2" -v depth="$3" '
    NR > 1 { from[NR] = $2; to[NR] = $(NF - 1) }
    END {
      inside[centre]
      for (d = 0; d < depth; d++) {
        delete border
        for (i in from) {
          if (from[i] in inside) border[to[i]]
          if (to[i] in inside) border[from[i]]
        }
        for (s in border) inside[s]
      }
      for (s in inside) print s
    }' "$1" | sort -n
}

@test "graph --around draws a part" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  "$TIDELINE" graph kanban.pnml -o kanban.tlg
  "$TIDELINE" graph kanban.tlg --aut >kanban.aut
  local state depth
  for state in 0 100 4599; do
    for depth in 0 1 2 3; do
      "$TIDELINE" graph kanban.tlg --around $state --depth $depth >part.dot
      sed -n 's/^  s\([0-9]*\) \[label.*/\1/p' part.dot | sort -n >drawn
      neighbours kanban.aut $state $depth >wanted
      cmp drawn wanted
      grep -q "^  s$state .*fillcolor" part.dot
      # An arc is drawn if it has both ends.
      equals "$(grep -c -- '->' part.dot)" "$(awk -F '[(),]' '
        FNR == NR { inside[$1]; next }
        FNR > 1 && $2 in inside && $(NF - 1) in inside { n++ } END { print n + 0 }' wanted kanban.aut)"
    done
  done
  fails 2 "there is no state 4600: they are numbered 0 to 4599" graph kanban.tlg --around 4600
  fails 2 "there are more than 1000 states around state 3: take fewer steps" graph kanban.tlg --around 3 --depth 9
}

@test "graphs as GraphML and as a table" {
  cat >odd.net <<'X'
net odd
tr {a"<&b} {p"<} -> q*2
pl {p"<} (1)
X
  "$TIDELINE" graph odd.net --graphml >odd.graphml
  xmllint --noout odd.graphml
  equals "$(xmllint --xpath 'string(//*[local-name()="edge"]/*)' odd.graphml)" 'a"<&b'
  equals "$(xmllint --xpath 'string(//*[@id="s0"]/*[@key="marking"])' odd.graphml)" 'p"<'
  equals "$(xmllint --xpath 'string(//*[@id="s1"]/*[@key="dead"])' odd.graphml)" true
  equals "$("$TIDELINE" graph odd.net --csv)" $'state,place,tokens\n0,"p""<",1\n1,"q",2'
  "$TIDELINE" example kanban 2 -o kanban.pnml
  "$TIDELINE" graph kanban.pnml --graphml >kanban.graphml
  equals "$(grep -c '<node' kanban.graphml)" 4600
  equals "$(grep -c '<edge' kanban.graphml)" 28120
  "$TIDELINE" graph kanban.pnml --states >states
  "$TIDELINE" graph kanban.pnml --csv | awk -F '[,"]+' 'BEGIN { last = "none" } NR > 1 {
      if ($1 != last) { if (NR > 2) print line; line = $1 "\t"; gap = ""; last = $1 }
      line = line gap $2 ($3 > 1 ? "*" $3 : ""); gap = " " } END { print line }' >table
  cmp states table
  "$TIDELINE" example dining 3 -o dining.lna
  "$TIDELINE" graph dining.lna --as-it-is --csv >dining.csv
  [ "$(wc -l <dining.csv)" -gt 20 ]
}
