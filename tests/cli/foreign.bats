load common

# Two components that share a place and a transition.
components () {
  cat <<'END'
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
  <constant name="two" value="2"/>
  <shared-place initialMarking="0" invariant="&lt; inf" name="wire"/>
  <shared-transition name="reset" urgent="false"/>
  <net active="true" id="Sender" type="P/T net">
    <place id="P0" initialMarking="2" invariant="&lt; inf" name="idle" positionX="1"/>
    <place id="P1" initialMarking="0" invariant="&lt; inf" name="wire"/>
    <transition id="T0" name="send" priority="0" urgent="false"/>
    <transition id="T1" name="reset"/>
    <arc id="A0" inscription="[0,inf)" source="P0" target="T0" type="timed" weight="1"/>
    <arc id="A1" inscription="1" source="T0" target="P1" type="normal" weight="two"/>
    <arc id="A2" inscription="1" source="T1" target="P0" type="normal" weight="1"/>
  </net>
  <net active="true" id="Receiver" type="P/T net">
    <place id="P0" initialMarking="0" invariant="&lt; inf" name="got"/>
    <place id="P1" initialMarking="0" invariant="&lt; inf" name="wire"/>
    <transition id="T0" name="receive"/>
    <transition id="T1" name="reset"/>
    <arc id="A0" inscription="[0,inf):1" source="P1" target="T0" type="transport" weight="1"/>
    <arc id="A1" inscription="[0,inf):1" source="T0" target="P0" type="transport" weight="1"/>
    <arc id="A2" inscription="[0,inf)" source="P0" target="T1" type="timed" weight="two"/>
  </net>
  <query active="true" name="all arrive" query="EF Receiver.got = 4 and wire = 0"/>
  <query active="false" name="off" query="EF Gone.x = 4"/>
  <query active="true" name="can reset" query="AG EF reset" type="CTL"/>
  <query active="true" name="lost" type="CTL"><formula><exists-path><finally>
    <integer-ne><integer-sum><tokens-count><place>wire</place></tokens-count>
    <tokens-count><place>Receiver.got</place></tokens-count></integer-sum>
    <integer-constant>3</integer-constant></integer-ne></finally></exists-path></formula></query>
  <k-bound bound="3"/>
  <feature isGame="false" isTimed="false"/>
</pnml>
END
}

# The same net as GreatSPN writes it.
stochastic () {
  cat <<'END'
|0|
A comment
|
f   1   3   0   3   0   0   0
N   2 1.0 1.0 0
wire    0 4.333333 1.000000 4.533333 0.966667 0
idle   -1 4.333333 2.333333 4.533333 2.300000 0
got|a   0 4.333333 3.666667 4.533333 3.633333 0
send  1.000000   0   0   1 0 5.333333 8.333333 5.533333 8.333333 5.500000 8.416667 0
   1   2   0 0
   1
   2   1   1 0
5.333333 8.666667
   0
reset  1.000000   0   0   1 0 5.333333 7.000000 5.533333 7.066667 5.500000 7.083333 0
   2   3   0 0
   1
   1   2   0 0
   0
receive  2.5   1   0   1 0 4.333333 5.666667 4.533333 5.733333 4.500000 5.750000 0
   1   1   0 0
   1
   1   3   0 0
   0
END
}

# The same net as TINA writes it.
plain () {
  echo 'net x
pl wire
pl idle (2)
pl got
tr send idle -> wire*2
tr reset got*2 -> idle
tr receive wire -> got'
}

@test "nets of TAPAAL and GreatSPN have the states that they have elsewhere" {
  components >x.tapn
  components >x.pnml
  stochastic >x.net
  plain >plain.net
  local expected
  tideline explore plain.net --json
  expected=$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")
  for file in x.tapn x.pnml x.net; do
    tideline explore $file --json
    equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "$expected"
    tideline convert $file -o back.pnml
    tideline explore back.pnml --json
    equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "$expected"
  done
  tideline info x.pnml
  contains "$output" "from tapaal"
  tideline info x.net
  contains "$output" "from greatspn"
  gzip x.tapn
  tideline info x.tapn.gz
  equals "$status" 0
}

@test "queries in a net of TAPAAL" {
  components >x.tapn
  tideline check x.tapn @x.tapn --quiet
  equals "$output" "true      all arrive
true      can reset
true      lost"
  tideline check x.tapn --formulas x.tapn --json
  equals "$(jq -r '.properties[1].formula' <<<"$output")" "AG EF FIREABLE(reset)"
  tideline check x.tapn 'EF Receiver.got = 1' 'EF got = 1' --quiet
  equals "$status" 0
}

@test "a file with a query of TAPAAL, and one of properties, as formulas" {
  components >x.tapn
  printf 'EF wire = 9 or\n Receiver.got = 3\n' >x.q
  tideline check x.tapn @x.q --quiet
  equals "$output" "true      EF wire = 9 or  Receiver.got = 3"
  echo '<property-set><property><id>a</id><formula><deadlock/></formula></property></property-set>' >x.xml
  tideline check x.tapn @x.xml --quiet
  equals "$output" "false     a"
  echo '<> wire = 2' >x.txt
  tideline check x.tapn @x.txt --quiet
  equals "$output" "true      <> wire = 2"
}

@test "a net whose time matters is refused with the line" {
  components | sed 's/\[0,inf)" source="P0" target="T1"/[2,5]" source="P0" target="T1"/' >x.tapn
  fails 2 "x.tapn:22: the arc has the interval [2,5]: time is not supported, only [0,inf) is (column 5)" explore x.tapn
  components | sed '0,/&lt; inf" name="got"/s//\&lt;= 7" name="got"/' >x.tapn
  fails 2 "x.tapn:16: the place has the invariant '<= 7': time is not supported, only '< inf' is (column 5)" explore x.tapn
  stochastic | sed 's/^receive  2.5   1   0/receive  2.5   0 127/' >x.net
  fails 2 "x.net:20: time is not supported: the delay of this transition is not exponential (column 18)" explore x.net
}

@test "the other file of a net of GreatSPN, and a net without queries" {
  echo '|256' >x.def
  fails 2 "x.def:1: by its name this is the second file of a net of GreatSPN, beside its .net, which is not read; tideline reads PNML, LoLA, TINA, TAPAAL, GreatSPN and Helena nets" info x.def
  "$TIDELINE" example kanban 1 -o kanban.pnml
  fails 2 "kanban.pnml:2: this is a net, and it has no query" check kanban.pnml @kanban.pnml
}

# Two jobs arrive; each is sent left or right at once, before anything else.
@test "immediate transitions of GreatSPN go first" {
  cat >x.net <<'END'
|0|
|
f 0 4 0 3 1 0 0
todo 2 1 1
choice 0 1 1
left 0 1 1
right 0 1 1
G1 0 0 1
arrive 1.0 1 0 1 0 1 1
1 1 0 0
1
1 2 0 0
0
go_left 0.5 1 1 1 0 1 1
1 2 0 0
1
1 3 0 0
0
go_right 0.5 1 1 1 0 1 1
1 2 0 0
1
1 4 0 0
0
END
  tideline explore x.net --json
  equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "[9,9,3]"
  tideline check x.net 'EF choice = 2' --quiet
  equals "$output" "false     EF choice = 2"
}
