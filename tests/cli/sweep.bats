# The sweep-line as people use it.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  "$TIDELINE" example sliding-window 6 2 -o window.pnml
}

@test "progress: a table of measures, the chosen one marked, and its weights" {
  tideline progress window.pnml
  equals "$status" 0
  contains "$output" "measure             window   regress  monotone      peak      work      time"
  contains "$output" "
* "
  contains "$output" "chosen            "
  equals "$(grep -c '^\* ' <<<"$output")" 1
}

@test "progress --json" {
  tideline progress window.pnml --json
  equals "$status" 0
  equals "$(jq -r '.chosen == .candidates[0].measure, (.candidates | length >= 1), (.candidates[0] | has("weights") and has("peak") and has("window"))' <<<"$output" | sort -u)" true
}

@test "every measure that is listed is there" {
  "$TIDELINE" explore --progress help | cut -d ' ' -f 1 | grep -v time >names
  [ "$(wc -l <names)" -ge 5 ]
  "$TIDELINE" example timed 1 -o timed.lna
  tideline explore timed.lna --progress time -q
  equals "$status" 0
  while read -r name; do
    tideline progress window.pnml --progress "$name" --json
    equals "$status" 0
    [ "$(jq -r .chosen <<<"$output")" != expression ]
  done <names
}

@test "progress of an expression, and of one that is wrong" {
  tideline progress window.pnml --progress 'sum(*)' --quiet
  equals "$status" 0
  contains "$output" "chosen            expression"
  fails 2 "progress:1: unknown place 'nowhere' (column 5)" progress window.pnml --progress '1 + nowhere'
  tideline progress nothere.pnml
  equals "$status" 2
}

@test "a sweep in text: what it stored, and by which measure" {
  tideline explore window.pnml --progress 'received + acknowledged'
  equals "$status" 0
  contains "$output" "order sweep, every state"
  contains "$output" "sweep             1 sweep, window 0; progress is never lost"
  contains "$output" "measure           received + acknowledged"
  contains "$output" " % of all"
  contains "$output" "first deadlock, after "
}

@test "a sweep in JSON, with the same findings as breadth-first" {
  tideline explore window.pnml --json
  found=$(jq -c '[.states, .arcs, .deadlocks, .dead_transitions, .max_tokens_in_place]' <<<"$output")
  for progress in 'received + acknowledged' schmidt maxfs sampled auto none; do
    tideline explore window.pnml --progress "$progress" --exact-count --json
    equals "$status" 0
    equals "$(jq -c '[.states, .arcs, .deadlocks, .dead_transitions, .max_tokens_in_place]' <<<"$output")" "$found"
    equals "$(jq -r '.order' <<<"$output")" sweep
    equals "$(jq -c '.sweep | keys_unsorted' <<<"$output")" '["measure","sweeps","peak_states","explored","persistent","monotone","window","largest_layer","layers","peak_bytes","discarded","choosing_seconds","weights"]'
  done
}

@test "the peak stays the same while the packets grow" {
  for packets in 10 20; do
    "$TIDELINE" example sliding-window $packets 2 -o w.pnml
    tideline explore w.pnml --progress 'received + acknowledged' --json
    equals "$(jq .sweep.monotone <<<"$output")" true
    jq .sweep.peak_states <<<"$output" >>peaks
  done
  equals "$(sort -u peaks | wc -l)" 1
}

@test "states that are visited again are not counted, unless exactly" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  tideline explore kanban.pnml --progress schmidt --window 0
  equals "$status" 0
  contains "$output" "states            not counted: "
  contains "$output" "(--exact-count tells how many there are)"
  tideline explore kanban.pnml --progress schmidt --window 0 --json
  equals "$(jq -c '[.complete, .states, .arcs, .bytes_per_state, .deadlocks, .sweep.monotone]' <<<"$output")" "[true,null,null,null,0,false]"
  tideline explore kanban.pnml --progress schmidt --window 0 --mcc
  equals "$(grep -c STATE_SPACE <<<"$output")" 2
  contains "$output" "MAX_TOKEN_IN_PLACE 2"
  tideline explore kanban.pnml --progress schmidt --window 0 --exact-count --mcc
  contains "$output" "STATE_SPACE STATES 4600 "
  tideline explore kanban.pnml --progress schmidt --window all --json
  equals "$(jq -c '[.states, .sweep.sweeps, .sweep.window]' <<<"$output")" "[4600,1,null]"
}

@test "databases: the measure of the documentation, an expression in a file" {
  "$TIDELINE" example dbm 8 -o dbm.pnml
  echo 'sum(waiting_*, $1), sum(received_*_*) + 2*sum(acknowledged_*_*)' >measure
  tideline explore dbm.pnml --progress @measure --json
  equals "$status" 0
  equals "$(jq '.states == 17497 and .sweep.peak_states <= .05 * .states and .sweep.explored <= 2 * .states' <<<"$output")" true
}

@test "check with a sweep: the same verdicts, with traces" {
  tideline check window.pnml deadlock 'AG received <= 6' 'EF acknowledged = 6' one-safe --progress 'received + acknowledged' --json
  equals "$status" 1
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["true","true","true","false"]'
  equals "$(jq '.properties[2].trace.transitions | length > 0' <<<"$output")" true
  equals "$(jq -r '.sweep.measure' <<<"$output")" expression
}

@test "--monotone: where progress is lost is shown, with a trace" {
  tideline explore window.pnml --progress 'received + data_1' --monotone --trace t
  equals "$status" 2
  equals "$output" ""
  equals "${stderr_lines[0]}" "tideline: window.pnml: the measure is not monotone: transition lose_data_1 takes progress from 1 to 0"
  contains "${stderr_lines[1]}" "  before            "
  contains "$stderr" "
  changes           data_slot_1: 0->1 data_1: 1->0
  after             "
  contains "${stderr_lines[-1]}" "send_1_1 lose_data_1"
  contains "$(head -n 1 t)" "# progress is lost: "
  equals "$(tail -n 1 t)" lose_data_1
  tideline check window.pnml one-safe --progress '-received' --monotone
  equals "$status" 2
  equals "$output" ""
  tideline explore window.pnml --progress 'received + acknowledged' --monotone -q
  equals "$status" 0
}

@test "expressions that go wrong" {
  fails 2 "progress:1: unknown place 'recieved'; did you mean 'received'? (column 1)" explore window.pnml --progress 'recieved + acknowledged'
  fails 2 "division by zero in the progress measure '7/(received - 1)'" explore window.pnml --progress '7/(received - 1)'
  fails 2 "overflow of 64 bits in the progress measure '4611686018427387904*(received + acknowledged)*received'" explore window.pnml --progress '4611686018427387904*(received + acknowledged)*received'
  fails 2 "--progress: there is no measure or place 'schmid'; did you mean 'schmidt'?" explore window.pnml --progress schmid
  fails 2 "--progress: the net knows no time" explore window.pnml --progress time
  for bad in '' '2*' 'sum(' '(received' '@nothere'; do
    tideline explore window.pnml --progress "$bad"
    equals "$status" 2
    equals "$output" ""
    contains "$stderr" "tideline: "
  done
}

@test "--plot draws a picture that is well-formed" {
  tideline explore window.pnml --progress 'received + acknowledged' --plot p.svg -q
  equals "$status" 0
  xmllint --noout p.svg
  contains "$(cat p.svg)" "measure received + acknowledged, window 0"
  contains "$(cat p.svg)" "peak: "
  tideline check window.pnml one-safe 'AG received <= 6' --order sweep --plot q.svg -q
  xmllint --noout q.svg
}

@test "--plot where no sweep is made: nothing is drawn, and that is said" {
  tideline check window.pnml deadlock --engine guided --plot none.svg -q
  equals "$status" 0
  equals "$stderr" "tideline: none.svg: not written, no sweep was made"
  [ ! -e none.svg ]
}

@test "--plot, --trace and --dot to a bad path: said before the search" {
  for option in --plot --trace --dot; do
    fails 2 "nowhere/p.svg: cannot write: No such file or directory" explore window.pnml $option nowhere/p.svg
    fails 2 ".: cannot write: Is a directory" explore window.pnml $option .
  done
}

@test "a sweep that does not pay is made for those who ask for it" {
  { # tokens that go from any place to any other
    echo "PLACE a, b, c, d, e, f; MARKING a: 9;"
    for from in a b c d e f; do
      for to in a b c d e f; do
        [ $from = $to ] || echo "TRANSITION $from$to CONSUME $from: 1; PRODUCE $to: 1;"
      done
    done
  } >gas.lola
  tideline explore gas.lola --order sweep
  contains "$output" "states            2,002"
  contains "$output" "sweep             not made: of those tried none pays"
  tideline progress gas.lola
  contains "$output" "none: no sweep pays, explore begins without one"
  tideline explore gas.lola --progress sampled --json
  equals "$(jq -c '[.states, .sweep.measure, .sweep.peak_states]' <<<"$output")" '[2002,"none",2002]'
  for option in "--window 0" "--memory 1G" "--plot gas.svg"; do
    tideline explore gas.lola --order sweep $option --json
    equals "$(jq -c '[.states, .sweep.measure == "none"]' <<<"$output")" '[2002,false]'
  done
}

@test "a sweep within budgets says what it knows so far" {
  "$TIDELINE" example sliding-window 30 4 -o large.pnml
  tideline explore large.pnml --progress 'received + acknowledged' --max-states 2000
  equals "$status" 3
  contains "$output" "states            at least "
  contains "$output" "INCOMPLETE: the limit on states was reached"
  tideline explore large.pnml --progress schmidt --memory 1K
  equals "$status" 3
}

@test "a sweep in less memory than breadth-first search needs" {
  "$TIDELINE" example kanban 5 -o kanban.pnml
  tideline explore kanban.pnml --memory 3500K
  equals "$status" 3
  contains "$output" $'INCOMPLETE: the memory budget was reached\ntry: --order sweep, which may need less memory, or more --memory'
  tideline explore kanban.pnml --memory 3500K --order sweep --json
  equals "$status" 0
  equals "$(jq -c '[.states, .arcs]' <<<"$output")" '[2546432,24460016]'
}

@test "stubborn sets: dead states are counted, states are not" {
  tideline explore window.pnml --stubborn deadlock --json
  equals "$status" 0
  equals "$(jq -c '[.states, .arcs, .deadlocks, .max_tokens_in_place, .stubborn.reduction, (.stubborn.followed <= .stubborn.enabled)]' <<<"$output")" '[null,null,1,null,"deadlock",true]'
  tideline explore window.pnml --stubborn deadlock --progress 'received, acknowledged' --mcc
  equals "$output" CANNOT_COMPUTE
  tideline check window.pnml 'EF acknowledged = 6' --stubborn property -q
  equals "$status" 0
}

@test "chains: one monotone sweep with the automatic measure" {
  "$TIDELINE" example chains 8 4 -o chains.pnml
  tideline explore chains.pnml --order sweep --json
  equals "$(jq -c '[.states, .arcs, .sweep.sweeps, .sweep.monotone, .sweep.discarded, (.sweep.peak_states <= .25 * .states)]' <<<"$output")" "[390625,2500000,1,true,0,true]"
}

@test "time is progress in a timed net" {
  cat >timed.lna <<'EOF'
n { place p { dom : epsilon; timed; init : epsilon; }
    transition t { in { p : epsilon; } out { p : epsilon @+ 2; } guard : now < 50; } }
EOF
  tideline explore timed.lna --order sweep --progress time --json
  [ "$status" = 0 ]
  [ "$(jq '.states, .sweep.peak_states, .sweep.layers' <<<"$output" | tr '\n' ' ')" = "51 4 26 " ] ||
    { echo "$output"; return 1; }
}

@test "a timed protocol: few states, and what is known of them, at once" {
  tideline example timed 8 -o timed.lna
  tideline explore timed.lna --order sweep --json
  [ "$status" = 0 ]
  equals "$(jq -c '[.states, .sweep.peak_states < 0.03 * .states]' <<<"$output")" '[817052,true]'
  # Numbers of bindings and markings that are gone would take 9 MB.
  equals "$(jq '.memory.states.used + .memory.engine.used < 7000000' <<<"$output")" true
}

@test "home predicates of a timed protocol keep a front only, and have traces" {
  tideline example timed 6 -o timed.lna
  tideline check timed.lna "home 'all_sent OR failed'" --progress time --json
  [ "$status" = 0 ]
  equals "$(jq -c '[.properties[0].verdict, .search.states, .sweep.window, .sweep.peak_states < 0.05 * .search.states]' <<<"$output")" '["true",375140,0,true]'
  tideline check timed.lna "home 'all_sent'" --progress time --json
  [ "$status" = 1 ]
  equals "$(jq -c '[.properties[0].verdict, (.properties[0].trace.transitions | length > 9), .sweep.window]' <<<"$output")" '["false",true,0]'
  # A measure that loses progress tells nothing of cycles: all is kept then.
  tideline check timed.lna -D PACKETS=2 "home 'all_sent OR failed'" --progress "0 - data" --json
  [ "$status" = 0 ]
  equals "$(jq -c '[.sweep.window, .sweep.monotone, .sweep.peak_states == .search.states]' <<<"$output")" '[null,false,true]'
}

@test "a measure that turns out to lose progress counts no component twice" {
  cat >back.lna <<'EOF'
back {
  subtype num : int range 0 .. 100;
  place a { dom : num; init : <( 0 )>; }
  place done { dom : epsilon; }
  transition up { in { a : <( x )>; } out { a : <( x + 1 )>; } guard : x < 100; }
  transition end { in { a : <( x )>; } out { done : epsilon; } }
  progress : sum (x in a : x->1 / 20);
}
EOF
  # The end is found in the first layer, and again from those that follow.
  for how in "" --no-unfold; do
    tideline check back.lna home-state "home 'done = 1'" --order sweep $how --json
    [ "$status" = 0 ]
    equals "$(jq -c '[.properties[].verdict, .sweep.monotone]' <<<"$output")" '["true","true",false]'
  done
}

@test "measures over the tokens of a net, in parts, unfolded or not" {
  cat >counts.lna <<'EOF'
counts (N := 6) {
  subtype num : int range 0 .. 20;
  function later (num x) -> num { if (x < N) return x + 1; else return 0; }
  function far (num x, num y) -> int return 10 * x + y;
  place a { dom : num; init : <( 0 )>; }
  place b { dom : num * num; init : <( 0, 0 )>; }
  transition t { in { a : <( x )>; } out { a : <( x + 1 )>; } guard : x < N; }
  transition u {
    in { b : <( x, y )>; }
    out { b : <( y < N ? x : x + 1, later (y) )>; }
    guard : x < N;
  }
#ifdef LIST
  progress : sum (x in b : int (x->1)), sum (x in b : int (x->2));
#else
  progress : max (x in b : far (x->1, x->2));
#endif
}
EOF
  local how found='[.states, .sweep.sweeps, .sweep.monotone, .sweep.layers, .sweep.peak_states < 20]'
  for how in "" "-D LIST" "--no-unfold" "--no-unfold -D LIST"; do
    tideline explore counts.lna --order sweep $how --json
    equals "$(jq -c "$found" <<<"$output")" '[301,1,true,43,true]'
  done
  for how in "" "--no-unfold"; do
    tideline explore counts.lna --progress "max (x in a : x->1)" $how --json
    equals "$(jq -c '[.states, .sweep.layers, .sweep.monotone, .sweep.weights]' <<<"$output")" '[301,7,true,"max (x in a : x->1)"]'
    fails 2 "progress:1: 'y' is not a token of a place (column 15)" explore counts.lna --progress "sum (x in a : y->1)" $how
  done
}

@test "measures of nets that are not unfolded are found from samples" {
  # As good as those by hand, and they can be given back as an expression.
  tideline example stop-and-wait 10 -o stop.lna
  tideline progress stop.lna --no-unfold --progress sampled --json
  [ "$status" = 0 ]
  equals "$(jq -c '[.candidates[0].measure, .candidates[0].regress, (.candidates | length > 3)]' <<<"$output")" '["monotone",0,true]'
  local found='[.states, .arcs, .sweep.sweeps, .sweep.monotone, .sweep.layers]' weights
  tideline explore stop.lna --no-unfold --progress sampled --json
  equals "$(jq -c "$found" <<<"$output")" '[4084,22526,1,true,21]'
  weights=$(jq -r .sweep.weights <<<"$output")
  tideline explore stop.lna --no-unfold --progress "$weights" --json
  equals "$(jq -c "$found" <<<"$output")" '[4084,22526,1,true,21]'
  tideline explore stop.lna --progress "$weights" --json
  equals "$(jq -c "$found" <<<"$output")" '[4084,22526,1,true,21]'
  # A net that cannot be unfolded.
  tideline example client-server 3 -o bank.lna
  tideline explore bank.lna --progress sampled --json
  equals "$(jq -c '[.states, .arcs, .sweep.sweeps, .sweep.peak_states < 0.25 * .states]' <<<"$output")" '[18176,44816,1,true]'
  # Where none pays nothing is swept, and that is said.
  tideline example dining 6 -o dining.lna
  tideline explore dining.lna --no-unfold --order sweep
  [[ $output == *"not made: of those tried none pays"* ]]
}

@test "--progress time is the time, whatever the net says" {
  cat >both.lna <<'EOF'
n { place p { dom : epsilon; timed; init : epsilon; }
    transition t { in { p : epsilon; } out { p : epsilon @+ 2; } guard : now < 50; }
    progress : p'card; }
EOF
  tideline explore both.lna --progress time --json
  equals "$(jq -c '[.states, .sweep.layers, .sweep.monotone]' <<<"$output")" '[51,26,true]'
  tideline explore both.lna --order sweep --json
  equals "$(jq -c '[.states, .sweep.layers]' <<<"$output")" '[51,1]'
}

# Of a net with so many states, in budgets from K to K in steps of K: more memory
# never means less reach, but for a part of it (none: 0), and all states stay all
# states.
grows_with_memory () { # net states from to step part options...
  local net=$1 all=$2 from=$3 to=$4 step=$5 part=$6 memory reach best=0
  shift 6
  for ((memory = from; memory <= to; memory += step)); do
    tideline explore "$net" --memory ${memory}K --json "$@"
    reach=$(jq '[.complete, .states // .sweep.explored] | if .[0] then .[1] else .[1] - 1 end' <<<"$output")
    echo "$net $* ${memory}K: $reach of $all"
    [ "$reach" -ge $((best - (part ? best / part : 0))) ]
    [ $best -lt "$all" ] || [ "$reach" -eq "$all" ]
    [ "$reach" -le $best ] || best=$reach
  done
  equals $best "$all"
}

@test "more memory never means less reach" {
  "$TIDELINE" example kanban 4 -o kanban.pnml
  "$TIDELINE" example kanban 3 -o kanban3.pnml
  "$TIDELINE" example fms 4 -o fms.pnml
  grows_with_memory kanban.pnml 454475 450 1300 50 32
  grows_with_memory kanban.pnml 454475 256 480 32 0 --order sweep --progress done_1
  grows_with_memory kanban.pnml 454475 576 832 64 0 --order sweep --progress schmidt
  grows_with_memory kanban3.pnml 58400 140 500 12 0 --order sweep --progress schmidt
  grows_with_memory fms.pnml 438600 600 1500 100 32
}
