load common

figures='[.complete, .states, .arcs, .deadlocks, .dead_transitions, .depth, .max_tokens_in_place, .max_tokens_per_marking]'

@test "up to symmetry all figures are those of the explicit search" {
  local net
  for net in "dbm 5" "dining 4" "peterson 2" "leader 4"; do
    # shellcheck disable=SC2086
    "$TIDELINE" example $net -o net.lna
    tideline explore net.lna --engine symmetry --json
    equals "$status" 0
    found=$(jq -c "$figures" <<<"$output")
    tideline explore net.lna --engine explicit --json
    equals "$found" "$(jq -c "$figures" <<<"$output")"
  done
}

@test "one state stands for many" {
  "$TIDELINE" example dbm 10 -o dbm.lna
  tideline explore dbm.lna --engine symmetry
  equals "$status" 0
  contains "$output" "states            196,831"
  contains "$output" "symmetry          values that can be exchanged: 10 of manager; 56 states stored"
  tideline explore dbm.lna --engine symmetry --json
  equals "$(jq -c '[.engine, .states, .symmetry]' <<<"$output")" \
    '["symmetry",196831,{"classes":"10 of manager","stored":56}]'
  # More states than anybody visits.
  tideline explore dbm.lna -D N=18 --engine symmetry --json --timeout 60
  equals "$status $(jq -c '[.complete, .states]' <<<"$output")" "0 [true,2324522935]"
}

@test "a marking that tells values apart leaves less symmetry" {
  cat >move.lna <<'LNA'
move {
  type colour : range 1 .. 5;
  place left { dom : colour; init : for (c in colour) <( c )>; }
  place right { dom : colour; init : <( 3 )>; capacity : 2; }
  transition go { in { left : <( c )>; } out { right : <( c )>; } }
}
LNA
  tideline explore move.lna --engine symmetry --json
  equals "$(jq -c '[.states, .deadlocks, .symmetry]' <<<"$output")" \
    '[32,1,{"classes":"4 of colour","stored":10}]'
}

@test "values that bindings tell apart are not exchanged" {
  # The first value has two bindings that lead to the same.
  cat >twice.lna <<'LNA'
twice {
  type colour : range 1 .. 3;
  place left { dom : colour; init : for (c in colour) <( c )>; }
  place right { dom : colour; }
  transition go {
    in { left : <( c )>; }
    out { right : <( c )>; }
    pick { k in colour; }
    guard : k = 1 or (c = 1 and k = 2);
  }
}
LNA
  tideline explore twice.lna --engine symmetry --json
  equals "$(jq -c '[.states, .arcs, .symmetry.classes]' <<<"$output")" '[8,16,"2 of colour"]'
}

@test "where symmetry is refused" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  fails 2 "--engine symmetry is for coloured nets, and kanban has no colours" \
    explore kanban.pnml --engine symmetry
  "$TIDELINE" example dbm 4 -o dbm.lna
  fails 2 "--order: --engine symmetry goes breadth-first" explore dbm.lna --engine symmetry --order dfs
  fails 2 "--progress: --engine symmetry goes breadth-first" explore dbm.lna --engine symmetry --progress auto
  fails 2 "--trace: there are no traces with --engine symmetry" \
    explore dbm.lna --engine symmetry --trace way
  tideline explore dbm.lna --engine symmetry --as-it-is
  equals "$status" 2
  cat >source.lna <<'LNA'
source {
  type colour : range 1 .. 2;
  place left { dom : colour; init : <( 1 )>; capacity : 100000; }
  transition more { in { left : <( c )>; } out { left : 2 * <( c )>; } }
}
LNA
  tideline explore source.lna --engine symmetry
  equals "$status" 3
  contains "$output" "try: --engine explicit"
  tideline explore dbm.lna --engine symmetry --max-states 5
  equals "$status" 3
  contains "$output" "INCOMPLETE"
}
