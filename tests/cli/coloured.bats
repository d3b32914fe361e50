load common

# Two processes and a lock; a process goes round p -> q -> p, the second place
# taken by one at a time.  Written by hand, so that counts can be told by hand:
# who has the lock, if anybody: 3 states, 4 arcs.
lock_net () {
  cat <<'PNML'
<pnml><net id="lock" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<page id="g">
<place id="p"><name><text>idle</text></name>
  <type><structure><usersort declaration="I"/></structure></type>
  <hlinitialMarking><structure><all><usersort declaration="I"/></all></structure></hlinitialMarking></place>
<place id="q"><type><structure><usersort declaration="I"/></structure></type></place>
<place id="lock"><type><structure><dot/></structure></type>
  <hlinitialMarking><structure><dotconstant/></structure></hlinitialMarking></place>
<transition id="enter"/><transition id="leave"/>
<transition id="never"><condition><structure><inequality>
  <subterm><variable refvariable="i"/></subterm><subterm><variable refvariable="i"/></subterm>
  </inequality></structure></condition></transition>
<arc id="a1" source="p" target="enter"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
<arc id="a2" source="lock" target="enter"/>
<arc id="a3" source="enter" target="q"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
<arc id="a4" source="q" target="leave"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
<arc id="a5" source="leave" target="p"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
<arc id="a6" source="leave" target="lock"/>
<arc id="a7" source="p" target="never"><hlinscription><structure><variable refvariable="i"/></structure></hlinscription></arc>
</page>
<declaration><structure><declarations>
<namedsort id="I" name="index"><finiteintrange start="1" end="2"/></namedsort>
<variabledecl id="i" name="i"><usersort declaration="I"/></variabledecl>
</declarations></structure></declaration>
</net></pnml>
PNML
}

setup_file () {
  export -f lock_net
}

@test "inhibitor arcs of symmetric nets: each value inhibits by itself" {
  cat >ring.pnml <<'EOF'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="inh" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><page id="g">
<declaration><structure><declarations>
<namedsort id="C" name="C"><cyclicenumeration><feconstant id="c0" name="a"/><feconstant id="c1" name="b"/><feconstant id="c2" name="c"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
</declarations></structure></declaration>
<place id="free"><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking><structure><all><usersort declaration="C"/></all></structure></hlinitialMarking></place>
<place id="busy"><type><structure><usersort declaration="C"/></structure></type></place>
<place id="lock"><type><structure><dot/></structure></type></place>
<transition id="enter"/>
<transition id="leave"/>
<arc id="a1" source="free" target="enter"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a2" source="enter" target="busy"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a3" source="busy" target="enter"><type value="inhibitor"/><hlinscription><structure><add><subterm><successor><subterm><variable refvariable="x"/></subterm></successor></subterm><subterm><predecessor><subterm><variable refvariable="x"/></subterm></predecessor></subterm></add></structure></hlinscription></arc>
<arc id="a6" source="lock" target="enter"><type value="inhibitor"/></arc>
<arc id="a4" source="busy" target="leave"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a5" source="leave" target="free"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
</page></net></pnml>
EOF
  local how
  for how in "" --no-unfold; do # nobody is busy beside a neighbour, and here all are
    tideline explore ring.pnml $how --json
    equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "[4,6,0]"
  done
  sed 's|<place id="lock">|&<hlinitialMarking><structure><dotconstant/></structure></hlinitialMarking>|' \
    ring.pnml >locked.pnml
  tideline explore locked.pnml --json
  equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "[1,0,1]"
  # Two of them are needed, which there never are.
  sed 's|<type value="inhibitor"/></arc>|<type value="inhibitor"/><hlinscription><structure><numberof><subterm><numberconstant value="2"><positive/></numberconstant></subterm><subterm><dotconstant/></subterm></numberof></structure></hlinscription></arc>|' \
    locked.pnml >twice.pnml
  for how in "" --no-unfold; do
    tideline explore twice.pnml $how --json
    equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "[4,6,0]"
  done
}

@test "a coloured net explored" {
  lock_net >lock.pnml
  tideline explore lock.pnml --json
  equals "$status" 0
  equals "$(jq -c '[.states, .arcs, .deadlocks, .dead_transitions]' <<<"$output")" "[3,4,0,1]"
  equals "$(jq -c .net <<<"$output")" \
    '{"places":3,"transitions":3,"arcs":7,"coloured":true,"unfolded":{"places":5,"transitions":4,"arcs":12}}'
  equals "$(jq -c '[.max_tokens_in_place, .max_tokens_per_marking]' <<<"$output")" "[1,3]"
  tideline explore - <lock.pnml
  contains "$output" "net               3 places, 3 transitions, 7 arcs; coloured, from pnml"
  contains "$output" "unfolded          5 places, 4 transitions, 12 arcs"
}

@test "every order and store" {
  lock_net >lock.pnml
  for way in "--order dfs" "--order sweep" "--store tree" "--store delta"; do
    tideline explore lock.pnml --json $way
    equals "$(jq -c '[.states, .arcs]' <<<"$output")" "[3,4]"
  done
}

@test "properties speak of the coloured net" {
  lock_net >lock.pnml
  # p holds two tokens, of different colours
  tideline check lock.pnml one-safe --quiet
  equals "$output" "false     one-safe"
  tideline check lock.pnml quasi-live live stable-marking --quiet
  equals "$output" "$(printf 'false     quasi-live\nfalse     live\nfalse     stable-marking')"
  tideline check lock.pnml bounds --quiet
  equals "$output" "$(printf '2         p\n1         q\n1         lock')"
}

@test "formulas name coloured and unfolded nodes" {
  lock_net >lock.pnml
  tideline check lock.pnml 'AG p + q = 2' 'EF "q(2)" = 1' 'EF FIREABLE(never)' \
    'AG (FIREABLE(leave) -> lock = 0)' --json
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["true","true","false","true"]'
  # printed as they are read
  equals "$(jq -r '.properties[0,3].formula' <<<"$output")" \
    "$(printf 'AG (p + q = 2)\nAG (NOT FIREABLE(leave) OR lock = 0)')"
  tideline check lock.pnml 'EF P = 1'
  equals "$status" 2
  contains "$stderr" "did you mean 'p'?"
}

@test "traces have bindings" {
  lock_net >lock.pnml
  tideline check lock.pnml 'EF "q(2)" = 1' --json
  equals "$(jq -c '.properties[0].trace.transitions' <<<"$output")" '["enter {i=2}"]'
}

@test "a contest property file" {
  lock_net >lock.pnml
  cat >bounds.xml <<'XML'
<property-set xmlns="http://mcc.lip6.fr/"><property><id>b</id><formula>
<place-bound><place>p</place><place>q</place></place-bound></formula></property>
<property><id>f</id><formula><exists-path><finally><is-fireable>
<transition>leave</transition></is-fireable></finally></exists-path></formula></property>
</property-set>
XML
  tideline check lock.pnml --mcc bounds.xml
  equals "$output" "$(printf 'FORMULA b 2 TECHNIQUES TOPOLOGICAL UNFOLDING_TO_PT\nFORMULA f TRUE TECHNIQUES EXPLICIT UNFOLDING_TO_PT')"
}

@test "the unfolded net converted" {
  lock_net >lock.pnml
  tideline convert lock.pnml -o flat.net
  equals "$status" 0
  tideline explore flat.net --json
  equals "$(jq -c '[.states, .arcs, .net.coloured]' <<<"$output")" "[3,4,false]"
}

@test "info tells sizes and types" {
  lock_net >lock.pnml
  tideline info lock.pnml
  equals "$status" 0
  contains "$output" "types             index: 1..2"
  contains "$output" "p(1)"
  tideline info lock.pnml --json
  equals "$(jq -c .types <<<"$output")" '["index: 1..2"]'
}

@test "a graph file keeps the coloured names" {
  lock_net >lock.pnml
  tideline graph lock.pnml -o lock.tlg
  equals "$status" 0
  tideline check lock.tlg one-safe live 'AG p + q = 2' 'EF "q(2)" = 1' --json
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["false","false","true","true"]'
  equals "$(jq -c .net.coloured <<<"$output")" true
  equals "$(jq -c '.properties[3].trace.transitions' <<<"$output")" '["enter {i=2}"]'
}

# A counter that counts in steps of S, by Helena's language.
count_net () {
  cat <<'LNA'
count (N := 3) {
  type num : range 0 .. N;
  place c { dom : num; init : <( 0 )>; capacity : 1; }
  transition step {
    in { c : <( x )>; }
    out { c : <( x + 1 )>; }
    guard : x < num (N);
  }
  proposition full : exists (t in c | t->1 = num (N));
}
LNA
}

@test "parameters, propositions and properties of a net of Helena" {
  count_net >count.lna
  tideline explore count.lna -D N=7 --json
  equals "$(jq -c '[.states, .arcs, .format]' <<<"$output")" '[8,7,"lna"]'
  tideline check count.lna 'AF full' 'AG full' --quiet
  equals "$output" "$(printf 'true      AF full\nfalse     AG full')"
  printf 'state property never_full: reject full;\nltl property gets_full: <> full;\n' >count.prop.lna
  tideline check count.lna never_full --json
  equals "$status" 1
  equals "$(jq -c '.properties[0].trace.transitions' <<<"$output")" \
    '["step {x=0}","step {x=1}","step {x=2}"]'
  tideline check count.lna gets_full --quiet
  equals "$output" "true      gets_full"
  tideline check count.lna --property-file count.prop.lna --quiet
  equals "$output" "$(printf 'false     never_full\ntrue      gets_full')"
}

@test "faults of coloured nets" {
  lock_net | sed 's/refvariable="i"/refvariable="j"/' >bad.pnml
  tideline explore bad.pnml
  equals "$status" 2
  equals "$output" ""
  contains "$stderr" "bad.pnml:13: unknown variable 'j'"
  lock_net >lock.pnml
  tideline explore lock.pnml -D N=3
  equals "$status" 2
  contains "$stderr" "lock.pnml: the net has no parameter 'N'"
}

@test "a coloured net compiled, or not" {
  count_net >count.lna
  export XDG_CACHE_HOME=$PWD/cache
  mkdir cache
  for when in now auto never; do
    tideline explore count.lna -D N=7 --as-it-is --compile $when --json
    equals "$(jq -c '[.states, .arcs, .net.compiled]' <<<"$output")" \
      "[8,7,$([ $when = now ] && echo true || echo false)]"
  done
  equals "$(ls cache/tideline | wc -l)" 1
  export XDG_CACHE_HOME=/dev/null
  run --separate-stderr env PATH=nowhere "$TIDELINE" explore count.lna --as-it-is --compile now
  equals "$status" 2
  contains "$stderr" "the net cannot be compiled: there is no C compiler"
  run env PATH=nowhere "$TIDELINE" explore count.lna --as-it-is
  equals "$status" 0
}

# The program, what the compiler writes and what is kept: one after the other
# does not fit any more.
@test "compiled nets: a changed model, a broken entry, no compiler, no folder" {
  count_net >count.lna
  mkdir cache
  export XDG_CACHE_HOME=$PWD/cache CCACHE_DISABLE=1
  local found='[.states, .net.compiled]' entry
  tideline explore count.lna --as-it-is --compile now --json
  equals "$(jq -c "$found" <<<"$output")" '[4,true]'
  entry=$(echo cache/tideline/*)
  # Another guard is another program; the one before stays.
  sed 's/x < num (N)/x < num (N) - 1/' count.lna >changed.lna
  tideline explore changed.lna --as-it-is --compile now --json
  equals "$(jq -c "$found" <<<"$output")" '[3,true]'
  equals "$(ls cache/tideline | wc -l)" 2
  tideline explore count.lna --as-it-is --compile now --json
  equals "$(jq -c "$found" <<<"$output")" '[4,true]'
  # What is kept is found without a compiler, what is broken is not used.
  tideline () { run env PATH=nowhere "$TIDELINE" "$@"; }
  tideline explore count.lna --as-it-is --compile now --json
  equals "$(jq -c "$found" <<<"$output")" '[4,true]'
  printf wrong | dd of="$entry" bs=1 seek=3000 conv=notrunc status=none
  tideline explore count.lna --as-it-is --json
  equals "$(jq -c "$found" <<<"$output")" '[4,false]'
  tideline () { run "$TIDELINE" "$@"; }
  tideline explore count.lna --as-it-is --compile now --json
  equals "$(jq -c "$found" <<<"$output")" '[4,true]'
  # No folder, or one that cannot be made: nothing is kept.
  rm -r cache
  for folder in "$PWD/cache/not/there" /dev/null ""; do
    run env HOME=/dev/null XDG_CACHE_HOME="$folder" "$TIDELINE" explore count.lna \
      --as-it-is --compile now --json
    equals "$(jq -c "$found" <<<"$output")" '[4,true]'
  done
}

@test "a coloured net compiled where the disk is full" {
  tideline example timed 4 -o timed.lna
  mkdir cache tmp
  export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD/tmp CCACHE_DISABLE=1
  for size in 1 16 24 32 1000; do
    run --separate-stderr bash -c "ulimit -f $size; '$TIDELINE' explore timed.lna --as-it-is --compile now --json; exit"
    case $size:$status in
    1:4) contains "$stderr" "the compiled net cannot be written: File too large" ;;
    1:* | 1000:4) false ;;
    *:4) contains "$stderr" "the net cannot be compiled: " ;;
    *) equals "$status:$(jq -c '[.states, .net.compiled]' <<<"$output")" "0:[99788,true]" ;;
    esac
    equals "$(find cache tmp -name 'new-*' -o -name 'tideline-*' -o -name 'net.*')" ""
  done
  equals "$(find cache tmp -type f | wc -l)" 1
  rm cache/tideline/*
  run --separate-stderr bash -c "ulimit -f 1; '$TIDELINE' explore timed.lna --as-it-is; exit"
  equals "$status" 0
  contains "$output" "not unfolded: the compiled net cannot be written"
  contains "$output" "99,788"
  equals "$(find cache tmp -type f)" ""
}

@test "runs with the same process number that share a cache" {
  unshare -rpf true 2>/dev/null || skip "no name spaces of processes here"
  count_net >count.lna
  export XDG_CACHE_HOME=$PWD/cache
  mkdir cache
  local runs=() failed=0 i
  for i in 1 2 3 4 5 6; do
    unshare -rpf "$TIDELINE" explore count.lna -D N=7 --as-it-is --compile now --quiet \
      >/dev/null 2>&1 3>&- &
    runs+=($!)
  done
  for i in "${runs[@]}"; do wait $i || failed=$((failed + 1)); done
  equals $failed 0
  equals "$(ls cache/tideline | wc -l)" 1
}

@test "every store of a coloured net as it is" {
  tideline example dbm 4 --format lna -o dbm.lna
  for store in plain table tree delta collapse delta+collapse; do
    for order in bfs dfs; do
      tideline explore dbm.lna --as-it-is --json --order $order --store $store --delta-k 3
      equals "$(jq -c '[.states, .arcs, .store]' <<<"$output")" "[109,224,\"$store\"]"
    done
  done
  equals "$(jq -c '[.delta.k, .delta.explicit < .states / 2]' <<<"$output")" "[3,true]"
  tideline check dbm.lna --as-it-is --store delta 'EF (acknowledged = 3)' --json
  equals "$(jq -c '[.properties[0].verdict, (.properties[0].trace.transitions | length)]' <<<"$output")" \
    '["true",7]'
}

@test "places that follow from others are in the code only on request" {
  "$TIDELINE" example dbm 5 -o dbm.lna
  for way in "" --every-place; do
    tideline explore dbm.lna --as-it-is --store table --json $way
    equals "$status" 0
    equals "$(jq -c '[.states, .arcs]' <<<"$output")" "[406,1090]"
    bytes+="$(jq .code_bytes <<<"$output") "
  done
  equals "$bytes" "3.074 5.82 "
}

@test "differences of condensed codes are short where local markings hardly come again" {
  "$TIDELINE" example leader 9 -o leader.lna
  tideline explore leader.lna --as-it-is --store delta+collapse --json
  local numbers=$(jq .bytes_per_state <<<"$output") states=$(jq .states <<<"$output")
  tideline explore leader.lna --as-it-is --store delta --json
  equals "$(jq -c --argjson n $numbers --argjson s $states \
    '[.states == $s, .bytes_per_state < $n]' <<<"$output")" '[true,true]'
}

@test "the first token of the first place counts in the hash of differences" {
  echo 'n (N := 3000) { place p { dom : epsilon; capacity : N; }
    transition more { in { } out { p : epsilon; } priority : (p'"'"'mult = N) ? -1 : 0; }
    transition less { in { p : epsilon; } out { } } }' >n.lna
  tideline explore n.lna --as-it-is --store delta+collapse --json
  equals "$(jq -c '[.states, .delta.explicit < .states / 4]' <<<"$output")" "[3001,true]"
}

@test "collapse says that it is the table on an unfolded net" {
  "$TIDELINE" example dbm 3 -o dbm.lna
  tideline explore dbm.lna --store collapse
  contains "$output" "table: collapse is for nets that are not unfolded"
  tideline explore dbm.lna --store table
  [[ $output != *"not unfolded"* ]]
  tideline explore dbm.lna --store collapse --as-it-is
  contains "$output" "collapse; "
}

@test "bounds of the tokens of places shorten codes: said by hand, or found" {
  # Mäkelä has 3.80, 7.41 and 9.61 bytes with redundant places and capacities.
  cat >dbm.lna <<'LNA'
dbm (N := 4) {
  type manager : mod N;
  place waiting { dom : manager; tokens : 1; }
  place performing { dom : manager; tokens : N - 1; }
  place sent { dom : manager * manager; tokens : N - 1; }
  place received { dom : manager * manager; tokens : N - 1; }
  place acknowledged { dom : manager * manager; tokens : N - 1; }
  place mutex { dom : epsilon; init : if (waiting'card = 0) epsilon; }
  place inactive { dom : manager; init : for (m in manager)
    if (not exists (w in waiting | w->1 = m) and not exists (w in performing | w->1 = m)) <( m )>; }
  transition update_and_send {
    in { inactive : <( m )>; mutex : epsilon; }
    out { waiting : <( m )>; sent : for (to in manager) if (to != m) <( m, to )>; }
  }
  transition receive_message {
    in { sent : <( from, m )>; inactive : <( m )>; }
    out { received : <( from, m )>; performing : <( m )>; }
  }
  transition acknowledge {
    in { received : <( from, m )>; performing : <( m )>; }
    out { acknowledged : <( from, m )>; inactive : <( m )>; }
  }
  transition receive_acknowledgements {
    in { waiting : <( m )>; acknowledged : for (to in manager) if (to != m) <( m, to )>; }
    out { inactive : <( m )>; mutex : epsilon; }
  }
}
LNA
  "$TIDELINE" example dbm 4 -o found.lna
  while read -r size states most; do
    tideline explore dbm.lna -D N=$size --as-it-is --store table --json
    equals "$(jq -c "[.states, .code_bytes <= $most]" <<<"$output")" "[$states,true]"
    said=$(jq .code_bytes <<<"$output")
    tideline explore found.lna -D N=$size --as-it-is --store table --json
    equals "$(jq -c "[.states, .code_bytes < $said]" <<<"$output")" "[$states,true]"
  done <<'END'
4 109 3.80
6 1459 7.41
8 17497 9.61
END
  tideline explore dbm.lna --quiet
  equals "$status" 0
  fails 2 "dbm.lna:3: how many tokens place waiting has in all is to be watched (column 9)" convert dbm.lna -o dbm.net
}

@test "a condensed code is stored in about as many bytes as it has" {
  "$TIDELINE" example dbm 9 -o dbm.lna
  "$TIDELINE" example timed 3 -o timed.lna
  for net in dbm timed; do
    tideline explore $net.lna --as-it-is --store table --json
    equals "$(jq '.bytes_per_state <= 1.25 * .code_bytes' <<<"$output")" true
    equals "$(jq '.information_bound_bits' <<<"$output")" null
  done
  tideline explore dbm.lna --as-it-is --store table
  contains "$output" "table; up to 69 bits a state"
}

@test "codes get longer where a sweep does not pay" {
  cat >grow.lna <<'LNA'
grow {
  place p { dom : int * int; init : <( 1, 0 )> + <( 2, 0 )>; }
  place left { dom : int; init : <( 3 )> + <( 4 )> + <( 5 )> + <( 6 )>; }
  transition turn { in { p : <( i, n )>; } out { p : <( i, (n + 1) % 3 )>; } }
  transition more { in { left : <( i )>; } out { p : <( i, 0 )>; } }
  transition less { in { p : <( i, n )>; } out { left : <( i )>; } guard : i > 2; }
}
LNA
  local store
  for store in plain table tree; do
    tideline explore grow.lna --as-it-is --store $store --order sweep --json
    equals "$(jq -c '[.states, .sweep.measure]' <<<"$output")" '[2304,"none"]'
  done
}

@test "long codes of many lengths are stored whole, without room for others" {
  cat >long.lna <<'LNA'
long {
  type val : range 1 .. 1000000;
  type row : list [nat] of val with capacity 500;
  place a { dom : row; init : <( empty )>; }
  transition t { in { a : <( r )>; } out { a : <( r & 999999 )>; } guard : r'size < 499; }
}
LNA
  tideline explore long.lna --as-it-is --store table --json
  equals "$(jq -c '[.states, .bytes_per_state <= 4 * .code_bytes]' <<<"$output")" '[500,true]'
}

@test "a sweep takes the measure of the net" {
  "$TIDELINE" example stop-and-wait 8 --format lna >sw.lna
  for way in "" --as-it-is; do
    tideline explore sw.lna --order sweep --json $way
    equals "$(jq -c '[.states, .sweep.monotone, .sweep.peak_states * 2 < .states]' <<<"$output")" \
      '[2820,true,true]'
  done
}

@test "places with many local markings are divided for differences of numbers, too" {
  "$TIDELINE" example dining 9 -o dining.lna
  for order in bfs dfs; do
    tideline explore dining.lna --as-it-is --store delta+collapse --order $order --json
    equals "$(jq -c '[.states, .bytes_per_state < 30]' <<<"$output")" "[89419,true]"
  done
}
