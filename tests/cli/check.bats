load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

@test "every property holds: exit code 0" {
  tideline check small.pnml deadlock one-safe 'EF eating_1 = 1'
  equals "$status" 0
  equals "$stderr" ""
  contains "$output" "true      deadlock"
  contains "$output" "shown by 3 transitions:"
  contains "$output" "3 true"
}

@test "one is violated: exit code 1, with a trace" {
  tideline check small.pnml one-safe 'AG eating_1 = 0'
  equals "$status" 1
  contains "$output" "false     AG eating_1 = 0"
  contains "$output" "take_left_1 take_right_1"
}

@test "no deadlock in a net that nobody can explore, without a search" {
  "$TIDELINE" example dining 200 -o dining.pnml
  tideline check dining.pnml deadlock --timeout 60 --max-states 1000
  equals "$status" 1
  contains "$output" "false     deadlock"
  contains "$output" "without a search, by the structure of the net"
}

@test "a dead marking of a net with 10,000 nodes, before many states are stored" {
  "$TIDELINE" example philosophers 1000 -o philosophers.pnml
  tideline check philosophers.pnml deadlock --timeout 60 --max-states 1000000 -q
  equals "$status:$output" "0:true      deadlock"
}

@test "a marking a thousand steps away in a net that nobody can explore" {
  "$TIDELINE" example kanban 100 -o kanban.pnml
  tideline check kanban.pnml --timeout 60 --max-states 1000000 \
    'EF (done_1 = 37 AND done_2 = 61 AND rework_3 = 99 AND machining_4 = 3 AND done_4 = 95)' --json
  equals "$status" 0
  [ "$(jq '.properties[0].trace.transitions | length' <<<"$output")" -ge 500 ]
}

@test "a net that nobody can explore is live, since it can always return" {
  "$TIDELINE" example kanban 100 -o kanban.pnml
  tideline check kanban.pnml live home-state --timeout 60 --max-states 1000 -q
  equals "$status" 0
  contains "$output" "true      live"
  contains "$output" "true      home-state"
  # Where some steps have to lead away first.
  "$TIDELINE" example fms 50 -o fms.pnml
  tideline check fms.pnml live --timeout 60 --max-states 1000000 -q
  equals "$output" "true      live"
  tideline check kanban.pnml 'AG EF done_1 > 5' 'AG (done_1 > 5 -> EF AG done_2 = 0)' \
    reversible --timeout 60 -q
  equals "$output" "true      AG EF done_1 > 5
false     AG (done_1 > 5 -> EF AG done_2 = 0)
true      reversible"
}

@test "a place keeps its tokens in an unbounded net, by structure" {
  printf 'net kept\npl p (1)\npl q (1)\ntr t p q*2 -> r\ntr more -> z\n' >kept.net
  tideline check kept.net stable-marking -q
  equals "$status:$output" "0:true      stable-marking"
}

@test "no deadlock is the verdict false" {
  "$TIDELINE" example kanban 1 -o kanban.pnml
  tideline check kanban.pnml deadlock -q
  equals "$status" 1
  equals "$output" "false     deadlock"
}

@test "bounds are neither true nor false" {
  tideline check small.pnml bounds -q
  equals "$status" 0
  equals "${#lines[@]}" 12
  contains "$output" "1         "
}

@test "an undecided one: exit code 3 and no verdict" {
  large_model
  tideline check large.pnml deadlock --max-states 1000 -q
  equals "$status" 3
  contains "${lines[0]}" "unknown "
  equals "${lines[1]}" "INCOMPLETE: 1 of 1 question not answered"
  equals "${lines[2]}" "try: a larger --max-states, or none"
}

@test "a violation found before a budget is certain, but the check not finished" {
  large_model
  tideline check large.pnml 'AG has_left_1 = 0' deadlock --max-states 1000 -q
  equals "$status" 3
  equals "${lines[0]}" "false     AG has_left_1 = 0"
  tideline check large.pnml 'AG has_left_1 = 0' --max-states 1000 -q
  equals "$status" 1
}

@test "nothing to check" {
  fails 2 "nothing to check: give a formula, a name such as deadlock, or --mcc FILE" check small.pnml
}

@test "--json" {
  tideline check small.pnml deadlock 'AG eating_1 = 0' --json
  equals "$status" 1
  equals "$(jq -r '[.tool, .complete, .model] | join(" ")' <<<"$output")" "tideline true small"
  equals "$(jq -r '.properties[] | [.name, .verdict, .trace.kind, (.trace.transitions | length)] | join(" ")' <<<"$output" | tr '\n' ';')" \
    "deadlock true path 3;AG eating_1 = 0 false path 2;"
  equals "$(jq -r '.properties[0] | keys_unsorted | join(" ")' <<<"$output")" \
    "name formula verdict engine seconds trace meaning"
  equals "$(jq '.seconds as $all | all (.properties[]; .seconds <= $all)' <<<"$output")" true
}

property_file () {
  cat >"$1" <<XML
<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/">
  <property>
    <id>$2-00</id>
    <description>somebody can eat</description>
    <formula><exists-path><finally><integer-le>
      <integer-constant>1</integer-constant>
      <tokens-count><place>eating_1</place></tokens-count>
    </integer-le></finally></exists-path></formula>
  </property>
  <property>
    <id>$2-01</id>
    <description>nobody can</description>
    <formula><all-paths><globally><negation>
      <is-fireable><transition>take_right_1</transition></is-fireable>
    </negation></globally></all-paths></formula>
  </property>
  <property>
    <id>$2-02</id>
    <description>bound</description>
    <formula><place-bound><place>eating_1</place><place>fork_1</place></place-bound></formula>
  </property>
</property-set>
XML
}

@test "--mcc reads property files and prints the contest's lines" {
  property_file a.xml A
  property_file b.xml B
  tideline check small.pnml --mcc a.xml --mcc=b.xml
  equals "$status" 1
  equals "$(sort <<<"$output")" "FORMULA A-00 TRUE TECHNIQUES EXPLICIT
FORMULA A-01 FALSE TECHNIQUES EXPLICIT
FORMULA A-02 1 TECHNIQUES TOPOLOGICAL
FORMULA B-00 TRUE TECHNIQUES EXPLICIT
FORMULA B-01 FALSE TECHNIQUES EXPLICIT
FORMULA B-02 1 TECHNIQUES TOPOLOGICAL"
}

@test "--mcc: a refusal stands alone, also behind what is known before the search" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  cat >asked.xml <<'XML'
<property-set><property><id>known</id><formula><place-bound><place>card_1</place></place-bound></formula></property>
<property><id>open</id><formula><place-bound><place>rework_1</place><place>rework_4</place><place>done_2</place></place-bound></formula></property></property-set>
XML
  tideline check kanban.pnml --mcc asked.xml --stubborn deadlock
  equals "$status:$output" 2:
  contains "$stderr" "stubborn sets that keep deadlocks do not keep the answer to"
  fails 2 "the store delta cannot be swept: its states are differences to others that a sweep frees" \
    check kanban.pnml --mcc asked.xml --order sweep --store delta
  fails 2 "there are no checkpoints: depth-first search has none" \
    check kanban.pnml --mcc asked.xml --order dfs --checkpoint folder
  tideline check kanban.pnml --mcc asked.xml --order sweep
  equals "$status" 0
  contains "$output" "FORMULA known 2 TECHNIQUES"
  contains "$output" "FORMULA open 6 TECHNIQUES"
}

@test "--mcc: the first of 16 answers comes at once" {
  # 3^40 markings: one question is easy, 15 need them all.
  "$TIDELINE" example chains 40 2 -o chains.pnml
  { echo '<property-set xmlns="http://mcc.lip6.fr/">'
    for i in $(seq 1 16); do
      local all=$(printf '<place>at_%d_2</place>' $(seq $i 40))
      local there="<integer-le><integer-constant>$((41 - i))</integer-constant><tokens-count>$all</tokens-count></integer-le>"
      local ever="<exists-path><finally>$there</finally></exists-path>"
      local until="<until><before><negation>$there</negation></before><reach>$there</reach></until>"
      [ $i = 16 ] || ever="<all-paths><globally><exists-path>$until</exists-path></globally></all-paths>"
      echo "<property><id>Q-$i</id><description/><formula>$ever</formula></property>"
    done
    echo '</property-set>'; } >asks.xml
  local start=$SECONDS
  { timeout -k 5 60 "$TIDELINE" check chains.pnml --mcc asks.xml 3>&- & echo $! >pid; wait; } |
    { read -r line && echo "$line" >first; kill "$(cat pid)"; cat >/dev/null; }
  equals "$(cut -d ' ' -f 1-3 first)" "FORMULA Q-16 TRUE"
  [ $((SECONDS - start)) -le 30 ]
}

@test "--mcc and --json" {
  property_file a.xml A
  tideline check small.pnml --mcc a.xml --json
  equals "$(jq -r '.properties[] | [.name, .verdict, .value] | join(" ")' <<<"$output" | tr '\n' ';')" \
    "A-00 true ;A-01 false ;A-02 true 1;"
}

@test "an undecided one in the contest's words" {
  large_model
  sed -i 's/take_right_1/left_first_1/' large.pnml
  property_file a.xml A
  sed -i 's/take_right_1/left_second_1/' a.xml
  tideline check large.pnml --mcc a.xml --max-states 2
  equals "$status" 3
  contains "$output" "FORMULA A-01 CANNOT_COMPUTE"
}

@test "--trace writes every trace" {
  tideline check small.pnml deadlock one-safe 'AG eating_1 = 0' --trace traces -q
  equals "$status" 1
  equals "$(grep -c '^#' traces)" 2
  equals "$(grep -vc '^#' traces)" 5
}

@test "formulas that are wrong" {
  tideline check small.pnml 'AG (eating_1 <= '
  equals "$status" 2
  equals "$output" ""
  tideline check small.pnml 'AG nothing = 0'
  equals "$status" 2
  contains "$stderr" "nothing"
  tideline check small.pnml --mcc none.xml
  equals "$status" 2
  contains "$stderr" "tideline: none.xml"
}

@test "a broken property file: file and line" {
  property_file a.xml A
  head -n 12 a.xml >cut.xml
  tideline check small.pnml --mcc cut.xml
  equals "$status" 2
  equals "$output" ""
  [[ $stderr =~ ^tideline:\ cut.xml:1[0-9]:\  ]]
}

@test "home: the predicate in one argument or in two, with a trace" {
  for words in "home 'eating_1 = 1'" "AG EF eating_1 = 1"; do
    tideline check small.pnml "$words" -q
    equals "$status" 1
    equals "${lines[0]}" "false     $words"
  done
  for order in bfs dfs sweep; do
    tideline check small.pnml home 'eating_1 = 1' home 'eating_1 = 0' live --order $order
    equals "$status" 1
    contains "$output" "false     home 'eating_1 = 1'"
    contains "$output" "true      home 'eating_1 = 0'"
    contains "$output" "false     live"
    contains "$output" "shown by 3 transitions:"
  done
}

@test "home by layers of a sweep, and live" {
  "$TIDELINE" example chains 4 3 -o chains.pnml
  tideline check chains.pnml home 'at_1_1 = 1' live --json --order sweep --progress 'sum(at_*_*, $2)'
  equals "$status" 1
  equals "$(jq -r '.properties[] | [.verdict, .engine] | join(" ")' <<<"$output" | tr '\n' ';')" "false home;false home;"
  equals "$(jq -r '.sweep.monotone, (.sweep.peak_states < .sweep.explored / 2)' <<<"$output" | tr '\n' ' ')" "true true "
  # Tokens that go round in twos and threes: no proof says where they can always get to.
  printf 'net round\npl s (6)\ntr in s -> x\ntr xy x -> y\ntr yz y*2 -> z*2\ntr zx z*3 -> x*3\n' >round.net
  tideline check round.net home 's = 0 AND y = 2' --json --order sweep --progress '0-s'
  equals "$status" 0
  equals "$(jq -r '.properties[] | .verdict, .engine' <<<"$output" | tr '\n' ' ')" "true home "
  "$TIDELINE" example kanban 1 -o kanban.pnml
  tideline check kanban.pnml live home INITIAL -q
  equals "$status" 0
  equals "$output" "true      live"$'\n'"true      home 'INITIAL'"
}

@test "what can never be reached is shown by the initial marking, also where a net can always return" {
  printf 'net returning\npl p0 (2)\npl p1 (1)\npl p3 (1)\ntr t0 p3 -> p2\ntr t1 ->\ntr t2 p3 p0*3 -> p2 p1*3\ntr t3 p1*2 p2 -> p0*2 p3\ntr t4 p0*2 -> p1*2\n' >returning.net
  for order in bfs dfs; do
    tideline check returning.net 'AG EF FIREABLE(t2)' 'EF AG NOT FIREABLE(t2)' --json --order $order
    equals "$status" 1
    equals "$(jq -c '.properties[] | [.verdict, .trace.transitions]' <<<"$output" | tr '\n' ' ')" '["false",[]] ["true",[]] '
  done
}

@test "home without a predicate, with a path formula, with stubborn sets" {
  fails 2 "home needs a predicate in quotes: home 'p = 1'" check small.pnml home
  fails 2 "home needs a predicate without temporal operators" check small.pnml home 'EF eating_1 = 1'
  tideline check small.pnml live --stubborn property
  equals "$status" 2
}

@test "reversible and home-state" {
  cat >circle.net <<'EOF'
net circle
tr forth p -> q
tr back q -> p
pl p (1)
EOF
  for engine in auto graph; do # forth is enabled in the initial marking only
    tideline check circle.net reversible home-state live --engine $engine -q
    equals "$output" $'true      reversible\ntrue      home-state\ntrue      live'
  done
  { cat circle.net; echo 'tr out p -> r'; echo 'tr on r -> r'; } >out.net
  tideline check out.net reversible home-state --json
  equals "$(jq -c '.properties[] | [.verdict, .engine, .trace.transitions]' <<<"$output")" \
    $'["false","ctl-fly",["out"]]\n["true","home",["out"]]'
  tideline check out.net reversible home-state --json --memory 1G
  equals "$(jq -c '.properties[] | [.verdict, .engine, .trace.transitions]' <<<"$output")" \
    $'["false","home",["out"]]\n["true","home",["out"]]'
  { cat out.net; echo 'tr down p -> s'; } >two.net
  for order in bfs dfs sweep; do
    tideline check two.net home-state reversible --order $order -q
    equals "$output" $'false     home-state\nfalse     reversible'
  done
  fails 2 "stubborn sets that keep what can be reached do not keep the answer to 'home-state'" \
    check two.net home-state --stubborn property
}

@test "an unbounded net: what needs all of the states is given up at once" {
  printf 'net ub\ntr put idle -> idle a\ntr get a -> b\npl idle (1)\n' >ub.net
  for question in live home-state reversible 'AG EF a = 3' 'EF AG a <= 3' \
    'A (NOT (G F a = 3 AND G F a = 5) OR G F a = 4)'; do
    for engine in auto graph fly; do
      tideline check ub.net "$question" --engine $engine --memory 1G --timeout 100 --json
      equals "$status" 3
      equals "$(jq -c '[.stopped, .unbounded_place, .properties[0].verdict, .properties[0].why]' <<<"$output")" \
        '["unbounded","a","unknown","the net is unbounded"]'
      equals "$(jq '.search.states < 2000000' <<<"$output")" true
    done
  done
  tideline check ub.net live
  contains "$output" "place a has no bound"
  # What can always return needs none of them.
  sed 's/-> b/->/' ub.net >returns.net
  tideline check returns.net live home-state -q
  equals "$output" $'true      live\ntrue      home-state'
}

@test "an unbounded net: what is left of it for a formula may have a bound" {
  printf 'net ub\ntr go a -> b log\ntr back b -> a\npl a (1)\n' >ub.net
  tideline check ub.net 'A (F G a = 1)' 'E (G F a = 1 AND G F b = 1)' 'AG EF b = 1' 'AG EF log = 0' --json
  equals "$(jq -c '[.properties[].verdict]' <<<"$output")" '["false","true","true","unknown"]'
  # No marking comes again on these runs: no loop shows them.
  equals "$(jq '[.properties[] | select(.trace)] | length' <<<"$output")" 0
  printf 'net ub\ntr put idle -> idle a\ntr get a -> b\npl idle (1)\n' >ub.net
  tideline check ub.net 'A (F G a > 3)' 'AG (a = 1 -> AF a = 0)' --engine guided -q
  equals "$output" $'false     A (F G a > 3)\nfalse     AG (a = 1 -> AF a = 0)'
}

@test "an unbounded net: what one marking shows is looked for" {
  printf 'net ub\ntr put idle -> idle a\ntr get a -> \ntr end idle a*300 -> b\npl idle (1)\n' >ub.net
  tideline check ub.net live 'EF b = 1' deadlock quasi-live bounds 'EX a = 1' 'EF b = 1 OR AG EF a = 0' home-state -q
  equals "$output" 'false     live
true      EF b = 1
true      deadlock
true      quasi-live
1         idle
infinite  a
1         b
true      EX a = 1
true      EF b = 1 OR AG EF a = 0
unknown   home-state
INCOMPLETE: 1 of 10 questions not answered
try: EF and AG, which can be shown in unbounded nets, too; '"'bounds'"
  # within the budgets
  tideline check ub.net 'EF b = 1' --max-states 100 --json
  equals "$(jq -c '[.stopped, .properties[0].verdict]' <<<"$output")" '["states","unknown"]'
}

@test "what needs no search says so" {
  tideline check small.pnml 'EG TRUE' 'EF eating_1 = 0' 'AG eating_1 + eating_2 <= 1' one-safe --json
  equals "$(jq -r '.properties[] | .engine' <<<"$output" | tr '\n' ' ')" \
    "rewrite initial structure structure "
  equals "$(jq .search.states <<<"$output")" 1
  tideline check small.pnml 'AG eating_1 + eating_2 <= 1'
  contains "$output" "without a search, by the structure of the net"
}

@test "runs that cannot stay anywhere for ever are proven, also in large nets" {
  "$TIDELINE" example token-ring 60 -o ring.pnml
  tideline check ring.pnml 'A G F FIREABLE(request_30)' 'AG AF FIREABLE(request_30)' \
    'A G F (FIREABLE(request_20) OR FIREABLE(enter_53))' 'EF EG idle_7 = 0' \
    'A G F FIREABLE(enter_3)' --engine guided --timeout 10 -q
  equals "$output" 'true      A G F FIREABLE(request_30)
true      AG AF FIREABLE(request_30)
true      A G F (FIREABLE(request_20) OR FIREABLE(enter_53))
false     EF EG idle_7 = 0
false     A G F FIREABLE(enter_3)'
}

@test "guided searches end when memory has run out, without a limit of time" {
  "$TIDELINE" example kanban 50 -o kanban.pnml
  run timeout 60 "$TIDELINE" check kanban.pnml --engine guided --memory 8M -q \
    'AG (done_1 < 50 OR EG done_1 >= 1)'
  equals "$status" 3
  contains "$output" unknown
}

@test "and at a limit on states" {
  "$TIDELINE" example peterson 3 -o peterson.pnml
  run timeout 60 "$TIDELINE" check peterson.pnml reversible --engine guided --max-states 5 --json
  equals "$status" 3
  equals "$(jq -c '[.stopped, .properties[].verdict]' <<<"$output")" '["states","unknown"]'
}
