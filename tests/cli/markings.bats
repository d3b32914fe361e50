# Markings along traces.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

@test "changed places, whole markings, or none" {
  tideline check small.pnml deadlock --markings changed
  contains "$output" "            take_left_3  fork_3: 1->0 thinking_3: 1->0 waiting_3: 0->1
            take_left_2  fork_2: 1->0"
  tideline check small.pnml deadlock --markings all
  contains "$output" "            initially  fork_1 fork_2 fork_3 thinking_1 thinking_2 thinking_3
            take_left_3  fork_1 fork_2 thinking_1 thinking_2 waiting_3"
  contains "$output" "            take_left_1  waiting_1 waiting_2 waiting_3"
  tideline explore small.pnml --markings all
  contains "$output" "  take_left_1  waiting_1 waiting_2 waiting_3"
  tideline check small.pnml deadlock --markings none
  contains "$output" "            take_left_3 take_left_2 take_left_1"
  fails 2 "--markings: there is no way of showing markings 'some'; --markings=help lists them" \
    check small.pnml deadlock --markings some
}

@test "nothing is shown where nobody asks and no terminal is there" {
  plain=$("$TIDELINE" check small.pnml deadlock | grep -v '^time\|kernel')
  equals "$("$TIDELINE" check small.pnml deadlock --markings none | grep -v '^time\|kernel')" "$plain"
  equals "$("$TIDELINE" check small.pnml deadlock --json | jq '.properties[0].trace.markings')" null
}

@test "a terminal gets the changed places" {
  command -v script >/dev/null || skip "there is no script"
  output=$(TERM=xterm script -qec "$TIDELINE check small.pnml deadlock --no-progress" /dev/null | tr -d '\r')
  contains "$output" "take_left_1  fork_1: 1->0"
}

@test "JSON has markings on request: the initial one, then each step's" {
  tideline check small.pnml deadlock --json --markings all
  equals "$(jq -c '.properties[0].trace.markings | length, .[0], .[3]' <<<"$output" | tr '\n' ' ')" \
    '4 {"fork_1":1,"fork_2":1,"fork_3":1,"thinking_1":1,"thinking_2":1,"thinking_3":1} {"waiting_1":1,"waiting_2":1,"waiting_3":1} '
  tideline explore small.pnml --json --markings changed
  equals "$(jq -c '.deadlock_trace.markings | length, .[1]' <<<"$output" | tr '\n' ' ')" \
    '4 {"fork_3":0,"thinking_3":0,"waiting_3":1} '
}

@test "files of traces have them as comments" {
  "$TIDELINE" check small.pnml deadlock --trace trace --markings all -q >/dev/null
  equals "$(cat trace)" "# deadlock: 3 transitions of small
# marking fork_1 fork_2 fork_3 thinking_1 thinking_2 thinking_3
take_left_3
# marking fork_1 fork_2 thinking_1 thinking_2 waiting_3
take_left_2
# marking fork_1 thinking_1 waiting_2 waiting_3
take_left_1
# marking waiting_1 waiting_2 waiting_3"
  tideline graph small.pnml --path 13 --markings changed
  contains "$output" "take_left_3
# changes fork_3: 1->0 thinking_3: 1->0 waiting_3: 0->1"
}

@test "lassos say where they begin, and large markings are cut" {
  "$TIDELINE" example dining 3 -o dining.pnml
  tideline check dining.pnml 'F eating_1 = 1' --markings changed
  equals "$status" 1
  contains "$output" "            and for ever:
"
  { echo "net wide"; echo "tr t $(printf 'place%d ' $(seq 90)) -> q"; for i in $(seq 90); do echo "pl place$i (1)"; done; } >wide.net
  tideline explore wide.net --markings all
  contains "$output" "... and 35 places more"
  "$TIDELINE" explore wide.net --markings all --trace trace -q >/dev/null
  contains "$(sed -n 2p trace)" "place1 "
  contains "$(sed -n 2p trace)" " place90"
}

@test "an unfolded net speaks of places with colours" {
  cat >move.lna <<'LNA'
move {
  type num : range 0 .. 3;
  place a { dom : num; capacity : 3; init : <( 1 )> + <( 2 )> + <( 2 )>; }
  place b { dom : num * num; capacity : 3; }
  transition go { in { a : <( x )>; } out { b : <( x, 0 )>; } guard : x = 2; }
}
LNA
  for which in changed all; do
    equals "$("$TIDELINE" explore move.lna --markings $which --as-it-is | sed -n '/^first/,/^$/p')" \
      "$("$TIDELINE" explore move.lna --markings $which | sed -n '/^first/,/^$/p')"
  done
  tideline explore move.lna --markings changed
  contains "$output" "  go {x=2}  a(2): 2->1 b(2,0): 0->1
  go {x=2}  a(2): 1->0 b(2,0): 1->2"
  tideline explore move.lna --markings all
  contains "$output" "  initially  a(1) a(2)*2"
  contains "$output" "  go {x=2}  a(1) b(2,0)*2"
}

@test "a net that is not unfolded shows the values of its tokens" {
  cat >move.lna <<'LNA'
move {
  type num : range 0 .. 30;
  type nums : list[num] of num with capacity 4;
  place a { dom : num; capacity : 3; init : <( 10 )> + <( 2 )> + <( 2 )>; }
  place b { dom : num * nums; init : <( 0, |1| )>; }
  transition go { in { a : <( x )>; b : <( y, l )>; } out { b : <( x, l & x )>; } guard : x = 2; }
}
LNA
  tideline explore move.lna --markings changed
  contains "$output" "  go {x=2, y=0, l=|1|}  a(2): 2->1 b(0,|1|): 1->0 b(2,|1,2|): 0->1
  go {x=2, y=2, l=|1,2|}  a(2): 1->0 b(2,|1,2,2|): 0->1 b(2,|1,2|): 1->0"
  tideline explore move.lna --markings all
  contains "$output" "  initially  a(2)*2 a(10) b(0,|1|)"
  contains "$output" "  go {x=2, y=2, l=|1,2|}  a(10) b(2,|1,2,2|)"
  equals "$("$TIDELINE" explore move.lna --markings changed --json | jq -c .deadlock_trace.markings)" \
    '[{"a(2)":2,"a(10)":1,"b(0,|1|)":1},{"a(2)":1,"b(0,|1|)":0,"b(2,|1,2|)":1},{"a(2)":0,"b(2,|1,2,2|)":1,"b(2,|1,2|)":0}]'
}

@test "a state of a graph: its marking and its successors" {
  "$TIDELINE" graph small.pnml -o small.tlg
  for model in small.pnml small.tlg; do
    tideline graph $model --state 5
    equals "$status" 0
    equals "$output" "state 5 of small, 2 transitions from the initial marking

marking           fork_3 thinking_3 waiting_1 waiting_2
  to 11 by take_right_2  fork_3: 1->0 waiting_2: 1->0 eating_2: 0->1
  to 12 by take_left_3  fork_3: 1->0 thinking_3: 1->0 waiting_3: 0->1"
    equals "$("$TIDELINE" graph $model --state 5 --json | jq -c '[.state, .steps, .marking, .successors[1]]')" \
      '[5,2,{"fork_3":1,"thinking_3":1,"waiting_1":1,"waiting_2":1},{"transition":"take_left_3","state":12,"changes":{"fork_3":0,"thinking_3":0,"waiting_3":1}}]'
  done
  dead=$("$TIDELINE" graph small.tlg --states | grep -P '\twaiting_1 waiting_2 waiting_3$' | cut -f1)
  tideline graph small.tlg --state "$dead"
  contains "$output" "successors        none: nothing is enabled"
  fails 2 "--state: there is no state 14: they are numbered 0 to 13" graph small.tlg --state 14
  fails 2 "one of --aut, --dot, --graphml, --states, --csv, --published, --path and --state at a time" graph small.tlg --state 1 --aut
}

@test "the markings of all states, as a file beside the Aldebaran format" {
  "$TIDELINE" graph small.pnml --states -o states
  equals "$(wc -l <states)" 14
  equals "$(cut -f1 states | sort -n | tail -1)" 13
  equals "$(grep -c '^0	fork_1 fork_2 fork_3 thinking_1 thinking_2 thinking_3$' states)" 1
  # every state is where its path leads
  for state in 3 7 13; do
    path=$("$TIDELINE" graph small.pnml --path $state --markings all | tail -1)
    equals "${path#\# marking }" "$(grep -P "^$state\t" states | cut -f2)"
  done
}

@test "states of a coloured net that is not unfolded, in all forms" {
  cat >move.lna <<'LNA'
move {
  type num : range 0 .. 3;
  place a { dom : num; capacity : 3; init : <( 1 )> + <( 2 )>; }
  place b { dom : num; capacity : 3; }
  transition go { in { a : <( x )>; } out { b : <( x )>; } }
}
LNA
  "$TIDELINE" graph move.lna --as-it-is -o move.tlg
  tideline graph move.tlg --state 1
  contains "$output" "marking           a(2) b(1)"
  contains "$output" "  to 3 by go {x=2}  a(2): 1->0 b(2): 0->1"
  equals "$("$TIDELINE" graph move.tlg --states | sort | tr '\n\t' ';=')" \
    "$("$TIDELINE" graph move.lna --states | sort | tr '\n\t' ';=')"
  tideline graph move.tlg --dot
  contains "$output" 'label="a(2)\nb(1)"'
  tideline graph move.tlg --path 3 --markings changed
  contains "$output" "# changes a(2): 1->0 b(2): 0->1"
}

@test "the way to an error shows markings, too" {
  cat >bad.lna <<'LNA'
bad {
  type num : range 0 .. 3;
  place c { dom : num; init : <( 2 )>; }
  transition step { in { c : <( x )>; } out { c : <( x - 1 )>; } }
}
LNA
  tideline explore bad.lna --as-it-is --markings changed
  equals "$status" 2
  contains "$stderr" "    step {x=2}  c(1): 0->1 c(2): 1->0
    step {x=1}  c(0): 0->1 c(1): 1->0
    step {x=0}"
  "$TIDELINE" example kanban 1 -o kanban.pnml
  tideline explore kanban.pnml --order sweep --progress 'done_1' --monotone --markings all
  contains "$stderr" "    initially  "
}
