load common

@test "a complete exploration: text, exit code 0" {
  small_model
  tideline explore small.pnml
  equals "$status" 0
  equals "$stderr" ""
  contains "$output" "states            14"
  contains "$output" "deadlocks         1"
  contains "$output" "first deadlock, after 3 transitions"
  contains "$output" "memory              would be        used"
  contains "$output" "kernel says"
}

@test "the same with --quiet: the findings only" {
  small_model
  tideline explore small.pnml --quiet
  equals "$status" 0
  equals "${#lines[@]}" 6
}

@test "the delta store tells what it did" {
  "$TIDELINE" example dbm 10 -o dbm.pnml
  tideline explore dbm.pnml --store delta --delta-k 5 --order dfs --json
  equals "$status" 0
  equals "$(jq -c '[.states, .store, .delta.k, (.delta | keys_unsorted)]' <<<"$output")" \
    '[196831,"delta",5,["k","explicit","reconstructions","mean_length"]]'
  equals "$(jq '.delta.mean_length > 1 and .delta.mean_length < 5 and
    .delta.explicit * 5 < .states * 2 and .delta.reconstructions > 0' <<<"$output")" true
  tideline explore dbm.pnml --store plain --json
  equals "$(jq .delta <<<"$output")" null
}

@test "keys have every place on request, and the states are the same" {
  "$TIDELINE" example dbm 6 -o dbm.pnml
  for store in plain table tree delta; do
    for order in bfs dfs; do
      tideline explore dbm.pnml --store $store --order $order --every-place --json
      equals "$(jq -c '[.states, .arcs, .deadlocks, .encoding.bits]' <<<"$output")" \
        '[1459,4872,0,139]'
    done
  done
  tideline explore dbm.pnml --order sweep --every-place --json
  equals "$(jq -c '[.states, .encoding.bits]' <<<"$output")" '[1459,139]'
  tideline explore dbm.pnml --json
  equals "$(jq '.encoding.bits' <<<"$output")" 20
  tideline check dbm.pnml --every-place --json 'EF DEADLOCK'
  equals "$(jq -r '.properties[0].verdict' <<<"$output")" false
}

@test "--json has the documented keys, in their order" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  tideline explore kanban.pnml --json
  equals "$status" 0
  equals "${#lines[@]}" 1
  equals "$(jq -r 'keys_unsorted | .[:20] | join(" ")' <<<"$output")" \
    "tool version model format net complete states arcs max_tokens_in_place max_tokens_per_marking deadlocks dead_transitions order store encoding store_bytes bytes_per_state peak_rss_bytes seconds threads"
  equals "$(jq -c '.net' <<<"$output")" \
    '{"places":16,"transitions":16,"arcs":40,"coloured":false}'
  equals "$(jq -r '[.tool, .model, .format, .complete, .states, .arcs, .max_tokens_in_place, .max_tokens_per_marking, .deadlocks, .dead_transitions, .threads] | join(" ")' <<<"$output")" \
    "tideline kanban pnml true 4600 28120 2 8 0 0 1"
  equals "$(jq -c '.encoding | keys_unsorted' <<<"$output")" '["bits","plain_bits"]'
}

@test "depth-first finds the same" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  tideline explore kanban.pnml --order dfs --json
  equals "$(jq -r '[.states, .arcs, .order] | join(" ")' <<<"$output")" \
    "4600 28120 dfs"
}

@test "--mcc prints the contest's lines" {
  small_model
  tideline explore small.pnml --mcc
  equals "$status" 0
  equals "${lines[0]}" "STATE_SPACE STATES 14 TECHNIQUES EXPLICIT STATE_COMPRESSION"
  equals "${lines[1]%% [0-9]*}" "STATE_SPACE TRANSITIONS"
  equals "${lines[2]%% [0-9]*}" "STATE_SPACE MAX_TOKEN_PER_MARKING"
  equals "${lines[3]}" "STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT STATE_COMPRESSION"
  equals "${#lines[@]}" 4
}

@test "--trace writes the way to the first deadlock" {
  small_model
  tideline explore small.pnml --trace trace -q
  equals "$status" 0
  equals "$(sort trace | grep -v '^#' | tr '\n' ' ')" \
    "take_left_1 take_left_2 take_left_3 "
  contains "$(head -n 1 trace)" "# a deadlock: 3 transitions of small"
}

@test "--trace without anything to trace writes no file" {
  "$TIDELINE" example kanban 1 -o kanban.pnml
  tideline explore kanban.pnml --trace trace -q
  equals "$status" 0
  equals "$stderr" "tideline: trace: not written, there is no trace"
  [ ! -e trace ]
}

@test "--dot draws the reachability graph" {
  small_model
  tideline explore small.pnml --dot graph.dot -q
  equals "$status" 0
  contains "$(cat graph.dot)" "digraph"
  contains "$(cat graph.dot)" "take_left_1"
}

@test "--dot of an incomplete exploration writes no file" {
  small_model
  tideline explore small.pnml --dot graph.dot --max-states 2 -q
  equals "$status" 3
  equals "$stderr" "tideline: graph.dot: not written, the exploration is incomplete"
  [ ! -e graph.dot ]
}

@test "--dot of a large graph is refused" {
  "$TIDELINE" example kanban 2 -o kanban.pnml
  tideline explore kanban.pnml --dot graph.dot -q
  equals "$status" 3
  contains "$stderr" "too many states"
  [ ! -e graph.dot ]
}

@test "a model from standard input, in each format" {
  for format in pnml lola tina; do
    "$TIDELINE" example philosophers 3 --format $format >model
    run --separate-stderr "$TIDELINE" explore - --json <model
    equals "$status" 0
    equals "$(jq -r '[.states, .format] | join(" ")' <<<"$output")" "14 $format"
  done
}

@test "an unbounded net is recognised" {
  cat >grow.net <<'NET'
net grow
tr t p -> p q
pl p (1)
NET
  tideline explore grow.net
  equals "$status" 3
  contains "$output" "infinitely many"
  contains "$output" "place q has no bound"
  equals "${lines[-2]}" "INCOMPLETE: the net is unbounded"
  equals "${lines[-1]}" "try: 'check MODEL bounds', which says which places have no bound"
  tideline explore grow.net --json
  equals "$status" 3
  equals "$(jq -r '[.complete, .stopped, .unbounded_place] | join(" ")' <<<"$output")" \
    "false unbounded q"
}

@test "an unbounded net: the figures agree with the run, which is short" {
  cat >grow.net <<'NET'
net grow
tr produce ready -> full item
tr back full -> ready
tr take item idle -> busy
tr done busy -> idle
pl ready (1)
pl idle (1)
NET
  tideline explore grow.net --json
  equals "$(jq -c '[.unbounded_place, .unbounded_trace.transitions, .unbounded_trace.loop_from]' <<<"$output")" \
    '["item",["produce","back"],0]'
  # the markings of the run: ready idle; full idle item; ready idle item
  equals "$(jq -c '[.states, .arcs, .max_tokens_in_place, .max_tokens_per_marking]' <<<"$output")" '[3,5,1,3]'
  tideline explore grow.net
  contains "$output" "at least 1 in a place, at least 3 in a marking"
  contains "$output" "at most 1, which did not fire so far"
}
