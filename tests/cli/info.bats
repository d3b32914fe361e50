load common

@test "info as text" {
  "$TIDELINE" example kanban 3 -o kanban.lola
  tideline info kanban.lola
  equals "$status" 0
  equals "$stderr" ""
  contains "$output" "16 places, 16 transitions, 40 arcs; from lola"
  contains "$output" "class             ordinary"
  contains "$output" "bounds            16 of 16 places"
  contains "$output" "invariants"
  contains "$output" "encoding"
  contains "$output" "suggested"
}

@test "info as JSON" {
  "$TIDELINE" example kanban 3 -o kanban.lola
  tideline info kanban.lola --json
  equals "$status" 0
  equals "$(jq -r 'keys_unsorted | join(" ")' <<<"$output")" \
    "tool version model format net class initial_tokens bounds invariants rank dependent_places groups encoding reduced_places reduced_transitions suggested seconds"
  equals "$(jq -c '[.bounds[].bound] | unique' <<<"$output")" "[3]"
}

@test "info of a net that may be unbounded" {
  printf 'net grow\ntr t p -> p q\npl p (1)\n' >grow.net
  tideline info grow.net
  equals "$status" 0
  contains "$output" "bounds            1 of 2 places"
  contains "$output" "may be unbounded"
}

@test "info of a net of 10,000 places starts at once" {
  "$TIDELINE" example chains 1000 9 -o large.pnml
  run --separate-stderr timeout 20 "$TIDELINE" info large.pnml --json
  equals "$status" 0
  equals "$(jq '.net.places, .groups.count' <<<"$output" | tr '\n' ' ')" "10000 1000 "
}
