load common

@test "example writes PNML to standard output" {
  tideline example philosophers 2
  equals "$status" 0
  contains "$output" "<pnml"
}

@test "example by format and by ending" {
  tideline example philosophers 2 --format lola
  contains "$output" "PLACE"
  "$TIDELINE" example philosophers 2 -o a.lola
  "$TIDELINE" example philosophers 2 --format=lola -o a.txt
  cmp a.lola a.txt
  "$TIDELINE" example philosophers 2 -oa.net
  contains "$(cat a.net)" "tr "
  "$TIDELINE" example philosophers 2 --output a.dot
  contains "$(cat a.dot)" "digraph"
}

@test "examples that do not exist" {
  fails 2 "there is no example 'filosophers'; did you mean 'philosophers'?" example filosophers 3
  fails 2 "there is no example 'zzz'; tideline help example lists them" example zzz 3
  fails 2 "example kanban: 'x' is not a size" example kanban x
  tideline example kanban
  equals "$status" 2
  tideline example kanban 1 2
  equals "$status" 2
  tideline example kanban 1 2 3 4 5 6 7 8 9
  equals "$status" 2
  tideline example kanban 0
  equals "$status" 2
  equals "$output" ""
}

@test "formats that do not exist" {
  fails 2 "example kanban: it is not there as a coloured net, so not as lna" \
    example kanban 3 --format lna
  fails 2 "example timed: it is a coloured net, which is written as lna, not as pnml" \
    example timed 3 --format pnml
  tideline example dbm 3 --format word
  equals "$status" 2
  contains "$stderr" "word"
  small_model
  fails 2 "which format? give --format pnml, lola, tina or dot, or an output file with such an ending" convert small.pnml -o small.doc
  [ ! -e small.doc ]
}

@test "convert goes round through all formats" {
  "$TIDELINE" example fms 1 -o a.pnml
  "$TIDELINE" convert a.pnml -o b.lola
  "$TIDELINE" convert b.lola -o c.net
  "$TIDELINE" convert c.net -o d.pnml
  for file in a.pnml b.lola c.net d.pnml; do
    tideline explore $file --json
    equals "$(jq -c '[.net.places, .net.transitions, .net.arcs, .states, .arcs]' <<<"$output")" \
      "${first:=$(jq -c '[.net.places, .net.transitions, .net.arcs, .states, .arcs]' <<<"$output")}"
  done
}

@test "every family in every format is read back" {
  for net in "philosophers 2" "philosophers-both 2" "dining 2" "dbm 2" \
    "kanban 1" "fms 1" "token-ring 3" "peterson 2" "leader 2" \
    "stop-and-wait 2" "sliding-window 2 1" "chains 2 3"; do
    states=
    for format in pnml lola tina; do
      "$TIDELINE" example $net --format $format >model
      run --separate-stderr "$TIDELINE" explore model --json
      equals "$status" 0
      found=$(jq -c '[.states, .arcs, .format]' <<<"$output")
      equals "${found/\"$format\"/}" "${states:=${found/\"$format\"/}}"
    done
  done
}

@test "convert to standard output" {
  small_model
  tideline convert small.pnml --format tina
  equals "$status" 0
  contains "$output" "tr take_left_1"
  tideline convert small.pnml -o - --format dot
  contains "$output" "digraph"
}

# The coloured net of a family, unfolded and as it is, and the other one.
@test "coloured examples have the states and arcs of the others" {
  for net in "dining 5" "dbm 4" "peterson 2" "leader 5" "stop-and-wait 5" \
    "sliding-window 4 2"; do
    "$TIDELINE" example $net -o model.pnml
    "$TIDELINE" example $net -o model.lna
    tideline explore model.pnml --json
    expected=$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")
    for way in "" --as-it-is "--as-it-is --store table" "--order sweep"; do
      tideline explore model.lna --json $way
      equals "$status" 0
      equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "$expected"
    done
  done
  "$TIDELINE" example dbm 4 -o model.lna
  tideline explore model.lna -D UNUSED --json
  equals "$(jq -c '[.states, .arcs, .net.places]' <<<"$output")" "[109,224,8]"
}

@test "coloured examples that have no others" {
  tideline example client-server 2
  equals "${lines[0]}" "client_server (CLIENTS := 2) {"
  "$TIDELINE" example client-server 3 -o model.lna
  tideline explore model.lna --json
  equals "$(jq -c '[.states, .arcs, .deadlocks]' <<<"$output")" "[18176,44816,25]"
  tideline check model.lna 'AG (DEADLOCK -> idle)' --quiet
  equals "$output" "true      AG (DEADLOCK -> idle)"
  "$TIDELINE" example timed 2 -o model.lna
  for order in bfs sweep; do
    tideline explore model.lna --order $order --json
    equals "$(jq -c '[.states, .arcs]' <<<"$output")" "[4280,6843]"
  done
  equals "$(jq -c .sweep.monotone <<<"$output")" true
}

@test "convert makes a net smaller for a question" {
  "$TIDELINE" example philosophers 5 -o table.pnml
  "$TIDELINE" convert table.pnml --reduce deadlock -o dead.net
  tideline check dead.net deadlock --json
  equals "$(jq -r '.properties[0].verdict' <<<"$output")" true
  [ "$(grep -c ^pl dead.net)" -lt 20 ]
  tideline convert table.pnml --reduce 'EF eating_1 = 1' --format tina
  equals "$status" 0
  equals "$(grep -c ^pl <<<"$output")" 2
  # What several questions look at stays.
  tideline convert table.pnml --reduce 'EF eating_1 = 1' --reduce 'AG thinking_3 = 1' --format tina
  contains "$output" "pl eating_1"
  contains "$output" "pl thinking_3"
  # A formula about runs keeps them all.
  tideline convert table.pnml --reduce 'AF eating_1 = 1' --format tina
  contains "$output" "tr take_left_2"
}

@test "convert --reduce refuses what is about the whole net" {
  small_model
  fails 2 "'live' is about the whole net" convert small.pnml --reduce live --format tina
  tideline convert small.pnml --reduce 'EF nowhere = 1' --format tina
  equals "$status" 2
}

@test "a name that TINA's format cannot have is left out" {
  name=$(head -c 1000000 /dev/zero | tr '\0' x)
  printf '<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <page id="g"><place id="p"><name><text>%s</text></name></place>
    <transition id="t"/></page></net></pnml>' "$name" >"$BATS_TEST_TMPDIR/long.pnml"
  tideline convert "$BATS_TEST_TMPDIR/long.pnml" -o "$BATS_TEST_TMPDIR/long.net"
  tideline explore "$BATS_TEST_TMPDIR/long.net" --quiet
  contains "$output" "states            1"
  tideline convert "$BATS_TEST_TMPDIR/long.pnml" -o "$BATS_TEST_TMPDIR/again.pnml"
  grep -q "$(head -c 1000 <<<"$name")" "$BATS_TEST_TMPDIR/again.pnml"
}
