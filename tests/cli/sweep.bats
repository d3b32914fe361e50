# The sweep-line as people use it.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  "$TIDELINE" example sliding-window 6 2 -o window.pnml
}

@test "progress: a table of measures, the chosen one marked, and its weights" {
  tideline progress window.pnml
  equals "$status" 0
  contains "$output" "measure             window   regress  monotone      peak    visits      time"
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

@test "progress of an expression, and of one that is wrong" {
  tideline progress window.pnml --progress 'sum(*)' --quiet
  equals "$status" 0
  contains "$output" "chosen            expression"
  fails 2 "progress:1: unknown place 'nowhere' (column 5)" progress window.pnml --progress '1 + nowhere'
  tideline progress nothere.pnml
  equals "$status" 2
}
