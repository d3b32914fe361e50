load common

# Coloured nets that are not unfolded.

# Two philosophers who take both forks one after the other.
table_net () {
  cat <<'LNA'
table (N := 2) {
  type phil : mod N;
  place idle { dom : phil; init : for (p in phil) <( p )>; capacity : 1; }
  place one { dom : phil; capacity : 1; }
  place two { dom : phil; capacity : 1; }
  place fork { dom : phil; init : for (p in phil) <( p )>; capacity : 1; }
  transition left {
    in { idle : <( p )>; fork : <( p )>; }
    out { one : <( p )>; }
  }
  transition right {
    in { one : <( p )>; fork : <( p + 1 )>; }
    out { two : <( p )>; }
  }
  transition leave {
    in { two : <( p )>; }
    out { idle : <( p )>; fork : <( p )> + <( p + 1 )>; }
  }
  proposition eating : exists (t in two | t->1 = phil (0));
}
LNA
}

# verdicts WORD...: those that check gives.
verdicts () {
  tideline check "$@" --json
  jq -c '[.properties[].verdict]' <<<"$output"
}

@test "the same answers unfolded, as it is, and from its graph" {
  table_net >table.lna
  local ask=('AG AF eating' 'EF (eating AND EX NOT eating)' 'A (F eating)' 'E (G (one = 0 OR F two = 1))'
    'AG (eating -> A (eating U NOT eating))' 'AG EF FIREABLE(left)' deadlock live home-state quasi-live
    one-safe 'AG (idle + one + two = 3)')
  local expected='["false","true","false","true","true","false","true","false","true","true","false","true"]'
  equals "$(verdicts table.lna -D N=3 "${ask[@]}")" "$expected"
  equals "$(verdicts table.lna -D N=3 --as-it-is "${ask[@]}")" "$expected"
  tideline graph table.lna -D N=3 --as-it-is -o table.tlg
  equals "$status" 0
  equals "$(verdicts table.tlg "${ask[@]}")" "$expected"
  tideline check table.tlg deadlock --json
  equals "$(jq -c '.properties[0].trace.transitions' <<<"$output")" \
    '["left {p=0}","left {p=1}","left {p=2}"]'
}

@test "graphs of nets that are not unfolded" {
  table_net >table.lna
  tideline graph table.lna --as-it-is --aut
  equals "$status" 0
  local arcs=$output
  equals "${lines[0]}" "des (0,8,6)"
  contains "$output" '(0,"left {p=0}",1)'
  tideline graph table.lna --as-it-is -o table.tlg
  tideline graph table.tlg --aut
  equals "$output" "$arcs"
  tideline graph table.tlg --dot
  contains "$output" 'label="right {p=1}"'
  tideline graph table.tlg --path 3
  contains "$output" "left {p=0}"
  tideline graph table.tlg --stats --json
  equals "$(jq -c '[.states, .arcs]' <<<"$output")" "[6,8]"
  tideline graph table.tlg --published -o table.bin
  equals "$(tail -c 24 table.bin | od -A n -t u8 | tr -s ' \n' ' ')" " 6 8 3 "
  # the text in the file is read as any text, with the parameters of that time
  tideline explore table.tlg --json
  equals "$(jq -c '[.states, .format]' <<<"$output")" '[6,"lna"]'
}

@test "the graph of a symmetric net from standard input" {
  cat >round.pnml <<'PNML'
<pnml><net id="round" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><page id="g">
<place id="p"><type><structure><usersort declaration="I"/></structure></type>
  <hlinitialMarking><structure><useroperator declaration="a"/></structure></hlinitialMarking></place>
<transition id="go"/>
<arc id="a1" source="p" target="go"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
<arc id="a2" source="go" target="p"><hlinscription><structure><successor>
  <subterm><variable refvariable="i"/></subterm></successor></structure></hlinscription></arc>
</page><declaration><structure><declarations>
<namedsort id="I" name="I"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/>
  <feconstant id="c" name="c"/></cyclicenumeration></namedsort>
<variabledecl id="i" name="i"><usersort declaration="I"/></variabledecl>
</declarations></structure></declaration></net></pnml>
PNML
  tideline graph - --as-it-is -o round.tlg <round.pnml
  equals "$status" 0
  equals "$(verdicts round.tlg live home-state deadlock 'AG p = 1')" '["true","true","false","true"]'
  tideline graph round.tlg --path 2
  contains "$output" "$(printf 'go {i=a}\ngo {i=b}')"
}

# walk_net TERM: a token that walks to and fro and may leave for q with the value
# TERM, where it stays.
walk_net () {
  cat <<LNA
walk {
  type num : range 0 .. 1;
  place a { dom : num; init : <( 0 )>; capacity : 1; }
  place b { dom : num; capacity : 1; }
  place q { dom : num; capacity : 1; }
  transition forth { in { a : <( i )>; } out { b : <( 1 - i )>; } }
  transition back { in { b : <( i )>; } out { a : <( i )>; } }
  transition leave { in { a : <( i )>; } out { q : <( $1 )>; } }
  transition stay { in { q : <( i )>; } out { q : <( i )>; } }
}
LNA
}

@test "a home state on an unfolded graph: the other answers are known all the same" {
  local ask=(live home-state 'AG EF q = 1' quasi-live) how=(--order sweep --progress '2*b - q' --window 0)
  walk_net 0 >one.lna
  tideline graph one.lna --as-it-is "${how[@]}" -o one.tlg --stats
  contains "$output" "unfolded graph"
  equals "$(verdicts one.tlg "${ask[@]}")" '["false","true","true","true"]'
  # two components, of which nobody sees that their markings differ
  walk_net i >two.lna
  tideline graph two.lna --as-it-is "${how[@]}" -o two.tlg
  equals "$(verdicts two.tlg "${ask[@]}")" '["false","unknown","true","true"]'
  tideline check two.tlg home-state
  equals "$status" 3
  contains "$output" "the graph has some markings more than once"
}

@test "a graph file with a net that is damaged" {
  table_net >table.lna
  tideline graph table.lna --as-it-is -o table.tlg
  sed 's/phil : mod/phil : mud/' table.tlg >bad.tlg
  fails 2 "bad.tlg: the file is damaged" check bad.tlg deadlock
}

@test "info of a net that is not unfolded" {
  table_net >table.lna
  tideline info table.lna --as-it-is
  equals "$status" 0
  contains "$output" "net               4 places, 3 transitions"
  contains "$output" "places            idle                 phil; at most 1 of a value"
  contains "$output" "transitions       left                 p: phil"
  contains "$output" "condensed code    "
  tideline info table.lna --as-it-is --json
  equals "$(jq -c '[.initial_tokens, .places[1].place, .places[1].domain, .places[1].capacity, .transitions[2].variables]' <<<"$output")" \
    '[4,"one","phil",1,"p: phil"]'
  equals "$(jq -c '.code_bits > 0' <<<"$output")" true
}

@test "--no-unfold and --as-it-is are the same" {
  table_net >table.lna
  for way in --no-unfold --as-it-is; do
    tideline info table.lna $way --json
    equals "$status" 0
    contains "$output" '"code_bits":'
  done
  tideline explore table.lna -D N=3 --no-unfold --json
  local states=$(jq .states <<<"$output")
  tideline explore table.lna -D N=3 --as-it-is --json
  equals "$(jq .states <<<"$output")" "$states"
}

@test "stubborn sets keep the deadlocks of a net that is not unfolded" {
  # What takes the token first decides where it ends, and `other` can do so only
  # after others that have nothing to do with it at first.
  cat >chain.lna <<'EOF'
chain {
  place p { dom : epsilon; init : epsilon; }
  place r { dom : epsilon; init : epsilon; }
  place q { dom : epsilon; }
  place s { dom : epsilon; }
  place d { dom : epsilon; }
  place e { dom : epsilon; }
  transition take { in { p : epsilon; } out { d : epsilon; } }
  transition other { in { p : epsilon; s : epsilon; } out { e : epsilon; } }
  transition bring { in { q : epsilon; } out { s : epsilon; } }
  transition begin { in { r : epsilon; } out { q : epsilon; } }
}
EOF
  cat >some.lna <<'EOF'
some {
  subtype num : int range 1 .. 3;
  place p { dom : num; init : <( 1 )>; }
  place r { dom : epsilon; init : epsilon; }
  place q { dom : num; }
  place s { dom : epsilon; }
  place d { dom : epsilon; }
  place e { dom : epsilon; }
  transition take { in { p : <( x )>; } out { d : epsilon; } }
  transition other { in { p : <( x )>; q : if (x > 1) <( 1 )>; s : epsilon; } out { e : epsilon; } }
  transition begin { in { r : epsilon; } out { s : epsilon; } }
}
EOF
  local net
  for net in chain some; do
    tideline explore $net.lna --no-unfold --stubborn deadlock --json
    equals "$(jq -c '[.complete, .deadlocks]' <<<"$output")" '[true,2]'
  done
  # Fewer states, as many deadlocks.
  tideline example client-server 3 -o bank.lna
  tideline explore bank.lna --stubborn deadlock --json
  equals "$(jq -c '[.deadlocks, .stubborn.explored < 6000]' <<<"$output")" '[25,true]'
  tideline check bank.lna deadlock --stubborn deadlock --order sweep --quiet
  [ "$status" = 0 ]
  # Priorities: nothing is left out.
  tideline example timed 2 -o timed.lna
  tideline explore timed.lna --stubborn deadlock --json
  equals "$(jq -c '[.states, .deadlocks]' <<<"$output")" '[4280,79]'
  fails 2 "stubborn sets for a property are for nets that can be unfolded" \
    check bank.lna deadlock --stubborn property
}

@test "guided search does without walks where there are no arcs" {
  "$TIDELINE" example timed 1 -o timed.lna
  tideline check timed.lna deadlock-free live bounded reversible deadlock --engine guided --no-unfold --json
  equals "$status" 1
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["false","false","true","false","true"]'
}

@test "convert unfolds what can be unfolded, and says why something cannot" {
  table_net >table.lna
  tideline convert table.lna --as-it-is -o table.net
  [ "$status" = 0 ]
  tideline explore table.net --json
  equals "$(jq -c '[.states, .arcs]' <<<"$output")" "[6,8]"
  cat >first.lna <<'EOF'
first {
  place p { dom : epsilon; init : epsilon; }
  transition t { in { p : epsilon; } out { } }
  transition u { in { p : epsilon; } out { } priority : 1; }
}
EOF
  fails 2 "first.lna:4: cannot be unfolded: transition u has a priority (column 14)" \
    convert first.lna --format pnml
}

@test "what needs arcs says so" {
  table_net >table.lna
  tideline graph table.lna --as-it-is -o table.tlg
  fails 2 "writing a net needs arcs, and table is not unfolded" \
    convert table.tlg --format pnml
  fails 2 "the measure schmidt is for nets that can be unfolded; give an expression, or 'sampled'" \
    progress table.lna --as-it-is --progress schmidt
}

# sweep WORD...: states and arcs.
sweep () {
  tideline explore "$@" --order sweep --as-it-is --json
  jq -c '[.states, .arcs]' <<<"$output"
}

@test "sweeps with measures of the user" {
  table_net >table.lna
  tideline explore table.lna -D N=4 --json
  local all=$(jq -c '[.states, .arcs]' <<<"$output")
  for how in "" "--window 1" "--window all"; do
    equals "$(sweep table.lna -D N=4 --exact-count --progress 'one + 2*two' $how)" "$all"
  done
  # the measure of the net
  cat >up.lna <<'LNA'
up (N := 9) {
  type num : range 0 .. N;
  place c { dom : num; init : <( 0 )>; capacity : 1; }
  transition step { in { c : <( x )>; } out { c : <( x + 1 )>; } guard : x < num (N); }
  progress : sum (t in c : t->1);
}
LNA
  tideline explore up.lna --order sweep --progress progress --as-it-is --json
  equals "$(jq -c '[.states, .sweep.peak_states < 10]' <<<"$output")" "[10,true]"
}

@test "time as a measure, as it is" {
  tideline example timed 3 --format lna -o timed.lna
  tideline explore timed.lna --json
  local states=$(jq .states <<<"$output")
  equals "$(sweep timed.lna --exact-count --progress time | jq '.[0]')" "$states"
}

@test "what a net says of its progress is compared with what is found" {
  tideline example timed 2 --format lna -o timed.lna
  tideline progress timed.lna --json
  local first='.candidates[0] | [.measure, .regress, .monotone, .peak > 0, .peak < 0.3]'
  equals "$(jq -c "$first" <<<"$output")" '["time",0,true,true,true]'
  equals "$(jq '.candidates | length > 2 and .[1].peak > 0' <<<"$output")" true
  # Found alone there is none that the net has of its own.
  tideline progress timed.lna --progress sampled --json
  equals "$(jq '[.candidates[].measure] | index ("time") == null' <<<"$output")" true
  cat >up.lna <<'LNA'
up (N := 9) {
  type num : range 0 .. N;
  place c { dom : num; init : <( 0 )>; }
  transition step { in { c : <( x )>; } out { c : <( x + 1 )>; } guard : x < num (N); }
  progress : sum (t in c : t->1);
}
LNA
  tideline progress up.lna --json
  equals "$(jq -c "$first" <<<"$output")" '["progress",0,true,true,true]'
  equals "$(jq '.candidates | length > 1' <<<"$output")" true
}

# wrong NAME MESSAGE WORD...: the net, read from standard input, is wrong both
# unfolded and as it is; the message, then the trace.
wrong () {
  local name=$1 message=$2 trace=$3 way
  cat >"$name.lna"
  for way in "" --as-it-is; do
    tideline explore "$name.lna" $way --quiet
    equals "$status" 2
    equals "$output" ""
    contains "$stderr" "$message"
    contains "$stderr" "$trace"
  done
}

@test "a type error, an unknown place" {
  wrong mixed "mixed.lna:5: expected a value of type num, not colour (column 54)" "^" <<'LNA'
mixed {
  type num : range 0 .. 3;
  type colour : enum (red, blue);
  place c { dom : num; init : <( 0 )>; }
  transition step { in { c : <( x )>; } out { c : <( red )>; } }
}
LNA
  wrong unknown "unknown.lna:4: there is no place 'd' (column 47)" "^" <<'LNA'
unknown {
  type num : range 0 .. 3;
  place c { dom : num; init : <( 0 )>; }
  transition step { in { c : <( x )>; } out { d : <( x )>; } }
}
LNA
}

@test "values that are not defined, with the way there" {
  wrong range "range.lna:4: expression out of range: 4 is not in 0..3 (type num) (column 56)" \
    "step {x=2} step {x=3}" <<'LNA'
over {
  type num : range 0 .. 3;
  place c { dom : num; init : <( 2 )>; }
  transition step { in { c : <( x )>; } out { c : <( x + 1 )>; } }
}
LNA
  wrong zero "zero.lna:5: division by 0 (column 69)" "step {x=1} step {x=0}" <<'LNA'
zero {
  type num : range 0 .. 3;
  place c { dom : num; init : <( 1 )>; }
  place d { dom : num; }
  transition step { in { c : <( x )>; } out { c : <( 0 )>; d : <( 3 / x )>; } }
}
LNA
  wrong endless "endless.lna:3: the evaluation does not end" "step {x=0}" <<'LNA'
endless {
  type num : range 0 .. 3;
  function spin (num x) -> num { num y := x; while (y < 3) y := y * 1; return y; }
  place c { dom : num; init : <( 0 )>; }
  transition step { in { c : <( x )>; } out { c : <( spin (x) )>; } }
}
LNA
  wrong room "room.lna:5: container capacity exceeded: type nums has room for 2 elements (column 56)" \
    "push {l=||} push {l=|1|} push {l=|1,1|}" <<'LNA'
lists {
  type num : range 0 .. 3;
  type nums : list[num] of num with capacity 2;
  place c { dom : nums; init : <( empty )>; }
  transition push { in { c : <( l )>; } out { c : <( l & num (1) )>; } }
}
LNA
  wrong full "gets 3 tokens of one value, and its capacity is 2" "step {x=0} step {x=0} step {x=0}" <<'LNA'
full {
  type num : range 0 .. 3;
  place c { dom : num; init : <( 0 )>; }
  place d { dom : num; capacity : 2; }
  transition step { in { c : <( x )>; } out { c : <( x )>; d : <( x )>; } }
}
LNA
}

@test "an error is one only where a binding can fire" {
  # What has a lower priority never fires here: what it would put does not matter.
  cat >later.lna <<'LNA'
later {
  type n : range 0 .. 3;
  place p { dom : n; init : <( 0 )>; }
  place q { dom : n; init : <( 3 )>; }
  transition first { in { p : <( x )>; } out { p : <( (x + 1) % 4 )>; } priority : 2; }
  transition later { in { q : <( x )>; } out { q : <( x + 1 )>; } priority : 1; }
}
LNA
  # A guard is an error only for tokens that are there together.
  cat >together.lna <<'LNA'
together {
  type n : range 0 .. 3;
  place p { dom : n; init : <( 0 )> + <( 1 )>; }
  place q { dom : n * n; init : <( 1, 2 )>; }
  transition t {
    in { p : <( x )>; q : <( x, y )>; }
    out { p : <( x )>; q : <( x, (y + 1) % 4 )>; }
    guard : 3 / x > 0;
  }
}
LNA
  local model compile
  for model in later together; do
    for compile in never now; do
      tideline explore $model.lna --as-it-is --compile $compile --json
      equals "$status" 0
      equals "$(jq -c '[.complete, .states]' <<<"$output")" '[true,4]'
    done
  done
  sed -i 's/priority : 1/priority : 2/' later.lna
  fails 2 "later.lna:6: expression out of range: 4 is not in 0..3 (type n) (column 57)" \
    explore later.lna --as-it-is
  # What inhibits inhibits, whatever cannot be computed for other tokens.
  local first
  for first in '<( 0, 1 )> + <( 2, 3 )>' '<( 2, 3 )> + <( 0, 1 )>'; do
    cat >inhibited.lna <<LNA
inhibited {
  type n : range 0 .. 6;
  place p { dom : n * n; init : $first; }
  place q { dom : n; init : <( 0 )>; }
  transition t { in { q : <( y )>; } out { q : <( y + 1 )>; } inhibit { p : <( x, 6 / x )>; } }
}
LNA
    tideline explore inhibited.lna --as-it-is --json
    equals "$(jq -c '[.states, .deadlocks]' <<<"$output")" '[1,1]'
  done
  sed -i 's/ + <( 0, 1 )>//' inhibited.lna
  sed -i 's/<( 2, 3 )>/<( 0, 1 )>/' inhibited.lna
  fails 2 "inhibited.lna:5: division by 0 (column 85)" explore inhibited.lna --as-it-is
  # Tokens come before the guard, though that could be tested earlier.
  cat >before.lna <<'LNA'
before {
  type n : range 0 .. 6;
  place p { dom : n; init : <( 0 )>; }
  place q { dom : n * n; init : <( 1, 2 )>; }
  transition t { in { p : <( x )>; q : <( 6 / x, y )>; } out { } guard : 6 / (x + 1) = 1; }
}
LNA
  fails 2 "before.lna:5: division by 0 (column 45)" explore before.lna --as-it-is
}

@test "the initial marking is told by values, not by counts of tokens" {
  # The counts are always the same; the token comes back only where it goes round.
  ring () {
    cat <<LNA
ring {
  type num : range 0 .. 3;
  place c { dom : num; init : <( 0 )>; }
  transition step { in { c : <( x )>; } out { c : <( $1 )>; } guard : $2; }
}
LNA
  }
  local ask=(INITIAL reversible 'AG INITIAL' 'EF (NOT INITIAL AND DEADLOCK)' 'AG EF NOT INITIAL') how
  ring "x + 1" "x < 3" >line.lna
  ring "(x + 1) mod 4" "x < 4" >round.lna
  for how in "" --as-it-is; do
    [ "$(verdicts line.lna "${ask[@]}" $how)" = '["true","false","false","true","true"]' ]
    [ "$(verdicts round.lna "${ask[@]}" $how)" = '["true","true","false","false","true"]' ]
  done
  for how in line round; do
    tideline graph $how.lna --as-it-is -o $how.tlg
    [ "$(verdicts $how.lna "${ask[@]}")" = "$(verdicts $how.tlg "${ask[@]}")" ]
  done
}

@test "a proposition that is not defined does no harm to those who do not ask" {
  local how
  cat >ring.lna <<'LNA'
ring (N := 4) {
  type node : mod N;
  type few : range 0 .. 3;
  place idle { dom : node; init : for (n in node) <( n )>; }
  place busy { dom : node; }
  place token { dom : node; init : <( 0 )>; }
  transition enter { in { idle : <( n )>; token : <( n )>; } out { busy : <( n )>; } }
  transition pass { in { busy : <( n )>; } out { idle : <( n )>; token : <( n + 1 )>; } }
  proposition working : busy'card > 0;
  proposition wrong : few (idle'card) < 3;
}
LNA
  for how in bfs dfs sweep; do
    tideline explore ring.lna --as-it-is --order $how --json
    equals "$status $(jq .states <<<"$output")" "0 8"
    [ "$(verdicts ring.lna deadlock 'EF working' --as-it-is --order $how)" = '["false","true"]' ]
    fails 2 "ring.lna:10: cast failed: 4 is not in 0..3 (type few) (column 23)" \
      check ring.lna --as-it-is --order $how 'EF working' 'EF wrong'
  done
  tideline check ring.lna --as-it-is 'AG NOT working' --json # with a trace
  equals "$status $(jq '.properties[0].trace.transitions | length' <<<"$output")" "1 1"
  tideline graph ring.lna --as-it-is -o ring.tlg
  equals "$status" 0
  [ "$(verdicts ring.tlg 'AG EF working' 'A G F working')" = '["true","true"]' ]
  fails 2 "something that is asked is not defined in some state; asked of the model itself, it is told where" \
    check ring.tlg 'AG EF wrong'
}
